//! Text as SAT's schemas allow it, and the patterns of identifiers (cfdv40.xsd, Pagos20.xsd, tdCFDI.xsd).

use super::finding::{At, Findings, Shown};

/// Checks text of one line: not empty, at most `chars_max` characters, no bar, nothing that cannot be
/// seen, single-spaced (301).
pub(super) fn check(text: &str, chars_max: usize, at: &At<'_>, found: &mut Findings) {
    length(text, chars_max, at, found);
    if text.contains('|') {
        let value = Shown(text);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, with a vertical bar, which SAT does not allow: write it without \"|\"",
            ),
            format_args!(
                "es {value}, con una barra vertical, que el SAT no permite: escribirlo sin \"|\"",
            ),
        );
    }
    if text.chars().any(is_unprintable) {
        found.add(
            "301",
            at,
            format_args!("has line breaks, tabs or other control characters: write it on one line"),
            format_args!(
                "tiene saltos de línea, tabuladores u otros caracteres de control: escribirlo en \
                 una sola línea",
            ),
        );
    }
    if !is_single_spaced(text) {
        let value = Shown(text);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, with leading, trailing or repeated spaces: leave single spaces \
                 between words",
            ),
            format_args!(
                "es {value}, con espacios al inicio, al final o dobles: dejar un solo espacio entre \
                 palabras",
            ),
        );
    }
}

/// Checks text that need not be there.
pub(super) fn optional(text: Option<&str>, chars_max: usize, at: &At<'_>, found: &mut Findings) {
    if let Some(text) = text {
        check(text, chars_max, at, found);
    }
}

/// Checks an RFC (301).
pub(super) fn rfc(rfc: &str, at: &At<'_>, found: &mut Findings) {
    if !is_rfc(rfc) {
        let value = Shown(rfc);
        found.add(
            "301",
            at,
            format_args!(
                "is {value}, which is not an RFC: it must have 3 letters (legal entity) or 4 \
                 (natural person), the date as YYMMDD and 3 more characters, in capitals and \
                 without spaces or hyphens",
            ),
            format_args!(
                "es {value}, que no es un RFC: debe tener 3 letras (persona moral) o 4 (persona \
                 física), la fecha como AAMMDD y la homoclave de 3 caracteres, en mayúsculas y sin \
                 espacios ni guiones",
            ),
        );
    }
}

fn length(text: &str, chars_max: usize, at: &At<'_>, found: &mut Findings) {
    if text.is_empty() {
        found.add(
            "301",
            at,
            format_args!("must not be empty: fill it in or, if it is optional, leave it out"),
            format_args!("no debe estar vacío: capturarlo o, si es opcional, omitirlo"),
        );
    }
    // No character has less than one byte, so most texts need no counting.
    if text.len() > chars_max && text.chars().count() > chars_max {
        let chars = text.chars().count();
        found.add(
            "301",
            at,
            format_args!("has {chars} characters, but SAT allows {chars_max}: shorten it"),
            format_args!("tiene {chars} caracteres, pero el SAT permite {chars_max}: acortarlo"),
        );
    }
}

/// What XML cannot carry or nobody can see.
#[must_use]
pub fn is_unprintable(character: char) -> bool {
    character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}' | '\u{feff}')
}

fn is_single_spaced(text: &str) -> bool {
    let is_space = |character: char| character.is_whitespace() && !character.is_control();
    let mut after_space = false;
    for character in text.chars() {
        let space = is_space(character);
        if space && after_space {
            return false;
        }
        after_space = space;
    }
    !text.starts_with(is_space) && !after_space
}

/// Whether it has the form of an RFC (tdCFDI `t_RFC`).
pub(crate) fn is_rfc(text: &str) -> bool {
    is_rfc_of(text, &[3, 4])
}

/// Whether it has the form of a company's RFC (tdCFDI `t_RFC_PM`).
pub(super) fn is_company_rfc(text: &str) -> bool {
    is_rfc_of(text, &[3])
}

fn is_rfc_of(text: &str, letters: &[usize]) -> bool {
    let start = text.find(|c: char| !(c.is_ascii_uppercase() || c == '&' || c == 'Ñ'));
    // The last three may be letters too, but a date is between.
    let Some((name, rest)) = start.and_then(|start| text.split_at_checked(start)) else {
        return false;
    };
    let Some((date, last)) = rest.split_at_checked(6) else { return false };
    letters.contains(&name.chars().count()) && is_short_date(date) && is_homoclave(last)
}

/// Whether it is `YYMMDD`.
fn is_short_date(text: &str) -> bool {
    let number = |from: usize| text.get(from..from + 2).and_then(|two| two.parse::<u8>().ok());
    text.bytes().all(|byte| byte.is_ascii_digit())
        && number(2).is_some_and(|month| (1..=12).contains(&month))
        && number(4).is_some_and(|day| (1..=31).contains(&day))
}

fn is_homoclave(text: &str) -> bool {
    let capital = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    match text.as_bytes() {
        [first, second, last] => {
            capital(first) && capital(second) && (last.is_ascii_digit() || *last == b'A')
        }
        _ => false,
    }
}

/// Whether it has the form of a fiscal folio.
pub(super) fn is_uuid(text: &str) -> bool {
    let is_group = |(group, length): (&str, usize)| {
        group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    text.len() == 36 && text.split('-').zip([8, 4, 4, 4, 12]).all(is_group)
}

/// Whether digits stand where `pattern` has `0`, and everything else is the same.
pub(super) fn is_like(text: &str, pattern: &str) -> bool {
    let same = |(byte, wanted): (u8, u8)| match wanted {
        b'0' => byte.is_ascii_digit(),
        other => byte == other,
    };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfcs_have_letters_a_date_and_a_key() {
        for good in
            ["EKU9003173C9", "CACX7605101P8", "XAXX010101000", "Ñ&A010101AAA", "ABC680524P76"]
        {
            assert!(is_rfc(good), "{good}");
        }
        for bad in [
            "",
            "EKU9003173C",
            "EKU9013173C9",
            "EKU9003323C9",
            "EK9003173C9",
            "CACXX7605101P8",
            "eku9003173c9",
            "EKU9003173CB",
            "EKU-900317-3C9",
            "EKU9003173Ñ9",
            "ÑÑÑÑÑÑÑÑÑÑÑÑ",
            "AAAAAAAAAAAA",
        ] {
            assert!(!is_rfc(bad), "{bad}");
        }
        assert!(is_company_rfc("EKU9003173C9") && !is_company_rfc("CACX7605101P8"));
    }

    #[test]
    fn folios_have_five_groups() {
        assert!(is_uuid("5FB2822E-396D-4725-8521-CDC4BDD20CCF"));
        assert!(is_uuid("5fb2822e-396d-4725-8521-cdc4bdd20ccf"));
        for bad in [
            "",
            "5FB2822E396D47258521CDC4BDD20CCF",
            "5FB2822E-396D-4725-8521-CDC4BDD20CCG",
            "5FB2822E-396D-4725-85210-CDC4BDD20CC",
            "5FB2822E-396D-4725-8521-CDC4BDD2-CCF",
            "5FB2822E-396D-4725-8521-CDC4BDD20CC-",
        ] {
            assert!(!is_uuid(bad), "{bad}");
        }
    }

    #[test]
    fn spaces_are_single_and_inside() {
        for good in ["", "a", "a b c"] {
            assert!(is_single_spaced(good), "{good:?}");
        }
        for bad in [" a", "a ", "a  b", "a \u{a0}b", "\u{a0}"] {
            assert!(!is_single_spaced(bad), "{bad:?}");
        }
    }
}
