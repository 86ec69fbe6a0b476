//! Links: pages for who holds one, without a key.

use serde_json::json;
use testkit::{Client, DatabaseKind, Reply};

use crate::invoices::office::{Office, id, sale};

testkit::on_both!(
    a_customer_fills_in_their_tax_data,
    what_sat_would_refuse_is_not_saved,
    a_customer_abroad_fills_in_where_they_reside,
    an_invoice_is_seen_by_who_holds_its_link,
    a_new_link_replaces_the_one_before,
    links_that_lead_nowhere_look_alike,
    a_link_ends_with_its_days_and_its_customer,
    who_tries_too_often_has_to_wait,
);

const NOBODY: &str = "/tax-data/AAAAAAAAAAAAAAAAAAAAAAAA";

/// The path of a link that was made.
fn opened(office: &Office, path: &str) -> String {
    let url = office.client.act(path).expect(201)["url"].as_str().unwrap().to_owned();
    url.strip_prefix(&office.app.origin()).unwrap_or_else(|| panic!("{url}")).to_owned()
}

/// Somebody with a browser and no key.
fn visitor(office: &Office) -> Client {
    office.client.with_key("")
}

fn sent(visitor: &Client, page: &str, fields: &[(&str, &str)]) -> Reply {
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", value.replace(' ', "+")));
    let request = visitor
        .request("POST", page)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .header("Accept-Language", "es-MX");
    Reply::to(request.body(pairs.collect::<Vec<_>>().join("&")))
}

const GOOD: &[(&str, &str)] = &[
    ("rfc", "cacx-760510-1p8"),
    ("legalName", "xochilt  casas chavez"),
    ("taxZip", "36257"),
    ("taxRegime", "612"),
    ("cfdiUse", "G03"),
    ("email", ""),
];

fn with<'a>(name: &str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let other = |(known, usual): &(&'static str, &'static str)| {
        (*known, if *known == name { value } else { *usual })
    };
    GOOD.iter().map(other).collect()
}

fn a_customer_fills_in_their_tax_data(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.make("/customers", &json!({"name": "Xóchilt", "email": "x@example.com"}));
    let place = format!("/customers/{}", id(&customer));
    let page = opened(&office, &format!("{place}/tax-link"));
    let shown = visitor(&office).get(&page);
    assert_eq!(shown.status, 200, "{}", shown.text);
    assert!(shown.text.contains("Datos fiscales para su factura"), "{}", shown.text);
    assert!(shown.text.contains("ESCUELA KEMPER URGATE") && shown.text.contains("x@example.com"));
    assert!(shown.text.contains("Ambiente de pruebas"));
    let policy = shown.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("script-src"), "{policy}");
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    assert_eq!(shown.header("referrer-policy"), Some("no-referrer"));
    let saved = sent(&visitor(&office), &page, GOOD);
    assert_eq!(saved.status, 200, "{}", saved.text);
    assert!(saved.text.contains("quedaron guardados"), "{}", saved.text);
    told_of_tax_data(&office, 1);
    let after = office.client.get(&place).expect(200);
    assert_eq!(after["rfc"], "CACX7605101P8");
    assert_eq!(after["legalName"], "XOCHILT CASAS CHAVEZ");
    assert_eq!((&after["name"], &after["email"]), (&json!("Xóchilt"), &json!("x@example.com")));
    assert_eq!(after["taxStatus"], "valid");
    let known = sent(&visitor(&office), &page, &with("email", "Ana@EXAMPLE.com"));
    assert_eq!(known.status, 200, "{}", known.text);
    assert_eq!(office.client.get(&place).expect(200)["email"], "Ana@example.com");
    // The link can be shown again, and used again.
    let link = office.client.get(&format!("{place}/tax-link")).expect(200);
    assert!(link["url"].as_str().unwrap().ends_with(&page), "{link}");
    assert_eq!(sent(&visitor(&office), &page, GOOD).status, 200);
    // Also of what changed nothing: the customer has confirmed it.
    told_of_tax_data(&office, 3);
}

