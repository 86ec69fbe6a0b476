//! What becomes of the papers of an invoice that another takes the place of.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::invoices::office::{id, sale_in_parts};

on_both!(
    what_was_paid_of_an_order_is_receipted_anew,
    what_was_paid_of_an_invoice_is_receipted_and_credited_anew,
    a_ticket_is_credited_of_the_next_global_invoice,
    what_came_back_unpaid_is_credited_anew,
    what_was_paid_before_the_replacement_is_receipted,
    of_several_replacements_the_one_named_is_paid,
    what_replaces_a_replacement_is_paid,
    what_was_paid_of_an_order_is_of_its_next_invoice,
    papers_wait_until_what_was_replaced_is_cancelled,
    papers_are_made_after_all_when_the_replacement_is_cancelled,
    what_was_cancelled_is_credited_of_the_replacement,
    what_is_paid_beside_a_replacement_that_is_not_stamped_is_receipted,
    what_is_paid_of_an_order_waits_as_well,
    an_order_is_of_the_old_invoice_again_when_the_replacement_is_cancelled,
    the_invoice_of_a_cancelled_order_is_replaced,
    a_first_invoice_is_there_again_when_the_last_of_a_chain_is_cancelled,
    a_receipt_waits_for_a_replacement_that_is_being_stamped,
);

/// The stamped invoice that is to take the place of another.
#[track_caller]
pub(in crate::payments) fn replacement(desk: &Desk, wrong: &Value) -> Value {
    let copied =
        desk.office.make(&format!("/invoices/{}/copy", id(wrong)), &json!({"replace": true}));
    desk.office.stamp(&id(&copied)).expect(200)
}

/// Cancels an invoice that another has taken the place of, and waits for the papers that follow.
#[track_caller]
pub(in crate::payments) fn cancel(desk: &Desk, wrong: &Value, right: &Value) {
    let by = json!({"reason": "01", "replacementUuid": right["uuid"]});
    let path = format!("/invoices/{}/cancel", id(wrong));
    assert_eq!(desk.office.client.post(&path, &by).expect(200)["status"], "cancelled");
    desk.settle();
}

/// The fiscal folios that a receipt pays.
fn paid(receipt: &Value) -> Vec<Value> {
    let documents = receipt["payments"][0]["documents"].as_array().unwrap().iter();
    documents.map(|document| document["uuid"].clone()).collect()
}

fn what_was_paid_of_an_order_is_receipted_anew(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let wrong = desk.invoice_of(&order);
    let first = desk.transfer(&json!({"orderId": order["id"], "amount": 80}));
    let receipt = desk.office.stamp(&id(&desk.receipt(&first))).expect(200);
    let second = desk.transfer(&json!({"orderId": order["id"], "amount": 20}));
    let drafted = desk.receipt(&second);
    let right = replacement(&desk, &wrong);
    let _ = desk.office.cancel(&id(&receipt), "02").expect(200);
    cancel(&desk, &wrong, &right);
    // The draft of a receipt of what is cancelled goes, too.
    assert_eq!(desk.office.client.get(&format!("/invoices/{}", id(&drafted))).status, 404);
    let payments = format!("/payments?invoiceId={}", id(&right));
    assert_eq!(desk.office.client.get(&payments).expect(200)["total"], 2);
    for payment in [&first, &second] {
        let receipt = desk.receipt(payment);
        assert_eq!(paid(&receipt), [right["uuid"].clone()]);
        let _ = desk.office.stamp(&id(&receipt)).expect(200);
    }
    assert_eq!(desk.office.read(&id(&right))["balance"], 100);
}

