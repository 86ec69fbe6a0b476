//! `Idempotency-Key`: the caller's promise that two requests are one.

mod under_way;

use actix_web::{
    HttpRequest,
    http::header::{HeaderName, HeaderValue},
};
use kernel::message;

use crate::{
    BASE_PATH,
    error::{ApiError, Code},
};

pub(crate) use under_way::{Held, Holder, UnderWay};

/// The request header.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header of an answer that was given before.
pub(crate) const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// The most characters of a key.
pub(crate) const CHARS_MAX: usize = 255;

/// The operation and key that the request names, if it promises anything.
pub(crate) fn named(request: &HttpRequest) -> Result<Option<(String, String)>, ApiError> {
    let mut values = request.headers().get_all(IDEMPOTENCY_KEY);
    let Some(value) = values.next() else { return Ok(None) };
    let key = parse(value).filter(|_| values.next().is_none()).ok_or_else(|| {
        let message = message!(
            "Idempotency-Key must be one key of 1 to {CHARS_MAX} printable ASCII characters",
            "Idempotency-Key debe ser una sola clave de 1 a {CHARS_MAX} caracteres ASCII imprimibles"
        );
        ApiError::new(Code::MalformedRequest, message)
    })?;
    let path = request.path();
    let operation =
        format!("{} {}", request.method(), path.strip_prefix(BASE_PATH).unwrap_or(path));
    Ok(Some((operation, key)))
}

/// The key, bare or as the quoted string of a structured field (RFC 8941 §3.3.3): both are one key.
fn parse(value: &HeaderValue) -> Option<String> {
    let text = value.to_str().ok()?.trim();
    let key = match text.strip_prefix('"') {
        None => text.to_owned(),
        Some(rest) => unquoted(rest)?,
    };
    let printable = key.bytes().all(|b| (b' '..=b'~').contains(&b));
    (printable && (1..=CHARS_MAX).contains(&key.len())).then_some(key)
}

fn unquoted(rest: &str) -> Option<String> {
    let mut key = String::with_capacity(rest.len());
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '"' => return chars.next().is_none().then_some(key),
            '\\' => key.push(chars.next().filter(|c| matches!(c, '"' | '\\'))?),
            c => key.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_and_bare_are_one_key() {
        let key = |text: &str| parse(&HeaderValue::from_str(text).unwrap());
        for text in ["abc", "\"abc\"", " abc "] {
            assert_eq!(key(text).as_deref(), Some("abc"), "{text}");
        }
        assert_eq!(key(r#""a\"b\\""#).as_deref(), Some(r#"a"b\"#));
        assert_eq!(key(&"k".repeat(255)).map(|key| key.len()), Some(255));
        for wrong in ["", "\"\"", "\"abc", "\"abc\"d", "\"a\\b\"", &"k".repeat(256), "a\tb"] {
            assert_eq!(key(wrong), None, "{wrong}");
        }
        assert_eq!(parse(&HeaderValue::from_bytes("ñ".as_bytes()).unwrap()), None);
    }
}
