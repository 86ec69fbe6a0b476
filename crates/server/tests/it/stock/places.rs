//! Warehouses themselves, and the pages of what lies in them.

use std::thread;

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, line, put, store, take_anywhere};
use crate::orders::shop::{Shop, id};

testkit::on_both!(
    in_spanish:
    every_account_has_a_warehouse_from_the_start,
    a_warehouse_goes_only_when_it_is_empty,
    stock_is_listed_by_product_and_by_place,
    the_ledger_is_narrowed,
    the_first_warehouse_of_an_upgraded_account_is_alone_until_it_is_finished,
    nothing_is_counted_while_an_upgrade_has_left_orders,
);

fn every_account_has_a_warehouse_from_the_start(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let first = first(&shop);
    let all = shop.client.get("/warehouses").expect(200);
    assert_eq!((&all["total"], &all["data"][0]["id"]), (&json!(1), &json!(first)));
    let settings = shop.client.get("/stock/settings").expect(200);
    let expected = json!({"allocation": "default", "defaultWarehouseId": first, "scaleCodes": []});
    assert_eq!(settings, expected);

    let path = format!("/warehouses/{first}");
    let address = json!({"street": "Madero 1", "city": "CDMX"});
    let changed =
        shop.client.patch(&path, &json!({"name": "Centro", "address": address})).expect(200);
    assert_eq!(
        (&changed["name"], &changed["address"]["country"]),
        (&json!("Centro"), &json!("MX"))
    );
    assert_eq!(shop.client.get(&path).expect(200), changed);
    let cleared = shop.client.patch(&path, &json!({"address": null})).expect(200);
    assert_eq!(cleared["address"], Value::Null);
    let refused = shop.client.delete(&path).refused(409, "conflict");
    assert!(!refused.is_empty());
}

fn a_warehouse_goes_only_when_it_is_empty(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 0);
    let north = store(&shop, "Norte", 10);
    let path = format!("/warehouses/{north}");
    put(&shop, &mug, &north, 2);
    let _ = shop.client.delete(&path).refused(409, "conflict");
    let named = json!({"allocation": "default", "defaultWarehouseId": north});
    let _ = shop.client.send("PUT", "/stock/settings", &named).expect(200);
    let order = shop.order_id(&[(&mug, 2)]);
    assert_eq!(level(&shop, &mug, &north), (0, 2));
    // What is promised holds it too.
    let _ = shop.client.send("PUT", "/stock/settings", &json!({})).expect(200);
    let _ = shop.client.delete(&path).refused(409, "conflict");
    let _ = shop.step(&order, "shipped").expect(200);
    let _ = shop.client.send("PUT", "/stock/settings", &named).expect(200);
    let _ = shop.client.delete(&path).refused(409, "conflict");
    let _ = shop.client.send("PUT", "/stock/settings", &json!({})).expect(200);
    assert_eq!(shop.client.delete(&path).expect(200)["deleted"], true);
    let _ = shop.client.get(&path).refused(404, "not_found");
    // What comes back from there goes to the default one.
    let back = json!({"items": [{"line": 1, "quantity": 1, "restock": true}], "reason": "Rota"});
    let _ = shop.make(&format!("/orders/{order}/returns"), &back);
    assert_eq!(level(&shop, &mug, &first(&shop)), (1, 0));
}

