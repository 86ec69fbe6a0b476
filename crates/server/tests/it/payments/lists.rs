//! Lists of payments and refunds, and what narrows them.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::till::Till;
use crate::orders::shop::id;

on_both!(
    payments_are_listed_and_narrowed,
    refunds_are_listed_and_narrowed,
    lists_are_walked_by_cursor
);

fn ids(page: &Value) -> Vec<String> {
    page["data"].as_array().unwrap().iter().map(id).collect()
}

fn payments_are_listed_and_narrowed(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let cash = id(&till.pay(&json!({"orderId": order, "method": "cash", "amount": 10})));
    let spei = id(&till.pay(&json!({"orderId": order, "method": "spei", "amount": 20})));
    let declined = id(&till.by_card(7_000.01));
    let conflict = id(&till.by_card(7_000.19));
    let customer = &till.shop.customer;
    let list = |query: &str| ids(&till.shop.client.get(&format!("/payments?{query}")).expect(200));
    for (query, expected) in [
        (String::new(), vec![&conflict, &declined, &spei, &cash]),
        (format!("orderId={order}"), vec![&spei, &cash]),
        (format!("customerId={customer}"), vec![&spei, &cash]),
        ("status=failed".to_owned(), vec![&declined]),
        ("provider=manual".to_owned(), vec![&cash]),
        ("method=spei".to_owned(), vec![&spei]),
        ("flag=conflict".to_owned(), vec![&conflict]),
        ("flag=late".to_owned(), vec![]),
        ("createdTo=2020-01-01T00:00:00Z".to_owned(), vec![]),
        ("createdFrom=2020-01-01T00:00:00Z&method=card".to_owned(), vec![&conflict, &declined]),
        ("limit=1&page=2".to_owned(), vec![&declined]),
    ] {
        let expected: Vec<String> = expected.into_iter().cloned().collect();
        assert_eq!(list(&query), expected, "{query}");
    }
    let fields = till.shop.client.get("/payments?fields=id,status&status=failed").expect(200);
    assert_eq!(fields["data"], json!([{"id": declined, "status": "failed"}]));
    for wrong in
        ["status=done", "method=barter", "flag=odd", "provider=bank", "orderId=x", "sort=id"]
    {
        let refused = till.shop.client.get(&format!("/payments?{wrong}"));
        let _ = refused.refused(400, "validation_failed");
    }
}

fn refunds_are_listed_and_narrowed(kind: DatabaseKind) {
    let till = Till::open(kind);
    let order = till.order(2);
    let cash = till.pay(&json!({"orderId": order, "method": "cash"}));
    let card = till.by_card(7_000.13);
    let given = id(&till.act(&cash, "refunds", &json!({"amount": 10})).expect(201));
    let failed = id(&till.act(&card, "refunds", &json!({"amount": 10})).expect(201));
    let list = |path: &str| ids(&till.shop.client.get(path).expect(200));
    for (path, expected) in [
        ("/refunds".to_owned(), vec![&failed, &given]),
        (format!("/refunds?paymentId={}", id(&card)), vec![&failed]),
        (format!("/refunds?orderId={order}"), vec![&given]),
        ("/refunds?status=failed".to_owned(), vec![&failed]),
        ("/refunds?status=pending".to_owned(), vec![]),
        (format!("/payments/{}/refunds", id(&cash)), vec![&given]),
    ] {
        let expected: Vec<String> = expected.into_iter().cloned().collect();
        assert_eq!(list(&path), expected, "{path}");
    }
    let nothing = "/payments/pay_01ARZ3NDEKTSV4RRFFQ69G5FAV/refunds";
    let _ = till.shop.client.get(nothing).refused(404, "not_found");
}

fn lists_are_walked_by_cursor(kind: DatabaseKind) {
    let till = Till::open(kind);
    let body = json!({"method": "cash", "amount": 1, "currency": "MXN"});
    let made: Vec<String> = (0..5).map(|_| id(&till.pay(&body))).collect();
    let (mut seen, mut path) = (Vec::new(), "/payments?limit=2".to_owned());
    loop {
        let page = till.shop.client.get(&path).expect(200);
        seen.extend(ids(&page));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        path = format!("/payments?limit=2&cursor={cursor}");
    }
    let newest_first: Vec<String> = made.into_iter().rev().collect();
    assert_eq!(seen, newest_first);
}
