//! What else can be said about an order: how much has gone out, who carries it, notes, and versions.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::shop::{Shop, id};

on_both!(
    details_are_set_and_cleared,
    wrong_details_are_named,
    fulfilment_follows_the_status,
    sending_back_what_was_read_changes_nothing,
    a_stale_version_is_refused,
    an_order_that_is_known_is_not_sent_again,
    an_order_that_is_not_there_is_not_found,
);

fn details_are_set_and_cleared(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 1)]);
    // Field, value, value when cleared.
    let cases = [
        ("trackingNumber", json!("1Z 999 AA1"), json!(null)),
        ("carrier", json!("Estafeta"), json!(null)),
        ("notes", json!("Toca dos veces.\nPerro bravo."), json!(null)),
        ("metadata", json!({"canal": "web", "folio": "A-1"}), json!({})),
    ];
    for (field, value, cleared) in cases {
        let before = shop.read(&order).json();
        let after = shop.change(&order, &json!({field: value})).expect(200);
        assert_eq!(after[field], value);
        let mut expected = before;
        expected[field] = value;
        expected["updatedAt"] = after["updatedAt"].clone();
        assert_eq!(after, expected, "only {field} changes");
        assert_eq!(shop.read(&order).json(), after);
        assert_eq!(shop.change(&order, &json!({field: null})).expect(200)[field], cleared);
    }
    assert_eq!(shop.order_events(), ["order.created"], "details are no change of status");
}

fn wrong_details_are_named(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 1)]);
    let before = shop.read(&order).text;
    let cases = [
        (json!({"status": "lost"}), "status"),
        (json!({"status": null}), "status"),
        (json!({"status": "PAID"}), "status"),
        (json!({"fulfillmentStatus": "half"}), "fulfillmentStatus"),
        (json!({"trackingNumber": 7}), "trackingNumber"),
        (json!({"trackingNumber": "a\nb"}), "trackingNumber"),
        (json!({"carrier": "x".repeat(201)}), "carrier"),
        (json!({"notes": "x".repeat(5_001)}), "notes"),
        (json!({"metadata": []}), "metadata"),
        (json!({"refund": "yes"}), "refund"),
        (json!({"trackingNo": "1"}), "trackingNo"),
    ];
    for (changes, field) in cases {
        let message = shop.change(&order, &changes).refused(400, "validation_failed");
        assert!(message.contains(field), "{field} in {message:?}");
    }
    assert_eq!(shop.read(&order).text, before);
}

fn fulfilment_follows_the_status(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 2)]);
    let fulfil = |status: &str| shop.change(&order, &json!({"fulfillmentStatus": status}));
    for status in ["partially_fulfilled", "fulfilled", "unfulfilled", "partially_fulfilled"] {
        assert_eq!(fulfil(status).expect(200)["fulfillmentStatus"], status);
    }
    let shipped = shop.step(&order, "shipped").expect(200);
    assert_eq!(shipped["fulfillmentStatus"], "fulfilled", "a shipped order has gone out");
    assert_eq!(fulfil("fulfilled").expect(200), shipped);
    for status in ["unfulfilled", "partially_fulfilled"] {
        let _ = fulfil(status).refused(409, "conflict");
    }
    let contradiction = json!({"status": "shipped", "fulfillmentStatus": "unfulfilled"});
    let other = shop.order_id(&[(&mug, 1)]);
    let _ = shop.change(&other, &contradiction).refused(409, "conflict");
    assert_eq!(shop.read(&other).json()["status"], "pending", "all of a change or nothing");
}

fn sending_back_what_was_read_changes_nothing(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let paths: [&[&str]; 5] =
        [&[], &["paid"], &["shipped", "paid"], &["shipped", "delivered"], &["paid", "cancelled"]];
    for path in paths {
        let order = shop.order_id(&[(&mug, 1)]);
        for status in path {
            let _ = shop.step(&order, status).expect(200);
        }
        let told = shop.order_events();
        let before = shop.read(&order);
        let after = shop.change(&order, &before.json());
        assert_eq!((after.status, &after.text), (200, &before.text), "{path:?}");
        assert_eq!(after.header("etag"), before.header("etag"), "{path:?}");
        assert_eq!(shop.order_events(), told, "{path:?}");
        let nothing = shop.change(&order, &json!({}));
        assert_eq!((nothing.status, &nothing.text), (200, &before.text), "{path:?}");
    }
}

/// Changes an order on the condition that it still has this tag.
fn change_if(shop: &Shop, order: &str, tag: &str, changes: &Value) -> Reply {
    let request = shop.client.request("PATCH", &format!("/orders/{order}"));
    let request = request.header("If-Match", tag).header("Content-Type", "application/json");
    Reply::to(request.body(changes.to_string()))
}

fn a_stale_version_is_refused(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 1)]);
    let first = shop.read(&order).header("etag").unwrap().to_owned();
    let noted = change_if(&shop, &order, &first, &json!({"notes": "a"}));
    let second = noted.header("etag").unwrap().to_owned();
    assert_eq!(noted.status, 200);
    assert_ne!(first, second);

    let before = shop.read(&order).text;
    let weak = format!("W/{second}");
    for stale in [first.as_str(), "\"999\"", "\"garbage\"", weak.as_str()] {
        let paid = json!({"status": "paid"});
        let _ = change_if(&shop, &order, stale, &paid).refused(412, "precondition_failed");
    }
    let bare = change_if(&shop, &order, "garbage", &json!({"status": "paid"}));
    let _ = bare.refused(400, "malformed_request");
    assert_eq!(shop.read(&order).text, before);
    assert_eq!(shop.told("order.paid"), [] as [Value; 0]);

    let list = format!("{first}, {second}");
    for (index, good) in [second.as_str(), "*"].into_iter().enumerate() {
        let changes = json!({"notes": format!("b{index}")});
        assert_eq!(change_if(&shop, &order, good, &changes).status, 200, "{good}");
    }
    let _ =
        change_if(&shop, &order, &list, &json!({"notes": "c"})).refused(412, "precondition_failed");
}

fn an_order_that_is_known_is_not_sent_again(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let order = shop.order_id(&[(&mug, 1)]);
    let tag = shop.read(&order).header("etag").unwrap().to_owned();
    let ask = || {
        let request = shop.client.request("GET", &format!("/orders/{order}"));
        Reply::to(request.header("If-None-Match", &tag))
    };
    let known = ask();
    assert_eq!((known.status, known.text.as_str()), (304, ""));
    let _ = shop.step(&order, "paid").expect(200);
    assert_eq!(ask().expect(200)["status"], "paid");
}

fn an_order_that_is_not_there_is_not_found(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let theirs = id(&shop.order(&[(&mug, 1)]));
    let stranger = shop.app.client();
    for order in [theirs.as_str(), "ord_01JD3V9QK4W8N2RZ6T5B7C0XEA", "1", "ORD-000001"] {
        let path = format!("/orders/{order}");
        let _ = stranger.get(&path).refused(404, "not_found");
        let _ = stranger.patch(&path, &json!({"status": "paid"})).refused(404, "not_found");
    }
    assert_eq!(shop.read(&theirs).json()["status"], "pending");
}
