//! What the audit log tells of a change: what was there before, and what is there now.

use accounts::Action;
use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

use crate::{
    approvals::{Desk, level},
    orders::shop::id,
};

on_both!(
    a_webhook_that_changes_is_told_with_what_it_was,
    a_rule_is_told_from_its_beginning_to_its_end,
    a_provider_is_told_without_its_secrets,
    all_that_is_set_of_an_issuer_is_told,
    what_the_sandbox_simulates_is_told_with_what_it_did,
    who_certifies_is_told_without_its_secrets,
    how_invoices_are_printed_is_told,
    settings_that_stay_as_they_are_are_not_told,
    a_series_that_goes_on_with_another_folio_is_told,
    a_branch_is_told_from_its_beginning_to_its_end,
    how_global_invoices_are_made_is_told,
    a_warehouse_is_told_from_its_beginning_to_its_end,
    price_lists_and_groups_are_told_from_their_beginning_to_their_end,
    entries_are_looked_for_by_what_there_can_be,
);

/// Fields before and after of all that was done to something, oldest first.
#[track_caller]
pub(crate) fn told(client: &Client, resource: &str) -> Vec<(String, Value, Value)> {
    let page = client.get(&format!("/audit?resource={resource}")).expect(200);
    let entries = page["data"].as_array().unwrap().iter().rev();
    let action = |entry: &Value| entry["action"].as_str().unwrap().to_owned();
    entries.map(|one| (action(one), one["before"].clone(), one["after"].clone())).collect()
}

pub(crate) fn entry(action: &str, before: Value, after: Value) -> (String, Value, Value) {
    (action.to_owned(), before, after)
}

fn a_webhook_that_changes_is_told_with_what_it_was(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client_of(app.account(), "*");
    let url = "https://hooks.example.com/a";
    let webhook = json!({"url": format!("{url}?token=one"), "events": ["order.paid"]});
    let webhook = client.post("/webhooks", &webhook).expect(201);
    let place = format!("/webhooks/{}", id(&webhook));
    for changes in [
        json!({"events": ["order.paid", "order.created"], "description": "Almacén"}),
        json!({"url": format!("{url}?token=two")}),
        json!({"url": "https://hooks.example.com/b?token=two"}),
    ] {
        let _ = client.patch(&place, &changes).expect(200);
    }
    let _ = client.act(&format!("{place}/rotate-secret")).expect(200);
    let _ = client.delete(&place).expect(200);
    let other = "https://hooks.example.com/b";
    let first = json!({"url": url, "events": "order.paid", "status": "enabled"});
    let last = json!({"url": other, "events": "order.paid, order.created",
        "description": "Almacén", "status": "enabled"});
    let wanted = [
        entry("webhook.created", json!({}), first),
        entry(
            "webhook.changed",
            json!({"events": "order.paid"}),
            json!({"events": "order.paid, order.created", "description": "Almacén"}),
        ),
        entry("webhook.changed", json!({}), json!({"urlQuery": "replaced"})),
        entry("webhook.changed", json!({"url": url}), json!({"url": other})),
        entry("webhook.secret_rotated", json!({}), json!({"secret": "replaced"})),
        entry("webhook.deleted", last, json!({})),
    ];
    assert_eq!(told(&client, &id(&webhook)), wanted);
}

