use std::collections::BTreeMap;

use kernel::id::EventId;
use webhooks::{Claim, DeliveryId, Due, Secret, Want};

use super::*;
use crate::jitter::Jitter;

const LIMITS: Limits = Limits { in_flight: 1_024, account: 512, endpoint: 64 };
const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);
const UNTIL: Timestamp = NOW.plus_seconds(15);

fn key(account: u128, subscription: u128) -> Key {
    (AccountId::from_u128(account), SubscriptionId::from_u128(subscription))
}

fn delivery(key: Key, number: u128, entity: &str) -> Claimed {
    Claimed {
        account: key.0,
        subscription: key.1,
        delivery: DeliveryId::from_u128(number),
        attempts: 0,
        event: EventId::from_u128(number),
        event_name: "product.updated".to_owned(),
        entity: entity.to_owned(),
        body: "{}".to_owned(),
    }
}

fn claim(deliveries: Vec<Claimed>, until: Timestamp) -> Claim {
    let mut endpoints = BTreeMap::new();
    for delivery in &deliveries {
        let subscription = delivery.subscription;
        let url = format!("https://{subscription}.example");
        let secret = Secret::from_random([7; 32]);
        let endpoint = Endpoint { subscription, url, secret, previous_secret: None };
        endpoints.insert(subscription, endpoint);
    }
    let id = ClaimId::from_u128(1);
    Claim { id, until, endpoints: endpoints.into_values().collect(), deliveries }
}

/// A store with as many deliveries for each endpoint as said, and exchanges that end when told.
struct World {
    scheduler: Scheduler,
    stock: BTreeMap<Key, usize>,
    made: u128,
    under_way: Vec<ReadyDelivery>,
    claims: usize,
}

impl World {
    fn new(limits: Limits) -> Self {
        let (stock, under_way) = (BTreeMap::new(), Vec::new());
        Self { scheduler: Scheduler::new(limits), stock, made: 0, under_way, claims: 0 }
    }

    fn with(mut self, key: Key, count: usize) -> Self {
        self.stock(key, count);
        self
    }

    fn stock(&mut self, key: Key, count: usize) {
        *self.stock.entry(key).or_default() += count;
        self.scheduler.hint(key);
    }

    /// Claims and sends until nothing moves.
    fn run(&mut self) {
        loop {
            let sent = self.send();
            if !self.claim() && sent == 0 {
                return;
            }
        }
    }

    fn send(&mut self) -> usize {
        let before = self.under_way.len();
        while let Some(ready) = self.scheduler.take(NOW) {
            self.under_way.push(ready);
        }
        self.under_way.len() - before
    }

    fn claim(&mut self) -> bool {
        let wants = self.scheduler.wants();
        if wants.is_empty() {
            return false;
        }
        self.claims += 1;
        let given = self.given(&wants);
        assert!(self.scheduler.claimed(&wants, claim(given, UNTIL)).is_empty());
        true
    }

    fn given(&mut self, wants: &[Want]) -> Vec<Claimed> {
        let mut given = Vec::new();
        for Want { account, subscription, room } in wants {
            let key = (*account, *subscription);
            let left = self.stock.entry(key).or_default();
            let count = (*left).min(*room as usize);
            *left -= count;
            for _ in 0..count {
                self.made += 1;
                given.push(delivery(key, self.made, &format!("prd_{}", self.made)));
            }
        }
        given
    }

    fn end(&mut self, which: impl Fn(Key) -> bool, delivered: bool) -> usize {
        let over = |ready: &mut ReadyDelivery| which(key_of(ready));
        let over: Vec<ReadyDelivery> = self.under_way.extract_if(.., over).collect();
        for ready in &over {
            let key = key_of(ready);
            let shed = self.scheduler.ended(key, &ready.delivery.entity, delivered);
            self.stock(key, shed.len());
        }
        over.len()
    }

    fn in_flight(&self, which: impl Fn(Key) -> bool) -> usize {
        self.under_way.iter().filter(|ready| which(key_of(ready))).count()
    }
}

fn key_of(ready: &ReadyDelivery) -> Key {
    (ready.delivery.account, ready.delivery.subscription)
}

