//! Where what is promised to an order lies, and having it promised from elsewhere.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, put, store, take_anywhere};
use crate::{
    orders::shop::{Shop, id},
    races::at_once,
};

testkit::on_both!(
    an_order_shows_where_its_goods_lie,
    many_shipments_hold_what_they_hold,
    goods_come_back_to_where_they_left_from,
    what_is_promised_is_promised_from_elsewhere,
    what_cannot_be_promised_from_there_stays,
    the_last_piece_of_a_warehouse_is_promised_once,
);

/// A shop with four mugs in its first warehouse and four in another one, and an order for six of them.
fn split(kind: DatabaseKind) -> (Shop, String, String, String) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 4);
    let north = store(&shop, "Norte", 200);
    put(&shop, &mug, &north, 4);
    take_anywhere(&shop);
    let order = shop.order_id(&[(&mug, 6)]);
    (shop, mug, north, order)
}

/// What is promised of an item and was not shipped yet, by warehouse.
fn parts(item: &Value) -> Vec<(String, i64)> {
    let parts = item["allocations"].as_array().unwrap();
    let part = |part: &Value| {
        (part["warehouseId"].as_str().unwrap().to_owned(), part["quantity"].as_i64().unwrap())
    };
    parts.iter().map(part).collect()
}

fn allocated(shop: &Shop, order: &str) -> Vec<(String, i64)> {
    let path = format!("/orders/{order}?expand=items.allocations");
    parts(&shop.client.get(&path).expect(200)["items"][0])
}

fn an_order_shows_where_its_goods_lie(kind: DatabaseKind) {
    let (shop, mug, north, order) = split(kind);
    let home = first(&shop);
    let one = shop.order_id(&[(&mug, 1)]);
    let at = |place: &str, quantity: i64| (place.to_owned(), quantity);
    assert_eq!(allocated(&shop, &order), [at(&home, 4), at(&north, 2)]);
    let page = shop.client.get("/orders?expand=items.allocations").expect(200);
    let page: Vec<_> = page["data"].as_array().unwrap().iter().collect();
    assert_eq!((id(page[0]), id(page[1])), (one.clone(), order.clone()));
    assert_eq!(parts(&page[0]["items"][0]), [at(&north, 1)]);
    assert_eq!(parts(&page[1]["items"][0]), [at(&home, 4), at(&north, 2)]);
    assert_eq!(shop.read(&order).expect(200)["items"][0].get("allocations"), None);

    let body = json!({"items": [{"line": 1, "quantity": 1}], "warehouseId": north});
    let _ = shop.make(&format!("/orders/{order}/shipments"), &body);
    let line = json!({"line": 1, "quantity": 3, "warehouseId": home});
    let body = json!({"items": [line], "reason": "Rota", "unshipped": true});
    let _ = shop.make(&format!("/orders/{order}/returns"), &body);
    assert_eq!(allocated(&shop, &order), [at(&home, 1), at(&north, 1)]);
    for (order, status) in [(&order, "shipped"), (&one, "cancelled")] {
        let _ = shop.step(order, status).expect(200);
        assert!(allocated(&shop, order).is_empty(), "{status}");
    }
}

/// A page of orders may have more shipments than a statement can name.
fn many_shipments_hold_what_they_hold(kind: DatabaseKind) {
    let (shop, _, north, order) = split(kind);
    let home = first(&shop);
    for (warehouse, quantity) in [(&home, 1), (&north, 1), (&home, 2)] {
        let items = json!([{"line": 1, "quantity": quantity}]);
        let body = json!({"items": items, "warehouseId": warehouse});
        let _ = shop.make(&format!("/orders/{order}/shipments"), &body);
    }
    let database = &shop.app.database;
    database.execute(&format!(
        "INSERT INTO shipments (account_id, id, order_id, warehouse_id, status, created_at, updated_at, version) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 33000) \
         SELECT o.account_id, 'shp_' || i, o.id, '{home}', 'shipped', 0, 0, 1 FROM n, orders o WHERE o.id = '{order}'"
    ));
    assert_eq!(allocated(&shop, &order), [(home, 1), (north, 1)]);
    database.execute("DELETE FROM shipments WHERE version = 1 AND created_at = 0");
}

