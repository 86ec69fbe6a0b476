//! Fields that a document of another type has: nothing that is sent is left out without a word.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, company, id, item, sale, sale_in_parts};

on_both!(
    what_a_type_does_not_have_is_refused_by_name,
    an_exchange_rate_of_pesos_is_judged,
    what_was_read_can_be_sent_again,
);

fn payments(office: &Office, invoice: &Value) -> Value {
    json!([{"paidAt": office.app.now().to_string(), "paymentForm": "03", "amount": 16,
        "documents": [{"invoiceId": invoice["id"], "amount": 16}]}])
}

fn transfer() -> Value {
    json!({"type": "T", "receiver": company(), "items": [
        {"description": "Tazas", "satProductKey": "52152100", "quantity": 100, "unitPrice": 20}]})
}

fn with(mut body: Value, name: &str, value: Value) -> Value {
    body[name] = value;
    body
}

fn what_a_type_does_not_have_is_refused_by_name(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let paid = payments(&office, &sold);
    let receipt = json!({"type": "P", "payments": paid});
    let order = office.order(&office.customer(), &[(&office.product("TAZA", 10.0, &json!({})), 1)]);
    let taxed = json!({"description": "Tazas", "quantity": 1, "unitPrice": 20,
        "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16}]});
    let cases = [
        (with(sale(116.0), "payments", paid.clone()), "payments"),
        (with(transfer(), "payments", paid), "payments"),
        (with(receipt.clone(), "items", json!([item(10.0)])), "items"),
        (with(receipt.clone(), "orderId", order["id"].clone()), "orderIds"),
        (with(receipt, "currency", json!("USD")), "currency"),
        (with(transfer(), "currency", json!("USD")), "currency"),
        (with(transfer(), "items", json!([taxed])), "items[0].taxes"),
    ];
    let before = office.client.get("/invoices").expect(200)["total"].clone();
    for (body, field) in cases {
        let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
        assert!(message.contains(&format!("{field} must be omitted")), "{message} of {body}");
        let kind = body["type"].clone();
        let draft = match kind.as_str() {
            Some("P") => office.draft(&json!({"type": "P", "payments": payments(&office, &sold)})),
            Some("T") => office.draft(&transfer()),
            _ => office.draft(&sale(116.0)),
        };
        let mut changes = body;
        changes.as_object_mut().unwrap().retain(|name, _| !["type", "receiver"].contains(&&**name));
        let message = office.change(&id(&draft), &changes).refused(400, "validation_failed");
        assert!(message.contains(field), "{message} of {changes}");
        let _ = office.client.send("DELETE", &format!("/invoices/{}", id(&draft)), &json!({}));
    }
    assert_eq!(office.client.get("/invoices").expect(200)["total"], before);
}

fn an_exchange_rate_of_pesos_is_judged(kind: DatabaseKind) {
    let office = Office::open(kind);
    let wrong = office.draft(&with(sale(116.0), "exchangeRate", json!(17.5)));
    let finding = ("CFDI40114".to_owned(), "exchangeRate".to_owned());
    assert_eq!(office.findings(&id(&wrong)), [finding]);
    let one = office.draft(&with(sale(116.0), "exchangeRate", json!(1)));
    assert_eq!(office.findings(&id(&one)), []);
    let _ = office.stamp(&id(&one)).expect(200);
    let xml = office.client.get(&format!("/invoices/{}/xml", id(&one))).text;
    assert!(xml.contains("TipoCambio=\"1\""), "{xml}");
    let transfer = office.draft(&with(transfer(), "exchangeRate", json!(17.5)));
    let finding = ("CFDI40116".to_owned(), "exchangeRate".to_owned());
    assert_eq!(office.findings(&id(&transfer)), [finding]);
}

fn what_was_read_can_be_sent_again(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let receipt = json!({"type": "P", "payments": payments(&office, &sold)});
    for body in [sale(116.0), transfer(), receipt] {
        let draft = office.draft(&body);
        let again = office.change(&id(&draft), &draft).expect(200);
        assert_eq!((&again["items"], &again["total"]), (&draft["items"], &draft["total"]));
    }
}