#[test]
fn a_window_grows_with_success_and_halves_with_failure() {
    let mut world = World::new(LIMITS).with(key(1, 1), 100_000);
    world.run();
    assert_eq!(world.under_way.len(), 8);
    let mut sizes = Vec::new();
    for delivered in [true, true, true, true, false, true] {
        let ended = world.under_way.pop().unwrap();
        let shed = world.scheduler.ended(key(1, 1), &ended.delivery.entity, delivered);
        world.stock(key(1, 1), shed.len());
        world.run();
        sizes.push(world.under_way.len());
    }
    // One ended each time; the failure of a window of 12 leaves 6, which the 11 under way exceed.
    assert_eq!(sizes, [9, 10, 11, 12, 11, 10]);
    for _ in 0..10 {
        world.end(|_| true, true);
        world.run();
    }
    assert_eq!(world.under_way.len(), 64, "never more than the limit");
    world.end(|_| true, false);
    world.run();
    assert_eq!(world.under_way.len(), 1, "never less than one");
}

#[test]
fn a_trusted_endpoint_has_two_windows_at_hand_and_a_failing_one_gives_them_back() {
    let mut world = World::new(LIMITS).with(key(1, 1), 1_000);
    world.run();
    assert_eq!(world.scheduler.figures().waiting, 0, "nothing is known of it yet");
    world.end(|_| true, true);
    world.run();
    assert_eq!(
        world.scheduler.figures(),
        Figures { in_flight: 16, waiting: 32, ..Figures::default() }
    );
    let ended = world.under_way.pop().unwrap();
    let shed = world.scheduler.ended(key(1, 1), &ended.delivery.entity, false);
    assert_eq!(shed.len(), 24);
    assert_eq!(
        world.scheduler.figures(),
        Figures { in_flight: 15, waiting: 8, ..Figures::default() }
    );
}

#[test]
fn deliveries_about_the_same_thing_follow_each_other_and_others_pass() {
    let mut scheduler = Scheduler::new(LIMITS);
    let key = key(1, 1);
    scheduler.hint(key);
    let wants = scheduler.wants();
    let things = ["a", "a", "b", "a", "c"];
    let deliveries = (1..).zip(things).map(|(number, thing)| delivery(key, number, thing));
    assert!(scheduler.claimed(&wants, claim(deliveries.collect(), UNTIL)).is_empty());
    let take = |scheduler: &mut Scheduler| -> Vec<u128> {
        let taken = std::iter::from_fn(|| scheduler.take(NOW));
        taken.map(|ready| ready.delivery.delivery.to_u128()).collect()
    };
    assert_eq!(take(&mut scheduler), [1, 3, 5]);
    assert!(scheduler.ended(key, "b", true).is_empty());
    assert_eq!(take(&mut scheduler), [0; 0]);
    assert!(scheduler.ended(key, "a", false).is_empty());
    assert_eq!(take(&mut scheduler), [2]);
    assert!(scheduler.ended(key, "a", true).is_empty());
    assert_eq!(take(&mut scheduler), [4]);
}

#[test]
fn accounts_take_turns_and_endpoints_within_them() {
    let limits = Limits { in_flight: 16, ..LIMITS };
    let mut world = World::new(limits);
    for endpoint in 1..=7 {
        world.stock(key(1, endpoint), 50);
    }
    world.stock(key(2, 8), 50);
    world.run();
    // New endpoints have half of all, and each account half of that.
    assert_eq!(world.in_flight(|key| key.0.to_u128() == 2), 4);
    for endpoint in 1..=4 {
        assert_eq!(world.in_flight(|key| key.1.to_u128() == endpoint), 1, "{endpoint}");
    }
    // Once trusted, both accounts have half of the whole.
    for _ in 0..20 {
        world.end(|_| true, true);
        world.run();
    }
    world.stock(key(2, 8), 500);
    for endpoint in 1..=7 {
        world.stock(key(1, endpoint), 500);
    }
    for _ in 0..20 {
        world.end(|_| true, true);
        world.run();
    }
    assert_eq!(world.in_flight(|key| key.0.to_u128() == 2), 8);
}

#[test]
fn no_account_has_more_than_its_limit() {
    let limits = Limits { in_flight: 100, account: 20, endpoint: 64 };
    let mut world = World::new(limits);
    for endpoint in 1..=10 {
        world.stock(key(1, endpoint), 1_000);
    }
    for _ in 0..20 {
        world.run();
        assert!(world.under_way.len() <= 20);
        assert!(world.scheduler.figures().waiting <= 40);
        world.end(|_| true, true);
    }
    world.run();
    world.stock(key(2, 11), 1);
    world.run();
    assert_eq!(world.in_flight(|key| key.0.to_u128() == 1), 20);
    assert_eq!(world.in_flight(|key| key.0.to_u128() == 2), 1);
}

