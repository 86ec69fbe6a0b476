//! The parameters of a query string, in order, repeats and all.

use std::borrow::Cow;

use kernel::{Message, message};

/// The most parameters of one query.
pub(crate) const PARAMETERS_MAX: usize = 50;
/// The most fields of one form, which has several for each of its rows.
pub(crate) const FIELDS_MAX: usize = 500;

/// A name and its value.
pub(crate) type Parameter<'a> = (Cow<'a, str>, Cow<'a, str>);

/// Splits a query string or a form (`application/x-www-form-urlencoded`) into names and values, at most so many.
///
/// # Errors
/// A clause about the query as a whole.
pub(crate) fn parameters(query: &str, most: usize) -> Result<Vec<Parameter<'_>>, Message> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    if pairs.clone().nth(most).is_some() {
        return Err(message!(
            "must have at most {most} parameters",
            "debe tener a lo más {most} parámetros"
        ));
    }
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decoded(name)?, decoded(value)?))
        })
        .collect::<Option<_>>()
        .ok_or_else(not_percent_encoded)
}

pub(crate) fn not_percent_encoded() -> Message {
    message!("must be percent-encoded UTF-8", "debe ser UTF-8 con codificación por ciento")
}

/// The text behind percent-encoding, `None` when it is not well-formed.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains(['%', '+']) {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => hex_digit(rest.next()?)? * 16 + hex_digit(rest.next()?)?,
            plain => plain,
        });
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
