//! Warehouses and their stock: where orders take from, what goes back where, and what people correct.

mod adjusting;
mod allocating;
mod costs;
mod counting;
mod low;
mod measured;
mod places;
mod random;
mod reallocating;
mod receiving;
mod removing;
mod shipping;
mod transferring;

use serde_json::{Value, json};

use crate::orders::shop::{Shop, id};

/// What a warehouse has of a product: available and committed.
#[track_caller]
pub(crate) fn level(shop: &Shop, product: &str, warehouse: &str) -> (i64, i64) {
    let line = line(shop, product);
    let places = line["warehouses"].as_array().unwrap();
    let place = places.iter().find(|place| place["warehouseId"] == warehouse);
    place.map_or((0, 0), |place| {
        assert_eq!(
            place["onHand"],
            place["available"].as_i64().unwrap() + place["committed"].as_i64().unwrap()
        );
        (place["available"].as_i64().unwrap(), place["committed"].as_i64().unwrap())
    })
}

/// The stock of a product that is sold without naming a variant.
#[track_caller]
pub(crate) fn line(shop: &Shop, product: &str) -> Value {
    let page = shop.client.get(&format!("/stock?productId={product}")).expect(200);
    let lines = page["data"].as_array().unwrap();
    lines.iter().find(|line| line["variantId"].is_null()).unwrap().clone()
}

/// The account's first warehouse.
pub(crate) fn first(shop: &Shop) -> String {
    shop.account.to_string().replacen("acc_", "whs_", 1)
}

/// A warehouse that goods are sold from.
#[track_caller]
pub(crate) fn store(shop: &Shop, name: &str, priority: i64) -> String {
    id(&shop.make("/warehouses", &json!({"name": name, "priority": priority})))
}

/// Puts units of a product into a warehouse.
#[track_caller]
pub(crate) fn put(shop: &Shop, product: &str, warehouse: &str, quantity: i64) {
    let item = json!({"productId": product, "warehouseId": warehouse, "delta": quantity});
    let _ = shop.make("/stock/adjustments", &json!({"reason": "found", "items": [item]}));
}

/// Lets orders take from any warehouse.
#[track_caller]
pub(crate) fn take_anywhere(shop: &Shop) {
    let settings = json!({"allocation": "anyAvailable"});
    let _ = shop.client.send("PUT", "/stock/settings", &settings).expect(200);
}
