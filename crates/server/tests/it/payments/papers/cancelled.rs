//! Credit notes of what was never paid of orders that are cancelled.

use std::thread;

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    desk::Desk,
    goods::{balance, due},
    withheld_goods::product,
};
use crate::invoices::office::id;

on_both!(
    what_is_not_paid_of_a_cancelled_order_is_owed_no_longer,
    what_is_withheld_of_a_cancelled_order_is_credited_with_it,
    what_was_never_paid_at_all_is_credited_as_it_was_invoiced,
    a_credit_note_of_a_cancelled_order_that_is_deleted_is_forgotten,
    a_credit_note_goes_with_the_invoice_of_its_order,
    a_cancelled_order_that_was_paid_is_credited_when_it_is_given_back,
);

/// Cancels an order, and gives back what was paid for it.
#[track_caller]
fn cancel(desk: &Desk, order: &Value) -> Value {
    let changes = json!({"status": "cancelled", "reason": "Se arrepintió", "refund": true});
    desk.office.client.patch(&format!("/orders/{}", id(order)), &changes).expect(200)
}

/// The credit note of what was never paid of a cancelled order, once there is one.
#[track_caller]
fn note(desk: &Desk, order: &Value) -> Value {
    let path = format!("/orders/{}", id(order));
    let seen = desk.office.client.once(&path, |seen| !seen["creditNoteId"].is_null());
    desk.office.read(seen["creditNoteId"].as_str().unwrap())
}

/// The credit note of the only refund of an order.
#[track_caller]
fn refunded(desk: &Desk, order: &Value) -> Value {
    let refunds = format!("/refunds?orderId={}", id(order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    assert_eq!(page["total"], 1, "{page}");
    desk.note(&page["data"][0])
}

fn what_is_not_paid_of_a_cancelled_order_is_owed_no_longer(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(20);
    assert_eq!(order["creditNoteId"], json!(null));
    let invoice = desk.invoice_of(&order);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 300}));
    let _ = desk.stamped(&desk.receipt(&paid));
    assert_eq!((&invoice["total"], balance(&desk, &invoice)), (&json!(1000), json!(700)));
    assert_eq!(cancel(&desk, &order)["status"], "cancelled");
    let credited = desk.stamped(&note(&desk, &order));
    assert_eq!((&credited["type"], &credited["total"]), (&json!("E"), &json!(700)));
    assert_eq!(credited["related"], json!([{"relation": "03", "uuids": [invoice["uuid"]]}]));
    assert_eq!(
        (&credited["paymentForm"], &credited["paymentMethod"]),
        (&json!("15"), &json!("PUE"))
    );
    let given_back = desk.stamped(&refunded(&desk, &order));
    assert_eq!((&given_back["total"], &given_back["paymentForm"]), (&json!(300), &json!("01")));
    desk.settle();
    assert_eq!((balance(&desk, &invoice), due(&desk, &order)), (json!(0), json!(0)));
    assert_eq!(desk.count("E"), 2);
    // It is told of with its order.
    let path = format!("/orders/{}/timeline", id(&order));
    let shown = desk.office.client.get(&path).expect(200);
    let entries = shown["data"].as_array().unwrap().iter();
    let notes = entries.filter(|entry| entry["name"] == "invoice.stamped" && entry["type"] == "E");
    assert_eq!(notes.count(), 2, "{shown}");
}

fn what_is_withheld_of_a_cancelled_order_is_credited_with_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let fee = product(&desk, "ASESORIA", 116.0, &[("ISR", 0.1)]);
    let vase = product(&desk, "FLORERO", 33.33, &[]);
    let order = desk.office.order(&desk.customer, &[(&fee, 10), (&vase, 3)]);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PPD"), &json!(1159.99)));
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 400}));
    let _ = desk.stamped(&desk.receipt(&paid));
    let _ = cancel(&desk, &order);
    assert_eq!(desk.stamped(&note(&desk, &order))["total"], 759.99);
    assert_eq!(desk.stamped(&refunded(&desk, &order))["total"], 400);
    assert_eq!(balance(&desk, &invoice), 0);
}

