//! When invoices are issued: in UTC, and in the local time that the document states.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, id, sale};

on_both!(
    an_invoice_is_issued_when_it_says,
    an_invoice_that_says_nothing_is_issued_when_it_is_stamped,
    a_date_that_sat_does_not_take_is_found,
);

/// A sale that is issued so many seconds after now.
fn dated(office: &Office, seconds: i64) -> Value {
    let mut sale = sale(116.0);
    sale["issuedAt"] = json!(office.app.now().plus_seconds(seconds).to_string());
    sale
}

fn an_invoice_is_issued_when_it_says(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut sale = dated(&office, -71 * 3_600);
    sale["placeOfIssue"] = json!("22000");
    let issued = office.app.now().plus_seconds(-71 * 3_600).micros() / 1_000_000;
    let draft = office.draft(&sale);
    assert_eq!(draft["timeZone"], "Tiempo del Noroeste");
    assert_eq!(office.findings(&id(&draft)), []);
    let stamped = office.stamp(&id(&draft)).expect(200);
    for invoice in [&draft, &stamped] {
        let shown = kernel::Timestamp::parse(invoice["issuedAt"].as_str().unwrap()).unwrap();
        assert_eq!(shown.micros(), issued * 1_000_000, "whole seconds");
        assert_eq!(invoice["localIssuedAt"], draft["localIssuedAt"]);
    }
    let zone = cfdi::catalogs::zones::Zone::Northwest;
    let local = zone.local(kernel::Timestamp::from_micros(issued * 1_000_000));
    let local = cfdi::document::local_time::to_text(local);
    assert_eq!(draft["localIssuedAt"], local);
    let xml = office.client.get(&format!("/invoices/{}/xml", id(&draft))).text;
    assert!(xml.contains(&format!("Fecha=\"{local}\"")), "{xml}");
    // Stamps state the central time wherever the document was issued.
    let stamp = &stamped["stamp"];
    let stamped_at = kernel::Timestamp::parse(stamp["stampedAt"].as_str().unwrap()).unwrap();
    let central = cfdi::catalogs::zones::Zone::Central.local(stamped_at);
    let central = cfdi::document::local_time::to_text(central);
    assert_eq!(stamp["localStampedAt"], central);
    assert!(xml.contains(&format!("FechaTimbrado=\"{central}\"")), "{xml}");
    let copy = office.client.post(&format!("/invoices/{}/copy", id(&draft)), &json!({}));
    assert_eq!(copy.expect(201)["issuedAt"], json!(null), "another sale has its own date");
}

fn an_invoice_that_says_nothing_is_issued_when_it_is_stamped(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.draft(&dated(&office, -3_600));
    let cleared = office.change(&id(&draft), &json!({"issuedAt": null})).expect(200);
    assert_eq!((&cleared["issuedAt"], &cleared["localIssuedAt"]), (&json!(null), &json!(null)));
    let stamped = office.stamp(&id(&draft)).expect(200);
    let moment =
        |value: &Value| kernel::Timestamp::parse(value.as_str().unwrap()).unwrap().micros();
    let passed = moment(&stamped["stamp"]["stampedAt"]) - moment(&stamped["issuedAt"]);
    assert!((0..60_000_000).contains(&passed), "{stamped}");
}

fn a_date_that_sat_does_not_take_is_found(kind: DatabaseKind) {
    let office = Office::open(kind);
    for seconds in [-73 * 3_600, 3_600] {
        let draft = id(&office.draft(&dated(&office, seconds)));
        assert_eq!(office.findings(&draft), [("401".to_owned(), "issuedAt".to_owned())]);
        let _ = office.stamp(&draft).refused(409, "invoice_invalid");
    }
}