/// Subscribers are told how often a customer has filled in tax data, and whose they are.
#[track_caller]
fn told_of_tax_data(office: &Office, count: usize) {
    let path = "/events?limit=100&events=contact.tax_data_submitted";
    let seen = office.client.once(path, |feed| feed["data"].as_array().unwrap().len() >= count);
    let events = seen["data"].as_array().unwrap();
    assert_eq!(events.len(), count, "{seen}");
    assert!(events.iter().all(|event| event["data"]["rfc"] == "CACX7605101P8"), "{seen}");
}

fn what_sat_would_refuse_is_not_saved(kind: DatabaseKind) {
    let office = Office::open(kind);
    let other = json!({"name": "Otra", "email": "otra@example.com"});
    let _ = office.make("/customers", &other);
    let customer = office.make("/customers", &json!({"name": "Xóchilt"}));
    let place = format!("/customers/{}", id(&customer));
    let page = opened(&office, &format!("{place}/tax-link"));
    for (fields, status, sentence) in [
        (with("rfc", "CACX76"), 400, "id=\"rfc-fault\">RFC "),
        (with("legalName", ""), 400, "id=\"legalName-fault\">Nombre o razón social "),
        (with("taxZip", "00001"), 400, "Código postal del domicilio fiscal debe ser"),
        (with("taxRegime", ""), 400, "Régimen fiscal debe elegirse."),
        (with("cfdiUse", "D99"), 400, "Uso del CFDI debe elegirse."),
        (with("email", "x@"), 400, "id=\"email-fault\""),
        (with("email", "OTRA@example.com"), 409, "ya pertenece a otro cliente"),
        (with("taxRegime", "605"), 400, "elija otro, por ejemplo S01"),
        // A natural person has no regime of companies.
        (with("taxRegime", "601"), 400, "id=\"taxRegime-fault\""),
    ] {
        let reply = sent(&visitor(&office), &page, &fields);
        assert_eq!(reply.status, status, "{fields:?}: {}", reply.text);
        assert!(reply.text.contains(sentence), "{fields:?}: {}", reply.text);
        assert!(reply.text.contains("role=\"alert\""));
    }
    assert_eq!(office.client.get(&place).expect(200)["rfc"], json!(null));
    // What is probably a mistake has to be confirmed.
    let doubtful = with("rfc", "CACX7605101P9");
    let doubted = sent(&visitor(&office), &page, &doubtful);
    assert_eq!(doubted.status, 200);
    let (_, button) = doubted.text.split_once("name=\"confirmed\" value=\"").unwrap();
    let confirmation = button.split_once('"').unwrap().0.to_owned();
    assert_eq!(office.client.get(&place).expect(200)["rfc"], json!(null));
    // Of these values only: what has changed since is asked again.
    for (rfc, confirmation) in [("CACX7605101P9", "yes"), ("CACX7605101P7", &*confirmation)] {
        let fields = with("rfc", rfc).into_iter().chain([("confirmed", confirmation)]);
        let again = sent(&visitor(&office), &page, &fields.collect::<Vec<_>>());
        assert!(again.text.contains("name=\"confirmed\""), "{}", again.text);
    }
    assert_eq!(office.client.get(&place).expect(200)["rfc"], json!(null));
    let confirmed: Vec<_> = doubtful.into_iter().chain([("confirmed", &*confirmation)]).collect();
    assert_eq!(sent(&visitor(&office), &page, &confirmed).status, 200);
    assert_eq!(office.client.get(&place).expect(200)["rfc"], "CACX7605101P9");
}

