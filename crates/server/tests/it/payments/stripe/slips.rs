//! Cash at OXXO and transfers, which wait for their payers.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::orders::shop::id;

on_both!(
    a_slip_is_paid_at_oxxo,
    a_slip_that_nobody_pays_expires,
    a_slip_needs_a_name_and_an_address,
    a_transfer_comes_in_two_parts,
    what_arrived_of_a_transfer_that_is_called_off_goes_back,
);

fn ana() -> Value {
    json!({"payer": {"name": "Ana Torres", "email": "ana@shop.example"}})
}

fn a_slip_is_paid_at_oxxo(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("oxxo", &ana());
    assert_eq!(payment["status"], "requires_action");
    let how = &payment["instructions"];
    assert_eq!(how["reference"], "98000006954591202611240000100008");
    assert_eq!(how["barcode"], how["reference"]);
    assert!(how["url"].as_str().unwrap().contains("/oxxo/voucher/"), "{how}");
    assert_eq!((&how["clientSecret"], &how["expiresAt"]), (&json!(null), &payment["expiresAt"]));
    let form = desk.stripe.received("create")[0].form();
    let days = form.iter().find(|(name, _)| name.ends_with("[expires_after_days]")).unwrap();
    assert_eq!(days.1, "3");
    desk.tell("payment_intent.succeeded", |books| {
        let intent = books.of(&payment);
        intent.pay();
        intent.shown()
    });
    let paid = desk.till.once(&payment, "paid");
    assert_eq!((&paid["amountCaptured"], &paid["satPaymentForm"]), (&json!(100), &json!("01")));
    let said = desk.till.act(&payment, "refunds", &json!({})).refused(409, "method_not_refundable");
    assert!(said.contains("\"manual\": true"), "{said}");
    assert!(desk.stripe.received("refund").is_empty());
}

fn a_slip_that_nobody_pays_expires(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("oxxo", &ana());
    desk.stripe.books(|books| books.of(&payment).expire());
    assert_eq!(desk.sync(&payment)["status"], "expired");
    // It was paid in the last minute, and is told the day after.
    desk.stripe.books(|books| books.of(&payment).pay());
    let late = desk.sync(&payment);
    assert_eq!((&late["status"], &late["flags"]), (&json!("paid"), &json!(["late"])));
}

fn a_slip_needs_a_name_and_an_address(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for (payer, missing) in
        [(json!({}), "payer.name"), (json!({"name": "Ana Torres"}), "payer.email")]
    {
        let payment = desk.pay("oxxo", &json!({ "payer": payer }));
        let failure = &payment["failure"];
        assert_eq!(
            (&payment["status"], &failure["code"]),
            (&json!("failed"), &json!("payer_required"))
        );
        assert!(failure["message"].as_str().unwrap().starts_with(missing), "{failure}");
    }
    assert!(desk.stripe.received("create").is_empty());
}

fn a_transfer_comes_in_two_parts(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.till.order(2);
    let ask = json!({"orderId": order, "method": "spei", "payer": {"name": "Ana Torres"}});
    let payment = desk.till.pay(&ask);
    let how = &payment["instructions"];
    assert_eq!(
        (&how["clabe"], &how["bank"], &how["reference"]),
        (&json!("124180089007680009"), &json!("CITI"), &json!("GMGXLHWZDRVY"))
    );
    assert_eq!(payment["expiresAt"], json!(null));
    desk.tell("payment_intent.partially_funded", |books| {
        let intent = books.of(&payment);
        intent.arrive(4_000);
        intent.shown()
    });
    let path = format!("/payments/{}", id(&payment));
    let half = desk.till.shop.client.once(&path, |seen| seen["amountReceived"] == 40);
    assert_eq!((&half["status"], &half["amountCaptured"]), (&json!("requires_action"), &json!(0)));
    assert_eq!(desk.till.order_now(&order)["amountPaid"], 0);
    desk.tell("payment_intent.succeeded", |books| {
        let intent = books.of(&payment);
        intent.arrive(6_000);
        intent.shown()
    });
    let paid = desk.till.once(&payment, "paid");
    assert_eq!((&paid["amountCaptured"], &paid["satPaymentForm"]), (&json!(100), &json!("03")));
    assert_eq!(desk.till.order_now(&order)["status"], "paid");
}

fn what_arrived_of_a_transfer_that_is_called_off_goes_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let payment = desk.pay("spei", &json!({}));
    desk.stripe.books(|books| books.of(&payment).arrive(4_000));
    assert_eq!(desk.sync(&payment)["amountReceived"], 40);
    desk.stripe.books(|books| books.of(&payment).call_off());
    let ended = desk.sync(&payment);
    assert_eq!(
        (&ended["status"], &ended["amountCaptured"], &ended["amountReceived"]),
        (&json!("canceled"), &json!(0), &json!(0))
    );
    assert!(desk.till.shop.told("payment.received").is_empty());
}
