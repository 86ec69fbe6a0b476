//! Numbers go in and out exactly: what is compared is the text of the answers.

use testkit::DatabaseKind;

use super::ALL;
use crate::customers::Desk;

testkit::on_both!(prices_stay_exact, notes_keep_the_digits_that_were_written, totals_are_exact);

fn prices_stay_exact(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for (written, shown) in [
        ("19.99", "19.99"),
        ("0.1", "0.1"),
        ("0.000001", "0.000001"),
        ("1e2", "100"),
        ("1E-6", "0.000001"),
        ("1.10", "1.1"),
        ("20.000000000", "20"),
        ("-0", "0"),
        ("0e99999", "0"),
        ("12345678901.123456", "12345678901.123456"),
        ("999999999999.999999", "999999999999.999999"),
        ("1000000000000", "1000000000000"),
        ("9007199254.740993", "9007199254.740993"),
        ("0.3", "0.3"),
    ] {
        let variants = format!("[{{\"name\":\"a\",\"price\":{written}}}]");
        let body = format!("{{\"name\":\"x\",\"price\":{written},\"variants\":{variants}}}");
        let made = desk.client.send_raw("POST", ALL, body.into_bytes());
        let id = made.json()["id"].as_str().unwrap().to_owned();
        let place = format!("{ALL}/{id}");
        let changed = format!("{{\"price\":{written}}}").into_bytes();
        let list = desk.client.get("/products?limit=1");
        for reply in [&made, &desk.client.get(&place), &list] {
            let prices = reply.text.matches(&format!("\"price\":{shown},")).count();
            assert_eq!(prices, 2, "{written} of product and variant: {}", reply.text);
        }
        assert_eq!(desk.client.patch(&place, &serde_json::json!({"price": 7})).status, 200);
        let back = desk.client.send_raw("PATCH", &place, changed);
        assert!(back.text.contains(&format!("\"price\":{shown},\"currency\"")), "{}", back.text);
        let told = desk.app.database.lines(&format!(
            "SELECT body AS line FROM events WHERE entity_id = '{id}' ORDER BY id"
        ));
        let change = format!("\"changes\":{{\"price\":{shown}}}");
        assert!(told.last().unwrap().contains(&change), "{told:?}");
    }
}

fn notes_keep_the_digits_that_were_written(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for number in ["1.50", "0.1", "1e3", "-0", "123456789012345678901234567890", "1E400", "3.0"] {
        let body = format!("{{\"name\":\"x\",\"price\":1,\"metadata\":{{\"n\":{number}}}}}");
        let made = desk.client.send_raw("POST", ALL, body.into_bytes());
        assert_eq!(made.status, 201, "{}", made.text);
        let shown = desk.client.get(made.header("location").unwrap());
        assert!(shown.text.contains(&format!("\"metadata\":{{\"n\":{number}}}")), "{}", shown.text);
    }
}

fn totals_are_exact(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let body = br#"{"name": "x", "price": 0.333333, "inventory": 1000000000}"#;
    let made = desk.client.send_raw("POST", ALL, body.to_vec()).expect(201);
    let items = serde_json::json!([{"productId": made["id"], "quantity": 999_999_999}]);
    let order = super::order(&desk, &items);
    let shown = desk.client.get(&Desk::place("/orders", &order));
    assert!(shown.text.contains("\"unitPrice\":0.333333,"), "{}", shown.text);
    assert!(shown.text.contains("\"lineTotal\":333332999.666667"), "{}", shown.text);
    assert!(shown.text.contains("\"totalAmount\":333332999.67,"), "{}", shown.text);
    let told = desk.events("order.created");
    assert_eq!(told[0]["total"].to_string(), "333332999.67");
}
