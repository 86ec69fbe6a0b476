//! Customers over HTTP.

mod desk;

use serde_json::{Value, json};
use testkit::DatabaseKind;

pub(crate) use desk::Desk;

testkit::on_both!(
    a_customer_needs_a_name_only,
    a_customer_keeps_everything_it_is_given,
    what_is_given_in_other_forms_is_kept_in_one,
    a_patch_merges_and_null_clears,
    what_was_read_can_be_sent_back,
    an_email_belongs_to_one_customer,
    stale_changes_are_refused,
    a_deleted_customer_is_gone,
    a_customer_that_something_names_stays,
    a_customer_whom_an_invoice_names_stays,
    filters_find_customers,
    pages_and_cursors_walk_the_list,
);

const ALL: &str = "/customers";

fn everything() -> Value {
    json!({
        "name": "Ana Flores", "email": "ana@example.com", "phone": "+525512345678",
        "rfc": "FOAA900101AB1", "legalName": "ANA FLORES AGUILAR", "taxRegime": "612",
        "taxZip": "06050", "cfdiUse": "G03", "taxResidence": "USA", "foreignTaxId": "123456789",
        "metadata": {"vip": true, "nivel": 3, "canal": "feria"},
        "addresses": [{"label": "shipping", "street": "Av. Juárez 10", "neighborhood": "Centro",
            "city": "Ciudad de México", "state": "CDMX", "zip": "06050", "country": "MX"}],
    })
}

fn a_customer_needs_a_name_only(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &json!({"name": "Beto"}));
    let expected = json!({
        "id": made["id"], "externalId": null, "name": "Beto", "email": null, "phone": null, "rfc": null,
        "legalName": null, "taxRegime": null, "taxZip": null, "cfdiUse": null, "taxResidence": null,
        "foreignTaxId": null, "groupId": null, "taxStatus": "missing", "addresses": [],
        "metadata": {}, "createdAt": made["createdAt"], "updatedAt": made["createdAt"],
    });
    assert_eq!(made, expected);
    assert!(made["id"].as_str().unwrap().starts_with("cus_"));
    // The catalog promises a text, so it is an empty one.
    assert_eq!(desk.events("contact.created"), [json!({"id": made["id"], "email": ""})]);
}

fn a_customer_keeps_everything_it_is_given(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    for (name, value) in everything().as_object().unwrap() {
        assert_eq!(made[name], *value, "{name}");
    }
    let told = json!({"id": made["id"], "email": "ana@example.com"});
    assert_eq!(desk.events("contact.created"), [told]);
    assert_eq!(desk.event_names(), ["contact.created"]);
}

fn what_is_given_in_other_forms_is_kept_in_one(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(
        ALL,
        &json!({"name": "  Ana ", "email": "Ana@EXAMPLE.com", "phone": "+52 (55) 1234-5678",
            "rfc": "foaa900101ab1", "addresses": [{"street": "Juárez 10"}]}),
    );
    assert_eq!(made["name"], "Ana");
    assert_eq!(made["email"], "Ana@example.com");
    assert_eq!(made["phone"], "+525512345678");
    assert_eq!(made["rfc"], "FOAA900101AB1");
    assert_eq!(made["addresses"][0]["country"], "MX");
    assert_eq!(made["addresses"][0]["city"], Value::Null);
}

fn a_patch_merges_and_null_clears(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let place = Desk::place(ALL, &made);
    let changed = desk.change(&place, &json!({"name": "Ana F.", "metadata": {"vip": false}}));
    let mut expected = made.clone();
    expected["name"] = json!("Ana F.");
    expected["metadata"] = json!({"vip": false});
    expected["updatedAt"] = changed["updatedAt"].clone();
    assert_eq!(changed, expected);
    assert!(changed["updatedAt"].as_str() >= made["updatedAt"].as_str());

    let cleared = desk.change(
        &place,
        &json!({"email": null, "phone": null, "rfc": null, "legalName": null, "taxRegime": null,
            "taxZip": null, "cfdiUse": null, "taxResidence": null, "foreignTaxId": null, "addresses": [],
            "metadata": null}),
    );
    let cleared_ones = ["email", "phone", "rfc", "legalName", "taxRegime", "taxZip", "cfdiUse"];
    for field in cleared_ones.into_iter().chain(["taxResidence", "foreignTaxId"]) {
        assert_eq!(cleared[field], Value::Null, "{field}");
    }
    assert_eq!((&cleared["addresses"], &cleared["metadata"]), (&json!([]), &json!({})));
    let message = desk.client.patch(&place, &json!({"name": null}));
    assert_eq!(message.refused(400, "validation_failed"), "name must not be null");
    assert_eq!(desk.event_names(), ["contact.created"], "the catalog has no event for a change");
}

