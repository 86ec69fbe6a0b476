//! Orders whose stamped invoices decide what is withheld of them, whatever their customers pay.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    desk::Desk,
    goods::{back, balance, sent},
    waiting::{problems, waits},
    withheld_goods::product,
};
use crate::invoices::office::id;

on_both!(
    what_is_paid_beyond_an_invoice_is_owed_back_whenever_it_was_paid,
    what_is_paid_beyond_an_invoice_is_in_no_paper,
    what_is_decided_goes_with_its_invoice,
    what_an_order_knows_nothing_of_is_decided_too,
    what_was_left_out_of_an_order_is_not_invoiced_as_paid,
    refunds_wait_of_which_the_replacement_alone_has_billed_some,
);

/// A product of 116, of which a legal person withholds 10.
fn fee(desk: &Desk) -> String {
    product(desk, "ASESORIA", 116.0, &[("ISR", 0.1)])
}

/// An order of 580, of which 50 are withheld.
fn order(desk: &Desk, fee: &str) -> Value {
    desk.office.order(&desk.customer, &[(fee, 5)])
}

fn pays(desk: &Desk, order: &Value, amount: i64) -> Value {
    let body = json!({"orderId": order["id"], "method": "cash", "amount": amount,
        "allowOverpayment": true});
    desk.pay(&body)
}

/// What is withheld of an order, still due and owed back.
#[track_caller]
fn told(desk: &Desk, order: &Value) -> Value {
    let seen = desk.office.client.get(&format!("/orders/{}", id(order))).expect(200);
    json!([seen["withheldTotal"], seen["amountDue"], seen["refundDue"]])
}

/// An item of the invoice of an order, of which ISR may be withheld.
fn item(price: i64, is_withheld: bool) -> Value {
    let iva = json!({"tax": "IVA", "factor": "Tasa", "rate": 0.16});
    let isr = json!({"tax": "ISR", "factor": "Tasa", "rate": 0.1, "withheld": true});
    let taxes = if is_withheld { json!([iva, isr]) } else { json!([iva]) };
    json!({"description": "Asesoría", "quantity": 1, "unitPrice": price, "taxes": taxes})
}

/// The stamped invoice that takes the place of one of 580: it states half of what is withheld.
#[track_caller]
fn replacement(desk: &Desk, wrong: &Value) -> Value {
    let path = format!("/invoices/{}/copy", id(wrong));
    let copied = id(&desk.office.make(&path, &json!({"replace": true})));
    let half = json!({"items": [item(290, true), item(290, false)]});
    assert_eq!(desk.office.change(&copied, &half).expect(200)["total"], 555);
    desk.office.stamp(&copied).expect(200)
}

fn what_is_paid_beyond_an_invoice_is_owed_back_whenever_it_was_paid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk, &fee(&desk));
    // Who pays all of it has withheld nothing yet.
    let paid = pays(&desk, &order, 580);
    assert_eq!(told(&desk, &order), json!([50, 0, 0]));
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PUE"), &json!(530)));
    assert_eq!(told(&desk, &order), json!([50, 0, 50]));
    let more = pays(&desk, &order, 300);
    assert_eq!((&more["flags"], told(&desk, &order)), (&json!(["excess"]), json!([50, 0, 350])));
    // It was never invoiced, so nothing is credited.
    for (payment, amount) in [(&more, 300), (&paid, 50)] {
        let _ = desk.refund(payment, &json!({"amount": amount})).expect(201);
    }
    let path = format!("/orders/{}", id(&order));
    let seen = desk.office.client.once(&path, |seen| seen["amountRefunded"] == 350);
    assert_eq!(
        (&seen["refundDue"], &seen["paymentStatus"]),
        (&json!(0), &json!("partially_refunded"))
    );
    desk.settle();
    assert_eq!(desk.count("E"), 0);
}

fn what_is_paid_beyond_an_invoice_is_in_no_paper(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = order(&desk, &fee(&desk));
    let first = pays(&desk, &order, 200);
    assert_eq!(told(&desk, &order), json!([50, 380, 0]));
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PPD"), &json!(530)));
    assert_eq!(told(&desk, &order), json!([50, 330, 0]));
    let much = json!({"orderId": order["id"], "method": "cash", "amount": 380});
    let said = desk.office.client.post("/payments", &much).refused(409, "amount_exceeds_due");
    assert!(said.contains("at most 330,"), "{said}");
    let second = pays(&desk, &order, 400);
    assert_eq!(told(&desk, &order), json!([50, 0, 70]));
    for (payment, open) in [(&first, 330), (&second, 0)] {
        let receipt = desk.stamped(&desk.receipt(payment));
        assert_eq!(receipt["payments"][0]["documents"][0]["balanceAfter"], open);
    }
    assert_eq!(balance(&desk, &invoice), 0);
    let _ = desk.refund(&second, &json!({"amount": 70})).expect(201);
    let path = format!("/orders/{}", id(&order));
    let _ = desk.office.client.once(&path, |seen| seen["amountRefunded"] == 70);
    desk.settle();
    assert_eq!((desk.count("E"), balance(&desk, &invoice)), (0, json!(0)));
    assert_eq!(told(&desk, &order), json!([50, 0, 0]));
}