fn goods_come_back_to_where_they_left_from(kind: DatabaseKind) {
    let (shop, mug, north, order) = split(kind);
    let home = first(&shop);
    let back = || {
        let line = json!({"line": 1, "quantity": 1, "restock": true});
        let body = json!({"items": [line], "reason": "Cambio"});
        let _ = shop.make(&format!("/orders/{order}/returns"), &body);
        (level(&shop, &mug, &home).0, level(&shop, &mug, &north).0)
    };
    let ship = |body: &Value| drop(shop.make(&format!("/orders/{order}/shipments"), body));
    // Most of it is promised at home, where nothing of it has left yet.
    ship(&json!({"warehouseId": north}));
    assert_eq!(back(), (0, 3));
    let part = json!([{"line": 1, "quantity": 3}]);
    ship(&json!({"warehouseId": home, "items": part}));
    assert_eq!(back(), (1, 3), "most of what is out has left from home");
    ship(&json!({}));
    assert_eq!(back(), (2, 3));
}

fn reallocate(shop: &Shop, order: &str, parts: &[(i64, i64, &str, &str)]) -> testkit::Reply {
    shop.client.post(&format!("/orders/{order}/reallocate"), &moving(parts))
}

fn moving(parts: &[(i64, i64, &str, &str)]) -> Value {
    let item = |(line, quantity, from, to): &(i64, i64, &str, &str)| json!({"line": line, "quantity": quantity, "from": from, "to": to});
    json!({"items": parts.iter().map(item).collect::<Vec<_>>()})
}

fn what_is_promised_is_promised_from_elsewhere(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (home, mug) = (first(&shop), shop.product("TAZA", 10.0, 5));
    let north = store(&shop, "Norte", 200);
    put(&shop, &mug, &north, 3);
    let at = |place: &str, quantity: i64| (place.to_owned(), quantity);
    // All of it is promised from the first warehouse, which no row says.
    let order = shop.order_id(&[(&mug, 4)]);
    let before = shop.read(&order);
    let path = format!("/orders/{order}/reallocate");
    let body = moving(&[(1, 3, &home, &north)]);
    let moved = shop.client.post_once(&path, "once", &body);
    assert_eq!(moved.status, 200, "{}", moved.text);
    let again = shop.client.post_once(&path, "once", &body);
    assert_eq!((again.header("idempotent-replayed"), &again.text), (Some("true"), &moved.text));
    let moved = moved.json();
    let after = shop.read(&order);
    assert_ne!(after.header("etag"), before.header("etag"));
    assert_eq!((after.json(), &moved["status"]), (moved.clone(), &json!("pending")));
    assert_eq!(allocated(&shop, &order), [at(&home, 1), at(&north, 3)]);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &north)), ((4, 1), (0, 3)));
    assert_eq!(shop.stock(&mug), 4);
    let rows = shop.client.get(&format!("/stock/movements?reference={order}")).expect(200);
    let rows = rows["data"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["reason"] == "reallocation");
    let mut deltas: Vec<_> = rows
        .map(|row| (row["delta"].as_i64().unwrap(), row["committedDelta"].as_i64().unwrap()))
        .collect();
    deltas.sort_unstable();
    assert_eq!(deltas, [(-3, 3), (3, -3)]);
    assert_eq!(shop.order_events(), ["order.created"], "its status is what it was");

    // What has left a warehouse stays promised from there; the rest goes on.
    let body = json!({"items": [{"line": 1, "quantity": 1}], "warehouseId": north});
    let shipment = id(&shop.make(&format!("/orders/{order}/shipments"), &body));
    let _ = reallocate(&shop, &order, &[(1, 3, &north, &home)]).refused(409, "conflict");
    let _ = reallocate(&shop, &order, &[(1, 2, &north, &home)]).expect(200);
    assert_eq!(allocated(&shop, &order), [at(&home, 3)]);
    let beyond = json!({"items": [{"line": 1, "quantity": 1}], "warehouseId": north});
    let beyond = shop.client.post(&format!("/orders/{order}/shipments"), &beyond);
    let _ = beyond.refused(409, "conflict");
    let _ = shop.client.act(&format!("/shipments/{shipment}/cancel")).expect(200);
    assert_eq!(allocated(&shop, &order), [at(&home, 3), at(&north, 1)]);
    let _ = shop.step(&order, "cancelled").expect(200);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &north)), ((5, 0), (3, 0)));
}

