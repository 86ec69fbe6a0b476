//! Seal certificates: added, listed, activated, deleted, and never given away.

use base64::{Engine, engine::general_purpose::STANDARD};
use cfdi::csd::key;
use serde_json::{Value, json};
use testkit::{
    App, Client, DatabaseKind, Reply,
    invoicing::{COMPANY, PASSWORD, PERSON},
    on_both,
};

use super::office::{Office, attribute, id, is_moment};

on_both!(
    a_certificate_is_added_shown_and_listed,
    what_cannot_seal_is_refused,
    a_private_key_is_nowhere_to_be_read,
    the_active_certificate_seals,
    a_certificate_that_has_run_out_seals_nothing,
    a_repeat_adds_one_certificate,
);

const CERTIFICATES: &str = "/invoices/cfdi/issuer/certificates";

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../cfdi/fixtures/csd/", $name))
    };
}

const EXPIRED: (&[u8], &[u8]) =
    (fixture!("EKU9003173C9_expired.cer"), fixture!("EKU9003173C9_expired.key"));
const FIEL: (&[u8], &[u8]) = (fixture!("EKU9003173C9_fiel.cer"), fixture!("EKU9003173C9_fiel.key"));

/// The body that adds a pair.
fn pair((certificate, private_key): (&[u8], &[u8]), password: &str) -> Value {
    json!({"certificate": STANDARD.encode(certificate), "privateKey": STANDARD.encode(private_key),
        "password": password})
}

/// A client whose issuer is told, without a certificate.
fn issuer(app: &App) -> Client {
    let client = app.client();
    let issuer = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxRegime": "601", "taxZip": "42501"});
    let _ = client.send("PUT", "/invoices/cfdi/issuer", &issuer).expect(200);
    client
}

fn a_certificate_is_added_shown_and_listed(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = issuer(&app);
    let none = client.get(CERTIFICATES).expect(200);
    assert_eq!((&none["data"], &none["total"]), (&json!([]), &json!(0)));
    let added = client.post(CERTIFICATES, &pair(COMPANY, PASSWORD));
    let place = added.header("location").unwrap().to_owned();
    let added = added.expect(201);
    assert_eq!((&added["rfc"], &added["isActive"]), (&json!("EKU9003173C9"), &json!(true)));
    assert_eq!(added["number"].as_str().unwrap().len(), 20, "{added}");
    assert!(added["legalName"].as_str().unwrap().starts_with("ESCUELA KEMPER"), "{added}");
    for moment in ["validFrom", "validUntil", "createdAt"] {
        assert!(is_moment(&added[moment]), "{added}");
    }
    assert_eq!(client.get(&place).expect(200), added);
    let list = client.get(CERTIFICATES).expect(200);
    assert_eq!((&list["data"], &list["total"]), (&json!([added]), &json!(1)));

    let message = client.post(CERTIFICATES, &pair(COMPANY, PASSWORD)).refused(409, "conflict");
    assert!(message.contains(&id(&added)), "{message}");

    let path = format!("{CERTIFICATES}/{}", id(&added));
    let deleted = client.delete(&path).expect(200);
    assert_eq!(deleted, json!({"id": added["id"], "deleted": true}));
    for reply in [client.get(&path), client.delete(&path), client.act(&format!("{path}/activate"))]
    {
        let _ = reply.refused(404, "not_found");
    }
    assert_eq!(client.get(CERTIFICATES).expect(200)["total"], 0);
    assert_eq!(client.post(CERTIFICATES, &pair(COMPANY, PASSWORD)).status, 201, "it may come back");
}

fn what_cannot_seal_is_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = issuer(&app);
    let swapped = (COMPANY.1, COMPANY.0);
    let mixed = (COMPANY.0, PERSON.1);
    let cases = [
        (pair(COMPANY, "wrong"), "password"),
        (pair(COMPANY, "12345678A"), "password"),
        (pair(swapped, PASSWORD), "certificate"),
        (pair(mixed, PASSWORD), "privateKey"),
        (pair(FIEL, PASSWORD), "certificate"),
        (pair(EXPIRED, PASSWORD), "certificate"),
        (pair(PERSON, PASSWORD), "certificate"),
        (pair((b"no certificate", COMPANY.1), PASSWORD), "certificate"),
        (pair((COMPANY.0, b"no key"), PASSWORD), "privateKey"),
        (json!({"certificate": "§", "privateKey": "AA==", "password": "x"}), "certificate"),
        (json!({"certificate": "AA==", "privateKey": "AA==", "password": ""}), "password"),
        (json!({"certificate": "AA==", "privateKey": "AA==", "password": 1}), "password"),
    ];
    for (body, field) in cases {
        let message = client.post(CERTIFICATES, &body).refused(400, "validation_failed");
        assert!(message.starts_with(field), "{field} in {message:?}");
    }
    let message = client.post(CERTIFICATES, &json!({})).refused(400, "validation_failed");
    for field in ["certificate", "privateKey", "password"] {
        assert!(message.contains(&format!("{field} is required")), "{message}");
    }
    assert_eq!(client.get(CERTIFICATES).expect(200)["total"], 0);
}

