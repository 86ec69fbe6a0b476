//! Errors and headers in the document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use utoipa::openapi::{
    Components, ContentBuilder, Header, HeaderBuilder, Ref, RefOr, Response, ResponseBuilder,
    example::ExampleBuilder,
    schema::{ObjectBuilder, Schema, Type},
};

use crate::{endpoint::Endpoint, error::Code};

/// The name of the schema of every error.
const ERROR: &str = "Error";

/// Headers, by the name under which answers refer to them.
const HEADERS: &[(&str, &str, Type)] = &[
    (
        "x-request-id",
        "Request identifier, taken from the request or newly generated.",
        Type::String,
    ),
    ("RateLimit-Limit", "Request quota of the more restrictive limit.", Type::Integer),
    ("RateLimit-Remaining", "Requests remaining in that quota.", Type::Integer),
    ("RateLimit-Reset", "Seconds until the quota is fully replenished.", Type::Integer),
    ("Retry-After", "Seconds to wait before retrying.", Type::Integer),
    ("WWW-Authenticate", "Authentication challenge (RFC 6750).", Type::String),
    ("Content-Disposition", "Suggested file name.", Type::String),
    ("Content-Language", "Language of the messages: `en` or `es`.", Type::String),
    ("ETag", "Entity tag (version) of the resource.", Type::String),
    ("Location", "Path of the new resource.", Type::String),
    (
        "Idempotent-Replayed",
        "`true` if this is the stored response to an earlier request with the same key.",
        Type::String,
    ),
];

/// Adds what answers refer to.
pub(super) fn add_components(components: &mut Components) {
    components.schemas.insert(ERROR.to_owned(), RefOr::T(error_schema()));
    for (name, meaning, kind) in HEADERS {
        components.headers.insert((*name).to_owned(), RefOr::T(header(meaning, kind)));
    }
}

/// A response with the headers that every one has.
pub(super) fn with_headers(response: ResponseBuilder, more: &[&str]) -> ResponseBuilder {
    let common = ["x-request-id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
    common.iter().chain(more).fold(response, |response, name| {
        response.header_ref(*name, Ref::new(format!("#/components/headers/{name}")))
    })
}

/// The error responses that several endpoints have alike, which are written once.
pub(super) struct Shared(BTreeSet<Vec<Code>>);

impl Shared {
    /// Those of some endpoints.
    pub(super) fn among<'a>(endpoints: impl Iterator<Item = &'a Endpoint>) -> Self {
        let mut uses: BTreeMap<Vec<Code>, usize> = BTreeMap::new();
        for codes in endpoints.flat_map(|endpoint| by_status(endpoint).into_values()) {
            *uses.entry(codes).or_default() += 1;
        }
        Self(uses.into_iter().filter(|(_, uses)| *uses > 1).map(|(codes, _)| codes).collect())
    }

    /// Adds them to the components.
    pub(super) fn add_to(&self, components: &mut Components) {
        for codes in &self.0 {
            let Some(status) = codes.first().map(|code| code.status()) else { continue };
            components.responses.insert(name(codes), RefOr::T(response(status, codes)));
        }
    }

    /// Every error response of an endpoint, by status.
    pub(super) fn responses(&self, endpoint: &Endpoint) -> BTreeMap<u16, RefOr<Response>> {
        let shown = |(status, codes): (u16, Vec<Code>)| {
            let shown = match self.0.contains(&codes) {
                true => RefOr::Ref(Ref::from_response_name(name(&codes))),
                false => RefOr::T(response(status, &codes)),
            };
            (status, shown)
        };
        by_status(endpoint).into_iter().map(shown).collect()
    }
}

/// The codes `not_found` and `conflict` become `NotFoundOrConflict`.
fn name(codes: &[Code]) -> String {
    let names =
        codes.iter().map(|code| code.name().split('_').map(capitalized).collect::<String>());
    names.collect::<Vec<_>>().join("Or")
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

fn by_status(endpoint: &Endpoint) -> BTreeMap<u16, Vec<Code>> {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes(endpoint) {
        by_status.entry(code.status()).or_default().push(code);
    }
    by_status
}

/// Every code that an endpoint can refuse with: those it declares, and those that follow from what it takes.
fn codes(endpoint: &Endpoint) -> BTreeSet<Code> {
    let mut codes: BTreeSet<Code> = endpoint.doc.refusals.iter().copied().collect();
    codes.extend([
        // What it does not take is refused.
        Code::ValidationFailed,
        Code::Unauthorized,
        Code::InsufficientScope,
        Code::RateLimited,
        Code::InternalError,
        Code::Unavailable,
    ]);
    if endpoint.takes.body.is_some() {
        codes.extend([
            Code::MalformedRequest,
            Code::RequestTimeout,
            Code::PayloadTooLarge,
            Code::UnsupportedMediaType,
        ]);
    }
    if endpoint.takes.is_card_free {
        codes.insert(Code::CardDataRefused);
    }
    if !endpoint.takes.path.is_empty() {
        codes.insert(Code::NotFound);
    }
    if endpoint.is_repeatable() {
        codes.extend([
            // A malformed key.
            Code::MalformedRequest,
            Code::IdempotencyAnswerUnreadable,
            Code::IdempotencyKeyInUse,
            Code::IdempotencyKeyReused,
        ]);
    }
    if endpoint.is_conditional() {
        codes.insert(Code::PreconditionFailed);
    }
    codes
}

fn response(status: u16, codes: &[Code]) -> Response {
    let meanings = codes.iter().map(|code| format!("`{}`: {}", code.name(), code.meaning()));
    let description = meanings.collect::<Vec<_>>().join("\n\n");
    let examples = codes.iter().map(|code| {
        let body = json!({
            "statusCode": status,
            "message": code.meaning(),
            "error": code.name(),
        });
        (code.name(), ExampleBuilder::new().summary(code.name()).value(Some(body)).build())
    });
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(ERROR)))
        .examples_from_iter(examples)
        .build();
    let more: &[&str] = match status {
        401 | 403 => &["Content-Language", "WWW-Authenticate"],
        429 | 503 => &["Content-Language", "Retry-After"],
        _ => &["Content-Language"],
    };
    let response = ResponseBuilder::new().description(description);
    with_headers(response.content("application/json", content), more).build()
}

fn error_schema() -> Schema {
    let statuses: BTreeSet<u16> = Code::EVERY.iter().map(|code| code.status()).collect();
    let status = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .enum_values(Some(statuses))
        .description(Some("HTTP status of the response."));
    let message = ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("Human-readable explanation that names the field and how to fix it, in the language that `Accept-Language` prefers."));
    let error = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(Code::EVERY.iter().map(|code| code.name())))
        .description(Some("Stable error code."));
    ObjectBuilder::new()
        .description(Some("An error response."))
        .property("statusCode", status)
        .required("statusCode")
        .property("message", message)
        .required("message")
        .property("error", error)
        .required("error")
        .into()
}

fn header(meaning: &str, kind: &Type) -> Header {
    let schema = ObjectBuilder::new().schema_type(kind.clone()).build();
    HeaderBuilder::new().schema(Some(schema)).description(Some(meaning)).build()
}
