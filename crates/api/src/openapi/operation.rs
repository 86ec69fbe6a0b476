//! One endpoint in the document.

use actix_web::http::Method;
use intake::sketch::ValueKind;
use serde_json::Value;
use utoipa::openapi::{
    ContentBuilder, Required, Response, ResponseBuilder,
    example::{Example, ExampleBuilder},
    extensions::ExtensionsBuilder,
    path::{Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, ParameterStyle},
    schema::{ObjectBuilder, Schema, Type},
    security::SecurityRequirement,
};

use super::{
    API_KEY, bodies, chapters,
    errors::{self, Shared},
    partial,
    sketches::{self, description_mut},
};
use crate::{
    endpoint::{Content, Endpoint, InPath, Needs, Success},
    idempotency,
};

/// The operation of an endpoint.
pub(super) fn draw(endpoint: &Endpoint, needs: Needs, errors: &Shared) -> Operation {
    let named = needs.name();
    let note = match named {
        Some(scope) => format!("Requires the `{scope}` scope."),
        None => super::ANY_SCOPE.to_owned(),
    };
    let description = [endpoint.doc.description, &note].join(" ");
    let scope_extension =
        named.map(|name| ExtensionsBuilder::new().add("x-required-scope", name).build());
    let mut operation = OperationBuilder::new()
        .tag(chapters::chapter(endpoint.path()).name)
        .summary(Some(endpoint.doc.summary))
        .description(Some(description.trim()))
        .operation_id(Some(operation_id(endpoint.doc.summary)))
        .parameters(Some(parameters(endpoint)))
        // What a key may do is in the extension: a list of roles here is taken for scopes of OAuth.
        .security(SecurityRequirement::new::<_, [&str; 0], &str>(API_KEY, []))
        .extensions(scope_extension);
    if let Some(body) = &endpoint.takes.body {
        operation = operation.request_body(Some(bodies::draw(body)));
    }
    for success in endpoint.doc.successes() {
        operation = operation.response(success.status.to_string(), answer(endpoint, success));
    }
    if endpoint.method == Method::GET && endpoint.is_of_one() {
        operation = operation.response("304", not_modified());
    }
    for (status, response) in errors.responses(endpoint) {
        operation = operation.response(status.to_string(), response);
    }
    operation.build()
}

/// `Create an order` becomes `createOrder`.
fn operation_id(summary: &str) -> String {
    let words = summary.split(' ').filter(|word| !matches!(*word, "a" | "an" | "the"));
    let mut id = String::new();
    for word in words {
        let mut chars = word.chars();
        if let Some(first) = chars.next() {
            id.push(if id.is_empty() {
                first.to_ascii_lowercase()
            } else {
                first.to_ascii_uppercase()
            });
        }
        id.extend(chars);
    }
    id
}

fn parameters(endpoint: &Endpoint) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for InPath { name, about } in &endpoint.takes.path {
        let named = parameter(name, ParameterIn::Path, about, text());
        parameters.push(named.required(Required::True).build());
    }
    if let Some(sketch) = &endpoint.takes.query {
        parameters.extend(sketch().fields.iter().map(|field| {
            let mut schema = sketches::schema(&field.schema);
            let meaning = description_mut(&mut schema).and_then(Option::take).unwrap_or_default();
            let required = if field.required { Required::True } else { Required::False };
            let named = parameter(field.name, ParameterIn::Query, &meaning, schema);
            let named = match &field.schema.kind {
                ValueKind::List(..) => named.style(Some(ParameterStyle::Form)).explode(Some(false)),
                ValueKind::Notes | ValueKind::Entries(_) => {
                    named.style(Some(ParameterStyle::DeepObject)).explode(Some(true))
                }
                _ => named,
            };
            let asked = endpoint.doc.asks.iter().find(|(name, _)| *name == field.name);
            let example = asked.map(|(_, value)| Value::from(*value));
            named.required(required).example(example).build()
        }));
    }
    parameters.extend(header_parameters(endpoint));
    parameters
}

