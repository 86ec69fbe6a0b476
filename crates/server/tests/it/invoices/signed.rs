//! Receipts of payments that an accountant would not sign.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, company, id, sale_in_parts};

on_both!(
    a_receipt_is_for_the_receiver_of_its_invoices,
    nothing_is_paid_before_it_was_invoiced,
    one_payment_pays_an_invoice_once,
    an_invoice_of_elsewhere_is_told_in_sequence,
    an_own_invoice_is_not_one_of_elsewhere,
);

const UUID: &str = "5FB2822E-396D-4725-8521-CDC4BDD20CCF";

fn payment(office: &Office, amount: f64, documents: &Value) -> Value {
    json!({"paidAt": office.app.now().to_string(), "paymentForm": "03", "amount": amount,
        "documents": documents})
}

fn receipt(payments: &[Value]) -> Value {
    json!({"type": "P", "payments": payments})
}

fn elsewhere(balance: f64, installments: u32, amount: f64) -> Value {
    json!({"amount": amount, "external": {"uuid": UUID, "total": 116, "balance": balance,
        "installments": installments}})
}

#[track_caller]
fn refused(office: &Office, body: &Value, field: &str) -> String {
    let message = office.client.post("/invoices", body).refused(400, "validation_failed");
    assert!(message.contains(&format!("{field} ")), "{field} in {message}");
    message
}

fn a_receipt_is_for_the_receiver_of_its_invoices(kind: DatabaseKind) {
    let office = Office::open(kind);
    let own = office.stamped(&sale_in_parts(116.0));
    let mut other = sale_in_parts(116.0);
    other["receiver"] = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxZip": "42501", "taxRegime": "601"});
    let other = office.stamped(&other);
    let paid = |invoice: &Value| json!({"invoiceId": invoice["id"], "amount": 10});
    let both = receipt(&[payment(&office, 20.0, &json!([paid(&own), paid(&other)]))]);
    let message = refused(&office, &both, "payments[0].documents[1].invoiceId");
    assert!(message.contains("EKU9003173C9"), "{message}");
    let mut foreign = receipt(&[payment(&office, 10.0, &json!([paid(&other)]))]);
    foreign["receiver"] = company();
    let _ = refused(&office, &foreign, "payments[0].documents[0].invoiceId");
    let draft = office.draft(&receipt(&[payment(&office, 10.0, &json!([paid(&other)]))]));
    let changed = office.change(&id(&draft), &json!({"receiver": company()}));
    let message = changed.refused(400, "validation_failed");
    assert!(message.contains("payments[0].documents[0].invoiceId"), "{message}");
    let _ = office.change(&id(&draft), &json!({"notes": "Gracias"})).expect(200);
}

fn nothing_is_paid_before_it_was_invoiced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let mut early = payment(&office, 10.0, &json!([{"invoiceId": sold["id"], "amount": 10}]));
    early["paidAt"] = json!(office.app.now().plus_seconds(-36 * 3_600).to_string());
    let message = refused(&office, &receipt(&[early]), "payments[0].paidAt");
    assert!(message.contains("advance"), "{message}");
}

fn one_payment_pays_an_invoice_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let own = json!({"invoiceId": sold["id"], "amount": 10});
    let twice = receipt(&[payment(&office, 20.0, &json!([own, own]))]);
    let _ = refused(&office, &twice, "payments[0].documents[1].invoiceId");
    let mut twice = receipt(&[payment(
        &office,
        20.0,
        &json!([elsewhere(116.0, 0, 10.0), elsewhere(106.0, 1, 10.0)]),
    )]);
    twice["receiver"] = company();
    let _ = refused(&office, &twice, "payments[0].documents[1].external.uuid");
    let _ = office.draft(&receipt(&[
        payment(&office, 10.0, &json!([own])),
        payment(&office, 10.0, &json!([own])),
    ]));
}

fn an_invoice_of_elsewhere_is_told_in_sequence(kind: DatabaseKind) {
    let office = Office::open(kind);
    let two = |balance, installments| {
        let first = payment(&office, 10.0, &json!([elsewhere(116.0, 0, 10.0)]));
        let second = payment(&office, 20.0, &json!([elsewhere(balance, installments, 20.0)]));
        let mut receipt = receipt(&[first, second]);
        receipt["receiver"] = company();
        receipt
    };
    let message = refused(&office, &two(116.0, 1), "payments[1].documents[0].external.balance");
    assert!(message.contains("106"), "{message}");
    let _ = refused(&office, &two(106.0, 0), "payments[1].documents[0].external.installments");
    let mut above = receipt(&[payment(&office, 10.0, &json!([elsewhere(116.01, 0, 10.0)]))]);
    above["receiver"] = company();
    let _ = refused(&office, &above, "payments[0].documents[0].external.balance");
    let draft = office.draft(&two(106.0, 1));
    assert_eq!(draft["payments"][1]["documents"][0]["installment"], 2);
}

fn an_own_invoice_is_not_one_of_elsewhere(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let mut paid = elsewhere(116.0, 0, 10.0);
    paid["external"]["uuid"] = sold["uuid"].clone();
    let mut receipt = receipt(&[payment(&office, 10.0, &json!([paid]))]);
    receipt["receiver"] = company();
    let message = refused(&office, &receipt, "payments[0].documents[0].external.uuid");
    assert!(message.contains(sold["id"].as_str().unwrap()), "{message}");
}
