//! Stock that people correct by hand.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, store};
use crate::{
    imports::{faults, imported_as},
    orders::shop::{Shop, id},
};

testkit::on_both!(
    in_spanish:
    lines_are_corrected_all_or_none,
    what_is_counted_includes_what_is_promised,
    products_are_named_by_code_too,
    a_barcode_number_of_several_products_names_none,
    an_adjustment_is_repeated_once_and_listed,
    what_moved_is_found_by_what_people_call_its_cause,
);

fn adjust(shop: &Shop, items: &Value) -> testkit::Reply {
    shop.client.post("/stock/adjustments", &json!({"reason": "correction", "items": items}))
}

fn lines_are_corrected_all_or_none(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 10), shop.product("PLUMA", 1.0, 2));
    let made = adjust(&shop, &json!([{"sku": "TAZA", "delta": -3}, {"sku": "PLUMA", "delta": 4}]));
    let made = made.expect(201);
    assert_eq!(made["items"][0]["available"], 7);
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (7, 6));
    let refused =
        adjust(&shop, &json!([{"sku": "TAZA", "delta": -1}, {"sku": "PLUMA", "delta": -7}]));
    let message = refused.refused(409, "insufficient_stock");
    assert!(message.contains("items[1]") && message.contains('6'), "{message}");
    let twice = json!([{"sku": "TAZA", "delta": 1}, {"productId": mug, "delta": 1}]);
    let message = adjust(&shop, &twice).refused(400, "validation_failed");
    assert!(message.contains("items[1]"), "{message}");
    let unknown = json!([{"sku": "NADA", "delta": 1}, {"ean": "7501031311309", "delta": 1}]);
    let message = adjust(&shop, &unknown).refused(400, "validation_failed");
    assert!(message.contains("items[0].sku") && message.contains("items[1].ean"), "{message}");
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (7, 6));
    assert_eq!(shop.told("inventory.low").len(), 0);
    let _ = adjust(&shop, &json!([{"sku": "TAZA", "countedQuantity": 4}])).expect(201);
    let low = json!({"productId": mug, "currentStock": 4, "threshold": 5});
    assert_eq!(shop.told("inventory.low"), [low]);
    assert_eq!(shop.app.metric("stock_adjustments_total"), 2.0);
}

fn what_is_counted_includes_what_is_promised(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let _ = shop.order(&[(&mug, 4)]);
    let counted =
        |count: i64| adjust(&shop, &json!([{"productId": mug, "countedQuantity": count}]));
    assert_eq!(counted(10).expect(201)["items"][0]["delta"], 0);
    assert_eq!(counted(9).expect(201)["items"][0]["delta"], -1);
    assert_eq!(level(&shop, &mug, &first(&shop)), (5, 4));
    let message = counted(3).refused(409, "insufficient_stock");
    assert!(message.contains('5') && message.contains('4'), "{message}");
    assert_eq!(counted(4).expect(201)["items"][0]["available"], 0);
}

fn products_are_named_by_code_too(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let variants = json!([{"name": "Azul", "sku": "G-A", "ean": "7501031311309", "inventory": 1}]);
    let cap =
        json!({"name": "Gorra", "sku": "G", "price": 5, "inventory": 0, "variants": variants});
    let cap = shop.make("/products", &cap);
    let north = store(&shop, "Norte", 1);
    let (product, variant) = (id(&cap), id(&cap["variants"][0]));
    for named in [
        json!({"sku": "G-A"}),
        json!({"ean": "7501031311309"}),
        json!({"productId": product, "variantId": variant}),
    ] {
        let mut line = named;
        line["delta"] = json!(1);
        line["warehouseId"] = json!(north);
        let made = adjust(&shop, &json!([line])).expect(201);
        assert_eq!(made["items"][0]["variantId"], json!(variant));
    }
    let now = shop.client.get(&format!("/products/{product}")).expect(200);
    assert_eq!((&now["inventory"], &now["variants"][0]["inventory"]), (&json!(0), &json!(4)));
    let _ = shop.client.delete(&format!("/products/{product}")).expect(200);
    let _ = adjust(&shop, &json!([{"ean": "7501031311309", "delta": 1}]))
        .refused(400, "validation_failed");
}

