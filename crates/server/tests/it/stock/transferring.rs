//! Goods on their way from one warehouse to another.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, line, put, store};
use crate::{
    orders::shop::{Shop, id},
    races::at_once,
};

testkit::on_both!(
    in_spanish:
    what_is_in_transit_lies_on_neither_shelf,
    what_arrives_otherwise_is_explained,
    a_cancelled_transfer_goes_back,
    a_transfer_names_two_places_and_everything_once,
    the_rest_is_received_once,
    a_warehouse_waits_for_its_transfers,
    what_is_removed_meanwhile_arrives_nowhere,
);

fn plan(shop: &Shop, to: &str, items: &Value) -> Value {
    let body = json!({"fromWarehouseId": first(shop), "toWarehouseId": to, "items": items});
    shop.make("/transfers", &body)
}

fn act(shop: &Shop, transfer: &str, what: &str) -> testkit::Reply {
    shop.client.act(&format!("/transfers/{transfer}/{what}"))
}

fn receive(shop: &Shop, transfer: &str, body: &Value) -> testkit::Reply {
    shop.client.post(&format!("/transfers/{transfer}/receive"), body)
}

fn what_is_in_transit_lies_on_neither_shelf(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let north = store(&shop, "Norte", 1);
    let planned = plan(&shop, &north, &json!([{"sku": "TAZA", "quantity": 7}]));
    assert_eq!((&planned["status"], shop.stock(&mug)), (&json!("draft"), 10));
    let transfer = id(&planned);
    let sent = act(&shop, &transfer, "dispatch").expect(200);
    assert_eq!(
        (&sent["status"], &sent["items"][0]["inTransit"]),
        (&json!("in_transit"), &json!(7))
    );
    assert_eq!((shop.stock(&mug), level(&shop, &mug, &north)), (3, (0, 0)));
    assert_eq!(line(&shop, &mug)["incoming"], 7);
    assert_eq!(
        shop.told("inventory.low"),
        [json!({"productId": mug, "currentStock": 3, "threshold": 5})]
    );
    let rows = shop.client.get(&format!("/stock/movements?reference={transfer}")).expect(200);
    let places: Vec<&Value> =
        rows["data"].as_array().unwrap().iter().map(|row| &row["warehouseId"]).collect();
    assert_eq!(places, [&Value::Null, &json!(first(&shop))]);
    let some =
        receive(&shop, &transfer, &json!({"items": [{"line": 1, "received": 3}]})).expect(200);
    assert_eq!((&some["status"], &some["items"][0]["received"]), (&json!("in_transit"), &json!(3)));
    assert_eq!((shop.stock(&mug), level(&shop, &mug, &north)), (6, (3, 0)));
    let all =
        receive(&shop, &transfer, &json!({"items": [{"line": 1, "received": 4}]})).expect(200);
    assert_eq!((&all["status"], shop.stock(&mug)), (&json!("received"), 10));
    assert_eq!(line(&shop, &mug)["incoming"], 0);
    assert_eq!(shop.client.get(&format!("/transfers/{transfer}")).expect(200), all);
    for query in ["", "?status=received", &format!("?warehouseId={north}")] {
        let page = shop.client.get(&format!("/transfers{query}")).expect(200);
        assert_eq!(page["data"], json!([all]), "{query}");
    }
    assert_eq!(shop.client.get("/transfers?status=draft").expect(200)["total"], 0);
    for what in ["dispatch", "cancel"] {
        let _ = act(&shop, &transfer, what).refused(409, "invalid_transition");
    }
    let _ = receive(&shop, &transfer, &json!({"final": true})).refused(409, "invalid_transition");
}

