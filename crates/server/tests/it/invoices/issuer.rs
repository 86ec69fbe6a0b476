//! The issuer: told, told again, with a logo.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Reply, on_both};

use super::office::{Office, id, is_moment};
use crate::audit::{entry, told};

on_both!(
    the_issuer_is_told_and_told_again,
    every_bad_field_of_an_issuer_is_named,
    a_stale_version_of_the_issuer_is_refused,
    drafts_follow_their_issuer_and_stamped_invoices_do_not,
    a_logo_is_set_shown_and_deleted,
    a_logo_is_told_by_its_digest,
    what_is_no_logo_is_refused,
    nothing_is_invoiced_without_an_issuer,
);

const ISSUER: &str = "/invoices/cfdi/issuer";
const LOGO: &str = "/invoices/cfdi/issuer/logo";
/// A PNG of 16 by 16 pixels.
pub(super) const BLACK: &str =
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC";

fn kemper() -> Value {
    json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601",
        "taxZip": "42501"})
}

fn tell(client: &Client, issuer: &Value) -> Reply {
    client.send("PUT", ISSUER, issuer)
}

fn the_issuer_is_told_and_told_again(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let message = client.get(ISSUER).refused(404, "not_found");
    assert!(message.contains("PUT /invoices/cfdi/issuer"), "{message}");

    let told = tell(&client, &kemper());
    let tag = told.header("etag").unwrap().to_owned();
    let told = told.expect(200);
    for (name, value) in kemper().as_object().unwrap() {
        assert_eq!(&told[name], value, "{name}");
    }
    let usual = json!({"income": "F", "credit": "NC", "payment": "P", "transfer": "T"});
    let iva = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false}]);
    assert_eq!((&told["series"], &told["defaultTaxes"]), (&usual, &iva));
    assert_eq!(told["hasLogo"], false);
    assert!(is_moment(&told["createdAt"]) && told["createdAt"] == told["updatedAt"], "{told}");
    let shown = client.get(ISSUER);
    assert_eq!(shown.header("etag"), Some(tag.as_str()));
    assert_eq!(shown.expect(200), told);

    app.advance_seconds(5);
    let mut other = kemper();
    other["taxZip"] = json!("06600");
    other["series"] = json!({"income": "WEB"});
    other["defaultTaxes"] = json!([]);
    let changed = tell(&client, &other).expect(200);
    assert_eq!(changed["series"]["income"], "WEB");
    assert_eq!(changed["series"]["credit"], "NC", "what is left out is as usual");
    assert_eq!((&changed["defaultTaxes"], &changed["taxZip"]), (&json!([]), &json!("06600")));
    assert_eq!(changed["createdAt"], told["createdAt"]);
    assert_ne!(changed["updatedAt"], told["updatedAt"]);
    // What was read can be sent back.
    let again = tell(&client, &changed).expect(200);
    assert_eq!(
        (&again["series"], &again["createdAt"]),
        (&changed["series"], &changed["createdAt"])
    );
}

fn every_bad_field_of_an_issuer_is_named(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let cases = [
        (json!({}), &["rfc", "legalName", "taxRegime", "taxZip"][..]),
        (json!({"rfc": "EKU"}), &["rfc"]),
        (json!({"rfc": 7}), &["rfc"]),
        (json!({"legalName": ""}), &["legalName"]),
        (json!({"legalName": "x".repeat(301)}), &["legalName"]),
        (json!({"legalName": "A\nB"}), &["legalName"]),
        (json!({"taxRegime": "999"}), &["taxRegime"]),
        // A company in a regime of natural persons, and the other way round.
        (json!({"taxRegime": "612"}), &["taxRegime"]),
        (json!({"rfc": "CACX7605101P8"}), &["taxRegime"]),
        // Nobody issues as whoever has no RFC.
        (json!({"rfc": "XEXX010101000", "taxRegime": "616"}), &["rfc"]),
        (json!({"rfc": "XAXX010101000", "taxRegime": "616"}), &["rfc"]),
        (json!({"taxZip": "00001"}), &["taxZip"]),
        (json!({"taxZip": "425"}), &["taxZip"]),
        (json!({"series": {"income": "x".repeat(26), "sales": "V"}}), &["series.income", "sales"]),
        (
            json!({"defaultTaxes": [{"tax": "VAT", "factor": "Tasa", "rate": 0.16}]}),
            &["defaultTaxes[0].tax"],
        ),
        (
            json!({"defaultTaxes": [{"tax": "IVA", "factor": "Exento", "rate": 0.16}]}),
            &["defaultTaxes[0]"],
        ),
        (json!({"name": "ESCUELA"}), &["name"]),
    ];
    for (changes, fields) in cases {
        let mut issuer = if changes == json!({}) { json!({}) } else { kemper() };
        for (name, value) in changes.as_object().unwrap() {
            issuer[name] = value.clone();
        }
        let message = tell(&client, &issuer).refused(400, "validation_failed");
        for field in fields {
            assert!(message.contains(field), "{field} in {message:?}");
        }
    }
    let _ = client.get(ISSUER).refused(404, "not_found");
}

