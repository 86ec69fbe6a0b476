//! Stamping: one stamp, one charge, and documents that fit together.

use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::{csd::Certificate, stamp::Stamp};
use serde_json::{Value, json};
use testkit::{App, DatabaseKind, on_both};

use super::office::{Office, attribute, id, is_moment, sale};
use crate::races::at_once;

on_both!(
    a_stamped_invoice_has_its_stamp_and_documents,
    a_stamp_takes_its_credits,
    without_credits_nothing_is_sent,
    the_last_credits_are_spent_once,
    stamping_again_answers_the_same,
    a_repeat_replays_the_stamp,
    many_at_once_make_one_stamp,
    more_than_an_account_s_share_wait_in_line,
    an_invalid_draft_spends_nothing,
    a_draft_has_a_pdf_and_no_xml,
    a_stamped_invoice_stays_as_it_was_sealed,
);

fn a_stamped_invoice_has_its_stamp_and_documents(kind: DatabaseKind) {
    let office = Office::open(kind);
    let stamped = office.stamped_sale(1_234.56);
    let path = format!("/invoices/{}", id(&stamped));
    assert_eq!((&stamped["status"], &stamped["folio"]), (&json!("stamped"), &json!("1")));
    let uuid = stamped["uuid"].as_str().unwrap();
    assert_eq!(stamped["stamp"]["uuid"], json!(uuid));
    assert!(stamped["issuedAt"].is_string() && is_moment(&stamped["createdAt"]));

    let xml = office.client.get(&format!("{path}/xml"));
    assert_eq!((xml.status, xml.header("content-type")), (200, Some("application/xml")));
    assert!(xml.header("content-disposition").unwrap().contains(&format!("{uuid}.xml")));
    let stamp = Stamp::read(&xml.text).unwrap();
    assert_eq!(stamp.uuid, uuid);
    assert_eq!(json!(stamp.provider_rfc), stamped["stamp"]["providerRfc"]);
    assert_eq!(json!(stamp.certificate_number), stamped["stamp"]["certificateNumber"]);
    for (name, value) in [
        ("Version", "4.0"),
        ("Serie", "F"),
        ("Folio", "1"),
        ("FormaPago", "03"),
        ("Total", "1234.56"),
        ("Moneda", "MXN"),
        ("TipoDeComprobante", "I"),
        ("MetodoPago", "PUE"),
        ("LugarExpedicion", "42501"),
        ("Exportacion", "01"),
        ("Fecha", stamped["localIssuedAt"].as_str().unwrap()),
    ] {
        assert_eq!(attribute(&xml.text, name), value, "{name}");
    }
    assert_eq!(attribute(&xml.text, "Sello"), stamp.issuer_seal, "the stamp confirms the seal");
    let certificate = STANDARD.decode(attribute(&xml.text, "Certificado")).unwrap();
    let certificate = Certificate::parse(&certificate).unwrap();
    assert_eq!(certificate.number(), attribute(&xml.text, "NoCertificado"));
    assert_eq!(certificate.rfc(), "EKU9003173C9");

    let url = stamped["stamp"]["verificationUrl"].as_str().unwrap();
    for part in [&format!("id={uuid}"), "re=EKU9003173C9", "rr=URE180429TM6", "tt=1234.56"] {
        assert!(url.contains(part), "{part} in {url}");
    }
    let end = &stamp.issuer_seal[stamp.issuer_seal.len() - 8..];
    let end = end.replace('+', "%2B");
    assert!(url.ends_with(&format!("fe={end}")), "{url}");

    let pdf = office.client.get(&format!("{path}/pdf"));
    assert_eq!((pdf.status, pdf.header("content-type")), (200, Some("application/pdf")));
    assert!(pdf.text.starts_with("%PDF"), "{}", &pdf.text[..20]);
    assert!(pdf.header("content-disposition").unwrap().contains(&format!("{uuid}.pdf")));
    let receipt = office.client.get(&format!("{path}/cancellation-receipt"));
    assert!(receipt.refused(409, "conflict").contains("no cancellation"));
}

fn a_stamp_takes_its_credits(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    assert_eq!(office.ledger(&draft), []);
    let _ = office.stamp(&draft).expect(200);
    assert_eq!(office.credits(), (990, 0));
    assert_eq!(office.ledger(&draft), [("reserve".to_owned(), -10), ("commit".to_owned(), 0)]);
}

fn without_credits_nothing_is_sent(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    app.can_invoice(account);
    let office = Office { account, client: app.client_of(account, "*"), app };
    let draft = office.sale(116.0);
    for granted in [0, 9] {
        if granted > 0 {
            office.app.grant(account, granted);
        }
        let message = office.stamp(&draft).refused(402, "insufficient_credits");
        assert!(message.contains(&format!("10 credits and {granted}")), "{message}");
    }
    let after = office.read(&draft);
    assert_eq!((&after["status"], &after["uuid"]), (&json!("draft"), &json!(null)));
    assert_eq!((office.credits(), office.ledger(&draft)), ((9, 0), vec![]));
    assert_eq!(office.app.database.lines("SELECT uuid AS line FROM sandbox_stamps"), [""; 0]);
    office.app.grant(account, 1);
    assert_eq!(office.stamp(&draft).expect(200)["status"], "stamped");
    assert_eq!(office.credits(), (0, 0));
}

fn the_last_credits_are_spent_once(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    app.can_invoice(account);
    app.grant(account, 35);
    let office = Office { account, client: app.client_of(account, "*"), app };
    let drafts: Vec<String> = (0..8).map(|_| office.sale(116.0)).collect();
    let replies = at_once(drafts.len(), |number| office.stamp(&drafts[number]));
    let stamped = replies.iter().filter(|reply| reply.status == 200).count();
    for reply in replies.iter().filter(|reply| reply.status != 200) {
        let _ = reply.refused(402, "insufficient_credits");
    }
    assert_eq!((stamped, office.credits()), (3, (5, 0)));
}

