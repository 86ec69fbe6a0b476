//! Where orders take from, and where what they took goes back to.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, put, store, take_anywhere};
use crate::orders::shop::{Shop, id};

testkit::on_both!(
    in_spanish:
    an_order_takes_from_the_default_warehouse_alone,
    an_order_may_name_its_warehouse,
    any_warehouse_serves_by_priority_and_several_if_need_be,
    what_is_promised_goes_back_where_it_came_from,
    what_was_shipped_comes_back_where_it_is_said_to,
    the_inventory_of_a_product_is_that_of_all_warehouses,
    low_stock_is_told_of_all_warehouses_together,
);

fn an_order_takes_from_the_default_warehouse_alone(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 3);
    let north = store(&shop, "Norte", 1);
    put(&shop, &mug, &north, 5);
    assert_eq!(shop.stock(&mug), 8);
    let message = shop.try_order(&[(&mug, 4)]).refused(409, "insufficient_stock");
    assert!(["3", "4", "5"].iter().all(|number| message.contains(number)), "{message}");
    let _ = shop.order(&[(&mug, 2)]);
    assert_eq!((level(&shop, &mug, &first(&shop)), level(&shop, &mug, &north)), ((1, 2), (5, 0)));

    let named = json!({"defaultWarehouseId": north});
    let set = shop.client.send("PUT", "/stock/settings", &named).expect(200);
    assert_eq!(set["defaultWarehouseId"], json!(north));
    let _ = shop.order(&[(&mug, 5)]);
    assert_eq!((level(&shop, &mug, &first(&shop)), level(&shop, &mug, &north)), ((1, 2), (0, 5)));
    let quarantine = json!({"name": "Mermas", "kind": "quarantine"});
    let quarantine = id(&shop.make("/warehouses", &quarantine));
    let wrong = json!({"defaultWarehouseId": quarantine});
    let message =
        shop.client.send("PUT", "/stock/settings", &wrong).refused(400, "validation_failed");
    assert!(message.contains("defaultWarehouseId"), "{message}");
}

fn an_order_may_name_its_warehouse(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 3);
    let north = store(&shop, "Norte", 1);
    let quarantine = json!({"name": "Mermas", "kind": "quarantine"});
    let quarantine = id(&shop.make("/warehouses", &quarantine));
    put(&shop, &mug, &north, 5);
    put(&shop, &mug, &quarantine, 9);
    assert_eq!(shop.stock(&mug), 8, "what lies in quarantine is not for sale");
    let named = |warehouse: &str, quantity| {
        let mut cart = shop.cart(&[(&mug, quantity)]);
        cart["warehouseId"] = json!(warehouse);
        shop.client.post("/orders", &cart)
    };
    let _ = named(&north, 4).expect(201);
    assert_eq!(level(&shop, &mug, &north), (1, 4));
    let _ = named(&first(&shop), 3).expect(201);
    let _ = named(&north, 2).refused(409, "insufficient_stock");
    let message = named(&quarantine, 1).refused(400, "validation_failed");
    assert!(message.contains("warehouseId"), "{message}");
    let nothing = named("whs_01ARZ3NDEKTSV4RRFFQ69G5FAV", 1).refused(400, "validation_failed");
    assert!(nothing.contains("warehouseId"), "{nothing}");
}

fn any_warehouse_serves_by_priority_and_several_if_need_be(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 4), shop.product("PLUMA", 1.0, 4));
    let (north, south) = (store(&shop, "Norte", 1), store(&shop, "Sur", 500));
    put(&shop, &mug, &north, 2);
    put(&shop, &mug, &south, 10);
    put(&shop, &pen, &south, 3);
    take_anywhere(&shop);
    let home = first(&shop);
    // The first that has the whole order.
    let _ = shop.order(&[(&mug, 2)]);
    assert_eq!(level(&shop, &mug, &north), (0, 2));
    let _ = shop.order(&[(&mug, 3), (&pen, 1)]);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &pen, &home)), ((1, 3), (3, 1)));
    // Then by line, and only then in parts.
    let order = shop.order(&[(&mug, 11), (&pen, 2)]);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &south)), ((0, 4), (0, 10)));
    assert_eq!(level(&shop, &pen, &home), (1, 3));
    let _ = shop.try_order(&[(&mug, 1)]).refused(409, "insufficient_stock");
    let _ = shop.step(&id(&order), "shipped").expect(200);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &south)), ((0, 3), (0, 0)));
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (0, 4));
}

