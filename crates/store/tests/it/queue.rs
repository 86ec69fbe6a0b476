//! The queue of deliveries: claimed once, fenced against workers that are gone, given back.

use std::{collections::BTreeSet, sync::Arc, thread};

use accounts::Accounts;
use crm::Customers;
use kernel::{AccountId, Timestamp};
use store::Store;
use testkit::{Database, DatabaseKind, on_both};
use webhooks::{
    Attempt, AttemptRecord, Claim, ClaimId, Claimed, Deliveries, Delivery, DeliveryDetail,
    DeliveryId, DeliveryQuery, DeliveryState, DisabledReason, Due, Ended, Issued, NewSubscription,
    Next, Subscription, SubscriptionChanges, SubscriptionId, Topics, Unsent, UpdateSubscription,
    Want, Webhooks,
};

use crate::batches::{ctx, somebody};

on_both!(
    what_is_claimed_is_out_of_reach_until_the_claim_ends,
    a_late_end_under_an_old_claim_changes_nothing,
    what_is_given_back_is_claimed_again_in_its_place,
    a_claim_has_room_and_an_order,
    disabled_and_deleted_webhooks_are_left_out,
    claims_side_by_side_never_overlap,
    the_earliest_time_is_told,
    what_was_scheduled_before_the_clock_was_set_back_is_made_due,
    ends_together_are_judged_together,
    an_end_is_recorded_once,
    a_claim_carries_what_signs_it,
    what_is_about_others_is_left_alone,
);

/// Subscribers of one account's events, and a worker who may be any of many.
struct Depot {
    store: Arc<Store>,
    account: AccountId,
    _database: Database,
}

/// So many seconds after the beginning.
const fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_000_000_000).plus_seconds(seconds)
}

impl Depot {
    fn open(kind: DatabaseKind) -> Self {
        let database = Database::fresh(kind);
        let store = Store::open(&database.settings()).unwrap();
        let account = store.create_account("Shop".to_owned(), 5, at(0)).wait().unwrap().unwrap();
        Self { store, account: account.value.id, _database: database }
    }

    fn ctx(&self, seconds: i64) -> kernel::Ctx {
        kernel::Ctx { now: at(seconds), ..ctx(self.account, None) }
    }

    fn subscribe(&self) -> SubscriptionId {
        let command = NewSubscription {
            url: "https://shop.example.com/".to_owned(),
            events: Topics::all(),
            description: None,
        };
        let made = Webhooks::create(&*self.store, self.ctx(0), command).wait().unwrap().unwrap();
        made.value.subscription.id
    }

    /// Lets something happen: a delivery to each subscriber, due at once.
    fn happen(&self, seconds: i64) {
        let made = Customers::create(&*self.store, self.ctx(seconds), somebody("Ana"));
        made.wait().unwrap().unwrap();
    }

    fn want(&self, subscription: SubscriptionId, room: u32) -> Want {
        Want { account: self.account, subscription, room }
    }

    /// Claims for ten seconds.
    fn claim(&self, subscription: SubscriptionId, room: u32, seconds: i64) -> Claim {
        self.claim_all(vec![self.want(subscription, room)], seconds)
    }

    fn claim_all(&self, wants: Vec<Want>, seconds: i64) -> Claim {
        self.store.claim(wants, at(seconds), at(seconds + 10)).wait().unwrap().unwrap().value
    }

    fn complete(&self, ended: Vec<Ended>, failures_max: u32, seconds: i64) -> Vec<SubscriptionId> {
        self.store.complete(ended, failures_max, at(seconds)).wait().unwrap().unwrap().value
    }

    fn release(&self, claim: &Claim, deliveries: &[Claimed]) {
        let unsent = deliveries.iter().map(|one| Unsent {
            account: one.account,
            subscription: one.subscription,
            delivery: one.delivery,
            claim: claim.id,
        });
        let unsent = unsent.collect();
        self.store.release(unsent).wait().unwrap().unwrap();
    }

    fn due(&self) -> Vec<Due> {
        self.store.due().wait().unwrap().unwrap()
    }

    fn show(&self, subscription: SubscriptionId) -> Subscription {
        Webhooks::get(&*self.store, self.account, subscription).wait().unwrap().unwrap().unwrap()
    }

