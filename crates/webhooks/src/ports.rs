//! What the dispatcher works with: a keeper of deliveries, and a way to send them.

use std::{future::Future, pin::Pin, sync::Arc};

use kernel::{AccountId, Fault, Pending, Timestamp, Written, id::EventId};

use crate::{Attempt, AttemptError, DeliveryId, Next, Secret, SubscriptionId};

kernel::ids! {
    /// A claim's identifier: fences off a worker that was given up for dead.
    ClaimId = "clm";
}

/// An enabled endpoint with deliveries that are waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Due {
    pub account: AccountId,
    /// The endpoint's subscription.
    pub subscription: SubscriptionId,
    /// When its earliest delivery is due, or the earliest claim on its deliveries expires.
    pub at: Timestamp,
}

/// How many deliveries of an endpoint are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Want {
    pub account: AccountId,
    /// The endpoint's subscription.
    pub subscription: SubscriptionId,
    /// Maximum number of entries.
    pub room: u32,
}

/// Where the deliveries of a subscription go, and what signs them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Endpoint {
    pub subscription: SubscriptionId,
    pub url: String,
    pub secret: Secret,
    /// The previous secret, while it is still valid.
    pub previous_secret: Option<Secret>,
}

/// A delivery that is this worker's until the claim ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Claimed {
    pub account: AccountId,
    pub subscription: SubscriptionId,
    pub delivery: DeliveryId,
    /// Number of previous attempts.
    pub attempts: u32,
    pub event: EventId,
    pub event_name: String,
    /// Identifier of the resource that the event is about.
    pub entity: String,
    /// The exact bytes to send.
    pub body: String,
}

/// Deliveries claimed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Mark that identifies the claim on its rows.
    pub id: ClaimId,
    /// When it expires and its deliveries can be claimed again.
    pub until: Timestamp,
    /// The endpoints of the deliveries.
    pub endpoints: Vec<Endpoint>,
    /// Deliveries by endpoint, in order of their due time.
    pub deliveries: Vec<Claimed>,
}

/// A claimed delivery that was not attempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Unsent {
    pub account: AccountId,
    pub subscription: SubscriptionId,
    pub delivery: DeliveryId,
    /// Claim that holds it.
    pub claim: ClaimId,
}

/// An attempt that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Ended {
    pub account: AccountId,
    pub subscription: SubscriptionId,
    pub delivery: DeliveryId,
    /// Claim under which the attempt was made.
    pub claim: ClaimId,
    pub attempt: Attempt,
    /// What happens next to the delivery.
    pub next: Next,
}

/// Is told of new deliveries once they are committed.
pub trait Watcher: Send + Sync {
    /// These endpoints have deliveries that are due.
    fn deliveries_due(&self, endpoints: &[(AccountId, SubscriptionId)]);

    /// Nobody could be told for a while: any endpoint may have deliveries that are due.
    fn deliveries_missed(&self);
}

/// Deliveries as a dispatcher sees them. Many dispatchers may work on one database.
pub trait Deliveries: Send + Sync {
    /// Tells `watcher` of new deliveries, those of other processes included where they can be heard of.
    fn watch(&self, watcher: Arc<dyn Watcher>);

    /// The enabled endpoints with waiting deliveries.
    fn due(&self) -> Pending<Result<Vec<Due>, Fault>>;

    /// Claims deliveries of enabled endpoints that are due `now`, at most as many as wanted of each, until
    /// the moment `until`.
    fn claim(
        &self,
        wants: Vec<Want>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Claim, ()>>;

    /// Records ended attempts with what follows them, and disables endpoints that failed `failures_max`
    /// times in a row, which it names. Attempts under a claim that has passed to somebody else are ignored.
    fn complete(
        &self,
        ended: Vec<Ended>,
        failures_max: u32,
        now: Timestamp,
    ) -> Pending<Written<Vec<SubscriptionId>, ()>>;

    /// Gives deliveries back that were claimed and not attempted; they keep their place.
    fn release(&self, unsent: Vec<Unsent>) -> Pending<Written<(), ()>>;

    /// Lets some of the deliveries be due `now` that are due later than any schedule says, because the clock has been
    /// set back: `latest` has the last moments by attempts made, as [`Schedule::latest`](crate::Schedule::latest).
    /// Says how many; there may be more unless it is none. Claims that end after `until` end then.
    fn make_due(
        &self,
        latest: Vec<Timestamp>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<u64, ()>>;

    /// Opens the next deliveries of replays under way; says how many.
    fn advance_replays(&self, now: Timestamp) -> Pending<Written<u64, ()>>;
}

/// A request to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Post {
    pub url: String,
    /// Headers in addition to the usual ones.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum Exchange {
    /// A response was received.
    Answered {
        status: u16,
        /// Beginning of the response body.
        body: Vec<u8>,
    },
    /// No response was received.
    Failed {
        /// Why, for the endpoint's owner.
        reason: AttemptError,
    },
}

impl Exchange {
    /// Whether the endpoint has taken the delivery.
    #[must_use]
    pub const fn delivers(&self) -> bool {
        matches!(self, Self::Answered { status: 200..=299, .. })
    }
}

/// An exchange under way; dropping it gives it up.
pub type Sending = Pin<Box<dyn Future<Output = Exchange> + Send>>;

/// Sends requests to addresses that users gave: within bounds of time and size, and never to the inside.
pub trait Sender: Send + Sync {
    /// Sends a request and waits for its answer.
    fn post(&self, post: Post) -> Sending;
}
