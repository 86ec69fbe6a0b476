use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard},
};

use kernel::{AccountId, Done, Fault, Pending, Timestamp, Written, id::EventId, pending::Answer};
use webhooks::{
    Attempt, Claim, ClaimId, Claimed, Deliveries, DeliveryId, DeliveryState, Due, Ended, Endpoint,
    Next, Secret, SubscriptionId, Unsent, Want, Watcher, health,
};

/// A store in memory that keeps to the contract, and fails when it is told to.
pub(crate) struct FakeStore(Mutex<State>);

/// A delivery.
pub(crate) struct Row {
    pub(crate) account: AccountId,
    pub(crate) subscription: SubscriptionId,
    pub(crate) entity: String,
    pub(crate) state: DeliveryState,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) next_attempt_at: Option<Timestamp>,
    pub(crate) claim: Option<(ClaimId, Timestamp)>,
}

struct Subscriber {
    account: AccountId,
    url: String,
    enabled: bool,
    failures: u32,
}

/// A claim that waits to be answered.
type Held = (Answer<Written<Claim, ()>>, Vec<Want>, Timestamp, Timestamp);

pub(crate) struct State {
    started_at: Timestamp,
    subscribers: BTreeMap<SubscriptionId, Subscriber>,
    pub(crate) rows: BTreeMap<DeliveryId, Row>,
    /// What is still to be delivered, so that a million rows that are over cost nothing.
    open: BTreeMap<SubscriptionId, BTreeMap<(Timestamp, DeliveryId), ()>>,
    watchers: Vec<Arc<dyn Watcher>>,
    claims: u128,
    pub(crate) wants: Vec<Vec<Want>>,
    pub(crate) released: Vec<DeliveryId>,
    pub(crate) fenced_off: usize,
    /// Calls to come that fail.
    pub(crate) due_faults: usize,
    pub(crate) claim_faults: usize,
    pub(crate) complete_faults: usize,
    /// Completions with this delivery always fail.
    pub(crate) poison: Option<DeliveryId>,
    /// Answers to completions to come that are lost although they were recorded.
    pub(crate) complete_losses: usize,
    pub(crate) completions: usize,
    pub(crate) unknown_endpoints: bool,
    hold_claims: bool,
    held: Vec<Held>,
    pub(crate) replays: Vec<(SubscriptionId, u64)>,
}

impl FakeStore {
    pub(crate) fn new(started_at: Timestamp) -> Self {
        Self(Mutex::new(State {
            started_at,
            subscribers: BTreeMap::new(),
            rows: BTreeMap::new(),
            open: BTreeMap::new(),
            watchers: Vec::new(),
            claims: 0,
            wants: Vec::new(),
            released: Vec::new(),
            fenced_off: 0,
            due_faults: 0,
            claim_faults: 0,
            complete_faults: 0,
            poison: None,
            complete_losses: 0,
            completions: 0,
            unknown_endpoints: false,
            hold_claims: false,
            held: Vec::new(),
            replays: Vec::new(),
        }))
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(crate) fn subscribe(&self, account: AccountId, url: &str) -> SubscriptionId {
        let mut state = self.state();
        let id = SubscriptionId::from_u128(state.subscribers.len() as u128 + 1);
        let url = url.to_owned();
        state.subscribers.insert(id, Subscriber { account, url, enabled: true, failures: 0 });
        id
    }

    /// Opens a delivery about each thing, and tells of them.
    pub(crate) fn open(
        &self,
        subscription: SubscriptionId,
        things: impl Iterator<Item = String>,
        now: Timestamp,
    ) {
        let (key, watchers) = {
            let mut state = self.state();
            things.for_each(|thing| state.open(subscription, thing, now));
            ((state.subscribers[&subscription].account, subscription), state.watchers.clone())
        };
        watchers.iter().for_each(|watcher| watcher.deliveries_due(&[key]));
    }

    /// Opens a delivery that nobody is told of.
    pub(crate) fn open_silently(&self, subscription: SubscriptionId, now: Timestamp) {
        self.state().open(subscription, "prd_silent".to_owned(), now);
    }

    pub(crate) fn count(&self, which: impl Fn(&Row) -> bool) -> usize {
        self.state().rows.values().filter(|row| which(row)).count()
    }

    pub(crate) fn is_enabled(&self, subscription: SubscriptionId) -> bool {
        self.state().subscribers[&subscription].enabled
    }

    /// Holds the answers of claims back from now on.
    pub(crate) fn hold_claims(&self) {
        self.state().hold_claims = true;
    }

    pub(crate) fn claims_held(&self) -> usize {
        self.state().held.len()
    }

    /// Makes the claims as they would have been when they were asked for, and keeps their answers back.
    pub(crate) fn let_claims_go(&self) {
        let mut state = self.state();
        state.hold_claims = false;
        for (answer, wants, now, until) in std::mem::take(&mut state.held) {
            let claim = state.claim(&wants, now, until);
            answer.send(Ok(Done::now(claim)));
        }
    }

    /// Answers the claims held as if they had found nothing.
    pub(crate) fn let_claims_go_empty(&self) {
        let mut state = self.state();
        state.hold_claims = false;
        for (answer, _, now, until) in std::mem::take(&mut state.held) {
            let claim = state.claim(&[], now, until);
            answer.send(Ok(Done::now(claim)));
        }
    }
}

impl State {
    fn open(&mut self, subscription: SubscriptionId, entity: String, now: Timestamp) {
        let id = DeliveryId::from_u128(self.rows.len() as u128 + 1);
        let account = self.subscribers[&subscription].account;
        let row = Row {
            account,
            subscription,
            entity,
            state: DeliveryState::Attempting,
            attempts: Vec::new(),
            next_attempt_at: Some(now),
            claim: None,
        };
        self.rows.insert(id, row);
        self.open.entry(subscription).or_default().insert((now, id), ());
    }

