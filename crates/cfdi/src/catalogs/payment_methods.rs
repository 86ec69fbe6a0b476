//! Whether a sale is paid in one go (c_MetodoPago).

use super::Entry;
use super::row::catalog;

const ROWS: &[Entry] = &[
    Entry::new("PUE", "Pago en una sola exhibición"),
    Entry::new("PPD", "Pago en parcialidades o diferido"),
];

catalog!(Entry, ROWS);
