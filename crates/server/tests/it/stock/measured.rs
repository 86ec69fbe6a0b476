//! What is sold by weight or length: every quantity to the thousandth, from the supplier to the customer.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply};

use super::{first, line, store};
use crate::{
    orders::shop::{Shop, id},
    races::at_once,
};

testkit::on_both!(
    in_spanish:
    a_part_of_a_kilogram_is_sold_to_the_gram,
    kilograms_move_between_warehouses,
    quantities_have_the_decimals_that_are_kept,
    decimals_are_fixed_once_there_are_quantities,
    lists_and_quotes_go_by_weight,
    labels_of_scales_are_counted,
    new_products_state_their_decimals,
    decimals_stay_while_something_is_counted,
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
    let variant = id(&shop.make(&format!("{path}/variants"), &json!({"name": "Grande"})));
    let variant = format!("{path}/variants/{variant}");
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
        (
            post(&format!("{path}/variants"), json!({"name": "Chica", "inventory": quantity})),
            "inventory",
        ),
        (client.patch(&variant, &json!({"inventory": quantity})), "inventory"),
        (client.patch(&variant, &json!({"inventoryDelta": quantity})), "inventoryDelta"),
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
            let is_named = message.starts_with(&format!("{field} "));
            assert!(is_named && message.contains(why), "{place} {sku}: {message}");
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
    // What was planned and counted of it once stays what it was.
    let (rope, home, north) =
        (shop.product("SOGA", 9.0, 0), first(&shop), store(&shop, "Norte", 1));
    let items = json!([{"productId": rope, "quantity": 4}]);
    let plan = json!({"fromWarehouseId": home, "toWarehouseId": north, "items": items});
    let transfer = format!("/transfers/{}", id(&shop.make("/transfers", &plan)));
    let count = format!(
        "/stock/counts/{}",
        id(&shop.make("/stock/counts", &json!({"warehouseId": north})))
    );
    let items = json!({"items": [{"productId": rope, "countedQuantity": 7}]});
    let _ = shop.client.send("PUT", &format!("{count}/lines"), &items).expect(200);
    let (path, change) = (format!("/products/{rope}"), json!({"quantityDecimals": 3}));
    for open in [&transfer, &count] {
        let _ = shop.client.patch(&path, &change).refused(409, "decimals_fixed");
        let _ = shop.client.act(&format!("{open}/cancel")).expect(200);
    }
    assert_eq!(shop.client.patch(&path, &change).expect(200)["quantityDecimals"], json!(3));
    let planned = shop.client.get(&transfer).expect(200);
    let counted = shop.client.get(&format!("{count}/lines")).expect(200);
    assert_eq!(
        (&planned["items"][0]["quantity"], &counted["data"][0]["countedQuantity"]),
        (&json!(4), &json!(7))
    );
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

fn labels_of_scales_are_counted(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let patterns = json!({"scaleCodes": ["20PPPPPWWWWWC", "21PPPPPMMMMMC"]});
    let _ = shop.client.send("PUT", "/stock/settings", &patterns).expect(200);
    let weighed = |sku: &str| {
        let product = json!({"name": sku, "sku": sku, "price": 189.9, "quantityDecimals": 3});
        id(&shop.make("/products", &product))
    };
    let (cheese, _) = (weighed("42"), shop.product("00043", 1.0, 0));
    let count = id(&shop.make("/stock/counts", &json!({"warehouseId": store(&shop, "Norte", 1)})));
    let scan = |code: &str, quantity: Option<f64>| {
        let mut body = json!({"code": code});
        if let Some(quantity) = quantity {
            body["quantity"] = json!(quantity);
        }
        shop.client.post(&format!("/stock/counts/{count}/scan"), &body)
    };
    let (weight, price) = ("2000042003500", "2100042066472");
    let line = scan(weight, None).expect(200);
    assert_eq!((&line["productId"], &line["countedQuantity"]), (&json!(cheese), &json!(0.35)));
    assert_eq!(scan(weight, None).expect(200)["countedQuantity"], json!(0.7));
    assert_eq!(scan(price, Some(0.3)).expect(200)["countedQuantity"], json!(1));
    // Neither a price nor a SKU says how much there is, and no part of a piece is counted.
    for (code, field) in [
        (price, "quantity "),
        ("42", "quantity "),
        ("2000043003509", "quantity "),
        ("2000043003507", "code "),
    ] {
        let message = scan(code, None).refused(400, "validation_failed");
        assert!(message.starts_with(field), "{code}: {message}");
    }
    assert_eq!(scan("00043", None).expect(200)["countedQuantity"], json!(1));
    let _ = weighed("00042");
    let message = scan(weight, None).refused(400, "validation_failed");
    assert!(message.contains("00042") && message.contains(" 42"), "{message}");
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

fn decimals_stay_while_something_is_counted(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let second = (kind == DatabaseKind::Postgres).then(|| shop.app.again().start());
    let one = shop.client.clone();
    let other = second.as_ref().map_or_else(|| one.clone(), |app| one.at(app));
    let place = store(&shop, "Sur", 1);
    let count = id(&shop.make("/stock/counts", &json!({"warehouseId": place})));
    let lines = format!("/stock/counts/{count}/lines");
    for round in 0..12 {
        let code = format!("T-{round}");
        let product = shop.product(&code, 1.0, 0);
        let (path, two) = (format!("/products/{product}"), json!({"code": code, "quantity": 2}));
        let set = json!({"items": [{"productId": product, "countedQuantity": 2}]});
        let replies = at_once(2, |racer| match (racer, round % 2) {
            (0, _) => one.patch(&path, &json!({"quantityDecimals": 3})),
            (_, 0) => other.send("PUT", &lines, &set),
            _ => other.post(&format!("/stock/counts/{count}/scan"), &two),
        });
        assert_eq!(replies[1].status, 200, "{}", replies[1].text);
        assert!([200, 409].contains(&replies[0].status), "{}", replies[0].text);
        let page = shop.client.get(&format!("{lines}?limit=100")).expect(200);
        let all = page["data"].as_array().unwrap();
        let line = all.iter().find(|line| line["productId"] == json!(product)).unwrap();
        assert_eq!(line["countedQuantity"], json!(2), "whoever was first");
    }
}
