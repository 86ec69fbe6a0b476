//! Our payments beside what their provider lists.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::till::Till;
use crate::orders::shop::id;

on_both!(
    what_is_the_same_matches,
    what_differs_is_told_and_mended_by_asking,
    what_one_side_does_not_know_is_told,
    what_is_much_is_compared_in_parts,
    what_cannot_be_compared_is_refused_by_name
);

/// From before these tests to after them.
const ALL: &str = "from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z";

/// The time around now.
pub(super) fn around(till: &Till) -> String {
    let now = till.shop.app.now();
    format!("from={}&to={}", now.plus_seconds(-3_600), now.plus_seconds(3_600))
}

#[track_caller]
pub(super) fn compared(till: &Till) -> Value {
    let path = format!("/payments/reconciliation?{}", around(till));
    till.shop.client.get(&path).expect(200)
}

pub(super) fn outcomes(compared: &Value) -> Vec<(String, String)> {
    let rows = compared["data"].as_array().unwrap().iter();
    rows.map(|row| {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        (text("paymentId"), text("outcome"))
    })
    .collect()
}

fn what_is_the_same_matches(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let cash = till.pay(&json!({"orderId": order, "method": "cash", "amount": 10}));
    let nothing = compared(&till);
    assert_eq!((&nothing["data"], &nothing["compared"]), (&json!([]), &json!([])));
    let card = till.pay(&json!({"orderId": order, "method": "card"}));
    let spei = till.pay(&json!({"method": "spei", "amount": 20, "currency": "MXN"}));
    // What was refused before it came to be is of nobody.
    let _ = till.by_card(7_000.10);
    let _ = till.act(&card, "refunds", &json!({"amount": 5})).expect(201);
    let _ = till.act(&card, "refunds", &json!({"amount": 7, "manual": true})).expect(201);
    let _ = till.act(&cash, "refunds", &json!({"amount": 1})).expect(201);
    let compared = compared(&till);
    let matched = |payment: &Value| (id(payment), "matched".to_owned());
    assert_eq!(outcomes(&compared), [matched(&card), matched(&spei)]);
    assert_eq!(
        (&compared["compared"], &compared["notCompared"], &compared["nextFrom"]),
        (&json!(["sandbox"]), &json!([]), &Value::Null)
    );
    let row = &compared["data"][0];
    assert_eq!(
        (&row["here"]["amountCaptured"], &row["there"]["amountRefunded"]),
        (&json!(90), &json!(5))
    );
    assert_eq!((&row["orderId"], &row["here"]["status"]), (&json!(order), &json!("paid")));
    let totals = json!({"count": 2, "captured": 90, "refunded": 5});
    let sums = json!([{"currency": "MXN", "outcome": "matched", "here": totals, "there": totals}]);
    assert_eq!(compared["sums"], sums);
}

fn what_differs_is_told_and_mended_by_asking(kind: DatabaseKind) {
    let till = Till::open(kind);
    let card = till.by_card(100.0);
    let booked = till.by_card(7_000.19);
    // A notification that comes late would mend what is changed here.
    till.quiet(&[&card, &booked]);
    till.shop.app.database.execute(&format!(
        "UPDATE payments SET captured = captured - 30000000 WHERE id = '{}'",
        id(&card)
    ));
    let told = compared(&till);
    let different = |payment: &Value| (id(payment), "different".to_owned());
    assert_eq!(outcomes(&told), [different(&card), different(&booked)]);
    assert_eq!(told["data"][0]["differences"], json!(["captured"]));
    assert_eq!(told["data"][1]["differences"], json!(["amount", "captured", "status"]));
    // Nothing is mended silently.
    assert_eq!(till.read(&card)["amountCaptured"], 70);
    let mended = till.act(&card, "sync", &json!({})).expect(200);
    assert_eq!(mended["amountCaptured"], 100);
    let accepted = till.act(&booked, "resolve", &json!({"resolution": "accept"})).expect(200);
    assert_eq!(accepted["status"], "paid");
    let told = outcomes(&compared(&till));
    assert!(told.iter().all(|(_, outcome)| outcome == "matched"), "{told:?}");
}

fn what_one_side_does_not_know_is_told(kind: DatabaseKind) {
    let till = Till::open(kind);
    let (kept, lost, unknown) = (till.by_card(10.0), till.by_card(20.0), till.by_card(30.0));
    let database = &till.shop.app.database;
    database.execute(&format!("DELETE FROM payments WHERE id = '{}'", id(&lost)));
    database.execute(&format!("DELETE FROM sandbox_charges WHERE payment_id = '{}'", id(&unknown)));
    let told = compared(&till);
    let row = |id: String, outcome: &str| (id, outcome.to_owned());
    let expected = [
        row(id(&kept), "matched"),
        row(String::new(), "missing_here"),
        row(id(&unknown), "missing_there"),
    ];
    assert_eq!(outcomes(&told), expected);
    let strange = &told["data"][1];
    assert_eq!((&strange["here"], &strange["there"]["amountCaptured"]), (&Value::Null, &json!(20)));
    assert_eq!(told["data"][2]["there"], Value::Null);
    let none = json!({"count": 0, "captured": 0, "refunded": 0});
    let one = |captured: i64| json!({"count": 1, "captured": captured, "refunded": 0});
    assert_eq!(
        told["sums"],
        json!([
            {"currency": "MXN", "outcome": "matched", "here": one(10), "there": one(10)},
            {"currency": "MXN", "outcome": "missing_here", "here": none, "there": one(20)},
            {"currency": "MXN", "outcome": "missing_there", "here": one(30), "there": none},
        ])
    );
}

fn what_is_much_is_compared_in_parts(kind: DatabaseKind) {
    let till = Till::open(kind);
    let made: Vec<String> = (0..205).map(|_| id(&till.by_card(10.0))).collect();
    let (mut path, mut seen, mut parts) = (around(&till), Vec::new(), 0);
    let to = path.split_once("&to=").unwrap().1.to_owned();
    loop {
        let part = till.shop.client.get(&format!("/payments/reconciliation?{path}")).expect(200);
        seen.extend(outcomes(&part));
        parts += 1;
        let Some(next) = part["nextFrom"].as_str() else { break };
        path = format!("from={next}&to={to}");
    }
    assert!(seen.iter().all(|(_, outcome)| outcome == "matched"));
    let ids: Vec<String> = seen.into_iter().map(|(id, _)| id).collect();
    assert_eq!((ids, parts), (made, 2));
}

fn what_cannot_be_compared_is_refused_by_name(kind: DatabaseKind) {
    let till = Till::open(kind);
    let ask = |query: &str| till.shop.client.get(&format!("/payments/reconciliation?{query}"));
    let _ = ask(ALL).expect(200);
    for (query, said) in [
        ("to=2026-01-31T00:00:00Z", "from is required"),
        (
            "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:01Z",
            "to must be at most 31 days after from",
        ),
        ("from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "to must be later than from"),
    ] {
        assert_eq!(ask(query).refused(400, "validation_failed"), said);
    }
    let _ = ask(&format!("{ALL}&provider=bank")).refused(400, "validation_failed");
    let other = till.shop.app.client_of(till.shop.account, "orders");
    let _ =
        other.get(&format!("/payments/reconciliation?{ALL}")).refused(403, "insufficient_scope");
}
