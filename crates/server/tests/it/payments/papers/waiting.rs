//! What is told of papers that wait for one of two invoices to be cancelled, of which one has taken the place of the other.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    desk::Desk,
    goods::{back, note, sent},
    replacing::{being_replaced, cancel, replacement},
};
use crate::invoices::office::{id, sale_in_parts};

on_both!(
    papers_of_an_invoice_say_what_they_wait_for,
    papers_of_an_order_say_what_they_wait_for,
    a_draft_that_was_to_be_stamped_waits_as_well,
    a_refund_that_fails_after_all_waits_for_nothing,
    what_needs_no_receipt_any_more_waits_for_none,
    nothing_is_said_while_a_replacement_is_being_stamped,
);

fn payment(payment: &Value) -> String {
    format!("/payments/{}", id(payment))
}

fn refund(refund: &Value) -> String {
    format!("/refunds/{}", id(refund))
}

/// The problem that is shown of something, in English and Spanish.
#[track_caller]
pub(super) fn problems(desk: &Desk, path: &str) -> [Value; 2] {
    let name = if path.starts_with("/payments") { "receiptProblem" } else { "creditNoteProblem" };
    let english = desk.office.client.get(path).expect(200);
    [english[name].clone(), desk.office.in_spanish(path)[name].clone()]
}

/// What is told while both invoices stand.
pub(super) fn waits(wrong: &Value, right: &Value) -> [Value; 2] {
    let [old, new] = [wrong, right].map(|invoice| {
        let [series, folio] = ["series", "folio"].map(|name| invoice[name].as_str().unwrap());
        format!("{series}-{folio}")
    });
    [
        json!(format!("waits until invoice {old} or its replacement {new} is cancelled")),
        json!(format!("espera a que se cancele la factura {old} o su sustituta {new}")),
    ]
}

const NONE: [Value; 2] = [Value::Null, Value::Null];

fn papers_of_an_invoice_say_what_they_wait_for(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let wrong = desk.office.stamped(&sale_in_parts(1_000.0));
    let pay = |amount: i64| {
        desk.pay(&json!({"invoiceId": wrong["id"], "method": "cash", "amount": amount}))
    };
    let first = pay(400);
    let receipt = desk.office.stamp(&id(&desk.receipt(&first))).expect(200);
    let right = replacement(&desk, &wrong);
    assert_eq!(problems(&desk, &payment(&first)), NONE, "it has its receipt");
    // What is cancelled for the other invoice is made anew.
    let _ = desk.office.cancel(&id(&receipt), "02").expect(200);
    let second = pay(100);
    let given_back = desk.refund(&second, &json!({"amount": 30})).expect(201);
    desk.settle();
    let paths = [payment(&first), payment(&second), refund(&given_back)];
    for path in &paths {
        assert_eq!(problems(&desk, path), waits(&wrong, &right), "{path}");
    }
    cancel(&desk, &wrong, &right);
    for path in &paths {
        assert_eq!(problems(&desk, path), NONE, "{path}");
    }
    let _ = [&first, &second].map(|payment| desk.receipt(payment));
    assert_eq!(desk.note(&given_back)["total"], 30);
}

fn papers_of_an_order_say_what_they_wait_for(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    sent(&desk, &order);
    let wrong = desk.invoice_of(&order);
    let right = replacement(&desk, &wrong);
    let came_back = back(&desk, &order, 1, 1, false);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 60}));
    desk.settle();
    let paths = [payment(&paid), format!("/returns/{}", id(&came_back))];
    for path in &paths {
        assert_eq!(problems(&desk, path), waits(&wrong, &right), "{path}");
    }
    assert_eq!(desk.office.cancel(&id(&right), "02").expect(200)["status"], "cancelled");
    desk.settle();
    for path in &paths {
        assert_eq!(problems(&desk, path), NONE, "{path}");
    }
    for paper in [desk.receipt(&paid), note(&desk, &came_back)] {
        assert_eq!(paper["status"], "draft", "{paper}");
    }
}

