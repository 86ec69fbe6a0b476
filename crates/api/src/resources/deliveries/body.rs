//! How the API shows a delivery and its attempts.

use std::{borrow::Cow, fmt::Display};

use kernel::{Language, Timestamp, id::EventId};
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};
use webhooks::{
    Attempt, AttemptError, AttemptRecord, Delivery, DeliveryDetail, DeliveryId, DeliveryState,
    SubscriptionId,
};

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// One event on its way to one webhook.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Delivery)]
pub(in crate::resources) struct DeliveryBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "dlv_01KG8X3V5Z7B9D1F3H5K7M9N0P")]
    id: DeliveryId,
    /// Webhook that receives it.
    #[schema(value_type = String, example = "whk_01KG8X0M2N4P6R8T0V1W3X5Y7Z")]
    webhook_id: SubscriptionId,
    /// Event delivered; every delivery of an event carries the same identifier.
    #[schema(value_type = String, example = "evt_01KG8X3V5W6X7Y8Z9A0B1C2D3E")]
    event_id: EventId,
    /// Name of the event.
    #[schema(example = "order.created")]
    event: String,
    /// `attempting` until the endpoint answers 2xx (`delivered`) or all attempts are used up (`failed`).
    #[schema(value_type = shapes::DeliveryState)]
    state: DeliveryState,
    /// Number of attempts made so far.
    attempts: u32,
    /// When the next attempt is due; `null` if there is none or while an attempt is in progress.
    #[schema(value_type = Option<shapes::Timestamp>)]
    next_attempt_at: Option<Timestamp>,
    /// The delivery that this one retries.
    #[schema(value_type = Option<String>, example = "dlv_01KG8X3V5Z7B9D1F3H5K7M9N0P")]
    retry_of: Option<DeliveryId>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the delivery succeeded or finally failed.
    #[schema(value_type = Option<shapes::Timestamp>)]
    finished_at: Option<Timestamp>,
}

/// A delivery with its request body and attempts.
#[derive(Serialize)]
pub(super) struct DeliveryDetailBody {
    #[serde(flatten)]
    delivery: DeliveryBody,
    #[serde(flatten)]
    detail: DetailBody,
    #[serde(skip)]
    is_spanish: bool,
}

/// A delivery as a caller is shown it.
pub(super) struct Shown {
    pub(super) detail: DeliveryDetail,
    /// Errors are told in it.
    pub(super) language: Language,
}

/// A delivery with its request body and the result of each attempt.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DetailBody {
    /// The exact request body that is signed and sent; `null` once the event is past its retention period.
    body: Option<String>,
    /// The attempts, oldest first.
    attempt_log: Vec<AttemptBody>,
}

/// One attempt of a delivery.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Attempt)]
struct AttemptBody {
    /// Attempt number, starting at 1.
    attempt: u32,
    /// When the request was sent.
    #[schema(value_type = shapes::Timestamp)]
    started_at: Timestamp,
    /// Duration of the exchange, in milliseconds.
    duration_ms: u32,
    /// HTTP status of the response; `null` if none was received.
    status: Option<u16>,
    /// Code of the reason why no response was received; `other` for what an earlier release has recorded in words.
    #[schema(value_type = Option<shapes::AttemptErrorCode>)]
    error_code: Option<&'static str>,
    /// Why no response was received, in the language that `Accept-Language` prefers.
    #[schema(example = "connection refused")]
    error: Option<String>,
    /// Beginning of the response body.
    answer: Option<String>,
}

impl DeliveryBody {
    /// The entity tag: the number of attempts is the version, the timestamps cover the rest.
    fn tag(&self, more: impl IntoIterator<Item = i64>) -> ETag {
        let times = [self.next_attempt_at, self.finished_at];
        let times = times.map(|time| time.map_or(0, Timestamp::micros));
        ETag::version_and(i64::from(self.attempts), times.into_iter().chain(more))
    }
}

impl Resource for DeliveryBody {
    type Thing = Delivery;

    const PATH: &'static str = "/webhooks/deliveries";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        self.tag([])
    }
}

impl Resource for DeliveryDetailBody {
    type Thing = Shown;

    const PATH: &'static str = DeliveryBody::PATH;

    fn id(&self) -> impl Display {
        self.delivery.id
    }

    fn etag(&self) -> ETag {
        let logged = i64::try_from(self.detail.attempt_log.len()).unwrap_or(i64::MAX);
        let told = [logged, i64::from(self.detail.body.is_some()), i64::from(self.is_spanish)];
        self.delivery.tag(told)
    }
}