fn what_is_decided_goes_with_its_invoice(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let fee = fee(&desk);
    for is_replaced in [true, false] {
        let order = order(&desk, &fee);
        let _ = pays(&desk, &order, 580);
        let wrong = desk.invoice_of(&order);
        assert_eq!(told(&desk, &order), json!([50, 0, 50]));
        let right = replacement(&desk, &wrong);
        assert_eq!(told(&desk, &order), json!([25, 0, 25]));
        if is_replaced {
            let by = json!({"reason": "01", "replacementUuid": right["uuid"]});
            let path = format!("/invoices/{}/cancel", id(&wrong));
            let cancelled = desk.office.client.post(&path, &by).expect(200);
            assert_eq!(cancelled["status"], "cancelled");
            assert_eq!(told(&desk, &order), json!([25, 0, 25]));
        }
        // The order is of the old invoice again, or of none.
        let back = if is_replaced { 0 } else { 50 };
        let cancelled = desk.office.cancel(&id(&right), "02").expect(200);
        assert_eq!(cancelled["status"], "cancelled");
        assert_eq!(told(&desk, &order), json!([50, 0, back]));
    }
}

fn what_an_order_knows_nothing_of_is_decided_too(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let vase = product(&desk, "FLORERO", 290.0, &[]);
    let order = desk.office.order(&desk.customer, &[(&vase, 2)]);
    assert_eq!(told(&desk, &order), json!([0, 580, 0]));
    let invoice = json!({"orderId": order["id"], "items": [item(580, true)]});
    let invoice = desk.office.stamped(&invoice);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PPD"), &json!(530)));
    assert_eq!(told(&desk, &order), json!([50, 530, 0]));
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    assert_eq!((&paid["amount"], told(&desk, &order)), (&json!(530), json!([50, 0, 0])));
    let _ = desk.stamped(&desk.receipt(&paid));
    assert_eq!(balance(&desk, &invoice), 0);
    // What comes back is given back as it was paid, and credited so.
    assert_eq!(back(&desk, &order, 1, 1, true)["refundAmount"], 265);
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    assert_eq!(desk.stamped(&desk.note(&page["data"][0]))["total"], 265);
}

fn what_was_left_out_of_an_order_is_not_invoiced_as_paid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let vase = product(&desk, "FLORERO", 290.0, &[]);
    let paid_net = || {
        let order = desk.office.order(&desk.customer, &[(&vase, 2)]);
        let invoice = json!({"orderId": order["id"], "items": [item(580, true)]});
        let invoice = desk.office.stamped(&invoice);
        let _ = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
        assert_eq!(told(&desk, &order), json!([50, 0, 0]));
        (order, invoice)
    };
    let withheld = "orderId names an order whose customer withheld 50 as";
    // The taxes were stated by mistake: another invoice without them asks for 580, of which 530 are paid.
    let (order, wrong) = paid_net();
    let path = format!("/invoices/{}/copy", id(&wrong));
    let copied = id(&desk.office.make(&path, &json!({"replace": true})));
    let whole = json!({"items": [item(580, false)]});
    let said = desk.office.change(&copied, &whole).refused(400, "validation_failed");
    assert!(said.contains(withheld), "{said}");
    let _ = pays(&desk, &order, 50);
    assert_eq!(desk.office.change(&copied, &whole).expect(200)["total"], 580);
    let _ = desk.office.stamp(&copied).expect(200);
    assert_eq!(told(&desk, &order), json!([0, 0, 0]));
    // The same of one that is made once the other is cancelled.
    let (order, wrong) = paid_net();
    assert_eq!(desk.office.cancel(&id(&wrong), "02").expect(200)["status"], "cancelled");
    let anew = json!({"orderId": order["id"]});
    let said = desk.office.client.post("/invoices", &anew).refused(400, "validation_failed");
    assert!(said.contains(withheld), "{said}");
    let _ = pays(&desk, &order, 50);
    assert_eq!(told(&desk, &order), json!([0, 0, 0]));
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PUE"), &json!(580)));
}

/// What was given back is less than was paid beyond the old invoice, but more than beyond the other, which states less.
fn refunds_wait_of_which_the_replacement_alone_has_billed_some(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let order = order(&desk, &fee(&desk));
    sent(&desk, &order);
    let paid = pays(&desk, &order, 580);
    let in_parts = json!({"orderId": order["id"], "paymentMethod": "PPD"});
    let wrong = desk.office.stamped(&in_parts);
    let _ = desk.stamped(&desk.receipt(&paid));
    let right = replacement(&desk, &wrong);
    let _ = pays(&desk, &order, 80);
    assert_eq!(back(&desk, &order, 1, 1, true)["refundAmount"], 111);
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| {
        let mut refunds = page["data"].as_array().unwrap().iter();
        page["total"] == 2 && refunds.all(|refund| refund["status"] == "succeeded")
    });
    desk.settle();
    for refund in page["data"].as_array().unwrap() {
        let path = format!("/refunds/{}", id(refund));
        assert_eq!(problems(&desk, &path), waits(&wrong, &right), "{refund}");
    }
}
