//! Subscriptions, deliveries and replays.

use kernel::{Timestamp, id::EventId};
use serde::{Deserialize, Serialize};
use webhooks::{
    Delivery, DeliveryId, DeliveryState, DisabledReason, Replay, ReplayId, Subscription,
    SubscriptionId, Topics, subscription::Disabled,
};

use super::forms::{Form, Maybe, forms};

/// An answer that tells a secret, as it is kept for repeats: sealed.
pub(crate) struct Kept {
    pub(crate) subscription: Subscription,
    pub(crate) sealed: String,
}

forms!(
    DeliveryForm of Delivery,
    DisabledForm of Disabled,
    IssuedForm of Kept,
    ReplayForm of Replay,
    SubscriptionForm of Subscription,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Subscription")]
pub(super) struct SubscriptionForm {
    id: SubscriptionId,
    url: String,
    events: Topics,
    description: Option<String>,
    #[serde(default, with = "Maybe::<DisabledForm>")]
    disabled: Option<Disabled>,
    consecutive_failures: u32,
    previous_secret_until: Option<Timestamp>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Disabled")]
struct DisabledForm {
    at: Timestamp,
    #[serde(with = "DisabledReasonForm")]
    reason: DisabledReason,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DisabledReason", rename_all = "lowercase")]
enum DisabledReasonForm {
    Manual,
    Failures,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Kept")]
pub(super) struct IssuedForm {
    #[serde(with = "SubscriptionForm")]
    subscription: Subscription,
    sealed: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Delivery")]
pub(super) struct DeliveryForm {
    id: DeliveryId,
    subscription: SubscriptionId,
    event: EventId,
    event_name: String,
    #[serde(with = "DeliveryStateForm")]
    state: DeliveryState,
    attempts: u32,
    next_attempt_at: Option<Timestamp>,
    retry_of: Option<DeliveryId>,
    created_at: Timestamp,
    finished_at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DeliveryState", rename_all = "lowercase")]
enum DeliveryStateForm {
    Attempting,
    Delivered,
    Failed,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Replay")]
pub(super) struct ReplayForm {
    id: ReplayId,
    subscription: SubscriptionId,
    since: Timestamp,
    until: Timestamp,
    events: Vec<String>,
    created_at: Timestamp,
}
