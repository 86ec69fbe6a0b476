//! What invoicing needs: issuers, certificates, series, branches, a provider.

use serde_json::json;
use testkit::{
    DatabaseKind,
    invoicing::{COMPANY, PASSWORD},
    on_both,
};

use super::{Shop, shown};
use crate::{invoices::office::sale, panel::browser::hidden};

const LOGO: &[u8] = include_bytes!("../../../../../print/fixtures/logo.png");
const OTHER_LOGO: &[u8] = include_bytes!("../../../../../print/fixtures/logo.jpg");

on_both!(a_certificate_is_taken_with_all_its_faults_told, issuers_series_and_branches_are_kept,);

fn a_certificate_is_taken_with_all_its_faults_told(kind: DatabaseKind) {
    let shop = Shop::bare(kind);
    assert!(shop.read("settings/invoicing").contains("notice warn"));
    let issuer = [
        ("rfc", "EKU9003173C9"),
        ("legalName", "ESCUELA KEMPER URGATE"),
        ("taxRegime", "601"),
        ("taxZip", "42501"),
    ];
    let _ = shown(&shop, &shop.send("settings/invoicing/issuers/new", &issuer));
    let (certificate, key) = COMPANY;
    let page = shop.place("settings/invoicing/certificates/new");
    let send = |files: &[(&str, &[u8])], fields: &[(&str, &str)]| {
        shop.browser.send_files(&page, &page, fields, files)
    };
    let empty: &[u8] = b"";
    let nothing = send(&[("certificate", empty), ("privateKey", empty)], &[("password", "")]);
    assert_eq!(nothing.status, 422, "{}", nothing.text);
    for field in ["certificate", "privateKey", "password"] {
        let fault = format!("id=\"{field}-fault\"");
        assert!(nothing.text.contains(&fault), "{fault}: {}", nothing.text);
    }
    let files = [("certificate", certificate), ("privateKey", key)];
    let wrong = send(&files, &[("password", "otra")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"password-fault\"") && !wrong.text.contains("otra\""));
    let swapped = send(&[files[1], ("certificate", key)], &[("password", PASSWORD)]);
    assert!(swapped.text.contains("id=\"certificate-fault\""), "{}", swapped.text);
    let added = send(&files, &[("password", PASSWORD)]);
    let overview = shown(&shop, &added);
    assert!(overview.contains("EKU9003173C9") && overview.contains("pill"), "{overview}");
    assert!(!overview.contains(PASSWORD), "{overview}");
    let again = send(&files, &[("password", PASSWORD)]);
    assert_eq!(again.status, 422, "{}", again.text);
    let path = overview.split('"').find(|part| part.contains("/certificates/csd_")).unwrap();
    let id = path.split('/').find(|part| part.starts_with("csd_")).unwrap();
    let delete = format!("settings/invoicing/certificates/{id}/delete");
    assert!(!shown(&shop, &shop.send(&delete, &[])).contains(id));
}

