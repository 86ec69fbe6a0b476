//! How often a platform withholds (c_Periodicidad of catRetenciones.xsd, which is not that of invoices).

use crate::catalogs::{Entry, row::catalog};

const ROWS: &[Entry] = &[
    Entry::new("01", "Semanal"),
    Entry::new("02", "Mensual"),
    Entry::new("03", "Diario"),
    Entry::new("04", "Quincenal"),
    Entry::new("05", "Otro"),
];

catalog!(Entry, ROWS);