#[test]
fn hundreds_of_hanging_endpoints_leave_the_healthy_one_its_room() {
    let healthy = |key: Key| key.0.to_u128() == 301;
    let mut world = World::new(LIMITS);
    for account in 1..=300 {
        world.stock(key(account, account), 100);
    }
    world.stock(key(301, 301), 1_000);
    let mut delivered = 0;
    for _ in 0..200 {
        world.run();
        delivered += world.end(healthy, true);
    }
    assert_eq!(delivered, 1_000);
    // All but the healthy one failed: from now on they share a quarter.
    world.end(|key| !healthy(key), false);
    for _ in 0..10 {
        world.run();
        assert_eq!(world.in_flight(|key| !healthy(key)), 256);
        world.end(|key| !healthy(key), false);
    }
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..3 {
        world.run();
        seen.extend(world.under_way.iter().map(key_of));
        world.end(|_| true, false);
    }
    assert_eq!(seen.len(), 300, "each of them has its turn");
}

#[test]
fn a_claim_names_only_those_with_room_and_shares_what_it_wants() {
    let mut world = World::new(LIMITS);
    world.stock(key(1, 1), 1_000);
    world.run();
    world.scheduler.hint(key(1, 1));
    assert_eq!(world.scheduler.wants(), [], "its window is full");
    let mut scheduler = Scheduler::new(LIMITS);
    for number in 1..=600 {
        scheduler.hint(key(number, number));
    }
    let wants = scheduler.wants();
    assert_eq!(wants.len(), 256);
    assert!(wants.iter().all(|want| want.room == 1));
    assert!(scheduler.claimed(&wants, claim(Vec::new(), UNTIL)).is_empty());
    let others = scheduler.wants();
    assert_eq!(others.len(), 256);
    assert!(others.iter().all(|want| !wants.contains(want)), "those left out come next");
}

#[test]
fn a_short_answer_ends_the_asking_unless_more_was_heard_of_meanwhile() {
    let mut scheduler = Scheduler::new(LIMITS);
    let key = key(1, 1);
    scheduler.hint(key);
    let wants = scheduler.wants();
    assert_eq!(wants.len(), 1);
    assert_eq!(scheduler.wants(), [], "asked already");
    scheduler.hint(key);
    assert!(scheduler.claimed(&wants, claim(Vec::new(), UNTIL)).is_empty());
    let wants = scheduler.wants();
    assert_eq!(wants.len(), 1, "the hint came after the claim was made");
    assert!(scheduler.claimed(&wants, claim(vec![delivery(key, 1, "a")], UNTIL)).is_empty());
    assert_eq!(scheduler.wants(), []);
    scheduler.hint(key);
    let wants = scheduler.wants();
    scheduler.claim_failed(&wants);
    assert_eq!(scheduler.wants(), wants, "still wanted");
}

#[test]
fn what_is_due_later_is_claimed_then() {
    let mut scheduler = Scheduler::new(LIMITS);
    let (one, other) = (key(1, 1), key(2, 2));
    scheduler.retry(one, NOW.plus_seconds(5));
    scheduler.retry(one, NOW.plus_seconds(9));
    let due = Due { account: other.0, subscription: other.1, at: NOW.plus_seconds(7) };
    scheduler.swept(&[due], NOW, NOW);
    assert_eq!(scheduler.next_due(), Some(NOW.plus_seconds(5)));
    scheduler.wake(NOW.plus_seconds(4));
    assert_eq!(scheduler.wants(), []);
    scheduler.wake(NOW.plus_seconds(5));
    assert_eq!(scheduler.wants().len(), 1);
    assert_eq!(scheduler.next_due(), Some(NOW.plus_seconds(7)));
    scheduler.swept(&[Due { at: NOW.plus_seconds(6), ..due }], NOW, NOW);
    assert_eq!(scheduler.next_due(), Some(NOW.plus_seconds(6)));
    scheduler.swept(&[], NOW, NOW);
    assert_eq!(scheduler.next_due(), None);
    scheduler.swept(&[due], NOW.plus_seconds(8), NOW);
    assert_eq!(scheduler.wants().len(), 1);
}

#[test]
fn a_delivery_whose_claim_is_about_to_end_is_not_sent() {
    let mut scheduler = Scheduler::new(LIMITS);
    let key = key(1, 1);
    scheduler.hint(key);
    let wants = scheduler.wants();
    let deliveries = vec![delivery(key, 1, "a"), delivery(key, 2, "a")];
    assert!(scheduler.claimed(&wants, claim(deliveries, UNTIL)).is_empty());
    assert!(scheduler.take(UNTIL).is_some());
    scheduler.swept(&[], NOW, UNTIL.plus_seconds(1));
    assert_eq!(scheduler.figures().expired, 1, "dropped though it waited for another");
    assert_eq!(scheduler.figures().waiting, 0);
    assert_eq!(scheduler.next_due(), Some(UNTIL));
    scheduler.wake(UNTIL);
    let wants = scheduler.wants();
    let claim = claim(vec![delivery(key, 2, "b")], UNTIL);
    assert!(scheduler.claimed(&wants, claim).is_empty());
    assert!(scheduler.take(UNTIL.plus_seconds(1)).is_none());
    assert_eq!(scheduler.figures(), Figures { in_flight: 1, busy: 1, expired: 2, waiting: 0 });
}

