use std::time::Duration;

use dispatch::Settings;
use kernel::Clock;

use crate::world::{Behaviour, World, account, gauge, settings, until};

#[test]
fn a_hanging_endpoint_holds_nobody_up() {
    let world = World::new();
    let hanging = world.store.subscribe(account(1), "https://hanging.example");
    world.sender.tell("https://hanging.example", Behaviour::Hangs);
    let healthy: Vec<_> = (1..=5)
        .map(|number| {
            // One of them belongs to the same account.
            world.store.subscribe(account(number), &format!("https://healthy{number}.example"))
        })
        .collect();
    world.open(hanging, 1_000);
    let dispatcher = world.start();
    until("it hangs", || world.sender.under_way("https://hanging.example") == 8);
    for endpoint in &healthy {
        world.open(*endpoint, 500);
    }
    until("the others are delivered", || world.delivered() == 2_500);
    assert_eq!(world.delivered_to(hanging), 0);
    assert!(world.sender.under_way("https://hanging.example") <= 8);
    world.sender.let_go();
    dispatcher.stop();
}

#[test]
fn three_hundred_hanging_endpoints_hold_nobody_up() {
    let world = World::new();
    for number in 1..=300 {
        let url = format!("https://hanging{number}.example");
        let hanging = world.store.subscribe(account(number), &url);
        world.sender.tell(&url, Behaviour::Hangs);
        world.open(hanging, 20);
    }
    let healthy = world.store.subscribe(account(301), "https://healthy.example");
    world.open(healthy, 1_000);
    // Those that have timed out may use a quarter more: not while this lasts, however slow the machine is.
    let patient = Settings { exchange_timeout: Duration::from_secs(120), ..settings() };
    let dispatcher = world.start_with(patient);
    until("the healthy one has everything", || world.delivered_to(healthy) == 1_000);
    until("the others have their half", || {
        gauge(&dispatcher, "webhook_exchanges_in_flight") <= 512.0
    });
    world.sender.let_go();
    dispatcher.stop();
}

#[test]
fn an_endpoint_that_hangs_again_and_again_is_given_less() {
    let world = World::new();
    let url = "https://hanging.example";
    let hanging = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Answers(500));
    let dispatcher = world.start();
    world.open(hanging, 20);
    until("all have failed", || world.store.count(|row| row.attempts.len() == 1) == 20);
    world.sender.tell(url, Behaviour::Hangs);
    world.open(hanging, 20);
    until("it hangs", || world.sender.under_way(url) == 1);
    let healthy = world.store.subscribe(account(2), "https://healthy.example");
    world.open(healthy, 200);
    until("the other is delivered", || world.delivered_to(healthy) == 200);
    assert_eq!(world.sender.under_way(url), 1);
    world.sender.let_go();
    dispatcher.stop();
}

#[test]
fn a_disabled_endpoint_is_left_alone() {
    let world = World::new();
    let url = "https://failing.example";
    let failing = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Answers(500));
    let dispatcher = world.start_with(Settings { failures_max: 10, ..settings() });
    world.open(failing, 1_000);
    until("it is disabled", || !world.store.is_enabled(failing));
    until("nothing of it is left here", || {
        gauge(&dispatcher, "webhook_deliveries_waiting") == 0.0
            && gauge(&dispatcher, "webhook_exchanges_in_flight") == 0.0
            && gauge(&dispatcher, "webhook_attempts_unrecorded") == 0.0
            && world.store.count(|row| row.claim.is_some()) == 0
    });
    let sent = world.sender.posts().len();
    assert!(sent < 50, "{sent} attempts");
    world.clock.advance(Duration::from_secs(60));
    let healthy = world.store.subscribe(account(1), "https://healthy.example");
    world.open(healthy, 100);
    until("the other is delivered", || world.delivered() == 100);
    assert_eq!(world.sender.posts().len(), sent + 100);
    dispatcher.stop();
}

#[test]
fn what_waits_for_an_endpoint_that_is_disabled_is_given_back() {
    let world = World::new();
    let url = "https://failing.example";
    let failing = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Hangs);
    let things = (0..4).map(|_| "prd_1".to_owned());
    world.store.open(failing, things, world.clock.now());
    let dispatcher = world.start_with(Settings { failures_max: 1, ..settings() });
    until("three wait for the first", || {
        world.sender.under_way(url) == 1 && gauge(&dispatcher, "webhook_deliveries_waiting") == 3.0
    });
    world.sender.tell(url, Behaviour::Answers(500));
    world.open(failing, 1);
    until("they are given back", || world.store.state().released.len() == 3);
    assert_eq!(world.sender.posts().len(), 2);
    world.sender.let_go();
    // The success of the first comes too late, and is recorded all the same.
    until("the first is delivered", || world.delivered() == 1);
    assert!(!world.store.is_enabled(failing));
}
