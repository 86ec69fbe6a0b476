//! Who has something to send, and whose turn it is: no I/O and no clock, times come in as arguments.
//!
//! Each endpoint has a window of exchanges that may be under way. A success widens it by one, a failure
//! halves it. Endpoints that are new here may use half of all exchanges at most and those whose last one
//! failed a quarter, so that however many of them hang, the healthy ones have room. Within the limits
//! accounts take turns, and the endpoints of an account do.

mod claiming;
mod queue;
mod tallies;
mod timing;
mod turns;

#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use kernel::{AccountId, Timestamp};
use queue::{Queue, Standing, Timers, Waiting};
pub(crate) use tallies::Limits;
use tallies::{ByStanding, Counts, Tallies};
use turns::Turns;
use webhooks::{ClaimId, Claimed, Endpoint, SubscriptionId, Unsent};

/// An endpoint: whose, and its subscription.
pub(crate) type Key = (AccountId, SubscriptionId);

/// A delivery to be sent now.
#[derive(Debug)]
pub(crate) struct ReadyDelivery {
    pub(crate) endpoint: Arc<Endpoint>,
    /// Under which claim.
    pub(crate) claim: ClaimId,
    /// When the claim ends.
    pub(crate) until: Timestamp,
    /// What.
    pub(crate) delivery: Claimed,
}

/// Figures about a scheduler, for monitoring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    /// Exchanges under way.
    pub(crate) in_flight: usize,
    /// Deliveries claimed and not sent.
    pub(crate) waiting: usize,
    /// Endpoints with something to do, as of the last sweep.
    pub(crate) busy: usize,
    /// Claimed deliveries not sent because their claim was about to expire.
    pub(crate) expired: u64,
}

/// The endpoints that have work or are expected to.
pub(crate) struct Scheduler {
    limits: Limits,
    queues: HashMap<Key, Queue>,
    tallies: Tallies,
    /// Endpoints that may send.
    ready: ByStanding<Turns>,
    /// Endpoints that want more deliveries.
    asking: ByStanding<Turns>,
    timers: Timers,
    /// Whose turn it is among the standings.
    turn: usize,
    sweep: u64,
    busy: usize,
    expired: u64,
}

