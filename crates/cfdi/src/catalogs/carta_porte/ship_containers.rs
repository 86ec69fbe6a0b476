//! Containers on ships (c_ContenedorMaritimo).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

/// A truck on a ferry.
pub const FERRY: &str = "CM011";

const ROWS: &[Entry] = &[
    entry("CM001", "Contenedores refrigerados de 20FT"),
    entry("CM002", "Contenedores refrigerados de 40FT"),
    entry("CM003", "Contenedores estándar de 8FT"),
    entry("CM004", "Contenedores estándar de 10FT"),
    entry("CM005", "Contenedores estándar de 20FT"),
    entry("CM006", "Contenedores estándar de 40FT"),
    entry("CM007", "Contenedores Open Side"),
    entry("CM008", "Contenedor Isotanque"),
    entry("CM009", "Contenedor flat racks"),
    entry("CM010", "Buque tanque"),
    entry(FERRY, "Ferri"),
    entry("CM012", "Ferri – Turístico y vacíos"),
];

catalog!(Entry, ROWS);
