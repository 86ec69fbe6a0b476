//! Text as people write it and as it is searched.

use crate::{Message, message};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// What telephone numbers in Mexico begin with.
const MEXICO: &str = "+52";
/// Their further digits.
const NATIONAL_DIGITS: usize = 10;

/// The form in which text is searched: without accents, lower case, single-spaced.
///
/// ```
/// assert_eq!(kernel::text::folded("  Café  de Olla Ñ"), "cafe de olla n");
/// ```
#[must_use]
pub fn folded(text: &str) -> String {
    let plain: String =
        text.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    collapsed(&plain)
}

/// The letters and digits of a text as it is searched: what names have in common that are written with other signs, or none.
///
/// ```
/// assert_eq!(kernel::text::letters_and_digits(" Código de Barras "), "codigodebarras");
/// ```
#[must_use]
pub fn letters_and_digits(text: &str) -> String {
    folded(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The text with each run of white space made one space, and none at its ends: `collapse` of XML Schema 1.0 (part 2,
/// §4.3.6), of all white space that Unicode knows.
///
/// ```
/// assert_eq!(kernel::text::collapsed("  Taza  azul\t"), "Taza azul");
/// ```
#[must_use]
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text with each accented letter as one character where Unicode has one (NFC): programs write it so or with the accent
/// apart, and nobody sees which.
///
/// ```
/// assert_eq!(kernel::text::composed("Cafe\u{301}"), "Caf\u{e9}");
/// ```
#[must_use]
pub fn composed(text: &str) -> String {
    if text.is_ascii() { text.to_owned() } else { text.nfc().collect() }
}

/// The text [`composed`], and with its accents apart where that differs (NFD): the ways in which programs write it.
///
/// ```
/// assert_eq!(kernel::text::spellings("Caf\u{e9}"), ["Caf\u{e9}", "Cafe\u{301}"]);
/// assert_eq!(kernel::text::spellings("Te"), ["Te"]);
/// ```
#[must_use]
pub fn spellings(text: &str) -> Vec<String> {
    let composed = composed(text);
    let apart: String = composed.nfd().collect();
    let apart = (apart != composed).then_some(apart);
    std::iter::once(composed).chain(apart).collect()
}

/// The most characters of an identifier that a resource has in another system.
pub const EXTERNAL_ID_CHARS_MAX: usize = 100;

/// Checks one line of text: trimmed, not empty, at most `chars_max` characters, no control characters.
///
/// # Errors
/// A clause that follows the field's name.
pub fn line(text: &str, chars_max: usize) -> Result<String, Message> {
    let text = text.trim();
    if text.is_empty() {
        return Err(message!("must not be empty", "no debe estar vacío"));
    }
    certainly_bounded(text, chars_max)?;
    if text.chars().any(char::is_control) {
        return Err(message!(
            "must be one line without control characters",
            "debe ser una sola línea sin caracteres de control"
        ));
    }
    bounded(text, chars_max)
}

/// The same of a line that is [`composed`], so that it is compared as people see it.
///
/// # Errors
/// A clause that follows the field's name.
pub fn composed_line(text: &str, chars_max: usize) -> Result<String, Message> {
    bounded(&composed(&line(text, chars_max)?), chars_max)
}

/// Checks text of several lines: at most `chars_max` characters, no control characters but line breaks and tabs.
///
/// # Errors
/// A clause that follows the field's name.
pub fn paragraph(text: &str, chars_max: usize) -> Result<String, Message> {
    certainly_bounded(text, chars_max)?;
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(message!(
            "must not contain control characters",
            "no debe contener caracteres de control"
        ));
    }
    bounded(text, chars_max)
}

fn bounded(text: &str, chars_max: usize) -> Result<String, Message> {
    if text.chars().count() > chars_max {
        return Err(too_long(chars_max));
    }
    Ok(text.to_owned())
}

/// Refuses what is too long however its characters are encoded, before any of them is looked at.
fn certainly_bounded(text: &str, chars_max: usize) -> Result<(), Message> {
    let bytes_max = chars_max.saturating_mul(char::MAX_LEN_UTF8);
    if text.len() > bytes_max { Err(too_long(chars_max)) } else { Ok(()) }
}

fn too_long(chars_max: usize) -> Message {
    message!(
        "must have at most {chars_max} characters",
        "debe tener a lo más {chars_max} caracteres"
    )
}

/// The most characters of an e-mail address (RFC 5321 §4.5.3.1.3).
const EMAIL_CHARS_MAX: usize = 254;

/// Checks an e-mail address as far as that is possible without writing to it, and writes its domain in
/// lower case.
///
/// # Errors
/// A clause that follows the field's name.
pub fn email(text: &str) -> Result<String, Message> {
    let wrong = || {
        message!(
            "must be an e-mail address such as \"ana@example.com\"",
            "debe ser una dirección de correo como \"ana@example.com\""
        )
    };
    let (local, domain) = text.trim().rsplit_once('@').ok_or_else(wrong)?;
    let local_ok = !local.is_empty()
        && local.len() <= 64
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && local.chars().all(|c| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c));
    let label_ok = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    if !local_ok || !domain.contains('.') || !domain.split('.').all(label_ok) {
        return Err(wrong());
    }
    bounded(&format!("{local}@{}", domain.to_lowercase()), EMAIL_CHARS_MAX)
}

/// Checks an e-mail address that any mail server delivers to: like [`email`], in ASCII alone. Others need SMTPUTF8
/// (RFC 6531) of every server on the way.
///
/// # Errors
/// A clause that follows the field's name.
pub fn deliverable_email(text: &str) -> Result<String, Message> {
    let address = email(text)?;
    if address.is_ascii() {
        return Ok(address);
    }
    Err(message!(
        "must be an e-mail address without accents or other non-ASCII characters, which mail servers do not accept",
        "debe ser una dirección de correo sin acentos ni otros caracteres fuera de ASCII, que los servidores de correo no aceptan"
    ))
}

/// Checks a telephone number in the international form of ITU-T E.164: `+` and 7 to 15 digits. Spaces,
/// hyphens and parentheses are dropped.
///
/// # Errors
/// A clause that follows the field's name.
pub fn phone(text: &str) -> Result<String, Message> {
    let wrong = || {
        message!(
            "must be in international form such as \"+525512345678\"",
            "debe tener formato internacional, como \"+525512345678\""
        )
    };
    let plain: String = text.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')')).collect();
    let digits = plain.strip_prefix('+').ok_or_else(wrong)?;
    let well_formed = (7..=15).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !digits.starts_with('0');
    if well_formed { Ok(plain) } else { Err(wrong()) }
}

