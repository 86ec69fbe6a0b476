//! The documentation: the OpenAPI document and a page that shows it without any other host's help.

use actix_web::{
    http::{
        StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETAG, REFERRER_POLICY,
            X_CONTENT_TYPE_OPTIONS,
        },
    },
    web::Bytes,
};
use ring::digest::{SHA256, digest};

use crate::{answer::Answer, call::Call, error::ApiError, etag};

/// Where the page lies.
pub const DOCS_PATH: &str = "/docs";
/// Where the OpenAPI document lies.
pub(super) const OPENAPI_PATH: &str = "/api/v1/openapi.json";
/// The name carries the version, so that the script can be kept for ever.
pub(super) const SCRIPT_PATH: &str = "/docs/rapidoc-9.3.8.js";

/// RapiDoc (MIT, see `assets/rapidoc-LICENSE.txt`), compressed as it was published.
const SCRIPT: &[u8] = include_bytes!("../../assets/rapidoc-min.js.gz");
const PAGE: &str = include_str!("../../assets/docs.html");
/// Nothing from elsewhere. RapiDoc writes its styles into the page and makes requests to this service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; \
                      img-src 'self' data:; font-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const AN_HOUR: &str = "public, max-age=3600";
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// The page.
pub(super) async fn page(_: Call<()>) -> Result<Answer, ApiError> {
    Answer::html(PAGE)
        .with(CONTENT_SECURITY_POLICY, POLICY)?
        .with(REFERRER_POLICY, "no-referrer")?
        .with(X_CONTENT_TYPE_OPTIONS, "nosniff")?
        .with(CACHE_CONTROL, AN_HOUR)
}

/// The script that the page runs.
pub(super) async fn script(_: Call<()>) -> Result<Answer, ApiError> {
    Answer::new(StatusCode::OK, "text/javascript; charset=utf-8", Bytes::from_static(SCRIPT))
        .with(CONTENT_ENCODING, "gzip")?
        .with(X_CONTENT_TYPE_OPTIONS, "nosniff")?
        .with(CACHE_CONTROL, FOR_EVER)
}

/// The OpenAPI document.
pub(super) async fn openapi(call: Call<()>) -> Result<Answer, ApiError> {
    let document = &call.context.openapi;
    let digest = digest(&SHA256, document.as_bytes());
    let tag = format!("\"{}\"", hex::encode(digest.as_ref().get(..16).unwrap_or_default()));
    if etag::is_known(call.headers(), &tag) {
        return Answer::not_modified().with(ETAG, tag)?.with(CACHE_CONTROL, AN_HOUR);
    }
    let body = Bytes::copy_from_slice(document.as_bytes());
    Answer::new(StatusCode::OK, "application/json", body)
        .with(ETAG, tag)?
        .with(CACHE_CONTROL, AN_HOUR)
}

/// Who comes to the front door finds the documentation.
pub(super) async fn redirect(_: Call<()>) -> Result<Answer, ApiError> {
    Answer::redirect(StatusCode::TEMPORARY_REDIRECT, DOCS_PATH)
}
