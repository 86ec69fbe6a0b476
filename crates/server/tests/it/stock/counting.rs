//! What people count on the shelves of a warehouse, while goods go on moving.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{first, level, put, store};
use crate::{
    orders::shop::{Shop, id},
    races::at_once,
};

testkit::on_both!(
    in_spanish:
    what_is_posted_is_the_difference_of_the_moment,
    scanners_add_up_and_lists_replace,
    a_corrected_line_is_counted_again,
    what_nobody_counted_is_left_or_gone,
    what_is_promised_and_not_found_is_named,
    of_many_orders_the_newest_are_named,
    a_count_names_what_it_is_of,
    scanners_count_at_once,
    what_moves_while_it_is_scanned_is_scanned_anew,
    a_correction_is_seen_whatever_its_moment,
    what_left_the_catalog_is_left_out,
    a_warehouse_waits_for_its_counts,
    hundreds_of_lines_are_posted_together,
);

fn open(shop: &Shop, body: &Value) -> String {
    id(&shop.make("/stock/counts", body))
}

fn scan(shop: &Shop, count: &str, code: &str, quantity: i64) -> testkit::Reply {
    let body = json!({"code": code, "quantity": quantity, "by": "Luis"});
    shop.client.post(&format!("/stock/counts/{count}/scan"), &body)
}

fn restart(shop: &Shop, count: &str, code: &str, quantity: i64) -> testkit::Reply {
    let body = json!({"code": code, "quantity": quantity, "restart": true});
    shop.client.post(&format!("/stock/counts/{count}/scan"), &body)
}

fn set(shop: &Shop, count: &str, items: &Value) -> testkit::Reply {
    let body = json!({"by": "Ana", "items": items});
    shop.client.send("PUT", &format!("/stock/counts/{count}/lines"), &body)
}

fn post(shop: &Shop, count: &str, body: &Value) -> testkit::Reply {
    shop.client.post(&format!("/stock/counts/{count}/post"), body)
}

fn lines(shop: &Shop, count: &str, query: &str) -> Vec<Value> {
    let page = shop.client.get(&format!("/stock/counts/{count}/lines{query}")).expect(200);
    page["data"].as_array().unwrap().clone()
}

fn what_is_posted_is_the_difference_of_the_moment(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 20);
    let order = shop.order_id(&[(&mug, 4)]);
    let count = open(&shop, &json!({"note": "Conteo de enero"}));
    let line = scan(&shop, &count, "TAZA", 19).expect(200);
    let shown = |field: &str| line[field].clone();
    assert_eq!(
        (shown("snapshot"), shown("onHandThen"), shown("difference")),
        (json!(20), json!(20), json!(-1))
    );
    assert_eq!((shown("countedBy"), shown("posted")), (json!("Luis"), json!(false)));
    // What was counted leaves, and more is bought.
    let _ = shop.step(&order, "shipped").expect(200);
    let _ = shop.order(&[(&mug, 3)]);
    let receipt = json!({"items": [{"sku": "TAZA", "quantity": 5}]});
    let _ = shop.make("/stock/receipts", &receipt);
    assert_eq!(level(&shop, &mug, &first(&shop)), (18, 3));
    let posted = post(&shop, &count, &json!({})).expect(200);
    assert_eq!((&posted["status"], &posted["posted"]), (&json!("posted"), &json!(1)));
    assert_eq!(level(&shop, &mug, &first(&shop)), (17, 3));
    let rows = shop.client.get(&format!("/stock/movements?reference={count}")).expect(200);
    let row = &rows["data"][0];
    assert_eq!(
        (&row["reason"], &row["delta"], &row["note"]),
        (&json!("count"), &json!(-1), &json!("Luis"))
    );
    for refused in [
        scan(&shop, &count, "TAZA", 1),
        post(&shop, &count, &json!({})),
        shop.client.act(&format!("/stock/counts/{count}/cancel")),
    ] {
        let _ = refused.refused(409, "invalid_transition");
    }
    let all = shop.client.get("/stock/counts?status=posted").expect(200);
    assert_eq!(all["data"], json!([posted]));
    assert_eq!(shop.client.get(&format!("/stock/counts/{count}")).expect(200), posted);
}

