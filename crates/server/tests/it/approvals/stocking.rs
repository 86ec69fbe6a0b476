//! Stock that is corrected or sent once others have agreed.

use std::thread;

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::{Approver, Shop, id, is, level, state, ticket};
use crate::stock::{first, put, store};

on_both!(
    an_adjustment_waits_by_its_value,
    what_would_change_otherwise_supersedes,
    a_count_waits_by_what_it_found,
    a_transfer_waits_until_it_may_leave,
);

/// A shop with ten mugs that have cost 100 each, and somebody who approves what becomes of them.
fn guarded(kind: DatabaseKind, entity: &str, conditions: &Value) -> (Shop, Approver, String) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 250.0, 0);
    let receipt = json!({"items": [{"sku": "TAZA", "quantity": 10, "unitCost": 100}]});
    let _ = shop.make("/stock/receipts", &receipt);
    let (text, key) = shop.app.approving_key(shop.account, "warehouses");
    let keeper = Approver { client: shop.client.with_key(&text), key: key.to_string() };
    let rule = json!({"entityType": entity, "currency": "MXN", "conditions": conditions, "levels": [level(&[&keeper], 1)]});
    let _ = keeper.client.post("/approval-rules", &rule).expect(201);
    (shop, keeper, mug)
}

fn above(field: &str, value: i64) -> Value {
    json!([{"field": field, "op": "gt", "value": value}])
}

fn stolen(delta: i64) -> Value {
    json!({"reason": "theft", "note": "Vitrina", "items": [{"sku": "TAZA", "delta": delta}]})
}

fn an_adjustment_waits_by_its_value(kind: DatabaseKind) {
    let (shop, keeper, mug) = guarded(kind, "stock_adjustment", &above("value", 500));
    let adjust = |body: &Value| shop.client.post("/stock/adjustments", body);
    // What is worth less is corrected at once, and what could not be asks nobody.
    let _ = adjust(&stolen(-1)).expect(201);
    let _ = adjust(&stolen(-10)).refused(409, "insufficient_stock");
    assert_eq!(shop.client.get("/approvals").expect(200)["total"], 0);
    let once = || shop.client.post_once("/stock/adjustments", "k", &stolen(-6));
    let approval = ticket(&once());
    assert_eq!((ticket(&once()), shop.stock(&mug)), (approval.clone(), 9));
    let asked = shop.client.get(&format!("/approvals/{approval}")).expect(200);
    assert_eq!(
        asked["facts"],
        json!({"units": 6, "value": 600, "reason": "theft", "items": "-6 × TAZA"})
    );
    assert_eq!((&asked["currency"], &asked["reason"]), (&json!("MXN"), &json!("Vitrina")));
    let approved = keeper.approve(&approval).expect(200);
    assert_eq!((state(&approved), shop.stock(&mug)), (is("approved", "applied"), 3));
    let made = asked["entityId"].as_str().unwrap();
    let made = shop.client.get(&format!("/stock/adjustments/{made}")).expect(200);
    assert_eq!((&approved["result"]["status"], &approved["result"]["body"]), (&json!(201), &made));
    // Neither another decision nor the same call does it again.
    assert_eq!(keeper.approve(&approval).expect(200), approved);
    assert_eq!((ticket(&once()), shop.stock(&mug)), (approval, 3));
    // More of it is worth as much.
    let found = json!({"reason": "found", "items": [{"sku": "TAZA", "delta": 6}]});
    let approval = ticket(&adjust(&found));
    assert_eq!(state(&keeper.reject(&approval).expect(200)), is("rejected", "none"));
    assert_eq!(shop.stock(&mug), 3);
}

fn what_would_change_otherwise_supersedes(kind: DatabaseKind) {
    let (shop, keeper, mug) = guarded(kind, "stock_adjustment", &above("units", 4));
    let adjust = |body: &Value| ticket(&shop.client.post("/stock/adjustments", body));
    let counted = json!({"reason": "correction", "items": [{"sku": "TAZA", "countedQuantity": 2}]});
    let (counted, five, six) = (adjust(&counted), adjust(&stolen(-5)), adjust(&stolen(-6)));
    put(&shop, &mug, &first(&shop), -1);
    assert_eq!(state(&keeper.approve(&counted).expect(200)), is("superseded", "none"));
    assert_eq!(state(&keeper.approve(&five).expect(200)), is("approved", "applied"));
    let failed = keeper.approve(&six).expect(200);
    assert_eq!((state(&failed), shop.stock(&mug)), (is("approved", "failed"), 4));
    assert_eq!(failed["result"]["body"]["error"], "insufficient_stock");
    // At another cost it is another decision, whatever the rule asks.
    let again = {
        put(&shop, &mug, &first(&shop), 4);
        adjust(&stolen(-5))
    };
    let cost = json!({"items": [{"sku": "TAZA", "averageCost": 90}]});
    let _ = shop.client.post("/stock/costs", &cost);
    assert_eq!(state(&keeper.approve(&again).expect(200)), is("superseded", "none"));
}