impl PartialSchema for DeliveryDetailBody {
    fn schema() -> RefOr<Schema> {
        shapes::both(DeliveryBody::schema(), DetailBody::schema())
    }
}

impl ToSchema for DeliveryDetailBody {
    fn name() -> Cow<'static, str> {
        "DeliveryDetail".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        DeliveryBody::schemas(schemas);
        DetailBody::schemas(schemas);
    }
}

impl From<Delivery> for DeliveryBody {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id,
            webhook_id: delivery.subscription,
            event_id: delivery.event,
            event: delivery.event_name,
            state: delivery.state,
            attempts: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at,
            retry_of: delivery.retry_of,
            created_at: delivery.created_at,
            finished_at: delivery.finished_at,
        }
    }
}

impl From<Shown> for DeliveryDetailBody {
    fn from(shown: Shown) -> Self {
        let Shown { detail: DeliveryDetail { delivery, body, attempts }, language } = shown;
        let attempts = attempts.into_iter();
        let attempt_log = attempts.map(|attempt| AttemptBody::new(attempt, language)).collect();
        Self {
            delivery: delivery.into(),
            detail: DetailBody { body, attempt_log },
            is_spanish: language == Language::Spanish,
        }
    }
}

impl AttemptBody {
    fn new(attempt: Attempt, language: Language) -> Self {
        let Attempt { number, started_at, duration_ms, record } = attempt;
        let AttemptRecord { status, error, answer } = record;
        Self {
            attempt: number,
            started_at,
            duration_ms,
            status,
            error_code: error.as_ref().map(AttemptError::code),
            error: error.map(|error| error.message().in_language(language).to_owned()),
            answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn detail() -> DeliveryDetail {
        let delivery = Delivery {
            id: DeliveryId::from_u128(1),
            subscription: SubscriptionId::from_u128(2),
            event: EventId::from_u128(3),
            event_name: "order.paid".to_owned(),
            state: DeliveryState::Attempting,
            attempts: 2,
            next_attempt_at: Some(Timestamp::from_micros(5_000_000)),
            retry_of: None,
            created_at: Timestamp::from_micros(0),
            finished_at: None,
        };
        let answered = AttemptRecord { status: Some(500), error: None, answer: Some("no".into()) };
        let error = Some(AttemptError::ConnectionRefused);
        let refused = AttemptRecord { status: None, error, answer: None };
        let attempt = |number: u32, record: AttemptRecord| {
            let started_at = Timestamp::from_micros(0);
            Attempt { number, started_at, duration_ms: 7, record }
        };
        let attempts = vec![attempt(1, answered), attempt(2, refused)];
        DeliveryDetail { delivery, body: Some("{\"id\":  1}".to_owned()), attempts }
    }

    fn body(detail: DeliveryDetail, language: Language) -> DeliveryDetailBody {
        DeliveryDetailBody::from(Shown { detail, language })
    }

    #[test]
    fn attempts_are_counted_and_logged() {
        let shown = serde_json::to_value(body(detail(), Language::English)).unwrap();
        assert_eq!((&shown["attempts"], &shown["state"]), (&json!(2), &json!("attempting")));
        assert_eq!(shown["attemptLog"][0]["status"], 500);
        assert_eq!(shown["body"], "{\"id\":  1}", "the very bytes");
        assert!(shown["eventId"].as_str().unwrap().starts_with("evt_"));
    }

    #[test]
    fn an_error_has_one_code_and_is_told_in_the_callers_language() {
        let shown = Language::EVERY.map(|language| body(detail(), language));
        let [english, spanish] = shown.map(|shown| {
            let tag = shown.etag();
            (tag, serde_json::to_value(shown).unwrap()["attemptLog"][1].clone())
        });
        assert_ne!(english.0, spanish.0, "one is not taken for the other");
        assert_eq!(english.1["errorCode"], "connection_refused");
        assert_eq!(english.1["errorCode"], spanish.1["errorCode"]);
        assert_ne!(english.1["error"], spanish.1["error"]);
    }

    #[test]
    fn every_step_shows_in_the_tag() {
        let tag = |detail: DeliveryDetail| body(detail, Language::English).etag();
        let next = |change: fn(&mut DeliveryDetail)| {
            let mut changed = detail();
            change(&mut changed);
            tag(changed)
        };
        assert_eq!(tag(detail()), next(|_| {}));
        for changed in [
            next(|detail| detail.delivery.attempts = 3),
            next(|detail| detail.delivery.next_attempt_at = None),
            next(|detail| detail.attempts.clear()),
            next(|detail| detail.body = None),
        ] {
            assert_ne!(tag(detail()), changed);
        }
    }
}
