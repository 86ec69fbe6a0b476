//! The requests that the service makes: an event to every webhook that wants it.

use std::collections::BTreeMap;

use utoipa::openapi::{
    ContentBuilder, HttpMethod, PathItem, Required, ResponseBuilder,
    path::{OperationBuilder, ParameterBuilder, ParameterIn},
    request_body::RequestBodyBuilder,
    schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type},
    security::SecurityRequirement,
};
use webhooks::catalog::{EventType, every_type};

use crate::Settings;

/// Each event of the catalog, by its name.
pub(super) fn webhooks(settings: &Settings) -> BTreeMap<&'static str, PathItem> {
    every_type().map(|event| (event.name, webhook(event, settings))).collect()
}

fn webhook(event: &EventType, settings: &Settings) -> PathItem {
    let header = |name: String, meaning: &str| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .description(Some(meaning))
            .required(Required::True)
            .schema(Some(text()))
            .build()
    };
    let brand = &settings.brand;
    let parameters = [
        header(
            format!("x-{brand}-signature-256"),
            "Lowercase hexadecimal HMAC-SHA256 of the raw body; the key is the webhook's secret.",
        ),
        header(format!("x-{brand}-event"), "Name of the event."),
        header(format!("x-{brand}-delivery-id"), "Identifier of the delivery."),
    ];
    let content = ContentBuilder::new().schema(Some(envelope(event))).build();
    let body = RequestBodyBuilder::new()
        .description(Some("The event."))
        .content("application/json", content)
        .required(Some(Required::True));
    let answer = "Any 2xx within the time limit; anything else is tried again.";
    let operation = OperationBuilder::new()
        .tag("Events")
        .operation_id(Some(operation_id(event.name)))
        .summary(Some(event.name))
        .description(Some(event.description))
        .parameters(Some(parameters))
        .request_body(Some(body.build()))
        // Whoever receives it checks its signature.
        .securities(Some(Vec::<SecurityRequirement>::new()))
        .response("2XX", ResponseBuilder::new().description(answer).build());
    PathItem::new(HttpMethod::Post, operation.build())
}

/// `order.created` becomes `onOrderCreated`.
fn operation_id(event: &str) -> String {
    event.split('.').fold("on".to_owned(), |mut id, word| {
        let mut chars = word.chars();
        id.extend(chars.next().map(|first| first.to_ascii_uppercase()));
        id.extend(chars);
        id
    })
}

/// The body of an event.
fn envelope(event: &EventType) -> Schema {
    let name = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some([event.name]))
        .description(Some("Name of the event."));
    let created_at = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .description(Some("Time of the event."));
    let id = ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("Identifier of the event, the same in every attempt."));
    let data = event.payload.iter().fold(ObjectBuilder::new(), |data, (field, kind)| {
        let kind = match *kind {
            "number" => Type::Number.into(),
            "object" => Type::Object.into(),
            "string|null" => SchemaType::from_iter([Type::String, Type::Null]),
            _ => Type::String.into(),
        };
        data.property(*field, ObjectBuilder::new().schema_type(kind)).required(*field)
    });
    ObjectBuilder::new()
        .property("id", id)
        .required("id")
        .property("event", name)
        .required("event")
        .property("createdAt", created_at)
        .required("createdAt")
        .property("data", data)
        .required("data")
        .into()
}

fn text() -> Schema {
    ObjectBuilder::new().schema_type(Type::String).into()
}