#[test]
fn a_newer_claim_replaces_the_secrets() {
    let mut scheduler = Scheduler::new(LIMITS);
    let key = key(1, 1);
    scheduler.hint(key);
    let wants = scheduler.wants();
    assert!(scheduler.claimed(&wants, claim(vec![delivery(key, 1, "a")], UNTIL)).is_empty());
    let mut newer = claim(vec![delivery(key, 2, "b")], UNTIL);
    newer.endpoints[0].secret = Secret::from_random([8; 32]);
    assert!(scheduler.claimed(&[], newer).is_empty());
    let sent = scheduler.take(NOW).unwrap();
    assert_eq!(sent.endpoint.secret, Secret::from_random([8; 32]));
}

#[test]
fn what_cannot_be_placed_or_is_disabled_is_given_back() {
    let mut scheduler = Scheduler::new(LIMITS);
    let key = key(1, 1);
    let mut lost = claim(vec![delivery(key, 1, "a")], UNTIL);
    lost.endpoints.clear();
    assert_eq!(scheduler.claimed(&[], lost).len(), 1);
    let claim = claim(vec![delivery(key, 2, "a"), delivery(key, 3, "b")], UNTIL);
    assert!(scheduler.claimed(&[], claim).is_empty());
    scheduler.retry(key, NOW);
    let unsent = scheduler.silence(key.1);
    assert_eq!(unsent.len(), 2);
    assert!(scheduler.take(NOW).is_none());
    assert_eq!((scheduler.next_due(), scheduler.wants().len()), (None, 0));
}

#[test]
fn idle_endpoints_are_forgotten_in_time() {
    let mut world = World::new(LIMITS);
    for number in 1..=50 {
        world.stock(key(number, number), 1);
    }
    world.run();
    for _ in 0..100 {
        world.scheduler.swept(&[], NOW, NOW);
    }
    assert_eq!(world.scheduler.queues.len(), 50, "they have exchanges under way");
    world.end(|_| true, true);
    world.run();
    for _ in 0..60 {
        world.scheduler.swept(&[], NOW, NOW);
    }
    assert!(world.scheduler.queues.is_empty());
    assert_eq!(world.scheduler.figures(), Figures::default());
    assert_eq!(world.scheduler.tallies.total, Counts::default());
}

#[test]
fn limits_hold_whatever_happens() {
    let limits = Limits { in_flight: 40, account: 20, endpoint: 16 };
    let mut world = World::new(limits);
    let mut random = Jitter::from_system();
    let mut below = |most: usize| (random.next() * most as f64) as usize;
    for _ in 0..20_000 {
        match below(6) {
            0 => {
                let number = below(30) as u128;
                world.stock(key(number % 5, number), below(40));
            }
            1 => _ = world.claim(),
            2 => _ = world.send(),
            3 | 4 if !world.under_way.is_empty() => {
                let ended = world.under_way.swap_remove(below(world.under_way.len()));
                let delivered = below(3) > 0;
                let key = key_of(&ended);
                let shed = world.scheduler.ended(key, &ended.delivery.entity, delivered);
                world.stock(key, shed.len());
            }
            _ => {
                let sendable = if below(10) == 0 { UNTIL.plus_seconds(1) } else { NOW };
                world.scheduler.swept(&[], NOW, sendable);
            }
        }
        let scheduler = &world.scheduler;
        let mut total = Counts::default();
        for queue in scheduler.queues.values() {
            let Counts { in_flight, waiting, asked } = queue.counts();
            total.in_flight += in_flight;
            total.waiting += waiting;
            total.asked += asked;
            assert!((1..=16).contains(&queue.window));
            assert_eq!(queue.entities.len(), in_flight);
        }
        assert_eq!(total, scheduler.tallies.total);
        assert_eq!(total.in_flight, world.under_way.len());
        assert!(total.in_flight <= 40 && total.waiting + total.asked <= 80, "{total:?}");
        for account in 0..5 {
            assert!(world.in_flight(|key| key.0.to_u128() == account) <= 20);
        }
    }
    // Whatever happened, all that is left gets through.
    while world.stock.values().any(|left| *left > 0) || !world.under_way.is_empty() {
        world.run();
        assert!(world.end(|_| true, true) > 0, "nothing moves");
    }
}
