use std::{thread, time::Duration};

use dispatch::Settings;
use kernel::Clock;

use crate::world::{Behaviour, World, account, gauge, settings, until};

const URL: &str = "https://a.example";

#[test]
fn what_is_under_way_is_recorded_and_the_rest_given_back() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), URL);
    world.sender.tell(URL, Behaviour::Hangs);
    // All about one thing, so that one is under way and the others wait for it.
    let things = (0..5).map(|_| "prd_1".to_owned());
    world.store.open(endpoint, things, world.clock.now());
    let dispatcher = world.start();
    until("the others wait", || gauge(&dispatcher, "webhook_deliveries_waiting") == 4.0);
    let stopping = thread::spawn(move || dispatcher.stop());
    until("the others are given back", || world.store.state().released.len() == 4);
    assert!(!stopping.is_finished());
    world.open(endpoint, 1);
    world.sender.let_go();
    stopping.join().unwrap();
    assert_eq!(world.delivered(), 1);
    assert_eq!(world.sender.posts().len(), 1, "nothing more is claimed");
    assert_eq!(world.store.count(|row| row.claim.is_some()), 0);
}

#[test]
fn what_a_claim_under_way_brings_is_given_back() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), URL);
    let dispatcher = world.start();
    world.store.hold_claims();
    world.open(endpoint, 5);
    until("a claim is under way", || world.store.claims_held() == 1);
    let stopping = thread::spawn(move || drop(dispatcher));
    // Whether the claim is answered before the stop is heard of or after, nothing is left claimed.
    world.store.let_claims_go();
    stopping.join().unwrap();
    assert_eq!(world.store.count(|row| row.claim.is_some()), 0);
    let released = world.store.state().released.len();
    assert_eq!(released + world.delivered(), 5);
}

#[test]
fn what_never_ends_is_given_up() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), URL);
    world.sender.tell(URL, Behaviour::Hangs);
    world.open(endpoint, 3);
    let brief = Duration::from_millis(200);
    let dispatcher = world.start_with(Settings { exchange_timeout: brief, ..settings() });
    until("they hang", || world.sender.under_way(URL) == 3);
    dispatcher.stop();
    assert_eq!(world.sender.under_way(URL), 0);
    assert_eq!(world.delivered(), 0);
}

#[test]
fn another_dispatcher_goes_on_where_one_stopped() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), URL);
    world.open(endpoint, 5_000);
    let first = world.start();
    until("some are delivered", || world.delivered() > 100);
    first.stop();
    assert_eq!(world.store.count(|row| row.claim.is_some()), 0);
    let second = world.start();
    until("all are delivered", || world.delivered() == 5_000);
    assert_eq!(world.sender.posts().len(), 5_000, "none was sent twice");
    second.stop();
}

#[test]
fn a_dispatcher_can_be_started_and_dropped_anywhere() {
    let world = World::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async { drop(world.start()) });
}
