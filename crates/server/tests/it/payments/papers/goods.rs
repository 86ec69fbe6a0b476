//! Credit notes of goods that come back before they are paid.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::{invoices::office::id, languages::told_apart};

on_both!(
    what_was_never_paid_is_owed_no_longer,
    what_is_paid_in_part_is_credited_in_two,
    what_is_credited_in_two_leaves_the_rest_its_taxes,
    what_is_paid_of_goods_that_were_credited_was_never_sold,
    what_comes_back_before_the_stamp_is_credited_with_it,
    what_is_paid_is_credited_when_it_is_given_back,
    a_credit_note_of_goods_that_is_deleted_is_forgotten,
    why_goods_are_not_credited_is_told_to_each_reader,
    what_is_replaced_is_credited_anew,
);

/// An order that was sent on credit.
#[track_caller]
pub(super) fn sent(desk: &Desk, order: &Value) {
    let path = format!("/orders/{}", id(order));
    let _ = desk.office.client.patch(&path, &json!({"status": "shipped"})).expect(200);
}

/// Has so many pieces of a line come back, and shows the return.
#[track_caller]
pub(super) fn back(desk: &Desk, order: &Value, line: i64, pieces: i64, refund: bool) -> Value {
    let path = format!("/orders/{}/returns", id(order));
    let body = json!({"items": [{"line": line, "quantity": pieces}], "reason": "Rota",
        "refund": refund});
    desk.office.client.post(&path, &body).expect(201)
}

/// The credit note of a return, once there is one.
#[track_caller]
pub(super) fn note(desk: &Desk, made: &Value) -> Value {
    let path = format!("/returns/{}", id(made));
    let seen = desk.office.client.once(&path, |seen| {
        !seen["creditNoteId"].is_null() || !seen["creditNoteProblem"].is_null()
    });
    assert_eq!(seen["creditNoteProblem"], json!(null), "{seen}");
    desk.office.read(seen["creditNoteId"].as_str().unwrap())
}

pub(super) fn balance(desk: &Desk, invoice: &Value) -> Value {
    desk.office.read(&id(invoice))["balance"].clone()
}

pub(super) fn due(desk: &Desk, order: &Value) -> Value {
    let order = desk.office.client.get(&format!("/orders/{}", id(order))).expect(200);
    order["amountDue"].clone()
}

fn what_was_never_paid_is_owed_no_longer(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let order = desk.order_of_two_taxes();
    sent(&desk, &order);
    let invoice = desk.invoice_of(&order);
    assert_eq!(
        (&invoice["paymentMethod"], &invoice["balance"]),
        (&json!("PPD"), &order["totalAmount"])
    );
    let book = back(&desk, &order, 2, 1, false);
    let credited = desk.stamped(&note(&desk, &book));
    assert_eq!((&credited["type"], &credited["total"]), (&json!("E"), &book["amount"]));
    assert_eq!(credited["related"], json!([{"relation": "03", "uuids": [invoice["uuid"]]}]));
    assert_eq!(
        (&credited["paymentForm"], &credited["paymentMethod"], &credited["receiver"]["cfdiUse"]),
        (&json!("15"), &json!("PUE"), &json!("G02"))
    );
    // The book is at 0 %.
    assert_eq!(credited["items"].as_array().unwrap().len(), 1);
    assert_eq!(credited["items"][0]["taxes"][0]["rate"], 0);
    assert_eq!(balance(&desk, &invoice), due(&desk, &order));
    // All the rest, to the cent.
    let body = json!({"items": [{"line": 1, "quantity": 2}], "shipping": 99, "reason": "Rotas"});
    let path = format!("/orders/{}/returns", id(&order));
    let rest = desk.office.client.post(&path, &body).expect(201);
    let last = desk.stamped(&note(&desk, &rest));
    assert_eq!(last["total"], rest["amount"]);
    assert_eq!((balance(&desk, &invoice), due(&desk, &order)), (json!(0), json!(0)));
}

fn what_is_paid_in_part_is_credited_in_two(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let order = desk.order(4);
    sent(&desk, &order);
    let invoice = desk.invoice_of(&order);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 80}));
    let _ = desk.stamped(&desk.receipt(&paid));
    assert_eq!(balance(&desk, &invoice), 120);
    // Of 150 that come back, 120 were still owed, and 30 of what was paid are given back.
    let made = back(&desk, &order, 1, 3, true);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(150), &json!(30)));
    let unpaid = note(&desk, &made);
    assert_eq!((&unpaid["total"], &unpaid["paymentForm"]), (&json!(120), &json!("15")));
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    let refunded = desk.note(&page["data"][0]);
    assert_eq!((&refunded["total"], &refunded["paymentForm"]), (&json!(30), &json!("01")));
    for draft in [&unpaid, &refunded] {
        let _ = desk.office.stamp(&id(draft)).expect(200);
    }
    assert_eq!((balance(&desk, &invoice), due(&desk, &order)), (json!(0), json!(0)));
    desk.settle();
    assert_eq!(desk.count("E"), 2);
}