fn what_was_paid_of_an_invoice_is_receipted_and_credited_anew(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let wrong = desk.office.stamped(&sale_in_parts(1_000.0));
    let payment = desk.pay(&json!({"invoiceId": wrong["id"], "method": "cash", "amount": 400}));
    let receipt = desk.office.stamp(&id(&desk.receipt(&payment))).expect(200);
    let refund = desk.refund(&payment, &json!({"amount": 150})).expect(201);
    let note = desk.office.stamp(&id(&desk.note(&refund))).expect(200);
    let right = replacement(&desk, &wrong);
    for paper in [&note, &receipt] {
        let _ = desk.office.cancel(&id(paper), "02").expect(200);
    }
    cancel(&desk, &wrong, &right);
    let due = desk.office.client.get("/invoices?receiptDue=true").expect(200);
    assert_eq!((&due["total"], &due["data"][0]["id"]), (&json!(1), &right["id"]), "{due}");
    let receipt = desk.office.stamp(&id(&desk.receipt(&payment))).expect(200);
    assert_eq!(paid(&receipt), [right["uuid"].clone()]);
    let note = desk.office.stamp(&id(&desk.note(&refund))).expect(200);
    assert_eq!(note["related"], json!([{"relation": "01", "uuids": [right["uuid"]]}]));
    // 1000 less 400, of which 150 were given back and are credited.
    assert_eq!(
        (&note["total"], &desk.office.read(&id(&right))["balance"]),
        (&json!(150), &json!(600))
    );
}

fn a_ticket_is_credited_of_the_next_global_invoice(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let orders = [desk.order(2), desk.order(3)];
    let payments =
        orders.each_ref().map(|order| desk.pay(&json!({"orderId": order["id"], "method": "cash"})));
    let ids = orders.each_ref().map(|order| order["id"].clone());
    let draft = desk.office.draft(&json!({"orderIds": ids, "paymentForm": "01",
        "global": {"periodicity": "01", "months": "11", "year": 2026}}));
    let wrong = desk.office.stamp(&id(&draft)).expect(200);
    let refunds =
        payments.each_ref().map(|paid| desk.refund(paid, &json!({"amount": 40})).expect(201));
    let [first, second] = refunds.each_ref().map(|refund| desk.note(refund));
    let stamped = desk.office.stamp(&id(&first)).expect(200);
    let right = replacement(&desk, &wrong);
    let _ = desk.office.cancel(&id(&stamped), "02").expect(200);
    cancel(&desk, &wrong, &right);
    assert_eq!(desk.office.client.get(&format!("/invoices/{}", id(&second))).status, 404);
    for refund in &refunds {
        let note = desk.note(refund);
        assert_eq!(note["related"], json!([{"relation": "01", "uuids": [right["uuid"]]}]));
        assert_eq!((&note["total"], &note["status"]), (&json!(40), &json!("draft")));
    }
}

fn what_came_back_unpaid_is_credited_anew(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let path = format!("/orders/{}", id(&order));
    let _ = desk.office.client.patch(&path, &json!({"status": "shipped"})).expect(200);
    let wrong = desk.invoice_of(&order);
    let body = json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota"});
    let back = desk.office.make(&format!("{path}/returns"), &body);
    let note = || {
        let path = format!("/returns/{}", id(&back));
        let seen = desk.office.client.once(&path, |seen| !seen["creditNoteId"].is_null());
        desk.office.read(seen["creditNoteId"].as_str().unwrap())
    };
    let first = desk.office.stamp(&id(&note())).expect(200);
    let right = replacement(&desk, &wrong);
    let _ = desk.office.cancel(&id(&first), "02").expect(200);
    cancel(&desk, &wrong, &right);
    let second = desk.office.stamp(&id(&note())).expect(200);
    assert_eq!(second["related"], json!([{"relation": "03", "uuids": [right["uuid"]]}]));
    assert_eq!(
        (&second["total"], &desk.office.read(&id(&right))["balance"]),
        (&json!(50), &json!(150))
    );
}

fn what_was_paid_before_the_replacement_is_receipted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let day = |days: i64| json!(desk.office.app.now().plus_seconds(-86_400 * days).to_string());
    let mut sale = sale_in_parts(1_000.0);
    sale["issuedAt"] = day(2);
    let wrong = desk.office.stamped(&sale);
    let receipt = |of: &Value, days: i64| {
        json!({"type": "P", "payments": [{"paidAt": day(days), "paymentForm": "03", "amount": 400,
            "documents": [{"invoiceId": of["id"], "amount": 400}]}]})
    };
    let early = desk.office.client.post("/invoices", &receipt(&wrong, 4));
    let said = early.refused(400, "validation_failed");
    assert!(said.contains("payments[0].paidAt"), "an advance: {said}");
    let right = replacement(&desk, &wrong);
    cancel(&desk, &wrong, &right);
    let receipt = desk.office.stamped(&receipt(&right, 1));
    assert_eq!(paid(&receipt), [right["uuid"].clone()]);
    assert_eq!(desk.office.read(&id(&right))["balance"], 600);
}