/// The same as people in Mexico write it: one of ten digits is one in Mexico, and full stops are dropped, too.
///
/// # Errors
/// A clause that follows the field's name.
pub fn written_phone(text: &str) -> Result<String, Message> {
    let plain: String =
        text.chars().filter(|c| !matches!(c, ' ' | '-' | '(' | ')' | '.')).collect();
    let is_national = plain.len() == NATIONAL_DIGITS && plain.bytes().all(|b| b.is_ascii_digit());
    phone(&if is_national { format!("{MEXICO}{plain}") } else { plain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validates_emails() {
        for good in ["ana@example.com", "a.b+c@sub.example.mx", "josé@correo.mx", " x@EXAMPLE.com "]
        {
            assert!(email(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "ana",
            "@example.com",
            "ana@",
            "ana@localhost",
            "a b@example.com",
            "a@-x.com",
            "a@b..com",
            ".a@b.com",
            "a@b.com\0",
        ] {
            assert!(email(bad).is_err(), "{bad}");
        }
        assert!(email(&format!("{}@example.com", "a".repeat(300))).is_err());
    }

    #[test]
    fn validates_phones() {
        assert_eq!(phone("+52 (55) 1234-5678").as_deref(), Ok("+525512345678"));
        for bad in [
            "",
            "5512345678",
            "+52",
            "+0123456789",
            "+1234567890123456",
            "+52abc5678",
            "+٥٢٥٥١٢٣٤٥٦",
        ] {
            assert!(phone(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ten_digits_are_a_telephone_number_in_mexico() {
        for written in ["5512345678", "55 1234 5678", "(55) 1234-5678", "55.1234.5678"] {
            assert_eq!(written_phone(written).as_deref(), Ok("+525512345678"), "{written}");
        }
        assert_eq!(written_phone("+1 (202) 456-1111").as_deref(), Ok("+12024561111"));
        for bad in ["", "551234567", "55123456789", "55 1234 567x"] {
            assert!(written_phone(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn folds_accents_and_case() {
        assert_eq!(folded("ÁRBOL  Pingüino\tÑandú"), "arbol pinguino nandu");
    }
}
