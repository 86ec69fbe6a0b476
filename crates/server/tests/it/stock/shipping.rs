//! Orders that leave in parts.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, line, put, store, take_anywhere};
use crate::{
    orders::shop::{Shop, id},
    races::at_once,
};

testkit::on_both!(
    the_last_shipment_makes_the_order_shipped,
    goods_leave_from_where_they_are_promised,
    what_did_not_leave_is_promised_again,
    the_rest_of_an_order_leaves_at_once,
    what_will_never_be_shipped_is_taken_off,
    shipments_say_how_much_is_out,
    shipments_are_read_page_by_page,
    the_last_piece_is_shipped_once,
    what_was_taken_off_before_shipments_were_kept_stays_off,
    an_order_is_told_to_be_shipped_with_the_number_of_its_last_shipment,
    what_will_never_be_shipped_is_not_paid_for_either,
);

fn ship(shop: &Shop, order: &str, body: &Value) -> testkit::Reply {
    shop.client.post(&format!("/orders/{order}/shipments"), body)
}

fn of(line: i64, quantity: i64) -> Value {
    json!({"items": [{"line": line, "quantity": quantity}]})
}

fn shipments(shop: &Shop, order: &str) -> Vec<Value> {
    let all = shop.client.get(&format!("/orders/{order}/shipments")).expect(200);
    all["data"].as_array().unwrap().clone()
}

fn stands(shop: &Shop, order: &str) -> (String, String) {
    let order = shop.read(order).expect(200);
    let text = |field: &str| order[field].as_str().unwrap().to_owned();
    (text("status"), text("fulfillmentStatus"))
}

fn is(status: &str, fulfillment: &str) -> (String, String) {
    (status.to_owned(), fulfillment.to_owned())
}

fn shipments_are_read_page_by_page(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 30);
    let order = shop.order_id(&[(&mug, 22)]);
    let made: Vec<Value> = (0..21).map(|_| ship(&shop, &order, &of(1, 1)).expect(201)).collect();
    let read =
        |query: &str| shop.client.get(&format!("/orders/{order}/shipments?{query}")).expect(200);
    let first = read("");
    assert_eq!((&first["data"], &first["total"]), (&json!(made[..20]), &json!(21)));
    assert_eq!((&first["page"], &first["limit"]), (&json!(1), &json!(20)));
    let cursor = first["nextCursor"].as_str().unwrap();
    assert_eq!(read(&format!("cursor={cursor}"))["data"], json!(made[20..]));
    assert_eq!(read("page=2&limit=8&count=false")["data"], json!(made[8..16]));
    assert_eq!(read("limit=100")["data"], json!(made));
}

fn the_last_shipment_makes_the_order_shipped(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = shop.order_id(&[(&mug, 5)]);
    let mut body = of(1, 2);
    body["carrier"] = json!("DHL");
    body["trackingNumber"] = json!("1Z999");
    body["trackingUrl"] = json!("https://dhl.example/1Z999");
    let once =
        || shop.client.post_once(&format!("/orders/{order}/shipments"), "once", &body).expect(201);
    let made = once();
    assert_eq!(once(), made);
    assert_eq!((&made["warehouseId"], &made["status"]), (&json!(first(&shop)), &json!("shipped")));
    assert_eq!(stands(&shop, &order), is("pending", "partially_fulfilled"));
    assert_eq!(level(&shop, &mug, &first(&shop)), (5, 3));
    assert!(ship(&shop, &order, &of(1, 4)).refused(409, "conflict").contains('3'));
    assert!(
        ship(&shop, &order, &of(2, 1)).refused(400, "validation_failed").contains("items[0].line")
    );
    let _ = ship(&shop, &order, &json!({"trackingNumber": "1Z000"})).expect(201);
    assert_eq!(stands(&shop, &order), is("shipped", "fulfilled"));
    assert_eq!(level(&shop, &mug, &first(&shop)), (5, 0));
    assert_eq!(shop.told("order.shipped"), [json!({"id": order, "trackingNumber": "1Z000"})]);
    assert_eq!(shop.told("order.updated").len(), 1);
    let _ = ship(&shop, &order, &json!({})).refused(409, "invalid_transition");
    let all = shipments(&shop, &order);
    assert_eq!((all.len(), &all[0]), (2, &made));
    let path = format!("/shipments/{}", id(&made));
    let slip = shop.client.get(&format!("{path}/packing-slip"));
    assert_eq!(slip.header("content-type"), Some("application/pdf"));
    assert!(slip.text.starts_with("%PDF"), "{}", slip.status);
    let changed =
        shop.client.patch(&path, &json!({"carrier": null, "status": "delivered"})).expect(200);
    assert_eq!((&changed["status"], &changed["carrier"]), (&json!("delivered"), &Value::Null));
    assert_eq!(shop.client.get(&path).expect(200), changed);
    let first = json!({"id": made["id"], "orderId": order, "trackingNumber": "1Z999"});
    assert_eq!(shop.told("shipment.created")[0], first);
    assert_eq!(shop.told("shipment.delivered"), [first]);
    let _ = shop.step(&order, "delivered").expect(200);
    assert!(shipments(&shop, &order).iter().all(|shipment| shipment["status"] == "delivered"));
    assert_eq!(shop.told("shipment.delivered").len(), 2);
}

