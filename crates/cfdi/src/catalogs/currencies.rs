//! Currencies and their decimals (c_Moneda).

use std::sync::LazyLock;

use time::Date;
use time::macros::date;

use super::row::{START, row};
use super::table;

/// For documents without value: transfers and payments.
pub const NONE: &str = "XXX";
/// Reserved for tests.
const TESTS: &str = "XTS";

/// A currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrencyEntry {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// How many decimals its amounts have.
    pub decimals: u32,
    /// By how many per cent an exchange rate may differ from the published one without the confirmation
    /// of a provider.
    pub variation_percent: u32,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(CurrencyEntry);

/// Those that came after the start of CFDI 4.0, all on one day.
const ADDED: &[&str] = &["CNH", "ESD", "NIC", "UYP", "VES"];
const ADDED_ON: Date = date!(2023 - 05 - 29);
const VARIATION_PERCENT: u32 = 500;

static ROWS: LazyLock<Vec<CurrencyEntry>> =
    LazyLock::new(|| include_str!("../../data/currencies.tsv").lines().map(read).collect());

/// The whole catalog, by code.
#[must_use]
pub fn all() -> &'static [CurrencyEntry] {
    &ROWS
}

/// The currency with that code.
#[must_use]
pub fn find(code: &str) -> Option<&'static CurrencyEntry> {
    super::row::find(all(), code)
}

fn read(line: &'static str) -> CurrencyEntry {
    let [code, name, decimals] = table::fields(line);
    CurrencyEntry {
        code,
        name,
        decimals: decimals.parse().unwrap_or_default(),
        variation_percent: if [NONE, TESTS].contains(&code) { 0 } else { VARIATION_PERCENT },
        valid_from: if ADDED.contains(&code) { ADDED_ON } else { START },
        valid_until: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_have_their_decimals() {
        assert_eq!(all().len(), 183);
        for (code, decimals, variation_percent) in [
            ("MXN", 2, 500),
            ("USD", 2, 500),
            ("JPY", 0, 500),
            ("KWD", 3, 500),
            ("CLF", 4, 500),
            ("XXX", 0, 0),
        ] {
            let row = find(code).unwrap();
            let found = (row.decimals, row.variation_percent);
            assert_eq!(found, (decimals, variation_percent), "{code}");
        }
        let added = all().iter().filter(|row| row.valid_from == ADDED_ON);
        assert_eq!(added.count(), ADDED.len());
        assert!(find("mxn").is_none());
    }

    #[test]
    fn what_is_of_value_is_known_to_the_api_with_the_same_decimals() {
        for row in all().iter().filter(|row| ![NONE, TESTS].contains(&row.code)) {
            let currency = kernel::Currency::parse(row.code);
            assert_eq!(currency.map(kernel::Currency::decimals), Ok(row.decimals), "{}", row.code);
        }
    }
}
