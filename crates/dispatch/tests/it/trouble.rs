use std::time::Duration;

use dispatch::Settings;
use webhooks::{AttemptError, DeliveryId, DeliveryState};

use crate::world::{Behaviour, World, account, gauge, settings, until};

#[test]
fn faults_of_the_store_heal() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    {
        let mut state = world.store.state();
        (state.due_faults, state.claim_faults, state.complete_faults) = (2, 3, 3);
    }
    let dispatcher = world.start();
    world.open(endpoint, 50);
    until("all are delivered", || world.delivered() == 50);
    assert_eq!(world.sender.posts().len(), 50, "nothing is sent again");
    assert_eq!(gauge(&dispatcher, "webhook_completion_errors_total"), 3.0);
    let state = world.store.state();
    assert_eq!((state.due_faults, state.claim_faults), (0, 0));
}

#[test]
fn a_lost_answer_to_a_completion_does_no_harm() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    world.store.state().complete_losses = 1;
    let dispatcher = world.start();
    world.open(endpoint, 50);
    until("all are delivered", || world.delivered() == 50);
    dispatcher.stop();
    assert!(world.store.state().fenced_off > 0, "the repeat was ignored");
    assert_eq!(world.sender.posts().len(), 50);
}

#[test]
fn one_attempt_that_cannot_be_recorded_does_not_hold_up_the_others() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    let poison = DeliveryId::from_u128(20);
    world.store.state().poison = Some(poison);
    let dispatcher = world.start();
    world.open(endpoint, 50);
    until("all others are delivered", || world.delivered() == 49);
    assert_eq!(world.sender.posts().len(), 50);
    // Its claim ends and it is sent again: at least once.
    world.store.state().poison = None;
    world.clock.advance(Duration::from_secs(30));
    until("it is delivered", || world.delivered() == 50);
    dispatcher.stop();
}

#[test]
fn while_nothing_can_be_recorded_sending_stops() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    world.store.state().complete_faults = usize::MAX;
    let dispatcher = world.start_with(Settings { in_flight_max: 16, ..settings() });
    world.open(endpoint, 1_000);
    until("it stops", || gauge(&dispatcher, "webhook_attempts_unrecorded") > 64.0);
    until("what was under way has ended", || {
        gauge(&dispatcher, "webhook_exchanges_in_flight") == 0.0
    });
    assert!(world.sender.posts().len() <= 64 + 1 + 16);
    world.store.state().complete_faults = 0;
    until("all are delivered", || world.delivered() == 1_000);
    assert_eq!(world.sender.posts().len(), 1_000);
}

#[test]
fn a_sender_that_panics_has_made_an_attempt() {
    let world = World::new();
    let url = "https://a.example";
    let endpoint = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Panics);
    let dispatcher = world.start();
    world.open(endpoint, 20);
    until("all have failed once", || world.store.count(|row| row.attempts.len() == 1) == 20);
    assert!(world.store.state().rows.values().all(|row| {
        row.attempts[0].record.error == Some(AttemptError::Internal)
            && row.state == DeliveryState::Attempting
    }));
    assert_eq!(gauge(&dispatcher, "webhook_attempts_failed_total"), 20.0);
    world.sender.tell(url, Behaviour::Answers(200));
    world.clock.advance(Duration::from_secs(6));
    until("all are delivered", || world.delivered() == 20);
}

#[test]
fn a_sender_that_never_answers_is_given_up() {
    let world = World::new();
    let url = "https://a.example";
    let endpoint = world.store.subscribe(account(1), url);
    world.sender.tell(url, Behaviour::Hangs);
    let brief = Duration::from_millis(50);
    let _dispatcher = world.start_with(Settings { exchange_timeout: brief, ..settings() });
    world.open(endpoint, 1);
    until("it has failed once", || world.store.count(|row| row.attempts.len() == 1) == 1);
    assert_eq!(world.sender.under_way(url), 0);
    let state = world.store.state();
    let record = &state.rows.values().next().unwrap().attempts[0].record;
    assert!(matches!(record.error, Some(AttemptError::TimedOut { .. })), "{record:?}");
}

#[test]
fn nothing_is_sent_under_a_claim_that_is_about_to_end() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    let dispatcher = world.start();
    world.store.hold_claims();
    world.open(endpoint, 8);
    until("a claim is under way", || world.store.claims_held() == 1);
    // The claim lasts 15 s; an exchange may take 5 s and recording it a second.
    world.clock.advance(Duration::from_millis(9_001));
    world.store.let_claims_go();
    until("they are dropped", || gauge(&dispatcher, "webhook_deliveries_expired_total") == 8.0);
    assert_eq!(world.sender.posts().len(), 0);
    assert_eq!(world.store.count(|row| row.claim.is_some()), 8);
    world.clock.advance(Duration::from_secs(6));
    until("they are claimed anew", || world.delivered() == 8);
    assert_eq!(world.sender.posts().len(), 8);
}

#[test]
fn deliveries_without_an_endpoint_are_given_back() {
    let world = World::new();
    let endpoint = world.store.subscribe(account(1), "https://a.example");
    world.store.state().unknown_endpoints = true;
    let _dispatcher = world.start();
    world.open(endpoint, 3);
    until("they are given back", || world.store.state().released.len() >= 3);
    assert_eq!(world.sender.posts().len(), 0);
    world.store.state().unknown_endpoints = false;
    until("they are delivered", || world.delivered() == 3);
}