fn what_arrives_otherwise_is_explained(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 20), shop.product("PLUMA", 1.0, 9));
    let north = store(&shop, "Norte", 1);
    let apart = id(&shop.make("/warehouses", &json!({"name": "Mermas", "kind": "quarantine"})));
    let body = json!({"fromWarehouseId": first(&shop), "toWarehouseId": north, "quarantineId": apart,
        "items": [{"sku": "TAZA", "quantity": 10}, {"productId": pen, "quantity": 4}]});
    let transfer = id(&shop.make("/transfers", &body));
    let _ = act(&shop, &transfer, "dispatch").expect(200);
    for (item, field) in [
        (json!({"line": 3, "received": 1}), "items[0].line"),
        (json!({"line": 1, "received": 9, "lost": 2, "reason": "x"}), "items[0]"),
        (json!({"line": 1, "damaged": 1}), "items[0].reason"),
        (json!({"line": 1}), "items[0]"),
    ] {
        let message =
            receive(&shop, &transfer, &json!({"items": [item]})).refused(400, "validation_failed");
        assert!(message.contains(field), "{message}");
    }
    let item = json!({"line": 1, "received": 6, "damaged": 1, "lost": 1, "found": 2, "reason": "Caja mojada"});
    let some = receive(&shop, &transfer, &json!({"items": [item]})).expect(200);
    assert_eq!(some["items"][0]["inTransit"], 2);
    assert_eq!((level(&shop, &mug, &north), level(&shop, &mug, &apart)), ((8, 0), (1, 0)));
    assert_eq!(shop.stock(&mug), 18, "what is damaged is not for sale");
    let over = receive(&shop, &transfer, &json!({"final": true})).expect(200);
    assert_eq!(
        (&over["status"], &over["items"][0]["lost"], &over["items"][1]["lost"]),
        (&json!("received"), &json!(3), &json!(4))
    );
    let lost = shop.client.get("/stock/movements?reason=transfer_lost").expect(200);
    assert_eq!(lost["total"], 3);
    let told = shop.client.get("/stock/movements?reason=transfer_found").expect(200);
    assert_eq!(told["data"][0]["note"], "Caja mojada");
    let arrivals = shop.client.get(&format!("/transfers/{transfer}/arrivals")).expect(200);
    let arrivals = arrivals["data"].as_array().unwrap();
    assert_eq!((arrivals.len(), &arrivals[0]["items"][0]["reason"]), (2, &json!("Caja mojada")));
    assert_eq!(
        (&arrivals[1]["final"], &arrivals[1]["items"][1]["lost"]),
        (&json!(true), &json!(4))
    );
}

fn a_cancelled_transfer_goes_back(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let north = store(&shop, "Norte", 1);
    let items = json!([{"sku": "TAZA", "quantity": 7}]);
    let transfer = id(&plan(&shop, &north, &items));
    let _ = act(&shop, &transfer, "dispatch").expect(200);
    let _ = receive(&shop, &transfer, &json!({"items": [{"line": 1, "received": 2}]})).expect(200);
    let gone_back = act(&shop, &transfer, "cancel").expect(200);
    assert_eq!(
        (&gone_back["status"], &gone_back["items"][0]["returned"]),
        (&json!("cancelled"), &json!(5))
    );
    assert_eq!((level(&shop, &mug, &first(&shop)), level(&shop, &mug, &north)), ((8, 0), (2, 0)));
    let _ = act(&shop, &transfer, "cancel").refused(409, "invalid_transition");
    let draft = id(&plan(&shop, &north, &items));
    let _ = act(&shop, &draft, "cancel").expect(200);
    assert_eq!(shop.stock(&mug), 10);
}

