//! What arrives: every event as the catalog has it, signed, and at those alone who want it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Receiver, Reply, Request, on_both};

use super::audience::{Audience, event_ids, signature, subscribe, until};
use crate::orders::shop::{id, is_moment};

on_both!(
    every_event_arrives_as_the_catalog_has_it,
    the_headers_carry_the_brand,
    a_webhook_gets_the_events_that_it_names,
    what_is_another_accounts_never_arrives,
    a_test_reaches_the_tested_webhook_alone,
    what_is_refused_or_repeated_is_not_told,
);

/// The events that something in today's API causes, in the order in which [`cause_all`] does.
const CAUSED: [&str; 15] = [
    "contact.created",
    "product.created",
    "product.updated",
    "order.created",
    "inventory.low",
    "order.updated",
    "order.paid",
    "payment.received",
    "order.updated",
    "order.shipped",
    "order.created",
    "order.updated",
    "order.cancelled",
    "lead.created",
    "lead.converted",
];

/// Causes each of them once, those of an order's way as often as it takes.
fn cause_all(audience: &Audience) {
    let client = &audience.client;
    let made = |path: &str, body: Value| id(&client.post(path, &body).expect(201));
    let changed = |path: String, body: Value| drop(client.patch(&path, &body).expect(200));
    let ana = made("/customers", json!({"name": "Ana", "email": "ana@example.com"}));
    let mug = json!({"name": "Taza \"Ñandú\"\n", "sku": "TAZA", "price": 19.99, "inventory": 10,
        "lowStockThreshold": 9});
    let mug = made("/products", mug);
    changed(format!("/products/{mug}"), json!({"price": 21.5}));
    let cart = json!({"customerId": ana, "items": [{"productId": mug, "quantity": 2}]});
    let order = made("/orders", cart.clone());
    changed(format!("/orders/{order}"), json!({"status": "paid"}));
    let shipped = json!({"status": "shipped", "trackingNumber": "MX-1"});
    changed(format!("/orders/{order}"), shipped);
    let order = made("/orders", cart);
    let cancelled = json!({"status": "cancelled", "reason": "cambió de opinión"});
    changed(format!("/orders/{order}"), cancelled);
    let lead = json!({"name": "Ana", "email": "ana@example.com", "source": "web"});
    let lead = made("/crm/leads", lead);
    let _ = client.post(&format!("/crm/leads/{lead}/convert"), &json!({})).expect(200);
    let _ = client.delete(&format!("/products/{mug}")).expect(200);
}

/// The fields of a payload with the names of their types.
fn types(payload: &Value) -> BTreeMap<String, &'static str> {
    let kind = |value: &Value| match value {
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Object(_) => "object",
        other => panic!("no type of the catalog: {other}"),
    };
    let fields = payload.as_object().unwrap().iter();
    fields.map(|(name, value)| (name.clone(), kind(value))).collect()
}

fn every_event_arrives_as_the_catalog_has_it(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/all?shop=1", &["*"]);
    cause_all(&audience);
    let mut caused = CAUSED.to_vec();
    caused.push("product.deleted");
    let requests = audience.receiver.wait_for(caused.len());
    let mut names: Vec<String> = Vec::new();
    let catalog = audience.client.get("/webhooks/events").expect(200);
    for request in &requests {
        let body = request.json();
        let name = body["event"].as_str().unwrap();
        let fields: Vec<&String> = body.as_object().unwrap().keys().collect();
        assert_eq!(fields.len(), 4, "{}", request.body);
        assert!(is_moment(&body["createdAt"]) && body["id"].as_str().unwrap().starts_with("evt_"));
        let known = catalog["events"].as_array().unwrap().iter();
        let known = known.filter(|known| known["event"] == name).map(|known| &known["payload"]);
        let known = known.map(|payload| {
            let fields = payload.as_object().unwrap().iter();
            fields.map(|(field, kind)| (field.as_str(), kind.as_str().unwrap())).collect()
        });
        let documented: Vec<BTreeMap<&str, &str>> = known.collect();
        let payload = types(&body["data"]);
        let payload = payload.iter().map(|(field, kind)| (field.as_str(), *kind)).collect();
        assert_eq!(documented, [payload], "{name}");
        assert_headers(request, name, &hook.secret);
        names.push(name.to_owned());
    }
    names.sort();
    caused.sort_unstable();
    assert_eq!(names, caused);
    // Extensions are sent to those alone who name them.
    let delivered = audience
        .app
        .database
        .lines("SELECT body AS line FROM events WHERE name NOT LIKE 'shipment.%' ORDER BY id");
    let mut sent: Vec<String> = requests.into_iter().map(|request| request.body).collect();
    sent.sort();
    let mut kept = delivered;
    kept.sort();
    assert_eq!(sent, kept, "the very bytes");
    audience.wait_count(&hook, "state=delivered", caused.len() as u64);
}

