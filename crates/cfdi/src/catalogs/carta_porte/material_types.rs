//! How far goods of foreign trade are processed (c_TipoMateria).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

/// What the others do not say, which is described.
pub const OTHER: &str = "05";

const ROWS: &[Entry] = &[
    entry("01", "Materia prima"),
    entry("02", "Materia procesada"),
    entry("03", "Materia terminada (producto terminado)"),
    entry("04", "Materia para la industria manufacturera"),
    entry(OTHER, "Otra"),
];

catalog!(Entry, ROWS);
