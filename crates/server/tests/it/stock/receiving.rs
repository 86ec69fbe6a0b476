//! Goods that come from suppliers, what they cost, and what stock is worth.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, line, put, store, take_anywhere};
use crate::{
    orders::shop::{Shop, id},
    races::at_once,
};

testkit::on_both!(
    in_spanish:
    goods_are_received_all_or_none,
    an_average_is_of_all_places_and_of_what_is_promised,
    a_cancelled_receipt_takes_its_goods_and_its_cost_back,
    costs_are_set_by_hand_and_listed,
    stock_is_worth_what_it_cost_now_and_then,
    an_order_keeps_what_its_goods_had_cost,
);

fn receive(shop: &Shop, items: &Value) -> testkit::Reply {
    shop.client.post("/stock/receipts", &json!({"supplier": "Barro SA", "items": items}))
}

fn average(shop: &Shop, product: &str) -> Value {
    line(shop, product)["averageCost"].clone()
}

fn goods_are_received_all_or_none(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 4), shop.product("PLUMA", 1.0, 0));
    let north = store(&shop, "Norte", 1);
    let items = json!([{"sku": "TAZA", "quantity": 6, "unitCost": 5.5},
        {"productId": mug, "quantity": 2, "unitCost": 7.5, "warehouseId": north}, {"sku": "PLUMA", "quantity": 3}]);
    let body = json!({"supplier": "Barro SA", "reference": "F-881", "note": "Caja abierta",
        "receivedAt": "2026-01-31T17:00:00.000Z", "items": items});
    let once = || shop.client.post_once("/stock/receipts", "once", &body).expect(201);
    let made = once();
    assert_eq!(once(), made);
    assert_eq!((&made["status"], &made["receivedAt"]), (&json!("received"), &body["receivedAt"]));
    // Nobody knew what the first four had cost.
    let shown = |line: usize, field: &str| made["items"][line][field].clone();
    assert_eq!((shown(0, "averageCost"), shown(1, "averageCost")), (json!(5.5), json!(5.833333)));
    assert_eq!((shown(2, "unitCost"), shown(2, "averageCost")), (Value::Null, Value::Null));
    assert_eq!((shown(0, "available"), shown(1, "onHand")), (json!(10), json!(2)));
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (12, 3));
    assert_eq!(average(&shop, &mug), 5.833333);
    assert_eq!(shop.client.get(&format!("/stock/receipts/{}", id(&made))).expect(200), made);
    assert_eq!(shop.client.get("/stock/receipts").expect(200)["data"], json!([made]));
    let rows = shop.client.get(&format!("/stock/movements?reference={}", id(&made))).expect(200);
    assert_eq!((&rows["total"], &rows["data"][2]["unitCost"]), (&json!(3), &json!(5.5)));
    assert_eq!(
        (&rows["data"][2]["reason"], &rows["data"][2]["note"]),
        (&json!("receipt"), &json!("Barro SA"))
    );

    let refused =
        receive(&shop, &json!([{"sku": "TAZA", "quantity": 1}, {"sku": "NADA", "quantity": 1}]));
    assert!(refused.refused(400, "validation_failed").contains("items[1].sku"));
    let most = json!([{"sku": "TAZA", "quantity": 1_000_000_000}]);
    assert!(receive(&shop, &most).refused(400, "validation_failed").contains("items[0].quantity"));
    let dollars =
        json!({"currency": "USD", "items": [{"sku": "TAZA", "quantity": 1, "unitCost": 1}]});
    let refused = shop.client.post("/stock/receipts", &dollars);
    let message = refused.refused(400, "validation_failed");
    assert!(message.contains("items[0].unitCost") && message.contains("MXN"), "{message}");
    assert_eq!((shop.stock(&mug), average(&shop, &mug)), (12, json!(5.833333)));
}

