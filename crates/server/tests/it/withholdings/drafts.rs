//! Drafts: made, read, changed, deleted.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::desk::Desk;
use crate::invoices::office::id;

on_both!(
    a_draft_is_filled_from_customer_and_issuer,
    a_customer_abroad_is_a_receiver_abroad,
    a_draft_is_changed_field_by_field,
    a_draft_follows_its_issuer,
    a_changed_draft_has_another_tag,
    a_draft_is_deleted,
    what_is_named_is_not_deleted,
    a_draft_has_a_pdf_and_no_xml,
);

fn a_draft_is_filled_from_customer_and_issuer(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let customer = desk.office.customer();
    let body = json!({"code": "01", "customerId": customer, "period": desk.period(),
        "totals": {"taxed": 100.5, "exempt": 10}, "metadata": {"pago": "7"}});
    let reply = desk.office.client.post("/withholdings", &body);
    let location = reply.header("location").unwrap().to_owned();
    let draft = reply.expect(201);
    assert!(location.ends_with(&id(&draft)), "{location}");
    let national = json!({"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA", "curp": null,
        "taxZip": "86991"});
    assert_eq!(draft["receiver"], json!({"national": national, "foreign": null}));
    assert_eq!(draft["issuer"]["rfc"], "EKU9003173C9");
    assert_eq!((&draft["placeOfIssue"], &draft["issuedAt"]), (&json!("42501"), &json!(null)));
    let totals = json!({"operation": 110.5, "taxed": 100.5, "exempt": 10, "withheld": 0,
        "bimonthlyProfit": null, "bimonthlyIsr": null});
    assert_eq!((&draft["totals"], &draft["taxes"]), (&totals, &json!([])));
    assert_eq!((&draft["status"], &draft["metadata"]), (&json!("draft"), &json!({"pago": "7"})));
    assert_eq!(draft["cancellation"]["status"], "none");
    assert_eq!(desk.read(&id(&draft)), draft);
    let mut lost = body;
    lost["issuerId"] = json!("iss_01KG8Y0A1B2C3D4E5F6G7H8J9K");
    lost["customerId"] = json!("cus_01KG8Y0A1B2C3D4E5F6G7H8J9K");
    let message = desk.office.client.post("/withholdings", &lost).refused(400, "validation_failed");
    for fault in ["issuerId names no", "customerId names no"] {
        assert!(message.contains(fault), "{fault}: {message}");
    }
}

fn a_customer_abroad_is_a_receiver_abroad(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let abroad = json!({"name": "Acme", "rfc": "XEXX010101000", "taxResidence": "USA",
        "foreignTaxId": "123456789"});
    let abroad = id(&desk.office.make("/customers", &abroad));
    let body = json!({"code": "01", "customerId": abroad, "period": desk.period(), "totals": {"taxed": 100}});
    let said = desk.office.client.post("/withholdings", &body).refused(400, "validation_failed");
    assert!(said.contains("customerId names a customer without legalName:"), "{said}");
    let named = json!({"legalName": "ACME INC"});
    let _ = desk.office.client.patch(&format!("/customers/{abroad}"), &named).expect(200);
    let draft = desk.read(&desk.draft(&body));
    let foreign = json!({"foreignTaxId": "123456789", "legalName": "ACME INC"});
    assert_eq!(draft["receiver"], json!({"national": null, "foreign": foreign}));
}

fn a_draft_is_changed_field_by_field(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let mut body = desk.fees();
    body["folio"] = json!("R1");
    body["issuedAt"] = json!("2026-11-20T18:00:00Z");
    let draft = desk.draft(&body);
    let before = desk.read(&draft);
    assert_eq!(before["localIssuedAt"], "2026-11-20T12:00:00");
    let totals = json!({"taxed": 500, "exempt": 20});
    let changes = json!({"folio": null, "issuedAt": null, "description": "Otra  cosa", "totals": totals,
        "taxes": [], "placeOfIssue": "64000"});
    let after = desk.change(&draft, &changes).expect(200);
    assert_eq!((&after["folio"], &after["issuedAt"]), (&json!(null), &json!(null)));
    assert_eq!(
        (&after["totals"]["operation"], &after["totals"]["withheld"]),
        (&json!(520), &json!(0))
    );
    assert_eq!(
        (&after["description"], &after["placeOfIssue"]),
        (&json!("Otra cosa"), &json!("64000"))
    );
    for kept in ["code", "receiver", "period", "issuerId", "createdAt"] {
        assert_eq!(after[kept], before[kept], "{kept}");
    }
    let foreign = json!({"foreign": {"legalName": "Fabrikam, Inc.", "foreignTaxId": null}});
    let abroad = desk.change(&draft, &json!({"receiver": foreign})).expect(200);
    assert_eq!(abroad["receiver"]["national"], json!(null));
    let customer = desk.office.customer();
    let again = desk.change(&draft, &json!({"customerId": customer})).expect(200);
    assert_eq!(again["receiver"]["national"]["rfc"], "URE180429TM6");
    // What was read can be sent back.
    assert_eq!(desk.change(&draft, &again).expect(200)["receiver"], again["receiver"]);
    let message =
        desk.change(&draft, &json!({"status": "stamped"})).refused(400, "validation_failed");
    assert!(message.contains("status"), "{message}");
}

