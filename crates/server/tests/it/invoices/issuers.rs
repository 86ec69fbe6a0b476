//! Several issuers in one account: each with its certificate, series, logo and settings.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use testkit::{
    DatabaseKind, Reply,
    invoicing::{PASSWORD, PERSON},
    on_both,
};

use super::office::{Office, attribute, id, sale};

on_both!(
    each_issuer_issues_under_its_own_name_and_folios,
    what_settles_an_invoice_is_of_its_issuer,
    what_settles_an_invoice_is_stamped_of_its_issuer,
    the_default_issuer_can_be_another,
    a_change_goes_to_the_issuer_that_was_read,
    an_issuer_that_is_named_is_not_deleted,
    what_is_wrong_with_an_issuer_is_told,
    each_issuer_has_its_own_settings,
);

const ISSUERS: &str = "/invoices/cfdi/issuers";

fn person() -> Value {
    json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxRegime": "612",
        "taxZip": "36257"})
}

/// An office with a second issuer that can seal, and its identifier.
fn with_two(kind: DatabaseKind) -> (Office, String) {
    let office = Office::open(kind);
    let other = id(&office.make(ISSUERS, &person()));
    let (certificate, private_key) = PERSON;
    let pair = json!({"certificate": STANDARD.encode(certificate),
        "privateKey": STANDARD.encode(private_key), "password": PASSWORD});
    let added = office.make("/invoices/cfdi/issuer/certificates", &pair);
    assert_eq!(added["isActive"], true);
    (office, other)
}

fn of(issuer: &str, mut invoice: Value) -> Value {
    invoice["issuerId"] = json!(issuer);
    invoice
}

fn sale_to_company() -> Value {
    let mut sale = sale(116.0);
    sale["receiver"] = json!({"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA",
        "taxZip": "86991", "taxRegime": "601"});
    sale
}

fn set_default(office: &Office, issuer: &str) -> Reply {
    let mut body = person();
    body["isDefault"] = json!(true);
    office.client.send("PUT", &format!("{ISSUERS}/{issuer}"), &body)
}

fn each_issuer_issues_under_its_own_name_and_folios(kind: DatabaseKind) {
    let (office, other) = with_two(kind);
    let first = office.client.get("/invoices/cfdi/issuer").expect(200);
    let listed = office.client.get(ISSUERS).expect(200);
    let ids: Vec<_> = listed["data"].as_array().unwrap().iter().map(id).collect();
    assert_eq!((ids, &listed["total"]), (vec![id(&first), other.clone()], &json!(2)));
    let own = office.stamped(&sale_to_company());
    assert_eq!((&own["issuerId"], &own["folio"]), (&first["id"], &json!("1")));
    for folio in ["1", "2"] {
        let theirs = office.stamped(&of(&other, sale_to_company()));
        assert_eq!((&theirs["series"], &theirs["folio"]), (&json!("F"), &json!(folio)));
        assert_eq!(theirs["issuer"]["rfc"], "CACX7605101P8");
        assert_eq!(theirs["placeOfIssue"], "36257");
        let xml = office.client.get(&format!("/invoices/{}/xml", id(&theirs))).text;
        assert_eq!(attribute(&xml, "LugarExpedicion"), "36257");
    }
    let found = office.client.get(&format!("/invoices?issuerId={other}")).expect(200);
    assert_eq!(found["total"], 2);
    let own_rows = office.client.get(&format!("/invoices?issuerId={}", id(&first))).expect(200);
    assert_eq!(own_rows["total"], 1);
    let series = format!("/invoices/cfdi/series?issuerId={other}");
    let next = office.client.get(&series).expect(200)["data"][0].clone();
    assert_eq!(next, json!({"issuerId": other, "series": "F", "nextFolio": 3}));
    let continued = format!("/invoices/cfdi/series/F?issuerId={other}");
    let _ = office.client.send("PUT", &continued, &json!({"nextFolio": 500})).expect(200);
    assert_eq!(office.stamped(&of(&other, sale_to_company()))["folio"], "500");
    assert_eq!(office.stamped(&sale_to_company())["folio"], "2");
    // Handed over, a draft takes series and folio of its new issuer.
    let draft = id(&office.draft(&sale_to_company()));
    let handed = office.change(&draft, &json!({"issuerId": other})).expect(200);
    assert_eq!(handed["issuer"]["rfc"], "CACX7605101P8");
    assert_eq!(office.stamp(&draft).expect(200)["folio"], "501");
    // Cancelled with its own certificate.
    let cancelled = office.cancel(&draft, "03").expect(200);
    assert_eq!(cancelled["status"], "cancelled");
}