fn scanners_add_up_and_lists_replace(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let variants = json!([{"name": "Azul", "sku": "G-A", "ean": "7501031311309", "inventory": 4}]);
    let cap =
        json!({"name": "Gorra", "sku": "G", "price": 5, "inventory": 2, "variants": variants});
    let cap = id(&shop.make("/products", &cap));
    let count = open(&shop, &json!({}));
    assert_eq!(lines(&shop, &count, "").len(), 2);
    let _ = scan(&shop, &count, "7501031311309", 2).expect(200);
    assert_eq!(scan(&shop, &count, "G-A", 1).expect(200)["countedQuantity"], 3);
    assert_eq!(lines(&shop, &count, "?counted=false")[0]["variantId"], Value::Null);
    let items = json!([{"ean": "7501031311309", "countedQuantity": 5}, {"productId": cap, "countedQuantity": 2}]);
    let counting = set(&shop, &count, &items).expect(200);
    assert_eq!((&counting["status"], &counting["counted"]), (&json!("counting"), &json!(2)));
    let counted = lines(&shop, &count, "?counted=true");
    let quantities: Vec<_> = counted.iter().map(|line| line["countedQuantity"].clone()).collect();
    assert!(quantities.contains(&json!(5)) && quantities.contains(&json!(2)), "{quantities:?}");
    let cleared =
        set(&shop, &count, &json!([{"productId": cap, "countedQuantity": null}])).expect(200);
    assert_eq!((&cleared["lines"], &cleared["counted"]), (&json!(2), &json!(1)));
    // A barcode number that several have names none of them: the message names them.
    let pair = ["P1", "P2"].map(|sku| {
        let pair = json!({"name": sku, "sku": sku, "price": 1, "ean": "4006381333931"});
        id(&shop.make("/products", &pair))
    });
    let message = scan(&shop, &count, "4006381333931", 1).refused(400, "validation_failed");
    assert!(pair.iter().all(|product| message.contains(product)), "{message}");
    // A product that came later is added.
    let mug = shop.product("TAZA", 1.0, 0);
    let _ = scan(&shop, &count, "TAZA", 3).expect(200);
    assert!(scan(&shop, &count, "NADA", 1).refused(400, "validation_failed").contains("code"));
    let unknown =
        json!([{"productId": mug, "countedQuantity": 1}, {"sku": "NADA", "countedQuantity": 1}]);
    assert!(
        set(&shop, &count, &unknown).refused(400, "validation_failed").contains("items[1].sku")
    );
    let posted = post(&shop, &count, &json!({})).expect(200);
    assert_eq!((&posted["lines"], &posted["posted"]), (&json!(3), &json!(2)));
    assert_eq!((shop.stock(&mug), shop.stock(&cap)), (3, 2));
}

fn a_corrected_line_is_counted_again(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 20), shop.product("PLUMA", 1.0, 9));
    let count = open(&shop, &json!({}));
    let _ = scan(&shop, &count, "TAZA", 18).expect(200);
    let _ = scan(&shop, &count, "PLUMA", 8).expect(200);
    // Somebody else has found that two are missing.
    put(&shop, &mug, &first(&shop), -2);
    let message = post(&shop, &count, &json!({})).refused(409, "conflict");
    assert!(message.contains("TAZA") && !message.contains("PLUMA"), "{message}");
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (18, 9), "nothing was posted");
    let some = post(&shop, &count, &json!({"items": [{"sku": "PLUMA"}]})).expect(200);
    assert_eq!((&some["status"], &some["posted"]), (&json!("counting"), &json!(1)));
    let _ = scan(&shop, &count, "TAZA", 18).refused(409, "stock_moved");
    assert_eq!(restart(&shop, &count, "TAZA", 18).expect(200)["countedQuantity"], 18);
    let message = set(&shop, &count, &json!([{"sku": "PLUMA", "countedQuantity": 1}]))
        .refused(400, "validation_failed");
    assert!(message.contains("items[0]"), "{message}");
    let _ = post(&shop, &count, &json!({})).expect(200);
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (18, 8));
}

