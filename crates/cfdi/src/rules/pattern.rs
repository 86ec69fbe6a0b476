//! The patterns of SAT's catalogs in plain words.

/// What a pattern such as `[0-9]{10}|[0-9]{16}` allows, in English and Spanish. Patterns of another shape
/// than the catalogs have are shown as they are.
pub(super) fn in_words(pattern: &str) -> (String, String) {
    let words = |digits: &str, capitals: &str, or: &str| {
        let parts: Vec<_> =
            pattern.split('|').map(|part| of_part(part, digits, capitals, or)).collect();
        match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} {or} {last}", rest.join(", ")),
            None => String::new(),
        }
    };
    (
        words("digits", "capital letters, digits and \"_\"", "or"),
        words("dígitos", "mayúsculas, dígitos y \"_\"", "o"),
    )
}

fn of_part(part: &str, digits: &str, capitals: &str, or: &str) -> String {
    let count = |set: &str| Some(part.strip_prefix(set)?.strip_suffix('}')?.replace(',', "–"));
    let (count, what) = match (count("[0-9]{"), count("[A-Z0-9_]{")) {
        (Some(count), _) => (count, digits),
        (_, Some(count)) => (count, capitals),
        _ => return part.to_owned(),
    };
    // Two that follow each other are no range.
    let count = match count.split_once('–') {
        Some((least, most)) if follows(least, most) => format!("{least} {or} {most}"),
        _ => count,
    };
    format!("{count} {what}")
}

fn follows(least: &str, most: &str) -> bool {
    matches!((least.parse::<u8>(), most.parse::<u8>()), (Ok(least), Ok(most)) if most == least + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogs::{countries, payment_forms};

    #[test]
    fn patterns_read_as_words() {
        for (pattern, english, spanish) in [
            ("[0-9]{9}", "9 digits", "9 dígitos"),
            ("[0-9]{10}|[0-9]{18}", "10 digits or 18 digits", "10 dígitos o 18 dígitos"),
            ("[0-9]{15,16}", "15 or 16 digits", "15 o 16 dígitos"),
            (
                "[0-9]{18}|[A-Z0-9_]{10,50}",
                "18 digits or 10–50 capital letters, digits and \"_\"",
                "18 dígitos o 10–50 mayúsculas, dígitos y \"_\"",
            ),
            ("\\V*", "\\V*", "\\V*"),
        ] {
            assert_eq!(in_words(pattern), (english.to_owned(), spanish.to_owned()));
        }
    }

    #[test]
    fn every_pattern_that_is_judged_has_words() {
        let forms = payment_forms::all().iter();
        let accounts = forms.flat_map(|form| [form.payer, form.payee]).flatten();
        let abroad = ["USA", "CAN"].map(|code| countries::find(code).unwrap().tax_id_pattern);
        let patterns = accounts.map(|account| account.pattern).chain(abroad.into_iter().flatten());
        for pattern in patterns {
            assert!(!in_words(pattern).0.contains('['), "{pattern}");
        }
    }
}
