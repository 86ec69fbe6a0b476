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

use crate::{answer::Answer, origin::AllowedOrigin, route::Route};

/// What a page may send beside what every page may.
const ALLOWED_HEADERS: &str =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id";
/// What a page may read beside what every page may.
const EXPOSED_HEADERS: &str = "Content-Disposition, Content-Language, ETag, Idempotent-Replayed, Location, \
     RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id";
/// A browser asks again after so many seconds; it keeps no answer longer than two hours.
const MAX_AGE_SECONDS: &str = "7200";

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
