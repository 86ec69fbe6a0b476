//! Calls that wait for an approval, and what becomes of them.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::{Desk, id, is, level, ticket};

on_both!(
    a_discount_waits_and_is_placed_once_it_is_approved,
    what_no_rule_wants_is_placed_at_once,
    prices_below_the_products_wait,
    prices_below_those_of_price_lists_wait,
    what_could_not_be_placed_asks_nobody,
    the_ticket_is_repeated_even_after_the_decision,
    a_changed_price_supersedes,
    what_cannot_be_placed_any_more_fails_with_its_reason,
    the_cancellation_of_a_paid_order_waits,
    a_cancellation_that_no_rule_wants_is_done_at_once,
    what_became_of_an_order_meanwhile_supersedes,
    orders_that_waited_are_listed_by_their_time,
);

fn a_discount_waits_and_is_placed_once_it_is_approved(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    assert_eq!((desk.shop.orders(), desk.shop.stock(&mug)), (0, 10));
    let asked = desk.read(&approval);
    assert_eq!(super::desk::state(&asked), is("pending", "none"));
    assert_eq!(asked["requirements"][0]["ruleId"], rule["id"]);
    let facts = json!({"discountPct": 20, "discountTotal": 40, "belowPricePct": 0, "total": 160,
        "customerId": desk.shop.customer});
    assert_eq!((&asked["facts"], &asked["currency"]), (&facts, &json!("MXN")));
    assert_eq!(asked["reason"], "cliente frecuente");
    let order = asked["entityId"].as_str().unwrap();
    let told = json!([{"requestId": approval, "entityType": "order_discount", "entityId": order}]);
    assert_eq!(json!(desk.shop.told("approval.requested")), told);

    let approved = desk.ana.approve(&approval).expect(200);
    assert_eq!(super::desk::state(&approved), is("approved", "applied"));
    assert_eq!(approved["result"]["status"], 201);
    let placed = desk.shop.read(order).json();
    assert_eq!(approved["result"]["body"], placed);
    assert_eq!((&placed["totalAmount"], &placed["status"]), (&json!(160), &json!("pending")));
    assert_eq!((desk.shop.orders(), desk.shop.stock(&mug)), (1, 8));
    let told = json!([{"requestId": approval, "decision": "approved"}]);
    assert_eq!(json!(desk.shop.told("approval.decided")), told);
    assert_eq!(desk.shop.told("order.created").len(), 1);
    assert_eq!(desk.read(&approval), approved);
}

fn what_no_rule_wants_is_placed_at_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mug = desk.shop.product("TAZA", 100.0, 100);
    // Without any rule, at the limit of one, and where nothing is given away.
    let place = |cart: &Value| desk.shop.client.post_once("/orders", &cart.to_string(), cart);
    let free = place(&desk.cart(&mug, 50)).expect(201);
    desk.guard_discounts();
    let at_limit = place(&desk.cart(&mug, 15)).expect(201);
    let again = place(&desk.cart(&mug, 15));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.expect(201), at_limit);
    let said = desk.shop.client.post("/orders", &desk.cart(&mug, 90)).status;
    assert_eq!(said, 202);
    let mut dearer = desk.shop.cart(&[(&mug, 1)]);
    dearer["items"][0]["unitPrice"] = json!(120);
    desk.rule("order_discount", &json!([]), &[level(&[&desk.beto], 1)]);
    let _ = place(&dearer).expect(201);
    let _ = desk.shop.order(&[(&mug, 1)]);
    // What was placed before there were rules is not asked for when it is repeated.
    let again = place(&desk.cart(&mug, 50));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.expect(201), free);
    let _ = ticket(&place(&desk.cart(&mug, 14)));
    assert_eq!((desk.shop.told("approval.requested").len(), desk.shop.orders()), (2, 4));
}