fn header_parameters(endpoint: &Endpoint) -> Vec<Parameter> {
    let header = |name: &str, meaning: &str, schema: Schema| {
        parameter(name, ParameterIn::Header, meaning, schema).required(Required::False).build()
    };
    let mut headers = match endpoint.method {
        _ if endpoint.is_repeatable() => {
            let key = ObjectBuilder::new()
                .schema_type(Type::String)
                .min_length(Some(1))
                .max_length(Some(idempotency::CHARS_MAX))
                .pattern(Some("^[!#-~]([ -~]*[!-~])?$"))
                .build();
            let meaning = "Makes the request safe to retry: repeating it with the same key has no \
                           further effect.";
            vec![header("Idempotency-Key", meaning, key.into())]
        }
        Method::GET if endpoint.is_of_one() => {
            vec![header(
                "If-None-Match",
                "`ETag` of the version that the client already has.",
                text(),
            )]
        }
        _ => Vec::new(),
    };
    if endpoint.is_conditional() {
        let meaning = "Proceed only if the resource still has this `ETag`.";
        // Entity tags with commas between them, or any (RFC 9110 §13.1.1).
        let tags = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(r#"^(\*|(W/)?"[^"]*"([ \t,]+(W/)?"[^"]*")*)$"#));
        headers.push(header("If-Match", meaning, tags.into()));
    }
    let meaning = "Preferred language of the messages: English (default) or Spanish.";
    headers.push(header("Accept-Language", meaning, text()));
    headers
}

fn parameter(name: &str, place: ParameterIn, meaning: &str, schema: Schema) -> ParameterBuilder {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .description(Some(meaning))
        .schema(Some(schema))
}

fn text() -> Schema {
    ObjectBuilder::new().schema_type(Type::String).into()
}

fn answer(endpoint: &Endpoint, success: &Success) -> Response {
    let (media_types, content): (&[&str], _) = match &success.content {
        Content::Json { example: json, schema_name, .. } => {
            let content = ContentBuilder::new()
                .schema(Some(partial::answer(endpoint, &schema_name())))
                .examples_from_iter(example(json));
            (&["application/json"], content)
        }
        Content::File(media_types) => (media_types, ContentBuilder::new()),
    };
    let headers: &[&str] = match endpoint.method {
        _ if matches!(success.content, Content::File(_)) => &["Content-Disposition"],
        Method::POST if success.status == 202 => &["Location", "Idempotent-Replayed"],
        Method::POST if success.status == 201 => &["ETag", "Location", "Idempotent-Replayed"],
        Method::POST if endpoint.doc.is_translated => &["Idempotent-Replayed", "Content-Language"],
        Method::POST => &["Idempotent-Replayed"],
        Method::PUT if success.status == 201 && endpoint.is_repeatable() => {
            &["ETag", "Location", "Idempotent-Replayed"]
        }
        Method::PUT if success.status == 201 => &["ETag", "Location"],
        Method::PATCH | Method::PUT if endpoint.is_repeatable() => &["ETag", "Idempotent-Replayed"],
        Method::GET | Method::PATCH | Method::PUT if endpoint.is_of_one() => &["ETag"],
        _ => &[],
    };
    let content = content.build();
    let response = ResponseBuilder::new().description(success.meaning);
    let response = media_types
        .iter()
        .fold(response, |response, media_type| response.content(*media_type, content.clone()));
    errors::with_headers(response, headers).build()
}

fn not_modified() -> Response {
    let response = ResponseBuilder::new().description("The client already has this version.");
    errors::with_headers(response, &["ETag"]).build()
}

/// An example; they are constants of this crate, and tests read them all.
pub(super) fn example(json: &str) -> Option<(&'static str, Example)> {
    let value = serde_json::from_str::<Value>(json).ok();
    Some(("example", ExampleBuilder::new().value(value).build()))
}