    fn detail(&self, delivery: DeliveryId) -> DeliveryDetail {
        self.store.get_delivery(self.account, delivery).wait().unwrap().unwrap().unwrap()
    }

    /// The deliveries of a subscription, oldest first.
    fn deliveries(&self, subscription: SubscriptionId) -> Vec<Delivery> {
        let query = DeliveryQuery::default();
        let page = self.store.list_deliveries(self.account, subscription, query).wait().unwrap();
        let mut items = page.unwrap().unwrap().items;
        items.reverse();
        items
    }
}

/// The end of an attempt.
fn ended(claimed: &Claimed, claim: ClaimId, status: u16, next: Next) -> Ended {
    let record = AttemptRecord { status: Some(status), error: None, answer: None };
    let number = claimed.attempts + 1;
    Ended {
        account: claimed.account,
        subscription: claimed.subscription,
        delivery: claimed.delivery,
        claim,
        attempt: Attempt { number, started_at: at(0), duration_ms: 7, record },
        next,
    }
}

fn ids(claim: &Claim) -> Vec<DeliveryId> {
    claim.deliveries.iter().map(|one| one.delivery).collect()
}

fn what_is_claimed_is_out_of_reach_until_the_claim_ends(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let hook = depot.subscribe();
    depot.happen(0);
    let first = depot.claim(hook, 5, 1);
    assert_eq!((ids(&first).len(), first.until), (1, at(11)));
    assert_eq!(depot.detail(ids(&first)[0]).delivery.next_attempt_at, None, "it is under way");
    for seconds in [1, 5, 10] {
        assert_eq!(ids(&depot.claim(hook, 5, seconds)), []);
    }
    let second = depot.claim(hook, 5, 11);
    assert_eq!(ids(&second), ids(&first), "its worker is taken for dead");
    assert_ne!(second.id, first.id);
    assert_eq!(second.deliveries[0].attempts, 0, "nobody knows of an attempt");
    assert_eq!(second.deliveries[0].body, first.deliveries[0].body);
}

fn a_late_end_under_an_old_claim_changes_nothing(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let hook = depot.subscribe();
    depot.happen(0);
    let old = depot.claim(hook, 1, 0);
    let new = depot.claim(hook, 1, 10);
    let delivery = ids(&new)[0];
    let before = depot.detail(delivery);
    for next in [Next::Delivered, Next::Failed, Next::Again(at(99))] {
        let late = ended(&old.deliveries[0], old.id, 500, next);
        assert_eq!(depot.complete(vec![late], 1, 12), []);
        assert_eq!(depot.detail(delivery), before);
        assert_eq!(depot.show(hook).consecutive_failures, 0);
    }
    depot.release(&old, &old.deliveries);
    assert_eq!(ids(&depot.claim(hook, 1, 13)), [], "nor does it give back what is another's");

    depot.complete(vec![ended(&new.deliveries[0], new.id, 200, Next::Delivered)], 1, 14);
    let done = depot.detail(delivery);
    assert_eq!((done.delivery.state, done.attempts.len()), (DeliveryState::Delivered, 1));
    assert_eq!(done.delivery.finished_at, Some(at(14)));
    depot.complete(vec![ended(&old.deliveries[0], old.id, 500, Next::Again(at(20)))], 1, 15);
    assert_eq!(depot.detail(delivery), done);
    assert_eq!(ids(&depot.claim(hook, 1, 99)), []);
}

fn what_is_given_back_is_claimed_again_in_its_place(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let hook = depot.subscribe();
    (0..3).for_each(|seconds| depot.happen(seconds));
    let claim = depot.claim(hook, 2, 5);
    let (first, second) = (ids(&claim)[0], ids(&claim)[1]);
    depot.happen(6);
    depot.release(&claim, &claim.deliveries);
    for delivery in [first, second] {
        let detail = depot.detail(delivery);
        assert_eq!((detail.delivery.attempts, detail.attempts.len()), (0, 0), "no attempt");
        assert!(detail.delivery.next_attempt_at.is_some_and(|due| due <= at(8)));
    }
    let again = depot.claim(hook, 9, 8);
    let opened: Vec<DeliveryId> = depot.deliveries(hook).iter().map(|one| one.id).collect();
    assert_eq!(ids(&again), opened, "before what came later");

    // One that was attempted before keeps its count.
    let ends = again.deliveries.iter().map(|one| {
        let retried = one.delivery == first;
        let next = if retried { Next::Again(at(20)) } else { Next::Delivered };
        ended(one, again.id, if retried { 500 } else { 200 }, next)
    });
    depot.complete(ends.collect(), 100, 9);
    let claim = depot.claim(hook, 1, 20);
    assert_eq!((ids(&claim), claim.deliveries[0].attempts), (vec![first], 1));
    depot.release(&claim, &claim.deliveries);
    let claim = depot.claim(hook, 1, 21);
    assert_eq!(claim.deliveries[0].attempts, 1);
}

