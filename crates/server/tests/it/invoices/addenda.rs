//! What is appended to the document of an invoice for its buyer.

use cfdi::stamp::Stamp;
use serde_json::{Value, json};
use testkit::{App, DatabaseKind, FakeSmtp, on_both};

use super::office::{Office, id};

on_both!(
    an_addenda_comes_last_in_the_document,
    what_is_no_addenda_is_refused,
    only_a_stamped_invoice_has_an_addenda,
    an_addenda_is_sent_with_the_document,
);

const ORDER: &str = r#"<pedido xmlns="urn:cliente" numero="4711"/>"#;

fn place(invoice: &Value) -> String {
    format!("/invoices/{}/addenda", id(invoice))
}

fn an_addenda_comes_last_in_the_document(kind: DatabaseKind) {
    let office = Office::open(kind);
    let stamped = office.stamped_sale(116.0);
    let place = place(&stamped);
    let xml = || office.client.get(&format!("/invoices/{}/xml", id(&stamped))).text;
    let before = xml();
    assert_eq!(office.client.get(&place).expect(200)["xml"], json!(null));
    let set = office.client.post(&place, &json!({"xml": ORDER})).expect(200);
    assert_eq!(set, json!({"invoiceId": id(&stamped), "xml": ORDER}));
    assert_eq!(office.client.get(&place).expect(200), set);
    let after = xml();
    let end = format!("<cfdi:Addenda>{ORDER}</cfdi:Addenda></cfdi:Comprobante>");
    assert!(after.trim_end().ends_with(&end), "{after}");
    assert_eq!(after.replace(&format!("<cfdi:Addenda>{ORDER}</cfdi:Addenda>"), ""), before);
    assert_eq!(Stamp::read(&after).unwrap(), Stamp::read(&before).unwrap());
    // Another takes its place, and none at all.
    let other = json!({"xml": "<a/><b/>"});
    let _ = office.client.post(&place, &other).expect(200);
    assert!(xml().contains("<cfdi:Addenda><a/><b/></cfdi:Addenda>"));
    let _ = office.client.delete(&place).expect(200);
    assert_eq!(xml(), before);
}

fn what_is_no_addenda_is_refused(kind: DatabaseKind) {
    let office = Office::open(kind);
    let stamped = office.stamped_sale(116.0);
    let place = place(&stamped);
    for (xml, part) in [
        (json!("pedido 4711"), "no text outside of its elements"),
        (json!("<a>"), "well-formed XML"),
        (json!("<a/></cfdi:Addenda></cfdi:Comprobante>"), "line 1, column 5"),
        (json!("<cfdi:Addenda><a/></cfdi:Addenda>"), "inside of cfdi:Addenda"),
        (json!(""), "xml"),
        (json!(null), "xml"),
        (json!(7), "xml"),
    ] {
        let message =
            office.client.post(&place, &json!({"xml": xml})).refused(400, "validation_failed");
        assert!(message.contains(part), "{xml}: {message}");
    }
    let _ = office.client.post(&place, &json!({})).refused(400, "validation_failed");
    let _ = office.app.client().get(&place).refused(404, "not_found");
}

fn only_a_stamped_invoice_has_an_addenda(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let place = format!("/invoices/{draft}/addenda");
    let body = json!({"xml": ORDER});
    let _ = office.client.post(&place, &body).refused(409, "invalid_transition");
    let _ = office.stamp(&draft).expect(200);
    let _ = office.client.post(&place, &body).expect(200);
    let _ = office.cancel(&draft, "02").expect(200);
    let _ = office.client.delete(&place).refused(409, "invalid_transition");
    let xml = office.client.get(&format!("/invoices/{draft}/xml")).text;
    assert!(xml.contains(ORDER), "what was sent stays as it was");
}

fn an_addenda_is_sent_with_the_document(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let office = Office::of(App::with(kind).mail(super::emails::settings(&smtp)).start());
    let stamped = office.stamped_sale(116.0);
    let _ = office.client.post(&place(&stamped), &json!({"xml": ORDER})).expect(200);
    let path = format!("/invoices/{}/email", id(&stamped));
    let _ = office.client.post(&path, &json!({"to": ["ana@example.com"]})).expect(200);
    let emails = smtp.wait_for(1);
    let xml = emails[0].attachments.iter().find(|file| file.name.ends_with(".xml")).unwrap();
    assert!(String::from_utf8_lossy(&xml.bytes).contains(ORDER));
}
