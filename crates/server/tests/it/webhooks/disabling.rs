//! Webhooks that get nothing: because their endpoint failed too often, or because their owner wants it so.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reaction, on_both};

use super::audience::{Audience, Hook, event_ids};
use crate::orders::shop::is_moment;

on_both!(
    failures_in_a_row_disable,
    a_hundred_failures_disable,
    a_success_in_between_begins_the_row_anew,
    a_disabled_webhook_is_enabled_and_catches_up,
    its_owner_disables_and_enables,
    only_the_failing_webhook_is_disabled,
);

/// Waits until a webhook is disabled.
#[track_caller]
fn wait_disabled(audience: &Audience, hook: &Hook) -> Value {
    super::audience::until(
        || Some(audience.show(hook)).filter(|shown| shown["status"] == "disabled"),
        || audience.show(hook),
    )
}

fn failing_after(kind: DatabaseKind, failures_max: u32) -> (Audience, Hook) {
    let audience = Audience::gather_with(kind, |delivering| {
        delivering.dispatch.failures_max = failures_max;
    });
    let hook = audience.subscribe("/a", &["contact.created"]);
    audience.receiver.always("/a", Reaction::status(500));
    (audience, hook)
}

fn failures_in_a_row_disable(kind: DatabaseKind) {
    let (audience, hook) = failing_after(kind, 5);
    audience.happen(2);
    audience.receiver.wait_for(2);
    audience.wait_count(&hook, "state=attempting", 2);
    for delivery in audience.deliveries(&hook, "") {
        audience.wait_attempts(&delivery, 1);
    }
    audience.app.advance_seconds(6);
    for delivery in audience.deliveries(&hook, "") {
        audience.wait_attempts(&delivery, 2);
    }
    let shown = audience.show(&hook);
    assert_eq!((&shown["status"], &shown["consecutiveFailures"]), (&json!("enabled"), &json!(4)));
    let tag = audience.client.get(&hook.place()).header("etag").unwrap().to_owned();

    audience.happen(1);
    let shown = wait_disabled(&audience, &hook);
    assert_eq!(
        (&shown["disabledReason"], &shown["consecutiveFailures"]),
        (&json!("failures"), &json!(5))
    );
    assert!(is_moment(&shown["disabledAt"]));
    assert_eq!(shown["updatedAt"], shown["createdAt"], "its owner changed nothing");
    assert_ne!(audience.client.get(&hook.place()).header("etag"), Some(tag.as_str()));

    audience.happen(3);
    audience.app.advance_seconds(86_400);
    audience.let_it_look_around();
    assert_eq!(audience.receiver.received_at("/a").len(), 5, "no attempt is made any more");
    assert_eq!(audience.count(&hook, ""), 3, "and nothing new is queued");
    for action in ["test", "replay"] {
        let refused = match action {
            "test" => audience.client.act(&hook.at(action)),
            _ => audience.replay(&hook, &json!({"since": "2020-01-01T00:00:00Z"})),
        };
        let message = refused.refused(409, "webhook_disabled");
        assert!(message.contains("/enable"), "{message}");
    }
    let manual = audience.act(&hook, "disable");
    assert_eq!(manual["disabledReason"], "failures", "disabling it again changes nothing");
}

fn a_hundred_failures_disable(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["contact.created"]);
    audience.receiver.always("/a", Reaction::status(500));
    audience.happen(99);
    audience.receiver.wait_for(99);
    super::audience::until(
        || Some(()).filter(|()| audience.show(&hook)["consecutiveFailures"] == 99),
        || audience.show(&hook),
    );
    assert_eq!(audience.show(&hook)["status"], "enabled");
    audience.happen(1);
    let shown = wait_disabled(&audience, &hook);
    assert_eq!(
        (&shown["disabledReason"], &shown["consecutiveFailures"]),
        (&json!("failures"), &json!(100))
    );
    assert_eq!(audience.receiver.received_at("/a").len(), 100);
}

