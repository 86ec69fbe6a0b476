//! Endpoints that hang or fail, and those beside them.

use std::time::Duration;

use testkit::{DatabaseKind, Reaction, on_both};

use super::audience::{Audience, Hook, event_ids, subscribe};

on_both!(
    endpoints_that_hang_hold_up_nobody,
    accounts_that_hang_hold_up_no_other,
    events_about_one_thing_arrive_in_order,
);

/// Longer than this test takes: what hangs hangs to its end.
fn patient(delivering: &mut trastienda::Delivering) {
    let timeout = Duration::from_secs(120);
    delivering.outbound.exchange_timeout = timeout;
    delivering.dispatch.exchange_timeout = timeout;
}

fn endpoints_that_hang_hold_up_nobody(kind: DatabaseKind) {
    let audience = Audience::gather_with(kind, patient);
    let hangs = audience.subscribe("/hangs", &["*"]);
    let drips = audience.subscribe("/drips", &["*"]);
    audience.receiver.always("/hangs", Reaction::Hang);
    audience.receiver.always("/drips", Reaction::Drip);
    let healthy: Vec<Hook> =
        (0..10).map(|number| audience.subscribe(&format!("/{number}"), &["*"])).collect();
    audience.happen(200);
    let mut expected: Vec<String> = Vec::new();
    for hook in &healthy {
        let mut arrived = event_ids(&audience.receiver.wait_at(&hook.path, 200));
        arrived.sort();
        if expected.is_empty() {
            expected.clone_from(&arrived);
        }
        assert_eq!(arrived, expected, "{}", hook.path);
        audience.wait_count(hook, "state=delivered", 200);
    }
    for hook in [&hangs, &drips] {
        assert_eq!(audience.count(hook, "state=attempting"), 200, "all of them wait");
        let requests = audience.receiver.received_at(&hook.path).len();
        assert!((1..=64).contains(&requests), "{requests} hang at once");
    }
    audience.receiver.always("/drips", Reaction::status(200));
    audience.receiver.always("/hangs", Reaction::status(200));
    audience.wait_count(&hangs, "state=delivered", 200);
}

fn accounts_that_hang_hold_up_no_other(kind: DatabaseKind) {
    let audience = Audience::gather_with(kind, |delivering| {
        patient(delivering);
        delivering.dispatch.in_flight_max = 32;
        delivering.dispatch.account_in_flight_max = 16;
    });
    let hook = audience.subscribe("/healthy", &["*"]);
    audience.happen(1);
    audience.wait_count(&hook, "state=delivered", 1);
    for account in 0..4 {
        let client = audience.app.client();
        for number in 0..3 {
            let path = format!("/hangs/{account}/{number}");
            audience.receiver.always(&path, Reaction::Hang);
            subscribe(&client, &audience.receiver, &path, &["*"]);
        }
        for _ in 0..10 {
            let customer = serde_json::json!({"name": "Ana"});
            let _ = client.post("/customers", &customer).expect(201);
        }
    }
    audience.happen(100);
    audience.wait_count(&hook, "state=delivered", 101);
    let hanging = audience.receiver.received().len() - 101;
    assert!(hanging >= 4, "others hang meanwhile: {hanging}");
}

fn events_about_one_thing_arrive_in_order(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["product.created", "product.updated", "product.deleted"]);
    let client = &audience.client;
    let mut products = Vec::new();
    for number in 0..5 {
        let body = serde_json::json!({"name": "T", "sku": format!("T{number}"), "price": 1});
        let made = client.post("/products", &body).expect(201);
        products.push(made["id"].as_str().unwrap().to_owned());
    }
    for price in 2..=20 {
        for product in &products {
            let body = serde_json::json!({"price": price});
            let _ = client.patch(&format!("/products/{product}"), &body).expect(200);
        }
    }
    for product in &products {
        let _ = client.delete(&format!("/products/{product}")).expect(200);
    }
    audience.wait_count(&hook, "state=delivered", 5 * 21);
    let requests = audience.receiver.received_at("/a");
    for product in &products {
        let about = requests.iter().filter(|request| request.body.contains(product.as_str()));
        let ids = event_ids(&about.cloned().collect::<Vec<_>>());
        assert!(ids.is_sorted() && ids.len() == 21, "{ids:?}");
    }
}
