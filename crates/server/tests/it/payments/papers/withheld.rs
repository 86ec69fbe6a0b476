//! Orders whose customers withhold taxes: they pay these to the tax authority, and the rest here.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::invoices::office::id;

on_both!(
    what_is_withheld_is_paid_to_the_tax_authority,
    an_invoice_of_it_and_its_order_are_paid_together,
);

/// An order of pieces of 1160.00, of each of which 12.50 are withheld.
fn order(desk: &Desk, pieces: i64) -> Value {
    let taxes = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]});
    let lamp = desk.office.product("LAMPARA", 1_160.0, &taxes);
    desk.office.order(&desk.customer, &[(&lamp, pieces)])
}

fn now(desk: &Desk, order: &Value) -> Value {
    desk.office.client.get(&format!("/orders/{}", id(order))).expect(200)
}

fn what_is_withheld_is_paid_to_the_tax_authority(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = order(&desk, 2);
    assert_eq!(
        (&order["totalAmount"], &order["withheldTotal"], &order["amountDue"]),
        (&json!(2320), &json!(25), &json!(2320))
    );
    let net = json!({"orderId": order["id"], "method": "cash", "amount": 2295});
    let payment = desk.pay(&net);
    assert_eq!(payment["flags"], json!([]));
    let paid = now(&desk, &order);
    assert_eq!(
        (&paid["status"], &paid["paymentStatus"], &paid["amountDue"], &paid["refundDue"]),
        (&json!("paid"), &json!("paid"), &json!(0), &json!(0))
    );
    let listed = desk.office.client.get("/orders?paymentStatus=paid").expect(200);
    assert_eq!(listed["data"][0]["id"], order["id"]);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["total"]), (&json!("PUE"), &json!(2295)));
    // A piece that comes back is given back as it was paid, and credited so.
    let body = json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota", "refund": true});
    let path = format!("/orders/{}/returns", id(&order));
    let made = desk.office.client.post(&path, &body).expect(201);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(1160), &json!(1147.5)));
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    let note = desk.note(&page["data"][0]);
    assert_eq!((&note["total"], desk.office.findings(&id(&note))), (&json!(1147.5), vec![]));
    assert_eq!(now(&desk, &order)["refundDue"], 0);
}

fn an_invoice_of_it_and_its_order_are_paid_together(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let order = order(&desk, 1);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["balance"]), (&json!("PPD"), &json!(1147.5)));
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "transfer"}));
    assert_eq!((&paid["amount"], &paid["orderId"]), (&json!(1147.5), &order["id"]));
    let receipt = desk.stamped(&desk.receipt(&paid));
    assert_eq!(receipt["payments"][0]["documents"][0]["balanceAfter"], 0);
    assert_eq!(desk.office.read(&id(&invoice))["balance"], 0);
    let seen = now(&desk, &order);
    assert_eq!(
        (&seen["status"], &seen["amountDue"], &seen["amountPaid"]),
        (&json!("paid"), &json!(0), &json!(1147.5))
    );
}
