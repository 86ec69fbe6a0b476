//! The timeline of an order: what has happened to it and to what belongs to it.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    papers::{
        desk::Desk,
        replacing::{cancel, replacement},
    },
    till::Till,
};
use crate::orders::shop::id;

on_both!(
    everything_is_told_once_and_in_order,
    a_timeline_is_of_one_order_of_one_account,
    papers_that_are_cancelled_are_still_told_of,
    every_invoice_of_an_order_is_still_told_of,
    deliveries_are_asked_for_at_once_however_many_events_there_are,
);

fn timeline(till: &Till, order: &str) -> Vec<Value> {
    let shown = till.shop.client.get(&format!("/orders/{order}/timeline")).expect(200);
    shown["data"].as_array().unwrap().clone()
}

fn names(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["name"].as_str().unwrap()).collect()
}

fn everything_is_told_once_and_in_order(kind: DatabaseKind) {
    let till = Till::open(kind);
    let hook = json!({"url": "https://shop.example.com/hook", "events": ["order.paid"]});
    let hook = till.shop.client.post("/webhooks", &hook).expect(201);
    let (order, other) = (till.order(2), till.order(1));
    let _ = till.shop.client.post("/payment-links", &json!({"orderId": order})).expect(201);
    let part = till.pay(&json!({"orderId": order, "method": "cash", "amount": 40}));
    let waiting = till.pay(&json!({"orderId": order, "method": "spei", "amount": 30}));
    let _ = till.pay(&json!({"orderId": order, "method": "card"}));
    let _ = till.once(&waiting, "canceled");
    let refund = till.act(&part, "refunds", &json!({"amount": 10})).expect(201);
    let back = json!({"items": [{"line": 1, "quantity": 1}], "reason": "Broken", "refund": false});
    let _ = till.shop.client.post(&format!("/orders/{order}/returns"), &back).expect(201);
    let _ = till.pay(&json!({"orderId": other, "method": "cash"}));

    let entries = timeline(&till, &order);
    assert_eq!(
        names(&entries),
        [
            "order.created",
            "payment_link.created",
            "payment.created",
            "payment.received",
            "payment.created",
            "payment.created",
            "payment.received",
            "order.updated",
            "order.paid",
            "payment.canceled",
            "refund.created",
            "refund.succeeded",
            "order.returned",
        ],
        "{entries:#?}"
    );
    let at = |entry: &Value| entry["at"].as_str().unwrap().to_owned();
    assert!(entries.is_sorted_by_key(at), "{entries:#?}");
    assert_eq!((&entries[0]["id"], &entries[0]["amount"]), (&json!(order), &json!(100)));
    assert_eq!(
        entries[3]["event"]["data"],
        json!({"id": id(&part), "amount": 40, "method": "cash"})
    );
    assert_eq!(entries[11]["event"]["data"]["id"], refund["id"]);
    let told = entries[8]["event"]["deliveries"].as_array().unwrap();
    assert_eq!((told.len(), &told[0]["webhookId"]), (1, &hook["id"]));
    assert_eq!(entries[3]["event"]["deliveries"], json!([]));
}

fn a_timeline_is_of_one_order_of_one_account(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(1);
    assert_eq!(names(&timeline(&till, &order)), ["order.created"]);
    let cancel = json!({"status": "cancelled", "reason": "Changed their mind"});
    let _ = till.shop.client.patch(&format!("/orders/{order}"), &cancel).expect(200);
    let entries = timeline(&till, &order);
    assert_eq!(names(&entries), ["order.created", "order.updated", "order.cancelled"]);
    assert_eq!(entries[2]["event"]["data"]["reason"], "Changed their mind");
    let stranger = till.shop.app.client_of(till.shop.app.account(), "*");
    let _ = stranger.get(&format!("/orders/{order}/timeline")).refused(404, "not_found");
}

/// What an order's history says of a document.
#[track_caller]
fn told(desk: &Desk, order: &Value, paper: &Value) -> Vec<String> {
    let path = format!("/orders/{}/timeline", id(order));
    let shown = desk.office.client.get(&path).expect(200);
    let entries = shown["data"].as_array().unwrap().iter();
    let own = entries.filter(|entry| entry["type"] == paper["type"] && entry["id"] == paper["id"]);
    own.map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
}

