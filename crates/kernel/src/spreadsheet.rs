//! Text that a spreadsheet would run, and what it shows when it could not: what begins like a formula gets a mark in front
//! in every table that is written, and loses it again when the table is read.

use std::borrow::Cow;

/// What spreadsheets show instead of a value that they could not work out, in English and Spanish.
const SHEET_ERRORS: &[&str] = &[
    "#N/A",
    "#N/D",
    "#REF!",
    "#¡REF!",
    "#VALUE!",
    "#¡VALOR!",
    "#DIV/0!",
    "#¡DIV/0!",
    "#NAME?",
    "#¿NOMBRE?",
    "#NUM!",
    "#¡NUM!",
    "#NULL!",
    "#¡NULO!",
    "#SPILL!",
    "#¡DESBORDAMIENTO!",
    "#CALC!",
    "#¡CALC!",
    "#ERROR!",
    "#GETTING_DATA",
];

/// Whether a cell shows that a spreadsheet could not work out its value: such a message, or a column too narrow.
#[must_use]
pub fn is_sheet_error(text: &str) -> bool {
    let text = text.trim();
    SHEET_ERRORS.iter().any(|error| error.eq_ignore_ascii_case(text))
        || text.len() > 2 && text.bytes().all(|byte| byte == b'#')
}

/// Whether a spreadsheet takes text that begins so for a formula (OWASP, "CSV Injection").
const fn begins_formula(first: char) -> bool {
    matches!(first, '=' | '+' | '-' | '@' | '\t' | '\r')
}

/// Whether text begins like a formula, or is what spreadsheets show for an error, behind any number of marks.
fn is_guarded(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    text.chars().next().is_some_and(begins_formula) || is_sheet_error(text)
}

/// Text as it is written into a cell.
///
/// ```
/// assert_eq!(kernel::spreadsheet::guarded("=1+1"), "'=1+1");
/// assert_eq!(kernel::spreadsheet::unguarded("'=1+1"), "=1+1");
/// ```
#[must_use]
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_guarded(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Text as it was before it was [`guarded`].
#[must_use]
pub fn unguarded(text: &str) -> &str {
    text.strip_prefix('\'').filter(|_| is_guarded(text)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formulas_are_marked_and_other_text_is_not() {
        for (text, written) in [
            ("=1+1", "'=1+1"),
            ("-20 °C", "'-20 °C"),
            ("@ana", "'@ana"),
            ("'=1", "''=1"),
            ("#N/A", "'#N/A"),
            ("'tis", "'tis"),
            ("Taza", "Taza"),
            ("", ""),
        ] {
            assert_eq!(guarded(text), written);
            assert_eq!(unguarded(written), text);
        }
    }

    #[test]
    fn what_a_spreadsheet_could_not_work_out_is_known() {
        for error in ["#N/A", " #¡REF! ", "#n/a", "########"] {
            assert!(is_sheet_error(error), "{error}");
        }
        for text in ["#1", "N/A", "##", ""] {
            assert!(!is_sheet_error(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(text in "['=+@a\t\r-]{0,6}") {
            let written = guarded(&text);
            prop_assert!(!written.chars().next().is_some_and(begins_formula));
            prop_assert_eq!(unguarded(&written), text.as_str());
        }
    }
}
