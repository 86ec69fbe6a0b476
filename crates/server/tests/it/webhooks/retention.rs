//! What is kept for how long.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reaction, on_both};

use super::audience::{Audience, Hook, event_ids, until};

on_both!(
    what_is_done_goes_after_its_time,
    what_waits_stays_with_its_event,
    what_waits_for_a_webhook_disabled_so_long_goes,
    more_than_a_batch_goes,
    what_is_young_stays,
    a_deleted_webhook_goes_with_all_that_was_its,
    a_webhook_deleted_long_ago_goes_with_its_last_delivery,
);

/// What housekeeping removes of a place at once.
const SLICE_ROWS: usize = 50;

const DAY_SECONDS: i64 = 86_400;
/// The newest event of an account stays: the feed goes on from its position.
const LAST_EVENT: [usize; 3] = [1, 0, 0];
const TABLES: [&str; 3] = ["events", "deliveries", "attempts"];

/// How many rows the tables have: events, deliveries, attempts.
fn rows(audience: &Audience) -> [usize; 3] {
    TABLES
        .map(|table| audience.app.database.lines(&format!("SELECT '' AS line FROM {table}")).len())
}

/// A webhook that has taken so many events.
fn told(audience: &Audience, path: &str, events: usize) -> Hook {
    let hook = audience.subscribe(path, &["*"]);
    audience.happen(events);
    audience.wait_count(&hook, "state=delivered", events as u64);
    hook
}

fn what_is_done_goes_after_its_time(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = told(&audience, "/a", 5);
    audience.receiver.always("/a", Reaction::status(500));
    audience.happen(1);
    let failed = audience.deliveries(&hook, "").remove(0);
    for attempts in 1..=6 {
        audience.wait_attempts(&failed, attempts);
        if attempts < 6 {
            let _ = audience.retry(&failed).expect(200);
        }
    }
    assert_eq!(rows(&audience), [6, 6, 11]);
    audience.app.advance_seconds(31 * DAY_SECONDS);
    audience.app.housekeep();
    assert_eq!(rows(&audience), LAST_EVENT);
    assert_eq!(
        (audience.count(&hook, ""), audience.show(&hook)["status"].clone()),
        (0, json!("enabled"))
    );
    let left = audience.client.get("/events").expect(200);
    assert_eq!(left["data"].as_array().unwrap().len(), 1);
    audience.receiver.always("/a", Reaction::status(200));
    audience.happen(1);
    audience.wait_count(&hook, "state=delivered", 1);
}

fn what_waits_stays_with_its_event(kind: DatabaseKind) {
    let audience = Audience::of(testkit::App::with(kind).not_delivering().start());
    let hook = audience.subscribe("/a", &["contact.created"]);
    audience.happen(3);
    let _ = audience.client.post("/crm/leads", &json!({"name": "Rosa"})).expect(201);
    let bodies = audience.app.database.events(audience.account, "contact.created");
    audience.app.advance_seconds(31 * DAY_SECONDS);
    audience.app.housekeep();
    assert_eq!(audience.count(&hook, "state=attempting"), 3, "nobody has delivered it yet");
    let kept = audience.app.database.event_names(audience.account);
    assert_eq!(kept.iter().filter(|name| *name == "contact.created").count(), 3);

    let again = audience.app.again().delivering();
    let audience = audience.then(again);
    // The service keeps house when it starts: what is delivered now may be gone at once.
    let mut sent = audience.receiver.wait_at("/a", 3);
    sent.sort_by_key(|request| request.header("webhook-id").unwrap().to_owned());
    let sent: Vec<Value> = sent.iter().map(testkit::Request::json).collect();
    assert_eq!(sent, bodies);
    until(
        || {
            audience.app.housekeep();
            Some(()).filter(|()| rows(&audience) == LAST_EVENT)
        },
        || rows(&audience),
    );
}

fn what_waits_for_a_webhook_disabled_so_long_goes(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.always("/a", Reaction::status(500));
    audience.happen(2);
    for delivery in audience.deliveries(&hook, "") {
        audience.wait_attempts(&delivery, 1);
    }
    audience.act(&hook, "disable");
    audience.app.advance_seconds(29 * DAY_SECONDS);
    audience.app.housekeep();
    assert_eq!(rows(&audience), [2, 2, 2]);
    audience.app.advance_seconds(2 * DAY_SECONDS);
    audience.app.housekeep();
    assert_eq!(rows(&audience), LAST_EVENT);
    assert_eq!(audience.show(&hook)["disabledReason"], "manual");
}

fn more_than_a_batch_goes(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hooks = ["/a", "/b", "/c", "/d"].map(|path| audience.subscribe(path, &["*"]));
    audience.happen(170);
    for hook in &hooks {
        audience.wait_count(hook, "state=delivered", 170);
    }
    assert_eq!(rows(&audience), [170, 680, 680]);
    audience.app.advance_seconds(31 * DAY_SECONDS);
    audience.app.housekeep();
    assert_eq!(rows(&audience), LAST_EVENT);
}

fn what_is_young_stays(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = told(&audience, "/a", 3);
    audience.app.advance_seconds(20 * DAY_SECONDS);
    audience.happen(2);
    audience.wait_count(&hook, "state=delivered", 5);
    let mut young = event_ids(&audience.receiver.received_at("/a")[3..]);
    young.sort();
    audience.app.housekeep();
    assert_eq!(rows(&audience), [5, 5, 5]);
    audience.app.advance_seconds(11 * DAY_SECONDS);
    audience.app.housekeep();
    assert_eq!(rows(&audience), [2, 2, 2]);
    let kept = audience.app.database.events(audience.account, "contact.created");
    let kept: Vec<&str> = kept.iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert_eq!(kept, young);
}

fn a_deleted_webhook_goes_with_all_that_was_its(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let (going, staying) = (audience.subscribe("/a", &["*"]), audience.subscribe("/b", &["*"]));
    audience.receiver.always("/a", Reaction::status(500));
    audience.happen(3);
    audience.wait_count(&staying, "state=delivered", 3);
    for delivery in audience.deliveries(&going, "") {
        audience.wait_attempts(&delivery, 1);
    }
    assert_eq!(rows(&audience), [3, 6, 6]);
    let _ = audience.client.delete(&going.place()).expect(200);
    audience.app.housekeep();
    assert_eq!(rows(&audience), [3, 3, 3], "whatever its age");
    audience.app.advance_seconds(2 * 60 * 60);
    audience.app.housekeep();
    let left = audience.app.database.lines("SELECT id AS line FROM subscriptions");
    assert_eq!(left, [staying.id]);
}

/// Once nobody can be about to write for it, the same walk takes the rows and the webhook that they were for.
fn a_webhook_deleted_long_ago_goes_with_its_last_delivery(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    for deliveries in [0, 1, SLICE_ROWS, SLICE_ROWS + 1] {
        let hook = told(&audience, "/a", deliveries);
        let _ = audience.client.delete(&hook.place()).expect(200);
        audience.app.advance_seconds(2 * 60 * 60);
        audience.app.housekeep();
        let left = audience.app.database.lines("SELECT id AS line FROM subscriptions");
        assert_eq!(left, [""; 0], "{deliveries}");
        assert_eq!(rows(&audience)[1..], [0, 0], "{deliveries}");
    }
}
