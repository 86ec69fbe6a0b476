use std::{collections::HashSet, time::Duration};

use dispatch::Settings;
use webhooks::{DeliveryState, Post, Secret, signing};

use crate::world::{Behaviour, World, account, gauge, settings, until};

fn header<'a>(post: &'a Post, name: &str) -> &'a str {
    post.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value).unwrap()
}

#[test]
fn every_delivery_arrives_once_and_signed() {
    let world = World::new();
    let mut endpoints = Vec::new();
    for number in 1..=20 {
        for name in ["a", "b", "c"] {
            let url = format!("https://{name}{number}.example");
            endpoints.push(world.store.subscribe(account(number), &url));
        }
    }
    let dispatcher = world.start();
    for _ in 0..3 {
        endpoints.iter().for_each(|endpoint| world.open(*endpoint, 10));
    }
    until("all are delivered", || world.delivered() == 1_800);
    let posts = world.sender.posts();
    assert_eq!(posts.len(), 1_800);
    let name = "x-service-delivery-id";
    let distinct: HashSet<&str> = posts.iter().map(|post| header(post, name)).collect();
    assert_eq!(distinct.len(), 1_800);
    let secret = Secret::from_random([7; 32]);
    for post in &*posts {
        assert_eq!(header(post, "x-service-attempt"), "1");
        let signature = header(post, "x-service-signature-256");
        assert!(signing::verify_256(secret.reveal(), post.body.as_bytes(), signature));
    }
    drop(posts);
    assert_eq!(gauge(&dispatcher, "webhook_attempts_delivered_total"), 1_800.0);
    until("nothing is under way", || {
        gauge(&dispatcher, "webhook_exchanges_in_flight") == 0.0
            && gauge(&dispatcher, "webhook_deliveries_waiting") == 0.0
    });
    dispatcher.stop();
    assert_eq!(world.store.count(|row| row.claim.is_some()), 0);
    assert_eq!(world.store.state().fenced_off, 0);
}

#[test]
fn a_hint_is_enough() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    let hour = Duration::from_secs(3_600);
    let _dispatcher = world.start_with(Settings { sweep_interval: hour, ..settings() });
    for opened in 1..=20 {
        world.open(endpoint, 1);
        until("it is delivered", || world.delivered() == opened);
    }
}

#[test]
fn what_nobody_told_of_is_found() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    let _dispatcher = world.start();
    for opened in 1..=3 {
        world.store.open_silently(endpoint, kernel::Clock::now(&*world.clock));
        until("it is delivered", || world.delivered() == opened);
    }
}

#[test]
fn six_attempts_are_made_and_then_it_has_failed() {
    let world = World::new();
    let url = "https://a.example";
    let endpoint = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Answers(503));
    world.open(endpoint, 5);
    let _dispatcher = world.start();
    for made in 1..=6 {
        until("the attempts are recorded", || {
            world.store.count(|row| row.attempts.len() == made) == 5
        });
        world.clock.advance(Duration::from_secs(1));
        assert_eq!(world.store.count(|row| row.attempts.len() > made), 0, "too early");
        // Past the longest delay and its jitter.
        world.clock.advance(Duration::from_secs(7_300));
    }
    let state = world.store.state();
    for row in state.rows.values() {
        assert_eq!((row.state, row.next_attempt_at), (DeliveryState::Failed, None));
        let numbers: Vec<u32> = row.attempts.iter().map(|attempt| attempt.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
        let starts: Vec<_> = row.attempts.iter().map(|attempt| attempt.started_at).collect();
        assert!(starts.is_sorted_by(|one, next| one.plus_seconds(5) <= *next), "{starts:?}");
        let record = &row.attempts[5].record;
        assert_eq!((record.status, record.answer.as_deref()), (Some(503), Some("seen")));
    }
    let attempts = world.sender.posts();
    let numbers = attempts.iter().map(|post| header(post, "x-service-attempt"));
    assert_eq!(numbers.filter(|number| *number == "6").count(), 5);
}

#[test]
fn an_endpoint_that_recovers_gets_what_it_missed() {
    let world = World::new();
    let url = "https://a.example";
    let endpoint = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Answers(500));
    let _dispatcher = world.start();
    world.open(endpoint, 30);
    until("all have failed once", || world.store.count(|row| row.attempts.len() == 1) == 30);
    world.sender.tell(url, Behaviour::Answers(204));
    world.clock.advance(Duration::from_secs(6));
    until("all are delivered", || world.delivered() == 30);
    assert_eq!(world.sender.posts().len(), 60);
}

#[test]
fn an_attempt_of_its_own_is_repeated_without_a_sweep() {
    let world = World::new();
    let url = "https://a.example";
    let endpoint = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Answers(500));
    let hour = Duration::from_secs(3_600);
    let _dispatcher = world.start_with(Settings { sweep_interval: hour, ..settings() });
    world.open(endpoint, 1);
    until("it has failed once", || world.store.count(|row| row.attempts.len() == 1) == 1);
    world.sender.tell(url, Behaviour::Answers(200));
    world.clock.advance(Duration::from_secs(6));
    until("it is delivered", || world.delivered() == 1);
}

#[test]
fn replays_are_moved_on() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    world.store.state().replays.push((endpoint, 5));
    let hour = Duration::from_secs(3_600);
    let dispatcher = world.start_with(Settings { sweep_interval: hour, ..settings() });
    // By one sweep, with steps that follow each other.
    until("all are open", || world.store.state().rows.len() == 5);
    dispatcher.stop();
    let _dispatcher = world.start();
    until("all are delivered", || world.delivered() == 5);
}

#[test]
fn a_backlog_stays_in_the_store() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    world.open(endpoint, 20_000);
    let dispatcher = world.start();
    let most = std::cell::Cell::new(0.0_f64);
    until("all are delivered", || {
        most.set(most.get().max(gauge(&dispatcher, "webhook_deliveries_waiting")));
        world.delivered() == 20_000
    });
    assert_eq!(world.sender.posts().len(), 20_000);
    assert!(most.get() <= 128.0, "{}", most.get());
    assert!(world.sender.most_under_way() <= 64);
}

#[test]
fn schedules_survive_a_clock_that_is_set_back() {
    for restarts in [false, true] {
        let world = World::new();
        let url = "https://failing.example";
        let failing = world.store.subscribe(account(1), url);
        world.sender.tell(url, Behaviour::Answers(503));
        let mut dispatcher = world.start();
        world.open(failing, 3);
        until("all have failed", || world.store.count(|row| row.attempts.len() == 1) == 3);
        world.sender.tell(url, Behaviour::Answers(200));
        if restarts {
            dispatcher.stop();
            world.clock.set_back(Duration::from_secs(3_600));
            dispatcher = world.start();
        } else {
            world.clock.set_back(Duration::from_secs(3_600));
        }
        until("all are delivered", || world.delivered() == 3);
        dispatcher.stop();
    }
}

#[test]
fn a_clock_that_is_a_little_slow_changes_no_schedule() {
    let world = World::new();
    let url = "https://failing.example";
    let failing = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Answers(503));
    let dispatcher = world.start();
    world.open(failing, 1);
    until("it has failed", || world.store.count(|row| row.attempts.len() == 1) == 1);
    world.clock.set_back(Duration::from_secs(30));
    let healthy = world.store.subscribe(account(1), "https://healthy.example");
    world.open(healthy, 1);
    until("the other is delivered", || world.delivered_to(healthy) == 1);
    assert_eq!(world.sender.posts().len(), 2);
    dispatcher.stop();
}
