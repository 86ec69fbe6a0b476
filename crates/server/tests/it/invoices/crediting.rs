//! Credit notes: what they take off the invoices they refer to.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, company, id, sale, sale_in_parts};
use crate::races::at_once;

on_both!(
    a_credit_note_lowers_what_is_owed,
    credit_notes_never_amount_to_more_than_their_invoice,
    credit_notes_at_once_never_take_too_much,
    a_credit_note_that_was_not_stamped_gives_back_what_it_took,
    a_wrong_credit_note_is_replaced,
    a_credit_note_is_replaced_once,
    a_chain_of_replacements_takes_off_once,
    a_credit_note_is_for_the_receiver_of_its_invoice,
);

/// A credit note of so much for an invoice.
fn note(invoice: &Value, amount: f64) -> Value {
    json!({"type": "E", "paymentForm": "03",
        "items": [{"description": "Descuento", "satProductKey": "84111506", "satUnitKey": "ACT",
            "quantity": 1, "unitPrice": amount}],
        "related": [{"relation": "01", "uuids": [invoice["uuid"]]}]})
}

#[track_caller]
fn balance(office: &Office, invoice: &Value) -> Value {
    office.read(&id(invoice))["balance"].clone()
}

fn a_credit_note_lowers_what_is_owed(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let draft = office.draft(&note(&sold, 16.0));
    assert_eq!((&draft["appliedTo"], balance(&office, &sold)), (&json!([]), json!(116)));
    let stamped = office.stamp(&id(&draft)).expect(200);
    assert_eq!(stamped["appliedTo"], json!([{"invoiceId": sold["id"], "amount": 16}]));
    assert_eq!(balance(&office, &sold), json!(100));
    // What is paid beyond what is left is to be refunded, and nothing is owed.
    let paid = json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
        "paymentForm": "03", "amount": 90, "documents": [{"invoiceId": sold["id"], "amount": 90}]}]});
    let receipt = office.stamped(&paid);
    assert_eq!(receipt["payments"][0]["documents"][0]["balanceBefore"], 100);
    let second = office.stamped(&note(&sold, 50.0));
    assert_eq!(balance(&office, &sold), json!(0));
    assert_eq!(office.cancel(&id(&receipt), "02").expect(200)["status"], "cancelled");
    assert_eq!(balance(&office, &sold), json!(50));
    for note in [&stamped, &second] {
        assert_eq!(office.cancel(&id(note), "02").expect(200)["status"], "cancelled");
    }
    assert_eq!(balance(&office, &sold), json!(116));
}

fn credit_notes_never_amount_to_more_than_their_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    for sold in [office.stamped(&sale(116.0)), office.stamped(&sale_in_parts(116.0))] {
        let refuse = |amount: f64, left: &str| {
            let refused = office.client.post("/invoices", &note(&sold, amount));
            let message = refused.refused(400, "validation_failed");
            assert!(message.contains("items") && message.contains(left), "{message}");
        };
        refuse(99_999.0, "116");
        let early = office.draft(&note(&sold, 100.0));
        let _ = office.stamped(&note(&sold, 58.0));
        refuse(58.01, "58");
        // A draft that was in time is found out when it is stamped.
        let findings = office.findings(&id(&early));
        assert_eq!(findings, [("301".to_owned(), "items".to_owned())]);
        let message = office.stamp(&id(&early)).refused(400, "validation_failed");
        assert!(message.contains("58"), "{message}");
        assert_eq!(office.stamped(&note(&sold, 58.0))["status"], "stamped");
    }
}

fn credit_notes_at_once_never_take_too_much(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let drafts: Vec<String> = (0..6).map(|_| id(&office.draft(&note(&sold, 40.0)))).collect();
    let replies = at_once(drafts.len(), |which| office.stamp(&drafts[which]).status);
    assert!(replies.iter().all(|status| [200, 400, 409].contains(status)), "{replies:?}");
    for draft in &drafts {
        let _ = office.stamp(draft);
    }
    let stamped = drafts.iter().filter(|draft| office.read(draft)["status"] == "stamped").count();
    assert_eq!((stamped, balance(&office, &sold)), (2, json!(36)));
}