#[track_caller]
fn assert_headers(request: &Request, name: &str, secret: &str) {
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/all?shop=1"));
    let header = |header| request.header(header);
    assert_eq!(header("content-type"), Some("application/json"));
    assert_eq!(header("x-service-event-id"), request.json()["id"].as_str());
    assert_eq!(header("x-service-event"), Some(name));
    assert_eq!(header("x-service-attempt"), Some("1"));
    assert!(header("x-service-delivery-id").unwrap().starts_with("dlv_"));
    let signature = signature(secret, &request.body);
    assert_eq!(header("x-service-signature-256"), Some(signature.as_str()));
    assert!(header("user-agent").unwrap().starts_with("trastienda/"));
    for absent in ["authorization", "cookie", "referer", "x-request-id", "traceparent"] {
        assert_eq!(header(absent), None, "{absent}");
    }
}

fn the_headers_carry_the_brand(kind: DatabaseKind) {
    let app = App::with(kind).api(|api| api.brand = "abarrotes".to_owned()).delivering();
    let audience = Audience::of(app.start());
    let hook = audience.subscribe("/a", &["*"]);
    let catalog = audience.client.get("/webhooks/events").expect(200);
    assert_eq!(catalog["signing"]["header"], "x-abarrotes-signature-256");
    audience.happen(1);
    let request = audience.receiver.wait_for(1).remove(0);
    let signature = signature(&hook.secret, &request.body);
    assert_eq!(request.header("x-abarrotes-signature-256"), Some(signature.as_str()));
    assert_eq!(request.header("x-abarrotes-event-id"), request.json()["id"].as_str());
    let foreign = ["x-service-", "x-trastienda-"];
    let named = |(name, _): &(String, String)| foreign.iter().any(|other| name.starts_with(other));
    assert!(!request.headers.iter().any(named), "{:?}", request.headers);
}

