//! Feeds and queues go on behind what cannot be read.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{damage, left_out};
use crate::{
    orders::shop::id,
    webhooks::audience::{Audience, event_ids, until},
};

on_both!(
    the_feed_goes_on_behind_events_that_cannot_be_read,
    a_webhook_that_cannot_be_read_keeps_nobody_from_working,
    a_delivery_that_cannot_be_read_holds_up_no_other,
    a_replay_that_cannot_be_read_holds_up_no_other,
);

/// Every event of the feed, read in parts of `limit`.
fn read_all(audience: &Audience, limit: usize) -> Vec<String> {
    let (mut all, mut query) = (Vec::new(), format!("limit={limit}"));
    loop {
        let part = audience.client.get(&format!("/events?{query}")).expect(200);
        all.extend(part["data"].as_array().unwrap().iter().map(id));
        let more = part["hasMore"] == Value::Bool(true);
        let Some(cursor) = part["nextCursor"].as_str().filter(|_| more) else { return all };
        query = format!("limit={limit}&cursor={cursor}");
    }
}

fn the_feed_goes_on_behind_events_that_cannot_be_read(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    audience.happen(8);
    let all = until(
        || Some(read_all(&audience, 100)).filter(|all| all.len() == 8),
        || read_all(&audience, 100),
    );
    // More in a row than a reader of one at a time is shown.
    for event in &all[1..6] {
        let damaged = event.to_lowercase();
        let sql = format!("UPDATE events SET id = '{damaged}' WHERE id = '{event}'");
        audience.app.database.execute(&sql);
    }
    let rest = [all[0].clone(), all[6].clone(), all[7].clone()];
    for limit in [1, 2, 100] {
        assert_eq!(read_all(&audience, limit), rest, "{limit} at a time");
    }
    assert!(left_out(&audience.app) >= 5.0);
}

fn a_webhook_that_cannot_be_read_keeps_nobody_from_working(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let broken = audience.subscribe("/broken", &["*"]);
    let sound = audience.subscribe("/sound", &["*"]);
    let _ = damage(&audience.app, "subscriptions", "events", &broken.id);
    audience.happen(3);
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 1, "inventory": 9});
    let mug = id(&audience.client.post("/products", &mug).expect(201));
    let customer = id(&audience.client.post("/customers", &json!({"name": "Ana"})).expect(201));
    let cart = json!({"customerId": customer, "items": [{"productId": mug, "quantity": 1}]});
    let _ = audience.client.post("/orders", &cart).expect(201);
    let _ = audience.receiver.wait_at(&sound.path, 6);
    assert!(audience.receiver.received_at(&broken.path).is_empty());
    assert!(left_out(&audience.app) >= 6.0);
}

fn a_delivery_that_cannot_be_read_holds_up_no_other(kind: DatabaseKind) {
    let audience = Audience::of(testkit::App::with(kind).not_delivering().start());
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(3);
    let deliveries = audience.deliveries(&hook, "");
    let damaged = id(&deliveries[2]).to_lowercase();
    let sql = format!("UPDATE deliveries SET id = '{damaged}' WHERE id = '{}'", id(&deliveries[2]));
    audience.app.database.execute(&sql);
    let again = audience.app.again().delivering();
    let audience = audience.then(again);
    let arrived = audience.receiver.wait_at(&hook.path, 2);
    assert_eq!(event_ids(&arrived).len(), 2);
    assert!(left_out(&audience.app) >= 1.0);
}

fn a_replay_that_cannot_be_read_holds_up_no_other(kind: DatabaseKind) {
    let audience = Audience::of(testkit::App::with(kind).not_delivering().start());
    audience.happen(3);
    let hooks = [audience.subscribe("/a", &["*"]), audience.subscribe("/b", &["*"])];
    audience.app.advance_seconds(1);
    let replays = hooks.each_ref().map(|hook| {
        id(&audience.replay(hook, &json!({"since": "2020-01-01T00:00:00Z"})).expect(200))
    });
    let _ = damage(&audience.app, "replays", "events", &replays[0]);
    let again = audience.app.again().delivering();
    let audience = audience.then(again);
    let _ = audience.receiver.wait_at(&hooks[1].path, 3);
    assert!(audience.receiver.received_at(&hooks[0].path).is_empty());
    assert!(left_out(&audience.app) >= 1.0);
}