fn a_success_in_between_begins_the_row_anew(kind: DatabaseKind) {
    let (audience, hook) = failing_after(kind, 3);
    for _ in 0..4 {
        let failures = [Reaction::status(500), Reaction::Close];
        audience.receiver.script("/a", failures, Reaction::status(200));
        audience.happen(1);
        let delivery = audience.deliveries(&hook, "").remove(0);
        audience.wait_attempts(&delivery, 1);
        let _ = audience.retry(&delivery).expect(200);
        audience.wait_attempts(&delivery, 2);
        assert_eq!(audience.show(&hook)["consecutiveFailures"], 2);
        let _ = audience.retry(&delivery).expect(200);
        audience.wait_attempts(&delivery, 3);
        assert_eq!(audience.show(&hook)["consecutiveFailures"], 0);
    }
    assert_eq!(audience.show(&hook)["status"], "enabled", "after eight failures");
    assert_eq!(audience.count(&hook, "state=delivered"), 4);
}

fn a_disabled_webhook_is_enabled_and_catches_up(kind: DatabaseKind) {
    let (audience, hook) = failing_after(kind, 1);
    audience.happen(1);
    let shown = wait_disabled(&audience, &hook);
    let waiting = audience.wait_attempts(&audience.only(&hook), 1);
    assert_eq!(waiting["state"], "attempting");
    audience.happen(4);
    audience.receiver.always("/a", Reaction::status(200));

    let enabled = audience.act(&hook, "enable");
    assert_eq!((&enabled["status"], &enabled["disabledAt"]), (&json!("enabled"), &Value::Null));
    assert_eq!(enabled["consecutiveFailures"], 0);
    assert_eq!(audience.act(&hook, "enable"), enabled, "enabling it again changes nothing");
    audience.app.advance_seconds(6);
    let done = audience.wait_attempts(&waiting, 2);
    assert_eq!(done["state"], "delivered", "what was waiting goes on");
    audience.happen(1);
    audience.wait_count(&hook, "state=delivered", 2);
    audience.let_it_look_around();
    assert_eq!(audience.count(&hook, ""), 2, "what was missed stays missed");

    audience.app.advance_seconds(1);
    let replay = audience.replay(&hook, &json!({"since": shown["disabledAt"]})).expect(200);
    assert_eq!(replay["events"], json!(["contact.created"]));
    let events = audience.app.database.events(audience.account, "contact.created");
    audience.receiver.wait_until(|requests| {
        let ids = event_ids(requests);
        events.iter().all(|event| ids.iter().any(|id| event["id"] == id.as_str()))
    });
    assert_eq!(events.len(), 6);
}

fn its_owner_disables_and_enables(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.script("/a", [Reaction::status(500)], Reaction::status(200));
    audience.happen(1);
    let waiting = audience.wait_attempts(&audience.only(&hook), 1);
    let off = audience.act(&hook, "disable");
    assert_eq!((&off["status"], &off["disabledReason"]), (&json!("disabled"), &json!("manual")));
    assert_eq!(off["consecutiveFailures"], 1);
    assert_eq!(audience.act(&hook, "disable"), off, "disabling it again changes nothing");
    assert_eq!(audience.show(&hook), off);
    audience.happen(2);
    audience.app.advance_seconds(86_400);
    audience.let_it_look_around();
    assert_eq!(audience.detail(&waiting), waiting, "it waits");
    assert_eq!(audience.count(&hook, ""), 1);
    audience.act(&hook, "enable");
    audience.wait_attempts(&waiting, 2);
    assert_eq!(audience.receiver.received_at("/a").len(), 2);
}

fn only_the_failing_webhook_is_disabled(kind: DatabaseKind) {
    let (audience, failing) = failing_after(kind, 3);
    let healthy = audience.subscribe("/b", &["*"]);
    audience.happen(20);
    wait_disabled(&audience, &failing);
    audience.wait_count(&healthy, "state=delivered", 20);
    audience.happen(5);
    audience.wait_count(&healthy, "state=delivered", 25);
    assert_eq!(audience.show(&healthy)["status"], "enabled");
    let after = audience.receiver.received_at("/a").len();
    audience.app.advance_seconds(86_400);
    audience.let_it_look_around();
    assert_eq!(audience.receiver.received_at("/a").len(), after);
}
