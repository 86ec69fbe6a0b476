//! What is sold by weight or length: every quantity to the thousandth, from the supplier to the invoice.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply};

use super::{first, line, store};
use crate::{
    invoices::office::{Office, attribute},
    orders::shop::{Shop, id},
};

testkit::on_both!(
    in_spanish:
    a_part_of_a_kilogram_is_sold_to_the_gram,
    kilograms_move_between_warehouses,
    quantities_have_the_decimals_that_are_kept,
    decimals_are_fixed_once_there_are_quantities,
    lists_and_quotes_go_by_weight,
    what_is_weighed_is_invoiced_to_the_cent,
    new_products_state_their_decimals,
);

/// Cheese at 189.90 a kilogram.
#[track_caller]
fn cheese(shop: &Shop, kilograms: f64) -> String {
    let product = json!({"name": "Queso", "sku": "QUESO", "price": 189.9, "inventory": kilograms,
        "unit": "kg", "quantityDecimals": 3, "satUnitKey": "KGM", "lowStockThreshold": 10.2});
    id(&shop.make("/products", &product))
}

/// What all warehouses have to sell of a product.
#[track_caller]
fn left(shop: &Shop, product: &str) -> Value {
    shop.client.get(&format!("/products/{product}")).expect(200)["inventory"].clone()
}

/// What a warehouse has of a product: available, and promised.
#[track_caller]
fn shelf(shop: &Shop, product: &str, warehouse: &str) -> (Value, Value) {
    let line = line(shop, product);
    let places = line["warehouses"].as_array().unwrap();
    let place = places.iter().find(|place| place["warehouseId"] == warehouse).unwrap();
    (place["available"].clone(), place["committed"].clone())
}

fn order(shop: &Shop, product: &str, quantity: f64) -> Reply {
    let items = json!([{"productId": product, "quantity": quantity}]);
    shop.client.post("/orders", &json!({"customerId": shop.customer, "items": items}))
}