fn a_claim_has_room_and_an_order(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let hooks = [depot.subscribe(), depot.subscribe()];
    for seconds in [4, 2, 3, 1, 5] {
        depot.happen(seconds);
    }
    assert_eq!(ids(&depot.claim(hooks[0], 9, 0)), [], "nothing is due yet");
    let claim = depot.claim_all(vec![depot.want(hooks[0], 3), depot.want(hooks[1], 1)], 4);
    let of = |hook: SubscriptionId| {
        let own = claim.deliveries.iter().filter(|one| one.subscription == hook);
        let opened = own.map(|one| depot.detail(one.delivery).delivery.created_at);
        opened.collect::<Vec<_>>()
    };
    assert_eq!(of(hooks[0]), [at(1), at(2), at(3)], "the one due first in front");
    assert_eq!(of(hooks[1]), [at(1)]);
    let places: Vec<SubscriptionId> = claim.deliveries.iter().map(|one| one.subscription).collect();
    assert!(places.is_sorted(), "by endpoint: {places:?}");
    let rest = depot.claim_all(vec![depot.want(hooks[0], 9), depot.want(hooks[1], 9)], 4);
    assert_eq!(rest.deliveries.len(), 1 + 3, "what is due later stays");
    assert_eq!(depot.claim_all(Vec::new(), 9).deliveries, []);
    assert_eq!(ids(&depot.claim(hooks[0], 0, 9)), []);
}

fn disabled_and_deleted_webhooks_are_left_out(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let [enabled, disabled, deleted] = [(); 3].map(|()| depot.subscribe());
    depot.happen(0);
    Webhooks::disable(&*depot.store, depot.ctx(1), disabled).wait().unwrap().unwrap();
    Webhooks::delete(&*depot.store, depot.ctx(1), deleted, None).wait().unwrap().unwrap();
    let due: Vec<SubscriptionId> = depot.due().iter().map(|due| due.subscription).collect();
    assert_eq!(due, [enabled]);
    let wants = [enabled, disabled, deleted].map(|hook| depot.want(hook, 9)).to_vec();
    let claim = depot.claim_all(wants.clone(), 2);
    let claimed: Vec<_> = claim.deliveries.iter().map(|one| one.subscription).collect();
    assert_eq!(claimed, [enabled]);
    depot.happen(3);
    assert_eq!(depot.deliveries(disabled).len(), 1, "nothing new is opened");
    Webhooks::enable(&*depot.store, depot.ctx(4), disabled).wait().unwrap().unwrap();
    let claim = depot.claim_all(wants, 4);
    let claimed: BTreeSet<_> = claim.deliveries.iter().map(|one| one.subscription).collect();
    assert_eq!(claimed, [enabled, disabled].into());
}

