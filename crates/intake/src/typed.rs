//! Numbers as people type them.

use std::borrow::Cow;

/// A number as people in Mexico type it, without its peso sign and the commas between its thousands; what is no such number
/// stays as it is.
#[must_use]
pub fn typed_number(text: &str) -> Cow<'_, str> {
    plain(text.trim()).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn plain(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let digits = digits.strip_prefix('$').map_or(digits, str::trim_start);
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    let (first, further) = match whole.split_once(',') {
        Some((first, further)) => (first, further.split(',').collect()),
        None => (whole, Vec::new()),
    };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let is_group = |group: &&str| group.len() == GROUP && are_digits(group);
    // Thousands do not begin with 0: a comma behind it is somebody's decimal mark.
    let is_first = first.len() <= GROUP && !first.starts_with('0');
    let is_grouped = further.is_empty() || (is_first && further.iter().all(is_group));
    if !are_digits(first) || !is_grouped || fraction.is_some_and(|digits| !are_digits(digits)) {
        return None;
    }
    let whole = format!("{sign}{first}{}", further.concat());
    Some(match fraction {
        Some(fraction) => format!("{whole}.{fraction}"),
        None => whole,
    })
}

/// Digits between two commas.
const GROUP: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_thousands_alone() {
        for (typed, number) in [
            ("1234.5", "1234.5"),
            ("1,234.50", "1234.50"),
            (" $ 9,999,999.99 ", "9999999.99"),
            ("$12", "12"),
            ("-$1,000", "-1000"),
            ("1,250", "1250"),
            ("0.500", "0.500"),
            // These are no numbers, and stay what they are.
            ("1,5", "1,5"),
            ("0,500", "0,500"),
            ("-0,125", "-0,125"),
            ("1234,567", "1234,567"),
            ("1,23,456", "1,23,456"),
            (",123", ",123"),
            ("1.234,50", "1.234,50"),
            ("1,234.", "1,234."),
            ("1e3", "1e3"),
            ("$", "$"),
            ("doce", "doce"),
            ("", ""),
        ] {
            assert_eq!(typed_number(typed), number, "{typed}");
        }
    }
}
