//! Validation: all that would be refused, in the caller's language, before anything is spent.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::{Office, company, id, item, sale, sale_in_parts};

on_both!(
    a_good_draft_has_no_findings,
    what_is_nearly_always_a_mistake_is_warned_of,
    findings_name_code_field_and_cure,
    findings_speak_the_callers_language,
    every_finding_is_told_at_once,
    a_cured_draft_is_stamped,
    what_was_paid_meanwhile_is_found,
);

fn a_good_draft_has_no_findings(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    assert_eq!(office.verdict(&draft), json!({"valid": true, "findings": [], "warnings": []}));
    let _ = office.stamp(&draft).expect(200);
    assert_eq!(office.verdict(&draft), json!({"valid": true, "findings": [], "warnings": []}));
}

/// A draft with this changed, and what is found.
fn found(office: &Office, changes: &Value) -> Vec<(String, String)> {
    let mut body = sale(116.0);
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    let draft = id(&office.draft(&body));
    let findings = office.findings(&draft);
    let _ = office.client.delete(&format!("/invoices/{draft}")).expect(200);
    findings
}

fn findings_name_code_field_and_cure(kind: DatabaseKind) {
    let office = Office::open(kind);
    let receiver = |name: &str, value: &str| {
        let mut receiver = company();
        receiver[name] = json!(value);
        json!({"receiver": receiver})
    };
    let with = |name: &str, value: Value| {
        let mut item = item(116.0);
        item[name] = value;
        json!({"items": [item]})
    };
    let mut wrong = Vec::new();
    let mut no_object = with("taxObject", json!("01"));
    no_object["items"][0]["taxes"] = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16}]);
    for (changes, code, field) in [
        (json!({"paymentForm": "98"}), "CFDI40104", "paymentForm"),
        (json!({"paymentMethod": "PPD"}), "CFDI40105", "paymentForm"),
        (json!({"currency": "USD"}), "CFDI40115", "exchangeRate"),
        (json!({"export": "09"}), "CFDI40123", "export"),
        (receiver("taxZip", "00001"), "CFDI40147", "receiver.taxZip"),
        (receiver("taxRegime", "605"), "CFDI40158", "receiver.taxRegime"),
        (receiver("cfdiUse", "D01"), "CFDI40161", "receiver.cfdiUse"),
        (receiver("legalName", "PUBLICO EN GENERAL"), "CFDI40146", "receiver.legalName"),
        (with("satProductKey", json!("99999999")), "CFDI40162", "items[0].satProductKey"),
        (with("satUnitKey", json!("ZZ9")), "CFDI40165", "items[0].satUnitKey"),
        (no_object, "CFDI40172", "items[0].taxObject"),
        (
            with("taxes", json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.15}])),
            "CFDI40179",
            "items[0].taxes[0].rate",
        ),
    ] {
        let findings = found(&office, &changes);
        let is_there = findings.iter().any(|(a, b)| (a.as_str(), b.as_str()) == (code, field));
        if !is_there {
            wrong.push(format!("{code} {field} of {changes}: {findings:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(office.credits(), (1_000, 0));
}

fn findings_speak_the_callers_language(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["receiver"]["taxZip"] = json!("00001");
    let draft = id(&office.draft(&body));
    let speaking = |language: Option<&str>| {
        let request = office.client.request("POST", &format!("/invoices/{draft}/validate"));
        let reply = Reply::to(match language {
            Some(language) => request.header("Accept-Language", language),
            None => request,
        });
        let spoken = reply.header("content-language").unwrap().to_owned();
        let verdict = reply.expect(200);
        assert_eq!(verdict["valid"], false);
        (spoken, verdict["findings"][0]["message"].as_str().unwrap().to_owned())
    };
    let (language, english) = speaking(None);
    assert_eq!(language, "en");
    assert!(english.starts_with("receiver.taxZip is \"00001\""), "{english}");
    for spanish in ["es", "es-MX", "es-MX,es;q=0.9,en;q=0.8", "ES", "fr, es;q=0.5"] {
        let (language, message) = speaking(Some(spanish));
        assert_eq!(language, "es", "{spanish}");
        assert!(message.starts_with("receiver.taxZip es \"00001\""), "{message}");
    }
    for other in ["en", "en-US,es;q=0.1", "fr", "*", "§"] {
        if other.is_ascii() {
            assert_eq!(speaking(Some(other)), ("en".to_owned(), english.clone()), "{other}");
        }
    }
}

fn every_finding_is_told_at_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["paymentForm"] = json!("98");
    body["receiver"]["taxZip"] = json!("00001");
    body["items"] = json!([{"description": "x", "quantity": 1, "unitPrice": 1,
        "satProductKey": "99999999", "satUnitKey": "ZZZ"}]);
    let draft = id(&office.draft(&body));
    let findings = office.findings(&draft);
    assert!(findings.len() >= 4, "{findings:?}");
    let refused = office.stamp(&draft).refused(409, "invoice_invalid");
    for (code, field) in findings {
        assert!(refused.contains(&code) && refused.contains(&field), "{code} {field} in {refused}");
    }
}

fn a_cured_draft_is_stamped(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["paymentForm"] = json!("98");
    let draft = id(&office.draft(&body));
    let _ = office.stamp(&draft).refused(409, "invoice_invalid");
    let _ = office.change(&draft, &json!({"paymentForm": "03"})).expect(200);
    assert_eq!(office.findings(&draft), []);
    assert_eq!(office.stamp(&draft).expect(200)["status"], "stamped");
}

/// A receipt that was good when it was drafted, of an invoice that was paid since.
fn what_was_paid_meanwhile_is_found(kind: DatabaseKind) {
    let office = Office::open(kind);
    let owed = office.stamped(&sale_in_parts(116.0));
    let receipt = |amount: i64| {
        json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
            "paymentForm": "03", "amount": amount,
            "documents": [{"invoiceId": owed["id"], "amount": amount}]}]})
    };
    let (late, first) = (id(&office.draft(&receipt(100))), office.draft(&receipt(60)));
    let _ = office.stamp(&id(&first)).expect(200);
    let verdict = office.verdict(&late);
    assert_eq!(verdict["valid"], false, "{verdict}");
    let finding = &verdict["findings"][0];
    assert_eq!(finding["field"], "payments[0].documents[0].amount", "{verdict}");
    let refused = office.stamp(&late);
    assert!(refused.status == 409 || refused.status == 400, "{}", refused.text);
    assert!(refused.text.contains("payments[0].documents[0].amount"), "{}", refused.text);
    assert_eq!((office.ledger(&late), &office.read(&late)["folio"]), (vec![], &json!(null)));
}

fn what_is_nearly_always_a_mistake_is_warned_of(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["receiver"] = json!({"rfc": "URE180429TM7", "legalName": "UNIVERSIDAD ROBOTICA SA",
        "taxZip": "86991", "taxRegime": "601"});
    let draft = id(&office.draft(&body));
    let verdict = office.verdict(&draft);
    assert_eq!((&verdict["valid"], &verdict["findings"]), (&json!(true), &json!([])));
    let warnings = verdict["warnings"].as_array().unwrap();
    let fields: Vec<&str> = warnings.iter().map(|one| one["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["receiver.rfc", "receiver.legalName"]);
    let _ = office.stamp(&draft).expect(200);
}