fn a_transfer_names_two_places_and_everything_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let (home, north) = (first(&shop), store(&shop, "Norte", 1));
    let item = json!({"sku": "TAZA", "quantity": 11});
    let refused = |from: &str, to: &str, apart: Option<&str>, items: &Value| {
        let body = json!({"fromWarehouseId": from, "toWarehouseId": to, "quarantineId": apart, "items": items});
        shop.client.post("/transfers", &body).refused(400, "validation_failed")
    };
    let one = json!([item]);
    assert!(refused(&home, &home, None, &one).contains("toWarehouseId"));
    let nothing = json!([{"sku": "TAZA", "quantity": 0}]);
    let unknown = json!([{"sku": "NADA", "quantity": 1}]);
    for (from, field, items, item) in [
        (&*home, "toWarehouseId", &nothing, "items[0].quantity"),
        ("whs_01ARZ3NDEKTSV4RRFFQ69G5FAV", "fromWarehouseId", &unknown, "items[0].sku"),
    ] {
        let message = refused(from, &home, None, items);
        assert!(message.contains(field) && message.contains(item), "{message}");
    }
    assert!(refused(&home, &north, Some(&home), &one).contains("quarantineId"));
    let twice = json!([item, {"productId": mug, "quantity": 1}]);
    assert!(refused(&home, &north, None, &twice).contains("items[1]"));
    assert!(
        refused(&home, &north, None, &json!([{"sku": "NADA", "quantity": 1}]))
            .contains("items[0].sku")
    );
    let transfer = id(&plan(&shop, &north, &one));
    let message = act(&shop, &transfer, "dispatch").refused(409, "insufficient_stock");
    assert!(message.contains("items[0]") && message.contains("10"), "{message}");
    // A draft sets nothing aside; a dispatch does not take what is promised.
    let _ = shop.order(&[(&mug, 4)]);
    put(&shop, &mug, &home, 4);
    let message = act(&shop, &transfer, "dispatch").refused(409, "insufficient_stock");
    assert!(message.contains("items[0]") && message.contains('4'), "{message}");
}

fn the_rest_is_received_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 64);
    let north = store(&shop, "Norte", 1);
    let transfer = id(&plan(&shop, &north, &json!([{"sku": "TAZA", "quantity": 40}])));
    let sent = at_once(8, |_| act(&shop, &transfer, "dispatch").status);
    assert_eq!(sent.iter().filter(|status| **status == 200).count(), 1);
    let three = json!({"items": [{"line": 1, "received": 3}]});
    let received = at_once(16, |_| receive(&shop, &transfer, &three).status);
    assert_eq!(received.iter().filter(|status| **status == 200).count(), 13);
    let _ = at_once(4, |_| act(&shop, &transfer, "cancel").status);
    assert_eq!((level(&shop, &mug, &north), level(&shop, &mug, &first(&shop))), ((39, 0), (25, 0)));
}

fn a_warehouse_waits_for_its_transfers(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let _ = shop.product("TAZA", 10.0, 10);
    let north = store(&shop, "Norte", 1);
    let transfer = id(&plan(&shop, &north, &json!([{"sku": "TAZA", "quantity": 7}])));
    let remove = || shop.client.delete(&format!("/warehouses/{north}"));
    let _ = remove().refused(409, "conflict");
    let _ = act(&shop, &transfer, "dispatch").expect(200);
    let _ = remove().refused(409, "conflict");
    let _ = act(&shop, &transfer, "cancel").expect(200);
    let _ = remove().expect(200);
}

fn what_is_removed_meanwhile_arrives_nowhere(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let north = store(&shop, "Norte", 1);
    let transfer = id(&plan(&shop, &north, &json!([{"sku": "TAZA", "quantity": 7}])));
    let _ = act(&shop, &transfer, "dispatch").expect(200);
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    let some = json!({"items": [{"line": 1, "received": 4}]});
    assert_eq!(receive(&shop, &transfer, &some).expect(200)["items"][0]["inTransit"], 3);
    let more = json!({"items": [{"line": 1, "found": 1, "reason": "Iba una más"}]});
    let message = receive(&shop, &transfer, &more).refused(400, "validation_failed");
    assert!(message.contains("items[0].found"), "{message}");
    let _ = act(&shop, &transfer, "cancel").expect(200);
    let left = format!(
        "SELECT warehouse_id || ' ' || quantity AS line FROM stock_levels WHERE product_id = '{mug}' AND quantity <> 0"
    );
    assert_eq!(shop.app.database.lines(&left), [""; 0]);
}