fn what_settles_an_invoice_is_of_its_issuer(kind: DatabaseKind) {
    let (office, other) = with_two(kind);
    let mut credit_sale = of(&other, sale_to_company());
    credit_sale["paymentMethod"] = json!("PPD");
    credit_sale.as_object_mut().unwrap().remove("paymentForm");
    let sold = office.stamped(&credit_sale);
    let payment = json!({"paidAt": "2098-01-31T18:00:00Z", "paymentForm": "03", "amount": 10,
        "documents": [{"invoiceId": sold["id"], "amount": 10}]});
    let receipt = json!({"type": "P", "payments": [payment]});
    let made = office.draft(&receipt);
    assert_eq!(
        (&made["issuerId"], &made["issuer"]["rfc"]),
        (&json!(other), &json!("CACX7605101P8"))
    );
    let first = office.client.get("/invoices/cfdi/issuer").expect(200);
    let message = office
        .client
        .post("/invoices", &of(&id(&first), receipt))
        .refused(400, "validation_failed");
    assert!(message.contains("payments refer to") && message.contains("issuerId"), "{message}");
    let note = json!({"type": "E", "related": [{"relation": "01", "uuids": [sold["uuid"]]}],
        "items": [{"description": "Devolución", "quantity": 1, "unitPrice": 5}], "paymentForm": "03"});
    assert_eq!(office.draft(&note)["issuerId"], json!(other));
    let message =
        office.client.post("/invoices", &of(&id(&first), note)).refused(400, "validation_failed");
    assert!(message.contains("related refer to"), "{message}");
}

/// Also where the issuer has become another taxpayer since it was drafted.
fn what_settles_an_invoice_is_stamped_of_its_issuer(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut credit_sale = sale_to_company();
    credit_sale["paymentMethod"] = json!("PPD");
    credit_sale.as_object_mut().unwrap().remove("paymentForm");
    let sold = office.stamped(&credit_sale);
    let receipt = json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
        "paymentForm": "03", "amount": 10, "documents": [{"invoiceId": sold["id"], "amount": 10}]}]});
    let note = json!({"type": "E", "related": [{"relation": "01", "uuids": [sold["uuid"]]}],
        "items": [{"description": "Devolución", "quantity": 1, "unitPrice": 5}], "paymentForm": "03"});
    let drafts = [(office.draft(&receipt), "payments"), (office.draft(&note), "related")];
    let copied = office.client.send(
        "POST",
        &format!("/invoices/{}/copy", id(&sold)),
        &json!({"replace": true}),
    );
    let copied = copied.expect(201);
    let _ = office.client.send("PUT", "/invoices/cfdi/issuer", &person()).expect(200);
    let (certificate, private_key) = PERSON;
    let pair = json!({"certificate": STANDARD.encode(certificate),
        "privateKey": STANDARD.encode(private_key), "password": PASSWORD});
    let _ = office.make("/invoices/cfdi/issuer/certificates", &pair);
    for (draft, field) in drafts.into_iter().chain([(copied, "related")]) {
        let told = format!("{field} refer to {}, which EKU9003173C9 issued", id(&sold));
        let findings = office.client.act(&format!("/invoices/{}/validate", id(&draft))).expect(200);
        assert!(findings.to_string().contains("which EKU9003173C9 issued"), "{findings}");
        let message = office.stamp(&id(&draft)).refused(400, "validation_failed");
        assert!(message.contains(&told), "{message}");
    }
}

