//! Caller's text in messages, and the name that was probably meant.

/// The most characters of a caller's text that a message repeats.
const CHARS_MAX: usize = 60;
/// The most letters that a misspelt name is away from the right one.
const DISTANCE_MAX: usize = 2;

/// The text in quotes, cut and without control characters.
pub fn quoted(text: &str) -> String {
    let mut shown: String =
        text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).take(CHARS_MAX).collect();
    if text.chars().nth(CHARS_MAX).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// The known name that `name` is a misspelling of, if there is one.
pub(crate) fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-'], "");
    let wanted = plain(name);
    if wanted.len() > CHARS_MAX {
        return None;
    }
    known
        .iter()
        .map(|known| (distance(&wanted, &plain(known)), *known))
        .filter(|(distance, known)| *distance <= DISTANCE_MAX && *distance * 2 <= known.len())
        // Short words are two letters away from many, but few mistake the first one.
        .filter(|(distance, known)| *distance < 2 || wanted.chars().next() == known.chars().next())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Levenshtein's distance, row by row.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, to) in row.iter_mut().skip(1).zip(b.chars()) {
            let substituted = diagonal + usize::from(from != to);
            diagonal = *cell;
            left = substituted.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = ["sku", "price", "trackingNumber", "color", "page"];
        let cases = [
            ("colour", Some("color")),
            ("tracking_number", Some("trackingNumber")),
            ("pirce", Some("price")),
            ("Sku", Some("sku")),
            ("abc", None),
            ("pgae", Some("page")),
            ("name", None),
            ("weight", None),
        ];
        for (name, meant) in cases {
            assert_eq!(nearest(name, &known), meant, "{name}");
        }
    }

    #[test]
    fn shows_callers_text_cut_and_harmless() {
        assert_eq!(quoted("a\0b\n"), "\"a\u{fffd}b\u{fffd}\"");
        assert_eq!(quoted(&"ñ".repeat(100)), format!("\"{}…\"", "ñ".repeat(60)));
    }
}