fn an_average_is_of_all_places_and_of_what_is_promised(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 0);
    let north = store(&shop, "Norte", 1);
    let _ = receive(&shop, &json!([{"sku": "TAZA", "quantity": 2, "unitCost": 10}])).expect(201);
    let there = json!([{"sku": "TAZA", "quantity": 2, "unitCost": 20, "warehouseId": north}]);
    let _ = receive(&shop, &there).expect(201);
    assert_eq!(average(&shop, &mug), 15);
    // Promised goods are on hand, found ones come at the average, shipped ones are gone.
    let _ = shop.order(&[(&mug, 2)]);
    put(&shop, &mug, &north, 2);
    let _ = receive(&shop, &json!([{"sku": "TAZA", "quantity": 6, "unitCost": 5}])).expect(201);
    assert_eq!(average(&shop, &mug), 10);
    let order = shop.order_id(&[(&mug, 6)]);
    let _ = shop.step(&order, "shipped").expect(200);
    let _ = receive(&shop, &json!([{"sku": "TAZA", "quantity": 6, "unitCost": 0}])).expect(201);
    assert_eq!(average(&shop, &mug), 5);
}

fn a_cancelled_receipt_takes_its_goods_and_its_cost_back(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 0);
    let _ = receive(&shop, &json!([{"sku": "TAZA", "quantity": 10, "unitCost": 10}])).expect(201);
    let late = json!([{"sku": "TAZA", "quantity": 10, "unitCost": 20}]);
    let late = id(&receive(&shop, &late).expect(201));
    assert_eq!(average(&shop, &mug), 15);
    let cancel = || shop.client.act(&format!("/stock/receipts/{late}/cancel"));
    let order = shop.order_id(&[(&mug, 12)]);
    let message = cancel().refused(409, "insufficient_stock");
    assert!(message.contains('8') && message.contains("12"), "{message}");
    let _ = shop.step(&order, "cancelled");
    let undone = cancel().expect(200);
    assert_eq!(undone["status"], "cancelled");
    assert_eq!((shop.stock(&mug), average(&shop, &mug)), (10, json!(10)));
    let _ = cancel().refused(409, "invalid_transition");
    let changes = shop.client.get(&format!("/stock/costs?productId={mug}")).expect(200);
    let reasons: Vec<&Value> =
        changes["data"].as_array().unwrap().iter().map(|change| &change["reason"]).collect();
    assert_eq!(reasons, ["receipt_cancelled", "receipt", "receipt"]);
    assert_eq!(
        (&changes["data"][0]["costBefore"], &changes["data"][0]["reference"]),
        (&json!(15), &json!(late))
    );
}

fn costs_are_set_by_hand_and_listed(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 4), shop.product("PLUMA", 1.0, 0));
    let set = |items: &Value| {
        shop.client.post("/stock/costs", &json!({"note": "Inventario anual", "items": items}))
    };
    let both = json!([{"sku": "TAZA", "averageCost": 4.25}, {"productId": pen, "averageCost": 0, "currency": "MXN"}]);
    let made = set(&both).expect(200);
    assert_eq!(
        (&made["data"][0]["costBefore"], &made["data"][0]["onHand"]),
        (&Value::Null, &json!(4))
    );
    assert_eq!((average(&shop, &mug), average(&shop, &pen)), (json!(4.25), json!(0)));
    for (items, field) in [
        (
            json!([{"sku": "TAZA", "averageCost": 1}, {"sku": "NADA", "averageCost": 1}]),
            "items[1].sku",
        ),
        (
            json!([{"sku": "TAZA", "averageCost": 1}, {"productId": mug, "averageCost": 1}]),
            "items[1]",
        ),
        (json!([{"sku": "TAZA", "averageCost": 1, "currency": "USD"}]), "items[0].averageCost"),
        (json!([{"sku": "TAZA", "averageCost": -1}]), "items[0].averageCost"),
    ] {
        let message = set(&items).refused(400, "validation_failed");
        assert!(message.contains(field), "{message}");
    }
    assert_eq!(average(&shop, &mug), 4.25);
    let page = shop.client.get("/stock/costs?limit=1").expect(200);
    assert_eq!((&page["total"], &page["data"][0]["productId"]), (&json!(2), &json!(pen)));
    let next = format!("/stock/costs?cursor={}", page["nextCursor"].as_str().unwrap());
    assert_eq!(shop.client.get(&next).expect(200)["data"][0], made["data"][0]);
}