fn goods_leave_from_where_they_are_promised(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 4);
    let north = store(&shop, "Norte", 200);
    put(&shop, &mug, &north, 4);
    take_anywhere(&shop);
    let order = shop.order_id(&[(&mug, 6)]);
    let message = ship(&shop, &order, &of(1, 1)).refused(400, "validation_failed");
    assert!(message.contains("warehouseId"), "{message}");
    let from = |quantity: i64, place: &str| {
        let mut body = of(1, quantity);
        body["warehouseId"] = json!(place);
        ship(&shop, &order, &body)
    };
    let mut lost = of(9, 1);
    lost["warehouseId"] = json!("whs_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    let message = ship(&shop, &order, &lost).refused(400, "validation_failed");
    assert!(message.contains("warehouseId ") && message.contains("items[0].line"), "{message}");
    let message = from(3, &north).refused(409, "conflict");
    assert!(message.contains(&format!("2 left to be shipped from {north}")), "{message}");
    let _ = from(2, &north).expect(201);
    let message = ship(&shop, &order, &json!({"warehouseId": north})).refused(409, "conflict");
    assert!(message.ends_with(&format!("left to be shipped from {north}")), "{message}");
    assert_eq!(level(&shop, &mug, &north), (2, 0));
    // The rest is promised from one warehouse alone.
    let rest = ship(&shop, &order, &json!({})).expect(201);
    assert_eq!(
        (&rest["warehouseId"], &rest["items"][0]["quantity"]),
        (&json!(first(&shop)), &json!(4))
    );
    assert_eq!(stands(&shop, &order), is("shipped", "fulfilled"));
}

fn what_did_not_leave_is_promised_again(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = shop.order_id(&[(&mug, 5)]);
    let _ = shop.step(&order, "paid");
    let some = id(&ship(&shop, &order, &of(1, 2)).expect(201));
    let message = shop.step(&order, "cancelled").refused(409, "has_shipments");
    assert!(message.contains("unshipped"), "{message}");
    let _ = ship(&shop, &order, &json!({})).expect(201);
    let cancel = |shipment: &str| shop.client.act(&format!("/shipments/{shipment}/cancel"));
    assert_eq!(cancel(&some).expect(200)["status"], "cancelled");
    assert_eq!(stands(&shop, &order), is("paid", "partially_fulfilled"));
    assert_eq!(level(&shop, &mug, &first(&shop)), (5, 2));
    let _ = cancel(&some).refused(409, "invalid_transition");
    let _ = shop
        .client
        .patch(&format!("/shipments/{some}"), &json!({"carrier": "DHL"}))
        .refused(409, "invalid_transition");
    let timeline = shop.client.get(&format!("/orders/{order}/timeline")).expect(200);
    let timeline = timeline["data"].as_array().unwrap().iter();
    let of_it = timeline.filter(|entry| entry["id"] == some.as_str());
    let of_it: Vec<_> = of_it.map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!(of_it, ["shipment.created", "shipment.cancelled"]);
    let _ = ship(&shop, &order, &json!({})).expect(201);
    assert_eq!(shop.told("order.shipped").len(), 1, "once in its life");
    assert_eq!(stands(&shop, &order), is("shipped", "fulfilled"));
    for shipment in
        shipments(&shop, &order).iter().filter(|shipment| shipment["status"] == "shipped")
    {
        let _ = cancel(&id(shipment)).expect(200);
    }
    assert_eq!(stands(&shop, &order), is("paid", "unfulfilled"));
    let cancelled = json!({"status": "cancelled", "reason": "x", "refund": true});
    let _ = shop.change(&order, &cancelled).expect(200);
    assert_eq!(level(&shop, &mug, &first(&shop)), (10, 0));
}

