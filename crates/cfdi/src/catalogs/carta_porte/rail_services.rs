//! Services of a railway (c_TipoDeServicio).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("TS01", "Carros Ferroviarios"),
    entry("TS02", "Carros Ferroviarios intermodal"),
    entry("TS03", "Tren unitario de carros ferroviarios"),
    entry("TS04", "Tren unitario Intermodal"),
];

catalog!(Entry, ROWS);
