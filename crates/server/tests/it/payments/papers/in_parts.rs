//! Receipts of several payments of one invoice: each of what is left for it.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    desk::Desk,
    goods::{back, balance, sent},
};
use crate::invoices::office::{id, sale_in_parts};

on_both!(
    what_was_paid_too_much_before_the_invoice_is_in_no_receipt,
    what_was_given_back_before_the_invoice_is_in_no_receipt,
    what_was_given_back_in_full_has_no_receipt,
    what_is_given_back_after_the_invoice_was_paid_before,
    papers_of_one_invoice_follow_each_other,
    drafts_of_one_invoice_follow_the_payments,
    a_draft_that_is_too_large_by_now_is_made_anew,
    a_draft_of_which_nothing_is_left_is_discarded,
    what_keeps_a_receipt_a_draft_is_shown,
    a_provider_that_is_away_is_told_of,
);

/// What is received in cash for an order, however much is due of it.
#[track_caller]
fn paid(desk: &Desk, order: &Value, amount: i64) -> Value {
    desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": amount,
        "allowOverpayment": true}))
}

/// An order of 1,000 that was sent and paid so.
#[track_caller]
fn paid_order(desk: &Desk, amounts: &[i64]) -> (Value, Vec<Value>) {
    let order = desk.order(20);
    assert_eq!(order["totalAmount"], 1_000);
    sent(desk, &order);
    let payments = amounts.iter().map(|amount| paid(desk, &order, *amount)).collect();
    (order, payments)
}

/// Has so many pieces come back, and waits until they are refunded.
#[track_caller]
fn refunded(desk: &Desk, order: &Value, pieces: i64) {
    let _ = back(desk, order, 1, pieces, true);
    let path = format!("/refunds?orderId={}", id(order));
    let _ = desk.office.client.once(&path, |page| {
        let refunds = page["data"].as_array().unwrap();
        !refunds.is_empty() && refunds.iter().all(|refund| refund["status"] == "succeeded")
    });
}

/// The invoice of an order, to be paid in parts.
#[track_caller]
fn billed(desk: &Desk, order: &Value) -> Value {
    let draft = desk.office.draft(&json!({"orderId": order["id"], "paymentMethod": "PPD"}));
    desk.office.stamp(&id(&draft)).expect(200)
}

fn seen(desk: &Desk, payment: &Value) -> Value {
    desk.office.client.get(&format!("/payments/{}", id(payment))).expect(200)
}

/// What a receipt applies to its invoice.
fn applied(receipt: &Value) -> Value {
    receipt["payments"][0]["documents"][0]["amount"].clone()
}

/// What the stamped receipts of payments apply.
#[track_caller]
fn receipted(desk: &Desk, payments: &[Value]) -> Vec<Value> {
    payments.iter().map(|payment| applied(&desk.stamped(&desk.receipt(payment)))).collect()
}

fn what_was_paid_too_much_before_the_invoice_is_in_no_receipt(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let (order, payments) = paid_order(&desk, &[600, 600]);
    let invoice = billed(&desk, &order);
    let applied = receipted(&desk, &payments);
    let sum: i64 = applied.iter().map(|amount| amount.as_i64().unwrap()).sum();
    assert_eq!((sum, balance(&desk, &invoice)), (1_000, json!(0)), "{applied:?}");
    // So it is with drafts, which leave the invoice owed until they are stamped.
    desk.stamps(false, false);
    let (order, payments) = paid_order(&desk, &[600, 600, 100]);
    let invoice = billed(&desk, &order);
    desk.settle();
    let payments: Vec<Value> = payments.iter().map(|payment| seen(&desk, payment)).collect();
    let drafts: Vec<Value> = payments
        .iter()
        .filter_map(|payment| payment["receiptId"].as_str())
        .map(|receipt| desk.office.read(receipt))
        .collect();
    let sum: i64 = drafts.iter().map(|draft| self::applied(draft).as_i64().unwrap()).sum();
    assert_eq!((sum, balance(&desk, &invoice)), (1_000, json!(1_000)), "{drafts:?}");
    // Why one has none, where nothing is left for it.
    for payment in payments.iter().filter(|payment| payment["receiptId"].is_null()) {
        let problem = payment["receiptProblem"].as_str().unwrap();
        assert!(problem.contains("other payments"), "{problem}");
    }
    for draft in &drafts {
        let _ = desk.office.stamp(&id(draft)).expect(200);
    }
    assert_eq!(balance(&desk, &invoice), 0);
}

fn what_was_given_back_before_the_invoice_is_in_no_receipt(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let (order, payments) = paid_order(&desk, &[600, 400]);
    refunded(&desk, &order, 2);
    let invoice = billed(&desk, &order);
    assert_eq!(invoice["total"], 900);
    assert_eq!(receipted(&desk, &payments), [json!(600), json!(300)]);
    assert_eq!(balance(&desk, &invoice), 0);
    desk.settle();
    assert_eq!((desk.count("P"), desk.count("E")), (2, 0));
}

