//! How the API shows a webhook, its secret, and a replay.

use std::{borrow::Cow, fmt::Display};

use kernel::Timestamp;
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};
use webhooks::{DisabledReason, Issued, Replay, ReplayId, Subscription, SubscriptionId, Topics};

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A webhook: an endpoint that is notified of events.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Webhook)]
pub(super) struct WebhookBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "whk_01KG8X0M2N4P6R8T0V1W3X5Y7Z")]
    id: SubscriptionId,
    /// URL that receives the events: a public `https` address.
    url: String,
    /// Names of the subscribed events, or `*` for all.
    #[schema(value_type = Vec<shapes::EventName>)]
    events: Topics,
    /// Free-text note.
    description: Option<String>,
    /// Whether deliveries are sent to the webhook.
    #[schema(value_type = shapes::WebhookStatus)]
    status: &'static str,
    /// Why the webhook is disabled: `manual`, or `failures` after too many consecutive failures; `null` while
    /// it is enabled.
    #[schema(value_type = Option<shapes::DisabledReason>)]
    disabled_reason: Option<DisabledReason>,
    /// When the webhook was disabled.
    #[schema(value_type = Option<shapes::Timestamp>)]
    disabled_at: Option<Timestamp>,
    /// Consecutive failed attempts; a success resets it to 0.
    consecutive_failures: u32,
    /// Until when deliveries are also signed with the previous secret.
    #[schema(value_type = Option<shapes::Timestamp>)]
    previous_secret_expires_at: Option<Timestamp>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the webhook was last changed through the API.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A webhook with its secret, which is shown only once.
#[derive(Serialize)]
pub(super) struct IssuedBody {
    #[serde(flatten)]
    webhook: WebhookBody,
    #[serde(flatten)]
    secret: SecretBody,
}

/// A webhook with its secret, which is shown only once.
#[derive(Serialize, ToSchema)]
struct SecretBody {
    /// Key for verifying delivery signatures. Shown only once: store it.
    #[schema(example = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=")]
    secret: String,
}

/// A replay: past events that are delivered again.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Replay)]
pub(super) struct ReplayBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "rpl_01KG8X7D1F3H5K7M9N0P2Q4R6S")]
    id: ReplayId,
    /// Webhook that receives it.
    #[schema(value_type = String, example = "whk_01KG8X0M2N4P6R8T0V1W3X5Y7Z")]
    webhook_id: SubscriptionId,
    /// Replay events that occurred at or after this time.
    #[schema(value_type = shapes::Timestamp)]
    since: Timestamp,
    /// Replay events that occurred before this time; defaults to now.
    #[schema(value_type = shapes::Timestamp)]
    until: Timestamp,
    /// Names of the events to replay; defaults to all that the webhook is subscribed to.
    #[schema(value_type = Vec<shapes::EventName>)]
    events: Vec<String>,
    /// When the replay was requested.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

impl Resource for WebhookBody {
    type Thing = Subscription;

    const PATH: &'static str = "/webhooks";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        let disabled = i64::from(self.disabled_at.is_some());
        let moving = [i64::from(self.consecutive_failures), disabled];
        ETag::version_and(self.version, moving.into_iter())
    }
}

impl Resource for IssuedBody {
    type Thing = Issued;

    const PATH: &'static str = WebhookBody::PATH;

    fn id(&self) -> impl Display {
        self.webhook.id
    }

    fn etag(&self) -> ETag {
        self.webhook.etag()
    }
}

impl PartialSchema for IssuedBody {
    fn schema() -> RefOr<Schema> {
        shapes::both(WebhookBody::schema(), SecretBody::schema())
    }
}

impl ToSchema for IssuedBody {
    fn name() -> Cow<'static, str> {
        "IssuedWebhook".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        WebhookBody::schemas(schemas);
    }
}

impl From<Subscription> for WebhookBody {
    fn from(subscription: Subscription) -> Self {
        Self {
            id: subscription.id,
            status: if subscription.is_enabled() { "enabled" } else { "disabled" },
            url: subscription.url,
            events: subscription.events,
            description: subscription.description,
            disabled_reason: subscription.disabled.map(|disabled| disabled.reason),
            disabled_at: subscription.disabled.map(|disabled| disabled.at),
            consecutive_failures: subscription.consecutive_failures,
            previous_secret_expires_at: subscription.previous_secret_until,
            created_at: subscription.created_at,
            updated_at: subscription.updated_at,
            version: subscription.version,
        }
    }
}

impl From<Issued> for IssuedBody {
    fn from(issued: Issued) -> Self {
        let secret = SecretBody { secret: issued.secret.reveal().to_owned() };
        Self { webhook: issued.subscription.into(), secret }
    }
}

impl From<Replay> for ReplayBody {
    fn from(replay: Replay) -> Self {
        let Replay { id, subscription, since, until, events, created_at } = replay;
        Self { id, webhook_id: subscription, since, until, events, created_at }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use webhooks::{NewSubscription, Secret, subscription};

    use super::*;

    fn webhook() -> Subscription {
        let command = NewSubscription {
            url: "https://example.com/hooks".to_owned(),
            events: Topics::all(),
            description: None,
        };
        subscription::create(command, SubscriptionId::from_u128(1), Timestamp::from_micros(0))
    }

    #[test]
    fn a_secret_is_shown_where_it_was_issued_and_nowhere_else() {
        let secret = Secret::from_random([7; 32]);
        let issued = Issued { subscription: webhook(), secret: secret.clone() };
        let shown = serde_json::to_value(IssuedBody::from(issued)).unwrap();
        assert_eq!(shown["secret"], secret.reveal());
        assert_eq!(
            (&shown["url"], &shown["events"]),
            (&json!("https://example.com/hooks"), &json!(["*"]))
        );
        let shown = serde_json::to_value(WebhookBody::from(webhook())).unwrap();
        assert_eq!((&shown["status"], shown.get("secret")), (&json!("enabled"), None));
    }

    #[test]
    fn what_moves_by_itself_shows_in_the_tag() {
        let tag = |webhook: Subscription| WebhookBody::from(webhook).etag();
        let failing = Subscription { consecutive_failures: 1, ..webhook() };
        assert_ne!(tag(webhook()), tag(failing));
        let at = Timestamp::from_micros(0);
        let disabled = webhooks::subscription::Disabled { at, reason: DisabledReason::Failures };
        let disabled = Subscription { disabled: Some(disabled), ..webhook() };
        let shown = serde_json::to_value(WebhookBody::from(disabled.clone())).unwrap();
        assert_eq!(
            (&shown["status"], &shown["disabledReason"]),
            (&json!("disabled"), &json!("failures"))
        );
        assert_ne!(tag(webhook()), tag(disabled));
    }
}