fn a_count_waits_by_what_it_found(kind: DatabaseKind) {
    let (shop, keeper, mug) = guarded(
        kind,
        "stock_adjustment",
        &json!([{"field": "reason", "op": "eq", "value": "count"}]),
    );
    let count = id(&shop.make("/stock/counts", &json!({"note": "Conteo de enero"})));
    let set = |quantity: i64| {
        let items = json!({"items": [{"sku": "TAZA", "countedQuantity": quantity}]});
        let _ =
            shop.client.send("PUT", &format!("/stock/counts/{count}/lines"), &items).expect(200);
    };
    let post = || ticket(&shop.client.post(&format!("/stock/counts/{count}/post"), &json!({})));
    set(8);
    let first = post();
    assert_eq!((post(), shop.stock(&mug)), (first.clone(), 10));
    let asked = shop.client.get(&format!("/approvals/{first}")).expect(200);
    assert_eq!(
        asked["facts"],
        json!({"units": 2, "value": 200, "reason": "count", "items": "-2 × TAZA"})
    );
    assert_eq!((&asked["entityId"], &asked["reason"]), (&json!(count), &json!("Conteo de enero")));
    set(9);
    assert_eq!(state(&keeper.approve(&first).expect(200)), is("superseded", "none"));
    let second = post();
    // What moves meanwhile changes nothing of it.
    let _ = shop.step(&shop.order_id(&[(&mug, 3)]), "shipped").expect(200);
    let approved = keeper.approve(&second).expect(200);
    assert_eq!((state(&approved), shop.stock(&mug)), (is("approved", "applied"), 6));
    let posted = shop.client.get(&format!("/stock/counts/{count}")).expect(200);
    assert_eq!(
        (&approved["result"]["status"], &approved["result"]["body"]),
        (&json!(200), &posted)
    );
    assert_eq!(posted["status"], "posted");
}

/// What comes in between would be worth more than what was judged.
#[test]
fn a_count_is_posted_as_it_was_judged() {
    let (shop, _, mug) = guarded(DatabaseKind::Postgres, "stock_adjustment", &above("value", 500));
    let second = shop.app.again().start();
    let other = shop.client.at(&second);
    let count = id(&shop.make("/stock/counts", &json!({})));
    let lines = json!({"items": [{"sku": "TAZA", "countedQuantity": 12}]});
    let _ = shop.client.send("PUT", &format!("/stock/counts/{count}/lines"), &lines).expect(200);
    // What it would do is tried first.
    let mut held = shop.app.database.hold("LOCK TABLE stock_movements IN SHARE MODE");
    thread::scope(|scope| {
        let posting = scope.spawn(|| {
            let posted = shop.client.post(&format!("/stock/counts/{count}/post"), &json!({}));
            let _ = posted.expect(200);
        });
        held.wait_for(1, || posting.is_finished());
        let receiving = scope.spawn(|| {
            let item = json!({"sku": "TAZA", "quantity": 10, "unitCost": 10_000});
            let _ = other.post("/stock/receipts", &json!({"items": [item]})).expect(201);
        });
        held.wait_for(2, || receiving.is_finished());
        drop(held);
        posting.join().unwrap();
        receiving.join().unwrap();
    });
    let moved = shop.client.get(&format!("/stock/movements?reference={count}")).expect(200);
    assert_eq!(
        (&moved["data"][0]["delta"], &moved["data"][0]["availableAfter"]),
        (&json!(2), &json!(12))
    );
    assert_eq!(shop.stock(&mug), 22);
}

fn a_transfer_waits_until_it_may_leave(kind: DatabaseKind) {
    let (shop, keeper, mug) = guarded(kind, "stock_transfer", &above("value", 400));
    let north = store(&shop, "Norte", 1);
    let plan = |quantity: i64| {
        let body = json!({"fromWarehouseId": first(&shop), "toWarehouseId": north,
            "items": [{"sku": "TAZA", "quantity": quantity}]});
        id(&shop.make("/transfers", &body))
    };
    let dispatch = |transfer: &str| shop.client.act(&format!("/transfers/{transfer}/dispatch"));
    let few = dispatch(&plan(4)).expect(200);
    assert_eq!((&few["status"], shop.stock(&mug)), (&json!("in_transit"), 6));
    let (many, others) = (plan(5), plan(6));
    let approval = ticket(&dispatch(&many));
    assert_eq!((ticket(&dispatch(&many)), shop.stock(&mug)), (approval.clone(), 6));
    let asked = shop.client.get(&format!("/approvals/{approval}")).expect(200);
    assert_eq!(asked["facts"], json!({"units": 5, "value": 500, "items": "5 × TAZA"}));
    let called_off = ticket(&dispatch(&others));
    let _ = shop.client.act(&format!("/transfers/{others}/cancel")).expect(200);
    let failed = keeper.approve(&called_off).expect(200);
    assert_eq!(state(&failed), is("approved", "failed"));
    assert_eq!(failed["result"]["body"]["error"], "invalid_transition");
    let approved = keeper.approve(&approval).expect(200);
    assert_eq!((state(&approved), shop.stock(&mug)), (is("approved", "applied"), 1));
    let sent = shop.client.get(&format!("/transfers/{many}")).expect(200);
    assert_eq!((&approved["result"]["status"], &approved["result"]["body"]), (&json!(200), &sent));
    let _ = dispatch(&many).refused(409, "invalid_transition");
    // It may be asked about by hand, too.
    let by_hand =
        json!({"entityType": "stock_transfer", "entityId": many, "levels": [level(&[&keeper], 1)]});
    let by_hand = shop.make("/approvals", &by_hand);
    assert_eq!(by_hand["facts"]["units"], 5);
}
