//! Customs offices, which the numbers of customs entries name (c_Aduana; appendix 1 of annex 22 of the rules of foreign
//! trade).
//!
//! SAT's package of schemas does not have this catalog, so only the keys are here.

/// Keys of two digits, sorted.
const CODES: &[&str] = &[
    "01", "02", "05", "06", "07", "08", "11", "12", "14", "16", "17", "18", "19", "20", "22", "23",
    "24", "25", "26", "27", "28", "30", "31", "33", "34", "37", "38", "39", "40", "42", "43", "44",
    "46", "47", "48", "50", "51", "52", "53", "64", "65", "67", "73", "75", "80", "81", "82", "83",
    "84", "85",
];

/// All keys, sorted.
#[must_use]
pub const fn all() -> &'static [&'static str] {
    CODES
}

/// Whether there is an office of that key.
#[must_use]
pub fn contains(code: &str) -> bool {
    CODES.binary_search(&code).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offices_are_found_and_others_are_not() {
        assert!(all().is_sorted());
        // Mexico City's airport, Guadalajara, Nuevo Laredo, Santa Lucía.
        for code in ["47", "48", "24", "85"] {
            assert!(contains(code), "{code}");
        }
        for code in ["", "00", "99", "4", "480"] {
            assert!(!contains(code), "{code}");
        }
    }
}
