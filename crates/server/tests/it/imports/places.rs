//! The stock of products that lie in several warehouses, in files.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{counts, faults, imported};
use crate::{
    orders::shop::Shop,
    stock::{first, level, put, store},
};

on_both!(a_catalog_in_two_warehouses_is_exported_and_imported, a_file_takes_where_stock_is);

/// The rows of the ledger that imports have written: change and reference, the least first.
fn moved(shop: &Shop) -> Vec<(i64, String)> {
    let page = shop.client.get("/stock/movements?reason=import&limit=100").expect(200);
    let one = |row: &Value| {
        (row["delta"].as_i64().unwrap(), row["reference"].as_str().unwrap_or_default().to_owned())
    };
    let mut moved: Vec<_> = page["data"].as_array().unwrap().iter().map(one).collect();
    moved.sort();
    moved
}

/// What a table says of stock is what can be promised in all warehouses that goods are sold from.
fn a_catalog_in_two_warehouses_is_exported_and_imported(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 4), shop.product("PLUMA", 1.0, 0));
    let north = store(&shop, "Norte", 10);
    let apart = json!({"name": "Dañados", "kind": "quarantine"});
    let apart = crate::orders::shop::id(&shop.make("/warehouses", &apart));
    put(&shop, &mug, &north, 3);
    put(&shop, &mug, &apart, 9);
    put(&shop, &pen, &north, 2);
    // Two are promised: they are on the shelf, and nobody else can have them.
    let _ = shop.order(&[(&mug, 2)]);
    let csv = shop.client.get("/products/export").text;
    assert!(csv.contains("TAZA,") && csv.contains(",10,MXN,5,"), "{csv}");
    assert!(csv.contains(",1,MXN,2,"), "{csv}");
    let import = imported(&shop.client, "", csv);
    assert_eq!(counts(&import), json!([0, 0, 2, 0]), "{:?}", faults(&shop.client, &import));
    assert_eq!(level(&shop, &mug, &first(&shop)), (2, 2));
    assert_eq!(moved(&shop), []);
}

/// More goes to the default warehouse; less comes from there, then from the others by their priority.
fn a_file_takes_where_stock_is(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 4);
    let (south, north) = (store(&shop, "Sur", 20), store(&shop, "Norte", 10));
    put(&shop, &mug, &south, 5);
    put(&shop, &mug, &north, 3);
    let set = |count: i64| {
        let import = imported(&shop.client, "", format!("sku,existencia\nTAZA,{count}\n"));
        assert_eq!(counts(&import), json!([0, 1, 0, 0]), "{import}");
        import["id"].as_str().unwrap().to_owned()
    };
    let more = set(20);
    assert_eq!(level(&shop, &mug, &first(&shop)), (12, 0));
    let less = set(6);
    let left = [first(&shop), north, south].map(|place| level(&shop, &mug, &place).0);
    assert_eq!(left, [0, 1, 5]);
    assert_eq!(moved(&shop), [(-12, less.clone()), (-2, less), (8, more)]);
    // What is new lies in the default warehouse, whichever that is.
    let settings =
        json!({"defaultWarehouseId": shop.client.get("/warehouses").expect(200)["data"][0]["id"]});
    let _ = shop.client.send("PUT", "/stock/settings", &settings).expect(200);
    let import = imported(&shop.client, "", "sku,nombre,precio,existencia\nVASO,Vaso,5,7\n");
    assert_eq!(counts(&import), json!([1, 0, 0, 0]), "{import}");
    let glass = shop.client.get("/products?sku=VASO").expect(200)["data"][0].clone();
    let (glass, place) = (glass["id"].as_str().unwrap(), settings["defaultWarehouseId"].as_str());
    assert_eq!(level(&shop, glass, place.unwrap()), (7, 0));
}
