//! The payment settings of an account.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::till::Till;
use crate::orders::shop::id;

on_both!(
    settings_are_as_usual_until_they_are_set,
    payments_are_named_as_the_account_wants,
    money_for_a_cancelled_order_is_given_back_by_itself,
    money_for_a_cancelled_order_is_kept_otherwise,
);

const PATH: &str = "/payments/settings";

#[track_caller]
fn set(till: &Till, settings: &Value) -> Value {
    till.shop.client.send("PUT", PATH, settings).expect(200)
}

fn settings_are_as_usual_until_they_are_set(kind: DatabaseKind) {
    let till = Till::open(kind);
    let usual = json!({"satPaymentForms": {}, "refundLatePayments": "manual", "updatedAt": null});
    assert_eq!(till.shop.client.get(PATH).expect(200), usual);
    let told = set(&till, &json!({"satPaymentForms": {"wallet": "05", "other": "17"}}));
    assert_eq!(told["satPaymentForms"], json!({"wallet": "05", "other": "17"}));
    assert_eq!(till.shop.client.get(PATH).expect(200), told);
    // All of them are replaced.
    let told = set(&till, &json!({"refundLatePayments": "auto"}));
    assert_eq!(
        (&told["satPaymentForms"], &told["refundLatePayments"]),
        (&json!({}), &json!("auto"))
    );
    let stale = till.shop.client.request("PUT", PATH).header("If-Match", "\"1\"");
    let stale = stale.header("Content-Type", "application/json");
    let _ = testkit::Reply::to(stale.body("{}")).refused(412, "precondition_failed");
    let wrong = json!({"satPaymentForms": {"card": "99"}});
    let said = till.shop.client.send("PUT", PATH, &wrong).refused(400, "validation_failed");
    assert!(said.starts_with("satPaymentForms.card must be a payment form"), "{said}");
    let stranger = till.shop.app.client_of(till.shop.app.account(), "*");
    assert_eq!(stranger.get(PATH).expect(200), usual);
}

fn payments_are_named_as_the_account_wants(kind: DatabaseKind) {
    let till = Till::open(kind);
    let _ = set(&till, &json!({"satPaymentForms": {"cash": "08", "other": "17"}}));
    let form = |body: Value| till.pay(&body)["satPaymentForm"].clone();
    let of = |method: &str| json!({"method": method, "amount": 5, "currency": "MXN"});
    assert_eq!(form(of("cash")), "08");
    assert_eq!(form(of("other")), "17");
    assert_eq!(form(of("card")), "04");
    let mut own = of("cash");
    own["satPaymentForm"] = json!("01");
    assert_eq!(form(own), "01");
    // An order that is marked paid has a payment, too.
    let order = till.order(1);
    let _ = till.shop.step(&order, "paid").expect(200);
    let page = till.shop.client.get(&format!("/payments?orderId={order}")).expect(200);
    assert_eq!(page["data"][0]["satPaymentForm"], "17");
}

/// An order that is cancelled while a payment of it waits, and then paid after all.
#[track_caller]
fn paid_too_late(till: &Till, method: &str) -> (String, Value) {
    let order = till.order(2);
    let payer = json!({"name": "Ana", "email": "ana@example.com"});
    let waiting = till.pay(&json!({"orderId": order, "method": method, "payer": payer}));
    let cancel = json!({"status": "cancelled", "reason": "Changed their mind"});
    let _ = till.shop.client.patch(&format!("/orders/{order}"), &cancel).expect(200);
    let _ = till.once(&waiting, "canceled");
    let paid = till.act(&waiting, "simulate", &json!({"event": "pay"})).expect(200);
    assert_eq!((&paid["status"], &paid["flags"]), (&json!("paid"), &json!(["late"])));
    (order, paid)
}

fn money_for_a_cancelled_order_is_given_back_by_itself(kind: DatabaseKind) {
    let till = Till::open(kind);
    let _ = set(&till, &json!({"refundLatePayments": "auto"}));
    let (order, paid) = paid_too_late(&till, "spei");
    let path = format!("/orders/{order}");
    let after = till.shop.client.once(&path, |order| order["amountRefunded"] == 100);
    assert_eq!((&after["status"], &after["refundDue"]), (&json!("cancelled"), &json!(0)));
    let refunds = till.shop.client.get(&format!("/refunds?paymentId={}", id(&paid))).expect(200);
    assert_eq!(
        (&refunds["total"], &refunds["data"][0]["origin"]),
        (&json!(1), &json!("cancellation"))
    );
    assert_eq!(till.shop.told("refund.succeeded").len(), 1);
    // What its provider does not give back stays owed, and is to be seen.
    let (order, paid) = paid_too_late(&till, "oxxo");
    assert_eq!(till.order_now(&order)["refundDue"], 100);
    let refunds = till.shop.client.get(&format!("/refunds?paymentId={}", id(&paid))).expect(200);
    assert_eq!(refunds["total"], 0);
    let late = till.shop.client.get("/payments?flag=late").expect(200);
    assert_eq!(late["total"], 2);
}

fn money_for_a_cancelled_order_is_kept_otherwise(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (order, paid) = paid_too_late(&till, "spei");
    assert_eq!(till.order_now(&order)["refundDue"], 100);
    assert_eq!(till.read(&paid)["amountRefunded"], 0);
    let _ = till.act(&paid, "refunds", &json!({})).expect(201);
    assert_eq!(till.order_now(&order)["refundDue"], 0);
}
