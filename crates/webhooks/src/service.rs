//! The use cases of subscriptions and deliveries.

use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written, id::EventId};
use serde::{Deserialize, Serialize};

use crate::{
    Delivery, DeliveryDetail, DeliveryId, DeliveryState, NewSubscription, Secret, Subscription,
    SubscriptionChanges, SubscriptionId, Topics, health::Health,
};

kernel::ids! {
    /// A replay's identifier.
    ReplayId = "rpl";
}

/// Why a command about webhooks was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum WebhookError {
    /// The account has reached the maximum number of subscriptions.
    TooMany { max: u32 },
    /// The subscription is disabled.
    Disabled,
    /// An attempt of the delivery is in progress.
    InProgress,
    /// The event is past its retention period, so its body is no longer stored.
    EventGone,
}

/// A subscription with the secret that its owner is told this once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Issued {
    pub subscription: Subscription,
    pub secret: Secret,
}

/// A wanted page of subscriptions, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct SubscriptionQuery {
    /// Those alone that fare so.
    pub health: Option<Health>,
    pub page: PageRequest,
}

/// A change of one subscription.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct UpdateSubscription {
    pub id: SubscriptionId,
    /// Expected version: the command is refused if the resource has a newer one.
    pub version: Option<i64>,
    pub changes: SubscriptionChanges,
}

/// Which deliveries are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DeliveryFilter {
    pub state: Option<DeliveryState>,
    /// Name of the event delivered.
    pub event_name: Option<String>,
    /// Event delivered.
    pub event: Option<EventId>,
}

/// A wanted page of a subscription's deliveries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct DeliveryQuery {
    pub filter: DeliveryFilter,
    pub page: PageRequest,
}

/// What became of the attempts at the deliveries of a subscription of late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recent {
    /// How many there were.
    pub attempts: u32,
    /// How many of them were answered 2xx.
    pub succeeded: u32,
    /// Milliseconds within which 95 of 100 were over; `None` where there were none.
    pub p95_ms: Option<u32>,
}

impl Recent {
    /// Of attempts, each with the status that it was answered with and the milliseconds that it took.
    #[must_use]
    pub fn of(attempts: &[(Option<u16>, u32)]) -> Self {
        let count = |attempts: usize| u32::try_from(attempts).unwrap_or(u32::MAX);
        let is_success = |status: &Option<u16>| status.is_some_and(|one| (200..300).contains(&one));
        let succeeded = attempts.iter().filter(|(status, _)| is_success(status)).count();
        let mut took: Vec<u32> = attempts.iter().map(|(_, took)| *took).collect();
        took.sort_unstable();
        let place = (took.len() * 95).div_ceil(100).saturating_sub(1);
        Self {
            attempts: count(attempts.len()),
            succeeded: count(succeeded),
            p95_ms: took.get(place).copied(),
        }
    }

    /// How many of 100 were answered 2xx, 100 only if all were; `None` where there were none.
    #[must_use]
    pub fn success_percent(&self) -> Option<u32> {
        (u64::from(self.succeeded) * 100)
            .checked_div(self.attempts.into())
            .and_then(|percent| u32::try_from(percent).ok())
    }
}

/// Events to be delivered again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ReplayCommand {
    pub subscription: SubscriptionId,
    /// Only events that occurred at or after this time.
    pub since: Timestamp,
    /// Only events that occurred before this time; defaults to now.
    pub until: Option<Timestamp>,
    /// Names of the events to replay; defaults to all that the subscription includes.
    pub events: Option<Topics>,
}

/// A replay: opens deliveries little by little, so that new events do not wait behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Replay {
    pub id: ReplayId,
    pub subscription: SubscriptionId,
    /// Only events that occurred at or after this time.
    pub since: Timestamp,
    /// Only events that occurred before this time.
    pub until: Timestamp,
    pub events: Vec<String>,
    pub created_at: Timestamp,
}

/// A place in the feed of events: behind the last one that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct FeedPosition {
    /// Position of the event: greater than those of all that were committed before it.
    pub position: i64,
    pub event: EventId,
}

/// A wanted part of the feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedQuery {
    /// Events after this position; defaults to the oldest retained event.
    pub after: Option<FeedPosition>,
    /// Only events that occurred at or after this time.
    pub since: Option<Timestamp>,
    /// Names of the events; defaults to all.
    pub events: Option<Topics>,
    /// Maximum number of entries.
    pub limit: u32,
}

/// A part of the feed, oldest first. Events become visible in the order of their positions, so that whoever reads on from
/// `next` misses none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// Bodies of the events, as they are delivered.
    pub events: Vec<String>,
    /// Position to continue from; `None` if nothing has been read yet.
    pub next: Option<FeedPosition>,
    /// Whether more events are available now.
    pub more: bool,
}

/// Which events are listed, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct EventFilter {
    pub name: Option<String>,
    /// Identifier of the resource that they are about.
    pub entity: Option<String>,
    /// From this moment on.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub to: Option<Timestamp>,
}

/// A wanted page of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct EventQuery {
    pub filter: EventFilter,
    pub page: PageRequest,
}

/// An event without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ListedEvent {
    pub id: EventId,
    pub name: String,
    /// Identifier of the resource that it is about.
    pub entity: String,
    pub created_at: Timestamp,
}