    fn claim(&mut self, wants: &[Want], now: Timestamp, until: Timestamp) -> Claim {
        self.claims += 1;
        let id = ClaimId::from_u128(self.claims);
        let (mut endpoints, mut deliveries) = (Vec::new(), Vec::new());
        for Want { account, subscription, room } in wants {
            let subscriber = &self.subscribers[subscription];
            assert_eq!(subscriber.account, *account);
            if !subscriber.enabled {
                continue;
            }
            let open = self.open.entry(*subscription).or_default();
            let due: Vec<(Timestamp, DeliveryId)> = open
                .keys()
                .take_while(|(at, _)| *at <= now)
                .filter(|(_, id)| self.rows[id].claim.is_none_or(|(_, until)| until <= now))
                .take(*room as usize)
                .copied()
                .collect();
            if due.is_empty() {
                continue;
            }
            let secret = Secret::from_random([7; 32]);
            let url = subscriber.url.clone();
            if !self.unknown_endpoints {
                let subscription = *subscription;
                endpoints.push(Endpoint { subscription, url, secret, previous_secret: None });
            }
            for (at, delivery) in due {
                let row = self.rows.get_mut(&delivery).unwrap();
                row.claim = Some((id, until));
                // Out of the way until the claim ends, as the index of a database would have it.
                open.remove(&(at, delivery));
                open.insert((until, delivery), ());
                deliveries.push(Claimed {
                    account: *account,
                    subscription: *subscription,
                    delivery,
                    attempts: row.attempts.len() as u32,
                    event: EventId::from_u128(delivery.to_u128()),
                    event_name: "product.updated".to_owned(),
                    entity: row.entity.clone(),
                    body: format!("{{\"delivery\":\"{delivery}\"}}"),
                });
            }
        }
        Claim { id, until, endpoints, deliveries }
    }

    /// Puts a delivery where it is due.
    fn put(&mut self, delivery: DeliveryId, at: Option<Timestamp>) {
        let row = self.rows.get_mut(&delivery).unwrap();
        let (_, until) = row.claim.take().unwrap();
        row.next_attempt_at = at;
        let open = self.open.get_mut(&row.subscription).unwrap();
        open.remove(&(until, delivery)).unwrap();
        if let Some(at) = at {
            open.insert((at, delivery), ());
        }
    }

    fn complete(&mut self, ended: Vec<Ended>, failures_max: u32) -> Vec<SubscriptionId> {
        let mut outcomes: HashMap<SubscriptionId, Vec<bool>> = HashMap::new();
        for Ended { subscription, delivery, claim, attempt, next, .. } in ended {
            let row = self.rows.get_mut(&delivery).unwrap();
            if row.claim.is_none_or(|(held, _)| held != claim) {
                self.fenced_off += 1;
                continue;
            }
            assert_eq!(attempt.number as usize, row.attempts.len() + 1);
            row.attempts.push(attempt);
            row.state = match next {
                Next::Delivered => DeliveryState::Delivered,
                Next::Again(_) => DeliveryState::Attempting,
                Next::Failed => DeliveryState::Failed,
            };
            let at = if let Next::Again(at) = next { Some(at) } else { None };
            self.put(delivery, at);
            outcomes.entry(subscription).or_default().push(next == Next::Delivered);
        }
        let mut disabled = Vec::new();
        for (id, outcomes) in outcomes {
            let subscriber = self.subscribers.get_mut(&id).unwrap();
            let record = health::after(subscriber.failures, outcomes, failures_max);
            subscriber.failures = record.failures;
            if record.disable && subscriber.enabled {
                subscriber.enabled = false;
                disabled.push(id);
            }
        }
        disabled
    }
}

/// Whether a call fails this time.
fn fails(faults: &mut usize) -> bool {
    let fails = *faults > 0;
    *faults = faults.saturating_sub(1);
    fails
}

fn fault() -> Fault {
    Fault::Unavailable("told to fail".to_owned())
}

impl Deliveries for FakeStore {
    fn watch(&self, watcher: Arc<dyn Watcher>) {
        self.state().watchers.push(watcher);
    }

