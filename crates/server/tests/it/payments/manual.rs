//! Money that the merchant takes and records.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::till::Till;
use crate::orders::shop::{id, is_moment};

on_both!(
    cash_in_full_pays_the_order,
    an_order_is_paid_in_parts_and_never_beyond_what_is_due,
    what_cannot_be_asked_for_is_refused_by_name,
    money_may_be_for_no_order,
    a_cancelled_order_takes_no_payment,
    marking_an_order_paid_records_a_payment,
    cancelling_a_paid_order_gives_the_money_back,
    a_repeated_request_is_one_payment,
);

fn cash_in_full_pays_the_order(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let reply = till.ask(&json!({"orderId": order, "method": "cash", "reference": "Caja 2"}));
    let location = reply.header("location").unwrap().to_owned();
    let tag = reply.header("etag").unwrap().to_owned();
    let payment = reply.expect(201);
    for (field, value) in [
        ("status", json!("paid")),
        ("provider", json!("manual")),
        ("amount", json!(100)),
        ("currency", json!("MXN")),
        ("amountCaptured", json!(100)),
        ("amountRefundable", json!(100)),
        ("refundStatus", json!("none")),
        ("outcome", json!("known")),
        ("satPaymentForm", json!("01")),
        ("orderId", json!(order)),
        ("customerId", json!(till.shop.customer)),
        ("reference", json!("Caja 2")),
        ("flags", json!([])),
    ] {
        assert_eq!(payment[field], value, "{field}");
    }
    assert!(is_moment(&payment["paidAt"]));
    assert_eq!(location, format!("/api/v1/payments/{}", id(&payment)));
    assert_eq!(till.read(&payment), payment);
    let known = till.shop.client.request("GET", &location).header("If-None-Match", &tag);
    assert_eq!(testkit::Reply::to(known).status, 304);
    let order_now = till.order_now(&order);
    assert_eq!(
        (&order_now["status"], &order_now["paymentStatus"], &order_now["amountDue"]),
        (&json!("paid"), &json!("paid"), &json!(0))
    );
    let told = json!({"id": id(&payment), "amount": 100, "method": "cash"});
    assert_eq!(till.shop.told("payment.received"), [told]);
    assert_eq!(till.shop.told("order.paid"), [json!({"id": order, "total": 100})]);
}

fn an_order_is_paid_in_parts_and_never_beyond_what_is_due(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let part = |amount: f64| json!({"orderId": order, "method": "transfer", "amount": amount});
    let _ = till.pay(&part(30.0));
    let now = till.order_now(&order);
    assert_eq!(
        (&now["status"], &now["paymentStatus"], &now["amountDue"]),
        (&json!("pending"), &json!("partially_paid"), &json!(70))
    );
    let refused = till.ask(&part(70.01)).refused(409, "amount_exceeds_due");
    assert!(refused.contains("at most 70,"), "{refused}");
    let more =
        json!({"orderId": order, "method": "transfer", "amount": 80, "allowOverpayment": true});
    let excess = till.pay(&more);
    assert_eq!(excess["flags"], json!(["excess"]));
    let now = till.order_now(&order);
    assert_eq!(
        (&now["status"], &now["amountPaid"], &now["refundDue"]),
        (&json!("paid"), &json!(110), &json!(10))
    );
    let refused = till.ask(&json!({"orderId": order, "method": "cash"}));
    assert!(refused.refused(409, "amount_exceeds_due").starts_with("nothing is left to pay"));
}

fn what_cannot_be_asked_for_is_refused_by_name(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    for (body, said) in [
        (
            json!({"orderId": order, "method": "cash", "currency": "USD"}),
            "currency must be that of the order, MXN",
        ),
        (
            json!({"orderId": order, "method": "cash", "amount": 10.001}),
            "amount must have at most 2 decimals in MXN",
        ),
        (
            json!({"method": "cash", "currency": "JPY", "amount": 0.5}),
            "amount must have at most 0 decimals in JPY",
        ),
        (json!({"method": "cash", "currency": "MXN"}), "amount is required without orderId"),
        (json!({"method": "cash", "amount": 1}), "currency is required without orderId"),
        (json!({"orderId": order, "method": "cash", "amount": 0}), "amount must be more than 0"),
        (json!({"orderId": order}), "method is required"),
        (
            json!({"orderId": order, "method": "codi", "provider": "sandbox"}),
            "method cannot be codi through the provider sandbox",
        ),
        (json!({"orderId": order, "method": "cash", "capture": false}), "capture must be true"),
        (
            json!({"orderId": order, "method": "cash", "satPaymentForm": "98"}),
            "satPaymentForm must be a payment form",
        ),
        (
            json!({"orderId": order, "method": "cash", "exchangeRate": 18.5}),
            "exchangeRate goes only with other currencies",
        ),
        (
            json!({"method": "card", "provider": "sandbox", "amount": 5, "currency": "USD",
                "exchangeRate": 18.5}),
            "exchangeRate goes only with money that you have taken yourself",
        ),
        (
            json!({"method": "cash", "amount": 5, "currency": "USD", "exchangeRate": 0}),
            "exchangeRate must be more than 0",
        ),
        (json!({"orderId": order, "method": "cash", "status": "paid"}), "status"),
        (
            json!({"orderId": "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV", "method": "cash"}),
            "orderId names no order",
        ),
    ] {
        let refused = till.ask(&body).refused(400, "validation_failed");
        assert!(refused.starts_with(said), "{body}: {refused}");
    }
    assert_eq!(till.shop.client.get("/payments").expect(200)["total"], 0);
    assert_eq!(till.order_now(&order)["amountPaid"], 0);
}

