//! How medicines are kept on the way (c_CondicionesEspeciales).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("01", "Congelados"),
    entry("02", "Refrigerados"),
    entry("03", "Temperatura controlada"),
    entry("04", "Temperatura ambiente"),
];

catalog!(Entry, ROWS);