fn what_cannot_be_promised_from_there_stays(kind: DatabaseKind) {
    let (shop, mug, north, order) = split(kind);
    let (home, other) = (first(&shop), shop.product("PLATO", 10.0, 4));
    let apart = json!({"name": "Mermas", "kind": "quarantine"});
    let apart = id(&shop.make("/warehouses", &apart));
    let both = shop.order_id(&[(&other, 1), (&mug, 1)]);
    let attempt = |parts: &[(i64, i64, &str, &str)]| reallocate(&shop, &order, parts);
    let _ = attempt(&[(1, 3, &home, &north)]).refused(409, "insufficient_stock");
    let _ = attempt(&[(1, 3, &north, &home)]).refused(409, "conflict");
    for (part, field) in [
        ((2, 1, &home, &north), "items[0].line"),
        ((1, 1, &home, &apart), "items[0].to"),
        ((1, 1, &home, &home), "items[0].to"),
        ((1, 0, &home, &north), "items[0].quantity"),
    ] {
        let (line, quantity, from, to) = part;
        let refused = attempt(&[(line, quantity, from, to)]).refused(400, "validation_failed");
        assert!(refused.contains(field), "{refused}");
    }
    // All or nothing.
    let _ = attempt(&[(1, 1, &home, &north), (1, 3, &north, &home)]).refused(409, "conflict");
    let _ = reallocate(&shop, &both, &[(1, 1, &north, &home), (2, 2, &north, &home)])
        .refused(409, "conflict");
    // Where nothing is left, what goes makes room for what comes.
    let swap = [(1, 1, home.as_str(), north.as_str()), (1, 2, north.as_str(), home.as_str())];
    let _ = attempt(&swap).refused(409, "insufficient_stock");
    let even = [(1, 2, home.as_str(), north.as_str()), (1, 2, north.as_str(), home.as_str())];
    let _ = attempt(&even).expect(200);
    // As long as the upgrade is not finished, as on a database of release 0.1.
    let commits = |word: &str| {
        shop.app.database.execute(&format!("UPDATE orders SET commits = {word}"));
    };
    commits("FALSE");
    let _ = attempt(&[(1, 1, &home, &north)]).refused(409, "conflict");
    let path = format!("/orders/{order}/shipments");
    let _ = shop.client.post(&path, &json!({"warehouseId": north})).refused(409, "conflict");
    commits("TRUE");
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    let _ = attempt(&[(1, 1, &home, &north)]).refused(409, "insufficient_stock");
    let _ = shop.step(&order, "shipped").expect(200);
    let _ = attempt(&[(1, 1, &home, &north)]).refused(409, "invalid_transition");
    let nothing = "ord_01K400000000000000000000ZZ";
    let _ = reallocate(&shop, nothing, &[(1, 1, &home, &north)]).refused(404, "not_found");
}

fn the_last_piece_of_a_warehouse_is_promised_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (home, mug) = (first(&shop), shop.product("TAZA", 10.0, 20));
    let north = store(&shop, "Norte", 200);
    put(&shop, &mug, &north, 3);
    let orders: Vec<_> = (0..8).map(|_| shop.order_id(&[(&mug, 1)])).collect();
    let replies = at_once(8, |buyer| reallocate(&shop, &orders[buyer], &[(1, 1, &home, &north)]));
    let moved = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!((moved, level(&shop, &mug, &north)), (3, (0, 3)));
    assert_eq!(level(&shop, &mug, &home), (15, 5));
}
