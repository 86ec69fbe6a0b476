//! What a receiver may use a document for, by tax regime (c_UsoCFDI).

use time::Date;

use super::row::{START, catalog, row};

/// A use that the receiver makes of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// Whether natural persons can make it.
    pub natural: bool,
    /// Whether legal persons can make it.
    pub legal: bool,
    /// The codes of the regimes that the receiver must be in one of.
    pub regimes: &'static [&'static str],
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

impl Use {
    /// Whether a receiver in that regime can make it.
    #[must_use]
    pub fn allows(&self, regime: &str) -> bool {
        self.regimes.contains(&regime)
    }
}

row!(Use);

/// Regimes in which there are costs to deduct.
const BUSINESS: &[&str] =
    &["601", "603", "606", "612", "620", "621", "622", "623", "624", "625", "626"];
/// The same and those without obligations.
const REFUNDS: &[&str] =
    &["601", "603", "606", "612", "616", "620", "621", "622", "623", "624", "625", "626"];
/// Regimes of natural persons with personal deductions.
const PERSONAL: &[&str] = &["605", "606", "607", "608", "611", "612", "614", "615", "625"];
const EVERY: &[&str] = &[
    "601", "603", "605", "606", "607", "608", "610", "611", "612", "614", "615", "616", "620",
    "621", "622", "623", "624", "625", "626",
];
const SALARIES: &[&str] = &["605"];

const ROWS: &[Use] = &[
    any("G01", "Adquisición de mercancías", BUSINESS),
    any("G02", "Devoluciones, descuentos o bonificaciones", REFUNDS),
    any("G03", "Gastos en general", BUSINESS),
    any("I01", "Construcciones", BUSINESS),
    any("I02", "Mobiliario y equipo de oficina por inversiones", BUSINESS),
    any("I03", "Equipo de transporte", BUSINESS),
    any("I04", "Equipo de computo y accesorios", BUSINESS),
    any("I05", "Dados, troqueles, moldes, matrices y herramental", BUSINESS),
    any("I06", "Comunicaciones telefónicas", BUSINESS),
    any("I07", "Comunicaciones satelitales", BUSINESS),
    any("I08", "Otra maquinaria y equipo", BUSINESS),
    natural("D01", "Honorarios médicos, dentales y gastos hospitalarios", PERSONAL),
    natural("D02", "Gastos médicos por incapacidad o discapacidad", PERSONAL),
    natural("D03", "Gastos funerales", PERSONAL),
    natural("D04", "Donativos", PERSONAL),
    natural(
        "D05",
        "Intereses reales efectivamente pagados por créditos hipotecarios (casa habitación)",
        PERSONAL,
    ),
    natural("D06", "Aportaciones voluntarias al SAR", PERSONAL),
    natural("D07", "Primas por seguros de gastos médicos", PERSONAL),
    natural("D08", "Gastos de transportación escolar obligatoria", PERSONAL),
    natural(
        "D09",
        "Depósitos en cuentas para el ahorro, primas que tengan como base planes de pensiones",
        PERSONAL,
    ),
    natural("D10", "Pagos por servicios educativos (colegiaturas)", PERSONAL),
    any("S01", "Sin efectos fiscales", EVERY),
    any("CP01", "Pagos", EVERY),
    natural("CN01", "Nómina", SALARIES),
];

catalog!(Use, ROWS);

const fn any(code: &'static str, name: &'static str, regimes: &'static [&'static str]) -> Use {
    Use { code, name, natural: true, legal: true, regimes, valid_from: START, valid_until: None }
}

const fn natural(code: &'static str, name: &'static str, regimes: &'static [&'static str]) -> Use {
    Use { legal: false, ..any(code, name, regimes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogs::regimes;

    #[test]
    fn the_matrix_is_of_known_regimes_that_fit_the_person() {
        assert_eq!(all().len(), 24);
        for row in all() {
            assert!(row.regimes.is_sorted(), "{}", row.code);
            for regime in row.regimes {
                let regime = regimes::find(regime).unwrap();
                assert!(row.legal || regime.natural, "{} {}", row.code, regime.code);
            }
        }
        assert_eq!(EVERY.len(), regimes::all().len());
    }

    #[test]
    fn uses_allow_their_regimes() {
        for (code, regime, allowed) in [
            ("G03", "601", true),
            ("G03", "626", true),
            ("G03", "616", false),
            ("G03", "605", false),
            ("G02", "616", true),
            ("S01", "616", true),
            ("S01", "610", true),
            ("CP01", "601", true),
            ("CP01", "616", true),
            ("D01", "612", true),
            ("D01", "601", false),
            ("D01", "626", false),
            ("CN01", "605", true),
            ("CN01", "612", false),
        ] {
            assert_eq!(find(code).unwrap().allows(regime), allowed, "{code} {regime}");
        }
        assert!(find("P01").is_none(), "of CFDI 3.3");
    }
}