fn of_several_replacements_the_one_named_is_paid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let wrong = desk.office.stamped(&sale_in_parts(1_000.0));
    let payment = desk.pay(&json!({"invoiceId": wrong["id"], "method": "cash", "amount": 400}));
    let _ = desk.receipt(&payment);
    let [_, right] = [(); 2].map(|()| replacement(&desk, &wrong));
    cancel(&desk, &wrong, &right);
    assert_eq!(paid(&desk.receipt(&payment)), [right["uuid"].clone()]);
}

fn what_replaces_a_replacement_is_paid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let first = desk.office.stamped(&sale_in_parts(1_000.0));
    let payment = desk.pay(&json!({"invoiceId": first["id"], "method": "cash", "amount": 400}));
    let _ = desk.receipt(&payment);
    let second = replacement(&desk, &first);
    let third = replacement(&desk, &second);
    cancel(&desk, &second, &third);
    cancel(&desk, &first, &third);
    assert_eq!(paid(&desk.receipt(&payment)), [third["uuid"].clone()]);
}

fn what_was_paid_of_an_order_is_of_its_next_invoice(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let wrong = desk.invoice_of(&order);
    let payments =
        [80, 20].map(|paid| desk.transfer(&json!({"orderId": order["id"], "amount": paid})));
    let [first, _drafted] = payments.each_ref().map(|payment| desk.receipt(payment));
    let first = desk.office.stamp(&id(&first)).expect(200);
    for invoice in [&first, &wrong] {
        let _ = desk.office.cancel(&id(invoice), "02").expect(200);
    }
    let right = desk.invoice_of(&order);
    desk.settle();
    for payment in &payments {
        assert_eq!(paid(&desk.receipt(payment)), [right["uuid"].clone()]);
        let now = desk.office.client.get(&format!("/payments/{}", id(payment))).expect(200);
        assert_eq!(now["invoiceId"], right["id"]);
    }
}

/// An invoice of 1,000 with payments of 400 and 100, of which the second came after the invoice had been replaced.
#[track_caller]
fn replaced(desk: &Desk) -> ([Value; 2], [Value; 2]) {
    let wrong = desk.office.stamped(&sale_in_parts(1_000.0));
    let pay = |amount: i64| {
        desk.pay(&json!({"invoiceId": wrong["id"], "method": "cash", "amount": amount}))
    };
    let first = pay(400);
    let receipt = desk.office.stamp(&id(&desk.receipt(&first))).expect(200);
    let right = replacement(desk, &wrong);
    let _ = desk.office.cancel(&id(&receipt), "02").expect(200);
    desk.stamps(true, true);
    let second = pay(100);
    let refund = desk.refund(&second, &json!({"amount": 30})).expect(201);
    desk.settle();
    for payment in [&first, &second] {
        let seen = desk.office.client.get(&format!("/payments/{}", id(payment))).expect(200);
        assert_eq!(seen["receiptId"], json!(null), "{seen}");
    }
    let seen = desk.office.client.get(&format!("/refunds/{}", id(&refund))).expect(200);
    assert_eq!(seen["creditNoteId"], json!(null), "{seen}");
    ([wrong, right], [first, second])
}

fn papers_wait_until_what_was_replaced_is_cancelled(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let ([wrong, right], payments) = replaced(&desk);
    cancel(&desk, &wrong, &right);
    for (payment, number) in payments.iter().zip(1..) {
        let receipt = desk.stamped(&desk.receipt(payment));
        assert_eq!(paid(&receipt), [right["uuid"].clone()]);
        assert_eq!(receipt["payments"][0]["documents"][0]["installment"], number, "{receipt}");
    }
    desk.settle();
    // 30 of it was given back, and is credited.
    assert_eq!(desk.office.read(&id(&right))["balance"], 500);
}

fn papers_are_made_after_all_when_the_replacement_is_cancelled(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let ([wrong, right], payments) = replaced(&desk);
    let _ = desk.office.cancel(&id(&right), "02").expect(200);
    for payment in &payments {
        let receipt = desk.stamped(&desk.receipt(payment));
        assert_eq!(paid(&receipt), [wrong["uuid"].clone()]);
    }
    desk.settle();
    assert_eq!(desk.office.read(&id(&wrong))["balance"], 500);
}