fn a_customer_abroad_fills_in_where_they_reside(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.make("/customers", &json!({"name": "Acme"}));
    let place = format!("/customers/{}", id(&customer));
    let page = opened(&office, &format!("{place}/tax-link"));
    let data = |residence: &'static str, foreign: &'static str| {
        [
            ("rfc", "XEXX010101000"),
            ("legalName", "ACME INC"),
            ("taxZip", ""),
            ("taxRegime", ""),
            ("cfdiUse", ""),
            ("taxResidence", residence),
            ("foreignTaxId", foreign),
            ("email", ""),
        ]
    };
    // What only some must fill in is not asked of all.
    let shown = visitor(&office).get(&page).text;
    for (field, is_needed) in [
        ("rfc", true),
        ("legalName", true),
        ("taxZip", false),
        ("taxRegime", false),
        ("cfdiUse", false),
    ] {
        let (_, rest) = shown.split_once(&format!(" id=\"{field}\"")).unwrap();
        let (tag, _) = rest.split_once('>').unwrap();
        assert_eq!(tag.contains(" required"), is_needed, "{field}: {tag}");
    }
    for (fields, sentence) in [
        (data("MARS", ""), "id=\"taxResidence-fault\">País de residencia fiscal debe elegirse."),
        (data("", "123456789"), "País de residencia fiscal debe elegirse, o deje vacío"),
        (data("USA", "12-3456789"), "id=\"foreignTaxId-fault\">Número de identidad tributaria"),
    ] {
        let reply = sent(&visitor(&office), &page, &fields);
        assert_eq!(reply.status, 400, "{fields:?}: {}", reply.text);
        assert!(reply.text.contains(sentence), "{fields:?}: {}", reply.text);
    }
    assert_eq!(office.client.get(&place).expect(200)["rfc"], json!(null));
    let saved = sent(&visitor(&office), &page, &data("usa", "123456789"));
    assert_eq!(saved.status, 200, "{}", saved.text);
    let after = office.client.get(&place).expect(200);
    assert_eq!(
        (&after["taxResidence"], &after["foreignTaxId"], &after["taxStatus"]),
        (&json!("USA"), &json!("123456789"), &json!("valid"))
    );
    // What follows for whoever has no RFC of their own is asked of nobody.
    for field in ["taxZip", "taxRegime", "cfdiUse"] {
        assert_eq!(after[field], json!(null), "{field}");
    }
    assert!(visitor(&office).get(&page).text.contains("value=\"USA\" selected"));
    // Who has moved to Mexico has an RFC instead.
    assert_eq!(sent(&visitor(&office), &page, GOOD).status, 200);
    let after = office.client.get(&place).expect(200);
    assert_eq!((&after["taxResidence"], &after["foreignTaxId"]), (&json!(null), &json!(null)));
}

fn an_invoice_is_seen_by_who_holds_its_link(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.draft(&sale(116.0));
    let place = format!("/invoices/{}", id(&draft));
    let _ = office.client.act(&format!("{place}/link")).refused(409, "conflict");
    let stamped = office.stamp(&id(&draft)).expect(200);
    let page = opened(&office, &format!("{place}/link"));
    let visitor = visitor(&office);
    let shown = visitor.get(&page);
    assert_eq!(shown.status, 200, "{}", shown.text);
    let uuid = stamped["uuid"].as_str().unwrap();
    assert!(shown.text.contains(uuid) && shown.text.contains("116.00 MXN"), "{}", shown.text);
    assert!(shown.text.contains(&format!("href=\"{page}/pdf\"")), "{}", shown.text);
    assert!(visitor.get(&format!("{page}/pdf")).text.starts_with("%PDF"));
    let xml = visitor.get(&format!("{page}/xml"));
    assert_eq!(xml.text, office.client.get(&format!("{place}/xml")).text);
    assert!(xml.header("content-disposition").unwrap().contains(uuid));
    let english = visitor.request("GET", &page).header("Accept-Language", "en-US,en;q=0.9");
    assert!(Reply::to(english).text.contains("Download PDF"));
    let _ = office.cancel(&id(&draft), "02").expect(200);
    let cancelled = office.until(&id(&draft), |invoice| invoice["status"] == "cancelled");
    assert_eq!(cancelled["status"], "cancelled");
    assert!(visitor.get(&page).text.contains("Cancelada"));
}

