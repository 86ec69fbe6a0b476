//! Months and pairs of months (c_Meses).

use super::Entry;
use super::row::catalog;

/// The codes from here on are pairs of months.
const PAIRS_START: &str = "13";

const ROWS: &[Entry] = &[
    Entry::new("01", "Enero"),
    Entry::new("02", "Febrero"),
    Entry::new("03", "Marzo"),
    Entry::new("04", "Abril"),
    Entry::new("05", "Mayo"),
    Entry::new("06", "Junio"),
    Entry::new("07", "Julio"),
    Entry::new("08", "Agosto"),
    Entry::new("09", "Septiembre"),
    Entry::new("10", "Octubre"),
    Entry::new("11", "Noviembre"),
    Entry::new("12", "Diciembre"),
    Entry::new(PAIRS_START, "Enero-Febrero"),
    Entry::new("14", "Marzo-Abril"),
    Entry::new("15", "Mayo-Junio"),
    Entry::new("16", "Julio-Agosto"),
    Entry::new("17", "Septiembre-Octubre"),
    Entry::new("18", "Noviembre-Diciembre"),
];

catalog!(Entry, ROWS);

/// Whether the code is of two months, for [`TWO_MONTHS`](super::periodicities::TWO_MONTHS) alone.
#[must_use]
pub fn is_pair(code: &str) -> bool {
    find(code).is_some_and(|row| row.code >= PAIRS_START)
}

/// The first month that the code is of, from 1 to 12.
#[must_use]
pub fn first(code: &str) -> Option<u8> {
    let number: u8 = find(code)?.code.parse().ok()?;
    Some(if is_pair(code) { (number - 13) * 2 + 1 } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_follow_the_months() {
        assert!(!is_pair("12") && is_pair("13") && is_pair("18"));
        assert!(!is_pair("19") && !is_pair(""));
    }

    #[test]
    fn a_pair_begins_with_its_first_month() {
        for (code, month) in
            [("01", Some(1)), ("12", Some(12)), ("13", Some(1)), ("18", Some(11)), ("19", None)]
        {
            assert_eq!(first(code), month, "{code}");
        }
    }
}