fn what_is_promised_goes_back_where_it_came_from(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 4);
    let north = store(&shop, "Norte", 500);
    put(&shop, &mug, &north, 4);
    take_anywhere(&shop);
    let home = first(&shop);
    let order = shop.order_id(&[(&mug, 7)]);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &north)), ((0, 4), (1, 3)));
    let _ = shop.step(&order, "paid").expect(200);
    // What is not sent after all is taken off the smallest part, or where it is said to lie.
    let returns = format!("/orders/{order}/returns");
    let back = |quantity: i64, more: Value| {
        let mut line = json!({"line": 1, "quantity": quantity, "restock": true});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        shop.client.post(&returns, &json!({"items": [line], "reason": "Menos"}))
    };
    let _ = back(1, json!({})).expect(201);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &north)), ((0, 4), (2, 2)));
    let _ = back(1, json!({"warehouseId": home})).expect(201);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &north)), ((1, 3), (2, 2)));
    let _ = back(1, json!({"restock": false})).expect(201);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &north)), ((1, 3), (2, 1)));
    let _ = back(2, json!({})).expect(201);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &north)), ((2, 2), (3, 0)));
    let message = back(1, json!({"warehouseId": north})).refused(400, "validation_failed");
    assert!(message.contains("items[0].warehouseId"), "{message}");
    let _ = shop.step(&order, "cancelled").expect(200);
    assert_eq!((level(&shop, &mug, &home), level(&shop, &mug, &north)), ((4, 0), (3, 0)));
    // What is out of the catalog is promised no longer, and has no shelf.
    let order = shop.order_id(&[(&mug, 6)]);
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    let _ = shop.step(&order, "cancelled").expect(200);
}

fn what_was_shipped_comes_back_where_it_is_said_to(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 0);
    let north = store(&shop, "Norte", 500);
    let quarantine = json!({"name": "Mermas", "kind": "quarantine"});
    let quarantine = id(&shop.make("/warehouses", &quarantine));
    put(&shop, &mug, &north, 4);
    take_anywhere(&shop);
    let order = shop.order_id(&[(&mug, 4)]);
    let _ = shop.step(&order, "shipped").expect(200);
    let returns = format!("/orders/{order}/returns");
    let back = |more: Value| {
        let mut line = json!({"line": 1, "quantity": 1, "restock": true});
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        shop.client.post(&returns, &json!({"items": [line], "reason": "Rota"}))
    };
    let _ = back(json!({})).expect(201);
    let _ = back(json!({"warehouseId": quarantine})).expect(201);
    let _ = back(json!({"warehouseId": first(&shop)})).expect(201);
    let levels = [&north, &quarantine, &first(&shop)].map(|place| level(&shop, &mug, place));
    assert_eq!(levels, [(1, 0), (1, 0), (1, 0)]);
    assert_eq!(shop.stock(&mug), 2);
}

fn the_inventory_of_a_product_is_that_of_all_warehouses(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 4);
    let (north, south) = (store(&shop, "Norte", 500), store(&shop, "Sur", 1));
    put(&shop, &mug, &north, 5);
    put(&shop, &mug, &south, 6);
    let path = format!("/products/{mug}");
    let levels =
        || [first(&shop), north.clone(), south.clone()].map(|at| level(&shop, &mug, &at).0);
    let set = |count: i64| shop.client.patch(&path, &json!({"inventory": count})).expect(200);
    assert_eq!(set(17)["inventory"], 17);
    assert_eq!(levels(), [6, 5, 6]);
    // Down in the default warehouse, then by priority.
    assert_eq!(set(3)["inventory"], 3);
    assert_eq!(levels(), [0, 3, 0]);
    let delta = shop.client.patch(&path, &json!({"inventoryDelta": 2})).expect(200);
    assert_eq!((&delta["inventory"], levels()), (&json!(5), [2, 3, 0]));
    let _ =
        shop.client.patch(&path, &json!({"inventoryDelta": -6})).refused(409, "insufficient_stock");
    let _ = shop.client.delete(&path).expect(200);
}

fn low_stock_is_told_of_all_warehouses_together(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let body = json!({"name": "Taza", "price": 1, "inventory": 4, "lowStockThreshold": 5});
    let mug = id(&shop.make("/products", &body));
    let north = store(&shop, "Norte", 500);
    put(&shop, &mug, &north, 4);
    take_anywhere(&shop);
    let told = || {
        shop.told("inventory.low").iter().map(|low| low["currentStock"].clone()).collect::<Vec<_>>()
    };
    let _ = shop.order(&[(&mug, 3)]);
    assert_eq!(told(), [json!(null); 0], "5 of 5 is not below 5");
    let order = shop.order_id(&[(&mug, 3)]);
    assert_eq!(told(), [json!(2)]);
    let _ = shop.step(&order, "cancelled").expect(200);
    put(&shop, &mug, &first(&shop), -1);
    assert_eq!(told(), [json!(2), json!(4)]);
}