fn what_was_read_can_be_sent_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for body in [everything(), json!({"name": "Beto"})] {
        let made = desk.create(ALL, &body);
        desk.assert_survives_a_round_trip(&Desk::place(ALL, &made));
    }
    let copy = desk.show(ALL)["data"][0].clone();
    let message = desk.client.post(ALL, &copy).refused(400, "validation_failed");
    for field in ["id", "createdAt", "updatedAt"] {
        assert!(
            message.contains(&format!("{field} is read-only: the service sets it")),
            "{message}"
        );
    }
}

fn an_email_belongs_to_one_customer(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let ana = desk.create(ALL, &json!({"name": "Ana", "email": "ana@example.com"}));
    let beto = desk.create(ALL, &json!({"name": "Beto", "email": "beto@example.com"}));
    let ana_id = ana["id"].as_str().unwrap();
    for email in ["ana@example.com", "ANA@example.com", "Ana@Example.COM"] {
        let body = json!({"name": "Other", "email": email});
        let created = desk.client.post(ALL, &body);
        let changed = desk.client.patch(&Desk::place(ALL, &beto), &json!({"email": email}));
        for refused in [created, changed] {
            let message = refused.refused(409, "duplicate_email");
            assert!(message.contains(ana_id), "{message}");
        }
    }
    // Its own address in another case is no other's.
    desk.change(&Desk::place(ALL, &ana), &json!({"email": "ANA@example.com"}));
    desk.change(&Desk::place(ALL, &ana), &json!({"email": null}));
    desk.change(&Desk::place(ALL, &beto), &json!({"email": "ana@example.com"}));
    desk.delete(ALL, beto["id"].as_str().unwrap());
    desk.create(ALL, &json!({"name": "Third", "email": "ana@example.com"}));
    let unicode = json!({"name": "José", "email": "JOSÉ@correo.mx"});
    desk.create(ALL, &unicode);
    let lower = json!({"name": "José", "email": "josé@correo.mx"});
    assert_eq!(desk.client.post(ALL, &lower).status, 409);
    let elsewhere = desk.app.client().post(ALL, &unicode);
    assert_eq!(elsewhere.status, 201, "another account's customers are another matter");
}

fn stale_changes_are_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    let changes = [json!({"name": "A"}), json!({"name": "B"})];
    let place = Desk::place(ALL, &made);
    desk.assert_guards_against_lost_updates(&place, [&changes[0], &changes[1]]);
}

fn a_deleted_customer_is_gone(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let made = desk.create(ALL, &everything());
    desk.delete(ALL, made["id"].as_str().unwrap());
    let id = made["id"].as_str().unwrap();
    let left =
        desk.app.database.lines(&format!("SELECT name AS line FROM customers WHERE id = '{id}'"));
    assert_eq!(left, [""; 0], "personal data goes too");
}

fn a_customer_that_something_names_stays(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let buyer = desk.create(ALL, &json!({"name": "Ana"}));
    let product = json!({"name": "Taza", "price": 1, "inventory": 1});
    let product = desk.create("/products", &product);
    let order = json!({"customerId": buyer["id"],
        "items": [{"productId": product["id"], "quantity": 1}]});
    desk.create("/orders", &order);
    let lead = desk.create("/crm/leads", &json!({"name": "Rosa"}));
    let place = format!("{}/convert", Desk::place("/crm/leads", &lead));
    let converted = desk.client.post(&place, &json!({})).expect(200);
    for customer in [&buyer, &converted["customer"]] {
        let place = Desk::place(ALL, customer);
        let message = desk.client.delete(&place).refused(409, "conflict");
        assert!(message.contains("orders, deals, quotes or invoices"), "{message}");
        assert_eq!(desk.show(&place), *customer);
    }
}

