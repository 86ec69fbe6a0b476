//! The event catalog.

use serde::{Serialize, Serializer};
use utoipa::{
    ToSchema,
    openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, SchemaType, Type},
};
use webhooks::{
    catalog::{EVENTS, EVERY_EVENT, EXTENSIONS, EventType, VERSION},
    signing::HeaderNames,
};

use crate::Settings;

/// The event catalog: event types, signature scheme and retry schedule.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = EventCatalog)]
pub(super) struct CatalogBody {
    /// Version of the catalog.
    #[schema(example = "1.0")]
    version: &'static str,
    /// Short description.
    description: &'static str,
    /// Event types of the contract, and `*` for all of them.
    events: Vec<EventTypeBody>,
    /// Further event types, delivered only to webhooks that name them: `*` does not include them.
    extensions: Vec<EventTypeBody>,
    /// How deliveries are signed.
    signing: SigningBody,
    /// The retry schedule of a delivery.
    retry_policy: RetryPolicyBody,
}

/// An event type.
#[derive(Serialize, ToSchema)]
#[schema(as = EventType)]
struct EventTypeBody {
    /// Display name.
    #[schema(example = "order.created")]
    event: &'static str,
    /// When the event is emitted.
    description: &'static str,
    /// Fields of its `data`, each with the name of its type; `null` for `*`.
    #[schema(schema_with = payload)]
    payload: Option<PayloadFields>,
}

/// Field names with the names of their types, in the order of the catalog.
struct PayloadFields(&'static [(&'static str, &'static str)]);

/// How deliveries are signed.
#[derive(Serialize, ToSchema)]
#[schema(as = Signing)]
struct SigningBody {
    /// Signature algorithm.
    algorithm: &'static str,
    /// Header that carries the signature.
    #[schema(example = "x-service-signature-256")]
    header: String,
    /// Encoding of the signature.
    format: &'static str,
    /// How a receiver verifies the signature.
    verification: &'static str,
}

/// The retry schedule of a delivery.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RetryPolicy)]
struct RetryPolicyBody {
    /// Maximum number of attempts for a delivery.
    max_attempts: u32,
    /// Delay before each attempt, measured from the end of the previous one.
    backoff: Vec<String>,
}

impl CatalogBody {
    /// The catalog under these settings.
    pub(super) fn new(settings: &Settings) -> Self {
        let shown = |event: &'static EventType| EventTypeBody {
            event: event.name,
            description: event.description,
            payload: Some(PayloadFields(event.payload)),
        };
        let every = EventTypeBody {
            event: EVERY_EVENT,
            description: "Subscribes to all events.",
            payload: None,
        };
        Self {
            version: VERSION,
            description: "Events delivered to webhooks as signed HTTP POST requests.",
            events: EVENTS.iter().map(shown).chain([every]).collect(),
            extensions: EXTENSIONS.iter().map(shown).collect(),
            signing: SigningBody {
                algorithm: "HMAC-SHA256",
                header: HeaderNames::of_brand(&settings.brand).signature,
                format: "lowercase hexadecimal",
                verification: "Compute HMAC-SHA256 over the raw, unparsed body, using the \
                               webhook's complete secret, including its prefix, as the key. Encode \
                               it as lowercase hexadecimal and compare it with the header in \
                               constant time. If they differ, answer 401 and do not trust the \
                               body.",
            },
            retry_policy: RetryPolicyBody {
                max_attempts: settings.schedule.attempts_max(),
                backoff: settings.backoff(),
            },
        }
    }
}

impl Serialize for PayloadFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

fn payload() -> ObjectBuilder {
    let kind = ObjectBuilder::new().schema_type(Type::String).build();
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Object, Type::Null]))
        .additional_properties(Some(AdditionalProperties::from(Schema::from(kind))))
        .description(Some("Fields of its `data`, each with the name of its type; `null` for `*`."))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use webhooks::Schedule;

    use super::*;
    use crate::resources::events::examples;

    #[test]
    fn the_catalog_is_the_one_of_the_contract() {
        let text = serde_json::to_string(&CatalogBody::new(&Settings::default())).unwrap();
        assert!(
            text.contains(r#""payload":{"id":"string","status":"string","total":"number","currency":"string"}"#),
            "the fields keep the order of the contract: {text}"
        );
        let shown: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(shown["version"], "1.0");
        let events = shown["events"].as_array().unwrap();
        assert_eq!(events.len(), 19);
        assert_eq!((&events[18]["event"], &events[18]["payload"]), (&json!("*"), &json!(null)));
        assert_eq!(shown["signing"]["header"], "x-service-signature-256");
        let policy = json!({"maxAttempts": 6,
            "backoff": ["immediate", "5 s", "30 s", "5 min", "30 min", "2 h"]});
        assert_eq!(shown["retryPolicy"], policy);
    }

    #[test]
    fn the_example_is_an_extract() {
        let shown = serde_json::to_value(CatalogBody::new(&Settings::default())).unwrap();
        let example: Value = serde_json::from_str(examples::CATALOG).unwrap();
        for (name, value) in example.as_object().unwrap() {
            match value.as_array() {
                Some(some) => {
                    let all = shown[name].as_array().unwrap();
                    assert!(some.iter().all(|one| all.contains(one)), "{name}");
                }
                None => assert_eq!(*value, shown[name], "{name}"),
            }
        }
    }

    #[test]
    fn settings_show() {
        let delays = vec![Duration::from_millis(250), Duration::from_secs(90)];
        let settings = Settings {
            brand: "tienda".to_owned(),
            schedule: Schedule::new(delays).unwrap(),
            ..Settings::default()
        };
        let shown = serde_json::to_value(CatalogBody::new(&settings)).unwrap();
        assert_eq!(shown["signing"]["header"], "x-tienda-signature-256");
        assert_eq!(shown["retryPolicy"], json!({"maxAttempts": 2, "backoff": ["250 ms", "90 s"]}));
    }
}