/// Whether a text gives away some bytes, in one of the spellings that bytes have in texts.
fn shows(text: &str, bytes: &[u8]) -> bool {
    // Whole groups of three, so that what stands before it does not matter.
    let spellings = (0..3).map(|skip| {
        let whole = &bytes[skip..skip + (bytes.len() - skip) / 3 * 3];
        STANDARD.encode(whole)[..40].to_owned()
    });
    let hex: String = bytes[..32].iter().map(|byte| format!("{byte:02x}")).collect();
    let text_lower = text.to_lowercase();
    spellings.into_iter().any(|spelling| text.contains(&spelling)) || text_lower.contains(&hex)
}

fn a_private_key_is_nowhere_to_be_read(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = issuer(&app);
    let added = client.post_once(CERTIFICATES, "k", &pair(COMPANY, PASSWORD)).expect(201);
    let path = format!("{CERTIFICATES}/{}", id(&added));
    let opened = key::decrypt(COMPANY.1, PASSWORD).unwrap();
    // The numbers of the key itself, behind the header that all keys share.
    let secret = &opened[opened.len() / 2..];
    assert!(shows(&STANDARD.encode(&*opened), secret), "it would be found");
    let answers = [
        client.get(&path),
        client.get(CERTIFICATES),
        client.post_once(CERTIFICATES, "k", &pair(COMPANY, PASSWORD)),
        client.act(&format!("{path}/activate")),
        client.get("/invoices/cfdi/issuer"),
        client.get("/events"),
    ];
    let texts = answers.into_iter().map(|answer| {
        assert!(answer.status < 300, "{}", answer.text);
        assert!(!answer.text.contains("privateKey"), "{}", answer.text);
        answer.text
    });
    let kept = app.database.texts();
    let column = |column: &str| kept.iter().find(|text| text.starts_with(column));
    assert!(column("issuer_certificates.private_key: ").is_some(), "it was looked at");
    assert!(column("idempotency_answers.answer: ").is_some(), "it was looked at");
    for text in texts.chain(kept.clone()) {
        assert!(!shows(&text, secret) && !shows(&text, COMPANY.1), "{text}");
        assert!(!text.contains(PASSWORD), "{text}");
    }
}

fn the_active_certificate_seals(kind: DatabaseKind) {
    let office = Office::open(kind);
    let client = &office.client;
    let list = client.get(CERTIFICATES).expect(200);
    let company = list["data"][0].clone();
    // Sealed with what is active, not with what is there.
    let other = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxRegime": "612", "taxZip": "42501"});
    let draft = office.sale(116.0);
    let _ = client.send("PUT", "/invoices/cfdi/issuer", &other).expect(200);
    let message = office.stamp(&draft).refused(409, "certificate_missing");
    assert!(message.contains("/issuer/certificates"), "{message}");
    let person = client.post(CERTIFICATES, &pair(PERSON, PASSWORD)).expect(201);
    assert_eq!(person["isActive"], true, "the other is of another RFC");
    let list = client.get(CERTIFICATES).expect(200);
    let active = |list: &Value| -> Vec<Value> {
        let rows = list["data"].as_array().unwrap().iter();
        rows.filter(|row| row["isActive"] == true).map(|row| row["id"].clone()).collect()
    };
    let both = vec![person["id"].clone(), company["id"].clone()];
    assert_eq!((&list["total"], active(&list)), (&json!(2), both), "one of each RFC");
    let stamped = office.stamp(&draft).expect(200);
    assert_eq!(stamped["issuer"]["rfc"], "CACX7605101P8");
    let xml = client.get(&format!("/invoices/{draft}/xml")).text;
    assert_eq!(json!(attribute(&xml, "NoCertificado")), person["number"]);

    let activate = |certificate: &Value| {
        let path = format!("{CERTIFICATES}/{}/activate", id(certificate));
        client.act(&path).expect(200)
    };
    let activated = activate(&company);
    assert_eq!((&activated["id"], &activated["isActive"]), (&company["id"], &json!(true)));
    assert_eq!(activate(&company), activated, "again changes nothing");
    let list = client.get(CERTIFICATES).expect(200);
    assert_eq!(active(&list).len(), 2, "one seals for each RFC");

    let _ = client.delete(&format!("{CERTIFICATES}/{}", id(&person))).expect(200);
    let next = office.sale(116.0);
    let _ = office.stamp(&next).refused(409, "certificate_missing");
    assert_eq!(office.read(&next)["folio"], json!(null), "no folio is spent");
}

fn a_certificate_that_has_run_out_seals_nothing(kind: DatabaseKind) {
    let office = Office::open(kind);
    let list = office.client.get(CERTIFICATES).expect(200);
    let until = list["data"][0]["validUntil"].as_str().unwrap();
    office.app.advance_to(kernel::Timestamp::parse(until).unwrap().plus_seconds(1));
    let draft = office.sale(116.0);
    let codes: Vec<_> = office.findings(&draft).into_iter().map(|(code, _)| code).collect();
    assert!(codes.iter().any(|code| code == "305"), "{codes:?}");
    let message = office.stamp(&draft).refused(409, "invoice_invalid");
    assert!(message.contains("305"), "{message}");
    let refused = office.client.post(CERTIFICATES, &pair(COMPANY, PASSWORD));
    assert!(refused.refused(400, "validation_failed").starts_with("certificate"));
    assert_eq!(office.credits().1, 0);
}

fn a_repeat_adds_one_certificate(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = issuer(&app);
    let add = || client.post_once(CERTIFICATES, "k", &pair(COMPANY, PASSWORD));
    let first: Reply = add();
    let second = add();
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!(first.text, second.text);
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(client.get(CERTIFICATES).expect(200)["total"], 1);
}
