use std::time::Duration;

use dispatch::Settings;
use kernel::Clock;
use webhooks::DeliveryId;

use crate::world::{Behaviour, World, account, settings, until};

fn body(delivery: u128) -> String {
    format!("{{\"delivery\":\"{}\"}}", DeliveryId::from_u128(delivery))
}

#[test]
fn what_is_about_one_thing_arrives_in_order() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    let things = (0..500).map(|number| format!("prd_{}", number % 5));
    world.store.open(endpoint, things, world.clock.now());
    let _dispatcher = world.start();
    until("all are delivered", || world.delivered() == 500);
    let posts = world.sender.posts();
    for thing in 0..5 {
        let about = |number: &u128| number % 5 == thing;
        let opened: Vec<String> = (0..500).filter(about).map(|number| body(number + 1)).collect();
        let arrived: Vec<&str> = posts.iter().map(|post| post.body.as_str()).collect();
        let arrived: Vec<&str> =
            arrived.into_iter().filter(|body| opened.iter().any(|known| known == body)).collect();
        assert_eq!(arrived, opened);
    }
}

#[test]
fn what_waits_for_its_forerunner_lets_others_pass() {
    let world = World::new();
    let url = "https://a.example";
    let endpoint = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Hangs);
    let things = ["a", "a", "a", "b", "c"].map(str::to_owned).into_iter();
    world.store.open(endpoint, things, world.clock.now());
    let dispatcher = world.start();
    until("three are under way", || world.sender.under_way(url) == 3);
    world.sender.let_go();
    until("all are delivered", || world.delivered() == 5);
    dispatcher.stop();
    assert_eq!(world.sender.posts().len(), 5);
}

#[test]
fn a_busy_account_leaves_others_their_turn() {
    let world = World::new();
    let busy: Vec<_> = (0..5)
        .map(|number| world.store.subscribe(account(1), &format!("https://busy{number}.example")))
        .collect();
    let calm = world.store.subscribe(account(2), "https://calm.example");
    busy.iter().for_each(|endpoint| world.open(*endpoint, 2_000));
    world.open(calm, 100);
    let _dispatcher = world.start();
    until("all are delivered", || world.delivered() == 10_100);
    let posts = world.sender.posts();
    let places = posts.iter().enumerate().filter(|(_, post)| post.url == "https://calm.example");
    let places: Vec<usize> = places.map(|(place, _)| place).collect();
    // A few may be sent once more, behind all others, by a machine that is too busy to record their ends in time.
    let place = places[89];
    assert!(place < 5_000, "nine tenths of the calm account's were there by number {place}");
}

#[test]
fn what_comes_while_a_claim_is_under_way_is_not_lost() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    // No sweep helps.
    let hour = Duration::from_secs(3_600);
    let _dispatcher = world.start_with(Settings { sweep_interval: hour, ..settings() });
    for opened in 1..=20 {
        world.store.hold_claims();
        // Told of without a delivery: the claim finds nothing.
        world.store.open(endpoint, std::iter::empty(), world.clock.now());
        until("a claim is under way", || world.store.claims_held() == 1);
        world.open(endpoint, 1);
        world.store.let_claims_go_empty();
        until("it is delivered", || world.delivered() == opened);
    }
}
