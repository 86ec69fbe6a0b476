//! The identifier by which a request is found in the logs.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};

/// The header that carries it, in requests and answers.
pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The caller's identifier when it is harmless in logs and headers, else a new one.
pub(crate) fn of(headers: &HeaderMap) -> HeaderValue {
    let given = headers.get(X_REQUEST_ID).and_then(|value| value.to_str().ok());
    // What is harmless is always a header value.
    HeaderValue::from_str(&kernel::request_id(given)).unwrap_or(HeaderValue::from_static("none"))
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
        assert!(taken("abc-1.2_X") && !taken("a b"));
        assert_eq!(of(&HeaderMap::new()).len(), 26);
    }
}