fn what_nobody_counted_is_left_or_gone(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 20), shop.product("PLUMA", 1.0, 9));
    let left = open(&shop, &json!({}));
    let _ = scan(&shop, &left, "TAZA", 20).expect(200);
    let _ = post(&shop, &left, &json!({})).expect(200);
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (20, 9));
    let gone = open(&shop, &json!({"uncounted": "zero"}));
    let _ = scan(&shop, &gone, "TAZA", 19).expect(200);
    let posted = post(&shop, &gone, &json!({})).expect(200);
    assert_eq!((&posted["counted"], &posted["posted"]), (&json!(2), &json!(2)));
    assert_eq!((shop.stock(&mug), shop.stock(&pen)), (19, 0));
    assert_eq!(shop.told("inventory.low").len(), 1);
    let called_off = open(&shop, &json!({"uncounted": "zero"}));
    let cancelled = shop.client.act(&format!("/stock/counts/{called_off}/cancel")).expect(200);
    assert_eq!((&cancelled["status"], shop.stock(&mug)), (&json!("cancelled"), 19));
}

fn what_is_promised_and_not_found_is_named(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 5), shop.product("PLUMA", 1.0, 9));
    let order = shop.order(&[(&mug, 4)]);
    let count = open(&shop, &json!({}));
    let _ = set(
        &shop,
        &count,
        &json!([{"sku": "TAZA", "countedQuantity": 2}, {"sku": "PLUMA", "countedQuantity": 7}]),
    );
    let message = post(&shop, &count, &json!({})).refused(409, "insufficient_stock");
    let number = order["orderNumber"].as_str().unwrap();
    assert!(message.contains("TAZA") && message.contains(number), "{message}");
    let _ = post(&shop, &count, &json!({"items": [{"sku": "PLUMA"}]})).expect(200);
    assert_eq!(shop.stock(&pen), 7);
    // An order of which all that was promised has left holds nothing.
    let gone = shop.order(&[(&mug, 1), (&pen, 1)]);
    let _ = shop.make(
        &format!("/orders/{}/shipments", id(&gone)),
        &json!({"items": [{"line": 1, "quantity": 1}]}),
    );
    let message = post(&shop, &count, &json!({})).refused(409, "insufficient_stock");
    let gone = gone["orderNumber"].as_str().unwrap();
    assert!(message.contains(number) && !message.contains(gone), "{message}");
    let _ = shop.step(&id(&order), "cancelled");
    let _ = post(&shop, &count, &json!({})).expect(200);
    assert_eq!(level(&shop, &mug, &first(&shop)), (1, 0));
    // What was not found has left after all.
    let none = open(&shop, &json!({}));
    let _ = set(&shop, &none, &json!([{"sku": "TAZA", "countedQuantity": 0}])).expect(200);
    let _ = shop.step(&shop.order_id(&[(&mug, 1)]), "shipped").expect(200);
    let _ = post(&shop, &none, &json!({})).refused(409, "stock_moved");
}

fn of_many_orders_the_newest_are_named(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 20);
    let count = open(&shop, &json!({}));
    let _ = set(&shop, &count, &json!([{"sku": "TAZA", "countedQuantity": 0}])).expect(200);
    let mut numbers = Vec::new();
    let mut refused = |orders: usize| {
        for _ in 0..orders {
            numbers.push(shop.order(&[(&mug, 1)])["orderNumber"].as_str().unwrap().to_owned());
        }
        let message = post(&shop, &count, &json!({})).refused(409, "insufficient_stock");
        let is_named = |number: &String| message.contains(number);
        let words: String = message.chars().filter(|letter| !letter.is_numeric()).collect();
        (numbers.iter().map(is_named).collect::<Vec<_>>(), words)
    };
    let (named, all) = refused(5);
    assert_eq!(named, [true; 5]);
    let (named, some) = refused(1);
    assert_eq!(named, [false, true, true, true, true, true]);
    assert_ne!(some, all, "it says that there are others");
}

