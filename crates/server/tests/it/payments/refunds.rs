//! Money that is given back.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::till::Till;
use crate::{orders::shop::id, races::at_once};

on_both!(
    parallel_refunds_never_exceed_what_was_paid,
    a_part_and_then_the_rest,
    what_cannot_be_refunded_is_refused,
    what_the_provider_does_not_give_back_the_merchant_may,
    a_repeated_refund_is_one,
    a_refund_that_fails_frees_what_it_held,
    a_refund_made_at_the_provider_is_recorded_once,
    one_made_there_is_not_taken_for_one_of_the_same_amount_in_hand,
);

fn parallel_refunds_never_exceed_what_was_paid(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(20);
    let payment = till.pay(&json!({"orderId": order, "method": "cash"}));
    let replies = at_once(64, |_| till.act(&payment, "refunds", &json!({"amount": 100})));
    let made = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(made, 10);
    for refused in replies.iter().filter(|reply| reply.status != 201) {
        let _ = refused.refused(409, "refund_exceeds_refundable");
    }
    let payment = till.read(&payment);
    assert_eq!(
        (&payment["amountRefunded"], &payment["amountRefundable"], &payment["refundStatus"]),
        (&json!(1_000), &json!(0), &json!("full"))
    );
    let page = till.shop.client.get(&format!("/payments/{}/refunds", id(&payment))).expect(200);
    assert_eq!(page["total"], 10);
    let now = till.order_now(&order);
    assert_eq!(
        (&now["amountRefunded"], &now["paymentStatus"]),
        (&json!(1_000), &json!("refunded"))
    );
    assert_eq!(till.shop.told("refund.succeeded").len(), 10);
}

fn a_part_and_then_the_rest(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.by_card(100.0);
    let body = json!({"amount": 30, "reason": "Broken", "note": "Ticket 512"});
    let reply = till.act(&payment, "refunds", &body);
    let location = reply.header("location").unwrap().to_owned();
    let refund = reply.expect(201);
    assert_eq!(location, format!("/api/v1/refunds/{}", id(&refund)));
    for (field, value) in [
        ("paymentId", &payment["id"]),
        ("amount", &json!(30)),
        ("currency", &json!("MXN")),
        ("origin", &json!("api")),
        ("manual", &json!(false)),
        ("reason", &json!("Broken")),
        ("note", &json!("Ticket 512")),
        ("status", &json!("succeeded")),
    ] {
        assert_eq!(&refund[field], value, "{field}");
    }
    assert_eq!(till.shop.client.get(&location).expect(200), refund);
    let shown = till.read(&payment);
    assert_eq!((&shown["refundStatus"], &shown["status"]), (&json!("partial"), &json!("paid")));
    let rest = till.shop.client.act(&format!("/payments/{}/refunds", id(&payment))).expect(201);
    assert_eq!(rest["amount"], 70);
    assert_eq!(till.read(&payment)["refundStatus"], "full");
    let told = json!({"id": refund["id"], "paymentId": payment["id"], "amount": 30});
    assert_eq!(till.shop.told("refund.succeeded")[0], told);
}

fn what_cannot_be_refunded_is_refused(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.by_card(100.0);
    let refused = |body: Value, status: u16, code: &str| {
        till.act(&payment, "refunds", &body).refused(status, code)
    };
    let said = refused(json!({"amount": 100.01}), 409, "refund_exceeds_refundable");
    assert!(said.contains("at most 100,"), "{said}");
    let said = refused(json!({"amount": 0.001}), 400, "validation_failed");
    assert!(said.starts_with("amount "), "{said}");
    let said = refused(json!({"amount": 1, "manual": "yes"}), 400, "validation_failed");
    assert!(said.starts_with("manual must be true or false"), "{said}");
    assert_eq!(till.shop.client.get("/refunds").expect(200)["total"], 0);
    let waiting = till.pay(&json!({"method": "spei", "amount": 10, "currency": "MXN"}));
    let said = till.act(&waiting, "refunds", &json!({})).refused(409, "invalid_transition");
    assert!(said.contains("requires_action") && said.contains("paid"), "{said}");
}

fn what_the_provider_does_not_give_back_the_merchant_may(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.pay(&json!({"method": "oxxo", "amount": 200, "currency": "MXN"}));
    let _ = till.act(&payment, "simulate", &json!({"event": "pay"})).expect(200);
    let said = till.act(&payment, "refunds", &json!({})).refused(409, "method_not_refundable");
    assert!(said.contains("\"manual\": true"), "{said}");
    let refund = till.act(&payment, "refunds", &json!({"manual": true})).expect(201);
    assert_eq!(
        (&refund["status"], &refund["manual"], &refund["amount"]),
        (&json!("succeeded"), &json!(true), &json!(200))
    );
}

fn a_repeated_refund_is_one(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.by_card(100.0);
    let path = format!("/payments/{}/refunds", id(&payment));
    let body = json!({"amount": 40});
    let first = till.shop.client.post_once(&path, "back", &body);
    let again = till.shop.client.post_once(&path, "back", &body);
    assert_eq!((first.status, again.status), (201, 201), "{}", again.text);
    assert_eq!(id(&first.json()), id(&again.json()));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(till.read(&payment)["amountRefundable"], 60);
}

fn a_refund_that_fails_frees_what_it_held(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.by_card(7_000.13);
    let refund = till.act(&payment, "refunds", &json!({"amount": 100})).expect(201);
    assert_eq!(refund["status"], "failed", "{refund}");
    assert_eq!(refund["failure"]["code"], "refund_failed");
    let payment = till.read(&payment);
    assert_eq!(
        (&payment["amountRefundable"], &payment["refundStatus"]),
        (&json!(7_000.13), &json!("none"))
    );
    assert_eq!(till.shop.told("refund.failed").len(), 1);
}

fn a_refund_made_at_the_provider_is_recorded_once(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.by_card(100.0);
    let body = json!({"event": "refund", "amount": 25});
    let shown = till.act(&payment, "simulate", &body).expect(200);
    assert_eq!(shown["amountRefunded"], 25, "{shown}");
    for _ in 0..3 {
        let path = format!("/payments/{}/sync", id(&payment));
        assert_eq!(till.shop.client.act(&path).expect(200)["amountRefunded"], 25);
    }
    let odd = till.act(&payment, "simulate", &json!({"event": "refund", "amount": 0.001}));
    let said = odd.refused(400, "validation_failed");
    assert_eq!(said, "amount must have at most 2 decimals in MXN");
    let page = till.shop.client.get("/refunds").expect(200);
    assert_eq!((&page["total"], &page["data"][0]["origin"]), (&json!(1), &json!("external")));
    for left in [75, 0] {
        let reply = till.act(&payment, "simulate", &json!({"event": "refund"}));
        match left {
            0 => assert!(reply.refused(409, "conflict").starts_with("the sandbox refuses")),
            _ => assert_eq!(reply.expect(200)["refundStatus"], "full"),
        }
    }
}

fn one_made_there_is_not_taken_for_one_of_the_same_amount_in_hand(kind: DatabaseKind) {
    let till = Till::open(kind);
    let payment = till.by_card(100.0);
    let _ = till.act(&payment, "refunds", &json!({"amount": 30, "manual": true})).expect(201);
    let _ = till.act(&payment, "simulate", &json!({"event": "refund", "amount": 30})).expect(200);
    assert_eq!(till.read(&payment)["amountRefunded"], 60);
    let page = till.shop.client.get("/refunds").expect(200);
    let origins = [&page["data"][0]["origin"], &page["data"][1]["origin"]];
    assert_eq!(origins, ["external", "api"]);
}