/// Not to another that has become the default one meanwhile, whose version may be the same.
fn a_change_goes_to_the_issuer_that_was_read(kind: DatabaseKind) {
    let (office, other) = with_two(kind);
    const DEFAULT: &str = "/invoices/cfdi/issuer";
    const PDF: &str = "/invoices/cfdi/pdf";
    let read = |path: &str| office.client.get(path);
    let tag = |read: &Reply| read.header("etag").unwrap().to_owned();
    let (first, pdf) = (read(DEFAULT), read(PDF));
    let (seen, seen_pdf) = (tag(&first), tag(&pdf));
    let path = format!("{ISSUERS}/{}", id(&first.expect(200)));
    let _ = set_default(&office, &other).expect(200);
    let unread = |path: &str, tag: &str| {
        let request = office.client.request("GET", path).header("If-None-Match", tag);
        Reply::to(request).status
    };
    assert_eq!((unread(DEFAULT, &seen), unread(PDF, &seen_pdf)), (200, 200));
    let put = |path: &str, tag: &str, body: &Value| {
        let request = office.client.request("PUT", path).header("If-Match", tag);
        Reply::to(request.header("Content-Type", "application/json").body(body.to_string()))
    };
    let mut body = read(DEFAULT).expect(200);
    body["legalName"] = json!("OTRO NOMBRE");
    let _ = put(DEFAULT, &seen, &body).refused(412, "precondition_failed");
    let _ = put(PDF, &seen_pdf, &json!({})).refused(412, "precondition_failed");
    let logo = json!({"image": "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC"});
    let _ = put("/invoices/cfdi/issuer/logo", &seen, &logo).refused(412, "precondition_failed");
    // Nor does who has read the first one as the default make it that again.
    let mut stale = person();
    stale["rfc"] = json!("EKU9003173C9");
    stale["taxRegime"] = json!("601");
    stale["isDefault"] = json!(true);
    let _ = put(&path, &seen, &stale).refused(412, "precondition_failed");
    let current = tag(&read(DEFAULT));
    assert_eq!(put(DEFAULT, &current, &body).expect(200)["legalName"], "OTRO NOMBRE");
    let _ = put(PDF, &tag(&read(PDF)), &json!({"accent": "#1F4E79"})).expect(200);
}

fn the_default_issuer_can_be_another(kind: DatabaseKind) {
    let (office, other) = with_two(kind);
    let first = office.client.get("/invoices/cfdi/issuer").expect(200);
    let before = office.draft(&sale_to_company());
    assert_eq!(set_default(&office, &other).expect(200)["isDefault"], true);
    assert_eq!(office.client.get("/invoices/cfdi/issuer").expect(200)["id"], json!(other));
    let path = format!("{ISSUERS}/{}", id(&first));
    assert_eq!(office.client.get(&path).expect(200)["isDefault"], false);
    // Drafts stay with whom they were made for.
    assert_eq!(office.read(&id(&before))["issuerId"], first["id"]);
    assert_eq!(office.draft(&sale_to_company())["issuerId"], json!(other));
    let mut not = person();
    not["isDefault"] = json!(false);
    let refused = office.client.send("PUT", "/invoices/cfdi/issuer", &not);
    assert!(refused.refused(400, "validation_failed").contains("isDefault cannot be false"));
    let page = office.client.get(&format!("{ISSUERS}?limit=1")).expect(200);
    assert_eq!(page["data"][0]["id"], json!(other));
}

fn an_issuer_that_is_named_is_not_deleted(kind: DatabaseKind) {
    let (office, other) = with_two(kind);
    let first = id(&office.client.get("/invoices/cfdi/issuer").expect(200));
    let delete = |id: &str| office.client.delete(&format!("{ISSUERS}/{id}"));
    let message = delete(&first).refused(409, "conflict");
    assert!(message.contains("default issuer"), "{message}");
    let draft = id(&office.draft(&of(&other, sale_to_company())));
    let _ = delete(&other).refused(409, "conflict");
    let _ = office.client.delete(&format!("/invoices/{draft}")).expect(200);
    let branch = json!({"name": "Norte", "placeOfIssue": "64000", "issuerId": other});
    let branch = id(&office.make("/invoices/cfdi/branches", &branch));
    let _ = delete(&other).refused(409, "conflict");
    let _ = office.client.delete(&format!("/invoices/cfdi/branches/{branch}")).expect(200);
    let stamped = office.stamped(&of(&other, sale_to_company()));
    let _ = delete(&other).expect(200);
    let _ = delete(&other).refused(404, "not_found");
    // What it has issued is still shown, printed and cancelled.
    let read = office.read(&id(&stamped));
    assert_eq!(read["issuer"]["rfc"], "CACX7605101P8");
    assert_eq!(office.client.get(&format!("/invoices/{}/pdf", id(&stamped))).status, 200);
    assert_eq!(office.cancel(&id(&stamped), "03").expect(200)["status"], "cancelled");
    let copied = office.client.act(&format!("/invoices/{}/copy", id(&stamped))).expect(201);
    assert_eq!(copied["issuerId"], json!(first));
}