impl Scheduler {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            queues: HashMap::new(),
            tallies: Tallies::new(limits),
            ready: ByStanding::default(),
            asking: ByStanding::default(),
            timers: Timers::new(),
            turn: 0,
            sweep: 0,
            busy: 0,
            expired: 0,
        }
    }

    pub(crate) const fn figures(&self) -> Figures {
        let Counts { in_flight, waiting, .. } = self.tallies.total;
        Figures { in_flight, waiting, busy: self.busy, expired: self.expired }
    }

    /// The delivery to be sent next, if the limits have room for one. One whose claim ends before
    /// `sendable` is dropped: it becomes due by itself.
    pub(crate) fn take(&mut self, sendable: Timestamp) -> Option<ReadyDelivery> {
        while let Some((standing, key)) = self.next_ready() {
            let taken = self.change(key, |queue, timers| match &queue.endpoint {
                Some(endpoint) if queue.standing == standing && queue.may_send() => {
                    let endpoint = Arc::clone(endpoint);
                    let (waiting, expired) = pop_sendable(queue, key, sendable, timers);
                    if let Some(waiting) = &waiting {
                        queue.in_flight += 1;
                        queue.entities.insert(waiting.delivery.entity.clone());
                    }
                    (waiting.map(|waiting| (endpoint, waiting)), expired, true)
                }
                _ => (None, 0, false),
            });
            let Some((taken, expired, looked)) = taken else { continue };
            self.expired += expired;
            self.list_asking(key);
            if taken.is_some() || !looked {
                self.list_ready(key);
            }
            // Otherwise all that waits is about what is under way: the end of that lists it again.
            if let Some((endpoint, Waiting { claim, until, delivery })) = taken {
                return Some(ReadyDelivery { endpoint, claim, until, delivery });
            }
        }
        None
    }

    /// An exchange about `entity` has ended. After a failure an endpoint keeps no more at hand than it may
    /// have under way: gives what is to be given back.
    #[must_use = "to be given back"]
    pub(crate) fn ended(&mut self, key: Key, entity: &str, delivered: bool) -> Vec<Unsent> {
        let window_max = self.limits.endpoint;
        let shed = self.update(key, |queue, _| {
            queue.in_flight = queue.in_flight.saturating_sub(1);
            queue.entities.remove(entity);
            if delivered {
                queue.succeeded(window_max);
                return Vec::new();
            }
            queue.failed();
            let kept = queue.window.min(queue.waiting.len());
            let shed = unsent(key, queue.waiting.drain(kept..));
            if !shed.is_empty() {
                queue.mark_due();
            }
            shed
        });
        shed.unwrap_or_default()
    }

    /// Forgets what a subscription has waiting: gives what is to be given back.
    #[must_use = "to be given back"]
    pub(crate) fn silence(&mut self, subscription: SubscriptionId) -> Vec<Unsent> {
        let keys: Vec<Key> =
            self.queues.keys().copied().filter(|key| key.1 == subscription).collect();
        let silenced = keys.into_iter().filter_map(|key| {
            self.update(key, |queue, timers| {
                queue.silence(key, timers);
                unsent(key, queue.waiting.drain(..))
            })
        });
        silenced.flatten().collect()
    }

    /// Forgets all that waits: gives what is to be given back.
    #[must_use = "to be given back"]
    pub(crate) fn clear(&mut self) -> Vec<Unsent> {
        if self.tallies.total.waiting == 0 {
            return Vec::new();
        }
        let keys: Vec<Key> = self.queues.keys().copied().collect();
        let cleared = keys
            .into_iter()
            .filter_map(|key| self.change(key, |queue, _| unsent(key, queue.waiting.drain(..))));
        cleared.flatten().collect()
    }

    /// Whose turn it is to send; an endpoint in another state than when it was listed is passed over later.
    fn next_ready(&mut self) -> Option<(Standing, Key)> {
        for _ in Standing::EVERY {
            let standing = self.next_standing();
            if self.tallies.may_send(standing) {
                let may = |account| self.tallies.account_may_send(account);
                if let Some(key) = self.ready.get_mut(standing).next(may) {
                    return Some((standing, key));
                }
            }
        }
        None
    }

    fn next_standing(&mut self) -> Standing {
        self.turn = (self.turn + 1) % Standing::EVERY.len();
        Standing::EVERY.get(self.turn).copied().unwrap_or(Standing::Trusted)
    }

    /// Makes an endpoint known.
    fn know(&mut self, key: Key) {
        let window_max = self.limits.endpoint;
        self.queues.entry(key).or_insert_with(|| Queue::new(window_max));
    }

    /// Changes a known endpoint and lists it for what it can do then.
    fn update<R>(
        &mut self,
        key: Key,
        change: impl FnOnce(&mut Queue, &mut Timers) -> R,
    ) -> Option<R> {
        let result = self.change(key, change);
        self.list_ready(key);
        self.list_asking(key);
        result
    }

    /// Changes a known endpoint and counts what changed.
    fn change<R>(
        &mut self,
        key: Key,
        change: impl FnOnce(&mut Queue, &mut Timers) -> R,
    ) -> Option<R> {
        let queue = self.queues.get_mut(&key)?;
        let before = (queue.standing, queue.counts());
        let result = change(queue, &mut self.timers);
        self.tallies.change(key.0, before, (queue.standing, queue.counts()));
        Some(result)
    }

    fn list_ready(&mut self, key: Key) {
        if let Some(queue) = self.queues.get(&key)
            && queue.may_send()
        {
            self.ready.get_mut(queue.standing).add(key);
        }
    }

    fn list_asking(&mut self, key: Key) {
        if let Some(queue) = self.queues.get(&key)
            && queue.wants_more()
        {
            self.asking.get_mut(queue.standing).add(key);
        }
    }
}

/// Takes out the first delivery whose claim lasts until `sendable`, and says how many before it did not.
fn pop_sendable(
    queue: &mut Queue,
    key: Key,
    sendable: Timestamp,
    timers: &mut Timers,
) -> (Option<Waiting>, u64) {
    let mut expired = 0;
    while let Some(waiting) = queue.pop() {
        if waiting.until >= sendable {
            return (Some(waiting), expired);
        }
        queue.retry(key, waiting.until, timers);
        expired += 1;
    }
    (None, expired)
}

fn unsent(key: Key, waiting: impl Iterator<Item = Waiting>) -> Vec<Unsent> {
    let (account, subscription) = key;
    let unsent = |Waiting { claim, delivery, .. }: Waiting| Unsent {
        account,
        subscription,
        delivery: delivery.delivery,
        claim,
    };
    waiting.map(unsent).collect()
}

/// Drops what can no longer be sent in time, wherever it stands in the queue, and says how much that was.
fn drop_expired(queue: &mut Queue, key: Key, sendable: Timestamp, timers: &mut Timers) -> u64 {
    let expired = |waiting: &&Waiting| waiting.until < sendable;
    let ends: Vec<_> = queue.waiting.iter().filter(expired).map(|waiting| waiting.until).collect();
    if let Some(first) = ends.iter().min() {
        let kept = std::mem::take(&mut queue.waiting).into_iter();
        queue.waiting = kept.filter(|waiting| !expired(&waiting)).collect::<VecDeque<_>>();
        queue.retry(key, *first, timers);
    }
    ends.len() as u64
}