fn a_count_names_what_it_is_of(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 5);
    let _ = shop.product("PLUMA", 1.0, 9);
    let north = store(&shop, "Norte", 1);
    let count = open(&shop, &json!({"warehouseId": north, "items": [{"sku": "TAZA"}]}));
    let only = lines(&shop, &count, "");
    assert_eq!((only.len(), &only[0]["snapshot"]), (1, &json!(0)));
    let uncounted = post(&shop, &count, &json!({"items": [{"sku": "TAZA"}]}));
    assert!(uncounted.refused(400, "validation_failed").contains("items"));
    let _ = scan(&shop, &count, "TAZA", 2).expect(200);
    let _ = post(&shop, &count, &json!({})).expect(200);
    assert_eq!((level(&shop, &mug, &north), shop.stock(&mug)), ((2, 0), 7));
    let wrong = json!({"items": [{"sku": "NADA"}]});
    let message = shop.client.post("/stock/counts", &wrong).refused(400, "validation_failed");
    assert!(message.contains("items[0].sku"), "{message}");
    let nothing = open(&shop, &json!({"warehouseId": store(&shop, "Sur", 2)}));
    let empty = post(&shop, &nothing, &json!({})).expect(200);
    assert_eq!((&empty["status"], &empty["lines"]), (&json!("posted"), &json!(0)));
}

fn scanners_count_at_once(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 40);
    let count = open(&shop, &json!({}));
    let scans =
        at_once(8, |_| (0..5).map(|_| scan(&shop, &count, "TAZA", 1).status).collect::<Vec<_>>());
    assert!(scans.iter().flatten().all(|status| *status == 200));
    let posts = at_once(4, |_| post(&shop, &count, &json!({})).status);
    assert_eq!(posts.iter().filter(|status| **status == 200).count(), 1);
    assert_eq!(shop.stock(&mug), 40);
}

fn what_moves_while_it_is_scanned_is_scanned_anew(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 9);
    let count = open(&shop, &json!({}));
    let _ = scan(&shop, &count, "TAZA", 3).expect(200);
    // What is promised stays where it is.
    let order = shop.order_id(&[(&mug, 1)]);
    assert_eq!(scan(&shop, &count, "TAZA", 1).expect(200)["countedQuantity"], 4);
    let _ = shop.step(&order, "shipped").expect(200);
    let _ = scan(&shop, &count, "TAZA", 2).refused(409, "stock_moved");
    // As many as there were, and not the same ones.
    let _ = shop.make("/stock/receipts", &json!({"items": [{"sku": "TAZA", "quantity": 1}]}));
    let _ = scan(&shop, &count, "TAZA", 2).refused(409, "stock_moved");
    let line = restart(&shop, &count, "TAZA", 5).expect(200);
    assert_eq!((&line["countedQuantity"], &line["onHandThen"]), (&json!(5), &json!(9)));
    assert_eq!(scan(&shop, &count, "TAZA", 3).expect(200)["countedQuantity"], 8);
    let _ = shop.step(&shop.order_id(&[(&mug, 2)]), "shipped").expect(200);
    let posted = post(&shop, &count, &json!({})).expect(200);
    assert_eq!((&posted["posted"], shop.stock(&mug)), (&json!(1), 6));
}

fn a_correction_is_seen_whatever_its_moment(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 9);
    put(&shop, &mug, &first(&shop), 1);
    let count = open(&shop, &json!({}));
    let _ = scan(&shop, &count, "TAZA", 8).expect(200);
    put(&shop, &mug, &first(&shop), -2);
    // As a node would have written it whose clock runs behind.
    let written =
        shop.app.database.lines("SELECT id AS line FROM stock_movements WHERE delta = -2");
    let named = |id: &str| {
        let sql = format!("UPDATE stock_movements SET id = '{id}' WHERE delta = -2");
        shop.app.database.execute(&sql);
    };
    named("mov_00000000000000000000000000");
    let _ = post(&shop, &count, &json!({})).refused(409, "conflict");
    let _ = set(&shop, &count, &json!([{"sku": "TAZA", "countedQuantity": 8}])).expect(200);
    let _ = post(&shop, &count, &json!({})).expect(200);
    assert_eq!(shop.stock(&mug), 8);
    named(&written[0]);
}