fn issuers_series_and_branches_are_kept(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let settings = "settings/invoicing";
    let overview = shop.read(settings);
    let path = overview.split('"').find(|part| part.contains("/issuers/iss_")).unwrap();
    let issuer = path.strip_prefix(&shop.account).unwrap().trim_end_matches("/delete");
    let version = hidden(&shop.read(issuer), "version").unwrap();
    let mut fields = vec![
        ("rfc", "EKU9003173C9"),
        ("legalName", "ESCUELA KEMPER URGATE"),
        ("taxRegime", "601"),
        ("taxZip", "42501"),
        ("series.income", "WEB"),
        ("isDefault", "true"),
        ("version", version.as_str()),
    ];
    assert!(shown(&shop, &shop.send(issuer, &fields)).contains("WEB"));
    let stale = shop.send(issuer, &fields);
    assert_eq!(stale.status, 422, "an older version changes nothing: {}", stale.text);
    let _ = fields.pop();
    fields[3] = ("taxZip", "00001");
    let wrong = shop.send(issuer, &fields);
    assert!(wrong.text.contains("id=\"taxZip-fault\""), "{}", wrong.text);
    // How it taxes and prints what says nothing of itself.
    let kept = || shop.client.get("/invoices/cfdi/issuers").expect(200)["data"][0].clone();
    let taxes = [("defaultTaxes", "iva8"), ("shippingTaxes", "exempt")];
    let _ = shown(&shop, &shop.correct(issuer, &taxes));
    assert_eq!(kept()["defaultTaxes"][0]["rate"], json!(0.08));
    assert_eq!(kept()["shippingTaxes"][0]["factor"], "Exento");
    let other = json!([{"tax": "IEPS", "factor": "Tasa", "rate": 0.08}]);
    let change = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601",
        "taxZip": "42501", "defaultTaxes": other, "shippingTaxes": other});
    let id = kept()["id"].as_str().unwrap().to_owned();
    let _ = shop.client.send("PUT", &format!("/invoices/cfdi/issuers/{id}"), &change).expect(200);
    let _ = shown(&shop, &shop.correct(issuer, &[]));
    assert_eq!(kept()["defaultTaxes"][0]["tax"], "IEPS", "what the form does not offer stays");
    assert_eq!(kept()["shippingTaxes"][0]["tax"], "IEPS", "what the form does not offer stays");
    let pdf = format!("{issuer}/pdf");
    let wrong = shop.correct(&pdf, &[("accent", "azul")]);
    assert!(wrong.text.contains("id=\"accent-fault\""), "{}", wrong.text);
    let wanted = [
        ("accent", "#1f4e79"),
        ("logoPlace", "center"),
        ("hidden.taxes", "true"),
        ("address[0]", "Juárez 10"),
        ("email", "facturas@example.com"),
    ];
    let _ = shown(&shop, &shop.correct(&pdf, &wanted));
    let sheet = shop.client.get("/invoices/cfdi/pdf").expect(200);
    assert_eq!((&sheet["accent"], &sheet["logoPlace"]), (&json!("#1F4E79"), &json!("center")));
    assert_eq!((&sheet["hidden"], &sheet["address"]), (&json!(["taxes"]), &json!(["Juárez 10"])));
    let form = shop.read(&pdf);
    assert!(form.contains("value=\"Juárez 10\"") && form.contains("checked"), "{form}");
    let logo = shop.place(&format!("{issuer}/logo"));
    let version = hidden(&shop.browser.read(&logo), "version").unwrap();
    let version = [("version", version.as_str())];
    let send = |bytes: &[u8]| shop.browser.send_files(&logo, &logo, &version, &[("image", bytes)]);
    for wrong in [&b""[..], b"no image"] {
        let wrong = send(wrong);
        assert_eq!(wrong.status, 422, "{}", wrong.text);
        assert!(wrong.text.contains("id=\"image-fault\""), "{}", wrong.text);
    }
    let form = shop.browser.read(&logo);
    let tokens = ["csrf", "once", "version"].map(|name| (name, hidden(&form, name).unwrap()));
    let tokens: Vec<_> = tokens.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let again = |bytes: &[u8]| shop.browser.post_files(&logo, &tokens, &[("image", bytes)]);
    for reply in [again(LOGO), again(LOGO)] {
        let _ = shown(&shop, &reply);
    }
    assert_eq!(kept()["hasLogo"], true);
    // Whoever goes back and chooses another picture is not told that it was saved.
    let other = again(OTHER_LOGO);
    assert_eq!(other.status, 422, "{}", other.text);
    let version = hidden(&shop.browser.read(&logo), "version").unwrap();
    let gone = [("version", version.as_str()), ("remove", "true")];
    let none: &[u8] = b"";
    let gone = shop.browser.send_files(&logo, &logo, &gone, &[("image", none)]);
    let _ = shown(&shop, &gone);
    assert_eq!(kept()["hasLogo"], false);
    let series = format!("{settings}/series");
    let set = |next: &str| shop.send(&series, &[("series", "WEB"), ("nextFolio", next)]);
    assert!(shown(&shop, &set("1200")).contains("1,200"));
    let back = set("1199");
    assert!(back.text.contains("id=\"nextFolio-fault\""), "{}", back.text);
    let branch = [
        ("name", "Monterrey Centro"),
        ("placeOfIssue", "64000"),
        ("series.income", "MTY"),
        ("address[0]", "Padre Mier 100"),
        ("address[1]", "64000 Monterrey, N. L."),
    ];
    let made = shown(&shop, &shop.send(&format!("{settings}/branches/new"), &branch));
    let path = made.split('"').find(|part| part.contains("/branches/brn_")).unwrap();
    let path = path.strip_prefix(&shop.account).unwrap().trim_end_matches("/delete");
    let form = shop.read(path);
    assert!(form.contains("Padre Mier 100") && form.contains("Monterrey Centro"), "{form}");
    assert!(shop.read("invoices/new").contains("Monterrey Centro"), "an invoice can name it");
    let gone = shown(&shop, &shop.send(&format!("{path}/delete"), &[]));
    assert!(!gone.contains(path), "{gone}");
    let pretend = [("provider", "sandbox"), ("simulate.stamping", "unavailable")];
    let _ = shown(&shop, &shop.send(&format!("{settings}/provider"), &pretend));
    let draft = shop.client.post("/invoices", &sale(116.0)).expect(201);
    let draft = shop.place(&format!("invoices/{}", draft["id"].as_str().unwrap()));
    let refused = shop.browser.send(&draft, &format!("{draft}/stamp"), &[]);
    assert_eq!(refused.status, 422, "nobody is there: {}", refused.text);
}