fn claims_side_by_side_never_overlap(kind: DatabaseKind) {
    const EVENTS: usize = 60;
    let depot = Depot::open(kind);
    let hooks = [depot.subscribe(), depot.subscribe()];
    (0..EVENTS).for_each(|_| depot.happen(0));
    let claimed: Vec<DeliveryId> = thread::scope(|scope| {
        let workers: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    let mut misses = 0;
                    // What others hold locked is passed over, so that one miss proves nothing.
                    while misses < 5 {
                        let wants = hooks.map(|hook| depot.want(hook, 3)).to_vec();
                        let claim = depot.claim_all(wants, 1);
                        misses = if claim.deliveries.is_empty() { misses + 1 } else { 0 };
                        mine.extend(ids(&claim));
                    }
                    mine
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let distinct: BTreeSet<DeliveryId> = claimed.iter().copied().collect();
    assert_eq!((claimed.len(), distinct.len()), (2 * EVENTS, 2 * EVENTS));
}

fn the_earliest_time_is_told(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let (hook, idle) = (depot.subscribe(), depot.subscribe());
    let changes = SubscriptionChanges {
        events: Some(Topics::parse(&["deal.won"]).unwrap()),
        ..SubscriptionChanges::default()
    };
    let command = UpdateSubscription { id: idle, version: None, changes };
    Webhooks::update(&*depot.store, depot.ctx(0), command).wait().unwrap().unwrap();
    assert_eq!(depot.due(), []);
    let due_at = |seconds| [Due { account: depot.account, subscription: hook, at: at(seconds) }];
    depot.happen(7);
    depot.happen(3);
    assert_eq!(depot.due(), due_at(3));
    let claim = depot.claim(hook, 1, 3);
    assert_eq!(depot.due(), due_at(7));
    let other = depot.claim(hook, 1, 7);
    assert_eq!(depot.due(), due_at(13), "the earliest end of a claim");
    depot.complete(vec![ended(&claim.deliveries[0], claim.id, 500, Next::Again(at(50)))], 9, 8);
    assert_eq!(depot.due(), due_at(17));
    depot.complete(vec![ended(&other.deliveries[0], other.id, 200, Next::Delivered)], 9, 8);
    assert_eq!(depot.due(), due_at(50));
    let last = depot.claim(hook, 1, 50);
    depot.complete(vec![ended(&last.deliveries[0], last.id, 500, Next::Failed)], 9, 51);
    assert_eq!(depot.due(), []);
}

fn what_was_scheduled_before_the_clock_was_set_back_is_made_due(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let subscription = depot.subscribe();
    // One is due an hour and five seconds after the present, another after half an hour, as its schedule says.
    depot.happen(3_600);
    depot.happen(0);
    let first = depot.claim(subscription, 1, 0);
    let again = Next::Again(at(1_800));
    let _ = depot.complete(vec![ended(&first.deliveries[0], first.id, 500, again)], 100, 0);
    let latest = |seconds: i64| vec![at(seconds + 60), at(seconds + 1_860), at(seconds + 60)];
    let make_due = |seconds: i64| {
        let made = depot.store.make_due(latest(seconds), at(seconds), at(seconds + 30));
        made.wait().unwrap().unwrap().value
    };
    assert_eq!((make_due(0), make_due(0)), (1, 0));
    assert_eq!(depot.due()[0].at, at(0));
    assert_eq!(depot.claim(subscription, 9, 0).deliveries.len(), 1);
    // Under a claim that would not end for an hour, too.
    assert_eq!((make_due(-3_600), make_due(-3_600)), (2, 0));
    assert_eq!(depot.claim(subscription, 9, -3_600).deliveries.len(), 1);
    assert_eq!(depot.claim(subscription, 9, -3_500).deliveries.len(), 2);
}

fn ends_together_are_judged_together(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let [fails, recovers] = [(); 2].map(|()| depot.subscribe());
    (0..4).for_each(|_| depot.happen(0));
    let wants = [fails, recovers].map(|hook| depot.want(hook, 9)).to_vec();
    let claim = depot.claim_all(wants, 0);
    assert_eq!(claim.deliveries.len(), 8);
    let mut seen = 0;
    let ends = claim.deliveries.iter().map(|one| {
        if one.subscription == fails {
            return ended(one, claim.id, 500, Next::Again(at(5)));
        }
        seen += 1;
        // Two fail, one succeeds, one fails.
        if seen == 3 {
            ended(one, claim.id, 200, Next::Delivered)
        } else {
            ended(one, claim.id, 503, Next::Again(at(5)))
        }
    });
    let disabled = depot.complete(ends.collect(), 3, 1);
    assert_eq!(disabled, [fails]);
    let (failing, other) = (depot.show(fails), depot.show(recovers));
    assert_eq!((failing.consecutive_failures, other.consecutive_failures), (4, 1));
    assert_eq!((failing.version, other.disabled), (1, None), "no change of its owner's");
    let disabled = failing.disabled.unwrap();
    assert_eq!((disabled.reason, disabled.at), (DisabledReason::Failures, at(1)));
    let states = depot.deliveries(fails).into_iter().map(|one| one.state);
    assert!(states.into_iter().all(|state| state == DeliveryState::Attempting), "they wait");
    let claim = depot.claim(recovers, 9, 5);
    let ends = claim.deliveries.iter().map(|one| ended(one, claim.id, 200, Next::Delivered));
    assert_eq!(depot.complete(ends.collect(), 3, 6), []);
    assert_eq!(depot.show(recovers).consecutive_failures, 0, "all were delivered");
    assert_eq!(depot.show(fails).consecutive_failures, 4, "it is another's");
}

fn an_end_is_recorded_once(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let hook = depot.subscribe();
    depot.happen(0);
    for number in 1..=3 {
        let claim = depot.claim(hook, 1, i64::from(number) * 20);
        let end = ended(&claim.deliveries[0], claim.id, 500, Next::Again(at(1)));
        // The answer to the first was lost.
        for _ in 0..2 {
            depot.complete(vec![end.clone()], 100, 1);
        }
        let detail = depot.detail(ids(&claim)[0]);
        let numbers: Vec<u32> = detail.attempts.iter().map(|attempt| attempt.number).collect();
        assert_eq!(numbers, (1..=number).collect::<Vec<_>>());
        assert_eq!(detail.delivery.attempts, number);
        assert_eq!(depot.show(hook).consecutive_failures, number);
    }
}

fn a_claim_carries_what_signs_it(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let hook = depot.subscribe();
    depot.happen(0);
    let claim = depot.claim(hook, 1, 0);
    let endpoint = claim.endpoints[0].clone();
    assert_eq!((endpoint.subscription, endpoint.previous_secret), (hook, None));
    assert_eq!(endpoint.url, "https://shop.example.com/");
    let rotated: Issued =
        depot.store.rotate_secret(depot.ctx(1), hook).wait().unwrap().unwrap().value;
    let until = rotated.subscription.previous_secret_until.unwrap();
    let claim = depot.claim(hook, 1, 10);
    assert_eq!(claim.endpoints[0].secret, rotated.secret);
    assert_eq!(claim.endpoints[0].previous_secret, Some(endpoint.secret));
    let want = vec![depot.want(hook, 1)];
    let claim = depot.store.claim(want, until, until.plus_seconds(1)).wait().unwrap().unwrap();
    assert_eq!(claim.value.endpoints[0].previous_secret, None, "its time is over");
    let changes = SubscriptionChanges {
        url: Some("https://other.example.com/".to_owned()),
        ..SubscriptionChanges::default()
    };
    let command = UpdateSubscription { id: hook, version: None, changes };
    Webhooks::update(&*depot.store, depot.ctx(2), command).wait().unwrap().unwrap();
    let moved =
        depot.store.claim(vec![depot.want(hook, 1)], until.plus_seconds(2), until.plus_seconds(3));
    let moved = moved.wait().unwrap().unwrap().value;
    assert_eq!(moved.endpoints[0].url, "https://other.example.com/");
    assert_eq!(moved.endpoints[0].secret, rotated.secret);
    let claimed = &claim.value.deliveries[0];
    assert_eq!(claimed.event_name, "contact.created");
    assert!(claimed.body.contains(&claimed.entity) && claimed.body.contains("contact.created"));
}

fn what_is_about_others_is_left_alone(kind: DatabaseKind) {
    let depot = Depot::open(kind);
    let hook = depot.subscribe();
    depot.happen(0);
    let other = depot.store.create_account("Other".to_owned(), 5, at(0)).wait().unwrap().unwrap();
    let other = other.value.id;
    let foreign = Want { account: other, subscription: hook, room: 9 };
    assert_eq!(depot.claim_all(vec![foreign], 1).deliveries, []);
    let claim = depot.claim(hook, 1, 1);
    let mut end = ended(&claim.deliveries[0], claim.id, 200, Next::Delivered);
    end.account = other;
    depot.complete(vec![end], 1, 1);
    let delivery = ids(&claim)[0];
    let unsent = vec![Unsent { account: other, subscription: hook, delivery, claim: claim.id }];
    depot.store.release(unsent).wait().unwrap().unwrap();
    assert_eq!(depot.deliveries(hook)[0].attempts, 0);
    assert_eq!(ids(&depot.claim(hook, 1, 3)), [], "still under its claim");
}
