//! How invoices are printed.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::{Office, id, sale};

on_both!(
    a_sheet_has_the_look_that_was_set,
    what_goes_abroad_is_in_english,
    settings_are_read_with_care,
);

const PLACE: &str = "/invoices/cfdi/pdf";

/// How long the PDF of an invoice is, and whether it is English.
fn printed(office: &Office, invoice: &str, query: &str) -> (String, bool) {
    let reply = office.client.get(&format!("/invoices/{invoice}/pdf{query}"));
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert!(reply.text.starts_with("%PDF"));
    (reply.text.clone(), reply.text.contains("en-US"))
}

fn a_sheet_has_the_look_that_was_set(kind: DatabaseKind) {
    let office = Office::open(kind);
    let usual = office.client.get(PLACE).expect(200);
    assert_eq!((&usual["accent"], &usual["logoPlace"]), (&Value::Null, &json!("left")));
    let draft = id(&office.draft(&sale(116.0)));
    let (plain, _) = printed(&office, &draft, "");
    let look = json!({"accent": "#1f4e79", "logoPlace": "right", "hidden": ["taxes", "sku"],
        "address": ["Av. Juárez 10"], "phone": "+525512345678", "footer": "Gracias"});
    for tag in ["\"abc\"", "W/\"7\"", "\"1\""] {
        let request = office.client.request("PUT", PLACE).header("If-Match", tag);
        let stale =
            Reply::to(request.header("Content-Type", "application/json").body(look.to_string()));
        assert_eq!(stale.status, 412, "{tag}: {}", stale.text);
    }
    let set = office.client.send("PUT", PLACE, &look).expect(200);
    assert_eq!((&set["accent"], &set["phone"]), (&json!("#1F4E79"), &json!("+525512345678")));
    assert_eq!(office.client.get(PLACE).expect(200), set);
    assert_ne!(printed(&office, &draft, "").0, plain);
    // What was read can be sent back; what is left out is as usual again.
    let again = office.client.send("PUT", PLACE, &set).expect(200);
    assert_eq!((&again["accent"], &again["hidden"]), (&set["accent"], &set["hidden"]));
    let bare = office.client.send("PUT", PLACE, &json!({})).expect(200);
    assert_eq!((&bare["accent"], &bare["hidden"]), (&Value::Null, &json!([])));
    assert_eq!(printed(&office, &draft, "").0, plain);
}

fn what_goes_abroad_is_in_english(kind: DatabaseKind) {
    let office = Office::open(kind);
    let at_home = id(&office.draft(&sale(116.0)));
    let mut body = sale(116.0);
    body["receiver"] = json!({"rfc": "XEXX010101000", "legalName": "FABRIKAM", "taxZip": "42501",
        "taxRegime": "616", "cfdiUse": "S01", "taxResidence": "USA", "foreignTaxId": "123456789"});
    let abroad = id(&office.draft(&body));
    assert!(!printed(&office, &at_home, "").1);
    assert!(printed(&office, &abroad, "").1);
    assert!(printed(&office, &at_home, "?language=en").1);
    assert!(!printed(&office, &abroad, "?language=es").1);
    let spanish = json!({"spanishAbroad": true});
    let _ = office.client.send("PUT", PLACE, &spanish).expect(200);
    assert!(!printed(&office, &abroad, "").1);
    let unknown = office.client.get(&format!("/invoices/{abroad}/pdf?language=fr"));
    let _ = unknown.refused(400, "validation_failed");
}

fn settings_are_read_with_care(kind: DatabaseKind) {
    let office = Office::open(kind);
    for (settings, field) in [
        (json!({"accent": "blue"}), "accent"),
        (json!({"logoPlace": "top"}), "logoPlace"),
        (json!({"hidden": ["description"]}), "hidden[0]"),
        (json!({"address": ["1", "2", "3", "4", "5"]}), "address"),
        (json!({"footer": "x".repeat(161)}), "footer"),
        (json!({"phone": "12"}), "phone"),
        (json!({"colour": "#000000"}), "colour"),
    ] {
        let reply = office.client.send("PUT", PLACE, &settings);
        let message = reply.refused(400, "validation_failed");
        assert!(message.contains(field), "{settings}: {message}");
    }
    let settings = office.client.get(PLACE);
    let tag = settings.header("etag").unwrap().to_owned();
    let stale = office.client.request("PUT", PLACE).header("If-Match", "\"7\"");
    let stale = stale.header("Content-Type", "application/json").body("{}");
    let _ = testkit::Reply::to(stale).refused(412, "precondition_failed");
    let fresh = office.client.request("PUT", PLACE).header("If-Match", tag);
    let fresh = fresh.header("Content-Type", "application/json").body("{}");
    assert_eq!(testkit::Reply::to(fresh).status, 200);
    let nobody = office.app.client_of(office.app.live_account(), "*");
    let _ = nobody.send("PUT", PLACE, &json!({})).refused(409, "issuer_missing");
}
