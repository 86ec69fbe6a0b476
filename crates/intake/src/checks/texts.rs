//! Checks of texts.

use std::borrow::Cow;

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use kernel::{Currency, Message, Timestamp, message};

use super::Check;
use crate::{
    Faults, Given, Noun, Schema, clause,
    sketch::{TextKind, ValueKind},
};

/// One line with something on it, without control characters.
pub const LINE_PATTERN: &str = r"^[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F][^\u0000-\u001F\u007F-\u009F]*$";
/// No control characters but line breaks and tabs.
const PARAGRAPH_PATTERN: &str = r"^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]*$";

/// Reads base64 with and without padding.
const FORGIVING: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A text that a function of the domain judges.
pub struct Text<F> {
    parse: F,
    kind: TextKind,
    has_plus: bool,
}

/// A text that `parse` judges.
pub fn text<T, F: Fn(&str) -> Result<T, Message>>(parse: F) -> Text<F> {
    Text { parse, kind: TextKind::default(), has_plus: false }
}

impl<F> Text<F> {
    /// With so many characters.
    #[must_use]
    pub fn chars(mut self, min: usize, max: usize) -> Self {
        self.kind.chars_min = Some(min).filter(|min| *min > 0);
        self.kind.chars_max = Some(max);
        self
    }

    /// In a format that JSON Schema names.
    #[must_use]
    pub fn format(mut self, format: &'static str) -> Self {
        self.kind.format = Some(format);
        self
    }

    /// Of this form.
    #[must_use]
    pub fn pattern(mut self, pattern: &'static str) -> Self {
        self.kind.pattern = Some(pattern.into());
        self
    }

    /// With a plus sign: in a query that was not encoded it arrives as a blank.
    fn with_plus(mut self) -> Self {
        self.has_plus = true;
        self
    }

    /// For example.
    #[must_use]
    pub fn example(mut self, example: &'static str) -> Self {
        self.kind.example = Some(example);
        self
    }
}

impl<T, F: Fn(&str) -> Result<T, Message>> Check for Text<F> {
    type Value = T;

    fn check(&self, given: &Given<'_>) -> Result<T, Faults> {
        let text = given.text()?;
        let text = match given {
            Given::Text(_) if self.has_plus && !text.contains('+') => {
                Cow::Owned(text.replacen(' ', "+", 1))
            }
            _ => text,
        };
        (self.parse)(&text).map_err(clause)
    }

    fn schema(&self) -> Schema {
        ValueKind::Text(self.kind.clone()).into()
    }
}

/// One line of text, not empty.
pub fn line(chars_max: usize) -> impl Check<Value = String> {
    let check = text(move |text| kernel::text::line(text, chars_max));
    check.chars(1, chars_max).pattern(LINE_PATTERN)
}

/// Text of several lines.
pub fn paragraph(chars_max: usize) -> impl Check<Value = String> {
    let check = text(move |text| kernel::text::paragraph(text, chars_max));
    check.chars(0, chars_max).pattern(PARAGRAPH_PATTERN)
}

/// An e-mail address.
pub fn email() -> impl Check<Value = String> {
    let check = text(kernel::text::email).format("email").chars(5, 254);
    check.example("ana@example.com").with_plus()
}

/// An e-mail address that is going to be written to.
pub fn deliverable_email() -> impl Check<Value = String> {
    let check = text(kernel::text::deliverable_email).format("email").chars(5, 254);
    check.pattern("^[!-~]+$").example("ana@example.com").with_plus()
}

/// A telephone number.
pub fn phone() -> impl Check<Value = String> {
    let check = text(kernel::text::phone).pattern(r"^\+[1-9][0-9]{6,14}$");
    check.example("+525512345678").with_plus()
}

/// A currency.
pub fn currency() -> impl Check<Value = Currency> {
    text(Currency::parse).pattern("^[A-Z]{3}$").example("MXN")
}

/// A moment.
pub fn moment() -> impl Check<Value = Timestamp> {
    let check = text(Timestamp::parse).format("date-time");
    check.example("2026-01-31T18:05:07.123Z").with_plus()
}

/// Bytes as base64, at most so many; line breaks and missing padding do no harm.
pub fn base64(bytes_max: usize) -> impl Check<Value = Vec<u8>> {
    let check = text(move |text| {
        let plain: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        match FORGIVING.decode(plain) {
            Ok(bytes) if bytes.is_empty() => {
                Err(message!("must not be empty", "no debe estar vacío"))
            }
            Ok(bytes) if bytes.len() > bytes_max => Err(message!(
                "must have at most {bytes_max} bytes behind its base64",
                "debe tener a lo más {bytes_max} bytes una vez decodificado su base64"
            )),
            Ok(bytes) => Ok(bytes),
            Err(_) => {
                Err(message!("must be base64 (RFC 4648 §4)", "debe ser base64 (RFC 4648 §4)"))
            }
        }
    });
    check.format("byte").chars(1, bytes_max.div_ceil(3) * 4)
}

/// A text that is nobody's business and taken as it is.
pub fn secret(chars_max: usize) -> impl Check<Value = String> {
    let check = text(move |text| match text.chars().count() {
        0 => Err(message!("must not be empty", "no debe estar vacío")),
        count if count > chars_max => Err(message!(
            "must have at most {chars_max} characters",
            "debe tener a lo más {chars_max} caracteres"
        )),
        _ => Ok(text.to_owned()),
    });
    check.format("password").chars(1, chars_max)
}

/// An identifier.
pub struct Id<T> {
    noun: Noun,
    prefix: &'static str,
    parse: fn(&str) -> Option<T>,
}

/// The identifier of `noun`, e.g. `a customer`, by the prefix and reader of its type.
pub const fn id<T>(noun: Noun, prefix: &'static str, parse: fn(&str) -> Option<T>) -> Id<T> {
    Id { noun, prefix, parse }
}

impl<T> Check for Id<T> {
    type Value = T;

    fn check(&self, given: &Given<'_>) -> Result<T, Faults> {
        let id = (self.parse)(&given.text()?);
        id.ok_or_else(|| {
            let Noun { english, spanish } = self.noun;
            clause(message!("must be the id of {english}", "debe ser el id de {spanish}"))
        })
    }

    fn schema(&self) -> Schema {
        let pattern = format!("^{}_[0-7][0-9A-HJKMNP-TV-Z]{{25}}$", self.prefix);
        ValueKind::Text(TextKind { pattern: Some(pattern.into()), ..TextKind::default() }).into()
    }
}

/// One of a few names.
pub struct OneOf<T: 'static> {
    every: &'static [T],
    name: fn(T) -> &'static str,
}

/// One of `every`, by its name.
pub const fn one_of<T: Copy>(every: &'static [T], name: fn(T) -> &'static str) -> OneOf<T> {
    OneOf { every, name }
}

impl<T: Copy> Check for OneOf<T> {
    type Value = T;

    fn check(&self, given: &Given<'_>) -> Result<T, Faults> {
        let text = given.text()?;
        let found = self.every.iter().find(|one| (self.name)(**one) == text);
        found.copied().ok_or_else(|| {
            let names: Vec<_> = self.every.iter().map(|one| (self.name)(*one)).collect();
            clause(match names.as_slice() {
                [only] => message!("must be {only}", "debe ser {only}"),
                several => {
                    let names = several.join(", ");
                    message!("must be one of {names}", "debe ser uno de {names}")
                }
            })
        })
    }

    fn schema(&self) -> Schema {
        ValueKind::OneOf(self.every.iter().map(|one| (self.name)(*one).into()).collect()).into()
    }
}
