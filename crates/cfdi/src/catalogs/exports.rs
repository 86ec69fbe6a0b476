//! Whether goods leave the country (c_Exportacion).

use time::macros::date;

use super::Entry;
use super::row::catalog;

const ROWS: &[Entry] = &[
    Entry::new("01", "No aplica"),
    Entry::new("02", "Definitiva con clave A1"),
    Entry::new("03", "Temporal"),
    Entry::since(
        "04",
        "Definitiva con clave distinta a A1 o cuando no existe enajenación en términos del CFF",
        date!(2022 - 02 - 25),
    ),
];

catalog!(Entry, ROWS);