fn stock_is_listed_by_product_and_by_place(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let north = store(&shop, "Norte", 10);
    let products: Vec<String> =
        (0..5).map(|number| shop.product(&format!("P-{number}"), 1.0, number * 2)).collect();
    put(&shop, &products[1], &north, 7);
    let variants = json!([{"name": "Azul", "inventory": 3}]);
    let body = json!({"name": "Gorra", "price": 5, "inventory": 0, "variants": variants});
    let cap = shop.make("/products", &body);

    let mut seen = Vec::new();
    let mut path = "/stock?limit=2".to_owned();
    loop {
        let page = shop.client.get(&path).expect(200);
        assert_eq!((&page["total"], &page["totalIsExact"]), (&json!(7), &json!(true)));
        seen.extend(page["data"].as_array().unwrap().clone());
        match page["nextCursor"].as_str() {
            Some(cursor) => path = format!("/stock?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    let names: Vec<_> = seen.iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["P-0", "P-1", "P-2", "P-3", "P-4", "Gorra", "Gorra / Azul"]);
    assert_eq!(line(&shop, &products[1])["available"], 9);

    let names = |query: &str| {
        let page = shop.client.get(query).expect(200);
        let lines = page["data"].as_array().unwrap().clone();
        lines.iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("/stock?belowThreshold=true"), ["P-0", "P-2", "Gorra", "Gorra / Azul"]);
    assert_eq!(names("/stock?belowThreshold=false"), ["P-1", "P-3", "P-4"]);
    assert_eq!(names(&format!("/stock?warehouseId={north}")), ["P-1"]);
    assert_eq!(names(&format!("/stock?productId={}", id(&cap))), ["Gorra", "Gorra / Azul"]);
    assert_eq!(names(&format!("/warehouses/{north}/stock")), ["P-1"]);
    let there = shop.client.get(&format!("/warehouses/{north}/stock")).expect(200);
    assert_eq!(there["data"][0]["available"], 7);
    let _ = shop.client.delete(&format!("/products/{}", products[1])).expect(200);
    assert_eq!(names(&format!("/warehouses/{north}/stock")), [""; 0]);
}

fn the_ledger_is_narrowed(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let north = store(&shop, "Norte", 10);
    let (mug, pen) = (shop.product("TAZA", 1.0, 5), shop.product("PLUMA", 1.0, 5));
    put(&shop, &mug, &north, 2);
    take_anywhere(&shop);
    let order = shop.order_id(&[(&mug, 6), (&pen, 1)]);
    let _ = shop.step(&order, "cancelled").expect(200);
    let rows = |query: &str| {
        let page = shop.client.get(&format!("/stock/movements?{query}")).expect(200);
        let rows = page["data"].as_array().unwrap().clone();
        assert_eq!(page["total"], rows.len(), "{query}");
        rows.iter()
            .map(|row| {
                format!(
                    "{} {} {}",
                    row["reason"].as_str().unwrap(),
                    row["delta"],
                    row["committedDelta"]
                )
            })
            .collect::<Vec<_>>()
    };
    let of_order = ["cancellation 1 -1", "cancellation 2 -2", "cancellation 4 -4"];
    let mut found = rows(&format!("reference={order}&reason=cancellation"));
    found.sort();
    assert_eq!(found, of_order);
    assert_eq!(rows(&format!("warehouseId={north}")).len(), 3);
    assert_eq!(rows(&format!("warehouseId={north}&reason=adjustment")), ["adjustment 2 0"]);
    assert_eq!(
        rows(&format!("productId={pen}")),
        ["cancellation 1 -1", "order -1 1", "initial 5 0"]
    );
    assert_eq!(rows(&format!("productId={pen}&reason=initial")), ["initial 5 0"]);
    assert_eq!(rows("reason=initial").len(), 2);
    assert_eq!(rows("createdFrom=2999-01-01T00:00:00Z").len(), 0);
    assert_eq!(rows("createdTo=2999-01-01T00:00:00Z").len(), rows("").len());
}

/// As a database is that nodes of the last release still work on.
fn the_first_warehouse_of_an_upgraded_account_is_alone_until_it_is_finished(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let database = &shop.app.database;
    database.execute("UPDATE accounts SET commits_stock = FALSE");
    let mug = shop.product("TAZA", 10.0, 20);
    let open = shop.order_id(&[(&mug, 3)]);
    let gone = shop.order_id(&[(&mug, 2)]);
    let _ = shop.step(&gone, "cancelled").expect(200);
    let shipped = shop.order_id(&[(&mug, 1)]);
    let _ = shop.step(&shipped, "shipped").expect(200);
    assert_eq!(level(&shop, &mug, &first(&shop)), (16, 0));
    let _ = shop.client.post("/warehouses", &json!({"name": "Norte"})).refused(409, "conflict");

    let finished = store::finish_upgrade(&database.settings()).unwrap();
    assert_eq!(finished.orders, 1);
    assert_eq!(level(&shop, &mug, &first(&shop)), (16, 3));
    let again = store::finish_upgrade(&database.settings()).unwrap();
    assert_eq!((again.accounts, again.orders), (0, 0));
    let _ = store(&shop, "Norte", 10);
    let _ = shop.step(&open, "cancelled").expect(200);
    assert_eq!(level(&shop, &mug, &first(&shop)), (19, 0));
    let after = shop.order_id(&[(&mug, 4)]);
    assert_eq!(level(&shop, &mug, &first(&shop)), (15, 4));
    let _ = shop.step(&after, "shipped").expect(200);
    assert_eq!(level(&shop, &mug, &first(&shop)), (15, 0));
}

/// What is promised to the orders that are left lies on the shelf, and is on hand by no record.
fn nothing_is_counted_while_an_upgrade_has_left_orders(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let database = &shop.app.database;
    let mug = shop.product("TAZA", 10.0, 20);
    database.execute("UPDATE accounts SET commits_stock = FALSE");
    let _ = shop.order_id(&[(&mug, 3)]);
    // Interrupted behind the account, before its orders.
    database.execute("UPDATE accounts SET commits_stock = TRUE");
    let _ = shop.client.post("/stock/counts", &json!({})).refused(409, "conflict");
    assert_eq!(store::finish_upgrade(&database.settings()).unwrap().orders, 1);
    let count = shop.make("/stock/counts", &json!({}));
    let line = shop.client.get(&format!("/stock/counts/{}/lines", id(&count))).expect(200);
    assert_eq!(line["data"][0]["snapshot"], 20, "{line}");
}

/// Neither an order that is being placed nor an account that is being opened meanwhile is left behind.
#[test]
fn an_upgrade_is_finished_for_what_is_under_way() {
    let shop = Shop::open(DatabaseKind::Postgres);
    let database = &shop.app.database;
    let settings = database.settings();
    let mug = shop.product("TAZA", 10.0, 20);
    for (lock, opens) in [
        // An order is read, and cannot be recorded yet.
        ("SELECT 1 FROM customers FOR UPDATE", false),
        // An account cannot be added yet, nor can one be changed.
        ("LOCK TABLE accounts IN SHARE MODE", true),
    ] {
        database.execute("UPDATE accounts SET commits_stock = FALSE");
        let mut held = database.hold(lock);
        thread::scope(|scope| {
            let under_way = scope.spawn(|| match opens {
                true => {
                    let _ = shop.app.account();
                }
                false => {
                    let _ = shop.order_id(&[(&mug, 1)]);
                }
            });
            held.wait_for(1, || under_way.is_finished());
            let finishing = scope.spawn(|| store::finish_upgrade(&settings).unwrap());
            held.wait_for(2, || finishing.is_finished());
            drop(held);
            under_way.join().unwrap();
            let _ = finishing.join().unwrap();
        });
        let left = database.lines(
            "SELECT id AS line FROM accounts WHERE NOT commits_stock UNION ALL SELECT id FROM orders WHERE NOT commits",
        );
        assert_eq!(left, Vec::<String>::new(), "{lock}");
    }
    assert_eq!(level(&shop, &mug, &first(&shop)), (19, 1));
}