fn what_is_wrong_with_an_issuer_is_told(kind: DatabaseKind) {
    let (office, other) = with_two(kind);
    let message = office.client.post(ISSUERS, &person()).refused(409, "conflict");
    assert!(message.contains(&other), "{message}");
    let mut of_companies = person();
    of_companies["taxRegime"] = json!("601");
    let own = format!("{ISSUERS}/{other}");
    let refusals = [
        office.client.post(ISSUERS, &of_companies),
        office.client.send("PUT", &own, &of_companies),
    ];
    for reply in refusals {
        let message = reply.refused(400, "validation_failed");
        assert!(message.starts_with("taxRegime "), "{message}");
    }
    let mut under_another_regime = person();
    under_another_regime["taxRegime"] = json!("626");
    let message = office.client.post(ISSUERS, &under_another_regime).refused(409, "conflict");
    assert!(message.contains("the series \"F\" too") && message.contains(&other), "{message}");
    under_another_regime["series"] =
        json!({"income": "G", "credit": "GNC", "payment": "GP", "transfer": "GT"});
    let again = office.make(ISSUERS, &under_another_regime);
    // One certificate seals for the RFC, whatever the regime.
    let stamped = office.stamped(&of(&id(&again), sale_to_company()));
    assert_eq!(stamped["issuer"]["taxRegime"], "626");
    let nobody = "iss_01KG8Y0A1B2C3D4E5F6G7H8J9K";
    let message = office
        .client
        .post("/invoices", &of(nobody, sale_to_company()))
        .refused(400, "validation_failed");
    assert!(message.contains("issuerId names no issuer"), "{message}");
    // What else is wrong is told with it.
    let lost = json!({"type": "I", "customerId": "cus_01KG8Y0A1B2C3D4E5F6G7H8J9K",
        "items": [{"productId": "prd_01KG8Y0A1B2C3D4E5F6G7H8J9K", "quantity": 1}]});
    let message =
        office.client.post("/invoices", &of(nobody, lost)).refused(400, "validation_failed");
    for fault in ["issuerId names no", "customerId names no", "items[0].productId names no"] {
        assert!(message.contains(fault), "{fault}: {message}");
    }
    let _ = office.client.get(&format!("{ISSUERS}/{nobody}")).refused(404, "not_found");
    let series = format!("/invoices/cfdi/series/F?issuerId={nobody}");
    let refused = office.client.send("PUT", &series, &json!({"nextFolio": 5}));
    let _ = refused.refused(400, "validation_failed");
    // Without a certificate of its RFC nothing is sealed.
    let mut company = person();
    company["rfc"] = json!("URE180429TM6");
    company["taxRegime"] = json!("601");
    let sealless = id(&office.make(ISSUERS, &company));
    let draft = id(&office.draft(&of(&sealless, sale(116.0))));
    let _ = office.stamp(&draft).refused(409, "certificate_missing");
}

fn each_issuer_has_its_own_settings(kind: DatabaseKind) {
    let (office, other) = with_two(kind);
    let pdf = format!("{ISSUERS}/{other}/pdf");
    let set = office.client.send("PUT", &pdf, &json!({"accent": "#1F4E79"})).expect(200);
    assert_eq!(office.client.get(&pdf).expect(200), set);
    assert_eq!(office.client.get("/invoices/cfdi/pdf").expect(200)["accent"], Value::Null);
    let logo = json!({"image": "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADElEQVR42mNgIA0AAAAwAAEodEl9AAAAAElFTkSuQmCC"});
    let path = format!("{ISSUERS}/{other}/logo");
    assert_eq!(office.client.send("PUT", &path, &logo).expect(200)["hasLogo"], true);
    assert_eq!(office.client.get("/invoices/cfdi/issuer").expect(200)["hasLogo"], false);
    // What is set anew keeps logo and settings.
    let issuer = office.client.get(&format!("{ISSUERS}/{other}")).expect(200);
    let again = office.client.send("PUT", &format!("{ISSUERS}/{other}"), &issuer).expect(200);
    assert_eq!((&again["hasLogo"], &again["isDefault"]), (&json!(true), &json!(false)));
    assert_eq!(office.client.get(&pdf).expect(200), set);
    let _ = office.client.delete(&path).expect(200);
    let missing = format!("{ISSUERS}/iss_01KG8Y0A1B2C3D4E5F6G7H8J9K/pdf");
    let _ = office.client.get(&missing).refused(404, "not_found");
    let _ = office.client.send("PUT", &missing, &json!({})).refused(404, "not_found");
}
