//! What documents of some trades state beside their items.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, attribute, id, sale};

on_both!(
    complements_are_stated_in_the_document,
    a_complement_is_read_with_care,
    what_was_read_can_be_sent_back,
);

fn complements() -> Value {
    json!({
        "legends": [
            {"law": "ISR", "rule": "27", "text": "Efectos  fiscales al pago"},
            {"text": "Sin disposición"},
        ],
        "donation": {"authorizationNumber": "600-04-2019-1234", "authorizedOn": "2019-01-31",
            "legend": "Este comprobante ampara un donativo"},
        "electoral": {"process": "campaign",
            "entities": [{"code": "JAL", "scope": "local", "accountingIds": [12345]}]},
    })
}

fn complements_are_stated_in_the_document(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["complements"] = complements();
    let stamped = office.stamped(&body);
    assert_eq!(stamped["complements"]["donation"]["authorizedOn"], "2019-01-31");
    let place = format!("/invoices/{}", id(&stamped));
    let xml = office.client.get(&format!("{place}/xml")).text;
    // White space is collapsed as SAT's schema does.
    assert_eq!(attribute(&xml, "textoLeyenda"), "Efectos fiscales al pago");
    assert_eq!(attribute(&xml, "disposicionFiscal"), "ISR");
    assert_eq!(attribute(&xml, "noAutorizacion"), "600-04-2019-1234");
    assert_eq!(attribute(&xml, "TipoProceso"), "Campaña");
    assert_eq!(attribute(&xml, "IdContabilidad"), "12345");
    assert_eq!(xml.matches("<cfdi:Complemento>").count(), 1, "{xml}");
    assert!(office.client.get(&format!("{place}/pdf")).text.starts_with("%PDF"));
    let copy = office.make(&format!("{place}/copy"), &json!({"replace": true}));
    assert_eq!(copy["complements"], stamped["complements"]);
}

fn a_complement_is_read_with_care(kind: DatabaseKind) {
    let office = Office::open(kind);
    for (complements, field) in [
        (json!({"legends": [{"law": "ISR"}]}), "complements.legends[0].text"),
        (json!({"donation": {}}), "complements.donation.authorizedOn"),
        (
            json!({"donation": {"authorizationNumber": "1", "authorizedOn": "2019-02-30", "legend": "D"}}),
            "complements.donation.authorizedOn",
        ),
        (json!({"electoral": {"process": "party"}}), "complements.electoral.process"),
        (
            json!({"electoral": {"process": "campaign", "entities": [{"code": "CMX"}]}}),
            "complements.electoral.entities[0].code",
        ),
        (
            json!({"electoral": {"process": "ordinary", "accountingId": 1_000_000}}),
            "complements.electoral.accountingId",
        ),
        (json!({"payroll": {}}), "payroll"),
    ] {
        let mut body = sale(116.0);
        body["complements"] = complements.clone();
        let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
        assert!(message.contains(field), "{complements}: {message}");
    }
    let transfer = json!({"type": "T", "items": sale(116.0)["items"],
        "receiver": sale(116.0)["receiver"], "complements": {"donation": complements()["donation"]}});
    let message = office.client.post("/invoices", &transfer).refused(400, "validation_failed");
    assert!(message.contains("complements.donation"), "{message}");
    // What only SAT's rules know is found by `validate`.
    let mut body = sale(116.0);
    body["complements"] = json!({"electoral": {"process": "ordinary"}});
    let draft = office.draft(&body);
    let expected = ("INE180".to_owned(), "complements.electoral.committee".to_owned());
    assert_eq!(office.findings(&id(&draft)), [expected]);
    let _ = office.stamp(&id(&draft)).refused(409, "invoice_invalid");
}

fn what_was_read_can_be_sent_back(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["complements"] = complements();
    let draft = office.draft(&body);
    let sent_back = json!({"complements": draft["complements"]});
    let changed = office.change(&id(&draft), &sent_back).expect(200);
    assert_eq!(changed["complements"], draft["complements"]);
    let changed = office.change(&id(&draft), &json!({"notes": "Gracias"})).expect(200);
    assert_eq!(changed["complements"], draft["complements"]);
    let without = office.change(&id(&draft), &json!({"complements": {}})).expect(200);
    let none = json!({"legends": [], "donation": null, "electoral": null});
    assert_eq!(without["complements"], none);
}