fn a_rule_is_told_from_its_beginning_to_its_end(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let client = desk.shop.app.client_of(desk.shop.account, "*");
    let rule = desk.guard_discounts();
    let place = format!("/approval-rules/{}", id(&rule));
    let two = level(&[&desk.beto, &desk.carla], 2);
    let changes = json!({"name": "Descuentos", "expiresAfterHours": 24, "conditions": [],
        "levels": [level(&[&desk.ana], 1), two]});
    let _ = desk.ana.client.patch(&place, &changes).expect(200);
    let _ = desk.ana.client.delete(&place).expect(200);
    let [ana, beto, carla] = [&desk.ana, &desk.beto, &desk.carla].map(|one| one.key.clone());
    let first = json!({"entityType": "order_discount", "conditions": "discountPct gt 15",
        "levels": format!("1 of {ana}"), "allowSelfApproval": "false", "expiresAfterHours": "72"});
    let levels = format!("1 of {ana}; 2 of {beto}, {carla}");
    let last = json!({"entityType": "order_discount", "name": "Descuentos", "levels": levels,
        "allowSelfApproval": "false", "expiresAfterHours": "24"});
    let before = json!({"conditions": "discountPct gt 15", "levels": format!("1 of {ana}"),
        "expiresAfterHours": "72"});
    let after = json!({"name": "Descuentos", "levels": levels, "expiresAfterHours": "24"});
    let wanted = [
        entry("approval_rule.created", json!({}), first),
        entry("approval_rule.changed", before, after),
        entry("approval_rule.deleted", last, json!({})),
    ];
    assert_eq!(told(&client, &id(&rule)), wanted);
}

fn a_provider_is_told_without_its_secrets(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client_of(app.live_account(), "*");
    let path = "/payments/providers/stripe";
    let (one, other) = ("a secret key that ends in x7Qd", "a secret key that ends in y8Re");
    for body in [
        json!({"key": one, "notificationSecret": "a secret"}),
        json!({"default": true}),
        json!({"key": other, "notificationSecret": "a secret"}),
        json!({"key": other, "notificationSecret": "another secret"}),
        json!({"key": other, "notificationSecret": "another secret"}),
        json!({"key": other}),
    ] {
        let _ = client.send("PUT", path, &body).expect(200);
    }
    let changed = |before, after| entry("payment_provider.changed", before, after);
    let first = json!({"key": "replaced", "notificationSecret": "replaced", "keyEnd": "x7Qd",
        "default": "false"});
    let last = json!({"key": "replaced", "keyEnd": "y8Re"});
    let wanted = [
        changed(json!({}), first),
        changed(json!({"default": "false"}), json!({"default": "true"})),
        changed(json!({"keyEnd": "x7Qd"}), last),
        changed(json!({}), json!({"notificationSecret": "replaced"})),
        changed(json!({}), json!({"notificationSecret": "removed"})),
    ];
    assert_eq!(told(&client, "stripe"), wanted);
}