fn what_is_credited_in_two_leaves_the_rest_its_taxes(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let zero = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}]});
    let lamp = desk.office.product("LAMPARA", 100.0, &json!({}));
    let book = desk.office.product("LIBRO", 100.0, &zero);
    let order = desk.office.order(&desk.customer, &[(&lamp, 2), (&book, 1)]);
    sent(&desk, &order);
    let _ = desk.invoice_of(&order);
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 150}));
    let _ = desk.stamped(&desk.receipt(&paid));
    // Of a lamp and the book 150 were still owed, and 50 of what was paid are given back.
    let body = json!({"items": [{"line": 1, "quantity": 1}, {"line": 2, "quantity": 1}],
        "reason": "Rotos", "refund": true});
    let path = format!("/orders/{}/returns", id(&order));
    let made = desk.office.client.post(&path, &body).expect(201);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(200), &json!(50)));
    let refunds = format!("/refunds?orderId={}", id(&order));
    let refund_note = |amount: i64| {
        let page = desk.office.client.once(&refunds, |page| {
            page["data"][0]["amount"] == amount && page["data"][0]["status"] == "succeeded"
        });
        desk.stamped(&desk.note(&page["data"][0]))
    };
    let of_both = [desk.stamped(&note(&desk, &made)), refund_note(50)];
    assert_eq!(of_both.map(|note| note["total"].clone()), [json!(150), json!(50)]);
    // All that is left is the other lamp.
    assert_eq!(back(&desk, &order, 1, 1, true)["refundAmount"], 100);
    let rest = refund_note(100);
    let rates = rest["items"].as_array().unwrap().iter().map(|item| &item["taxes"][0]["rate"]);
    assert_eq!(rates.collect::<Vec<_>>(), [&json!(0.16)]);
}

fn what_is_paid_of_goods_that_were_credited_was_never_sold(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(4);
    sent(&desk, &order);
    let invoice = desk.invoice_of(&order);
    let made = back(&desk, &order, 1, 2, false);
    assert_eq!(desk.stamped(&note(&desk, &made))["total"], 100);
    // All of it is paid all the same, and what is beyond the rest is given back.
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 200,
        "allowOverpayment": true}));
    let _ = desk.stamped(&desk.receipt(&paid));
    assert_eq!(balance(&desk, &invoice), 0);
    let refund = desk.refund(&paid, &json!({"amount": 100})).expect(201);
    let path = format!("/refunds/{}", id(&refund));
    let _ = desk.office.client.once(&path, |seen| seen["status"] == "succeeded");
    desk.settle();
    let seen = desk.office.client.get(&path).expect(200);
    assert_eq!((&seen["creditNoteId"], &seen["creditNoteProblem"]), (&json!(null), &json!(null)));
    assert_eq!((desk.count("E"), balance(&desk, &invoice)), (1, json!(0)));
    // What is left is a sale, and credited when its money is given back.
    let refund = desk.refund(&paid, &json!({"amount": 50})).expect(201);
    assert_eq!(desk.note(&refund)["total"], 50);
}

fn what_comes_back_before_the_stamp_is_credited_with_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    sent(&desk, &order);
    // What came back before it was drafted is not in it.
    let early = back(&desk, &order, 1, 1, false);
    let draft = desk.draft_of(&order);
    assert_eq!(draft["total"], 150);
    let late = back(&desk, &order, 1, 1, false);
    desk.settle();
    assert_eq!(desk.count("E"), 0);
    let invoice = desk.office.stamp(&id(&draft)).expect(200);
    let credited = note(&desk, &late);
    assert_eq!((&credited["total"], &credited["status"]), (&json!(50), &json!("draft")));
    assert_eq!(desk.office.findings(&id(&credited)), []);
    desk.settle();
    assert_eq!(desk.count("E"), 1);
    let seen = desk.office.client.get(&format!("/returns/{}", id(&early))).expect(200);
    assert_eq!(seen["creditNoteId"], json!(null));
    // It is told of with its order, as a draft and as it is stamped.
    let told = || {
        let path = format!("/orders/{}/timeline", id(&order));
        let shown = desk.office.client.get(&path).expect(200);
        let entries = shown["data"].as_array().unwrap().iter();
        let names = entries.filter(|entry| entry["type"] == "E").map(|entry| entry["name"].clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(told(), ["invoice.created"]);
    let _ = desk.office.stamp(&id(&credited)).expect(200);
    assert_eq!(told(), ["invoice.created", "invoice.stamped"]);
    assert_eq!(balance(&desk, &invoice), due(&desk, &order));
}

fn what_is_paid_is_credited_when_it_is_given_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = desk.order(4);
    let invoice = desk.invoice_of(&order);
    assert_eq!(invoice["paymentMethod"], "PPD");
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let _ = desk.stamped(&desk.receipt(&paid));
    let _ = back(&desk, &order, 1, 1, false);
    desk.settle();
    assert_eq!(desk.count("E"), 0);
    let refund = desk.refund(&paid, &json!({"amount": 50})).expect(201);
    assert_eq!(desk.note(&refund)["total"], 50);
    desk.settle();
    assert_eq!(desk.count("E"), 1);
}

