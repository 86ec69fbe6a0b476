//! What is removed while something of it is still somewhere, and what comes back to what was removed.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, store};
use crate::orders::shop::{Shop, id};

testkit::on_both!(
    in_spanish:
    a_variant_goes_once_nothing_of_it_lies_anywhere,
);

/// What is on hand of a variant, by warehouse.
fn on_hand(shop: &Shop, variant: &Value) -> Vec<i64> {
    let page = shop.client.get("/stock").expect(200);
    let lines = page["data"].as_array().unwrap();
    let line = lines.iter().find(|line| line["variantId"] == *variant).unwrap();
    let places = line["warehouses"].as_array().unwrap();
    places.iter().map(|place| place["onHand"].as_i64().unwrap()).collect()
}

fn a_variant_goes_once_nothing_of_it_lies_anywhere(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (north, hurt) = (
        store(&shop, "Norte", 10),
        id(&shop.make("/warehouses", &json!({"name": "Dañado", "kind": "quarantine"}))),
    );
    let variants = json!([{"name": "Azul", "sku": "A"}, {"name": "Roja", "sku": "R"}]);
    let made = shop.make("/products", &json!({"name": "Taza", "price": 10, "variants": variants}));
    let (mug, blue, red) =
        (id(&made), made["variants"][0]["id"].clone(), made["variants"][1]["id"].clone());
    let path = format!("/products/{mug}");
    let one = format!("{path}/variants/{}", blue.as_str().unwrap());
    let adjust = |place: &str, delta: i64| {
        let item = json!({"sku": "A", "warehouseId": place, "delta": delta});
        shop.make("/stock/adjustments", &json!({"reason": "correction", "items": [item]}))
    };
    let remove = || shop.client.patch(&path, &json!({"removeVariants": [blue]}));
    let stays = || {
        let _ = remove().refused(409, "conflict");
        let _ = shop.client.delete(&one).refused(409, "conflict");
    };

    // In quarantine; its inventory is 0.
    let _ = adjust(&hurt, 2);
    stays();
    assert_eq!(on_hand(&shop, &blue), [0, 2]);
    let _ = adjust(&hurt, -2);
    // Promised to an order.
    let _ = adjust(&first(&shop), 1);
    let items = json!([{"productId": mug, "variantId": blue, "quantity": 1}]);
    let order = json!({"customerId": shop.customer, "items": items});
    let order = id(&shop.make("/orders", &order));
    stays();
    let _ = shop.step(&order, "shipped").expect(200);
    // In transit.
    let _ = adjust(&first(&shop), 3);
    let plan = json!({"fromWarehouseId": first(&shop), "toWarehouseId": north, "items": [{"sku": "A", "quantity": 3}]});
    let transfer = format!("/transfers/{}", id(&shop.make("/transfers", &plan)));
    let _ = shop.client.act(&format!("{transfer}/dispatch")).expect(200);
    stays();
    let _ = shop.client.act(&format!("{transfer}/cancel")).expect(200);
    stays();
    // A change takes the rest of it, and it goes.
    let emptied = json!({"variants": [{"id": blue, "inventory": 0}], "removeVariants": [blue]});
    assert_eq!(shop.client.patch(&path, &emptied).expect(200)["variants"][0]["id"], red);
}
