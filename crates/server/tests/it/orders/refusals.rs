//! Orders that are not placed: each fault is named, and nothing has changed.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::shop::{Shop, id};

on_both!(
    in_spanish:
    a_product_that_is_sold_by_its_variants_names_them,
    a_fault_is_named_by_its_field_and_changes_nothing,
    all_faults_are_named_in_one_message,
    an_oversold_order_changes_nothing,
    as_many_items_as_allowed_are_sold_and_no_more,
);

fn a_fault_is_named_by_its_field_and_changes_nothing(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let pen = json!({"name": "Pen", "sku": "PEN", "price": 2, "currency": "USD", "inventory": 9});
    let pen = id(&shop.make("/products", &pen));
    let old =
        json!({"name": "Old", "sku": "OLD", "price": 2, "status": "archived", "inventory": 9});
    let old = id(&shop.make("/products", &old));
    let stranger = shop.app.client();
    let theirs = json!({"name": "Theirs", "price": 2, "inventory": 9});
    let theirs = id(&stranger.post("/products", &theirs).expect(201));
    let them = id(&stranger.post("/customers", &json!({"name": "Eva"})).expect(201));
    let nobody = "cus_01JD3V9QK4W8N2RZ6T5B7C0XEA";
    let nothing = "prd_01JD3V9QK4W8N2RZ6T5B7C0XEA";
    let no_variant = "var_01JD3V9QK4W8N2RZ6T5B7C0XEA";

    let us = &shop.customer;
    let one = |product: &str| json!([{"productId": product, "quantity": 1}]);
    let pieces = |quantity: Value| json!([{"productId": mug, "quantity": quantity}]);
    let cases = [
        (json!({"customerId": nobody, "items": one(&mug)}), "customerId"),
        (json!({"customerId": them, "items": one(&mug)}), "customerId"),
        (json!({"customerId": "ana", "items": one(&mug)}), "customerId"),
        (json!({"customerId": null, "items": one(&mug)}), "customerId"),
        (json!({"items": one(&mug)}), "customerId"),
        (json!({"customerId": us}), "items"),
        (json!({"customerId": us, "items": []}), "items"),
        (json!({"customerId": us, "items": {}}), "items"),
        (json!({"customerId": us, "items": [[]]}), "items[0]"),
        (json!({"customerId": us, "items": one(nothing)}), "items[0].productId"),
        (json!({"customerId": us, "items": one(&theirs)}), "items[0].productId"),
        (json!({"customerId": us, "items": one(&old)}), "items[0].productId"),
        (json!({"customerId": us, "items": one("TAZA")}), "items[0].productId"),
        (shop.cart(&[(&mug, 1), (&pen, 1)]), "items[1].productId"),
        (
            json!({"customerId": us, "items": [{"productId": mug, "variantId": no_variant, "quantity": 1}]}),
            "items[0].variantId",
        ),
        (json!({"customerId": us, "items": pieces(json!(0))}), "items[0].quantity"),
        (json!({"customerId": us, "items": pieces(json!(-1))}), "items[0].quantity"),
        (json!({"customerId": us, "items": pieces(json!(1.5))}), "items[0].quantity"),
        (json!({"customerId": us, "items": pieces(json!("2"))}), "items[0].quantity"),
        (json!({"customerId": us, "items": pieces(json!(1e300))}), "items[0].quantity"),
        (json!({"customerId": us, "items": pieces(json!(u64::MAX))}), "items[0].quantity"),
        (json!({"customerId": us, "items": [{"productId": mug}]}), "items[0].quantity"),
        (json!({"customerId": us, "items": one(&mug), "discount": 5}), "discount"),
        (json!({"customerId": us, "items": one(&mug), "status": "paid"}), "status"),
        (
            json!({"customerId": us, "items": one(&mug), "fulfillmentStatus": "fulfilled"}),
            "fulfillmentStatus",
        ),
        (json!({"customerId": us, "items": one(&mug), "carrier": "DHL"}), "carrier"),
    ];
    for (cart, field) in cases {
        let message = shop.client.post("/orders", &cart).refused(400, "validation_failed");
        assert!(message.contains(field), "{field} in {message:?} for {cart}");
    }
    assert_eq!((shop.orders(), shop.stock(&mug)), (0, 10));
    assert_eq!(shop.order_events(), [""; 0]);
}

fn all_faults_are_named_in_one_message(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let cart = json!({"items": [{"productId": "x"}, {"quantity": 0}], "coupon": "A"});
    let message = shop.client.post("/orders", &cart).refused(400, "validation_failed");
    for field in [
        "customerId",
        "items[0].productId",
        "items[0].quantity",
        "items[1].productId",
        "items[1].quantity",
        "coupon",
    ] {
        assert!(message.contains(field), "{field} in {message:?}");
    }
    // What is named and is not there, too.
    let nothing = "01JD3V9QK4W8N2RZ6T5B7C0XEA";
    let items = json!([{"productId": format!("prd_{nothing}"), "quantity": 1}]);
    let cart = json!({"customerId": format!("cus_{nothing}"), "warehouseId": format!("whs_{nothing}"),
        "priceListId": format!("pls_{nothing}"), "items": items});
    let message = shop.client.post("/orders", &cart).refused(400, "validation_failed");
    for field in ["customerId", "warehouseId", "priceListId", "items[0].productId"] {
        assert!(message.contains(&format!("{field} names no")), "{field} in {message:?}");
    }
}

fn an_oversold_order_changes_nothing(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 19.99, 10), shop.product("PLUMA", 5.0, 2));
    let message = shop.try_order(&[(&mug, 6), (&pen, 3)]).refused(409, "insufficient_stock");
    for named in ["PLUMA", "2 in stock", "3 were asked", pen.as_str()] {
        assert!(message.contains(named), "{named} in {message:?}");
    }
    assert_eq!((shop.orders(), shop.stock(&mug), shop.stock(&pen)), (0, 10, 2));
    assert_eq!(shop.order_events(), [""; 0]);
    assert_eq!(shop.told("inventory.low"), [] as [Value; 0]);

    let order = shop.order(&[(&mug, 6), (&pen, 2)]);
    assert_eq!(order["orderNumber"], "ORD-000001");
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (4, 0));
}

fn as_many_items_as_allowed_are_sold_and_no_more(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 0.01, 1_000);
    let lines = vec![(mug.as_str(), 1); 501];
    let message = shop.try_order(&lines).refused(400, "validation_failed");
    assert!(message.contains("items") && message.contains("500"), "{message}");
    let order = shop.order(&lines[..500]);
    assert_eq!((order["items"].as_array().unwrap().len(), &order["totalAmount"]), (500, &json!(5)));
    assert_eq!(shop.stock(&mug), 500);
}

fn a_product_that_is_sold_by_its_variants_names_them(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let shirt = json!({"name": "Playera", "sku": "PLA", "price": 100,
        "variants": [{"name": "Chica", "inventory": 5}, {"name": "Grande", "inventory": 5}]});
    let shirt = shop.make("/products", &shirt);
    let message = shop.try_order(&[(&id(&shirt), 1)]).refused(409, "insufficient_stock");
    let [small, large] = [&shirt["variants"][0], &shirt["variants"][1]].map(id);
    assert_eq!(
        message,
        format!(
            "SKU \"PLA\" has 0 in stock without a variant, 1 were asked for; name the variant as variantId: {small} \
             (Chica), {large} (Grande)"
        )
    );
}
