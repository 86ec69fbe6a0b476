//! Orders narrowed by how far they are shipped, paid and invoiced.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use crate::invoices::office::{Office, id};

on_both!(orders_are_found_by_their_states, wrong_states_are_named);

/// What is shown of each order, and how many have it in the states below.
const SHIPPED: &[(&str, usize)] =
    &[("unfulfilled", 5), ("partially_fulfilled", 1), ("fulfilled", 1)];
const PAID: &[(&str, usize)] = &[
    ("unpaid", 3),
    ("partially_paid", 1),
    ("paid", 1),
    ("partially_refunded", 1),
    ("refunded", 1),
];

fn orders_are_found_by_their_states(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 100.0, &json!({}));
    let customer = office.customer();
    let order = || id(&office.order(&customer, &[(mug.as_str(), 2)]));
    let change = |order: &str, changes: Value| {
        let _ = office.client.patch(&format!("/orders/{order}"), &changes).expect(200);
    };
    let pay = |order: &str, amount: i64| {
        let cash = json!({"method": "cash", "orderId": order, "amount": amount});
        id(&office.client.post("/payments", &cash).expect(201))
    };
    let refund = |payment: &str, amount: i64| {
        let path = format!("/payments/{payment}/refunds");
        let _ = office.client.post(&path, &json!({"amount": amount})).expect(201);
    };
    let (invoiced, partly, shipped, cancelled) = (order(), order(), order(), order());
    let (paid, some_back, all_back) = (order(), order(), order());
    let _ = office.draft(&json!({"orderId": invoiced, "paymentForm": "03"}));
    let _ = pay(&partly, 60);
    change(&partly, json!({"fulfillmentStatus": "partially_fulfilled"}));
    change(&shipped, json!({"status": "shipped"}));
    change(&cancelled, json!({"status": "cancelled", "reason": "x"}));
    let _ = pay(&paid, 200);
    refund(&pay(&some_back, 200), 50);
    refund(&pay(&all_back, 200), 200);
    let listed = |query: &str| {
        let page = office.client.get(&format!("/orders?limit=100&{query}")).expect(200);
        assert_eq!(page["total"], page["data"].as_array().unwrap().len(), "{query}");
        page["data"].as_array().unwrap().clone()
    };
    let all = listed("");
    for (name, states) in [("fulfillmentStatus", SHIPPED), ("paymentStatus", PAID)] {
        let mut known = BTreeMap::<&str, usize>::new();
        for order in &all {
            *known.entry(order[name].as_str().unwrap()).or_default() += 1;
        }
        assert_eq!(known, states.iter().copied().collect(), "{all:?}");
        for (state, count) in states {
            let found = listed(&format!("{name}={state}"));
            assert_eq!(found.len(), *count, "{name}={state}");
            assert!(found.iter().all(|order| order[name] == *state), "{found:?}");
            let oldest = listed(&format!("{name}={state}&sort=updatedAt"));
            assert_eq!(oldest.len(), *count, "{name}={state}");
        }
    }
    let ids = |query: &str| listed(query).iter().map(id).collect::<Vec<_>>();
    assert_eq!(ids("invoiced=true"), [invoiced.as_str()]);
    assert_eq!(ids("invoiced=false").len(), 6);
    assert_eq!(ids("invoiced=false&paymentStatus=unpaid&status=shipped"), [shipped.as_str()]);
    assert_eq!(ids(&format!("paymentStatus=paid&customerId={customer}")), [paid.as_str()]);
    assert!(ids("invoiced=true&paymentStatus=paid").is_empty());
    let first = office.client.get("/orders?limit=2&fulfillmentStatus=unfulfilled").expect(200);
    let cursor = first["nextCursor"].as_str().unwrap();
    let rest = format!("/orders?limit=100&fulfillmentStatus=unfulfilled&cursor={cursor}");
    let rest = office.client.get(&rest).expect(200);
    assert_eq!(rest["data"].as_array().unwrap().len(), 3);
}

fn wrong_states_are_named(kind: DatabaseKind) {
    let office = Office::open(kind);
    for (query, field) in [
        ("fulfillmentStatus=shipped", "fulfillmentStatus"),
        ("paymentStatus=free", "paymentStatus"),
        ("invoiced=perhaps", "invoiced"),
    ] {
        let refusal = office.client.get(&format!("/orders?{query}"));
        let message = refusal.refused(400, "validation_failed");
        assert!(message.contains(field), "{field} in {message:?}");
    }
}