fn all_that_is_set_of_an_issuer_is_told(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.issuer();
    let path = "/invoices/cfdi/issuer";
    let issuer = client.get(path).expect(200);
    let mut changed = issuer.clone();
    changed["series"]["income"] = json!("A");
    changed["autoReceipts"] = json!(true);
    changed["autoCreditNotes"] = json!(true);
    changed["defaultTaxes"] = json!([
        {"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]);
    changed["shippingTaxes"] = json!([]);
    let same = client.send("PUT", path, &changed).expect(200);
    let _ = client.send("PUT", path, &same).expect(200);
    let before = json!({"series.income": "F", "autoReceipts": "false", "autoCreditNotes": "false",
        "defaultTaxes": "IVA Tasa 0.16"});
    let after = json!({"series.income": "A", "autoReceipts": "true", "autoCreditNotes": "true",
        "defaultTaxes": "IVA Tasa 0.16, ISR Tasa 0.0125 withheld", "shippingTaxes": "none"});
    let first = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxRegime": "601", "taxZip": "42501", "series.income": "F", "series.credit": "NC",
        "series.payment": "P", "series.transfer": "T", "defaultTaxes": "IVA Tasa 0.16",
        "autoReceipts": "false", "autoCreditNotes": "false", "isDefault": "true"});
    let wanted =
        [entry("issuer.created", json!({}), first), entry("issuer.changed", before, after)];
    assert_eq!(told(&client, &id(&issuer)), wanted);
}

fn what_the_sandbox_simulates_is_told_with_what_it_did(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let client = app.client_of(account, "*");
    for stamping in ["timeout", "normal"] {
        let choice = json!({"provider": "sandbox", "simulate": {"stamping": stamping}});
        let _ = client.send("PUT", "/invoices/cfdi/provider", &choice).expect(200);
    }
    let told = told(&client, &account.to_string());
    let told: Vec<_> =
        told.into_iter().filter(|one| one.0 == "certification_provider.chosen").collect();
    let [usual, late] = ["normal", "timeout"].map(|held| json!({"simulate.stamping": held}));
    let chosen = |before: &Value, after: &Value| {
        entry("certification_provider.chosen", before.clone(), after.clone())
    };
    assert_eq!(told, [chosen(&usual, &late), chosen(&late, &usual)]);
}

fn who_certifies_is_told_without_its_secrets(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.live_account();
    let client = app.client_of(account, "*");
    let (one, other) = ("contraseña uno", "contraseña dos");
    for choice in [
        json!({"provider": "sw", "user": "ana@tienda.example", "password": one}),
        json!({"provider": "sw", "user": "ana@tienda.example", "password": other}),
        json!({"provider": "sw", "user": "ana@tienda.example", "password": other}),
        json!({"provider": "sw", "user": "ana@tienda.example"}),
        json!({"provider": "sw", "token": "ficha uno"}),
        json!({"provider": "sw", "token": "ficha dos"}),
    ] {
        let _ = client.send("PUT", "/invoices/cfdi/provider", &choice).expect(200);
    }
    let told = told(&client, &account.to_string());
    let told: Vec<_> =
        told.into_iter().filter(|one| one.0 == "certification_provider.chosen").collect();
    let chosen = |before, after| entry("certification_provider.chosen", before, after);
    let user = json!({"user": "ana@tienda.example"});
    let first = json!({"kind": "sw", "user": "ana@tienda.example", "password": "replaced"});
    let wanted = [
        chosen(json!({}), first),
        chosen(json!({}), json!({"password": "replaced"})),
        chosen(user, json!({"password": "removed", "token": "replaced"})),
        chosen(json!({}), json!({"token": "replaced"})),
    ];
    assert_eq!(told, wanted);
}

fn how_invoices_are_printed_is_told(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.issuer();
    let issuer = id(&client.get("/invoices/cfdi/issuer").expect(200));
    let address = ["Av. Juárez 10, Centro", "06050 Ciudad de México"];
    for settings in [
        json!({"accent": "#1F4E79", "hidden": ["sku", "taxes"], "address": address}),
        json!({"accent": "#1F4E79", "logoPlace": "center", "phone": "+525512345678",
            "email": "facturas@example.com", "website": "tienda.example", "footer": "Gracias",
            "spanishAbroad": true}),
    ] {
        let _ = client.send("PUT", "/invoices/cfdi/pdf", &settings).expect(200);
    }
    let items = json!({"pdf.hidden": "sku, taxes",
        "pdf.address": "Av. Juárez 10, Centro; 06050 Ciudad de México"});
    let mut first = items.clone();
    first["pdf.accent"] = json!("#1F4E79");
    let mut before = items;
    before["pdf.logoPlace"] = json!("left");
    before["pdf.spanishAbroad"] = json!("false");
    let after = json!({"pdf.logoPlace": "center", "pdf.phone": "+525512345678",
        "pdf.email": "facturas@example.com", "pdf.website": "tienda.example",
        "pdf.footer": "Gracias", "pdf.spanishAbroad": "true"});
    let wanted =
        [entry("issuer.changed", json!({}), first), entry("issuer.changed", before, after)];
    assert_eq!(&told(&client, &issuer)[1..], &wanted);
}

fn settings_that_stay_as_they_are_are_not_told(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let client = app.client_of(account, "*");
    let path = "/payments/settings";
    for late in ["manual", "auto", "auto"] {
        let _ = client.send("PUT", path, &json!({"refundLatePayments": late})).expect(200);
    }
    let [before, after] = ["manual", "auto"].map(|late| json!({"refundLatePayments": late}));
    assert_eq!(told(&client, &account.to_string()), [entry("account.changed", before, after)]);
}

fn a_series_that_goes_on_with_another_folio_is_told(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.issuer();
    let issuer = id(&client.get("/invoices/cfdi/issuer").expect(200));
    let path = "/invoices/cfdi/series/F";
    for next in [500, 500, 900] {
        let _ = client.send("PUT", path, &json!({"nextFolio": next})).expect(200);
    }
    let _ = client.send("PUT", path, &json!({"nextFolio": 7})).refused(409, "conflict");
    let [first, second, third] = ["1", "500", "900"].map(|next| json!({"nextFolio": next}));
    let changed =
        |before: &Value, after: &Value| entry("series.changed", before.clone(), after.clone());
    let wanted = [changed(&first, &second), changed(&second, &third)];
    assert_eq!(told(&client, &format!("{issuer}/F")), wanted);
}

fn a_branch_is_told_from_its_beginning_to_its_end(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.issuer();
    let branch = json!({"name": "Monterrey", "placeOfIssue": "64000",
        "series": {"income": "MTY"}, "address": ["Padre Mier 100", "64000 Monterrey, N. L."]});
    let branch = id(&client.post("/invoices/cfdi/branches", &branch).expect(201));
    let place = format!("/invoices/cfdi/branches/{branch}");
    for changes in [
        json!({"placeOfIssue": "64010", "phone": "+528112345678"}),
        json!({"placeOfIssue": "64010"}),
    ] {
        let _ = client.patch(&place, &changes).expect(200);
    }
    let _ = client.delete(&place).expect(200);
    let first = json!({"name": "Monterrey", "placeOfIssue": "64000", "series.income": "MTY",
        "address": "Padre Mier 100; 64000 Monterrey, N. L."});
    let mut last = first.clone();
    last["placeOfIssue"] = json!("64010");
    last["phone"] = json!("+528112345678");
    let after = json!({"placeOfIssue": "64010", "phone": "+528112345678"});
    let wanted = [
        entry("branch.created", json!({}), first),
        entry("branch.changed", json!({"placeOfIssue": "64000"}), after),
        entry("branch.deleted", last, json!({})),
    ];
    assert_eq!(told(&client, &branch), wanted);
}

fn how_global_invoices_are_made_is_told(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    app.can_invoice(account);
    let client = app.client_of(account, "*");
    let daily =
        json!({"automatic": true, "periodicity": "01", "paymentForm": "01", "delayHours": 2});
    for settings in [daily.clone(), daily, json!({"automatic": false})] {
        let _ = client.send("PUT", "/invoices/cfdi/global", &settings).expect(200);
    }
    let usual = json!({"automatic": "false", "delayHours": "0"});
    let set = json!({"automatic": "true", "paymentForm": "01", "delayHours": "2"});
    let changed = |before: &Value, after: &Value| {
        entry("global_invoices.changed", before.clone(), after.clone())
    };
    let told = told(&client, &account.to_string());
    let told: Vec<_> = told.into_iter().filter(|one| one.0 == "global_invoices.changed").collect();
    assert_eq!(told, [changed(&usual, &set), changed(&set, &usual)]);
}

fn a_warehouse_is_told_from_its_beginning_to_its_end(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client_of(app.account(), "*");
    let warehouse = json!({"name": "Norte", "kind": "quarantine",
        "address": {"street": "Madero 1", "city": "CDMX"}});
    let warehouse = id(&client.post("/warehouses", &warehouse).expect(201));
    let place = format!("/warehouses/{warehouse}");
    let changes = json!({"priority": 7, "address": {"street": "Madero 2"}});
    for changes in [changes.clone(), changes] {
        let _ = client.patch(&place, &changes).expect(200);
    }
    let _ = client.delete(&place).expect(200);
    let first = json!({"name": "Norte", "kind": "quarantine", "priority": "100",
        "address.street": "Madero 1", "address.city": "CDMX", "address.country": "MX"});
    let before = json!({"priority": "100", "address.street": "Madero 1", "address.city": "CDMX"});
    let after = json!({"priority": "7", "address.street": "Madero 2"});
    let last = json!({"name": "Norte", "kind": "quarantine", "priority": "7",
        "address.street": "Madero 2", "address.country": "MX"});
    let wanted = [
        entry("warehouse.created", json!({}), first),
        entry("warehouse.changed", before, after),
        entry("warehouse.deleted", last, json!({})),
    ];
    assert_eq!(told(&client, &warehouse), wanted);
}

fn price_lists_and_groups_are_told_from_their_beginning_to_their_end(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client_of(app.account(), "*");
    let group = id(&client.post("/customer-groups", &json!({"name": "Mayoreo"})).expect(201));
    let list = json!({"name": "Mayoreo", "currency": "MXN", "customerGroupId": group,
        "validFrom": "2026-01-01T06:00:00.000Z"});
    let list = id(&client.post("/price-lists", &list).expect(201));
    let [of_group, of_list] = [format!("/customer-groups/{group}"), format!("/price-lists/{list}")];
    for _ in 0..2 {
        let _ = client.patch(&of_group, &json!({"name": "Distribuidores"})).expect(200);
        let changes = json!({"priority": 7, "customerGroupId": null});
        let _ = client.patch(&of_list, &changes).expect(200);
    }
    let _ = client.delete(&of_list).expect(200);
    let _ = client.delete(&of_group).expect(200);
    let [first, last] = ["Mayoreo", "Distribuidores"].map(|name| json!({"name": name}));
    let wanted = [
        entry("customer_group.created", json!({}), first.clone()),
        entry("customer_group.changed", first, last.clone()),
        entry("customer_group.deleted", last, json!({})),
    ];
    assert_eq!(told(&client, &group), wanted);
    let last = json!({"name": "Mayoreo", "currency": "MXN", "priority": "7",
        "validFrom": "2026-01-01T06:00:00.000Z"});
    let mut first = last.clone();
    first["priority"] = json!("100");
    first["customerGroupId"] = json!(group);
    let before = json!({"priority": "100", "customerGroupId": group});
    let wanted = [
        entry("price_list.created", json!({}), first),
        entry("price_list.changed", before, json!({"priority": "7"})),
        entry("price_list.deleted", last, json!({})),
    ];
    assert_eq!(told(&client, &list), wanted);
}

fn entries_are_looked_for_by_what_there_can_be(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client_of(app.account(), "*");
    for (field, wrong) in [
        ("actor", "nope"),
        ("actor", "key_1"),
        ("actor", "cus_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("actor", "ana@example.com"),
        ("action", "nope"),
        ("action", "api_key.painted"),
    ] {
        let refused = client.get(&format!("/audit?{field}={wrong}"));
        let message = refused.refused(400, "validation_failed");
        assert!(message.contains(field), "{message}");
    }
    for action in Action::EVERY {
        let page = client.get(&format!("/audit?action={}", action.name())).expect(200);
        let mut entries = page["data"].as_array().unwrap().iter();
        assert!(entries.all(|one| one["action"] == action.name()), "{page}");
    }
    let count = |query: &str| client.get(&format!("/audit?{query}")).expect(200)["total"].clone();
    for nobody in ["usr_01ARZ3NDEKTSV4RRFFQ69G5FAV", "public", "operator%20nobody"] {
        assert_eq!(count(&format!("actor={nobody}")), 0, "{nobody}");
    }
    assert_eq!(count("action=api_key.created&actor=operator"), 1);
}