fn a_barcode_number_of_several_products_names_none(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let ean = "7501031311309";
    let product = |sku: &str, own: Option<&str>, of_variant: Option<&str>| {
        let variants = json!([{"name": "Azul", "sku": format!("{sku}-A"), "ean": of_variant}]);
        let body = json!({"name": sku, "sku": sku, "price": 5, "ean": own, "variants": variants});
        let made = shop.make("/products", &body);
        (id(&made), id(&made["variants"][0]))
    };
    // A product and its variant with the same one: the variant is meant.
    let (cap, blue) = product("G", Some(ean), Some(ean));
    let one = || adjust(&shop, &json!([{"ean": ean, "delta": 1}]));
    assert_eq!(one().expect(201)["items"][0]["variantId"], json!(blue));
    let (mug, _) = product("T", Some(ean), None);
    let message = one().refused(400, "validation_failed");
    assert!(message.contains("items[0].ean"), "{message}");
    assert!([&cap, &blue, &mug].iter().all(|named| message.contains(*named)), "{message}");
    let receipt = json!({"items": [{"ean": ean, "quantity": 1, "unitCost": 2}]});
    let _ = shop.client.post("/stock/receipts", &receipt).refused(400, "validation_failed");
    let count = format!("/stock/counts/{}", id(&shop.make("/stock/counts", &json!({}))));
    let scan = json!({"code": ean});
    let message = shop.client.post(&format!("{count}/scan"), &scan);
    assert!(message.refused(400, "validation_failed").contains(&mug));
    let import =
        imported_as(&shop.client, "stock", "", format!("sku,ean,delta\n,{ean},1\nT,{ean},1\n"));
    assert_eq!(faults(&shop.client, &import), ["2 ean ambiguous_ean"]);
    assert_eq!((shop.stock(&mug), shop.stock(&cap)), (1, 0));
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    let _ = one().expect(201);
}

fn an_adjustment_is_repeated_once_and_listed(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let body = json!({"reason": "damage", "note": "Se cayó", "reference": "F-7",
        "items": [{"productId": mug, "delta": -2}]});
    let post = || {
        let request = shop.client.request("POST", "/stock/adjustments");
        let request =
            request.header("Idempotency-Key", "once").header("Content-Type", "application/json");
        testkit::Reply::to(request.body(body.to_string())).expect(201)
    };
    let made = post();
    assert_eq!(post(), made);
    assert_eq!(shop.stock(&mug), 8);
    assert_eq!(shop.client.get(&format!("/stock/adjustments/{}", id(&made))).expect(200), made);
    let page = shop.client.get("/stock/adjustments").expect(200);
    assert_eq!((&page["total"], &page["data"][0]), (&json!(1), &made));
    let rows = shop.client.get(&format!("/stock/movements?reference={}", id(&made))).expect(200);
    assert_eq!(rows["data"][0]["note"], "damage: Se cayó");
}

fn what_moved_is_found_by_what_people_call_its_cause(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 10);
    let north = store(&shop, "Norte", 1);
    let order = shop.order_id(&[(&mug, 1)]);
    let item = |field: &str, many: i64| json!([{"sku": "TAZA", field: many}]);
    let adjusted = |reference: &str, delta: i64| {
        let body =
            json!({"reason": "damage", "reference": reference, "items": item("delta", delta)});
        id(&shop.make("/stock/adjustments", &body))
    };
    let (one, other) = (adjusted("M-17", -1), adjusted("M-17", -2));
    // Somebody names the order that it is about.
    let about = adjusted(&order, -1);
    let _ = adjusted("M-18", 1);
    let received = json!({"reference": "F-881", "items": item("quantity", 4)});
    let receipt = id(&shop.make("/stock/receipts", &received));
    let sent = json!({"fromWarehouseId": first(&shop), "toWarehouseId": north,
        "reference": "GUÍA 5", "items": item("quantity", 2)});
    let transfer = id(&shop.make("/transfers", &sent));
    let _ = shop.client.act(&format!("/transfers/{transfer}/dispatch")).expect(200);
    let causes = |reference: &str| {
        let query = reference.replace(' ', "%20").replace('Í', "%C3%8D");
        let page = shop.client.get(&format!("/stock/movements?reference={query}")).expect(200);
        let rows = page["data"].as_array().unwrap().iter();
        let mut causes: Vec<String> =
            rows.map(|row| row["reference"].as_str().unwrap().to_owned()).collect();
        assert_eq!(page["total"], causes.len());
        causes.sort_unstable();
        causes.dedup();
        causes
    };
    assert_eq!(causes("M-17"), [one.as_str(), other.as_str()]);
    assert_eq!(causes(&one), [one.as_str()]);
    assert_eq!(causes("F-881"), [receipt.as_str()]);
    assert_eq!(causes("GUÍA 5"), [transfer.as_str()]);
    assert_eq!(causes(&order), [about.as_str(), order.as_str()]);
    assert_eq!(causes("m-17"), [""; 0]);
    let stranger = shop.app.client_of(shop.app.account(), "*");
    let page = stranger.get("/stock/movements?reference=M-17").expect(200);
    assert_eq!(page["data"], json!([]));
}
