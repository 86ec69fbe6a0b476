//! Taxes of states and municipalities.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::office::{Office, attribute, id, item, sale, sale_in_parts};

on_both!(
    local_taxes_are_part_of_what_is_owed,
    a_local_tax_is_read_with_care,
    what_was_read_can_be_sent_back,
);

fn local_taxes_are_part_of_what_is_owed(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale_in_parts(1_160.0);
    body["localTaxes"] = json!([
        {"name": "ISH", "rate": 0.03},
        {"name": "5 al millar", "rate": 0.005, "withheld": true},
    ]);
    let stamped = office.stamped(&body);
    assert_eq!((&stamped["subtotal"], &stamped["total"]), (&json!(1000), &json!(1185)));
    assert_eq!(stamped["balance"], 1185);
    let ish = json!({"name": "ISH", "rate": 0.03, "withheld": false, "base": null, "amount": 30});
    assert_eq!(stamped["localTaxes"][0], ish);
    let place = format!("/invoices/{}", id(&stamped));
    let xml = office.client.get(&format!("{place}/xml")).text;
    assert_eq!(attribute(&xml, "TotaldeTraslados"), "30.00");
    assert_eq!(attribute(&xml, "TotaldeRetenciones"), "5.00");
    assert_eq!(attribute(&xml, "TasadeTraslado"), "3.00");
    assert_eq!(attribute(&xml, "TasadeRetencion"), "0.50");
    // The stamp stands beside the complement, in one node.
    assert_eq!(xml.matches("<cfdi:Complemento>").count(), 1, "{xml}");
    assert!(office.client.get(&format!("{place}/pdf")).text.starts_with("%PDF"));
    let receipt = json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
        "paymentForm": "03", "amount": 1185, "documents": [{"invoiceId": id(&stamped), "amount": 1185}]}]});
    let _ = office.stamped(&receipt);
    assert_eq!(office.read(&id(&stamped))["balance"], 0);
}

fn a_local_tax_is_read_with_care(kind: DatabaseKind) {
    let office = Office::open(kind);
    for (tax, field) in [
        (json!({"rate": 0.03}), "localTaxes[0].name"),
        (json!({"name": "ISH"}), "localTaxes[0].rate"),
        (json!({"name": "ISH", "rate": 0}), "localTaxes[0].rate"),
        (json!({"name": "ISH", "rate": 3}), "localTaxes[0].rate"),
        (json!({"name": "ISH", "rate": 0.03125}), "localTaxes[0].rate"),
        (json!({"name": "ISH", "rate": 0.03, "base": 0}), "localTaxes[0].base"),
        (json!({"name": "", "rate": 0.03}), "localTaxes[0].name"),
        (json!({"name": "ISH", "rate": 0.03, "percentage": 3}), "percentage"),
    ] {
        let mut body = sale(116.0);
        body["localTaxes"] = json!([tax]);
        let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
        assert!(message.contains(field), "{tax}: {message}");
    }
    // More is withheld than is owed.
    let mut body = sale(116.0);
    body["localTaxes"] = json!([{"name": "Retención", "rate": 1, "base": 500, "withheld": true}]);
    let draft = office.draft(&body);
    let codes = office.findings(&id(&draft));
    assert!(!codes.is_empty());
    let _ = office.stamp(&id(&draft)).refused(409, "invoice_invalid");
}

fn what_was_read_can_be_sent_back(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(1_160.0);
    body["localTaxes"] = json!([{"name": "ISH", "rate": 0.03}]);
    let draft = office.draft(&body);
    let sent_back = json!({"localTaxes": draft["localTaxes"]});
    let changed = office.change(&id(&draft), &sent_back).expect(200);
    assert_eq!(changed["localTaxes"], draft["localTaxes"]);
    // The tax follows the sale.
    let cheaper = office.change(&id(&draft), &json!({"items": [item(116.0)]})).expect(200);
    assert_eq!((&cheaper["localTaxes"][0]["amount"], &cheaper["total"]), (&json!(3), &json!(119)));
    let without = office.change(&id(&draft), &json!({"localTaxes": []})).expect(200);
    assert_eq!((&without["localTaxes"], &without["total"]), (&json!([]), &json!(116)));
}
