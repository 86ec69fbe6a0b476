//! One value as it was sent.

use std::borrow::Cow;

use kernel::{FieldFault, Message, message};
use serde_json::value::RawValue;

use crate::typed::typed_number;

/// A value as it was sent, not yet looked into.
#[derive(Debug)]
pub enum Given<'a> {
    /// A JSON value of a body.
    Json(&'a RawValue),
    /// The text of a query parameter.
    Text(Cow<'a, str>),
    /// The text of a field that somebody has typed into.
    Typed(Cow<'a, str>),
}

/// What is wrong with a value; each field is a path inside the value, empty for the value as a whole.
pub type Faults = Vec<FieldFault>;

/// One fault of the value as a whole: a clause that follows its name.
#[must_use]
pub fn clause(problem: Message) -> Faults {
    vec![FieldFault::new("", problem)]
}

impl<'a> Given<'a> {
    /// The kind of a JSON value by its first byte; query parameters are text.
    fn first_byte(&self) -> u8 {
        match self {
            Self::Json(raw) => raw.get().bytes().next().unwrap_or(b' '),
            Self::Text(_) | Self::Typed(_) => b'"',
        }
    }

    /// Whether it is JSON's `null`.
    pub fn is_null(&self) -> bool {
        self.first_byte() == b'n'
    }

    /// The text that it is.
    pub fn text(&self) -> Result<Cow<'_, str>, Faults> {
        match self {
            Self::Text(text) | Self::Typed(text) => Ok(Cow::Borrowed(text)),
            Self::Json(_) if self.first_byte() != b'"' => {
                Err(clause(message!("must be a string", "debe ser un texto")))
            }
            Self::Json(raw) => json_text(raw)
                .map(Cow::Owned)
                .ok_or_else(|| clause(message!("must be Unicode text", "debe ser texto Unicode"))),
        }
    }

    /// The digits of the number that it is: a JSON number, or text that may be one.
    pub fn number(&self) -> Result<Cow<'_, str>, Faults> {
        match self {
            Self::Text(text) => Ok(Cow::Borrowed(text)),
            Self::Typed(text) => Ok(typed_number(text)),
            Self::Json(raw) if matches!(self.first_byte(), b'-' | b'0'..=b'9') => {
                Ok(Cow::Borrowed(raw.get()))
            }
            Self::Json(_) => Err(clause(message!("must be a number", "debe ser un número"))),
        }
    }

    /// The boolean that it is.
    pub fn boolean(&self) -> Result<bool, Faults> {
        let text = match self {
            Self::Text(text) | Self::Typed(text) => text,
            Self::Json(raw) => raw.get(),
        };
        match text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(clause(message!("must be true or false", "debe ser true o false"))),
        }
    }

    /// The elements of the JSON array that it is.
    pub fn elements(&self) -> Result<Vec<&'a RawValue>, Faults> {
        match self {
            Self::Json(raw) if self.first_byte() == b'[' => {
                serde_json::from_str(raw.get()).map_err(|_| clause(not_a_list()))
            }
            _ => Err(clause(not_a_list())),
        }
    }

    /// The JSON object that it is, as text.
    pub fn object(&self) -> Result<&'a str, Faults> {
        match self {
            Self::Json(raw) if self.first_byte() == b'{' => Ok(raw.get()),
            _ => Err(clause(message!("must be an object", "debe ser un objeto"))),
        }
    }
}

fn not_a_list() -> Message {
    message!("must be a list", "debe ser una lista")
}

/// The text behind a JSON string; `None` when half of a surrogate pair is in it, which names no character.
pub(crate) fn json_text(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}
