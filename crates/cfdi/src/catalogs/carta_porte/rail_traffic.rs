//! How railways share a journey (c_TipoDeTrafico).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("TT01", "Tráfico local"),
    entry("TT02", "Tráfico interlineal remitido"),
    entry("TT03", "Tráfico interlineal recibido"),
    entry("TT04", "Tráfico interlineal en tránsito"),
];

catalog!(Entry, ROWS);
