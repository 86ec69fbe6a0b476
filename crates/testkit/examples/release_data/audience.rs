//! Webhooks: deliveries that arrived, that were given up, and that wait.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{App, Reaction, Receiver};

use crate::merchant::{Merchant, id};

const PATIENCE: Duration = Duration::from_secs(60);
/// More than the pauses between the attempts of one delivery, jitter included.
const PAUSES_SECONDS: [i64; 5] = [6, 36, 360, 2_100, 7_500];

/// Webhooks in every state.
pub(crate) fn work(app: &App, receiver: &Receiver, merchant: &mut Merchant) {
    let given_up = hook(merchant, receiver, "/refusing", &["contact.created"]);
    receiver.always("/refusing", Reaction::Answer(500, "fuera de servicio".to_owned()));
    let _ = merchant.make("/customers", &json!({"name": "Eva"}));
    for (attempts, pause) in (1..).zip(PAUSES_SECONDS) {
        wait_for(merchant, &given_up, |delivery| delivery["attempts"] == attempts);
        app.advance_seconds(pause);
    }
    wait_for(merchant, &given_up, |delivery| delivery["state"] == "failed");
    let place = format!("/webhooks/{given_up}");
    let _ = merchant.change(
        &place,
        &json!({"description": "Almacén", "events": ["contact.created", "lead.created"]}),
    );
    let _ = merchant.act(&format!("{place}/disable"));
    let _ = merchant.act(&format!("{place}/enable"));
    let _ = merchant.act(&format!("{place}/disable"));

    let taken = hook(merchant, receiver, "/taking", &["*"]);
    let _ = merchant.make("/customers", &json!({"name": "Luz"}));
    wait_for(merchant, &taken, |delivery| delivery["state"] == "delivered");
    let place = format!("/webhooks/{taken}");
    let _ = merchant.act(&format!("{place}/rotate-secret"));
    let _ = merchant.act(&format!("{place}/test"));

    let busy = hook(merchant, receiver, "/busy", &["contact.created"]);
    receiver.always("/busy", Reaction::status(503));
    let _ = merchant.make("/customers", &json!({"name": "Sol"}));
    wait_for(merchant, &busy, |delivery| delivery["attempts"] == 1);

    let deleted = hook(merchant, receiver, "/deleted", &["contact.created"]);
    let _ = merchant.make("/customers", &json!({"name": "Mar"}));
    wait_for(merchant, &deleted, |delivery| delivery["state"] == "delivered");
    merchant.delete(&format!("/webhooks/{deleted}"));
}

/// What happens while nobody delivers: deliveries without an attempt, and a replay that has not begun.
pub(crate) fn be_left_waiting(merchant: &mut Merchant) {
    let _ = merchant.make("/customers", &json!({"name": "Paz"}));
    let hooks = merchant.client.get("/webhooks?limit=100").expect(200);
    let hooks = hooks["data"].as_array().expect("a list");
    let at = |path: &str| {
        hooks.iter().find(|hook| hook["url"].as_str().is_some_and(|url| url.ends_with(path)))
    };
    let taking = id(at("/taking").expect("it was made"));
    let refusing = id(at("/refusing").expect("it was made"));
    let _ = merchant.post(
        &format!("/webhooks/{taking}/replay"),
        &json!({"since": "2020-01-01T00:00:00Z", "events": ["contact.created"]}),
    );
    let failed = newest(merchant, &refusing).expect("it was given up");
    let _ = merchant.act(&format!("/webhooks/{refusing}/enable"));
    let _ = merchant.act(&format!("/webhooks/deliveries/{}/retry", id(&failed)));
}

fn hook(merchant: &mut Merchant, receiver: &Receiver, path: &str, events: &[&str]) -> String {
    merchant.make("/webhooks", &json!({"url": receiver.url(path), "events": events}))
}

/// The newest delivery of a webhook.
fn newest(merchant: &Merchant, hook: &str) -> Option<Value> {
    let page = merchant.client.get(&format!("/webhooks/{hook}/deliveries?limit=1")).expect(200);
    page["data"].get(0).cloned()
}

/// Waits until the newest delivery of a webhook is as wanted.
fn wait_for(merchant: &Merchant, hook: &str, wanted: impl Fn(&Value) -> bool) {
    let end = Instant::now() + PATIENCE;
    loop {
        let seen = newest(merchant, hook);
        if seen.as_ref().is_some_and(&wanted) {
            return;
        }
        assert!(Instant::now() < end, "not as wanted: {seen:?}");
        thread::sleep(Duration::from_millis(10));
    }
}
