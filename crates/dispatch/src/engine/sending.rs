//! Sending: one task for each exchange, and what becomes of it.

use std::{collections::HashMap, sync::Arc, time::Duration};

use kernel::{AccountId, Timestamp};
use tokio::{
    task::{Id, JoinError, JoinSet},
    time::{Instant, timeout},
};
use webhooks::{
    Attempt, AttemptError, ClaimId, DeliveryId, Ended, Exchange, Next, Post, Schedule, Sender,
    SubscriptionId, delivery,
    signing::{self, HeaderNames, Signed},
};

use crate::scheduler::{Key, ReadyDelivery};

/// Exchanges under way.
pub(super) struct Exchanges {
    sender: Arc<dyn Sender>,
    names: Arc<HeaderNames>,
    /// An exchange that takes longer is given up, whatever the sender does.
    attempt_timeout: Duration,
    tasks: JoinSet<Outcome>,
    /// What a task would take with it if it panicked.
    flights: HashMap<Id, Flight>,
}

/// How a task ended, and which.
pub(super) type Joined = Result<(Id, Outcome), JoinError>;

/// What came of an exchange.
pub(super) struct Outcome {
    exchange: Exchange,
    took: Duration,
}

/// An attempt under way.
pub(super) struct Flight {
    account: AccountId,
    subscription: SubscriptionId,
    delivery: DeliveryId,
    claim: ClaimId,
    number: u32,
    started_at: Timestamp,
    begun: Instant,
    /// When its claim ends.
    pub(super) until: Timestamp,
    pub(super) entity: String,
}

/// An attempt that is over.
pub(super) struct Over {
    pub(super) flight: Flight,
    outcome: Outcome,
}

impl Exchanges {
    pub(super) fn new(sender: Arc<dyn Sender>, brand: &str, attempt_timeout: Duration) -> Self {
        let names = Arc::new(HeaderNames::of_brand(brand));
        Self { sender, names, attempt_timeout, tasks: JoinSet::new(), flights: HashMap::new() }
    }

    pub(super) fn are_over(&self) -> bool {
        self.flights.is_empty()
    }

    /// Begins an attempt.
    pub(super) fn begin(&mut self, ready: ReadyDelivery, now: Timestamp) {
        let flight = Flight {
            account: ready.delivery.account,
            subscription: ready.delivery.subscription,
            delivery: ready.delivery.delivery,
            claim: ready.claim,
            number: ready.delivery.attempts.saturating_add(1),
            started_at: now,
            begun: Instant::now(),
            until: ready.until,
            entity: ready.delivery.entity.clone(),
        };
        let (sender, names) = (Arc::clone(&self.sender), Arc::clone(&self.names));
        let (number, attempt_timeout) = (flight.number, self.attempt_timeout);
        let task = self.tasks.spawn(async move {
            let begun = Instant::now();
            let sending = sender.post(post(ready, &names, number, now));
            let exchange = timeout(attempt_timeout, sending).await;
            let exchange = exchange.unwrap_or_else(|_| Exchange::Failed {
                reason: AttemptError::timed_out(attempt_timeout),
            });
            Outcome { exchange, took: begun.elapsed() }
        });
        self.flights.insert(task.id(), flight);
    }

    /// The next to end; `None` when none is under way.
    pub(super) async fn next(&mut self) -> Option<Joined> {
        self.tasks.join_next_with_id().await
    }

    /// Another that has ended already.
    pub(super) fn next_now(&mut self) -> Option<Joined> {
        self.tasks.try_join_next_with_id()
    }

    /// What is known of a task that has ended.
    pub(super) fn over(&mut self, joined: Joined) -> Option<Over> {
        let (id, outcome) = match joined {
            Ok((id, outcome)) => (id, Some(outcome)),
            Err(error) => {
                let id = error.id();
                tracing::error!(%error, "a delivery task panicked");
                (id, None)
            }
        };
        let flight = self.flights.remove(&id)?;
        let outcome = outcome.unwrap_or_else(|| Outcome {
            exchange: Exchange::Failed { reason: AttemptError::Internal },
            took: flight.begun.elapsed(),
        });
        Some(Over { flight, outcome })
    }

    /// Gives up all that are under way; gives how many.
    pub(super) fn give_up(&mut self) -> usize {
        self.tasks = JoinSet::new();
        std::mem::take(&mut self.flights).len()
    }
}

impl Flight {
    pub(super) const fn key(&self) -> Key {
        (self.account, self.subscription)
    }
}

impl Over {
    pub(super) const fn delivered(&self) -> bool {
        self.outcome.exchange.delivers()
    }

    /// What is to be recorded.
    pub(super) fn into_ended(self, schedule: &Schedule, now: Timestamp, jitter: f64) -> Ended {
        let Self { flight, outcome: Outcome { exchange, took } } = self;
        let next: Next = delivery::next(&exchange, flight.number, schedule, now, jitter);
        Ended {
            account: flight.account,
            subscription: flight.subscription,
            delivery: flight.delivery,
            claim: flight.claim,
            attempt: Attempt {
                number: flight.number,
                started_at: flight.started_at,
                duration_ms: u32::try_from(took.as_millis()).unwrap_or(u32::MAX),
                record: delivery::record(exchange),
            },
            next,
        }
    }
}

fn post(ready: ReadyDelivery, names: &HeaderNames, attempt: u32, now: Timestamp) -> Post {
    let ReadyDelivery { endpoint, delivery, .. } = ready;
    let signed = Signed {
        body: &delivery.body,
        event: delivery.event,
        event_name: &delivery.event_name,
        delivery: delivery.delivery,
        attempt,
        now,
    };
    let headers =
        signing::headers(names, &signed, &endpoint.secret, endpoint.previous_secret.as_ref());
    let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Post { url: endpoint.url.clone(), headers, body: delivery.body }
}
