//! What a ship carries (c_ClaveTipoCarga).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("CGC", "Carga General Contenerizada"),
    entry("CGS", "Carga General Suelta"),
    entry("GAG", "Granel Agrícola"),
    entry("GMN", "Gran Mineral"),
    entry("OFL", "Otros Fluidos"),
    entry("PYD", "Petróleo y Derivados"),
];

catalog!(Entry, ROWS);