fn a_webhook_gets_the_events_that_it_names(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let cases: [(&str, &[&str], &[&str]); 5] = [
        ("/all", &["deal.won", "*"], &CAUSED),
        ("/leads", &["lead.created", "lead.converted"], &["lead.created", "lead.converted"]),
        ("/paid", &["order.paid"], &["order.paid"]),
        ("/twice", &["inventory.low", "inventory.low"], &["inventory.low"]),
        ("/none", &["deal.won", "invoice.created", "approval.decided"], &[]),
    ];
    let hooks = cases.map(|(path, events, _)| audience.subscribe(path, events));
    cause_all(&audience);
    let _ = audience.client.patch(&hooks[4].place(), &json!({"events": ["contact.created"]}));
    audience.happen(1);
    let received = |path: &str| {
        let mut names: Vec<String> = audience
            .receiver
            .received_at(path)
            .iter()
            .map(|request| request.json()["event"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    audience.receiver.wait_at("/all", CAUSED.len() + 2);
    audience.receiver.wait_at("/none", 1);
    for ((path, _, names), hook) in cases.iter().zip(&hooks) {
        let mut names = names.to_vec();
        match *path {
            "/all" => names.extend(["product.deleted", "contact.created"]),
            "/none" => names.push("contact.created"),
            _ => {}
        }
        names.sort_unstable();
        audience.wait_count(hook, "state=delivered", names.len() as u64);
        assert_eq!(received(path), names, "{path}");
        assert_eq!(audience.count(hook, ""), names.len() as u64, "{path}");
    }
}

fn what_is_another_accounts_never_arrives(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let strangers: Vec<_> = (0..3).map(|_| audience.app.client()).collect();
    let (own, theirs) = (audience.subscribe("/own", &["*"]), Receiver::start());
    let hooks: Vec<_> =
        strangers.iter().map(|client| subscribe(client, &theirs, "/theirs", &["*"])).collect();
    for _ in 0..5 {
        audience.happen(1);
        for stranger in &strangers {
            let _ = stranger.post("/customers", &json!({"name": "Other"})).expect(201);
        }
    }
    let own_requests = audience.receiver.wait_for(5);
    let their_requests = theirs.wait_for(15);
    let ids = |name: &str| -> Vec<String> {
        let events = audience.app.database.events(audience.account, name);
        events.iter().map(id).collect()
    };
    let mut arrived = event_ids(&own_requests);
    arrived.sort();
    assert_eq!(arrived, ids("contact.created"));
    for request in &their_requests {
        let header = request.header("x-service-signature-256").unwrap();
        assert_ne!(header, signature(&own.secret, &request.body));
        let signers = hooks.iter().filter(|hook| header == signature(&hook.secret, &request.body));
        assert_eq!(signers.count(), 1);
    }
    audience.wait_count(&own, "state=delivered", 5);
    assert_eq!((audience.receiver.received().len(), theirs.received().len()), (5, 15));
}

fn a_test_reaches_the_tested_webhook_alone(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let tested = audience.subscribe("/tested", &["deal.won"]);
    let other = audience.subscribe("/other", &["*"]);
    let opened = audience.act(&tested, "test");
    assert_eq!(
        (&opened["event"], &opened["webhookId"]),
        (&json!("webhook.test"), &json!(tested.id))
    );
    let request = audience.receiver.wait_for(1).remove(0);
    let body = request.json();
    assert_eq!((request.path.as_str(), &body["event"]), ("/tested", &json!("webhook.test")));
    assert_eq!(body["data"], json!({"webhookId": tested.id}));
    assert_eq!(body["id"], opened["eventId"]);
    let signature = signature(&tested.secret, &request.body);
    assert_eq!(request.header("x-service-signature-256"), Some(signature.as_str()));
    audience.wait(&opened, |delivery| delivery["state"] == "delivered");
    assert_eq!(audience.count(&other, ""), 0);

    let once = || {
        let request = audience.client.request("POST", &tested.at("test"));
        Reply::to(request.header("Idempotency-Key", "k"))
    };
    let (first, again) = (once(), once());
    assert_eq!((first.status, again.header("idempotent-replayed")), (200, Some("true")));
    assert_eq!(again.text, first.text);
    audience.wait_count(&tested, "state=delivered", 2);
}

fn what_is_refused_or_repeated_is_not_told(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    let client = &audience.client;
    let ana = json!({"name": "Ana", "email": "ana@example.com"});
    let made = id(&client.post_once("/customers", "k", &ana).expect(201));
    assert_eq!(client.post_once("/customers", "k", &ana).status, 201);
    let _ = client.post("/customers", &ana).refused(409, "duplicate_email");
    let mug = json!({"name": "Taza", "sku": "TAZA", "price": 1, "inventory": 1});
    let mug = id(&client.post("/products", &mug).expect(201));
    let cart = |quantity: u32| {
        let items = json!([{"productId": mug, "quantity": quantity}]);
        json!({"customerId": made, "items": items})
    };
    let _ = client.post("/orders", &cart(2)).refused(409, "insufficient_stock");
    let first = client.post_once("/orders", "o", &cart(1));
    let again = client.post_once("/orders", "o", &cart(1));
    assert_eq!(first.text, again.text);
    let unchanged = client.patch(&format!("/products/{mug}"), &json!({"name": "Taza"}));
    assert_eq!(unchanged.status, 200);
    let told = until(
        || {
            let told = audience.deliveries(&hook, "state=delivered");
            Some(told).filter(|told| told.len() >= 3)
        },
        || audience.deliveries(&hook, ""),
    );
    let names: Vec<&Value> = told.iter().rev().map(|delivery| &delivery["event"]).collect();
    assert_eq!(names, ["contact.created", "product.created", "order.created"]);
    assert_eq!(audience.count(&hook, ""), 3);
}
