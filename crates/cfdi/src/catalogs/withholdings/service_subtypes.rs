//! Of which sort a service is that is sold through a platform (c_SubTipoServ).
//!
//! Those without a name are in SAT's schema alone.

use crate::catalogs::{Entry, row::catalog};

const ROWS: &[Entry] = &[
    Entry::new("01", "Personal"),
    Entry::new("02", "Compartido"),
    Entry::new("03", "Plus"),
    Entry::new("04", "Cancelación"),
    Entry::new("08", ""),
    Entry::new("09", ""),
];

catalog!(Entry, ROWS);