fn a_customer_whom_an_invoice_names_stays(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.app.can_invoice(desk.account);
    desk.app.grant(desk.account, 10);
    let buyer = json!({"name": "Universidad", "rfc": "URE180429TM6",
        "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA", "taxZip": "86991", "taxRegime": "601"});
    let buyer = desk.create(ALL, &buyer);
    let place = Desk::place(ALL, &buyer);
    let invoice = json!({"customerId": buyer["id"], "paymentForm": "03", "items": [{
        "description": "Taza", "satProductKey": "52152100", "quantity": 1, "unitPrice": 116}]});
    let draft = desk.create("/invoices", &invoice);
    let _ = desk.client.delete(&place).refused(409, "conflict");
    let _ = desk.client.delete(&Desk::place("/invoices", &draft)).expect(200);
    let stamped = Desk::place("/invoices", &desk.create("/invoices", &invoice));
    let _ = desk.client.act(&format!("{stamped}/timbrar")).expect(200);
    let message = desk.client.delete(&place).refused(409, "conflict");
    assert!(message.contains("orders, deals, quotes or invoices"), "{message}");
    assert_eq!(desk.show(&place), buyer);
    assert_eq!(desk.client.post(&format!("{stamped}/copy"), &json!({})).status, 201);
}

fn filters_find_customers(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let moment = desk.create(ALL, &json!({"name": "Früher"}))["createdAt"].clone();
    desk.app.advance_seconds(60);
    desk.create(ALL, &everything());
    desk.create(ALL, &json!({"name": "Ramón Núñez", "email": "Ramon+web@example.com"}));
    desk.app.advance_seconds(60);
    let last = desk.create(ALL, &json!({"name": "100% Café_Olé", "phone": "+525500000000"}));
    let since = last["createdAt"].as_str().unwrap();
    let cases: &[(&str, &[&str])] = &[
        ("", &["100% Café_Olé", "Ramón Núñez", "Ana Flores", "Früher"]),
        ("search=nunez", &["Ramón Núñez"]),
        ("search=RAMÓN", &["Ramón Núñez"]),
        ("search=%20flores%20", &["Ana Flores"]),
        ("search=example.com", &["Ramón Núñez", "Ana Flores"]),
        ("search=aguilar", &["Ana Flores"]),
        ("search=FOAA", &["Ana Flores"]),
        ("search=55123", &["Ana Flores"]),
        ("search=100%25", &["100% Café_Olé"]),
        ("search=cafe_ole", &["100% Café_Olé"]),
        ("search=%25", &[]),
        ("search=nobody", &[]),
        ("email=ANA@example.com", &["Ana Flores"]),
        ("email=ramon%2Bweb@example.com", &["Ramón Núñez"]),
        ("email=nobody@example.com", &[]),
        ("phone=%2B525512345678", &["Ana Flores"]),
        ("phone=+525512345678", &["Ana Flores"]),
        ("rfc=foaa900101ab1", &["Ana Flores"]),
        (&format!("updatedSince={since}"), &["100% Café_Olé"]),
        ("updatedSince=2999-01-01T00:00:00Z", &[]),
        ("email=ana@example.com&search=ramon", &[]),
    ];
    for (query, names) in cases {
        assert_eq!(desk.names(&format!("{ALL}?{query}")), *names, "{query}");
    }
    let moment = moment.as_str().unwrap();
    assert_eq!(desk.names(&format!("{ALL}?updatedSince={moment}")).len(), 4);
}

fn pages_and_cursors_walk_the_list(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    for index in 0..25 {
        assert_eq!(desk.client.post(ALL, &json!({"name": format!("c{index}")})).status, 201);
    }
    let newest: Vec<_> = (0..25).rev().map(|index| format!("c{index}")).collect();
    assert_eq!(desk.names(ALL), newest[..20]);
    assert_eq!(desk.names("/customers?page=2"), newest[20..]);
    assert_eq!(desk.names("/customers?page=3&limit=10"), newest[20..]);
    assert_eq!(desk.names("/customers?page=4&limit=10"), [""; 0]);
    let page = desk.show("/customers?limit=500");
    assert_eq!((&page["limit"], &page["total"]), (&json!(100), &json!(25)));
    let mut walked = Vec::new();
    let mut path = "/customers?limit=10".to_owned();
    loop {
        let page = desk.show(&path);
        let rows = page["data"].as_array().unwrap().iter();
        walked.extend(rows.map(|row| row["name"].as_str().unwrap().to_owned()));
        desk.create(ALL, &json!({"name": "late"}));
        match page["nextCursor"].as_str() {
            Some(cursor) => path = format!("/customers?limit=10&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(walked, newest, "each once, whatever was added meanwhile");
}