fn stock_is_worth_what_it_cost_now_and_then(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 0);
    let _ = shop.product("PLUMA", 1.0, 7);
    let north = store(&shop, "Norte", 1);
    let worth = |query: &str| {
        let shown = shop.client.get(&format!("/stock/valuation{query}")).expect(200);
        let sums = |list: &str, fields: [&str; 2]| {
            let rows = shown[list].as_array().unwrap().iter();
            rows.map(|row| json!([row[fields[0]], row[fields[1]], row["unvalued"]]))
                .collect::<Vec<_>>()
        };
        let at = shown["at"].as_str().unwrap().replace('+', "%2B");
        (sums("totals", ["onHand", "value"]), sums("warehouses", ["warehouseId", "value"]), at)
    };
    assert_eq!(worth("").0, [json!([0, 0, 7])]);
    let _ = receive(&shop, &json!([{"sku": "TAZA", "quantity": 3, "unitCost": 2.5}])).expect(201);
    let there = json!([{"sku": "TAZA", "quantity": 1, "unitCost": 4.5, "warehouseId": north}]);
    // Identifiers begin with the millisecond in which they are made.
    let pause = || std::thread::sleep(std::time::Duration::from_millis(5));
    pause();
    let before = worth("");
    pause();
    let _ = receive(&shop, &there).expect(201);
    let _ = shop.order(&[(&mug, 2)]);
    let (totals, places, _) = worth("");
    assert_eq!(totals, [json!([4, 12, 7])]);
    assert_eq!(places, [json!([first(&shop), 9, 7]), json!([north, 3, 0])]);
    assert_eq!(worth(&format!("?warehouseId={north}")).0, [json!([1, 3, 0])]);
    let then = worth(&format!("?at={}", before.2));
    assert_eq!(then, before, "what came later was not there");
    assert_eq!(then.0, [json!([3, 7.5, 7])]);
    assert_eq!(worth("?at=2999-01-01T00:00:00Z").0, totals);
    assert_eq!(worth("?at=2020-01-01T00:00:00Z").0, [json!(null); 0]);
}

fn an_order_keeps_what_its_goods_had_cost(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 0);
    take_anywhere(&shop);
    let _ = receive(&shop, &json!([{"sku": "TAZA", "quantity": 3, "unitCost": 2.5}])).expect(201);
    let order = shop.order_id(&[(&mug, 1)]);
    let _ = receive(&shop, &json!([{"sku": "TAZA", "quantity": 3, "unitCost": 9}])).expect(201);
    let kept = format!(
        "SELECT CAST(unit_cost AS TEXT) AS line FROM order_items WHERE order_id = '{order}'"
    );
    assert_eq!(shop.app.database.lines(&kept), ["2500000"]);
    assert_eq!(level(&shop, &mug, &first(&shop)), (5, 1));
}

#[test]
fn what_another_node_has_just_put_into_an_empty_place_counts() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let second = shop.app.again().start();
    let clients = [shop.client.clone(), shop.client.at(&second)];
    let mug = shop.product("TAZA", 10.0, 0);
    let places: Vec<String> =
        (0..8).map(|number| store(&shop, &format!("Tienda {number}"), number)).collect();
    // Both nodes find eight pieces where there was nothing: they are the same ones.
    for place in &places {
        let line = json!({"sku": "TAZA", "warehouseId": place, "countedQuantity": 8});
        let body = json!({"reason": "correction", "items": [line]});
        let counted = at_once(4, |node| clients[node % 2].post("/stock/adjustments", &body));
        assert!(counted.iter().all(|reply| reply.status == 201));
        assert_eq!(level(&shop, &mug, place), (8, 0));
    }
    let pen = shop.product("PLUMA", 1.0, 0);
    let _ = at_once(8, |node| {
        let item = json!({"productId": pen, "quantity": 1, "unitCost": node * 10, "warehouseId": places[node]});
        clients[node % 2].post("/stock/receipts", &json!({"items": [item]})).expect(201)
    });
    let average = average(&shop, &pen).as_f64().unwrap();
    assert!((average - 35.0).abs() < 0.0001, "{average}");
}
