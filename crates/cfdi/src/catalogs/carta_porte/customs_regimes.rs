//! Under which regime goods pass customs (c_RegimenAduanero).

use time::Date;

use super::START;
use crate::catalogs::row::{catalog, row};

/// A regime of customs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CustomsRegime {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// Whether it is for goods that enter the country.
    pub entry: bool,
    /// Whether it is for goods that leave it.
    pub exit: bool,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(CustomsRegime);

const ROWS: &[CustomsRegime] = &[
    both("DFI", "Depósito Fiscal"),
    exit("ETE", "Temporales de exportación para elaboración, transformación o reparación"),
    exit("ETR", "Temporales de exportación para retornar al país en el mismo estado"),
    exit("EXD", "Definitivo de exportación"),
    entry("IMD", "Definitivo de importación"),
    entry(
        "ITE",
        "Temporales de importación para elaboración, transformación o reparación para empresas con programa IMMEX",
    ),
    entry("ITR", "Temporales de importación para retomar al extranjero en el mismo estado"),
    both("RFE", "Elaboración, transformación o reparación en recinto fiscalizado"),
    both("RFS", "Recinto fiscalizado estratégico"),
    both("TRA", "Tránsitos"),
];

catalog!(CustomsRegime, ROWS);

const fn both(code: &'static str, name: &'static str) -> CustomsRegime {
    CustomsRegime { code, name, entry: true, exit: true, valid_from: START, valid_until: None }
}

const fn entry(code: &'static str, name: &'static str) -> CustomsRegime {
    CustomsRegime { exit: false, ..both(code, name) }
}

const fn exit(code: &'static str, name: &'static str) -> CustomsRegime {
    CustomsRegime { entry: false, ..both(code, name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_enter_and_exports_leave() {
        for (code, entry, exit) in [("IMD", true, false), ("ETE", false, true), ("TRA", true, true)]
        {
            let regime = find(code).unwrap();
            assert_eq!((regime.entry, regime.exit), (entry, exit), "{code}");
        }
        assert!(all().iter().all(|regime| regime.entry || regime.exit));
    }
}
