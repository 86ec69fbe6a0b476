//! Codes of the tariff of import and export duties (c_FraccionArancelaria): eight digits of the tariff and two
//! of its statistics (NICO).
//!
//! Only the codes are here. Most names, such as `Los demás`, mean nothing without the headings above them, which
//! the catalog does not have.

use super::table;

/// One code a line, sorted.
const CODES: &str = include_str!("../../data/tariff_codes.txt");

/// The code of samples, which are given away (9801.00.01 of the tariff).
pub const SAMPLES: &str = "9801000100";

/// Whether the catalog has the code.
#[must_use]
pub fn contains(code: &str) -> bool {
    !code.is_empty() && table::find(CODES, code).is_some()
}

/// All codes, sorted.
pub fn all() -> impl Iterator<Item = &'static str> {
    CODES.lines()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_ten_digits() {
        assert!(all().all(|code| code.len() == 10 && code.bytes().all(|b| b.is_ascii_digit())));
        assert!(all().is_sorted());
        assert!(all().count() > 12_000);
    }

    #[test]
    fn codes_are_found_and_others_are_not() {
        for code in [SAMPLES, "2203000100", "0101210100"] {
            assert!(contains(code), "{code}");
        }
        // The tariff had eight digits alone until 2020; the last one was taken away since.
        for code in ["", "2203", "22030001", "98010001", "2203000199", "0709600201"] {
            assert!(!contains(code), "{code}");
        }
    }
}
