//! The periods of an invoice of sales to the general public (c_Periodicidad).

use super::Entry;
use super::row::catalog;

/// The only one with months of pairs, and only for regime 621.
pub const TWO_MONTHS: &str = "05";

const ROWS: &[Entry] = &[
    Entry::new("01", "Diario"),
    Entry::new("02", "Semanal"),
    Entry::new("03", "Quincenal"),
    Entry::new("04", "Mensual"),
    Entry::new(TWO_MONTHS, "Bimestral"),
];

catalog!(Entry, ROWS);
