//! What a station is to a journey (c_TipoEstacion).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

/// One that goods pass on their way.
pub const INTERMEDIATE: &str = "02";

const ROWS: &[Entry] = &[
    entry("01", "Origen Nacional"),
    entry(INTERMEDIATE, "Intermedia"),
    entry("03", "Destino Final Nacional"),
];

catalog!(Entry, ROWS);
