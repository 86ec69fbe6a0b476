//! Countries, and the forms of their postal codes and tax identifiers (c_Pais).

use std::sync::LazyLock;

use time::Date;

use super::row::{START, row};
use super::table;

/// The code of Mexico.
pub const MEXICO: &str = "MEX";

/// A country.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Country {
    /// What documents say: ISO 3166-1, three letters.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// The regular expression of its postal codes, when the catalog has one.
    pub postal_code_pattern: Option<&'static str>,
    /// The regular expression of its tax identifiers, when the catalog has one.
    pub tax_id_pattern: Option<&'static str>,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(Country);

const CANADA: &str = "CAN";
const UNITED_STATES: &str = "USA";

/// The countries that the catalog counts among the European Union (column *Agrupaciones*), sorted: it still has
/// the United Kingdom there.
const EUROPEAN_UNION: &[&str] = &[
    "AUT", "BEL", "BGR", "CYP", "CZE", "DEU", "DNK", "ESP", "EST", "FIN", "FRA", "GBR", "GRC",
    "HRV", "HUN", "IRL", "ITA", "LTU", "LUX", "LVA", "MLT", "NLD", "POL", "PRT", "ROU", "SVK",
    "SVN", "SWE",
];

static ROWS: LazyLock<Vec<Country>> =
    LazyLock::new(|| include_str!("../../data/countries.tsv").lines().map(read).collect());

impl Country {
    /// Whether `text` has the form of a postal code there; any has where the catalog has no pattern.
    #[must_use]
    pub fn accepts_postal_code(&self, text: &str) -> bool {
        match self.code {
            MEXICO => is_like(text, "00000"),
            UNITED_STATES => is_like(text, "00000") || is_like(text, "00000-0000"),
            CANADA => is_like(text, "A0A 0A0"),
            _ => true,
        }
    }

    /// Whether `text` has the form of a tax identifier there; any has where the catalog has no pattern.
    ///
    /// Mexico's are not judged here: whoever has one is not abroad.
    #[must_use]
    pub fn accepts_tax_id(&self, text: &str) -> bool {
        match self.code {
            UNITED_STATES | CANADA => is_like(text, "000000000"),
            _ => true,
        }
    }

    /// Whether the catalog counts it among the European Union.
    #[must_use]
    pub fn in_european_union(&self) -> bool {
        EUROPEAN_UNION.binary_search(&self.code).is_ok()
    }
}

/// The whole catalog, by code.
#[must_use]
pub fn all() -> &'static [Country] {
    &ROWS
}

/// The country with that code.
#[must_use]
pub fn find(code: &str) -> Option<&'static Country> {
    super::row::find(all(), code)
}

fn read(line: &'static str) -> Country {
    let [code, name] = table::fields(line);
    let (postal_code_pattern, tax_id_pattern) = patterns(code);
    let (valid_from, valid_until) = (START, None);
    Country { code, name, postal_code_pattern, tax_id_pattern, valid_from, valid_until }
}

/// The catalog's columns, which are empty for all other countries.
fn patterns(code: &str) -> (Option<&'static str>, Option<&'static str>) {
    match code {
        MEXICO => (
            Some("[0-9]{5}"),
            Some("[A-Z&Ñ]{3,4}[0-9]{2}(0[1-9]|1[012])(0[1-9]|[12][0-9]|3[01])[A-Z0-9]{2}[0-9A]"),
        ),
        UNITED_STATES => (Some("[0-9]{5}(-[0-9]{4})?"), Some("[0-9]{9}")),
        CANADA => (Some("[A-Z][0-9][A-Z] [0-9][A-Z][0-9]"), Some("[0-9]{9}")),
        _ => (None, None),
    }
}

/// Whether `text` is `example` but for other digits where that has `0` and other capitals where `A`.
fn is_like(text: &str, example: &str) -> bool {
    let same = |(byte, example): (u8, u8)| match example {
        b'0' => byte.is_ascii_digit(),
        b'A' => byte.is_ascii_uppercase(),
        other => byte == other,
    };
    text.len() == example.len() && text.bytes().zip(example.bytes()).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_know_the_forms_of_their_codes() {
        assert_eq!(all().len(), 250);
        for (code, text, accepted) in [
            ("MEX", "06600", true),
            ("MEX", "6600", false),
            ("USA", "10001", true),
            ("USA", "10001-0001", true),
            ("USA", "10001-01", false),
            ("CAN", "K1A 0B1", true),
            ("CAN", "K1A0B1", false),
            ("DEU", "Überall", true),
        ] {
            let country = find(code).unwrap();
            assert_eq!(country.accepts_postal_code(text), accepted, "{code} {text}");
        }
        for (code, text, accepted) in
            [("USA", "123456789", true), ("USA", "12-3456789", false), ("DEU", "DE123", true)]
        {
            assert_eq!(find(code).unwrap().accepts_tax_id(text), accepted, "{code} {text}");
        }
        let union = all().iter().filter(|country| country.in_european_union());
        assert_eq!(union.count(), EUROPEAN_UNION.len());
        assert!(EUROPEAN_UNION.is_sorted());
        assert_eq!(find("MEX").unwrap().name, "México");
        assert_eq!(all().iter().filter(|row| row.tax_id_pattern.is_some()).count(), 3);
    }
}