    fn due(&self) -> Pending<Result<Vec<Due>, Fault>> {
        let mut state = self.state();
        if fails(&mut state.due_faults) {
            return Pending::ready(Err(fault()));
        }
        let due = state.open.iter().filter_map(|(subscription, open)| {
            let subscriber = &state.subscribers[subscription];
            let ((at, _), ()) = open.first_key_value()?;
            let account = subscriber.account;
            subscriber.enabled.then_some(Due { account, subscription: *subscription, at: *at })
        });
        Pending::ready(Ok(due.collect()))
    }

    fn claim(
        &self,
        wants: Vec<Want>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Claim, ()>> {
        let mut state = self.state();
        assert!(state.held.is_empty(), "one claim at a time");
        let endpoints: HashSet<_> = wants.iter().map(|want| want.subscription).collect();
        assert_eq!(endpoints.len(), wants.len(), "each endpoint is named once");
        assert!(wants.iter().all(|want| want.room > 0) && wants.len() <= 1_000);
        assert!(until > now);
        state.wants.push(wants.clone());
        if fails(&mut state.claim_faults) {
            return Pending::ready(Err(fault().into()));
        }
        if state.hold_claims {
            let (answer, pending) = Pending::channel();
            state.held.push((answer, wants, now, until));
            return pending;
        }
        Pending::ready(Ok(Done::now(state.claim(&wants, now, until))))
    }

    fn complete(
        &self,
        ended: Vec<Ended>,
        failures_max: u32,
        _: Timestamp,
    ) -> Pending<Written<Vec<SubscriptionId>, ()>> {
        let mut state = self.state();
        state.completions += 1;
        assert!(ended.len() <= 256);
        let poisoned = ended.iter().any(|ended| Some(ended.delivery) == state.poison);
        if fails(&mut state.complete_faults) || poisoned {
            return Pending::ready(Err(fault().into()));
        }
        let disabled = state.complete(ended, failures_max);
        if fails(&mut state.complete_losses) {
            return Pending::ready(Err(fault().into()));
        }
        Pending::ready(Ok(Done::now(disabled)))
    }

    fn release(&self, unsent: Vec<Unsent>) -> Pending<Written<(), ()>> {
        let mut state = self.state();
        for Unsent { account, subscription, delivery, claim } in unsent {
            let row = &state.rows[&delivery];
            assert_eq!((row.account, row.subscription), (account, subscription));
            if row.claim.is_some_and(|(held, _)| held == claim) {
                let at = state.started_at;
                state.put(delivery, Some(at));
                state.released.push(delivery);
            }
        }
        Pending::ready(Ok(Done::now(())))
    }

    fn make_due(
        &self,
        latest: Vec<Timestamp>,
        now: Timestamp,
        _: Timestamp,
    ) -> Pending<Written<u64, ()>> {
        let mut state = self.state();
        let State { rows, open, .. } = &mut *state;
        let late = rows.iter_mut().filter(|(_, row)| {
            let last = latest[row.attempts.len().min(latest.len() - 1)];
            row.claim.is_none() && row.next_attempt_at.is_some_and(|at| at > last)
        });
        let mut made = 0;
        for (delivery, row) in late {
            let open = open.get_mut(&row.subscription).unwrap();
            open.remove(&(row.next_attempt_at.unwrap(), *delivery)).unwrap();
            open.insert((now, *delivery), ());
            row.next_attempt_at = Some(now);
            made += 1;
        }
        Pending::ready(Ok(Done::now(made)))
    }

    fn advance_replays(&self, now: Timestamp) -> Pending<Written<u64, ()>> {
        let mut state = self.state();
        let Some((subscription, left)) = state.replays.pop() else {
            return Pending::ready(Ok(Done::now(0)));
        };
        state.open(subscription, "prd_replayed".to_owned(), now);
        if left > 1 {
            state.replays.push((subscription, left - 1));
        }
        Pending::ready(Ok(Done::now(1)))
    }
}