fn what_was_given_back_in_full_has_no_receipt(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (order, payments) = paid_order(&desk, &[500, 350, 150]);
    refunded(&desk, &order, 4);
    let invoice = billed(&desk, &order);
    assert_eq!(invoice["total"], 800);
    desk.settle();
    assert_eq!((desk.count("P"), desk.count("E")), (2, 0));
    for (payment, amount) in payments.iter().zip([500, 300]) {
        let receipt = desk.receipt(payment);
        assert_eq!(applied(&receipt), amount);
        let _ = desk.office.stamp(&id(&receipt)).expect(200);
    }
    let last = seen(&desk, &payments[2]);
    assert_eq!((&last["receiptId"], &last["receiptProblem"]), (&json!(null), &json!(null)));
    assert_eq!(balance(&desk, &invoice), 0);
}

fn what_is_given_back_after_the_invoice_was_paid_before(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let (order, payments) = paid_order(&desk, &[600, 400]);
    let draft = desk.office.draft(&json!({"orderId": order["id"], "paymentMethod": "PPD"}));
    // The draft has it, so that a credit note tells of it.
    refunded(&desk, &order, 2);
    let invoice = desk.office.stamp(&id(&draft)).expect(200);
    assert_eq!(invoice["total"], 1_000);
    assert_eq!(receipted(&desk, &payments), [json!(600), json!(400)]);
    let path = format!("/refunds?orderId={}", id(&order));
    let refund = desk.office.client.get(&path).expect(200)["data"][0].clone();
    assert_eq!(desk.stamped(&desk.note(&refund))["total"], 100);
    assert_eq!(balance(&desk, &invoice), 0);
}

fn papers_of_one_invoice_follow_each_other(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let (order, payments) = paid_order(&desk, &[100, 400, 200, 300]);
    let draft = desk.office.draft(&json!({"orderId": order["id"], "paymentMethod": "PPD"}));
    refunded(&desk, &order, 2);
    let invoice = desk.office.stamp(&id(&draft)).expect(200);
    // Receipts are numbered as the payments came.
    for (payment, (number, before, amount)) in
        payments.iter().zip([(1, 1_000, 100), (2, 900, 400), (3, 500, 200), (4, 300, 300)])
    {
        let receipt = desk.stamped(&desk.receipt(payment));
        let document = &receipt["payments"][0]["documents"][0];
        assert_eq!(
            (&document["installment"], &document["balanceBefore"], &document["amount"]),
            (&json!(number), &json!(before), &json!(amount))
        );
    }
    desk.settle();
    assert_eq!((desk.count("E"), balance(&desk, &invoice)), (1, json!(0)));
    // None was attempted while another was being stamped; of the return itself nothing was unpaid.
    let jobs = desk.office.client.get("/jobs?kind=payments.paper").expect(200);
    let jobs = jobs["data"].as_array().unwrap();
    assert_eq!(jobs.len(), 6);
    assert!(jobs.iter().all(|job| job["attempts"] == 1), "{jobs:?}");
}

fn drafts_of_one_invoice_follow_the_payments(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for _ in 0..10 {
        let (order, payments) = paid_order(&desk, &[600, 300, 300]);
        let _ = billed(&desk, &order);
        let receipts = payments.iter().map(|payment| applied(&desk.receipt(payment)));
        // The last one has what the others have left.
        assert_eq!(receipts.collect::<Vec<_>>(), [json!(600), json!(300), json!(100)]);
    }
}

/// The receipt of a payment of 600, whose provider is away for half a minute, and the invoice of 1,000.
#[track_caller]
fn delayed(desk: &Desk) -> (Value, Value, Value) {
    let invoice = desk.office.stamped(&sale_in_parts(1_000.0));
    desk.office.simulate("unavailable", "accept");
    let body = json!({"invoiceId": invoice["id"], "method": "cash", "amount": 600});
    let payment = desk.pay(&body);
    let receipt = desk.drafted(&payment);
    let attempts = |wanted: u64| {
        let _ = desk.office.client.once("/jobs?kind=payments.paper", |page| {
            page["data"][0]["attempts"].as_u64().is_some_and(|attempts| attempts >= wanted)
        });
    };
    attempts(1);
    desk.office.app.advance_seconds(6);
    attempts(2);
    desk.office.simulate("normal", "accept");
    (invoice, payment, receipt)
}

/// A receipt of so much, stamped by hand.
#[track_caller]
fn by_hand(desk: &Desk, invoice: &Value, paid_at: &Value, amount: i64) {
    let _ = desk.office.stamped(&json!({"type": "P", "payments": [{"paidAt": paid_at,
        "paymentForm": "03", "amount": amount,
        "documents": [{"invoiceId": invoice["id"], "amount": amount}]}]}));
}

