//! Railway cars (c_TipoCarro).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("TC01", "Furgón"),
    entry("TC02", "Góndola"),
    entry("TC03", "Tolva"),
    entry("TC04", "Tanque"),
    entry("TC05", "Plataforma Intermodal"),
    entry("TC06", "Plataforma de Uso General"),
    entry("TC07", "Plataforma Automotriz"),
    entry("TC08", "Locomotora"),
    entry("TC09", "Carro Especial"),
    entry("TC10", "Pasajeros"),
    entry("TC11", "Mantenimiento de Vía"),
];

catalog!(Entry, ROWS);
