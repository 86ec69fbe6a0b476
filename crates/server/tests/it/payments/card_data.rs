//! Numbers of cards are refused wherever they stand, and leave no trace.

use serde_json::json;
use testkit::{DatabaseKind, Reply, on_both};

use super::till::Till;
use crate::orders::shop::id;

on_both!(a_card_number_is_refused_and_leaves_no_trace);

const NUMBER: &str = "4242424242424242";

fn a_card_number_is_refused_and_leaves_no_trace(kind: DatabaseKind) {
    let till = Till::open(kind);
    let paid = till.by_card(100.0);
    let one = format!("/payments/{}", id(&paid));
    for (method, path, body) in [
        (
            "POST",
            "/payments".to_owned(),
            json!({"method": "card", "description": "4242 4242-4242 4242"}),
        ),
        ("POST", "/payments".to_owned(), json!({"method": "card", "card": {"number": NUMBER}})),
        ("POST", "/payments".to_owned(), json!({"method": "card", "metadata": {NUMBER: "x"}})),
        (
            "POST",
            "/payments".to_owned(),
            json!({"method": "card", "number": 4_242_424_242_424_242_u64}),
        ),
        ("POST", format!("{one}/refunds"), json!({"note": NUMBER})),
        ("POST", format!("{one}/capture"), json!({"amount": NUMBER})),
        ("POST", format!("{one}/resolve"), json!({"resolution": "accept", "note": NUMBER})),
        ("POST", format!("{one}/simulate"), json!({"event": NUMBER})),
        ("PUT", "/payments/providers/stripe".to_owned(), json!({"key": NUMBER})),
    ] {
        let refused = till.shop.client.send(method, &path, &body).refused(400, "card_data_refused");
        assert!(!refused.contains("4242"), "{refused}");
    }
    let escaped = br#"{"method": "card", "description": "\u0034242424242424242"}"#.to_vec();
    let refused = till.shop.client.send_raw("POST", "/payments", escaped);
    let _ = refused.refused(400, "card_data_refused");
    let hook = format!("/api/v1/hooks/payments/sandbox/{}", till.shop.account);
    let refused = Reply::to(till.shop.app.anonymous().request("POST", &hook).body(NUMBER));
    let _ = refused.refused(400, "card_data_refused");

    // A refused request has used its key for nothing.
    let body = json!({"method": "cash", "amount": 1, "currency": "MXN", "reference": NUMBER});
    let refused = till.shop.client.post_once("/payments", "k", &body);
    let _ = refused.refused(400, "card_data_refused");
    let body = json!({"method": "cash", "amount": 1, "currency": "MXN", "reference": "Caja 2"});
    assert_eq!(till.shop.client.post_once("/payments", "k", &body).status, 201);
    assert_eq!(till.shop.client.get("/payments").expect(200)["total"], 2);
    let texts = till.shop.app.database.texts();
    assert!(texts.iter().all(|text| !text.contains(NUMBER)));
}
