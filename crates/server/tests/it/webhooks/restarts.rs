//! Deliveries that outlive the service.

use serde_json::json;
use testkit::{DatabaseKind, Reaction, on_both};

use super::audience::{Audience, event_ids};

on_both!(
    a_retry_waits_through_a_restart,
    what_waits_when_the_service_stops_is_delivered_by_the_next,
    what_happens_while_nobody_delivers_is_delivered_later,
    a_row_of_failures_goes_on_after_a_restart,
    events_about_one_thing_keep_their_order_through_restarts,
);

fn a_retry_waits_through_a_restart(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.always("/a", Reaction::status(500));
    audience.happen(1);
    let delivery = audience.only(&hook);
    let waiting = audience.wait_attempts(&delivery, 1);
    let audience = audience.restart();
    audience.let_it_look_around();
    assert_eq!(audience.detail(&delivery), waiting, "its time is kept");
    audience.app.advance_seconds(6);
    let second = audience.wait_attempts(&delivery, 2);
    let audience = audience.restart();
    audience.let_it_look_around();
    assert_eq!(audience.detail(&delivery), second);
    audience.receiver.always("/a", Reaction::status(200));
    audience.app.advance_seconds(33);
    let done = audience.wait_attempts(&delivery, 3);
    assert_eq!(done["state"], "delivered");
    let requests = audience.receiver.received_at("/a");
    let attempts: Vec<_> =
        requests.iter().map(|request| request.header("x-service-attempt").unwrap()).collect();
    assert_eq!(attempts, ["1", "2", "3"]);
    assert!(requests.iter().all(|request| request.body == requests[0].body));
}

fn what_waits_when_the_service_stops_is_delivered_by_the_next(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.always("/a", Reaction::Hang);
    audience.happen(200);
    audience.receiver.wait_for(1);
    audience.receiver.always("/a", Reaction::status(200));
    let audience = audience.restart();
    audience.wait_count(&hook, "state=delivered", 200);
    let requests = audience.receiver.received_at("/a");
    let mut arrived = event_ids(&requests);
    arrived.sort();
    let events = audience.app.database.events(audience.account, "contact.created");
    let events: Vec<&str> = events.iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert_eq!(arrived, events, "each once: a stop in good order repeats nothing");
}

fn what_happens_while_nobody_delivers_is_delivered_later(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    let again = audience.app.again();
    let silent = audience.app.again().not_delivering();
    let audience = audience.then(silent);
    audience.happen(20);
    assert_eq!(audience.count(&hook, "state=attempting"), 20);
    assert_eq!(audience.act(&hook, "test")["event"], "webhook.test");
    assert_eq!(audience.receiver.received().len(), 0);
    let audience = audience.then(again);
    audience.wait_count(&hook, "state=delivered", 21);
    assert_eq!(audience.receiver.received().len(), 21);
}

fn a_row_of_failures_goes_on_after_a_restart(kind: DatabaseKind) {
    let audience = Audience::gather_with(kind, |delivering| delivering.dispatch.failures_max = 2);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.always("/a", Reaction::status(500));
    audience.happen(1);
    audience.wait_attempts(&audience.only(&hook), 1);
    let audience = audience.restart();
    assert_eq!(audience.show(&hook)["consecutiveFailures"], 1);
    audience.happen(1);
    super::audience::until(
        || Some(()).filter(|()| audience.show(&hook)["disabledReason"] == json!("failures")),
        || audience.show(&hook),
    );
}

fn events_about_one_thing_keep_their_order_through_restarts(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["product.created", "product.updated"]);
    audience.receiver.always("/a", Reaction::Hang);
    let body = json!({"name": "Taza", "sku": "TAZA", "price": 1});
    let product = audience.client.post("/products", &body).expect(201);
    let place = format!("/products/{}", product["id"].as_str().unwrap());
    let change = |client: &testkit::Client, prices: std::ops::Range<u32>| {
        for price in prices {
            let _ = client.patch(&place, &json!({"price": price})).expect(200);
        }
    };
    change(&audience.client, 2..12);
    audience.receiver.wait_for(1);
    // What follows while the service has claimed the first ones must not overtake them.
    change(&audience.client, 12..32);
    audience.receiver.always("/a", Reaction::status(200));
    let audience = audience.restart();
    change(&audience.client, 32..42);
    audience.wait_count(&hook, "state=delivered", 41);
    let ids = event_ids(&audience.receiver.received_at("/a"));
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:#?}");
}
