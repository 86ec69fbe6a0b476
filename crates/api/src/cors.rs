//! Which pages of other origins a browser lets call the API (WHATWG Fetch, "CORS protocol").
//!
//! An API key in a page is a key given away, so nobody may by default; what is public anyway, the documentation and
//! its OpenAPI document, may be read by the tools of any origin.

use actix_web::{
    HttpRequest,
    http::{
        Method, StatusCode,
        header::{
            ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
            ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
            ACCESS_CONTROL_REQUEST_METHOD, HeaderName, HeaderValue, ORIGIN, VARY,
        },
    },
};

use crate::{answer::Answer, route::Route};

/// What a page may send beside what every page may.
const ALLOWED_HEADERS: &str =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id";
/// What a page may read beside what every page may.
const EXPOSED_HEADERS: &str = "Content-Disposition, Content-Language, ETag, Idempotent-Replayed, Location, \
     RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";
/// A browser asks again after so many seconds; it keeps no answer longer than two hours.
const MAX_AGE_SECONDS: &str = "7200";

/// An origin whose pages may call the API, as browsers send it: `https://shop.example`, or `*` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedOrigin(String);

impl AllowedOrigin {
    /// Reads an origin: scheme, host and perhaps a port.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no origin such as https://shop.example, nor *");
        let host = match text {
            "*" => return Ok(Self(text.to_owned())),
            _ => text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")),
        };
        let is_plain =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-:[]".contains(&b);
        match host {
            Some(host) if !host.is_empty() && host.bytes().all(is_plain) => {
                Ok(Self(text.to_owned()))
            }
            _ => Err(wrong()),
        }
    }

    /// The origin as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn allows(&self, origin: &HeaderValue) -> bool {
        self.0 == "*" || self.0.as_bytes() == origin.as_bytes()
    }
}

/// What an answer tells the browser of a page that made the request.
pub(crate) fn headers(
    request: &HttpRequest,
    route: &Route,
    allowed: &[AllowedOrigin],
) -> Vec<(HeaderName, HeaderValue)> {
    if route.is_documentation() {
        return vec![(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"))];
    }
    if allowed.is_empty() {
        return Vec::new();
    }
    // Whether there is an origin or not: what a cache keeps of one must not serve another.
    let mut headers = vec![(VARY, HeaderValue::from_static("Origin"))];
    if let Some(origin) = request.headers().get(ORIGIN)
        && allowed.iter().any(|one| one.allows(origin))
    {
        headers.push((ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone()));
        headers.push((ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED_HEADERS)));
    }
    headers
}

/// The answer to a browser that asks whether a page may make a request, if the page may.
pub(crate) fn preflight(
    request: &HttpRequest,
    route: &Route,
    allowed: &[AllowedOrigin],
) -> Option<Answer> {
    let origin = request.headers().get(ORIGIN)?;
    let asks = request.method() == Method::OPTIONS
        && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let may = route.is_documentation() || allowed.iter().any(|one| one.allows(origin));
    if !asks || !may || !route.is_known() {
        return None;
    }
    let mut answer = Answer::empty(StatusCode::NO_CONTENT);
    answer.headers.extend([
        (ACCESS_CONTROL_ALLOW_METHODS, route.allowed_methods()),
        (ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ALLOWED_HEADERS)),
        (ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE_SECONDS)),
    ]);
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_have_a_scheme_and_a_host_and_nothing_else() {
        for right in ["*", "https://shop.example", "http://localhost:5173", "http://[::1]:80"] {
            assert_eq!(AllowedOrigin::parse(right).unwrap().as_str(), right);
        }
        for wrong in [
            "",
            "shop.example",
            "https://",
            "https://shop.example/",
            "https://Shop.example",
            "null",
        ] {
            assert!(AllowedOrigin::parse(wrong).is_err(), "{wrong}");
        }
    }
}
