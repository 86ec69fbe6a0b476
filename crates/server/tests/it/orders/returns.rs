//! Goods that come back: what they are worth, where they go, and what is refunded of them.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::shop::{Shop, id};

on_both!(
    pieces_come_back_to_the_cent_and_are_refunded,
    no_more_comes_back_than_was_sold,
    what_is_not_restocked_stays_away,
    what_was_never_paid_is_due_no_more,
    shipping_is_given_back_once,
    pending_orders_take_nothing_back,
    returns_are_shown_and_repeated_once,
    what_is_out_of_the_catalog_is_not_restocked,
    refunds_under_way_are_not_made_again,
);

#[track_caller]
fn paid(shop: &Shop, body: &Value) -> Value {
    let order = shop.client.post("/orders", body).expect(201);
    shop.step(&id(&order), "paid").expect(200)
}

fn body(shop: &Shop, product: &str, quantity: i64) -> Value {
    json!({"customerId": shop.customer, "items": [{"productId": product, "quantity": quantity}]})
}

fn returned(quantity: i64, restock: bool) -> Value {
    json!({"items": [{"line": 1, "quantity": quantity, "restock": restock}], "reason": "Rota",
        "refund": true})
}

fn path(order: &Value) -> String {
    format!("/orders/{}/returns", id(order))
}

fn pieces_come_back_to_the_cent_and_are_refunded(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 113.95, 10);
    let mut wanted = body(&shop, &mug, 3);
    wanted["discount"] = json!({"amount": 0.02});
    let order = paid(&shop, &wanted);
    assert_eq!(order["totalAmount"], 341.83);
    let mut sum = 0.0_f64;
    for (piece, worth) in [(1, 113.94), (2, 113.95), (3, 113.94)] {
        let made = shop.client.post(&path(&order), &returned(1, true)).expect(201);
        assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(worth), &json!(worth)));
        sum += worth;
        let now = shop.read(&id(&order)).expect(200);
        assert_eq!(now["items"][0]["returnedQuantity"], piece);
        assert_eq!(now["returnedTotal"], now["amountRefunded"], "{now}");
        assert_eq!((&now["amountDue"], &now["refundDue"]), (&json!(0), &json!(0)));
    }
    assert!((sum - 341.83).abs() < 1e-9);
    let now = shop.read(&id(&order)).expect(200);
    assert_eq!(
        (&now["paymentStatus"], &now["amountRefunded"]),
        (&json!("refunded"), &json!(341.83))
    );
    assert_eq!(shop.stock(&mug), 10);
}

fn no_more_comes_back_than_was_sold(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = paid(&shop, &body(&shop, &mug, 2));
    let _ = shop.client.post(&path(&order), &returned(1, true)).expect(201);
    let message = shop.client.post(&path(&order), &returned(2, true)).refused(409, "conflict");
    assert!(message.contains("items[].quantity") && message.contains('1'), "{message}");
    for line in [0, 2] {
        let mut other = returned(1, true);
        other["items"][0]["line"] = json!(line);
        let message = shop.client.post(&path(&order), &other).refused(400, "validation_failed");
        assert!(message.contains("items[0].line"), "{message}");
    }
    assert_eq!(shop.stock(&mug), 9);
    // Cancelling gives back what has not come back yet.
    let _ = shop.step(&id(&order), "cancelled").expect(200);
    assert_eq!(shop.stock(&mug), 10);
}

fn what_is_not_restocked_stays_away(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = paid(&shop, &body(&shop, &mug, 2));
    let mut kept = returned(2, false);
    kept["refund"] = json!(false);
    let made = shop.client.post(&path(&order), &kept).expect(201);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(20), &json!(0)));
    let now = shop.read(&id(&order)).expect(200);
    assert_eq!((&now["refundDue"], shop.stock(&mug)), (&json!(20), 8));
}

fn what_was_never_paid_is_due_no_more(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = shop.order(&[(&mug, 3)]);
    let _ = shop.step(&id(&order), "shipped").expect(200);
    let made = shop.client.post(&path(&order), &returned(1, true)).expect(201);
    assert_eq!(made["refundAmount"], 0);
    let now = shop.read(&id(&order)).expect(200);
    assert_eq!((&now["amountDue"], &now["paymentStatus"]), (&json!(20), &json!("unpaid")));
    let paid = shop.step(&id(&order), "paid").expect(200);
    assert_eq!((&paid["amountPaid"], &paid["paymentStatus"]), (&json!(20), &json!("paid")));
}

