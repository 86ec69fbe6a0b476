//! Where what is promised to an order lies, and having it promised from elsewhere.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, put, store, take_anywhere};
use crate::orders::shop::{Shop, id};

testkit::on_both!(an_order_shows_where_its_goods_lie);

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