fn money_may_be_for_no_order(kind: DatabaseKind) {
    let till = Till::open(kind);
    let body = json!({"method": "check", "amount": 1500.5, "currency": "USD",
        "payer": {"name": "Ana", "email": "ana@example.com", "phone": "+525512345678"},
        "description": "Anticipo", "metadata": {"folio": 7}});
    let payment = till.pay(&body);
    assert_eq!((&payment["orderId"], &payment["customerId"]), (&json!(null), &json!(null)));
    assert_eq!((&payment["satPaymentForm"], &payment["amount"]), (&json!("02"), &json!(1500.5)));
    assert_eq!((&payment["payer"], &payment["metadata"]), (&body["payer"], &body["metadata"]));
    let card = json!({"method": "card", "provider": "manual", "amount": 10, "currency": "MXN",
        "satPaymentForm": "28"});
    let card = till.pay(&card);
    assert_eq!((&card["status"], &card["satPaymentForm"]), (&json!("paid"), &json!("28")));
}

fn a_cancelled_order_takes_no_payment(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(1);
    let _ = till.shop.step(&order, "cancelled").expect(200);
    let refused = till.ask(&json!({"orderId": order, "method": "cash", "amount": 1}));
    assert!(refused.refused(409, "order_cancelled").contains("orderId"));
    assert_eq!(till.order_now(&order)["amountDue"], 0);
}

fn marking_an_order_paid_records_a_payment(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let _ = till.pay(&json!({"orderId": order, "method": "cash", "amount": 30}));
    let _ = till.shop.step(&order, "paid").expect(200);
    let page = till.shop.client.get(&format!("/payments?orderId={order}")).expect(200);
    let rows = page["data"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{page}");
    let marked = &rows[0];
    assert_eq!(
        (&marked["method"], &marked["provider"], &marked["amount"], &marked["satPaymentForm"]),
        (&json!("other"), &json!("manual"), &json!(70), &json!(null))
    );
    assert_eq!(till.shop.told("payment.received").len(), 2);
    assert_eq!(till.shop.told("order.paid").len(), 1);
}

fn cancelling_a_paid_order_gives_the_money_back(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let payment = till.pay(&json!({"orderId": order, "method": "cash"}));
    let refused = json!({"status": "cancelled", "reason": "changed mind"});
    let _ = till.shop.change(&order, &refused).refused(409, "conflict");
    let _ = till.shop.step(&order, "cancelled").expect(200);
    let page = till.shop.client.get(&format!("/refunds?orderId={order}")).expect(200);
    let refund = &page["data"][0];
    assert_eq!(
        (&refund["origin"], &refund["manual"], &refund["status"], &refund["amount"]),
        (&json!("cancellation"), &json!(true), &json!("succeeded"), &json!(100))
    );
    let payment = till.read(&payment);
    assert_eq!(
        (&payment["status"], &payment["refundStatus"], &payment["amountRefundable"]),
        (&json!("paid"), &json!("full"), &json!(0))
    );
    let now = till.order_now(&order);
    assert_eq!((&now["paymentStatus"], &now["refundDue"]), (&json!("refunded"), &json!(0)));
}

fn a_repeated_request_is_one_payment(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    for (number, method) in ["cash", "card"].into_iter().enumerate() {
        let key = format!("pay-{number}");
        let body = json!({"orderId": order, "method": method, "amount": 10});
        let first = till.shop.client.post_once("/payments", &key, &body);
        let again = till.shop.client.post_once("/payments", &key, &body);
        assert_eq!((first.status, again.status), (201, 201), "{}", again.text);
        assert_eq!(id(&first.json()), id(&again.json()));
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        let other = json!({"orderId": order, "method": method, "amount": 11});
        let reused = till.shop.client.post_once("/payments", &key, &other);
        let _ = reused.refused(422, "idempotency_key_reused");
    }
    assert_eq!(till.shop.client.get("/payments").expect(200)["total"], 2);
    assert_eq!(till.order_now(&order)["amountPaid"], 20);
}
