//! The identifier by which a request is found in the logs.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use ulid::Ulid;

/// The header that carries it, in requests and answers.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The most characters of a caller's identifier.
const CHARS_MAX: usize = 128;

/// The caller's identifier when it is harmless in logs and headers, else a new one.
pub(crate) fn of(headers: &HeaderMap) -> HeaderValue {
    let harmless = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    match headers.get(X_REQUEST_ID) {
        Some(given)
            if (1..=CHARS_MAX).contains(&given.len()) && given.as_bytes().iter().all(harmless) =>
        {
            given.clone()
        }
        _ => generated(),
    }
}

fn generated() -> HeaderValue {
    let mut buffer = [0; ulid::ULID_LEN];
    let text = Ulid::generate().array_to_str(&mut buffer);
    // Base 32 is always a header value.
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_callers_when_harmless() {
        let taken = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(X_REQUEST_ID, HeaderValue::from_str(text).unwrap());
            of(&headers) == text
        };
        assert!(taken("abc-1.2_X") && taken(&"a".repeat(128)));
        for wrong in ["", "a b", "a\"b", &"a".repeat(129), "a\tb"] {
            assert!(!taken(wrong), "{wrong}");
        }
        assert_eq!(of(&HeaderMap::new()).len(), 26);
    }
}
