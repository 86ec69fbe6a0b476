//! Federal taxes (c_Impuesto).

use time::Date;

use super::row::{START, catalog, row};

/// A tax that documents can state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaxEntry {
    /// What documents say.
    pub code: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Whether it is charged to the receiver.
    pub transferred: bool,
    /// Whether the receiver may withhold it.
    pub withheld: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(TaxEntry);

const ROWS: &[TaxEntry] =
    &[tax("001", "ISR", false), tax("002", "IVA", true), tax("003", "IEPS", true)];

catalog!(TaxEntry, ROWS);

const fn tax(code: &'static str, name: &'static str, transferred: bool) -> TaxEntry {
    TaxEntry { code, name, transferred, withheld: true, valid_from: START, valid_until: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tax::Tax;

    #[test]
    fn codes_and_names_are_those_of_the_documents() {
        for row in all() {
            assert_eq!(Tax::from_code(row.code).map(Tax::name), Some(row.name));
        }
        assert!(!find("001").unwrap().transferred);
    }
}