fn why_goods_are_not_credited_is_told_to_each_reader(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    sent(&desk, &order);
    let made = back(&desk, &order, 1, 1, false);
    let path = format!("/returns/{}", id(&made));
    let list = format!("/orders/{}/returns", id(&order));
    // As the task leaves it.
    desk.office.app.database.execute(
        "UPDATE order_returns SET credit_note_problem = 'conflict: own_words: it cannot be stamped as it is\nno se puede timbrar como está'",
    );
    let _ = told_apart(&desk.office.client, &path);
    for (english, spanish) in [
        (desk.office.client.get(&path).expect(200), desk.office.in_spanish(&path)),
        (
            desk.office.client.get(&list).expect(200)["data"][0].clone(),
            desk.office.in_spanish(&list)["data"][0].clone(),
        ),
    ] {
        assert_eq!(english["creditNoteProblem"], "it cannot be stamped as it is");
        assert_eq!(spanish["creditNoteProblem"], "no se puede timbrar como está");
    }
}

fn a_credit_note_of_goods_that_is_deleted_is_forgotten(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    sent(&desk, &order);
    let invoice = desk.invoice_of(&order);
    let made = back(&desk, &order, 1, 1, false);
    let credited = note(&desk, &made);
    desk.settle();
    let path = format!("/returns/{}", id(&made));
    let tag = |reply: testkit::Reply| reply.header("etag").unwrap().to_owned();
    let with_note = tag(desk.office.client.get(&path));
    let _ = desk.office.client.delete(&format!("/invoices/{}", id(&credited))).expect(200);
    let seen = desk.office.client.get(&path);
    assert_ne!(tag(desk.office.client.get(&path)), with_note);
    assert_eq!(seen.expect(200)["creditNoteId"], json!(null));
    assert_eq!((balance(&desk, &invoice), due(&desk, &order)), (json!(200), json!(150)));
    // What the first note left open is in none of the second, nor in one of goods of which a part was paid.
    let again = back(&desk, &order, 1, 1, false);
    assert_eq!(note(&desk, &again)["total"], 50);
    let paid_in_part = desk.order(4);
    sent(&desk, &paid_in_part);
    let _ = desk.invoice_of(&paid_in_part);
    let _ = desk.pay(&json!({"orderId": paid_in_part["id"], "method": "cash", "amount": 80}));
    let credited = note(&desk, &back(&desk, &paid_in_part, 1, 1, false));
    desk.settle();
    let _ = desk.office.client.delete(&format!("/invoices/{}", id(&credited))).expect(200);
    let made = back(&desk, &paid_in_part, 1, 2, true);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(100), &json!(30)));
    assert_eq!(note(&desk, &made)["total"], 70);
}

fn what_is_replaced_is_credited_anew(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    sent(&desk, &order);
    let wrong = desk.invoice_of(&order);
    let made = back(&desk, &order, 1, 1, false);
    let first = note(&desk, &made);
    let copied =
        desk.office.make(&format!("/invoices/{}/copy", id(&wrong)), &json!({"replace": true}));
    let right = desk.office.stamp(&id(&copied)).expect(200);
    let by = json!({"reason": "01", "replacementUuid": right["uuid"]});
    let cancelled = desk.office.client.post(&format!("/invoices/{}/cancel", id(&wrong)), &by);
    assert_eq!(cancelled.expect(200)["status"], "cancelled");
    desk.settle();
    assert_eq!(desk.office.client.get(&format!("/invoices/{}", id(&first))).status, 404);
    let anew = note(&desk, &made);
    assert_eq!(anew["related"], json!([{"relation": "03", "uuids": [right["uuid"]]}]));
    assert_eq!(anew["total"], 50);
}