fn papers_that_are_cancelled_are_still_told_of(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let (order, other) = (desk.order(4), desk.order(2));
    let _ = [&order, &other].map(|order| desk.invoice_of(order));
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let receipt = desk.stamped(&desk.receipt(&paid));
    let refund = desk.refund(&paid, &json!({"amount": 50})).expect(201);
    let note = desk.stamped(&desk.note(&refund));
    desk.settle();
    let told = |order: &Value, paper: &Value| told(&desk, order, paper);
    for paper in [&note, &receipt] {
        let before = told(&order, paper);
        assert_eq!(before.last().map(String::as_str), Some("invoice.stamped"));
        let _ = desk.office.cancel(&id(paper), "02").expect(200);
        let _ = desk.office.until(&id(paper), |seen| seen["status"] == "cancelled");
        let after = told(&order, paper);
        assert!(after.starts_with(&before), "{after:?}");
        assert_eq!(after.last().map(String::as_str), Some("invoice.cancelled"));
        assert!(told(&other, paper).is_empty());
    }
}

fn every_invoice_of_an_order_is_still_told_of(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let (order, other) = (desk.order(4), desk.order(2));
    let [first, _] = [&order, &other].map(|order| desk.invoice_of(order));
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let mut told_of = vec![desk.stamped(&desk.receipt(&paid)), first.clone()];
    let mut last = first;
    for stamps in [true, false] {
        let next = replacement(&desk, &last);
        let receipt = told_of.iter().rfind(|paper| paper["type"] == "P").unwrap();
        let _ = desk.office.cancel(&id(receipt), "02").expect(200);
        // The last receipt stays a draft, which goes with its invoice.
        desk.stamps(stamps, true);
        cancel(&desk, &last, &next);
        let receipt = desk.receipt(&paid);
        if stamps {
            told_of.push(desk.stamped(&receipt));
        }
        told_of.push(next.clone());
        last = next;
    }
    assert_eq!(desk.office.cancel(&id(&last), "02").expect(200)["status"], "cancelled");
    desk.settle();
    let is_told = || {
        for paper in &told_of {
            let names = told(&desk, &order, paper);
            let last = names.last().map(String::as_str);
            assert_eq!(last, Some("invoice.cancelled"), "{paper} {names:?}");
            assert!(told(&desk, &other, paper).is_empty());
        }
    };
    is_told();
    let again = desk.invoice_of(&order);
    is_told();
    assert_eq!(told(&desk, &order, &again).last().map(String::as_str), Some("invoice.stamped"));
}

fn deliveries_are_asked_for_at_once_however_many_events_there_are(kind: DatabaseKind) {
    /// What goes on beside asks, too. It does not always.
    const TRIES: usize = 20;
    let till = Till::open(kind);
    for name in ["hook", "other"] {
        let hook = json!({"url": format!("https://shop.example.com/{name}"), "events": ["*"]});
        let _ = till.shop.client.post("/webhooks", &hook).expect(201);
    }
    let (few, many) = (till.order(2), till.order(2));
    let _ = till.pay(&json!({"orderId": few, "method": "cash"}));
    for _ in 0..5 {
        let _ = till.pay(&json!({"orderId": many, "method": "cash", "amount": 20}));
    }
    let asked = |order: &str| {
        let tries = (0..TRIES).map(|_| {
            let before = till.shop.app.statements();
            let _ = timeline(&till, order);
            till.shop.app.statements() - before
        });
        tries.min()
    };
    assert_eq!(asked(&few), asked(&many));
    let entries = timeline(&till, &many);
    let received = entries.iter().filter(|entry| entry["name"] == "payment.received");
    let deliveries: Vec<&Value> = received.map(|entry| &entry["event"]["deliveries"]).collect();
    assert_eq!(deliveries.len(), 5);
    for of_one in &deliveries {
        assert_eq!(of_one.as_array().unwrap().len(), 2, "one for each webhook: {of_one}");
    }
}
