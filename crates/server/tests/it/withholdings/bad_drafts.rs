//! What is no withholding is named, and nothing of it is kept.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;

on_both!(bad_drafts_are_refused_by_name, an_account_needs_an_issuer_first);

fn bad_drafts_are_refused_by_name(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let nobody = "cus_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let nothing = id_of_customer(&desk);
    let cases: Vec<(&str, Value, &str)> = vec![
        ("code", Value::Null, "code must not be null"),
        ("code", json!("1"), "code must be a code of 2 digits"),
        ("period", json!({"firstMonth": 1, "lastMonth": 13, "year": 2026}), "period.lastMonth"),
        ("period", json!({"firstMonth": 1}), "period.lastMonth is required"),
        ("totals", json!({"exempt": 1}), "totals.taxed is required"),
        ("totals", json!({"taxed": 1e12, "exempt": 1e12}), "totals must not amount to more than"),
        ("totals", json!({"taxed": 1, "withheld": 1}), "totals.withheld"),
        ("taxes", json!([{"amount": 1}]), "taxes[0].paymentKind is required"),
        ("taxes", json!([{"amount": "1", "paymentKind": "01"}]), "taxes[0].amount"),
        ("receiver", json!({}), "receiver.national is required, or foreign instead"),
        ("receiver", json!({"rfc": "CACX7605101P8"}), "receiver"),
        ("customerId", json!(nobody), "customerId names no customer of this account"),
        ("customerId", json!(nothing), "customerId names a customer without rfc, taxZip"),
        ("placeOfIssue", json!("19000"), "placeOfIssue must be a postal code of SAT's catalog"),
        ("related", json!({"relation": "04"}), "related.uuid is required"),
        ("complements", json!({"dividend": {}}), "complements"),
        ("uuid", json!("x"), "uuid"),
        ("items", json!([]), "\"items\" is not a field of a withholding"),
        ("stamp", json!("yes"), "stamp must be true or false"),
    ];
    for (field, value, problem) in cases {
        let mut body = desk.fees();
        if problem.contains("without rfc") {
            let _ = body.as_object_mut().unwrap().remove("receiver");
        }
        body[field] = value;
        let message =
            desk.office.client.post("/withholdings", &body).refused(400, "validation_failed");
        assert!(message.contains(problem), "{field}: {message}");
    }
    assert_eq!(desk.office.client.get("/withholdings").expect(200)["total"], 0);
    assert_eq!(desk.stamps(), [""; 0]);
}

/// A customer of whom no tax data are known.
fn id_of_customer(desk: &Desk) -> String {
    let customer = json!({"name": "Ana", "legalName": "ANA", "email": "ana@shop.example"});
    crate::invoices::office::id(&desk.office.make("/customers", &customer))
}

fn an_account_needs_an_issuer_first(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let client = desk.office.app.client();
    let _ = client.post("/withholdings", &desk.fees()).refused(409, "issuer_missing");
}
