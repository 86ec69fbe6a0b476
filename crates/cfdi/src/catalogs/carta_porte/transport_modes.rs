//! Means of transport (c_CveTransporte).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("01", "Autotransporte"),
    entry("02", "Transporte Marítimo"),
    entry("03", "Transporte Aéreo"),
    entry("04", "Transporte Ferroviario"),
];

catalog!(Entry, ROWS);