fn stamping_again_answers_the_same(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let first = office.stamp(&draft);
    assert_eq!(first.status, 200);
    for _ in 0..3 {
        let again = office.stamp(&draft);
        assert_eq!((again.status, &again.text), (200, &first.text));
        assert_eq!(again.header("etag"), first.header("etag"));
    }
    assert_eq!((office.credits(), office.ledger(&draft).len()), ((990, 0), 2));
}

fn a_repeat_replays_the_stamp(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let stamp = |key: &str| {
        let request = office.client.request("POST", &format!("/invoices/{draft}/timbrar"));
        testkit::Reply::to(request.header("Idempotency-Key", key))
    };
    let (first, second) = (stamp("k"), stamp("k"));
    assert_eq!((first.status, second.status), (200, 200));
    assert_eq!(first.text, second.text);
    assert_eq!(first.header("idempotent-replayed"), None);
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    let other = stamp("other");
    assert_eq!((other.status, &other.text), (200, &first.text));
    // The answer stays what it was, whatever became of the invoice.
    let _ = office.cancel(&draft, "02").expect(200);
    assert_eq!(stamp("k").text, first.text);
    let message = stamp("third").refused(409, "invalid_transition");
    assert!(message.contains("this invoice is cancelled"), "{message}");
    let _ = office.stamp(&draft).refused(409, "invalid_transition");
    assert_eq!(office.credits(), (990, 0));
}

/// An account has 32 stampings under way at once; the others wait.
fn more_than_an_account_s_share_wait_in_line(kind: DatabaseKind) {
    let office = Office::open(kind);
    let drafts: Vec<String> = (0..48).map(|_| office.sale(116.0)).collect();
    let statuses = at_once(drafts.len(), |which| office.stamp(&drafts[which]).status);
    assert_eq!(statuses, vec![200; drafts.len()]);
}

fn many_at_once_make_one_stamp(kind: DatabaseKind) {
    let office = Office::open(kind);
    for round in 0..3 {
        let draft = office.sale(116.0);
        let replies = at_once(10, |number| {
            let request = office.client.request("POST", &format!("/invoices/{draft}/timbrar"));
            let key = if number % 2 == 0 { "same".to_owned() } else { format!("k{number}") };
            testkit::Reply::to(request.header("Idempotency-Key", format!("{key}-{round}")))
        });
        let mut uuids: Vec<Value> = Vec::new();
        for reply in replies {
            match reply.status {
                200 => uuids.push(reply.json()["uuid"].clone()),
                _ => {
                    let error = reply.json()["error"].clone();
                    let known = ["in_progress", "idempotency_key_in_use"];
                    assert!(known.iter().any(|known| error == *known), "{}", reply.text);
                }
            }
        }
        let first = uuids.first().expect("one stamps it").clone();
        assert!(first.is_string() && uuids.iter().all(|uuid| *uuid == first), "{uuids:?}");
        assert_eq!(office.ledger(&draft).len(), 2);
    }
    assert_eq!(office.credits(), (970, 0));
    let stamps = office.app.database.lines("SELECT uuid AS line FROM sandbox_stamps");
    assert_eq!(stamps.len(), 3);
}

fn an_invalid_draft_spends_nothing(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["paymentForm"] = json!("98");
    body["receiver"]["taxRegime"] = json!("605");
    let draft = id(&office.draft(&body));
    let message = office.stamp(&draft).refused(409, "invoice_invalid");
    assert!(message.contains("paymentForm") && message.contains("receiver."), "{message}");
    assert!(message.contains("CFDI40104"), "{message}");
    assert_eq!((office.credits(), office.ledger(&draft)), ((1_000, 0), vec![]));
    let after = office.read(&draft);
    assert_eq!((&after["status"], &after["folio"]), (&json!("draft"), &json!(null)));
    let spanish = office.client.request("POST", &format!("/invoices/{draft}/timbrar"));
    let spanish = testkit::Reply::to(spanish.header("Accept-Language", "es-MX"));
    assert_ne!(spanish.refused(409, "invoice_invalid"), message);
}

fn a_draft_has_a_pdf_and_no_xml(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let message = office.client.get(&format!("/invoices/{draft}/xml")).refused(409, "conflict");
    assert!(message.contains("stamp it"), "{message}");
    let pdf = office.client.get(&format!("/invoices/{draft}/pdf"));
    assert_eq!(pdf.status, 200);
    assert!(pdf.text.starts_with("%PDF"));
}

fn a_stamped_invoice_stays_as_it_was_sealed(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let customer = office.customer();
    let order = office.order(&customer, &[(&mug, 2)]);
    let stamped = office.stamped(&json!({"orderId": order["id"], "paymentForm": "03"}));
    let xml = office.client.get(&format!("/invoices/{}/xml", id(&stamped))).text;
    let path = format!("/products/{mug}");
    let _ = office.client.patch(&path, &json!({"name": "Otra", "price": 1})).expect(200);
    let _ = office
        .client
        .patch(&format!("/customers/{customer}"), &json!({"taxZip": "06600"}))
        .expect(200);
    let _ = office.client.delete(&path).expect(200);
    office.app.advance_seconds(86_400);
    assert_eq!(office.read(&id(&stamped)), stamped);
    assert_eq!(office.client.get(&format!("/invoices/{}/xml", id(&stamped))).text, xml);
}
