//! The documentation: the OpenAPI document, and the reference drawn from it without any other host's help.

use actix_web::{
    http::{
        StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    web::Bytes,
};
use aws_lc_rs::digest::{SHA256, digest};
use intake::{Check, Form, checks::paragraph};
use reference::{Reference, SCRIPT, STYLE};

use crate::{answer::Answer, call::Call, error::ApiError, etag};

/// Where the reference lies.
pub const DOCS_PATH: &str = "/docs";
pub(super) const CHAPTER_PATH: &str = "/docs/{chapter}";
pub(super) const SEARCH_PATH: &str = "/docs/search";
pub(super) const STYLE_PATH: &str = "/docs/reference.css";
pub(super) const SCRIPT_PATH: &str = "/docs/reference.js";
/// Where the OpenAPI document lies.
pub(super) const OPENAPI_PATH: &str = "/api/v1/openapi.json";

/// Nothing from elsewhere; the script makes requests to this service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// Kept, and asked for again: a new release shows its own pages at once.
const ASKED_AGAIN: &str = "no-cache";
const AN_HOUR: &str = "public, max-age=3600";
const HTML: &str = "text/html; charset=utf-8";
/// As many characters as the field of the page takes.
const WORDS_CHARS_MAX: usize = 100;

/// Reads what is searched for.
pub(super) const WORDS: Form<String> = Form::query(|fields| {
    let words = paragraph(WORDS_CHARS_MAX).about("Words to search for.");
    Some(fields.change("q", words).unwrap_or_default())
});

/// The first page: what holds for the whole API.
pub(super) async fn overview(call: Call<()>) -> Result<Answer, ApiError> {
    let page = reference(&call)?.overview(&call.origin());
    shown(&call, StatusCode::OK, page)
}

/// A chapter.
pub(super) async fn chapter(call: Call<()>, slug: String) -> Result<Answer, ApiError> {
    let reference = reference(&call)?;
    match reference.chapter(&slug, &call.origin()) {
        Some(page) => shown(&call, StatusCode::OK, page),
        None => shown(&call, StatusCode::NOT_FOUND, reference.nothing()),
    }
}

/// What the reference has on some words.
pub(super) async fn search(call: Call<()>, words: String) -> Result<Answer, ApiError> {
    let page = reference(&call)?.search(&words);
    shown(&call, StatusCode::OK, page)
}

/// How the pages look.
pub(super) async fn style(call: Call<()>) -> Result<Answer, ApiError> {
    tagged(&call, StatusCode::OK, "text/css; charset=utf-8", Bytes::from_static(STYLE.as_bytes()))
}

/// What the pages do beyond being read.
pub(super) async fn script(call: Call<()>) -> Result<Answer, ApiError> {
    let script = Bytes::from_static(SCRIPT.as_bytes());
    tagged(&call, StatusCode::OK, "text/javascript; charset=utf-8", script)
}

/// The OpenAPI document.
pub(super) async fn openapi(call: Call<()>) -> Result<Answer, ApiError> {
    let body = Bytes::copy_from_slice(call.context.openapi.as_bytes());
    tagged(&call, StatusCode::OK, "application/json", body)?.with(CACHE_CONTROL, AN_HOUR)
}

/// Who comes to the front door finds the documentation.
pub(super) async fn redirect(_: Call<()>) -> Result<Answer, ApiError> {
    Answer::redirect(StatusCode::TEMPORARY_REDIRECT, DOCS_PATH)
}

fn reference(call: &Call<()>) -> Result<&Reference, ApiError> {
    call.context.reference().map_err(|error| ApiError::internal(error.clone()))
}

fn shown(call: &Call<()>, status: StatusCode, page: String) -> Result<Answer, ApiError> {
    tagged(call, status, HTML, page.into())?
        .with(CONTENT_SECURITY_POLICY, POLICY)?
        .with(REFERRER_POLICY, "no-referrer")?
        .with(CACHE_CONTROL, ASKED_AGAIN)
}

/// A text that the reader may have already.
fn tagged(
    call: &Call<()>,
    status: StatusCode,
    kind: &'static str,
    body: Bytes,
) -> Result<Answer, ApiError> {
    let digest = digest(&SHA256, &body);
    let tag = format!("\"{}\"", hex::encode(digest.as_ref().get(..16).unwrap_or_default()));
    let answer = if etag::is_known(call.headers(), &tag) {
        Answer::not_modified()
    } else {
        Answer::new(status, kind, body).with(X_CONTENT_TYPE_OPTIONS, "nosniff")?
    };
    answer.with(ETAG, tag)
}