fn a_draft_that_was_to_be_stamped_waits_as_well(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.office.app.hold_clock();
    desk.stamps(true, false);
    let order = desk.order(4);
    let wrong = desk.invoice_of(&order);
    let copied =
        desk.office.make(&format!("/invoices/{}/copy", id(&wrong)), &json!({"replace": true}));
    desk.office.simulate("unavailable", "accept");
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 60}));
    let _ = desk.office.client.once("/jobs?kind=payments.paper", |page| {
        page["data"][0]["attempts"].as_u64().is_some_and(|attempts| attempts >= 1)
    });
    desk.office.simulate("normal", "accept");
    let right = desk.office.stamp(&id(&copied)).expect(200);
    desk.office.app.advance_seconds(60);
    desk.settle();
    assert_eq!(problems(&desk, &payment(&paid)), waits(&wrong, &right));
    assert_eq!(desk.office.cancel(&id(&right), "02").expect(200)["status"], "cancelled");
    let receipt = desk.stamped(&desk.receipt(&paid));
    assert_eq!(receipt["payments"][0]["documents"][0]["uuid"], wrong["uuid"]);
}

fn a_refund_that_fails_after_all_waits_for_nothing(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    // The sandbox gives such an amount back and fails to after all.
    let lamp = desk.office.product("CANDIL", 7_000.14, &json!({}));
    let order = desk.office.order(&desk.customer, &[(&lamp, 1)]);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "card"}));
    let wrong = desk.invoice_of(&order);
    let right = replacement(&desk, &wrong);
    let given_back = desk.refund(&paid, &json!({"amount": 1_000})).expect(201);
    let path = refund(&given_back);
    let _ = desk.office.client.once(&path, |seen| !seen["creditNoteProblem"].is_null());
    assert_eq!(problems(&desk, &path), waits(&wrong, &right));
    desk.office.app.advance_seconds(10);
    let _ = desk.office.client.act(&format!("{}/sync", payment(&paid))).expect(200);
    let _ = desk
        .office
        .client
        .once(&path, |seen| seen["status"] == "failed" && seen["creditNoteProblem"].is_null());
}

fn what_needs_no_receipt_any_more_waits_for_none(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let wrong = desk.invoice_of(&order);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 60}));
    let receipt = desk.office.stamp(&id(&desk.receipt(&paid))).expect(200);
    let copied =
        desk.office.make(&format!("/invoices/{}/copy", id(&wrong)), &json!({"replace": true}));
    // It states that all of it was paid in one go.
    let at_once = json!({"paymentMethod": "PUE", "paymentForm": "01"});
    let _ = desk.office.change(&id(&copied), &at_once).expect(200);
    let right = desk.office.stamp(&id(&copied)).expect(200);
    let _ = desk.office.cancel(&id(&receipt), "02").expect(200);
    assert_eq!(problems(&desk, &payment(&paid)), waits(&wrong, &right));
    cancel(&desk, &wrong, &right);
    let seen = desk.office.client.get(&payment(&paid)).expect(200);
    assert_eq!((&seen["receiptId"], &seen["receiptProblem"]), (&json!(null), &json!(null)));
}

fn nothing_is_said_while_a_replacement_is_being_stamped(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.office.app.hold_clock();
    let (wrong, other) = being_replaced(&desk);
    let paid = desk.pay(&json!({"invoiceId": wrong["id"], "method": "cash", "amount": 400}));
    let _ = desk.office.client.once("/jobs?kind=payments.paper", |page| {
        page["data"][0]["attempts"].as_u64().is_some_and(|attempts| attempts >= 1)
    });
    assert_eq!(problems(&desk, &payment(&paid)), NONE);
    desk.office.simulate("normal", "accept");
    let right = desk.office.stamp(&id(&other)).expect(200);
    desk.office.app.advance_seconds(600);
    desk.settle();
    assert_eq!(problems(&desk, &payment(&paid)), waits(&wrong, &right));
}
