//! The life of an order: where it may go, where not, and what is told on the way.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::shop::{Shop, id, is_moment};

on_both!(
    every_way_through_life_is_told,
    a_shut_way_is_refused_and_changes_nothing,
    every_event_has_exactly_its_payload,
    naming_the_status_that_it_has_changes_nothing,
    cash_on_delivery_marks_the_payment_and_stays_shipped,
    cancelling_requires_a_reason,
    reasons_and_refunds_go_with_cancelling_only,
    cancelling_a_paid_order_requires_a_refund,
    cancelling_gives_the_stock_back_once,
    repeating_a_cancellation_changes_nothing,
    cancelling_after_the_product_is_gone_works,
);

/// Steps, the status at their end, the moments that are set, the events behind `order.created`.
type Way = (Words, &'static str, Words, Words);
type Words = &'static [&'static str];

/// An order of one mug after these steps.
#[track_caller]
fn walked(shop: &Shop, mug: &str, path: &[&str]) -> Value {
    let mut order = shop.order(&[(mug, 1)]);
    for status in path {
        order = shop.step(&id(&order), status).expect(200);
    }
    order
}

fn every_way_through_life_is_told(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let cases: &[Way] = &[
        (&["paid"], "paid", &["paidAt"], &["updated", "paid"]),
        (
            &["paid", "shipped", "delivered"],
            "delivered",
            &["paidAt", "shippedAt", "deliveredAt"],
            &["updated", "paid", "updated", "shipped", "updated"],
        ),
        (
            &["shipped", "delivered"],
            "delivered",
            &["shippedAt", "deliveredAt"],
            &["updated", "shipped", "updated"],
        ),
        (
            &["shipped", "paid", "delivered"],
            "delivered",
            &["shippedAt", "paidAt", "deliveredAt"],
            &["updated", "shipped", "paid", "updated"],
        ),
        (&["cancelled"], "cancelled", &["cancelledAt"], &["updated", "cancelled"]),
        (
            &["paid", "cancelled"],
            "cancelled",
            &["paidAt", "cancelledAt"],
            &["updated", "paid", "updated", "cancelled"],
        ),
    ];
    for (path, status, moments, events) in cases {
        let told_before = shop.order_events().len();
        let order = walked(&shop, &mug, path);
        assert_eq!(order["status"], *status, "{path:?}");
        for moment in ["paidAt", "shippedAt", "deliveredAt", "cancelledAt"] {
            let set = moments.contains(&moment);
            assert_eq!(is_moment(&order[moment]), set, "{moment} after {path:?}");
            assert!(set || order[moment].is_null(), "{moment} after {path:?}");
        }
        assert_eq!(shop.read(&id(&order)).json(), order, "{path:?}");
        let mut expected = vec!["order.created".to_owned()];
        expected.extend(events.iter().map(|event| format!("order.{event}")));
        assert_eq!(shop.order_events()[told_before..], expected, "{path:?}");
    }
}

fn a_shut_way_is_refused_and_changes_nothing(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    // The steps, the one that is shut, and what the message allows instead.
    let cases: &[(&[&str], &str, &str)] = &[
        (&[], "delivered", "allowed: paid, shipped, cancelled"),
        (&["paid"], "pending", "allowed: shipped, cancelled"),
        (&["paid"], "delivered", "allowed: shipped, cancelled"),
        (&["shipped"], "pending", "allowed: paid, delivered"),
        (&["shipped"], "cancelled", "allowed: paid, delivered"),
        (&["shipped", "paid"], "paid", "allowed: delivered"),
        (&["shipped", "paid"], "cancelled", "allowed: delivered"),
        (&["shipped", "delivered"], "paid", "it stays as it is"),
        (&["shipped", "delivered"], "cancelled", "it stays as it is"),
        (&["cancelled"], "pending", "it stays as it is"),
        (&["cancelled"], "paid", "it stays as it is"),
        (&["cancelled"], "shipped", "it stays as it is"),
    ];
    for (path, to, allowed) in cases {
        let order = id(&walked(&shop, &mug, path));
        let (before, told, stock) = (shop.read(&order), shop.order_events(), shop.stock(&mug));
        let message = shop.step(&order, to).refused(409, "invalid_transition");
        assert!(message.contains(allowed) && message.contains(to), "{path:?} {to}: {message}");
        let after = shop.read(&order);
        assert_eq!((after.header("etag"), &after.text), (before.header("etag"), &before.text));
        assert_eq!((shop.order_events(), shop.stock(&mug)), (told, stock), "{path:?} {to}");
    }
}