fn a_part_of_a_kilogram_is_sold_to_the_gram(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (cheese, home) = (cheese(&shop, 10.5), first(&shop));
    let body = format!(
        r#"{{"customerId": "{}", "items": [{{"productId": "{cheese}", "quantity": 0.350}}]}}"#,
        shop.customer
    );
    let reply = shop.client.send_raw("POST", "/orders", body.into_bytes());
    assert!(reply.text.contains(r#""quantity":0.35,"#), "{}", reply.text);
    let made = reply.expect(201);
    let item = &made["items"][0];
    assert_eq!((&item["lineTotal"], &made["totalAmount"]), (&json!(66.465), &json!(66.47)));
    assert_eq!(left(&shop, &cheese), json!(10.15));
    assert_eq!(shelf(&shop, &cheese, &home), (json!(10.15), json!(0.35)));
    let low = json!({"productId": cheese, "currentStock": 10.15, "threshold": 10.2});
    assert_eq!(shop.told("inventory.low"), [low]);
    let order = id(&made);
    let rows = shop.client.get(&format!("/stock/movements?reference={order}")).expect(200);
    let row = &rows["data"][0];
    assert_eq!((&row["delta"], &row["availableAfter"]), (&json!(-0.35), &json!(10.15)));
    assert_eq!(row["committedDelta"], json!(0.35));
    let shown = shop.client.get(&format!("/orders/{order}?expand=items.allocations")).expect(200);
    let parts = json!([{"warehouseId": home, "quantity": 0.35}]);
    assert_eq!(shown["items"][0]["allocations"], parts);

    let _ = shop.step(&order, "paid").expect(200);
    let ship = |body: &Value| shop.client.post(&format!("/orders/{order}/shipments"), body);
    let some = |quantity: f64| json!({"items": [{"line": 1, "quantity": quantity}]});
    let shipped = ship(&some(0.1)).expect(201);
    assert_eq!(shipped["items"], json!([{"line": 1, "quantity": 0.1}]));
    assert!(ship(&some(0.251)).refused(409, "conflict").contains("0.25"));
    let rest = ship(&json!({})).expect(201);
    assert_eq!(rest["items"][0]["quantity"], json!(0.25));
    let path = format!("/shipments/{}", id(&rest));
    assert_eq!(shop.client.get(&path).expect(200), rest);
    assert!(shop.client.get(&format!("{path}/packing-slip")).text.starts_with("%PDF"));
    assert_eq!(shelf(&shop, &cheese, &home), (json!(10.15), json!(0)));

    let back = json!({"items": [{"line": 1, "quantity": 0.05, "restock": true}], "reason": "Rancio",
        "refund": true});
    let returned = shop.client.post(&format!("/orders/{order}/returns"), &back).expect(201);
    assert_eq!(
        (&returned["items"][0]["quantity"], &returned["amount"]),
        (&json!(0.05), &json!(9.5))
    );
    let now = shop.read(&order).expect(200);
    assert_eq!(now["items"][0]["returnedQuantity"], json!(0.05));
    assert_eq!(left(&shop, &cheese), json!(10.2));
    let export = shop.client.get("/orders/export?format=jsonl").text;
    let row: Value = serde_json::from_str(export.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&row["quantity"], &row["returnedQuantity"]),
        (&json!(0.35), &json!(0.05)),
        "{export}"
    );
    let message = self::order(&shop, &cheese, 10.201).refused(409, "insufficient_stock");
    assert!(message.contains("10.201") && message.contains("10.2 "), "{message}");
}

fn kilograms_move_between_warehouses(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (cheese, home) = (cheese(&shop, 0.0), first(&shop));
    let north = store(&shop, "Norte", 1);
    for (quantity, cost, average) in [(1.5, 120, 120), (0.5, 100, 115)] {
        let items = json!([{"sku": "QUESO", "quantity": quantity, "unitCost": cost}]);
        let made = shop.make("/stock/receipts", &json!({"supplier": "Lala", "items": items}));
        assert_eq!(made["items"][0]["quantity"], json!(quantity));
        assert_eq!(made["items"][0]["averageCost"], json!(average), "a unit is a kilogram");
    }
    let items = json!([{"sku": "QUESO", "quantity": 0.75}]);
    let plan = json!({"fromWarehouseId": home, "toWarehouseId": north, "items": items});
    let transfer = format!("/transfers/{}", id(&shop.make("/transfers", &plan)));
    let sent = shop.client.act(&format!("{transfer}/dispatch")).expect(200);
    assert_eq!(sent["items"][0]["inTransit"], json!(0.75));
    assert_eq!(line(&shop, &cheese)["incoming"], json!(0.75));
    let arrived = json!({"items": [{"line": 1, "received": 0.7, "lost": 0.05, "reason": "Merma"}]});
    let over = shop.client.post(&format!("{transfer}/receive"), &arrived).expect(200);
    assert_eq!(
        (&over["status"], &over["items"][0]["received"], &over["items"][0]["lost"]),
        (&json!("received"), &json!(0.7), &json!(0.05))
    );
    assert_eq!(shelf(&shop, &cheese, &north).0, json!(0.7));

    let count = shop.make("/stock/counts", &json!({"warehouseId": north}));
    let count = format!("/stock/counts/{}", id(&count));
    let items = json!({"items": [{"sku": "QUESO", "countedQuantity": 0.65}]});
    let _ = shop.client.send("PUT", &format!("{count}/lines"), &items).expect(200);
    let lines = shop.client.get(&format!("{count}/lines")).expect(200);
    let counted = &lines["data"][0];
    assert_eq!(
        (&counted["snapshot"], &counted["countedQuantity"], &counted["difference"]),
        (&json!(0.7), &json!(0.65), &json!(-0.05))
    );
    let _ = shop.client.post(&format!("{count}/post"), &json!({})).expect(200);
    assert_eq!(shelf(&shop, &cheese, &north).0, json!(0.65));

    let order = id(&order(&shop, &cheese, 0.5).expect(201));
    let path = format!("/orders/{order}/reallocate");
    let elsewhere = |quantity: f64| {
        let part = json!({"line": 1, "quantity": quantity, "from": home, "to": north});
        shop.client.post(&path, &json!({"items": [part]}))
    };
    assert!(elsewhere(0.501).refused(409, "conflict").contains("0.5 "));
    let _ = elsewhere(0.2).expect(200);
    assert_eq!(shelf(&shop, &cheese, &home), (json!(0.95), json!(0.3)));
    assert_eq!(shelf(&shop, &cheese, &north), (json!(0.45), json!(0.2)));
    let worth = shop.client.get("/stock/valuation").expect(200);
    let total = &worth["totals"][0];
    assert_eq!((&total["onHand"], &total["value"]), (&json!(1.9), &json!(218.5)));
    let low = shop.client.get("/stock?belowThreshold=true").expect(200);
    assert_eq!(low["data"][0]["lowStockThreshold"], json!(10.2));
    let _ = shop.step(&order, "cancelled").expect(200);
    assert_eq!(left(&shop, &cheese), json!(1.9));
}

/// Every request that states how much there is of a product, with the field that says it.
fn statements(shop: &Shop, product: &str, sku: &str, quantity: f64) -> Vec<(Reply, &'static str)> {
    let client = &shop.client;
    let items = |field: &str| json!([{"productId": product, field: quantity}]);
    let north = store(shop, &format!("Norte {sku}"), 1);
    let sold = id(&order(shop, product, 2.0).expect(201));
    let _ = shop.step(&sold, "paid").expect(200);
    let count = id(&shop.make("/stock/counts", &json!({"warehouseId": north})));
    let list = id(&shop.make("/price-lists", &json!({"name": sku})));
    let (home, path) = (first(shop), format!("/products/{product}"));
    let part = json!([{"line": 1, "quantity": quantity}]);
    let moved = json!([{"line": 1, "quantity": quantity, "from": home, "to": north}]);
    let post = |path: &str, body: Value| client.post(path, &body);
    let buyer = &shop.customer;
    vec![
        (
            post("/orders", json!({"customerId": buyer, "items": items("quantity")})),
            "items[0].quantity",
        ),
        (
            post("/crm/quotes", json!({"customerId": buyer, "items": items("quantity")})),
            "items[0].quantity",
        ),
        (
            post("/stock/adjustments", json!({"reason": "found", "items": items("delta")})),
            "items[0].delta",
        ),
        (
            post(
                "/stock/adjustments",
                json!({"reason": "correction", "items": items("countedQuantity")}),
            ),
            "items[0].countedQuantity",
        ),
        (post("/stock/receipts", json!({"items": items("quantity")})), "items[0].quantity"),
        (
            post(
                "/transfers",
                json!({"fromWarehouseId": home, "toWarehouseId": north, "items": items("quantity")}),
            ),
            "items[0].quantity",
        ),
        (
            post(
                &format!("/stock/counts/{count}/scan"),
                json!({"code": sku, "quantity": quantity}),
            ),
            "quantity",
        ),
        (
            client.send(
                "PUT",
                &format!("/stock/counts/{count}/lines"),
                &json!({"items": items("countedQuantity")}),
            ),
            "items[0].countedQuantity",
        ),
        (
            client.send(
                "PUT",
                &format!("/price-lists/{list}/items"),
                &json!({"items": [{"productId": product, "minQuantity": quantity, "price": 1}]}),
            ),
            "items[0].minQuantity",
        ),
        (post(&format!("/orders/{sold}/shipments"), json!({"items": part})), "items[0].quantity"),
        (
            post(
                &format!("/orders/{sold}/returns"),
                json!({"items": part, "reason": "x", "unshipped": true}),
            ),
            "items[0].quantity",
        ),
        (post(&format!("/orders/{sold}/reallocate"), json!({"items": moved})), "items[0].quantity"),
        (client.patch(&path, &json!({"inventory": quantity})), "inventory"),
        (client.patch(&path, &json!({"inventoryDelta": quantity})), "inventoryDelta"),
        (client.patch(&path, &json!({"lowStockThreshold": quantity})), "lowStockThreshold"),
    ]
}

fn quantities_have_the_decimals_that_are_kept(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (cheese, mug) = (cheese(&shop, 10.5), shop.product("TAZA", 10.0, 10));
    for (product, sku, quantity, why) in
        [(&cheese, "QUESO", 0.3505, "3 decimal"), (&mug, "TAZA", 1.5, "quantityDecimals")]
    {
        for (place, (reply, field)) in
            statements(&shop, product, sku, quantity).into_iter().enumerate()
        {
            let message = reply.refused(400, "validation_failed");
            assert!(message.contains(field) && message.contains(why), "{place} {sku}: {message}");
        }
    }
    assert_eq!((left(&shop, &cheese), left(&shop, &mug)), (json!(8.5), json!(8)));
    let text = shop.try_order(&[(&mug, 2)]).text;
    assert!(
        text.contains(r#""quantity":2,"#) && text.contains(r#""returnedQuantity":0"#),
        "{text}"
    );
}

fn decimals_are_fixed_once_there_are_quantities(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let cloth = shop.product("MANTA", 85.0, 0);
    let path = format!("/products/{cloth}");
    let set = |decimals: i64| {
        shop.client.patch(&path, &json!({"quantityDecimals": decimals, "unit": "m"}))
    };
    for decimals in [3, 0, 3] {
        let changed = set(decimals).expect(200);
        assert_eq!(
            (&changed["quantityDecimals"], &changed["unit"]),
            (&json!(decimals), &json!("m"))
        );
    }
    for wrong in [1, 2, 4] {
        let message = set(wrong).refused(400, "validation_failed");
        assert!(message.contains("quantityDecimals"), "{message}");
    }
    for delta in [2.5, -2.5] {
        let items = json!([{"productId": cloth, "delta": delta}]);
        let _ = shop.make("/stock/adjustments", &json!({"reason": "correction", "items": items}));
        let message = set(0).refused(409, "decimals_fixed");
        assert!(message.contains("quantityDecimals") && message.contains('3'), "{message}");
    }
    let _ = set(3).expect(200);
    // What a list begins with is a quantity, too.
    let ribbon = shop.product("CINTA", 5.0, 0);
    let list = id(&shop.make("/price-lists", &json!({"name": "Mayoreo"})));
    let items = json!({"items": [{"productId": ribbon, "minQuantity": 10, "price": 4}]});
    let _ = shop.client.send("PUT", &format!("/price-lists/{list}/items"), &items).expect(200);
    let change = json!({"quantityDecimals": 3});
    let _ =
        shop.client.patch(&format!("/products/{ribbon}"), &change).refused(409, "decimals_fixed");
}

fn lists_and_quotes_go_by_weight(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let cheese = cheese(&shop, 10.5);
    let list = id(&shop.make("/price-lists", &json!({"name": "Mayoreo"})));
    let items = json!({"items": [{"productId": cheese, "price": 180},
        {"productId": cheese, "minQuantity": 2.5, "price": 150.5}]});
    let path = format!("/price-lists/{list}/items");
    let _ = shop.client.send("PUT", &path, &items).expect(200);
    let prices = shop.client.get(&path).expect(200);
    let from = |place: usize| prices["data"][place]["minQuantity"].clone();
    assert_eq!((from(0), from(1)), (json!(0.001), json!(2.5)));
    for (quantity, price) in [(0.001, 180.0), (2.499, 180.0), (2.5, 150.5)] {
        let items = json!([{"productId": cheese, "quantity": quantity}]);
        let made = shop.make("/orders", &json!({"customerId": shop.customer, "items": items}));
        assert_eq!(made["items"][0]["unitPrice"].as_f64(), Some(price), "{quantity}");
    }

    let items = json!([{"productId": cheese, "quantity": 0.35, "unitPrice": 189.9}]);
    let quote = shop.make("/crm/quotes", &json!({"customerId": shop.customer, "items": items}));
    let item = &quote["items"][0];
    assert_eq!((&item["quantity"], &item["lineTotal"]), (&json!(0.35), &json!(66.465)));
    let path = format!("/crm/quotes/{}", id(&quote));
    let sent = shop.client.act(&format!("{path}/send")).expect(200);
    let (_, secret) = sent["url"].as_str().unwrap().rsplit_once("/quotes/").unwrap();
    let page = shop.client.with_key("").get(&format!("/quotes/{secret}")).text;
    assert!(page.contains("0.35"), "{page}");
    let accepted = shop.client.act(&format!("{path}/accept")).expect(200);
    let order = shop.read(accepted["orderId"].as_str().unwrap()).expect(200);
    assert_eq!(
        (&order["items"][0]["quantity"], &order["totalAmount"]),
        (&json!(0.35), &json!(66.47))
    );
    assert_eq!(left(&shop, &cheese), json!(5.15));
}

fn what_is_weighed_is_invoiced_to_the_cent(kind: DatabaseKind) {
    let office = Office::open(kind);
    let weighed = json!({"quantityDecimals": 3, "unit": "kg", "satUnitKey": "KGM"});
    let (cheese, nuts) =
        (office.product("QUESO", 189.9, &weighed), office.product("NUEZ", 33.33, &weighed));
    let customer = office.customer();
    for items in [
        vec![(&cheese, 0.35)],
        vec![(&nuts, 12.345), (&cheese, 1.234)],
        vec![(&cheese, 0.005), (&nuts, 0.999)],
    ] {
        let lines: Vec<Value> = items
            .iter()
            .map(|(product, quantity)| json!({"productId": product, "quantity": quantity}))
            .collect();
        let order = office.make("/orders", &json!({"customerId": customer, "items": lines}));
        let draft = office.draft(&json!({"orderId": order["id"], "paymentForm": "03"}));
        assert_eq!(draft["total"], order["totalAmount"], "{items:?}");
        for (line, (_, quantity)) in draft["items"].as_array().unwrap().iter().zip(&items) {
            assert_eq!(line["quantity"].as_f64(), Some(*quantity));
        }
        assert_eq!(office.findings(&id(&draft)), []);
        let stamped = office.stamp(&id(&draft)).expect(200);
        assert_eq!(stamped["total"], order["totalAmount"]);
        let xml = office.client.get(&format!("/invoices/{}/xml", id(&draft))).text;
        let kept: f64 = attribute(&xml, "Cantidad").parse().unwrap();
        assert!((kept - items[0].1).abs() < 1e-9, "{xml}");
        assert_eq!((attribute(&xml, "ClaveUnidad"), attribute(&xml, "Unidad")), ("KGM", "kg"));
    }
}

fn new_products_state_their_decimals(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let product = |sku: &str, more: &Value| {
        let mut body = json!({"name": sku, "sku": sku, "price": 10});
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        shop.client.post("/products", &body)
    };
    let plain = product("TAZA", &json!({"inventory": 3})).expect(201);
    assert_eq!(
        (&plain["unit"], &plain["quantityDecimals"], &plain["inventory"]),
        (&Value::Null, &json!(0), &json!(3))
    );
    for (body, field) in [
        (json!({"inventory": 1.5}), "inventory"),
        (json!({"lowStockThreshold": 0.5}), "lowStockThreshold"),
        (json!({"variants": [{"name": "Chica", "inventory": 0.5}]}), "variants[0].inventory"),
        (json!({"quantityDecimals": 2}), "quantityDecimals"),
        (json!({"quantityDecimals": 3, "inventory": 0.0005}), "inventory"),
        (json!({"quantityDecimals": 3, "inventory": 1_000_000.001}), "inventory"),
        (json!({"unit": "x".repeat(21)}), "unit"),
    ] {
        let message = product("X", &body).refused(400, "validation_failed");
        assert!(message.contains(field), "{body}: {message}");
    }
    let variants = json!([{"name": "Maduro", "sku": "QUESO-M", "inventory": 0.25}]);
    let body = json!({"quantityDecimals": 3, "inventory": 1_000_000, "variants": variants});
    let made = product("QUESO", &body).expect(201);
    assert_eq!(
        (&made["inventory"], &made["variants"][0]["inventory"]),
        (&json!(1_000_000), &json!(0.25))
    );
}
