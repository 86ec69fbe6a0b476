//! What goods cost is in the currency of their product, and has a history that is in order.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::line;
use crate::{
    imports::{faults, imported},
    orders::shop::{Shop, id},
};

testkit::on_both!(
    in_spanish:
    a_currency_changes_once_its_costs_are_cleared,
    a_change_of_a_cost_is_behind_the_one_before,
);

fn receive(shop: &Shop, item: &Value) -> Value {
    shop.make("/stock/receipts", &json!({"items": [item]}))
}

fn set(shop: &Shop, item: &Value) -> Value {
    shop.client.post("/stock/costs", &json!({"items": [item]})).expect(200)["data"][0].clone()
}

fn average(shop: &Shop, product: &str) -> Value {
    line(shop, product)["averageCost"].clone()
}

/// What stock is worth in each currency, and when.
fn worth(shop: &Shop, query: &str) -> (Vec<Value>, String) {
    let shown = shop.client.get(&format!("/stock/valuation{query}")).expect(200);
    let total = |row: &Value| json!([row["currency"], row["value"], row["unvalued"]]);
    let totals = shown["totals"].as_array().unwrap().iter().map(total).collect();
    (totals, shown["at"].as_str().unwrap().replace('+', "%2B"))
}

fn a_currency_changes_once_its_costs_are_cleared(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let variants = json!([{"name": "Azul", "sku": "TAZA-A"}]);
    let mug = json!({"name": "Taza", "sku": "TAZA", "externalId": "t-1", "price": 10, "variants": variants});
    let made = shop.make("/products", &mug);
    let (mug, blue) = (id(&made), made["variants"][0]["id"].clone());
    let receipt = receive(&shop, &json!({"sku": "TAZA", "quantity": 4, "unitCost": 5}));
    let _ = receive(&shop, &json!({"sku": "TAZA-A", "quantity": 1, "unitCost": 7}));
    // Identifiers begin with the millisecond in which they are made.
    let pause = || std::thread::sleep(std::time::Duration::from_millis(5));
    pause();
    let before = worth(&shop, "");
    pause();
    assert_eq!(before.0, [json!(["MXN", 27, 0])]);

    let path = format!("/products/{mug}");
    let dollars = json!({"currency": "USD"});
    let by_own_id = || shop.client.send("PUT", "/products/by-external-id/t-1", &dollars);
    let file = "sku,currency,price\nTAZA,USD,11\n";
    for cleared in [json!({"productId": mug}), json!({"productId": mug, "variantId": blue})] {
        let _ = shop.client.patch(&path, &dollars).refused(409, "conflict");
        let _ = by_own_id().refused(409, "conflict");
        let import = imported(&shop.client, "mode=update", file);
        assert_eq!(faults(&shop.client, &import), ["2 currency has_average_cost"]);
        let mut item = cleared;
        item["averageCost"] = Value::Null;
        let change = set(&shop, &item);
        assert_eq!(
            (&change["averageCost"], &change["reason"]),
            (&Value::Null, &json!("revaluation"))
        );
        assert!(!change["costBefore"].is_null());
    }
    assert_eq!(shop.client.get(&path).expect(200)["price"], 10);
    assert_eq!(shop.client.patch(&path, &dollars).expect(200)["currency"], "USD");
    assert_eq!(worth(&shop, "").0, [json!(["USD", 0, 5])]);

    // What is cancelled now was never in the average that there is.
    let _ = set(&shop, &json!({"sku": "TAZA", "averageCost": 0.5}));
    let _ = shop.client.act(&format!("/stock/receipts/{}/cancel", id(&receipt))).expect(200);
    assert_eq!((shop.stock(&mug), average(&shop, &mug)), (0, json!(0.5)));
    assert_eq!(worth(&shop, &format!("?at={}", before.1)), before);
    let missing = json!({"items": [{"sku": "TAZA"}]});
    let refused = shop.client.post("/stock/costs", &missing).refused(400, "validation_failed");
    assert!(refused.contains("items[0].averageCost"), "{refused}");
}

fn a_change_of_a_cost_is_behind_the_one_before(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 10.0, 4);
    let _ = set(&shop, &json!({"sku": "TAZA", "averageCost": 1}));
    // The clock of the node that made it was far ahead.
    shop.app.database.execute("UPDATE cost_changes SET id = 'cst_02ZZZZZZZZZZZZZZZZZZZZZZZZ'");
    let _ = set(&shop, &json!({"sku": "TAZA", "averageCost": 2}));
    let _ = receive(&shop, &json!({"sku": "TAZA", "quantity": 4, "unitCost": 4}));
    let page = shop.client.get(&format!("/stock/costs?productId={mug}")).expect(200);
    let costs: Vec<&Value> =
        page["data"].as_array().unwrap().iter().map(|change| &change["averageCost"]).collect();
    assert_eq!(costs, [&json!(3), &json!(2), &json!(1)]);
    assert_eq!(shop.app.database.violations(), Vec::<String>::new());
}