fn a_draft_that_is_too_large_by_now_is_made_anew(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let (invoice, payment, draft) = delayed(&desk);
    by_hand(&desk, &invoice, &payment["paidAt"], 700);
    desk.office.app.advance_seconds(60);
    desk.settle();
    assert_eq!(desk.office.client.get(&format!("/invoices/{}", id(&draft))).status, 404);
    assert_eq!(receipted(&desk, &[payment]), [json!(300)]);
    assert_eq!((balance(&desk, &invoice), desk.count("P")), (json!(0), 2));
}

/// Who stamps a receipt locks it before the invoice that it pays.
#[test]
fn a_draft_that_is_made_anew_is_locked_before_its_invoice() {
    let desk = Desk::open(DatabaseKind::Postgres);
    desk.stamps(true, false);
    let (invoice, payment, draft) = delayed(&desk);
    by_hand(&desk, &invoice, &payment["paidAt"], 700);
    let locks = |invoice: &Value| {
        format!("SELECT 1 FROM invoices WHERE id = '{}' FOR UPDATE NOWAIT", id(invoice))
    };
    let mut held = desk.office.app.database.hold(&locks(&draft));
    desk.office.app.advance_seconds(60);
    held.wait_for(1, || false);
    // Who waits for the draft has not locked its invoice.
    held.go_on(&locks(&invoice));
    held.commit();
    desk.settle();
    assert_eq!(receipted(&desk, &[payment]), [json!(300)]);
    assert_eq!((balance(&desk, &invoice), desk.count("P")), (json!(0), 2));
}

fn a_draft_of_which_nothing_is_left_is_discarded(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let (invoice, payment, draft) = delayed(&desk);
    by_hand(&desk, &invoice, &payment["paidAt"], 1_000);
    desk.office.app.advance_seconds(60);
    desk.settle();
    assert_eq!(desk.office.client.get(&format!("/invoices/{}", id(&draft))).status, 404);
    let payment = seen(&desk, &payment);
    assert_eq!(payment["receiptId"], json!(null));
    let problem = payment["receiptProblem"].as_str().unwrap();
    assert!(problem.contains("nothing is owed"), "{problem}");
    assert_eq!((balance(&desk, &invoice), desk.count("P")), (json!(0), 1));
}

fn what_keeps_a_receipt_a_draft_is_shown(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let invoice = desk.office.stamped(&sale_in_parts(500.0));
    let body = json!({"invoiceId": invoice["id"], "method": "other"});
    let payment = desk.pay(&body);
    let path = format!("/payments/{}", id(&payment));
    let shown = desk.office.client.once(&path, |seen| !seen["receiptProblem"].is_null());
    let problem = shown["receiptProblem"].as_str().unwrap();
    assert!(problem.starts_with("CRP20212: The payment form is 99"), "{problem}");
    let spanish = desk.office.in_spanish(&path)["receiptProblem"].clone();
    let said = "CRP20212: La forma de pago es 99 (por definir), pero el pago ya se recibió";
    assert!(spanish.as_str().unwrap().starts_with(said), "{spanish}");
    let receipt = shown["receiptId"].as_str().unwrap();
    assert!(!desk.office.read(receipt)["lastError"].to_string().contains("payments["), "{receipt}");
    desk.settle();
    let complete = json!({"payments": [{"paidAt": payment["paidAt"], "paymentForm": "03",
        "amount": 500, "documents": [{"invoiceId": invoice["id"], "amount": 500}]}]});
    let _ = desk.office.change(receipt, &complete).expect(200);
    let _ = desk.office.stamp(receipt).expect(200);
    let stamped = seen(&desk, &payment);
    assert_eq!(
        (&stamped["receiptId"], &stamped["receiptProblem"]),
        (&json!(receipt), &json!(null))
    );
}

fn a_provider_that_is_away_is_told_of(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let (_, payment, receipt) = delayed(&desk);
    let told = |path: &str, name: &str| {
        let english = desk.office.client.once(path, |seen| !seen[name].is_null())[name].clone();
        let spanish = desk.office.in_spanish(path)[name].clone();
        let [english, spanish] = [&english, &spanish].map(|told| told.as_str().unwrap());
        assert!(english.starts_with("the certification provider did not answer"), "{english}");
        assert!(spanish.starts_with("el PAC no respondió en el último intento"), "{spanish}");
    };
    let path = format!("/payments/{}", id(&payment));
    told(&path, "receiptProblem");
    desk.office.app.advance_seconds(60);
    let _ = desk.stamped(&receipt);
    assert_eq!(seen(&desk, &payment)["receiptProblem"], json!(null));
    desk.settle();
    desk.office.simulate("unavailable", "accept");
    let refund = desk.refund(&payment, &json!({"amount": 100})).expect(201);
    let path = format!("/refunds/{}", id(&refund));
    told(&path, "creditNoteProblem");
    desk.office.simulate("normal", "accept");
    desk.office.app.advance_seconds(60);
    let made = desk.office.client.once(&path, |seen| seen["creditNoteProblem"].is_null());
    assert_eq!(desk.office.read(made["creditNoteId"].as_str().unwrap())["status"], "stamped");
}
