//! What is removed while something of it is still somewhere, and what comes back to what was removed.

use std::thread;

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, store};
use crate::orders::shop::{Shop, id};

testkit::on_both!(
    in_spanish:
    a_variant_goes_once_nothing_of_it_lies_anywhere,
    goods_that_are_not_for_sale_again_go_nowhere,
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

fn goods_that_are_not_for_sale_again_go_nowhere(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 5);
    let north = store(&shop, "Norte", 10);
    let order = shop.order_id(&[(&mug, 3)]);
    let _ = shop.step(&order, "paid").expect(200);
    let _ = shop.step(&order, "shipped").expect(200);
    let back = |restock: Option<bool>| {
        let line = json!({"line": 1, "quantity": 1, "warehouseId": north, "restock": restock});
        let body = json!({"items": [line], "reason": "Rota"});
        shop.client.post(&format!("/orders/{order}/returns"), &body)
    };
    for restock in [None, Some(false)] {
        let message = back(restock).refused(400, "validation_failed");
        assert!(message.contains("items[0].warehouseId"), "{message}");
    }
    let _ = back(Some(true)).expect(201);
    assert_eq!((level(&shop, &mug, &north), shop.stock(&mug)), ((1, 0), 3));
}

/// Whatever comes first, no goods lie in a warehouse that is not there.
#[test]
fn nothing_comes_into_a_warehouse_that_is_being_removed() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let second = shop.app.again().start();
    let other = shop.client.at(&second);
    let settings = |default: Option<&str>| {
        let body = json!({"allocation": "default", "defaultWarehouseId": default});
        let _ = shop.client.send("PUT", "/stock/settings", &body).expect(200);
    };
    for what in ["return", "inventory", "import"] {
        let mug = shop.product(what, 10.0, 5);
        let north = store(&shop, what, 10);
        let order = shop.order_id(&[(&mug, 1)]);
        let _ = shop.step(&order, "paid").expect(200);
        let _ = shop.step(&order, "shipped").expect(200);
        if what != "return" {
            settings(Some(&north));
        }
        let mut held = shop.app.database.hold("LOCK TABLE stock_movements IN SHARE MODE");
        thread::scope(|scope| {
            let comes = scope.spawn(|| match what {
                "return" => {
                    let line =
                        json!({"line": 1, "quantity": 1, "restock": true, "warehouseId": north});
                    let body = json!({"items": [line], "reason": "Rota"});
                    let path = format!("/orders/{order}/returns");
                    let _ = shop.client.post(&path, &body).expect(201);
                }
                "inventory" => {
                    let more = json!({"inventoryDelta": 1});
                    let _ = shop.client.patch(&format!("/products/{mug}"), &more).expect(200);
                }
                _ => {
                    let import = crate::imports::imported(
                        &shop.client,
                        "mode=update",
                        format!("sku,inventory\n{what},5\n"),
                    );
                    assert_eq!(import["updated"], 1, "{import}");
                }
            });
            held.wait_for(1, || comes.is_finished());
            let goes = scope.spawn(|| {
                let body = json!({"allocation": "default"});
                let _ = other.send("PUT", "/stock/settings", &body).expect(200);
                other.delete(&format!("/warehouses/{north}"))
            });
            held.wait_for(2, || goes.is_finished());
            drop(held);
            comes.join().unwrap();
            let gone = goes.join().unwrap().status == 200;
            let there = level(&shop, &mug, &north) != (0, 0);
            assert!(!(gone && there), "{what}");
        });
        settings(None);
    }
}

/// What an order gave up while its product was being removed has no shelf.
#[test]
fn nothing_comes_back_to_a_product_that_is_being_removed() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let second = shop.app.again().start();
    let other = shop.client.at(&second);
    for what in ["cancelled", "returned"] {
        let mug = shop.product(what, 10.0, 5);
        let order = shop.order_id(&[(&mug, 2)]);
        let _ = shop.step(&order, "paid").expect(200);
        let sql = format!("SELECT 1 FROM stock_levels WHERE product_id = '{mug}' FOR UPDATE");
        let mut held = shop.app.database.hold(&sql);
        thread::scope(|scope| {
            let goes = scope.spawn(|| {
                let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
            });
            held.wait_for(1, || goes.is_finished());
            let comes = scope.spawn(|| match what {
                "cancelled" => {
                    let body = json!({"status": "cancelled", "reason": "Error", "refund": true});
                    let _ = other.patch(&format!("/orders/{order}"), &body).expect(200);
                }
                _ => {
                    let line = json!({"line": 1, "quantity": 1, "restock": true});
                    let body = json!({"items": [line], "reason": "Rota"});
                    let _ = other.post(&format!("/orders/{order}/returns"), &body).expect(201);
                }
            });
            held.wait_for(2, || comes.is_finished());
            drop(held);
            goes.join().unwrap();
            comes.join().unwrap();
        });
        let sql = format!(
            "SELECT CAST(quantity AS TEXT) AS line FROM stock_levels WHERE product_id = '{mug}'"
        );
        assert_eq!(shop.app.database.lines(&sql), ["0"], "{what}");
    }
}