fn every_event_has_exactly_its_payload(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let sent = shop.order_id(&[(&mug, 2)]);
    let _ = shop.step(&sent, "paid").expect(200);
    let parcel = json!({"status": "shipped", "carrier": "Estafeta", "trackingNumber": "EST-1"});
    let _ = shop.change(&sent, &parcel).expect(200);
    let untracked = shop.order_id(&[(&mug, 1)]);
    let _ = shop.step(&untracked, "shipped").expect(200);
    let off = shop.order_id(&[(&mug, 1)]);
    let _ = shop.change(&off, &json!({"status": "cancelled", "reason": "fraude"})).expect(200);

    let moved =
        |id: &str, from: &str, to: &str| json!({"id": id, "oldStatus": from, "newStatus": to});
    assert_eq!(
        shop.told("order.updated"),
        [
            moved(&sent, "pending", "paid"),
            moved(&sent, "paid", "shipped"),
            moved(&untracked, "pending", "shipped"),
            moved(&off, "pending", "cancelled"),
        ]
    );
    assert_eq!(shop.told("order.paid"), [json!({"id": sent, "total": 39.98})]);
    assert_eq!(
        shop.told("order.shipped"),
        [
            json!({"id": sent, "trackingNumber": "EST-1"}),
            json!({"id": untracked, "trackingNumber": ""})
        ]
    );
    assert_eq!(shop.told("order.cancelled"), [json!({"id": off, "reason": "fraude"})]);
    for event in shop.app.database.events(shop.account, "order.paid") {
        let fields: Vec<_> = event.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["createdAt", "data", "event", "id"]);
        assert!(is_moment(&event["createdAt"]), "{event}");
    }
}

fn naming_the_status_that_it_has_changes_nothing(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let paths: [&[&str]; 4] = [&[], &["paid"], &["shipped"], &["shipped", "delivered"]];
    for path in paths {
        let order = walked(&shop, &mug, path);
        let told = shop.order_events();
        let status = order["status"].as_str().unwrap();
        assert_eq!(shop.step(&id(&order), status).expect(200), order, "{path:?}");
        assert_eq!(shop.order_events(), told, "{path:?}");
    }
}

fn cash_on_delivery_marks_the_payment_and_stays_shipped(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let shipped = walked(&shop, &mug, &["shipped"]);
    assert!(shipped["paidAt"].is_null());
    let paid = shop.step(&id(&shipped), "paid").expect(200);
    assert_eq!(paid["status"], "shipped");
    assert!(is_moment(&paid["paidAt"]));
    assert_eq!(shop.told("order.paid"), [json!({"id": paid["id"], "total": 19.99})]);
    assert_eq!(shop.told("order.updated").len(), 1, "the payment is no change of status");
}

fn cancelling_requires_a_reason(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 4)]);
    for reason in [json!(null), json!(""), json!("   "), json!(7), json!("x".repeat(201))] {
        let changes = json!({"status": "cancelled", "reason": reason});
        let message = shop.change(&order, &changes).refused(400, "validation_failed");
        assert!(message.contains("reason"), "{message}");
    }
    let message = shop.change(&order, &json!({"status": "cancelled"}));
    assert!(message.refused(400, "validation_failed").contains("reason is required"));
    assert_eq!((shop.stock(&mug), &shop.read(&order).json()["status"]), (6, &json!("pending")));

    let cancelled = shop.change(&order, &json!({"status": "cancelled", "reason": "sin fondos"}));
    let cancelled = cancelled.expect(200);
    assert_eq!(
        (&cancelled["cancelReason"], &cancelled["refundDue"]),
        (&json!("sin fondos"), &json!(0))
    );
}

fn reasons_and_refunds_go_with_cancelling_only(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 1)]);
    for (field, changes) in [
        ("reason", json!({"reason": "x"})),
        ("reason", json!({"status": "paid", "reason": "x"})),
        ("refund", json!({"refund": true})),
        ("refund", json!({"status": "paid", "refund": true})),
    ] {
        let message = shop.change(&order, &changes).refused(400, "validation_failed");
        assert!(message.contains(field), "{message}");
    }
    let _ = shop.change(&order, &json!({"refund": false})).expect(200);
    assert_eq!(shop.read(&order).json()["status"], "pending");
}

fn cancelling_a_paid_order_requires_a_refund(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 3)]);
    let _ = shop.step(&order, "paid").expect(200);
    for refund in [json!(null), json!(false)] {
        let changes = json!({"status": "cancelled", "reason": "x", "refund": refund});
        let message = shop.change(&order, &changes).refused(409, "conflict");
        assert!(message.contains("refund") && message.contains("59.97"), "{message}");
    }
    assert_eq!(shop.stock(&mug), 7);
    let cancelled = shop.step(&order, "cancelled").expect(200);
    assert_eq!((&cancelled["refundDue"], shop.stock(&mug)), (&json!(0), 10));
    assert_eq!(
        (&cancelled["amountRefunded"], &cancelled["paymentStatus"]),
        (&json!(59.97), &json!("refunded"))
    );
}

fn cancelling_gives_the_stock_back_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let pen = shop.product("PLUMA", 1.0, 7);
    let order = shop.order_id(&[(&mug, 3), (&pen, 7), (&mug, 2)]);
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (5, 0));
    let _ = shop.step(&order, "cancelled").expect(200);
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (10, 7));
    for _ in 0..3 {
        let _ = shop.step(&order, "cancelled");
        let _ = shop.change(&order, &json!({"status": "cancelled"}));
    }
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (10, 7));
    assert_eq!(shop.told("order.cancelled").len(), 1);
}

fn repeating_a_cancellation_changes_nothing(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 3)]);
    // A client that lost the first answer sends the same again.
    let first = shop.step(&order, "cancelled").expect(200);
    assert_eq!(shop.step(&order, "cancelled").expect(200), first);
    assert_eq!(shop.told("order.cancelled").len(), 1);
}

fn cancelling_after_the_product_is_gone_works(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 3)]);
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    assert_eq!(shop.step(&order, "cancelled").expect(200)["status"], "cancelled");
}
