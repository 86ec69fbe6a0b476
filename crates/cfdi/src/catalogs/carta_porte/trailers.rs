//! Kinds of trailers and semitrailers (c_SubTipoRem).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("CTR001", "Caballete"),
    entry("CTR002", "Caja"),
    entry("CTR003", "Caja Abierta"),
    entry("CTR004", "Caja Cerrada"),
    entry("CTR005", "Caja De Recolección Con Cargador Frontal"),
    entry("CTR006", "Caja Refrigerada"),
    entry("CTR007", "Caja Seca"),
    entry("CTR008", "Caja Transferencia"),
    entry("CTR009", "Cama Baja o Cuello Ganso"),
    entry("CTR010", "Chasis Portacontenedor"),
    entry("CTR011", "Convencional De Chasis"),
    entry("CTR012", "Equipo Especial"),
    entry("CTR013", "Estacas"),
    entry("CTR014", "Góndola Madrina"),
    entry("CTR015", "Grúa Industrial"),
    entry("CTR016", "Grúa"),
    entry("CTR017", "Integral"),
    entry("CTR018", "Jaula"),
    entry("CTR019", "Media Redila"),
    entry("CTR020", "Pallet o Celdillas"),
    entry("CTR021", "Plataforma"),
    entry("CTR022", "Plataforma Con Grúa"),
    entry("CTR023", "Plataforma Encortinada"),
    entry("CTR024", "Redilas"),
    entry("CTR025", "Refrigerador"),
    entry("CTR026", "Revolvedora"),
    entry("CTR027", "Semicaja"),
    entry("CTR028", "Tanque"),
    entry("CTR029", "Tolva"),
    entry("CTR031", "Volteo"),
    entry("CTR032", "Volteo Desmontable"),
];

catalog!(Entry, ROWS);