fn a_draft_follows_its_issuer(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let draft = desk.draft(&desk.fees());
    let issuer = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601",
        "taxZip": "64000"});
    let _ = desk.office.client.send("PUT", "/invoices/cfdi/issuer", &issuer).expect(200);
    assert_eq!(desk.read(&draft)["placeOfIssue"], "64000");
    let other = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxRegime": "612",
        "taxZip": "36257"});
    let other = id(&desk.office.make("/invoices/cfdi/issuers", &other));
    let moved = desk.change(&draft, &json!({"issuerId": other})).expect(200);
    assert_eq!(
        (&moved["issuerId"], &moved["issuer"]["rfc"]),
        (&json!(other), &json!("CACX7605101P8"))
    );
    let _ = desk.stamp(&draft).refused(409, "certificate_missing");
    let path = format!("/invoices/cfdi/issuers/{other}");
    let _ = desk.office.client.delete(&path).refused(409, "conflict");
    let _ = desk.office.client.delete(&format!("/withholdings/{draft}")).expect(200);
    let _ = desk.office.client.delete(&path).expect(200);
}

fn a_changed_draft_has_another_tag(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let draft = desk.draft(&desk.fees());
    let path = format!("/withholdings/{draft}");
    let tag = desk.office.client.get(&path).header("etag").unwrap().to_owned();
    let change = |tag: &str| {
        let request = desk.office.client.request("PATCH", &path).header("If-Match", tag);
        let body = json!({"folio": "R2"}).to_string();
        Reply::to(request.header("Content-Type", "application/json").body(body))
    };
    let _ = change(&tag).expect(200);
    let _ = change(&tag).refused(412, "precondition_failed");
    let request = desk.office.client.request("DELETE", &path).header("If-Match", &tag);
    let _ = Reply::to(request).refused(412, "precondition_failed");
    let stamp = |tag: &str| {
        let request = desk.office.client.request("POST", &format!("{path}/stamp"));
        Reply::to(request.header("If-Match", tag))
    };
    let _ = stamp(&tag).refused(412, "precondition_failed");
    let now = desk.office.client.get(&path).header("etag").unwrap().to_owned();
    let stamped = stamp(&now).expect(200);
    assert_eq!(stamped["status"], "stamped");
    assert_eq!(stamp(&now).expect(200), stamped);
    let _ = stamp(&tag).refused(412, "precondition_failed");
}

fn a_draft_is_deleted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let draft = desk.draft(&desk.fees());
    let path = format!("/withholdings/{draft}");
    let gone = desk.office.client.delete(&path).expect(200);
    assert_eq!(gone, json!({"id": draft, "deleted": true}));
    let _ = desk.office.client.get(&path).refused(404, "not_found");
    let _ = desk.stamp(&draft).refused(404, "not_found");
}

fn what_is_named_is_not_deleted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let customer = desk.office.customer();
    let mut body = desk.fees();
    body["customerId"] = json!(customer);
    let draft = desk.read(&desk.draft(&body));
    assert_eq!(draft["receiver"]["national"]["rfc"], "CACX7605101P8", "the one that was given");
    let _ = desk.office.client.delete(&format!("/customers/{customer}")).refused(409, "conflict");
}

fn a_draft_has_a_pdf_and_no_xml(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let draft = desk.draft(&desk.fees());
    let pdf = desk.get(&draft, "pdf?language=en");
    assert!(pdf.header("content-disposition").unwrap().contains(&format!("{draft}.pdf")));
    assert!(pdf.text.starts_with("%PDF"));
    let message = desk.get(&draft, "xml").refused(409, "conflict");
    assert!(message.contains("not sealed"), "{message}");
    assert_eq!(desk.read(&draft)["stamp"], Value::Null);
}