/// An event with its body and whom it was sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct EventDetail {
    pub event: ListedEvent,
    /// The bytes that are delivered.
    pub body: String,
    /// Deliveries of it that were opened within a day, to subscriptions that there still are.
    pub deliveries: Vec<Delivery>,
}

/// Subscriptions and their deliveries, each method one transaction.
pub trait Webhooks: Send + Sync {
    /// One subscription; `None` when the account has no such.
    fn get(
        &self,
        account: AccountId,
        id: SubscriptionId,
    ) -> Pending<Result<Option<Subscription>, Fault>>;

    /// A page of subscriptions.
    fn list(
        &self,
        account: AccountId,
        query: SubscriptionQuery,
    ) -> Pending<Result<Page<Subscription>, Fault>>;

    /// Adds a subscription with a new secret.
    fn create(&self, ctx: Ctx, command: NewSubscription) -> Pending<Written<Issued, WebhookError>>;

    /// Changes a subscription.
    fn update(
        &self,
        ctx: Ctx,
        command: UpdateSubscription,
    ) -> Pending<Written<Subscription, WebhookError>>;

    /// Removes a subscription; what waits for it is not delivered any more.
    fn delete(
        &self,
        ctx: Ctx,
        id: SubscriptionId,
        version: Option<i64>,
    ) -> Pending<Written<SubscriptionId, WebhookError>>;

    /// Gives a subscription a new secret; the old one signs beside it for a while.
    fn rotate_secret(&self, ctx: Ctx, id: SubscriptionId)
    -> Pending<Written<Issued, WebhookError>>;

    /// Delivers to a subscription again, what was waiting included.
    fn enable(&self, ctx: Ctx, id: SubscriptionId) -> Pending<Written<Subscription, WebhookError>>;

    /// Stops delivering to a subscription.
    fn disable(&self, ctx: Ctx, id: SubscriptionId)
    -> Pending<Written<Subscription, WebhookError>>;

    /// Opens a delivery of a test event to an enabled subscription.
    fn test(&self, ctx: Ctx, id: SubscriptionId) -> Pending<Written<Delivery, WebhookError>>;

    /// Delivers events of the past again.
    fn replay(&self, ctx: Ctx, command: ReplayCommand) -> Pending<Written<Replay, WebhookError>>;

    /// A page of a subscription's deliveries; `None` when the account has no such subscription.
    fn list_deliveries(
        &self,
        account: AccountId,
        subscription: SubscriptionId,
        query: DeliveryQuery,
    ) -> Pending<Result<Option<Page<Delivery>>, Fault>>;

    /// What became of the attempts at a subscription's newest deliveries of the last 24 hours.
    fn recent(
        &self,
        account: AccountId,
        subscription: SubscriptionId,
        now: Timestamp,
    ) -> Pending<Result<Recent, Fault>>;

    /// One delivery with its attempts; `None` when the account has no such.
    fn get_delivery(
        &self,
        account: AccountId,
        id: DeliveryId,
    ) -> Pending<Result<Option<DeliveryDetail>, Fault>>;

    /// Attempts a delivery now: one that is still waiting ahead of its time, one that is delivered or has
    /// failed as a new delivery of the same event.
    fn retry_delivery(&self, ctx: Ctx, id: DeliveryId) -> Pending<Written<Delivery, WebhookError>>;

    /// A page of the account's events, newest first.
    fn list_events(
        &self,
        account: AccountId,
        query: EventQuery,
    ) -> Pending<Result<Page<ListedEvent>, Fault>>;

    /// One event; `None` when the account has no such, or not any more.
    fn event(&self, account: AccountId, id: EventId)
    -> Pending<Result<Option<EventDetail>, Fault>>;

    /// A part of the account's events, oldest first.
    fn feed(&self, account: AccountId, query: FeedQuery) -> Pending<Result<Feed, Fault>>;
}

/// A test event of a subscription.
#[must_use]
pub fn test_event(subscription: SubscriptionId) -> kernel::NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        webhook_id: SubscriptionId,
    }
    let data = Data { webhook_id: subscription };
    kernel::NewEvent::new(crate::catalog::TEST_EVENT, subscription, &data)
}

#[cfg(test)]
mod tests {
    use kernel::Event;

    use super::*;

    #[test]
    fn a_test_event_says_whose_it_is() {
        let event: Event = test_event(SubscriptionId::from_u128(1))
            .recorded(EventId::from_u128(2), Timestamp::from_micros(0));
        assert!(event.body.contains(r#""event":"webhook.test""#), "{}", event.body);
        assert!(event.body.contains(r#""data":{"webhookId":"whk_"#), "{}", event.body);
    }

    #[test]
    fn recent_attempts_are_summed_up() {
        assert_eq!(Recent::of(&[]), Recent::default());
        assert_eq!(Recent::default().success_percent(), None);
        let attempts: Vec<_> = (1..=200).map(|took| (Some(200), took)).collect();
        let recent = Recent::of(&attempts);
        assert_eq!((recent.success_percent(), recent.p95_ms), (Some(100), Some(190)));
        let mixed = [(Some(204), 7), (Some(500), 9), (None, 10_000)];
        let recent = Recent::of(&mixed);
        assert_eq!((recent.attempts, recent.succeeded, recent.p95_ms), (3, 1, Some(10_000)));
        assert_eq!(recent.success_percent(), Some(33));
        let nearly = [vec![(Some(200), 1); 999], vec![(Some(500), 1)]].concat();
        assert_eq!(Recent::of(&nearly).success_percent(), Some(99));
    }
}
