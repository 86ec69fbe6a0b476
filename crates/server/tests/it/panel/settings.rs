//! Stock and payments are set up in the panel.

use accounts::Role;
use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::{
    browser::{Browser, hidden},
    shop::opened,
};

on_both!(warehouses_and_stock_are_set_up, payments_are_set_up_and_no_key_is_shown);

fn warehouses_and_stock_are_set_up(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let address =
        [("address.street", "Av. Juárez 1"), ("address.city", "Pachuca"), ("address.zip", "42000")];
    let fields = [("name", "Bazar"), ("kind", "store")].into_iter().chain(address);
    let new = format!("{account}warehouses/new");
    assert_eq!(browser.send(&new, &new, &fields.collect::<Vec<_>>()).status, 303);
    let known = client.get("/warehouses").expect(200);
    let known = known["data"].as_array().unwrap().iter();
    let bazaar = known.clone().find(|one| one["name"] == "Bazar").unwrap();
    assert_eq!(bazaar["address"]["street"], "Av. Juárez 1");
    assert_eq!(bazaar["address"]["country"], "MX");
    let first = known.clone().find(|one| one["name"] != "Bazar").unwrap();
    let place =
        |one: &serde_json::Value| format!("{account}warehouses/{}", one["id"].as_str().unwrap());
    let (bazaar, first) = (place(bazaar), place(first));
    let shown = browser.read(&bazaar);
    assert!(shown.contains("value=\"Av. Juárez 1\"") && shown.contains("value=\"Pachuca\""));
    // The form has all of the address: what is taken out there is gone, and a street is needed for the rest.
    let version = hidden(&shown, "version").unwrap();
    let kept = [("name", "Bazar"), ("version", version.as_str())];
    let without = [("address.city", "Pachuca")].into_iter().chain(kept).collect::<Vec<_>>();
    let refused = browser.send(&bazaar, &bazaar, &without);
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("id=\"address.street-fault\""), "{}", refused.text);
    assert_eq!(browser.send(&bazaar, &bazaar, &kept).status, 303);
    assert!(!browser.read(&bazaar).contains("Av. Juárez 1"));
    // The default one, and the first one, stay.
    assert_eq!(browser.send(&bazaar, &format!("{bazaar}/default"), &[]).status, 303);
    let settings = format!("{account}settings/stock");
    let shown = browser.read(&settings);
    let id = bazaar.rsplit('/').next().unwrap();
    assert!(shown.contains(&format!("<option value=\"{id}\" selected>")), "{shown}");
    for stays in [&bazaar, &first] {
        let delete = format!("{stays}/delete");
        assert_eq!(browser.send(&delete, &delete, &[]).status, 422);
    }
    let version = hidden(&shown, "version").unwrap();
    let home = first.rsplit('/').next().unwrap();
    let wanted = |codes: &'static str| {
        let codes = [("scaleCodes", codes), ("allocation", "anyAvailable")];
        let others = [("defaultWarehouseId", home), ("version", version.as_str())];
        codes.into_iter().chain(others).collect::<Vec<_>>()
    };
    for codes in ["20PPPPPWWWWWC\nX", "20PPPPPWWWWWC\n20PPPPPMMMMMC"] {
        let refused = browser.send(&settings, &settings, &wanted(codes));
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains("id=\"scaleCodes-fault\""), "{}", refused.text);
    }
    let codes = wanted("20PPPPPWWWWWC\n21PPPPPMMMMMC");
    assert_eq!(browser.send(&settings, &settings, &codes).status, 303);
    let set = client.get("/stock/settings").expect(200);
    assert_eq!(set["allocation"], "anyAvailable");
    assert_eq!(set["scaleCodes"], json!(["20PPPPPWWWWWC", "21PPPPPMMMMMC"]));
    assert_eq!(browser.send(&settings, &settings, &codes).status, 422, "it is another version");
    // Who may only look is asked for nothing.
    let seen = Browser::of_member(&app, Role::Sales).read(&settings);
    assert!(seen.contains("20PPPPPWWWWWC, 21PPPPPMMMMMC") && !seen.contains("class=\"form\""));
    let delete = format!("{bazaar}/delete");
    assert_eq!(browser.send(&delete, &delete, &[]).status, 303);
    assert_eq!(browser.get(&bazaar).status, 404);
    let audited = "SELECT action AS line FROM audit_entries WHERE action = 'account.changed'";
    assert_eq!(app.database.lines(audited).len(), 2);
}