fn the_rest_of_an_order_leaves_at_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 4);
    let north = store(&shop, "Norte", 200);
    put(&shop, &mug, &north, 4);
    take_anywhere(&shop);
    let order = shop.order_id(&[(&mug, 6)]);
    let mut one = of(1, 1);
    one["warehouseId"] = json!(north);
    one["trackingNumber"] = json!("1Z999");
    let _ = ship(&shop, &order, &one).expect(201);
    let _ = shop.step(&order, "shipped").expect(200);
    let parts: Vec<_> = shipments(&shop, &order)
        .iter()
        .map(|shipment| shipment["items"][0]["quantity"].clone())
        .collect();
    assert_eq!(parts.iter().map(|part| part.as_i64().unwrap()).sum::<i64>(), 6);
    assert_eq!(parts.len(), 3);
    assert_eq!((level(&shop, &mug, &first(&shop)), level(&shop, &mug, &north)), ((0, 0), (2, 0)));
    assert_eq!(shop.told("order.shipped"), [json!({"id": order, "trackingNumber": "1Z999"})]);
    assert_eq!(stands(&shop, &order), is("shipped", "fulfilled"));
}

fn what_will_never_be_shipped_is_taken_off(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = shop.order_id(&[(&mug, 5)]);
    let _ = shop.step(&order, "paid");
    // What never left is on the shelf; what came back is where it is said to be.
    let take_back = |quantity: i64, unshipped: bool| {
        let mut line = json!({"line": 1, "quantity": quantity});
        if !unshipped {
            line["restock"] = json!(true);
        }
        let body = json!({"items": [line], "reason": "Agotada", "unshipped": unshipped});
        shop.client.post(&format!("/orders/{order}/returns"), &body)
    };
    let shipment = id(&ship(&shop, &order, &of(1, 3)).expect(201));
    let _ = take_back(4, false).refused(409, "conflict");
    assert_eq!(take_back(1, false).expect(201)["unshipped"], false);
    assert_eq!(level(&shop, &mug, &first(&shop)), (6, 2), "it came back");
    let cancelled = shop.client.act(&format!("/shipments/{shipment}/cancel"));
    let _ = cancelled.refused(409, "conflict");
    let _ = take_back(3, true).refused(409, "conflict");
    let taken_off = take_back(2, true).expect(201);
    assert_eq!(taken_off["unshipped"], true);
    assert_eq!(shop.client.get(&format!("/returns/{}", id(&taken_off))).expect(200), taken_off);
    assert_eq!(level(&shop, &mug, &first(&shop)), (8, 0));
    assert_eq!(stands(&shop, &order), is("shipped", "fulfilled"));
    assert_eq!(shop.told("order.shipped").len(), 1);
    let _ = take_back(1, true).refused(409, "conflict");
    let _ = take_back(2, false).expect(201);
    assert_eq!(level(&shop, &mug, &first(&shop)), (10, 0));
}

fn shipments_say_how_much_is_out(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = shop.order_id(&[(&mug, 5)]);
    let by_hand = |status: &str| shop.change(&order, &json!({"fulfillmentStatus": status}));
    let _ = by_hand("partially_fulfilled").expect(200);
    let _ = by_hand("unfulfilled").expect(200);
    let _ = ship(&shop, &order, &of(1, 1)).expect(201);
    let _ = by_hand("unfulfilled").refused(409, "conflict");
    let hidden = json!({"status": "paid", "fulfillmentStatus": "unfulfilled"});
    let _ = shop.change(&order, &hidden).refused(409, "conflict");
    assert_eq!(stands(&shop, &order), is("pending", "partially_fulfilled"));
    let same = json!({"status": "paid", "fulfillmentStatus": "partially_fulfilled"});
    let _ = shop.change(&order, &same).expect(200);
    let _ = shop.step(&order, "cancelled").refused(409, "has_shipments");
    let _ = shop.change(&order, &json!({"notes": "Tocar dos veces"})).expect(200);
    let shipment = id(&shipments(&shop, &order)[0]);
    let _ = shop.client.act(&format!("/shipments/{shipment}/cancel")).expect(200);
    let _ = by_hand("fulfilled").expect(200);
    assert_eq!(stands(&shop, &order), is("paid", "fulfilled"));
}

fn the_last_piece_is_shipped_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = shop.order_id(&[(&mug, 5)]);
    let statuses = at_once(16, |_| ship(&shop, &order, &of(1, 1)).status);
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 5);
    assert_eq!(level(&shop, &mug, &first(&shop)), (5, 0));
    assert_eq!(shop.told("order.shipped").len(), 1);
}