fn what_was_never_paid_at_all_is_credited_as_it_was_invoiced(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(4);
    let other = desk.order(2);
    let (first, second) = (desk.invoice_of(&order), desk.invoice_of(&other));
    let _ = cancel(&desk, &order);
    // All of it, as it was invoiced.
    let credited = desk.stamped(&note(&desk, &order));
    assert_eq!((&credited["total"], &credited["taxes"]), (&first["total"], &first["taxes"]));
    desk.settle();
    assert_eq!((balance(&desk, &first), balance(&desk, &second)), (json!(0), json!(100)));
    assert_eq!(due(&desk, &other), 100);
    let seen = desk.office.client.get(&format!("/orders/{}", id(&other))).expect(200);
    assert_eq!(seen["creditNoteId"], json!(null));
}

fn a_credit_note_of_a_cancelled_order_that_is_deleted_is_forgotten(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let _ = desk.invoice_of(&order);
    let _ = cancel(&desk, &order);
    let draft = note(&desk, &order);
    assert_eq!((&draft["status"], &draft["total"]), (&json!("draft"), &json!(200)));
    assert_eq!(desk.office.findings(&id(&draft)), []);
    desk.settle();
    let _ = desk.office.client.delete(&format!("/invoices/{}", id(&draft))).expect(200);
    let path = format!("/orders/{}", id(&order));
    let seen = desk.office.client.get(&path).expect(200);
    assert_eq!((&seen["creditNoteId"], &seen["status"]), (&json!(null), &json!("cancelled")));
    desk.settle();
    assert_eq!(desk.count("E"), 0);
}

fn a_credit_note_goes_with_the_invoice_of_its_order(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let invoice = desk.invoice_of(&order);
    let _ = cancel(&desk, &order);
    let draft = note(&desk, &order);
    // What was never sold may have its invoice cancelled instead.
    let cancelled = desk.office.cancel(&id(&invoice), "03").expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    let path = format!("/orders/{}", id(&order));
    let _ = desk.office.client.once(&path, |seen| seen["creditNoteId"].is_null());
    assert_eq!(desk.office.client.get(&format!("/invoices/{}", id(&draft))).status, 404);
    desk.settle();
    assert_eq!(desk.count("E"), 0);
}

fn a_cancelled_order_that_was_paid_is_credited_when_it_is_given_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(4);
    let invoice = desk.invoice_of(&order);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let _ = desk.stamped(&desk.receipt(&paid));
    let _ = cancel(&desk, &order);
    assert_eq!(desk.stamped(&refunded(&desk, &order))["total"], 200);
    desk.settle();
    assert_eq!((desk.count("E"), balance(&desk, &invoice)), (1, json!(0)));
    let seen = desk.office.client.get(&format!("/orders/{}", id(&order))).expect(200);
    assert_eq!(seen["creditNoteId"], json!(null));
}

/// Its reservation has seen the order as it was, and the cancellation its invoice as a draft.
#[test]
fn an_order_that_is_cancelled_beside_its_stamping_is_owed_no_longer() {
    let desk = Desk::open(DatabaseKind::Postgres);
    desk.stamps(true, true);
    let second = desk.office.app.again().start();
    let elsewhere = desk.office.client.at(&second);
    let order = desk.order(20);
    let draft = desk.draft_of(&order);
    let mut held = desk.office.app.database.hold("SELECT 1 FROM credit_balances FOR UPDATE");
    let invoice = thread::scope(|scope| {
        let stamping = scope.spawn(|| desk.office.stamp(&id(&draft)));
        held.wait_for(1, || stamping.is_finished());
        let changes = json!({"status": "cancelled", "reason": "Se arrepintió"});
        let _ = elsewhere.patch(&format!("/orders/{}", id(&order)), &changes).expect(200);
        drop(held);
        stamping.join().expect("nobody panics").expect(200)
    });
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PPD"), &json!(1000)));
    assert_eq!(desk.stamped(&note(&desk, &order))["total"], 1_000);
    desk.settle();
    assert_eq!((desk.count("E"), balance(&desk, &invoice)), (1, json!(0)));
}