fn a_credit_note_that_was_not_stamped_gives_back_what_it_took(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let draft = office.draft(&note(&sold, 16.0));
    office.simulate("unavailable", "accept");
    let _ = office.stamp(&id(&draft)).refused(502, "provider_error");
    let back = office.read(&id(&draft));
    assert_eq!((&back["status"], &back["appliedTo"]), (&json!("draft"), &json!([])));
    assert_eq!(balance(&office, &sold), json!(116));
    office.simulate("normal", "accept");
    let _ = office.stamp(&id(&draft)).expect(200);
    assert_eq!(balance(&office, &sold), json!(100));
}

fn a_wrong_credit_note_is_replaced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let wrong = office.stamped(&note(&sold, 100.0));
    assert_eq!(balance(&office, &sold), json!(16));
    let copy = format!("/invoices/{}/copy", id(&wrong));
    let draft = id(&office.client.post(&copy, &json!({"replace": true})).expect(201));
    let items = note(&sold, 110.0)["items"].clone();
    let _ = office.change(&draft, &json!({"items": items})).expect(200);
    let right = office.stamp(&draft).expect(200);
    assert_eq!(balance(&office, &sold), json!(6));
    let _ = office.client.post("/invoices", &note(&sold, 6.01)).refused(400, "validation_failed");
    let reason = json!({"reason": "01", "replacementUuid": right["uuid"]});
    let cancel = format!("/invoices/{}/cancel", id(&wrong));
    assert_eq!(office.client.post(&cancel, &reason).expect(200)["status"], "cancelled");
    assert_eq!(balance(&office, &sold), json!(6), "what it took is the other's");
    assert_eq!(office.cancel(&id(&right), "02").expect(200)["status"], "cancelled");
    assert_eq!(balance(&office, &sold), json!(116));
}

/// The draft that is to take the place of a credit note.
fn replacement(office: &Office, note: &Value) -> String {
    let copy = format!("/invoices/{}/copy", id(note));
    id(&office.client.post(&copy, &json!({"replace": true})).expect(201))
}

fn replaced_by(office: &Office, note: &Value, by: &Value) -> Value {
    let reason = json!({"reason": "01", "replacementUuid": by["uuid"]});
    office.client.post(&format!("/invoices/{}/cancel", id(note)), &reason).expect(200)
}

/// What one has taken off goes over to one other.
fn a_credit_note_is_replaced_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let wrong = office.stamped(&note(&sold, 50.0));
    let (first, second) = (replacement(&office, &wrong), replacement(&office, &wrong));
    let _ = office.stamp(&first).expect(200);
    assert_eq!(balance(&office, &sold), json!(66));
    let message = office.stamp(&second).refused(400, "validation_failed");
    assert!(message.contains("related"), "{message}");
    assert_eq!(balance(&office, &sold), json!(66));
}

fn a_chain_of_replacements_takes_off_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let first = office.stamped(&note(&sold, 50.0));
    let second = office.stamp(&replacement(&office, &first)).expect(200);
    let third = office.stamp(&replacement(&office, &second)).expect(200);
    assert_eq!(balance(&office, &sold), json!(66));
    let _ = office.client.post("/invoices", &note(&sold, 66.01)).refused(400, "validation_failed");
    assert_eq!(replaced_by(&office, &second, &third)["status"], "cancelled");
    assert_eq!(balance(&office, &sold), json!(66));
    assert_eq!(replaced_by(&office, &first, &third)["status"], "cancelled");
    assert_eq!(balance(&office, &sold), json!(66));
    assert_eq!(office.cancel(&id(&third), "02").expect(200)["status"], "cancelled");
    assert_eq!(balance(&office, &sold), json!(116));
}

fn a_credit_note_is_for_the_receiver_of_its_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale(116.0));
    let mut other = note(&sold, 16.0);
    other["receiver"] = company();
    other["receiver"]["rfc"] = json!("EKU9003173C9");
    let message = office.client.post("/invoices", &other).refused(400, "validation_failed");
    assert!(message.contains("related") && message.contains("EKU9003173C9"), "{message}");
}