fn what_was_cancelled_is_credited_of_the_replacement(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(20);
    let wrong = desk.invoice_of(&order);
    let paid_for = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 300}));
    let receipt = desk.stamped(&desk.receipt(&paid_for));
    let right = replacement(&desk, &wrong);
    let changes = json!({"status": "cancelled", "reason": "Se arrepintió", "refund": true});
    let path = format!("/orders/{}", id(&order));
    let _ = desk.office.client.patch(&path, &changes).expect(200);
    let _ = desk.office.cancel(&id(&receipt), "02").expect(200);
    desk.settle();
    assert_eq!(desk.office.client.get(&path).expect(200)["creditNoteId"], json!(null));
    cancel(&desk, &wrong, &right);
    let seen = desk.office.client.once(&path, |seen| !seen["creditNoteId"].is_null());
    let note = desk.stamped(&desk.office.read(seen["creditNoteId"].as_str().unwrap()));
    assert_eq!((&note["total"], &note["paymentForm"]), (&json!(700), &json!("15")));
    assert_eq!(note["related"], json!([{"relation": "03", "uuids": [right["uuid"]]}]));
    let receipt = desk.stamped(&desk.receipt(&paid_for));
    assert_eq!(paid(&receipt), [right["uuid"].clone()]);
    desk.settle();
    assert_eq!(desk.office.read(&id(&right))["balance"], 0);
}

fn what_is_paid_beside_a_replacement_that_is_not_stamped_is_receipted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    desk.office.app.hold_clock();
    let order = desk.order(20);
    let invoice = desk.invoice_of(&order);
    let path = format!("/invoices/{}/copy", id(&invoice));
    let other = desk.office.make(&path, &json!({"replace": true}));
    desk.office.simulate("timeout", "accept");
    let _ = desk.office.stamp(&id(&other)).refused(504, "provider_timeout");
    // Its receipt is to be of the invoice that is being stamped.
    let payment = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 300}));
    desk.office.simulate("normal", "accept");
    desk.give_up_stamping();
    assert_eq!(desk.office.read(&id(&other))["status"], "draft");
    desk.office.app.advance_seconds(600);
    let receipt = desk.stamped(&desk.receipt(&payment));
    assert_eq!(paid(&receipt), [invoice["uuid"].clone()]);
    assert_eq!(desk.office.read(&id(&invoice))["balance"], 700);
}

fn what_is_paid_of_an_order_waits_as_well(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(20);
    let wrong = desk.invoice_of(&order);
    let pay = |amount: i64| {
        desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": amount}))
    };
    let first = pay(300);
    let receipt = desk.stamped(&desk.receipt(&first));
    let right = replacement(&desk, &wrong);
    let second = pay(200);
    desk.settle();
    let seen = desk.office.client.get(&format!("/payments/{}", id(&second))).expect(200);
    assert_eq!(seen["receiptId"], json!(null), "{seen}");
    let _ = desk.office.cancel(&id(&receipt), "02").expect(200);
    cancel(&desk, &wrong, &right);
    for (payment, number) in [&first, &second].into_iter().zip(1..) {
        let receipt = desk.stamped(&desk.receipt(payment));
        assert_eq!(paid(&receipt), [right["uuid"].clone()]);
        assert_eq!(receipt["payments"][0]["documents"][0]["installment"], number, "{receipt}");
    }
    assert_eq!(desk.office.read(&id(&right))["balance"], 500);
}

fn an_order_is_of_the_old_invoice_again_when_the_replacement_is_cancelled(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(20);
    let old = desk.invoice_of(&order);
    let new = replacement(&desk, &old);
    let payment = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 300}));
    assert_eq!(desk.office.cancel(&id(&new), "02").expect(200)["status"], "cancelled");
    let receipt = desk.stamped(&desk.receipt(&payment));
    assert_eq!(paid(&receipt), [old["uuid"].clone()]);
    let again = json!({"orderId": order["id"]});
    let _ = desk.office.client.post("/invoices", &again).refused(409, "order_already_invoiced");
    let path = format!("/orders/{}", id(&order));
    let changes = json!({"status": "cancelled", "reason": "Se arrepintió", "refund": true});
    let _ = desk.office.client.patch(&path, &changes).expect(200);
    let seen = desk.office.client.once(&path, |seen| !seen["creditNoteId"].is_null());
    let note = desk.stamped(&desk.office.read(seen["creditNoteId"].as_str().unwrap()));
    desk.settle();
    assert_eq!((&note["total"], &desk.office.read(&id(&old))["balance"]), (&json!(700), &json!(0)));
}