fn payments_are_set_up_and_no_key_is_shown(kind: DatabaseKind) {
    let (app, browser, account, client) = opened(kind);
    let overview = format!("{account}settings/payments");
    let stripe = format!("{overview}/providers/stripe");
    assert!(browser.read(&overview).contains(&stripe));
    // What only tries things out is none of a live account's.
    assert_eq!(browser.get(&format!("{overview}/providers/sandbox")).status, 404);
    let without = browser.send(&stripe, &stripe, &[("default", "true")]);
    assert_eq!(without.status, 422, "{}", without.text);
    assert!(without.text.contains("id=\"secretKey-fault\""), "{}", without.text);
    let key = "sk_test_NadieLaVe_x7Qd";
    let fields = [("secretKey", key), ("default", "true"), ("plans", "own")];
    let plans = [("installments[3]", "500"), ("installments[6]", "400")];
    let falling: Vec<_> = fields.into_iter().chain(plans).collect();
    let refused = browser.send(&stripe, &stripe, &falling);
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("id=\"plans-fault\"") && !refused.text.contains("NadieLaVe"));
    let plans = [("installments[3]", "500"), ("installments[6]", "")];
    let set: Vec<_> = fields.into_iter().chain(plans).collect();
    assert_eq!(browser.send(&stripe, &stripe, &set).status, 303);
    let shown = browser.read(&overview);
    assert!(shown.contains("…x7Qd") && !shown.contains("NadieLaVe"), "{shown}");
    let shown = browser.read(&stripe);
    assert!(shown.contains("x7Qd") && !shown.contains("NadieLaVe"), "{shown}");
    let known = client.get("/payments/providers/stripe").expect(200);
    assert_eq!((&known["default"], &known["keyEnd"]), (&json!(true), &json!("x7Qd")));
    // The key stays where none is given.
    let version = hidden(&shown, "version").unwrap();
    let documented = [("plans", "documented"), ("version", version.as_str())];
    assert_eq!(browser.send(&stripe, &stripe, &documented).status, 303);
    let known = client.get("/payments/providers/stripe").expect(200);
    assert_eq!((&known["default"], &known["keyEnd"]), (&json!(false), &json!("x7Qd")));
    assert_eq!(browser.send(&stripe, &stripe, &documented).status, 422, "it is another version");
    // Two set the same one up for the first time: the second sees what the first has saved.
    let conekta = format!("{overview}/providers/conekta");
    let new = |key, version: &str| {
        let fields = [("secretKey", key), ("plans", "documented"), ("version", version)];
        browser.send(&conekta, &conekta, &fields)
    };
    let seen = hidden(&browser.read(&conekta), "version").unwrap();
    assert_eq!(new("sk_test_Una_a111", &seen).status, 303);
    let late = new("sk_test_Otra_b222", &seen);
    assert_eq!(late.status, 422, "{}", late.text);
    let end = || client.get("/payments/providers/conekta").expect(200)["keyEnd"].clone();
    assert_eq!(end(), "a111");
    assert!(late.text.contains("a111"), "{}", late.text);
    assert_eq!(new("sk_test_Otra_b222", &hidden(&late.text, "version").unwrap()).status, 303);
    assert_eq!(end(), "b222");

    let rules = format!("{overview}/rules");
    let version = hidden(&browser.read(&rules), "version").unwrap();
    let wanted = |form: &'static str| {
        let wanted = [("refundLatePayments", "auto"), ("satPaymentForms[wallet]", form)];
        wanted.into_iter().chain([("version", version.as_str())]).collect::<Vec<_>>()
    };
    let refused = browser.send(&rules, &rules, &wanted("99"));
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("id=\"satPaymentForms[wallet]-fault\""), "{}", refused.text);
    assert_eq!(browser.send(&rules, &rules, &wanted("05")).status, 303);
    let set = client.get("/payments/settings").expect(200);
    assert_eq!(set["refundLatePayments"], "auto");
    assert_eq!(set["satPaymentForms"], json!({"wallet": "05"}));
    assert!(browser.read(&rules).contains("<option value=\"05\" selected>"));
    // The password is asked for again where keys are given, not where the rest is set.
    app.advance_seconds(601);
    assert_eq!(browser.get(&stripe).status, 303);
    assert_eq!(browser.get(&rules).status, 200);
}