fn what_left_the_catalog_is_left_out(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let (mug, pen) = (shop.product("TAZA", 10.0, 5), shop.product("PLUMA", 1.0, 9));
    let count = open(&shop, &json!({"uncounted": "zero"}));
    let counted =
        json!([{"sku": "TAZA", "countedQuantity": 4}, {"sku": "PLUMA", "countedQuantity": 7}]);
    let _ = set(&shop, &count, &counted).expect(200);
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    let named = json!({"items": [{"productId": pen}, {"productId": mug}]});
    let message = post(&shop, &count, &named).refused(400, "validation_failed");
    assert!(message.contains("items[1].productId"), "{message}");
    let posted = post(&shop, &count, &json!({})).expect(200);
    assert_eq!((&posted["posted"], &posted["leftOut"]), (&json!(1), &json!(1)));
    let of_mug = lines(&shop, &count, "").into_iter().find(|line| line["productId"] == json!(mug));
    assert_eq!((&of_mug.unwrap()["posted"], shop.stock(&pen)), (&json!(false), 7));
    let left = format!(
        "SELECT product_id AS line FROM stock_levels WHERE product_id = '{mug}' AND quantity <> 0"
    );
    assert_eq!(shop.app.database.lines(&left), [""; 0]);
}

fn a_warehouse_waits_for_its_counts(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let _ = shop.product("TAZA", 10.0, 5);
    let north = store(&shop, "Norte", 1);
    let remove = || shop.client.delete(&format!("/warehouses/{north}"));
    for end in ["post", "cancel"] {
        let count = open(&shop, &json!({"warehouseId": north, "items": [{"sku": "TAZA"}]}));
        assert!(remove().refused(409, "conflict").contains(&count));
        let _ = set(&shop, &count, &json!([{"sku": "TAZA", "countedQuantity": 0}])).expect(200);
        assert!(remove().refused(409, "conflict").contains(&count));
        let over = match end {
            "post" => post(&shop, &count, &json!({})),
            _ => shop.client.act(&format!("/stock/counts/{count}/cancel")),
        };
        let _ = over.expect(200);
    }
    let _ = remove().expect(200);
}

fn hundreds_of_lines_are_posted_together(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let north = store(&shop, "Norte", 1);
    let variants: Vec<Value> = (0..100)
        .map(|number| json!({"name": format!("V-{number}"), "sku": format!("V-{number}"), "inventory": 2}))
        .collect();
    let cap =
        json!({"name": "Gorra", "sku": "G", "price": 5, "inventory": 2, "variants": variants});
    let cap = id(&shop.make("/products", &cap));
    let items = |field: &str, quantity: i64| -> Vec<Value> {
        (0..100).map(|number| json!({"sku": format!("V-{number}"), field: quantity})).collect()
    };
    let count = open(&shop, &json!({"warehouseId": north}));
    let twice = json!([{"sku": "V-1", "countedQuantity": 1}, {"sku": "V-1", "countedQuantity": 2}]);
    let message = set(&shop, &count, &twice).refused(400, "validation_failed");
    assert!(message.contains("items[1]"), "{message}");
    let counted = set(&shop, &count, &json!(items("countedQuantity", 3))).expect(200);
    assert_eq!((&counted["lines"], &counted["counted"]), (&json!(100), &json!(100)));
    let _ = set(&shop, &count, &json!(items("countedQuantity", 4))).expect(200);
    assert_eq!(post(&shop, &count, &json!({})).expect(200)["posted"], 100);
    let body = json!({"fromWarehouseId": north, "toWarehouseId": first(&shop), "items": items("quantity", 3)});
    let transfer = id(&shop.make("/transfers", &body));
    let _ = shop.client.act(&format!("/transfers/{transfer}/dispatch")).expect(200);
    let over = json!({"items": [{"line": 7, "received": 2, "found": 1, "reason": "Iban más"}], "final": true});
    let over = shop.client.post(&format!("/transfers/{transfer}/receive"), &over).expect(200);
    assert_eq!((&over["items"][6]["lost"], &over["items"][99]["lost"]), (&json!(1), &json!(3)));
    let gone = open(&shop, &json!({"uncounted": "zero"}));
    assert_eq!(post(&shop, &gone, &json!({})).expect(200)["posted"], 101);
    let inventory = shop.client.get(&format!("/products/{cap}")).expect(200)["variants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|variant| variant["inventory"].as_i64().unwrap())
        .sum::<i64>();
    assert_eq!((inventory, shop.stock(&cap)), (100, 0), "what lies in the other one");
}
