//! What a document is (c_TipoDeComprobante).

use super::Entry;
use super::row::catalog;

const ROWS: &[Entry] = &[
    Entry::new("I", "Ingreso"),
    Entry::new("E", "Egreso"),
    Entry::new("T", "Traslado"),
    Entry::new("N", "Nómina"),
    Entry::new("P", "Pago"),
];

catalog!(Entry, ROWS);