/// A database between releases has returns of open orders from before its shipments were kept.
fn what_was_taken_off_before_shipments_were_kept_stays_off(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 6);
    let north = store(&shop, "Norte", 200);
    put(&shop, &mug, &north, 4);
    take_anywhere(&shop);
    let paid = |quantity: i64| {
        let order = shop.order_id(&[(&mug, quantity)]);
        let _ = shop.step(&order, "paid").expect(200);
        order
    };
    let orders = [paid(5), paid(4)];
    for order in &orders {
        let body =
            json!({"items": [{"line": 1, "quantity": 2, "restock": true}], "reason": "Sobra"});
        let _ = shop.make(&format!("/orders/{order}/returns"), &body);
    }
    for step in ["down", "up"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
        let path = format!("{folder}/{}/2026-11-25-000042_shipments/{step}.sql", kind.name());
        let statements = std::fs::read_to_string(path).unwrap();
        shop.app.database.execute_all(&format!("BEGIN;\n{statements}\nCOMMIT;"));
    }
    // Later migrations have added to what was made anew.
    let number = match kind {
        DatabaseKind::Sqlite => "INTEGER",
        DatabaseKind::Postgres => "BIGINT",
    };
    shop.app.database.execute_all(&format!(
        "ALTER TABLE shipment_items ADD COLUMN quantity_decimals {number} NOT NULL DEFAULT 0"
    ));
    for (order, left) in orders.iter().zip([3, 2]) {
        let _ = ship(&shop, order, &of(1, left + 1)).refused(409, "conflict");
        let shipped = ship(&shop, order, &json!({})).expect(201);
        assert_eq!(shipped["items"][0]["quantity"], left);
        assert_eq!(stands(&shop, order), is("shipped", "fulfilled"));
    }
    assert_eq!(line(&shop, &mug)["committed"], 0);
}

fn an_order_is_told_to_be_shipped_with_the_number_of_its_last_shipment(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 30);
    let part = |order: &str, quantity: i64, number: Option<&str>| {
        let mut body = of(1, quantity);
        body["trackingNumber"] = json!(number);
        let _ = ship(&shop, order, &body).expect(201);
    };
    let take_off = |order: &str| {
        let line = json!({"line": 1, "quantity": 1});
        let body = json!({"items": [line], "reason": "Agotada", "unshipped": true});
        let _ = shop.make(&format!("/orders/{order}/returns"), &body);
    };
    let told = |finish: &dyn Fn(&str)| {
        let order = shop.order_id(&[(&mug, 3)]);
        let _ = shop.change(&order, &json!({"trackingNumber": "ORDER"})).expect(200);
        finish(&order);
        assert_eq!(stands(&shop, &order), is("shipped", "fulfilled"));
        shop.told("order.shipped").pop().unwrap()["trackingNumber"].clone()
    };
    let its_own = told(&|order| {
        part(order, 2, Some("FIRST"));
        part(order, 1, Some("LAST"));
    });
    let the_newest = told(&|order| {
        part(order, 1, Some("FIRST"));
        part(order, 1, Some("SECOND"));
        part(order, 1, None);
    });
    let of_what_is_out = told(&|order| {
        part(order, 1, Some("FIRST"));
        part(order, 1, Some("SECOND"));
        take_off(order);
    });
    let of_the_rest = told(&|order| {
        part(order, 1, Some("FIRST"));
        let _ = shop.step(order, "shipped").expect(200);
    });
    let of_the_order = told(&|order| part(order, 3, None));
    let all = [its_own, the_newest, of_what_is_out, of_the_rest, of_the_order];
    assert_eq!(all, ["LAST", "SECOND", "SECOND", "ORDER", "ORDER"]);
}

fn what_will_never_be_shipped_is_not_paid_for_either(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let order = shop.order_id(&[(&mug, 4)]);
    let half = json!({"orderId": order, "method": "cash", "amount": 20});
    let _ = shop.make("/payments", &half);
    let _ = ship(&shop, &order, &of(1, 1)).expect(201);
    let line = json!({"line": 1, "quantity": 2});
    let body = json!({"items": [line], "reason": "Agotada", "unshipped": true});
    let _ = shop.make(&format!("/orders/{order}/returns"), &body);
    assert_eq!(stands(&shop, &order), is("paid", "partially_fulfilled"));
    assert_eq!(shop.told("order.paid").len(), 1);
    let _ = shop.step(&order, "paid").expect(200);
    assert_eq!(shop.told("order.paid").len(), 1, "it is paid already");
    let _ = ship(&shop, &order, &json!({})).expect(201);
    assert_eq!(stands(&shop, &order), is("shipped", "fulfilled"));
}