fn prices_below_the_products_wait(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let below = json!([{"field": "belowPricePct", "op": "gte", "value": 10},
        {"field": "channel", "op": "in", "value": ["web", "store"]}]);
    desk.rule("order_discount", &below, &[level(&[&desk.ana], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let mut cart = desk.shop.cart(&[(&mug, 1)]);
    cart["items"][0]["unitPrice"] = json!(90);
    let _ = desk.shop.client.post("/orders", &cart).expect(201);
    cart["channel"] = json!("web");
    let approval = ticket(&desk.shop.client.post("/orders", &cart));
    assert_eq!(desk.read(&approval)["facts"]["belowPricePct"], 10);
    let made = desk.ana.approve(&approval).expect(200);
    assert_eq!(made["result"]["body"]["items"][0]["unitPrice"], 90);
    cart["items"][0]["unitPrice"] = json!(90.01);
    let _ = desk.shop.client.post("/orders", &cart).expect(201);
}

/// What a customer pays by the price lists that hold is given away by nobody; another list that an order names may be.
fn prices_below_those_of_price_lists_wait(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let below = json!([{"field": "belowPricePct", "op": "gte", "value": 10}]);
    desk.rule("order_discount", &below, &[level(&[&desk.ana], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let client = &desk.shop.client;
    let list = |fields: &Value, price: i64| {
        let list = id(&client.post("/price-lists", fields).expect(201));
        let prices = json!({"items": [{"productId": mug, "price": price}]});
        let _ = client.send("PUT", &format!("/price-lists/{list}/items"), &prices).expect(200);
        list
    };
    let group = client.post("/customer-groups", &json!({"name": "Personal"})).expect(201);
    list(&json!({"name": "Oferta"}), 80);
    let staff = list(&json!({"name": "Personal", "customerGroupId": group["id"]}), 40);
    let mut cart = desk.shop.cart(&[(&mug, 1)]);
    let placed = client.post("/orders", &cart).expect(201);
    assert_eq!(placed["items"][0]["unitPrice"], 80);
    cart["items"][0]["unitPrice"] = json!(75);
    let _ = client.post("/orders", &cart).expect(201);
    cart["items"][0]["unitPrice"] = json!(72);
    let approval = ticket(&client.post("/orders", &cart));
    assert_eq!(desk.read(&approval)["facts"]["belowPricePct"], 10);
    let mut cart = desk.shop.cart(&[(&mug, 1)]);
    cart["priceListId"] = json!(staff);
    let approval = ticket(&client.post("/orders", &cart));
    assert_eq!(desk.read(&approval)["facts"]["belowPricePct"], 50);
    let made = desk.ana.approve(&approval).expect(200);
    assert_eq!(made["result"]["body"]["items"][0]["unitPrice"], 40);
    // In another currency there is nothing but the list itself to compare with.
    let dollars = list(&json!({"name": "Exportación", "currency": "USD"}), 5);
    cart["priceListId"] = json!(dollars);
    let _ = client.post("/orders", &cart).expect(201);
    cart["items"][0]["unitPrice"] = json!(0.01);
    let approval = ticket(&client.post("/orders", &cart));
    assert_eq!(desk.read(&approval)["facts"]["belowPricePct"], 99.8);
}

fn what_could_not_be_placed_asks_nobody(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 1);
    let post = |cart: &Value| desk.shop.client.post("/orders", cart);
    let _ = post(&desk.cart(&mug, 20)).refused(409, "insufficient_stock");
    let mut nobody = desk.cart(&mug, 20);
    nobody["customerId"] = json!("cus_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    let _ = post(&nobody).refused(400, "validation_failed");
    assert_eq!(desk.shop.client.get("/approvals").expect(200)["total"], 0);
    assert_eq!(desk.shop.told("approval.requested").len(), 0);
}

fn the_ticket_is_repeated_even_after_the_decision(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let cart = desk.cart(&mug, 20);
    let ask = || desk.shop.client.post_once("/orders", "k", &cart);
    let first = ask();
    let approval = ticket(&first);
    let _ = desk.ana.approve(&approval).expect(200);
    let _ = desk.ana.client.delete(&format!("/approval-rules/{}", id(&rule))).expect(200);
    let again = ask();
    assert_eq!((ticket(&again), &again.text), (approval, &first.text));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(desk.shop.orders(), 1);
    let other = desk.cart(&mug, 30);
    let _ =
        desk.shop.client.post_once("/orders", "k", &other).refused(422, "idempotency_key_reused");
}

fn a_changed_price_supersedes(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let (one, other) = (desk.asked(&mug, 20), desk.asked(&mug, 30));
    let _ = desk.shop.client.patch(&format!("/products/{mug}"), &json!({"price": 110})).expect(200);
    let superseded = desk.ana.approve(&one).expect(200);
    assert_eq!(super::desk::state(&superseded), is("superseded", "none"));
    assert_eq!((&superseded["result"], &superseded["decisions"]), (&Value::Null, &json!([])));
    let _ = desk.ana.approve(&one).refused(409, "approval_closed");
    // Who does not agree need not know.
    assert_eq!(super::desk::state(&desk.ana.reject(&other).expect(200)), is("rejected", "none"));
    assert_eq!(desk.shop.orders(), 0);
    assert_eq!(desk.shop.told("approval.decided").len(), 1);
}

fn what_cannot_be_placed_any_more_fails_with_its_reason(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 2);
    let approval = desk.asked(&mug, 20);
    let _ = desk.shop.order(&[(&mug, 1)]);
    let failed = desk.ana.approve(&approval).expect(200);
    assert_eq!(super::desk::state(&failed), is("approved", "failed"));
    let result = &failed["result"];
    assert_eq!((&result["status"], &result["body"]["statusCode"]), (&json!(409), &json!(409)));
    assert_eq!(result["body"]["error"], "insufficient_stock");
    assert!(result["body"]["message"].as_str().unwrap().contains("TAZA"), "{result}");
    assert_eq!((desk.shop.orders(), desk.shop.stock(&mug)), (1, 1));
    assert_eq!(desk.shop.told("order.created").len(), 1);
}

fn the_cancellation_of_a_paid_order_waits(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.rule("order_cancellation", &json!([]), &[level(&[&desk.ana], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let pending = desk.shop.order_id(&[(&mug, 1)]);
    let _ = desk.shop.step(&pending, "cancelled").expect(200);
    let order = desk.paid(&mug);
    let refused = json!({"status": "cancelled", "refund": true});
    let _ = desk.shop.change(&order, &refused).refused(400, "validation_failed");
    let without = json!({"status": "cancelled", "reason": "x"});
    let _ = desk.shop.change(&order, &without).refused(409, "conflict");
    let before = desk.shop.read(&order).json();

    let approval = ticket(&desk.shop.step(&order, "cancelled"));
    assert_eq!(ticket(&desk.shop.step(&order, "cancelled")), approval, "it was asked for before");
    assert_eq!(desk.shop.read(&order).json(), before);
    let asked = desk.read(&approval);
    // Of the order, and of what is given back.
    let facts = json!({"total": 200, "status": "paid", "amount": 200, "share": 100, "method": "other",
        "daysSincePaid": 0, "reason": "changed mind"});
    assert_eq!(asked["facts"], facts);
    assert_eq!((&asked["entityId"], &asked["reason"]), (&json!(order), &json!("changed mind")));
    let approved = desk.ana.approve(&approval).expect(200);
    assert_eq!(super::desk::state(&approved), is("approved", "applied"));
    let cancelled = desk.shop.read(&order).json();
    assert_eq!(
        (&approved["result"]["status"], &approved["result"]["body"]),
        (&json!(200), &cancelled)
    );
    let refunded = (&cancelled["amountRefunded"], &cancelled["refundDue"]);
    assert_eq!((&cancelled["status"], refunded), (&json!("cancelled"), (&json!(200), &json!(0))));
    assert_eq!(desk.shop.stock(&mug), 10);
    assert_eq!(desk.shop.told("order.cancelled").len(), 2);
    let _ = desk.shop.step(&order, "cancelled").expect(200);
}

fn a_cancellation_that_no_rule_wants_is_done_at_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let large = json!({"entityType": "order_cancellation", "currency": "MXN",
        "conditions": [{"field": "total", "op": "gt", "value": 200}], "levels": [level(&[&desk.ana], 1)]});
    let _ = desk.ana.client.post("/approval-rules", &large).expect(201);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let order = desk.paid(&mug);
    let stale = desk.shop.client.request("PATCH", &format!("/orders/{order}"));
    let stale = stale.header("If-Match", "\"1\"").header("Content-Type", "application/json");
    let changes = json!({"status": "cancelled", "reason": "x", "refund": true});
    let stale = testkit::Reply::to(stale.body(changes.to_string()));
    let _ = stale.refused(412, "precondition_failed");
    let cancelled = desk.shop.step(&order, "cancelled");
    assert!(cancelled.header("etag").is_some());
    assert_eq!(cancelled.expect(200), desk.shop.read(&order).json());
    assert_eq!((desk.shop.stock(&mug), desk.shop.told("order.cancelled").len()), (10, 1));
    assert_eq!(desk.shop.told("approval.requested").len(), 0);
}

fn what_became_of_an_order_meanwhile_supersedes(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let rule = desk.rule("order_cancellation", &json!([]), &[level(&[&desk.ana], 1)]);
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let (shipped, gone) = (desk.paid(&mug), desk.paid(&mug));
    let asked = [&shipped, &gone].map(|order| ticket(&desk.shop.step(order, "cancelled")));
    let _ = desk.shop.step(&shipped, "shipped").expect(200);
    let _ = desk.ana.client.delete(&format!("/approval-rules/{}", id(&rule))).expect(200);
    let _ = desk.shop.step(&gone, "cancelled").expect(200);
    for approval in &asked {
        let superseded = desk.ana.approve(approval).expect(200);
        assert_eq!(super::desk::state(&superseded), is("superseded", "none"));
    }
    assert_eq!(desk.shop.read(&shipped).json()["status"], "shipped");
    assert_eq!(desk.shop.told("order.cancelled").len(), 1);
    assert_eq!(desk.shop.told("approval.decided").len(), 0);
}

fn orders_that_waited_are_listed_by_their_time(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.guard_discounts();
    let mug = desk.shop.product("TAZA", 100.0, 10);
    let approval = desk.asked(&mug, 20);
    desk.shop.app.advance_seconds(60);
    let between = desk.shop.app.now();
    let at_once = desk.shop.order(&[(&mug, 1)]);
    let waited = desk.ana.approve(&approval).expect(200)["result"]["body"].clone();
    assert_eq!(waited["createdAt"], desk.read(&approval)["createdAt"]);
    assert_eq!(
        (&at_once["orderNumber"], &waited["orderNumber"]),
        (&json!("ORD-000001"), &json!("ORD-000002"))
    );
    let listed =
        |query: &str| desk.shop.client.get(&format!("/orders?{query}")).expect(200)["data"].clone();
    assert_eq!(listed(""), json!([at_once, waited]));
    assert_eq!(listed(&format!("createdTo={between}")), json!([waited]));
    assert_eq!(listed(&format!("createdFrom={between}")), json!([at_once]));
    assert_eq!(listed(&format!("updatedSince={between}")), json!([at_once, waited]));
}
