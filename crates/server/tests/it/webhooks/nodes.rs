//! Several services on one PostgreSQL database: each event is delivered, and by one of them.

use std::{collections::BTreeSet, thread};

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Held, Reaction};

use super::audience::{Audience, Hook, event_ids};
use crate::orders::shop::id;

/// An order of a new customer for a new product.
fn cart(audience: &Audience) -> Value {
    let made = |path: &str, body| id(&audience.client.post(path, &body).expect(201));
    let customer = made("/customers", json!({"name": "Ana"}));
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 19.99, "inventory": 100_000});
    let items = json!([{"productId": made("/products", mug), "quantity": 1}]);
    json!({"customerId": customer, "items": items})
}

/// Places so many orders on each of two nodes.
fn order(audience: &Audience, other: &App, each: usize) {
    let (client, cart) = (&audience.client, cart(audience));
    let clients = [client.clone(), client.at(other), client.clone(), client.at(other)];
    thread::scope(|scope| {
        for client in &clients {
            scope.spawn(|| {
                for _ in 0..each / 2 {
                    let _ = client.post("/orders", &cart).expect(201);
                }
            });
        }
    });
}

#[track_caller]
fn assert_each_once(audience: &Audience, hook: &Hook, count: usize) {
    audience.wait_count(hook, "state=delivered", count as u64);
    let requests = audience.receiver.received_at(&hook.path);
    let ids: BTreeSet<String> = event_ids(&requests).into_iter().collect();
    assert_eq!((ids.len(), requests.len()), (count, count), "each once");
    let several = "SELECT id AS line FROM deliveries WHERE attempts <> 1";
    assert_eq!(audience.app.database.lines(several), [""; 0]);
}

#[test]
fn two_nodes_share_the_work() {
    let audience = Audience::gather(DatabaseKind::Postgres);
    let second = audience.app.again().start();
    let hooks = ["/a", "/b"].map(|path| audience.subscribe(path, &["order.created"]));
    order(&audience, &second, 150);
    for hook in &hooks {
        assert_each_once(&audience, hook, 300);
    }
}

#[test]
fn what_happens_on_a_silent_node_is_delivered_by_another() {
    // Without its own looking around it delivers what it is told of only.
    let audience = Audience::of(
        App::with(DatabaseKind::Postgres)
            .delivering_with(|delivering| {
                delivering.dispatch.sweep_interval = std::time::Duration::from_secs(3_600);
            })
            .start(),
    );
    let silent = audience.app.again().not_delivering().start();
    let hook = audience.subscribe("/a", &["contact.created", "order.created"]);
    let client = audience.client.at(&silent);
    // Who listens may still be connecting: what is said before is heard of by looking around alone.
    super::audience::until(
        || {
            let _ = client.post("/customers", &json!({"name": "Ana"})).expect(201);
            Some(()).filter(|()| !audience.receiver.received().is_empty())
        },
        || audience.deliveries(&hook, ""),
    );
    let before = audience.count(&hook, "") as usize;
    order(&audience, &silent, 20);
    let count = before + 1 + 40;
    assert_each_once(&audience, &hook, count);
}

#[test]
fn another_node_takes_over_where_one_stops() {
    let audience = Audience::gather(DatabaseKind::Postgres);
    let second = audience.app.again().start();
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.script("/a", [], Reaction::Hang);
    audience.happen(60);
    audience.receiver.wait_for(2);
    audience.receiver.always("/a", Reaction::status(200));
    second.stop();
    assert_each_once(&audience, &hook, 60);
}

#[test]
fn a_secret_rotated_on_one_node_signs_on_the_other() {
    let audience = Audience::gather(DatabaseKind::Postgres);
    let silent = audience.app.again().not_delivering().start();
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(1);
    audience.receiver.wait_for(1);
    let rotated = audience.client.at(&silent).act(&hook.at("rotate-secret")).expect(200);
    audience.happen(1);
    let request = audience.receiver.wait_for(2).remove(1);
    let secret = rotated["secret"].as_str().unwrap();
    let signature = super::audience::signature(secret, &request.body);
    assert_eq!(request.header("x-service-signature-256"), Some(signature.as_str()));
}

/// Another node has looked for webhooks before there was this one, and commits what it tells after the replay has begun.
#[test]
fn a_replay_brings_what_another_node_is_about_to_tell() {
    let audience = Audience::gather(DatabaseKind::Postgres);
    let other = audience.app.again().not_delivering().start();
    let (cart, client) = (cart(&audience), audience.client.at(&other));
    let mut changing = changing_customer(&audience, &cart);
    let since = json!({"since": "2020-01-01T00:00:00Z"});
    let hook = thread::scope(|scope| {
        let placed = scope.spawn(|| client.post("/orders", &cart).expect(201));
        changing.wait_for(1, || placed.is_finished());
        let hook = audience.subscribe("/a", &["*"]);
        audience.app.advance_seconds(1);
        let _ = audience.replay(&hook, &since).expect(200);
        audience.wait_count(&hook, "state=delivered", 2);
        changing.commit();
        let _ = placed.join().expect("it is placed");
        hook
    });
    assert_each_once(&audience, &hook, 3);
}

/// Somebody who has locked the customer of an order, and does not go on.
fn changing_customer(audience: &Audience, cart: &Value) -> Held {
    let customer = cart["customerId"].as_str().unwrap();
    audience.app.database.hold(&format!("SELECT FROM customers WHERE id = '{customer}' FOR UPDATE"))
}

/// Whoever writes an event at another node may have locked what an order names: the order waits for that before it has others wait.
#[test]
fn an_order_holds_up_the_feed_last() {
    let audience = Audience::gather(DatabaseKind::Postgres);
    let cart = cart(&audience);
    // What the first one asks for is looked up, and remembered for the second.
    for _ in 0..2 {
        let mut changing = changing_customer(&audience, &cart);
        thread::scope(|scope| {
            let placed = scope.spawn(|| audience.client.post("/orders", &cart).expect(201));
            changing.wait_for(1, || placed.is_finished());
            changing.go_on("UPDATE counters SET value = value WHERE name = 'events'");
            changing.commit();
            let _ = placed.join().expect("it is placed");
        });
    }
}