fn shipping_is_given_back_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let mut wanted = body(&shop, &mug, 2);
    wanted["shipping"] = json!({"name": "Estafeta", "amount": 50});
    let order = paid(&shop, &wanted);
    let mut with_shipping = returned(1, true);
    with_shipping["shipping"] = json!(30);
    let made = shop.client.post(&path(&order), &with_shipping).expect(201);
    assert_eq!((&made["amount"], &made["refundAmount"]), (&json!(40), &json!(40)));
    let message = shop.client.post(&path(&order), &with_shipping).refused(409, "conflict");
    assert!(message.contains("shipping") && message.contains("20"), "{message}");
    with_shipping["shipping"] = json!(0.001);
    let message = shop.client.post(&path(&order), &with_shipping).refused(400, "validation_failed");
    assert!(message.contains("shipping"), "{message}");
}

fn pending_orders_take_nothing_back(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = shop.order(&[(&mug, 1)]);
    let made = shop.client.post(&path(&order), &returned(1, true));
    assert!(made.refused(409, "invalid_transition").contains("pending"));
    let nothing = "/orders/ord_00000000000000000000000000/returns";
    let _ = shop.client.post(nothing, &returned(1, true)).refused(404, "not_found");
    let _ = shop.client.get(nothing).refused(404, "not_found");
}

fn returns_are_shown_and_repeated_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = paid(&shop, &body(&shop, &mug, 3));
    let take_back = || shop.client.post_once(&path(&order), "vuelta-1", &returned(1, true));
    let (made, again) = (take_back(), take_back());
    assert_eq!(made.expect(201), again.expect(201));
    let all = shop.client.get(&path(&order)).expect(200);
    let first = &all["data"][0];
    assert_eq!(all["data"].as_array().map(Vec::len), Some(1));
    let one = shop.client.get(&format!("/returns/{}", id(first))).expect(200);
    assert_eq!(&one, first);
    assert_eq!(one["unshipped"], true, "nothing of the order was shipped");
    let told = json!({"id": order["id"], "returnId": first["id"], "amount": 10});
    assert_eq!(shop.told("order.returned"), [told]);
    // A page of them, the oldest first.
    let second = shop.client.post(&path(&order), &returned(1, true)).expect(201);
    let page = shop.client.get(&format!("{}?limit=1", path(&order))).expect(200);
    assert_eq!((&page["data"], &page["total"]), (&json!([first]), &json!(2)));
    let cursor = page["nextCursor"].as_str().unwrap();
    let rest = shop.client.get(&format!("{}?cursor={cursor}", path(&order))).expect(200);
    assert_eq!((&rest["data"], &rest["nextCursor"]), (&json!([second]), &json!(null)));
}

fn what_is_out_of_the_catalog_is_not_restocked(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = paid(&shop, &body(&shop, &mug, 2));
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    let made = shop.client.post(&path(&order), &returned(1, true)).expect(201);
    assert_eq!((&made["items"][0]["restock"], &made["amount"]), (&json!(false), &json!(10)));
}

fn refunds_under_way_are_not_made_again(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 3500.075, 10);
    // 7000.15 in all: the sandbox takes its time with refunds.
    let order = shop.client.post("/orders", &body(&shop, &mug, 2)).expect(201);
    let pay = json!({"orderId": order["id"], "method": "card"});
    let payment = shop.client.post("/payments", &pay).expect(201);
    assert_eq!((&payment["status"], &payment["amount"]), (&json!("paid"), &json!(7000.15)));
    let refunds = format!("/payments/{}/refunds", id(&payment));
    let first = shop.client.post(&refunds, &json!({"amount": 6000})).expect(201);
    assert_eq!(first["status"], "processing");
    let made = shop.client.post(&path(&order), &returned(1, true)).expect(201);
    assert_eq!(made["refundAmount"], 0, "6000 of what is paid is about to go back");
    let _ = shop.step(&id(&order), "cancelled").expect(200);
    let is_settled = |payment: &Value| payment["amountRefunded"] == payment["amountCaptured"];
    let payment = shop.client.once(&format!("/payments/{}", id(&payment)), is_settled);
    assert_eq!(payment["amountRefunded"], 7000.15);
    let order = shop.read(&id(&order)).expect(200);
    assert_eq!((&order["amountRefunded"], &order["refundDue"]), (&json!(7000.15), &json!(0)));
}