fn a_new_link_replaces_the_one_before(kind: DatabaseKind) {
    let office = Office::open(kind);
    let place = format!("/customers/{}/tax-link", office.customer());
    let none = office.client.get(&place);
    let _ = none.refused(404, "not_found");
    let body = json!({"expiresInDays": 1});
    let made = office.client.post_once(&place, "once", &body);
    let repeated = office.client.post_once(&place, "once", &body);
    assert_eq!((made.status, &made.text), (201, &repeated.text));
    assert_eq!(repeated.header("idempotent-replayed"), Some("true"));
    let first = made.json()["url"].as_str().unwrap().to_owned();
    let first = first.strip_prefix(&office.app.origin()).unwrap().to_owned();
    assert_eq!(visitor(&office).get(&first).status, 200);
    let second = opened(&office, &place);
    assert_ne!(first, second);
    assert_eq!(visitor(&office).get(&first).status, 404);
    assert_eq!(visitor(&office).get(&second).status, 200);
    let _ = office.client.delete(&place).expect(200);
    assert_eq!(visitor(&office).get(&second).status, 404);
    let _ = office.client.delete(&place).refused(404, "not_found");
    for days in [0, 3_651] {
        let body = json!({"expiresInDays": days});
        let _ = office.client.post(&place, &body).refused(400, "validation_failed");
    }
}

fn links_that_lead_nowhere_look_alike(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.customer();
    let page = opened(&office, &format!("/customers/{customer}/tax-link"));
    let of_another_kind = page.replace("/tax-data/", "/invoice/");
    let visitor = visitor(&office);
    let nothing = visitor.get(NOBODY);
    assert_eq!(nothing.status, 404);
    assert!(nothing.text.contains("Aquí no hay nada"), "{}", nothing.text);
    for path in [of_another_kind.as_str(), "/tax-data/x", "/invoice/AAAAAAAAAAAAAAAAAAAAAAAA/pdf"] {
        let reply = visitor.get(path);
        assert_eq!((reply.status, &reply.text), (404, &nothing.text), "{path}");
    }
    assert_eq!(sent(&visitor, NOBODY, GOOD).status, 404);
    // Another account finds no link of this one.
    let other = office.app.client_of(office.app.account(), "*");
    for method in ["GET", "POST", "DELETE"] {
        let request = other.request(method, &format!("/customers/{customer}/tax-link"));
        let _ = Reply::to(request).refused(404, "not_found");
    }
}

fn a_link_ends_with_its_days_and_its_customer(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.make("/customers", &json!({"name": "Xóchilt"}));
    let place = format!("/customers/{}", id(&customer));
    let link = format!("{place}/tax-link");
    let page = opened(&office, &link);
    office.app.advance_to(office.app.now().plus_seconds(30 * 24 * 3_600));
    assert_eq!(visitor(&office).get(&page).status, 404);
    let _ = office.client.get(&link).refused(404, "not_found");
    let before = opened(&office, &link);
    let shown = office.client.get(&link);
    let tag = shown.header("etag").unwrap().to_owned();
    let page = opened(&office, &link);
    assert_eq!(
        (visitor(&office).get(&before).status, visitor(&office).get(&page).status),
        (404, 200)
    );
    // Who has seen another link closes none.
    office.app.advance_to(office.app.now().plus_seconds(1));
    let page = opened(&office, &link);
    let close = office.client.request("DELETE", &link).header("If-Match", tag);
    let _ = Reply::to(close).refused(412, "precondition_failed");
    assert_eq!(visitor(&office).get(&page).status, 200);
    let _ = office.client.delete(&place).expect(200);
    assert_eq!(visitor(&office).get(&page).status, 404);
    let _ = office.client.act(&link).refused(404, "not_found");
}

fn who_tries_too_often_has_to_wait(kind: DatabaseKind) {
    let office = Office::open(kind);
    let visitor = visitor(&office);
    let refused = (0..40).map(|_| visitor.get(NOBODY)).find(|reply| reply.status == 429);
    let refused = refused.expect("a refusal");
    assert!(refused.header("retry-after").is_some());
    // People read it.
    assert!(refused.header("content-type").unwrap().starts_with("text/html"), "{}", refused.text);
    assert!(refused.text.contains("Espere un momento"), "{}", refused.text);
}