fn the_invoice_of_a_cancelled_order_is_replaced(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(20);
    let wrong = desk.invoice_of(&order);
    let path = format!("/orders/{}", id(&order));
    let _ = desk
        .office
        .client
        .patch(&path, &json!({"status": "cancelled", "reason": "Se arrepintió"}))
        .expect(200);
    let noted = || {
        let seen = desk.office.client.once(&path, |seen| !seen["creditNoteId"].is_null());
        desk.stamped(&desk.office.read(seen["creditNoteId"].as_str().unwrap()))
    };
    let first = noted();
    let copy = format!("/invoices/{}/copy", id(&wrong));
    let [copied, other] = [(); 2].map(|()| desk.office.make(&copy, &json!({"replace": true})));
    assert_eq!(desk.office.findings(&id(&copied)), []);
    let right = desk.office.stamp(&id(&copied)).expect(200);
    // Its place is taken.
    let taken = [("301".to_owned(), "orderId".to_owned())];
    assert_eq!(desk.office.findings(&id(&other)), taken);
    let _ = desk.office.stamp(&id(&other)).refused(409, "order_already_invoiced");
    let _ = desk.office.cancel(&id(&first), "02").expect(200);
    cancel(&desk, &wrong, &right);
    let second = noted();
    assert_eq!(second["related"], json!([{"relation": "03", "uuids": [right["uuid"]]}]));
    assert_eq!(
        (&second["total"], &desk.office.read(&id(&right))["balance"]),
        (&json!(1000), &json!(0))
    );
}

fn a_first_invoice_is_there_again_when_the_last_of_a_chain_is_cancelled(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(20);
    let first = desk.invoice_of(&order);
    let second = replacement(&desk, &first);
    let third = replacement(&desk, &second);
    cancel(&desk, &second, &third);
    let payment = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 300}));
    desk.settle();
    let seen = desk.office.client.get(&format!("/payments/{}", id(&payment))).expect(200);
    assert_eq!(seen["receiptId"], json!(null), "the first is still there: {seen}");
    assert_eq!(desk.office.cancel(&id(&third), "02").expect(200)["status"], "cancelled");
    let receipt = desk.stamped(&desk.receipt(&payment));
    assert_eq!(paid(&receipt), [first["uuid"].clone()]);
    let again = json!({"orderId": order["id"]});
    let _ = desk.office.client.post("/invoices", &again).refused(409, "order_already_invoiced");
}

/// A sale of 1,000, and the one to take its place, of whose stamping nobody knows yet what has come.
#[track_caller]
pub(super) fn being_replaced(desk: &Desk) -> (Value, Value) {
    let wrong = desk.office.stamped(&sale_in_parts(1_000.0));
    let path = format!("/invoices/{}/copy", id(&wrong));
    let other = desk.office.make(&path, &json!({"replace": true}));
    desk.office.simulate("timeout", "accept");
    let _ = desk.office.stamp(&id(&other)).refused(504, "provider_timeout");
    (wrong, other)
}

fn a_receipt_waits_for_a_replacement_that_is_being_stamped(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    desk.office.app.hold_clock();
    let (wrong, other) = being_replaced(&desk);
    let payment = desk.pay(&json!({"invoiceId": wrong["id"], "method": "cash", "amount": 400}));
    desk.office.simulate("normal", "accept");
    let right = desk.office.stamp(&id(&other)).expect(200);
    desk.office.app.advance_seconds(600);
    desk.settle();
    let seen = desk.office.client.get(&format!("/payments/{}", id(&payment))).expect(200);
    assert_eq!(seen["receiptId"], json!(null), "{seen}");
    cancel(&desk, &wrong, &right);
    assert_eq!(paid(&desk.stamped(&desk.receipt(&payment))), [right["uuid"].clone()]);
}
