//! The count of stock, its ledger, and the warning when it falls low.

use serde_json::{Value, json};
use testkit::DatabaseKind;

use super::{ALL, order, taza};
use crate::customers::Desk;

testkit::on_both!(
    a_recount_is_written_into_the_ledger,
    a_deletion_removes_the_stock,
    low_stock_is_told_once_a_crossing,
    orders_cross_the_threshold_too,
    the_account_s_threshold_counts_unless_the_product_has_one,
    variants_run_low_by_themselves,
);

/// The rows of the ledger, oldest first: reason, change, count afterwards.
fn ledger(desk: &Desk, product: &Value) -> Vec<String> {
    let id = product["id"].as_str().unwrap();
    desk.app.database.lines(&format!(
        "SELECT reason || ' ' || delta || ' ' || quantity_after AS line FROM stock_movements \
         WHERE product_id = '{id}' ORDER BY id"
    ))
}

/// The counts at which stock was told to be low.
fn told(desk: &Desk) -> Vec<Value> {
    desk.events("inventory.low").iter().map(|data| data["currentStock"].clone()).collect()
}

fn a_recount_is_written_into_the_ledger(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = taza(&desk, 10);
    let place = Desk::place(ALL, &made);
    for (count, tag_changes) in [(7, true), (7, false), (0, true), (12, true)] {
        let before = desk.tag(&place);
        assert_eq!(desk.change(&place, &json!({"inventory": count}))["inventory"], count);
        assert_eq!(desk.tag(&place) != before, tag_changes, "{count}");
    }
    let order = order(&desk, &json!([{"productId": made["id"], "quantity": 2}]));
    let cancelled = json!({"status": "cancelled", "reason": "changed mind"});
    desk.change(&Desk::place("/orders", &order), &cancelled);
    let rows = [
        "initial 10 10",
        "adjustment -3 7",
        "adjustment -7 0",
        "adjustment 12 12",
        "order -2 10",
        "cancellation 2 12",
    ];
    assert_eq!(ledger(&desk, &made), rows);
    let nothing = taza(&desk, 0);
    assert_eq!(ledger(&desk, &nothing), [""; 0], "no stock, no row");
}

fn a_deletion_removes_the_stock(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let body = json!({"name": "Taza", "price": 10, "inventory": 4,
        "variants": [{"name": "Azul", "inventory": 3}]});
    let made = desk.create(ALL, &body);
    desk.delete(ALL, made["id"].as_str().unwrap());
    let rows = ["initial 4 4", "initial 3 3", "removal -4 0", "removal -3 0"];
    assert_eq!(ledger(&desk, &made), rows);
    assert_eq!(told(&desk), [json!(null); 0], "nobody needs to restock what is gone");
}

fn low_stock_is_told_once_a_crossing(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let body = json!({"name": "Taza", "price": 1, "inventory": 10, "lowStockThreshold": 4});
    let made = desk.create(ALL, &body);
    let place = Desk::place(ALL, &made);
    for count in [5, 4, 3, 2, 0, 3, 4, 0, 1, 10, 3] {
        desk.change(&place, &json!({"inventory": count}));
    }
    assert_eq!(told(&desk), [json!(3), json!(0), json!(3)]);
    let payload = json!({"productId": made["id"], "currentStock": 3, "threshold": 4});
    assert_eq!(desk.events("inventory.low")[0], payload);
    let names = desk.event_names();
    let after = names.iter().position(|name| name == "inventory.low").unwrap();
    assert_eq!(names[after - 1], "product.updated", "the change is told first");

    // Another threshold alone is no fall of the stock.
    desk.change(&place, &json!({"inventory": 10}));
    desk.change(&place, &json!({"lowStockThreshold": 50}));
    desk.change(&place, &json!({"inventory": 9}));
    assert_eq!(told(&desk).len(), 3);
    desk.create(ALL, &json!({"name": "Pan", "price": 1, "inventory": 1}));
    assert_eq!(told(&desk).len(), 3, "a product may begin low");
}

fn orders_cross_the_threshold_too(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = taza(&desk, 8);
    let item = |quantity: u32| json!({"productId": made["id"], "quantity": quantity});
    order(&desk, &json!([item(3)]));
    assert_eq!(told(&desk), [json!(null); 0], "5 of 5 is not below 5");
    // Two lines of one product are one fall.
    let crossing = order(&desk, &json!([item(1), item(1)]));
    order(&desk, &json!([item(1)]));
    assert_eq!(told(&desk), [json!(3)]);
    let names = desk.event_names();
    let after = names.iter().position(|name| name == "inventory.low").unwrap();
    assert_eq!(names[after - 1], "order.created");
    let cancelled = json!({"status": "cancelled", "reason": "late"});
    desk.change(&Desk::place("/orders", &crossing), &cancelled);
    assert_eq!(desk.show(&Desk::place(ALL, &made))["inventory"], 4, "given back, still low");
    order(&desk, &json!([item(1)]));
    assert_eq!(told(&desk).len(), 1);
    desk.change(&Desk::place(ALL, &made), &json!({"inventory": 5}));
    order(&desk, &json!([item(5)]));
    assert_eq!(told(&desk), [json!(3), json!(0)]);
}

fn the_account_s_threshold_counts_unless_the_product_has_one(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for (threshold, fires) in [(json!(null), true), (json!(0), false), (json!(2), false)] {
        let body =
            json!({"name": "Taza", "price": 1, "inventory": 10, "lowStockThreshold": threshold});
        let made = desk.create(ALL, &body);
        let before = told(&desk).len();
        desk.change(&Desk::place(ALL, &made), &json!({"inventory": 4}));
        assert_eq!(told(&desk).len() > before, fires, "{threshold}");
    }
    assert_eq!(desk.events("inventory.low")[0]["threshold"], 5, "the account's");
}

fn variants_run_low_by_themselves(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let variants = json!([{"name": "Azul", "inventory": 9}, {"name": "Roja", "inventory": 9}]);
    let body = json!({"name": "Taza", "price": 1, "inventory": 9, "variants": variants});
    let made = desk.create(ALL, &body);
    let [blue, red] = [&made["variants"][0]["id"], &made["variants"][1]["id"]];
    let item =
        |variant: &Value| json!({"productId": made["id"], "variantId": variant, "quantity": 6});
    order(&desk, &json!([item(blue)]));
    assert_eq!(told(&desk), [json!(3)]);
    let list = json!([{"id": blue, "inventory": 1}, {"id": red, "inventory": 2}]);
    desk.change(&Desk::place(ALL, &made), &json!({"variants": list}));
    assert_eq!(told(&desk), [json!(3), json!(2)], "blue was low already");
    assert_eq!(desk.show(&Desk::place(ALL, &made))["inventory"], 9);
}
