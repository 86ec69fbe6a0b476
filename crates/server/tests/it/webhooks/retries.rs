//! Deliveries attempted ahead of their time, or once more, at their owner's wish.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reaction, Reply, on_both};

use super::audience::{Audience, event_ids};

on_both!(
    one_that_waits_is_attempted_at_once,
    one_that_is_delivered_is_repeated_by_a_new_one,
    one_that_has_failed_is_repeated_by_a_new_one,
    one_under_way_is_left_alone,
    one_whose_event_is_gone_cannot_be_repeated,
    one_of_a_disabled_webhook_is_refused,
    a_retry_repeated_with_its_key_is_replayed,
);

fn one_that_waits_is_attempted_at_once(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.script("/a", [Reaction::status(500)], Reaction::status(503));
    audience.happen(1);
    let delivery = audience.only(&hook);
    audience.wait_attempts(&delivery, 1);
    for attempts in 2..=6 {
        let retried = audience.retry(&delivery).expect(200);
        assert_eq!((&retried["id"], &retried["retryOf"]), (&delivery["id"], &Value::Null));
        audience.wait_attempts(&delivery, attempts);
    }
    let failed = audience.detail(&delivery);
    assert_eq!(failed["state"], "failed", "it counts as one of the six: {failed:#}");
    let numbers: Vec<_> = audience.receiver.received_at("/a");
    let numbers: Vec<_> =
        numbers.iter().map(|request| request.header("x-service-attempt").unwrap()).collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "5", "6"]);
    assert_eq!(audience.count(&hook, ""), 1);
}

/// Repeats a finished delivery twice: two new ones of the same event.
fn assert_repeated(audience: &Audience, hook: &super::audience::Hook, finished: &Value) {
    let first = audience.retry(finished).expect(200);
    let second = audience.retry(finished).expect(200);
    assert_ne!(first["id"], second["id"]);
    for opened in [&first, &second] {
        assert_ne!(opened["id"], finished["id"]);
        for (field, value) in [
            ("retryOf", &finished["id"]),
            ("eventId", &finished["eventId"]),
            ("event", &finished["event"]),
            ("state", &json!("attempting")),
            ("attempts", &json!(0)),
        ] {
            assert_eq!(opened[field], *value, "{field}");
        }
        let done = audience.wait_attempts(opened, 1);
        assert_eq!(done["state"], "delivered");
        assert_eq!(done["body"], finished["body"]);
    }
    assert_eq!(audience.detail(finished), *finished, "what is finished stays as it is");
    let ids = event_ids(&audience.receiver.received_at(&hook.path));
    assert!(ids.iter().all(|id| finished["eventId"] == id.as_str()), "{ids:?}");
    let chained = audience.retry(&first).expect(200);
    assert_eq!(chained["retryOf"], first["id"]);
    audience.wait_attempts(&chained, 1);
}

fn one_that_is_delivered_is_repeated_by_a_new_one(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(1);
    let finished = audience.wait_attempts(&audience.only(&hook), 1);
    assert_repeated(&audience, &hook, &finished);
    assert_eq!(audience.receiver.received_at("/a").len(), 4);
}

fn one_that_has_failed_is_repeated_by_a_new_one(kind: DatabaseKind) {
    let audience = Audience::gather_with(kind, |delivering| {
        let once = vec![std::time::Duration::ZERO];
        delivering.dispatch.schedule = webhooks::Schedule::new(once).unwrap();
    });
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.script("/a", [Reaction::status(500)], Reaction::status(200));
    audience.happen(1);
    let finished = audience.wait_attempts(&audience.only(&hook), 1);
    assert_eq!(finished["state"], "failed", "a schedule of one attempt");
    assert_repeated(&audience, &hook, &finished);
}

fn one_under_way_is_left_alone(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.always("/a", Reaction::Hang);
    audience.happen(1);
    audience.receiver.wait_for(1);
    let delivery = audience.only(&hook);
    assert_eq!(delivery["nextAttemptAt"], Value::Null, "an attempt is under way");
    let refused = audience.retry(&delivery).refused(409, "conflict");
    assert!(refused.contains("under way"), "{refused}");
    audience.receiver.always("/a", Reaction::status(200));
    let done = audience.wait_attempts(&delivery, 1);
    assert_eq!((&done["state"], audience.receiver.received().len()), (&json!("delivered"), 1));
}

fn one_whose_event_is_gone_cannot_be_repeated(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(1);
    let finished = audience.wait_attempts(&audience.only(&hook), 1);
    // Between the removal of an event and that of its deliveries.
    audience.app.database.execute("DELETE FROM events");
    let refused = audience.retry(&finished).refused(409, "event_gone");
    assert!(refused.contains("too old"), "{refused}");
    let shown = audience.detail(&finished);
    assert_eq!((&shown["body"], &shown["state"]), (&Value::Null, &json!("delivered")));
    assert_eq!(audience.count(&hook, ""), 1);
}

fn one_of_a_disabled_webhook_is_refused(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.script("/a", [Reaction::status(200)], Reaction::status(500));
    audience.happen(1);
    let delivered = audience.wait_attempts(&audience.only(&hook), 1);
    audience.happen(1);
    audience.wait_count(&hook, "state=attempting", 1);
    let waiting = audience.deliveries(&hook, "state=attempting").remove(0);
    audience.wait_attempts(&waiting, 1);
    audience.act(&hook, "disable");
    for delivery in [&delivered, &waiting] {
        let _ = audience.retry(delivery).refused(409, "webhook_disabled");
    }
    assert_eq!(audience.count(&hook, ""), 2);
}

fn a_retry_repeated_with_its_key_is_replayed(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(1);
    let finished = audience.wait_attempts(&audience.only(&hook), 1);
    let retry = || {
        let path = format!("/webhooks/deliveries/{}/retry", finished["id"].as_str().unwrap());
        Reply::to(audience.client.request("POST", &path).header("Idempotency-Key", "k"))
    };
    let (first, again) = (retry(), retry());
    assert_eq!((first.status, again.header("idempotent-replayed")), (200, Some("true")));
    assert_eq!(first.text, again.text);
    audience.wait_count(&hook, "state=delivered", 2);
    assert_eq!(audience.receiver.received().len(), 2);
}
