//! Containers on railway cars (c_Contenedor).

use super::{Entry, entry};
use crate::catalogs::row::catalog;

const ROWS: &[Entry] = &[
    entry("TC01", "Contenedor de 6.1 Mts de longitud"),
    entry("TC02", "Contenedor de 12.2 Mts de longitud"),
    entry("TC03", "Contenedor de 13.7 Mts de longitud"),
    entry("TC04", "Contenedor de 14.6 Mts de longitud"),
    entry("TC05", "Contenedor de 16.1 Mts de longitud"),
];

catalog!(Entry, ROWS);
