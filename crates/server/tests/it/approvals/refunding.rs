//! Refunds that wait for an approval.

use std::{sync::Barrier, thread};

use kernel::{Amount, Ctx, Refused};
use payments::{CallQueue, NewRefund, Origin, PaymentError, PaymentId, service::Begin};
use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::{Desk, id, is, level, ticket};
use crate::races::at_once;

on_both!(
    a_large_refund_waits_and_is_made_once,
    a_small_refund_is_made_at_once,
    what_could_not_be_refunded_asks_nobody,
    another_refund_meanwhile_supersedes,
    a_rejected_refund_gives_nothing_back,
    what_a_return_gives_back_is_guarded,
    a_return_of_what_has_left_meanwhile_is_superseded,
    what_a_cancellation_gives_back_is_guarded,
    a_cancellation_meets_the_rules_of_both_kinds,
    every_method_of_an_order_meets_the_rules,
    whoever_is_named_decides_whatever_it_is_about,
    what_waits_is_set_aside_until_it_ends,
    what_is_superseded_is_set_aside_no_longer,
    all_that_is_left_is_what_was_left_then,
    what_has_become_more_behind_the_gate_meets_the_rules,
    many_at_once_are_promised_no_more_than_there_is,
    goods_are_promised_once_and_shown,
    a_cancellation_that_waits_sets_all_of_it_aside,
    what_waits_elsewhere_makes_nothing_smaller,
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

/// A paid order of twelve pieces of 100, where refunds above 500 are approved by Ana.
fn order(desk: &Desk) -> String {
    let _ = paid(desk);
    let mug = desk.shop.product("TAZA", 100.0, 100);
    let order = desk.shop.order_id(&[(&mug, 12)]);
    let cash = json!({"orderId": order, "method": "cash"});
    let _ = desk.shop.client.post("/payments", &cash).expect(201);
    order
}

fn order_now(desk: &Desk, order: &str) -> Value {
    desk.shop.client.get(&format!("/orders/{order}")).expect(200)
}

fn what_a_return_gives_back_is_guarded(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    let returns = format!("/orders/{order}/returns");
    let back = |pieces: i64, refund: bool| json!({"items": [{"line": 1, "quantity": pieces}], "reason": "Rota", "refund": refund});
    let small = desk.shop.client.post(&returns, &back(1, true)).expect(201);
    assert_eq!(small["refundAmount"], 100, "{small}");
    let unpaid = desk.shop.client.post(&returns, &back(1, false)).expect(201);
    assert_eq!(unpaid["refundAmount"], 0, "{unpaid}");
    let _ = desk.shop.client.post(&returns, &back(11, true)).refused(409, "conflict");
    let asked = desk.shop.client.post_once(&returns, "back", &back(6, true));
    let approval = ticket(&asked);
    let seen = desk.read(&approval);
    assert_eq!((&seen["entityType"], &seen["entityId"]), (&json!("refund"), &json!(order)));
    assert_eq!((&seen["facts"]["amount"], &seen["facts"]["method"]), (&json!(600), &json!("cash")));
    assert_eq!(order_now(&desk, &order)["amountRefunded"], 100);
    let approved = desk.ana.approve(&approval).expect(200);
    assert_eq!(super::desk::state(&approved), is("approved", "applied"));
    let made = &approved["result"]["body"];
    assert_eq!((&made["refundAmount"], &made["orderId"]), (&json!(600), &json!(order)));
    let after = order_now(&desk, &order);
    assert_eq!(
        (&after["amountRefunded"], &after["items"][0]["returnedQuantity"]),
        (&json!(700), &json!(8))
    );
    assert_eq!(ticket(&desk.shop.client.post_once(&returns, "back", &back(6, true))), approval);
    assert_eq!(order_now(&desk, &order)["amountRefunded"], 700);
}

/// What was asked for while the goods lay on the shelf takes them off the order; once they have left, they have to come back.
/// What is paid in between is not given back unseen.
#[test]
fn a_return_gives_back_what_was_judged() {
    let desk = Desk::open(DatabaseKind::Postgres);
    let conditions = json!([{"field": "amount", "op": "gt", "value": 500}]);
    let body = json!({"entityType": "refund", "currency": "MXN", "conditions": conditions,
        "levels": [level(&[&desk.ana], 1)]});
    let _ = desk.ana.client.post("/approval-rules", &body).expect(201);
    let mug = desk.shop.product("TAZA", 100.0, 100);
    let order = desk.shop.order_id(&[(&mug, 12)]);
    let _ = desk.shop.step(&order, "shipped").expect(200);
    let cash = |amount: i64| json!({"orderId": order, "method": "cash", "amount": amount});
    let _ = desk.shop.client.post("/payments", &cash(400)).expect(201);
    let second = desk.shop.app.again().start();
    let other = desk.shop.client.at(&second);
    let back = json!({"items": [{"line": 1, "quantity": 12}], "reason": "Rota", "refund": true});
    let path = format!("/orders/{order}/returns");
    // What it would give back is tried first.
    let mut held = desk.shop.app.database.hold("LOCK TABLE order_returns IN SHARE MODE");
    let reply = thread::scope(|scope| {
        let returning = scope.spawn(|| desk.shop.client.post(&path, &back));
        held.wait_for(1, || returning.is_finished());
        let paying = scope.spawn(|| other.post("/payments", &cash(800)).status);
        held.wait_for(2, || paying.is_finished());
        drop(held);
        let _ = paying.join().unwrap();
        returning.join().unwrap()
    });
    // On a busy machine what is paid may be first: then somebody is asked.
    if reply.status != 202 {
        assert_eq!(reply.expect(201)["refundAmount"], 400);
    }
}

fn a_return_of_what_has_left_meanwhile_is_superseded(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    let back = json!({"items": [{"line": 1, "quantity": 7}], "reason": "Ya no los quiere", "refund": true});
    let approval = ticket(&desk.shop.client.post(&format!("/orders/{order}/returns"), &back));
    let some = json!({"items": [{"line": 1, "quantity": 8}]});
    let _ = desk.shop.client.post(&format!("/orders/{order}/shipments"), &some).expect(201);
    let decided = desk.ana.approve(&approval).expect(200);
    assert_eq!(super::desk::state(&decided), is("superseded", "none"));
    let after = order_now(&desk, &order);
    assert_eq!(
        (&after["amountRefunded"], &after["items"][0]["returnedQuantity"]),
        (&json!(0), &json!(0))
    );
}

fn cancel() -> Value {
    json!({"status": "cancelled", "reason": "Ya no lo quiere", "refund": true})
}

fn what_a_cancellation_gives_back_is_guarded(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    let path = format!("/orders/{order}");
    let approval = ticket(&desk.shop.client.patch(&path, &cancel()));
    let facts = desk.read(&approval)["facts"].clone();
    assert_eq!(
        (&facts["amount"], &facts["share"], &facts["total"]),
        (&json!(1200), &json!(100), &json!(1200))
    );
    assert_eq!(order_now(&desk, &order)["status"], "paid");
    let _ = desk.ana.approve(&approval).expect(200);
    let after = order_now(&desk, &order);
    assert_eq!((&after["status"], &after["amountRefunded"]), (&json!("cancelled"), &json!(1200)));
}

fn a_cancellation_meets_the_rules_of_both_kinds(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    let _ = desk.rule("order_cancellation", &json!([]), &[level(&[&desk.beto], 1)]);
    let approval = ticket(&desk.shop.client.patch(&format!("/orders/{order}"), &cancel()));
    let _ = desk.ana.approve(&approval).expect(200);
    assert_eq!(order_now(&desk, &order)["status"], "paid");
    let _ = desk.beto.approve(&approval).expect(200);
    assert_eq!(order_now(&desk, &order)["status"], "cancelled");
}

fn every_method_of_an_order_meets_the_rules(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let conditions = json!([{"field": "method", "op": "eq", "value": "card"}]);
    let _ = desk.rule("refund", &conditions, &[level(&[&desk.ana], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 100);
    let order = desk.shop.order_id(&[(&mug, 2)]);
    for (method, amount) in [("cash", 10), ("card", 190)] {
        let part = json!({"orderId": order, "method": method, "amount": amount});
        let _ = desk.shop.client.post("/payments", &part).expect(201);
    }
    let approval = ticket(&desk.shop.client.patch(&format!("/orders/{order}"), &cancel()));
    let _ = desk.ana.approve(&approval).expect(200);
    assert_eq!(order_now(&desk, &order)["status"], "cancelled");
}

fn whoever_is_named_decides_whatever_it_is_about(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (text, key) = desk.shop.app.approving_key(desk.shop.account, "payments");
    let cashier =
        super::desk::Approver { client: desk.shop.client.with_key(&text), key: key.to_string() };
    let _ = desk.rule("refund", &json!([]), &[level(&[&cashier], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 100);
    let order = desk.shop.order_id(&[(&mug, 1)]);
    let cash = json!({"orderId": order, "method": "cash"});
    let _ = desk.shop.client.post("/payments", &cash).expect(201);
    let approval = ticket(&desk.shop.client.patch(&format!("/orders/{order}"), &cancel()));
    let seen = cashier.client.get(&format!("/approvals/{approval}")).expect(200);
    assert_eq!(seen["entityType"], "order_cancellation");
    let _ = cashier.approve(&approval).expect(200);
    assert_eq!(order_now(&desk, &order)["status"], "cancelled");
}

/// What is left of a payment to be given back, as the service refuses more.
#[track_caller]
fn left(desk: &Desk, payment: &str) -> String {
    desk.shop
        .client
        .post(&refunds_of(payment), &refund(2_000))
        .refused(409, "refund_exceeds_refundable")
}

fn what_waits_is_set_aside_until_it_ends(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let whole = left(&desk, &payment);
    let ask = || ticket(&desk.shop.client.post(&refunds_of(&payment), &refund(600)));
    let reject = |approval: &str| desk.ana.reject(approval).expect(200);
    let cancel =
        |approval: &str| desk.shop.client.act(&format!("/approvals/{approval}/cancel")).expect(200);
    for (end, status) in [(&reject as &dyn Fn(&str) -> Value, "rejected"), (&cancel, "canceled")] {
        let approval = ask();
        assert!(left(&desk, &payment).contains("400"), "{}", left(&desk, &payment));
        let more = desk.shop.client.post(&refunds_of(&payment), &refund(500));
        let _ = more.refused(409, "refund_exceeds_refundable");
        assert_eq!(end(&approval)["status"], status);
        assert_eq!(left(&desk, &payment), whole);
    }
    // Its time is over, whether anybody has marked that or not.
    let approval = ask();
    desk.shop
        .app
        .database
        .execute(&format!("UPDATE approvals SET expires_at = created_at WHERE id = '{approval}'"));
    let direct = desk.shop.client.post(&refunds_of(&payment), &refund(500)).expect(201);
    assert_eq!(direct["amount"], 500);
    assert_eq!(desk.read(&approval)["status"], "expired");
    assert!(left(&desk, &payment).contains("500"), "{}", left(&desk, &payment));
}

fn what_is_superseded_is_set_aside_no_longer(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let approval = ticket(&desk.shop.client.post(&refunds_of(&payment), &refund(600)));
    let _ = desk.shop.client.post(&refunds_of(&payment), &refund(100)).expect(201);
    assert!(left(&desk, &payment).contains("300"), "{}", left(&desk, &payment));
    let decided = desk.ana.approve(&approval).expect(200);
    assert_eq!(super::desk::state(&decided), is("superseded", "none"));
    assert!(left(&desk, &payment).contains("900"), "{}", left(&desk, &payment));
}

fn all_that_is_left_is_what_was_left_then(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let first = ticket(&desk.shop.client.post(&refunds_of(&payment), &refund(600)));
    let _ = desk.shop.client.post(&refunds_of(&payment), &json!({})).expect(201);
    assert_eq!(refunded(&desk, &payment), 400);
    let _ = desk.ana.reject(&first).expect(200);
    let rest = ticket(&desk.shop.client.post(&refunds_of(&payment), &json!({})));
    assert_eq!(desk.read(&rest)["facts"]["amount"], 600);
    let _ = desk.ana.approve(&rest).expect(200);
    assert_eq!(refunded(&desk, &payment), 1000);
}

fn what_has_become_more_behind_the_gate_meets_the_rules(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let store = desk.shop.app.store();
    // As if it had passed the gate while little was left: whoever carries it out looks at the rules again.
    let begin = |amount: Option<i64>| {
        let new = NewRefund {
            amount: amount.map(|amount| Amount::from_micros(amount * 1_000_000)),
            is_manual: true,
            origin: Origin::Api,
            reason: None,
            note: None,
        };
        let begin = Begin::Refund(PaymentId::parse(&payment).unwrap(), new);
        let ctx = Ctx::system(desk.shop.account, desk.shop.app.now());
        let until = ctx.now.plus_seconds(30);
        store.begin(ctx, begin, until).wait().unwrap()
    };
    for amount in [None, Some(501)] {
        assert_eq!(begin(amount).err(), Some(Refused::Rule(PaymentError::NeedsApproval)));
    }
    assert_eq!(refunded(&desk, &payment), 0);
    assert!(begin(Some(500)).is_ok());
    assert!(begin(None).is_ok(), "no more than 500 is left");
    assert_eq!(refunded(&desk, &payment), 1000);

    // What another request sets free meanwhile is asked about, or stays.
    for _ in 0..8 {
        let body = json!({"method": "cash", "amount": 1000, "currency": "MXN"});
        let payment = id(&desk.shop.client.post("/payments", &body).expect(201));
        let waiting = ticket(&desk.shop.client.post(&refunds_of(&payment), &refund(600)));
        let replies = at_once(2, |which| match which {
            0 => desk.shop.client.post(&refunds_of(&payment), &json!({})),
            _ => desk.ana.reject(&waiting),
        });
        let given = if replies[0].status == 201 { 400 } else { 0 };
        assert!([201, 202].contains(&replies[0].status), "{}", replies[0].text);
        assert_eq!(refunded(&desk, &payment), given);
    }
}

fn many_at_once_are_promised_no_more_than_there_is(kind: DatabaseKind) {
    const CALLERS: usize = 64;
    let desk = Desk::open(kind);
    let payment = paid(&desk);
    let _ = desk.rule("refund", &json!([]), &[level(&[&desk.ana], 1)]);
    let barrier = Barrier::new(CALLERS);
    let statuses: Vec<u16> = thread::scope(|scope| {
        let (desk, payment, barrier) = (&desk, &payment, &barrier);
        let callers = (0..CALLERS).map(|_| {
            scope.spawn(move || {
                barrier.wait();
                desk.shop.client.post(&refunds_of(payment), &refund(100)).status
            })
        });
        let callers: Vec<_> = callers.collect();
        callers.into_iter().map(|caller| caller.join().unwrap()).collect()
    });
    let of = |status| statuses.iter().filter(|seen| **seen == status).count();
    assert_eq!((of(202), of(409)), (10, CALLERS - 10), "{statuses:?}");
    assert_eq!(refunded(&desk, &payment), 0);
}

fn goods_are_promised_once_and_shown(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    let returns = format!("/orders/{order}/returns");
    let back = |pieces: i64| json!({"items": [{"line": 1, "quantity": pieces}], "reason": "Rota", "refund": true});
    let first = ticket(&desk.shop.client.post(&returns, &back(7)));
    let facts = desk.read(&first)["facts"].clone();
    assert_eq!((&facts["items"], &facts["amount"]), (&json!("7 × TAZA"), &json!(700)));
    // The same goods are not promised to another.
    let _ = desk.shop.client.post(&returns, &back(7)).refused(409, "conflict");
    let for_nothing = json!({"items": [{"line": 1, "quantity": 7}], "reason": "Rota"});
    let _ = desk.shop.client.post(&returns, &for_nothing).refused(409, "conflict");
    let _ = desk.ana.reject(&first).expect(200);
    let second = ticket(&desk.shop.client.post(&returns, &back(7)));
    let approved = desk.ana.approve(&second).expect(200);
    assert_eq!(super::desk::state(&approved), is("approved", "applied"));
    let after = order_now(&desk, &order);
    assert_eq!((&after["amountRefunded"], &after["refundDue"]), (&json!(700), &json!(0)));
}

fn a_cancellation_that_waits_sets_all_of_it_aside(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    let path = format!("/orders/{order}");
    let approval = ticket(&desk.shop.client.patch(&path, &cancel()));
    assert_eq!(ticket(&desk.shop.client.patch(&path, &cancel())), approval);
    let payments = desk.shop.client.get(&format!("/payments?orderId={order}")).expect(200);
    let payment = id(&payments["data"][0]);
    let more = desk.shop.client.post(&refunds_of(&payment), &refund(10));
    let _ = more.refused(409, "refund_exceeds_refundable");
    let _ = desk.ana.approve(&approval).expect(200);
    let after = order_now(&desk, &order);
    assert_eq!((&after["status"], &after["amountRefunded"]), (&json!("cancelled"), &json!(1200)));
}

fn what_waits_elsewhere_makes_nothing_smaller(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    let payments = desk.shop.client.get(&format!("/payments?orderId={order}")).expect(200);
    let payment = id(&payments["data"][0]);
    let _ = ticket(&desk.shop.client.post(&refunds_of(&payment), &refund(700)));
    // Of the 500 that are left nobody would be asked.
    let back = json!({"items": [{"line": 1, "quantity": 7}], "reason": "Rota", "refund": true});
    let approval = ticket(&desk.shop.client.post(&format!("/orders/{order}/returns"), &back));
    assert_eq!(desk.read(&approval)["facts"]["amount"], 700);
    let approval = ticket(&desk.shop.client.patch(&format!("/orders/{order}"), &cancel()));
    assert_eq!(desk.read(&approval)["facts"]["amount"], 1200);
}