fn a_stale_version_of_the_issuer_is_refused(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let tell_if = |tag: &str| {
        let request = client.request("PUT", ISSUER).header("If-Match", tag);
        Reply::to(request.header("Content-Type", "application/json").body(kemper().to_string()))
    };
    let first = tell(&client, &kemper()).header("etag").unwrap().to_owned();
    let second = tell_if(&first).header("etag").unwrap().to_owned();
    assert_ne!(first, second);
    let _ = tell_if(&first).refused(412, "precondition_failed");
    assert_eq!(tell_if(&second).status, 200);
}

fn drafts_follow_their_issuer_and_stamped_invoices_do_not(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (draft, stamped) = (office.sale(116.0), office.stamped_sale(116.0));
    let tag = |path: &str| office.client.get(path).header("etag").unwrap().to_owned();
    let place = format!("/invoices/{draft}");
    let before = tag(&place);
    let mut other = kemper();
    other["taxZip"] = json!("06600");
    other["legalName"] = json!("ESCUELA KEMPER");
    let _ = tell(&office.client, &other).expect(200);
    let seen = office.read(&draft);
    assert_eq!(seen["issuer"]["legalName"], "ESCUELA KEMPER");
    assert_eq!(seen["placeOfIssue"], "06600");
    assert_ne!(tag(&place), before, "what is shown has changed");
    let listed = office.client.get("/invoices?status=draft").expect(200);
    assert_eq!(listed["data"][0], seen, "a list shows the same");
    assert_eq!(office.read(&id(&stamped)), stamped);
    let stamped = office.stamp(&draft).expect(200);
    assert_eq!(stamped["issuer"]["legalName"], "ESCUELA KEMPER");
}

fn a_logo_is_set_shown_and_deleted(kind: DatabaseKind) {
    let office = Office::open(kind);
    let pdf = |invoice: &str| office.client.get(&format!("/invoices/{invoice}/pdf")).text.len();
    let draft = office.sale(116.0);
    let plain = pdf(&draft);
    let told = office.client.send("PUT", LOGO, &json!({"image": BLACK})).expect(200);
    assert_eq!(told["hasLogo"], true);
    assert!(pdf(&draft) > plain, "it is printed");
    assert_eq!(tell(&office.client, &kemper()).expect(200)["hasLogo"], true, "it stays");
    let deleted = office.client.delete(LOGO).expect(200);
    assert_eq!(deleted, json!({"id": "logo", "deleted": true}));
    assert_eq!(office.client.get(ISSUER).expect(200)["hasLogo"], false);
    assert_eq!(office.client.delete(LOGO).status, 200, "there is none afterwards either");
}

fn a_logo_is_told_by_its_digest(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.issuer();
    let issuer = id(&client.get(ISSUER).expect(200));
    for _ in 0..2 {
        let _ = client.send("PUT", LOGO, &json!({"image": BLACK})).expect(200);
    }
    for _ in 0..2 {
        let _ = client.delete(LOGO).expect(200);
    }
    let digest = "a59d4b29e72237bbc16e22e6db5cfbdc7e70a4e3782baffc9881e3c04ab049a0";
    let logo = json!({"logo": format!("69 bytes, SHA-256 {digest}")});
    let changed = |before, after| entry("issuer.changed", before, after);
    let wanted = [changed(json!({}), logo.clone()), changed(logo, json!({}))];
    assert_eq!(&told(&client, &issuer)[1..], &wanted);
}

fn what_is_no_logo_is_refused(kind: DatabaseKind) {
    let office = Office::open(kind);
    let gif = STANDARD.encode(b"GIF89a\x01\x00\x01\x00\x00\x00\x00;");
    let broken = STANDARD.encode(b"\x89PNG\r\n\x1a\nnothing follows");
    let large = STANDARD.encode(vec![0; 256 * 1024 + 1]);
    for image in [json!(gif), json!(broken), json!(large), json!("§"), json!(""), json!(7)] {
        let reply = office.client.send("PUT", LOGO, &json!({"image": image}));
        let message = reply.refused(400, "validation_failed");
        assert!(message.starts_with("image "), "{message}");
    }
    assert_eq!(office.client.get(ISSUER).expect(200)["hasLogo"], false);
}

fn nothing_is_invoiced_without_an_issuer(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let certificate = json!({"certificate": "AA==", "privateKey": "AA==", "password": "x"});
    let refused = [
        client.post("/invoices", &super::office::sale(116.0)),
        client.post("/invoices/cfdi/issuer/certificates", &certificate),
        client.send("PUT", LOGO, &json!({"image": BLACK})),
        client.delete(LOGO),
    ];
    for reply in refused {
        let message = reply.refused(409, "issuer_missing");
        assert!(message.contains("PUT /invoices/cfdi/issuer"), "{message}");
    }
}
