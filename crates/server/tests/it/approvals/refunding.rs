//! Refunds that wait for an approval.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::{Desk, id, is, level, ticket};

on_both!(
    a_large_refund_waits_and_is_made_once,
    a_small_refund_is_made_at_once,
    what_could_not_be_refunded_asks_nobody,
    another_refund_meanwhile_supersedes,
    a_rejected_refund_gives_nothing_back,
);

/// A payment of 1,000 by hand, where refunds above 500 are approved by Ana.
fn paid(desk: &Desk) -> String {
    let conditions = json!([{"field": "amount", "op": "gt", "value": 500}]);
    let body = json!({"entityType": "refund", "currency": "MXN", "conditions": conditions,
        "levels": [level(&[&desk.ana], 1)]});
    let _ = desk.ana.client.post("/approval-rules", &body).expect(201);
    let body = json!({"method": "cash", "amount": 1000, "currency": "MXN"});
    id(&desk.shop.client.post("/payments", &body).expect(201))
}

fn refund(amount: i64) -> Value {
    json!({"amount": amount, "reason": "Llegó rota"})
}

fn refunds_of(payment: &str) -> String {
    format!("/payments/{payment}/refunds")
}

fn refunded(desk: &Desk, payment: &str) -> Value {
    let payment = desk.shop.client.get(&format!("/payments/{payment}")).expect(200);
    payment["amountRefunded"].clone()
}

fn a_large_refund_waits_and_is_made_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let asked = desk.shop.client.post_once(&refunds_of(&payment), "r1", &refund(600));
    let approval = ticket(&asked);
    assert_eq!(refunded(&desk, &payment), 0);
    let seen = desk.read(&approval);
    let facts = json!({"amount": 600, "share": 60, "method": "cash", "daysSincePaid": 0,
        "reason": "Llegó rota"});
    assert_eq!((&seen["facts"], &seen["entityId"]), (&facts, &json!(payment)));
    let approved = desk.ana.approve(&approval).expect(200);
    assert_eq!(super::desk::state(&approved), is("approved", "applied"));
    assert_eq!(approved["result"]["status"], 201);
    let made = &approved["result"]["body"];
    assert_eq!((&made["amount"], &made["status"]), (&json!(600), &json!("succeeded")));
    assert_eq!(refunded(&desk, &payment), 600);
    let again = desk.shop.client.post_once(&refunds_of(&payment), "r1", &refund(600));
    assert_eq!(ticket(&again), approval);
    let _ = desk.ana.approve(&approval).expect(200);
    assert_eq!(refunded(&desk, &payment), 600);
}

fn a_small_refund_is_made_at_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let _ = desk.shop.client.post(&refunds_of(&payment), &refund(500)).expect(201);
    assert_eq!(refunded(&desk, &payment), 500);
}

fn what_could_not_be_refunded_asks_nobody(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let refused = desk.shop.client.post(&refunds_of(&payment), &refund(1001));
    let _ = refused.refused(409, "refund_exceeds_refundable");
    assert_eq!(desk.shop.told("approval.requested").len(), 0);
}

fn another_refund_meanwhile_supersedes(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let approval = ticket(&desk.shop.client.post(&refunds_of(&payment), &refund(600)));
    let _ = desk.shop.client.post(&refunds_of(&payment), &refund(100)).expect(201);
    let decided = desk.ana.approve(&approval).expect(200);
    assert_eq!(super::desk::state(&decided), is("superseded", "none"));
    assert_eq!(refunded(&desk, &payment), 100);
}

fn a_rejected_refund_gives_nothing_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let approval = ticket(&desk.shop.client.post(&refunds_of(&payment), &refund(600)));
    let rejected = desk.ana.reject(&approval).expect(200);
    assert_eq!(super::desk::state(&rejected), is("rejected", "none"));
    assert_eq!(refunded(&desk, &payment), 0);
}
