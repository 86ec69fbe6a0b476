//! Orders that were paid without the taxes that their customers withhold, and invoices that state less of these.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{desk::Desk, withheld::to_person, withheld_goods::product};
use crate::invoices::office::id;

on_both!(what_is_paid_beyond_the_difference_settles_it, what_was_withheld_is_stated_in_full,);

/// An order of 1160, of which a legal person withholds 100.
fn order(desk: &Desk) -> Value {
    let fee = product(desk, "ASESORIA", 116.0, &[("ISR", 0.1)]);
    desk.office.order(&desk.customer, &[(&fee, 10)])
}

/// Pays what a legal person pays of it.
#[track_caller]
fn pay_net(desk: &Desk, order: &Value) {
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    assert_eq!(paid["amount"], 1060);
}

/// Pays more of an order that is paid.
fn pay_more(desk: &Desk, order: &Value, amount: i64) -> Value {
    let more = json!({"orderId": order["id"], "method": "cash", "amount": amount,
        "allowOverpayment": true});
    let _ = desk.pay(&more);
    desk.office.client.get(&format!("/orders/{}", id(order))).expect(200)
}

fn what_is_paid_beyond_the_difference_settles_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    pay_net(&desk, &order);
    let seen = pay_more(&desk, &order, 150);
    assert_eq!((&seen["amountPaid"], &seen["refundDue"]), (&json!(1210), &json!(50)));
    let invoice = desk.office.stamped(&to_person(&order));
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PUE"), &json!(1160)));
}

fn what_was_withheld_is_stated_in_full(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk);
    let iva = json!({"tax": "IVA", "factor": "Tasa", "rate": 0.16});
    let isr = json!({"tax": "ISR", "factor": "Tasa", "rate": 0.1, "withheld": true});
    let item = |price: f64, taxes: Value| json!({"description": "Asesoría", "quantity": 1, "unitPrice": price, "taxes": taxes});
    let items =
        |whole: f64, rest: f64| json!([item(whole, json!([iva, isr])), item(rest, json!([iva]))]);
    let partly =
        json!({"orderId": order["id"], "paymentMethod": "PPD", "items": items(116.0, 1_044.0)});
    let draft = desk.office.draft(&partly);
    assert_eq!(draft["total"], 1150);
    pay_net(&desk, &order);
    // What was drafted before, and what is made after it was paid.
    let said = desk.office.stamp(&id(&draft)).refused(400, "validation_failed");
    assert!(said.contains("orderId names an order whose customer withheld taxes"), "{said}");
    let judged = desk.office.verdict(&id(&draft));
    assert_eq!(
        (&judged["valid"], &judged["findings"][0]["field"]),
        (&json!(false), &json!("orderId"))
    );
    let less = json!({"items": items(696.0, 464.0)});
    let said = desk.office.change(&id(&draft), &less).refused(400, "validation_failed");
    assert!(said.contains("orderId names an order whose customer withheld 100 as"), "{said}");
    let _ = desk.office.client.delete(&format!("/invoices/{}", id(&draft))).expect(200);
    let said = desk.office.client.post("/invoices", &partly).refused(400, "validation_failed");
    assert!(said.contains("orderId names an order whose customer withheld 100 as"), "{said}");
    // Nor are five centavos left out, on however many lines: each tax is rounded once.
    let mut lines = vec![item(116.0, json!([iva, isr])); 9];
    lines.extend([item(115.42, json!([iva, isr])), item(0.58, json!([iva]))]);
    let lines = json!({"orderId": order["id"], "items": lines});
    let said = desk.office.client.post("/invoices", &lines).refused(400, "validation_failed");
    assert!(said.contains("orderId names an order whose customer withheld 100 as"), "{said}");
    // All of it on one line is as good as on ten.
    let item = item(1_160.0, json!([iva, isr]));
    let whole = desk.office.stamped(&json!({"orderId": order["id"], "items": [item]}));
    assert_eq!((&whole["paymentMethod"], &whole["total"]), (&json!("PUE"), &json!(1060)));
}
