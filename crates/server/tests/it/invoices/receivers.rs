//! Whom an invoice is made out to: told, or known from the customer.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, company, id, item, sale};

on_both!(
    a_customer_is_enough,
    missing_tax_data_are_named,
    the_receiver_that_is_told_wins,
    the_use_follows_from_type_and_regime,
    the_use_alone_can_be_told,
    foreigners_and_the_public_are_receivers,
    a_foreign_customer_is_the_receiver_as_it_is_known,
    countries_may_be_written_in_lower_case,
    who_has_no_rfc_of_their_own_has_the_place_of_issue,
    what_follows_without_an_rfc_of_ones_own_need_not_be_told,
    who_has_no_rfc_of_their_own_states_616_and_s01_alone,
    papers_of_who_has_no_rfc_have_their_own_place_of_issue,
    tax_data_are_checked_before_there_is_an_invoice,
    customers_say_whether_they_could_be_invoiced,
    all_that_a_customer_lacks_is_told_at_once,
);

fn of_customer(customer: &str) -> Value {
    json!({"customerId": customer, "paymentForm": "03", "items": [item(116.0)]})
}

fn a_customer_is_enough(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.customer();
    let draft = office.draft(&of_customer(&customer));
    assert_eq!(draft["customerId"], json!(customer));
    for (name, value) in company().as_object().unwrap() {
        assert_eq!(&draft["receiver"][name], value, "{name}");
    }
    assert_eq!(office.findings(&id(&draft)), []);
}

fn missing_tax_data_are_named(kind: DatabaseKind) {
    let office = Office::open(kind);
    let bare = id(&office.make("/customers", &json!({"name": "Ana"})));
    let message = office.client.post("/invoices", &of_customer(&bare));
    let message = message.refused(400, "validation_failed");
    assert!(message.starts_with("customerId"), "{message}");
    for field in ["rfc", "taxZip", "taxRegime"] {
        assert!(message.contains(field), "{field} in {message}");
    }
    let half = json!({"name": "Beto", "rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxRegime": "612"});
    let half = id(&office.make("/customers", &half));
    let message = office.client.post("/invoices", &of_customer(&half));
    let message = message.refused(400, "validation_failed");
    assert!(message.contains("taxZip") && !message.contains("taxRegime"), "{message}");
    // Once it is complete, it is enough.
    let _ =
        office.client.patch(&format!("/customers/{half}"), &json!({"taxZip": "36257"})).expect(200);
    let draft = office.draft(&of_customer(&half));
    assert_eq!(draft["receiver"]["taxZip"], "36257");
}

fn the_receiver_that_is_told_wins(kind: DatabaseKind) {
    let office = Office::open(kind);
    let bare = id(&office.make("/customers", &json!({"name": "Ana"})));
    let mut body = of_customer(&bare);
    body["receiver"] = company();
    let draft = office.draft(&body);
    assert_eq!(
        (&draft["customerId"], &draft["receiver"]["rfc"]),
        (&json!(bare), &json!("URE180429TM6"))
    );
}

fn the_use_follows_from_type_and_regime(kind: DatabaseKind) {
    let office = Office::open(kind);
    let person = |regime: &str| {
        json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxZip": "36257",
            "taxRegime": regime})
    };
    let public = json!({"rfc": "XAXX010101000", "legalName": "PUBLICO EN GENERAL",
        "taxZip": "42501", "taxRegime": "616"});
    for (kind, receiver, cfdi_use) in [
        ("I", person("612"), "G03"),
        ("E", person("612"), "G02"),
        ("T", person("612"), "S01"),
        ("I", person("616"), "S01"),
        ("I", public.clone(), "S01"),
        ("E", public, "S01"),
    ] {
        let told = json!({"type": kind, "receiver": receiver, "items": [item(116.0)]});
        let draft = office.draft(&told);
        assert_eq!(draft["receiver"]["cfdiUse"], cfdi_use, "{kind} {receiver}");
        // The same of a customer that says nothing of it.
        let mut customer = receiver.clone();
        customer["name"] = json!("Ana");
        let customer = id(&office.make("/customers", &customer));
        let known = json!({"type": kind, "customerId": customer, "items": [item(116.0)]});
        let known = office.draft(&known);
        assert_eq!(known["receiver"], draft["receiver"], "{kind} of a customer");
        // And of a receiver that is told later.
        let changed = office.change(&id(&known), &json!({"receiver": receiver})).expect(200);
        assert_eq!(changed["receiver"], draft["receiver"], "{kind} changed");
    }
}

fn the_use_alone_can_be_told(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = of_customer(&office.customer());
    body["cfdiUse"] = json!("G01");
    let draft = office.draft(&body);
    assert_eq!(draft["receiver"]["cfdiUse"], "G01");
    let changed = office.change(&id(&draft), &json!({"cfdiUse": "I04"})).expect(200);
    assert_eq!(changed["receiver"]["cfdiUse"], "I04");
    assert_eq!(changed["receiver"]["rfc"], "URE180429TM6", "the rest stays");
}

fn foreigners_and_the_public_are_receivers(kind: DatabaseKind) {
    let office = Office::open(kind);
    let foreigner = json!({"rfc": "XEXX010101000", "legalName": "ACME INC", "taxZip": "42501",
        "taxRegime": "616", "taxResidence": "USA", "foreignTaxId": "123456789"});
    let public = json!({"rfc": "XAXX010101000", "legalName": "ANA NUÑEZ", "taxZip": "42501",
        "taxRegime": "616"});
    for receiver in [foreigner, public] {
        let mut body = sale(116.0);
        body["receiver"] = receiver;
        let draft = office.draft(&body);
        assert_eq!(office.findings(&id(&draft)), [], "{}", body["receiver"]);
        assert_eq!(office.stamp(&id(&draft)).expect(200)["status"], "stamped");
    }
}

fn a_foreign_customer_is_the_receiver_as_it_is_known(kind: DatabaseKind) {
    let office = Office::open(kind);
    let abroad = json!({"name": "Acme", "legalName": "ACME INC", "rfc": "XEXX010101000",
        "taxResidence": "USA", "foreignTaxId": "123456789"});
    let abroad = office.make("/customers", &abroad);
    assert_eq!(abroad["taxStatus"], "valid", "{abroad}");
    let whole = json!({"rfc": "XEXX010101000", "legalName": "ACME INC", "taxZip": "42501",
        "taxRegime": "616", "cfdiUse": "S01", "taxResidence": "USA", "foreignTaxId": "123456789"});
    let draft = office.draft(&of_customer(&id(&abroad)));
    assert_eq!(draft["receiver"], whole);
    assert_eq!(office.findings(&id(&draft)), [], "{draft}");
    let _ = office.stamp(&id(&draft)).expect(200);
    let xml = office.client.get(&format!("/invoices/{}/xml", id(&draft))).text;
    for attribute in ["ResidenciaFiscal=\"USA\"", "NumRegIdTrib=\"123456789\""] {
        assert!(xml.contains(attribute), "{attribute}: {xml}");
    }
    // Of an order that names the customer, too.
    let product = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9});
    let product = office.make("/products", &product);
    let items = json!([{"productId": product["id"], "quantity": 1}]);
    let order = office.make("/orders", &json!({"customerId": abroad["id"], "items": items}));
    let draft = office.draft(&json!({"orderId": order["id"], "paymentForm": "03"}));
    assert_eq!(draft["receiver"], whole);
    // What SAT would refuse is saved, and said.
    let place = format!("/customers/{}", id(&abroad));
    let person = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxZip": "36257",
        "taxRegime": "612", "taxResidence": "USA", "foreignTaxId": null});
    for (changes, field) in [
        (json!({"foreignTaxId": "12-3456789"}), "foreignTaxId"),
        (json!({"foreignTaxId": "123456789", "taxResidence": null}), "taxResidence"),
        (json!({"taxResidence": "MEX"}), "taxResidence"),
        (person, "taxResidence"),
    ] {
        let changed = office.client.patch(&place, &changes).expect(200);
        assert_eq!(changed["taxStatus"], "invalid", "{changes}");
        let verdict = office.client.get(&format!("{place}/tax-check")).expect(200);
        assert_eq!(verdict["findings"][0]["field"], field, "{changes}: {verdict}");
    }
    let cleared = office.client.patch(&place, &json!({"taxResidence": null})).expect(200);
    assert_eq!(cleared["taxStatus"], "valid", "{cleared}");
}

fn countries_may_be_written_in_lower_case(kind: DatabaseKind) {
    let office = Office::open(kind);
    let query = "rfc=XEXX010101000&legalName=ACME%20INC&taxResidence=usa&foreignTaxId=123456789";
    let path = format!("/invoices/cfdi/receiver-check?{query}");
    assert_eq!(office.client.get(&path).expect(200)["valid"], true);
    let abroad = json!({"rfc": "XEXX010101000", "legalName": "ACME INC", "taxResidence": "usa",
        "foreignTaxId": "123456789"});
    let mut body = sale(116.0);
    body["receiver"] = abroad.clone();
    assert_eq!(office.draft(&body)["receiver"]["taxResidence"], "USA");
    let mut customer = abroad;
    customer["name"] = json!("Acme");
    let customer = office.make("/customers", &customer);
    assert_eq!(customer["taxResidence"], "USA");
    let place = format!("/customers/{}", id(&customer));
    let changed = office.client.patch(&place, &json!({"taxResidence": "can"})).expect(200);
    assert_eq!(changed["taxResidence"], "CAN");
    body["receiver"]["taxResidence"] = json!("us");
    let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
    assert!(
        message.starts_with("receiver.taxResidence must be a country of 3 letters"),
        "{message}"
    );
}

fn who_has_no_rfc_of_their_own_has_the_place_of_issue(kind: DatabaseKind) {
    let office = Office::open(kind);
    let branch = office
        .make("/invoices/cfdi/branches", &json!({"name": "Monterrey", "placeOfIssue": "64000"}));
    let customers = [
        json!({"name": "Acme", "legalName": "ACME INC", "rfc": "XEXX010101000"}),
        json!({"name": "Ana", "legalName": "ANA NUÑEZ", "rfc": "XAXX010101000", "taxZip": "42501",
            "taxRegime": "616"}),
    ];
    for customer in customers {
        let customer = office.make("/customers", &customer);
        assert_eq!(customer["taxStatus"], "valid", "{customer}");
        let mut body = of_customer(&id(&customer));
        body["branchId"] = branch["id"].clone();
        let draft = office.draft(&body);
        let receiver = &draft["receiver"];
        assert_eq!(
            (&receiver["taxZip"], &receiver["taxRegime"], &receiver["cfdiUse"]),
            (&json!("64000"), &json!("616"), &json!("S01"))
        );
        assert_eq!(office.findings(&id(&draft)), [], "{receiver}");
        let moved = office.change(&id(&draft), &json!({"branchId": null})).expect(200);
        assert_eq!(moved["receiver"]["taxZip"], "42501");
    }
}

fn what_follows_without_an_rfc_of_ones_own_need_not_be_told(kind: DatabaseKind) {
    let office = Office::open(kind);
    let branch = office
        .make("/invoices/cfdi/branches", &json!({"name": "Monterrey", "placeOfIssue": "64000"}));
    let check = |query: &str| office.client.get(&format!("/invoices/cfdi/receiver-check?{query}"));
    let good = json!({"valid": true, "findings": [], "warnings": []});
    for (rfc, name) in [("XAXX010101000", "ANA RUIZ"), ("XEXX010101000", "ACME INC")] {
        let query = format!("rfc={rfc}&legalName={}", name.replace(' ', "%20"));
        for kind in ["I", "E", "P", "T"] {
            assert_eq!(check(&format!("{query}&type={kind}")).expect(200), good, "{rfc} {kind}");
        }
        // What is told all the same is judged.
        let told = check(&format!("{query}&taxZip=06600&taxRegime=601")).expect(200);
        let told = told["findings"].as_array().unwrap().iter().map(|one| one["field"].clone());
        assert_eq!(told.collect::<Vec<_>>(), ["taxZip", "taxRegime"], "{rfc}");
        let whole = |zip: &str| {
            json!({"rfc": rfc, "legalName": name, "taxZip": zip, "taxRegime": "616", "cfdiUse": "S01",
                "taxResidence": null, "foreignTaxId": null})
        };
        let mut body = sale(116.0);
        body["receiver"] = json!({"rfc": rfc, "legalName": name});
        let draft = office.draft(&body);
        assert_eq!(draft["receiver"], whole("42501"));
        assert_eq!(office.findings(&id(&draft)), [], "{draft}");
        // Of a draft that is changed, too, from where it is issued then.
        let draft = office.draft(&sale(116.0));
        let changes = json!({"receiver": body["receiver"], "branchId": branch["id"]});
        let changed = office.change(&id(&draft), &changes).expect(200);
        assert_eq!(changed["receiver"], whole("64000"));
        assert_eq!(office.findings(&id(&draft)), [], "{changed}");
    }
    // Who has an RFC tells both.
    let own = json!({"rfc": "URE180429TM6", "legalName": "UNIVERSIDAD ROBOTICA ESPAÑOLA"});
    let draft = id(&office.draft(&sale(116.0)));
    let mut body = sale(116.0);
    body["receiver"] = own.clone();
    for refused in [
        check("rfc=URE180429TM6&legalName=UNIVERSIDAD"),
        office.client.post("/invoices", &body),
        office.change(&draft, &json!({"receiver": own})),
    ] {
        let message = refused.refused(400, "validation_failed");
        for field in ["taxZip", "taxRegime"] {
            assert!(message.contains(&format!("{field} is required")), "{message}");
        }
    }
}

fn who_has_no_rfc_of_their_own_states_616_and_s01_alone(kind: DatabaseKind) {
    let office = Office::open(kind);
    for rfc in ["XAXX010101000", "XEXX010101000"] {
        let customer = json!({"name": "Acme", "legalName": "ACME INC", "rfc": rfc, "taxZip": "06600",
            "taxRegime": "601", "cfdiUse": "G03"});
        let customer = office.make("/customers", &customer);
        assert_eq!(customer["taxStatus"], "valid", "{customer}");
        let draft = office.draft(&of_customer(&id(&customer)));
        let receiver = &draft["receiver"];
        assert_eq!(
            (&receiver["taxZip"], &receiver["taxRegime"], &receiver["cfdiUse"]),
            (&json!("42501"), &json!("616"), &json!("S01"))
        );
        assert_eq!(office.findings(&id(&draft)), [], "{receiver}");
        // What the request states is judged.
        let mut told = of_customer(&id(&customer));
        told["cfdiUse"] = json!("G03");
        let draft = office.draft(&told);
        assert_eq!(draft["receiver"]["cfdiUse"], "G03");
        let code = ("CFDI40161".to_owned(), "receiver.cfdiUse".to_owned());
        assert_eq!(office.findings(&id(&draft)), [code]);
    }
}

fn papers_of_who_has_no_rfc_have_their_own_place_of_issue(kind: DatabaseKind) {
    let office = Office::open(kind);
    let abroad = json!({"name": "Acme", "legalName": "ACME INC", "rfc": "XEXX010101000"});
    let abroad = office.make("/customers", &abroad);
    let sold = office.stamped(&json!({"customerId": abroad["id"], "placeOfIssue": "64000",
        "paymentMethod": "PPD", "items": [item(116.0)]}));
    assert_eq!(sold["receiver"]["taxZip"], "64000");
    let receipt = json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
        "paymentForm": "03", "amount": 58, "documents": [{"invoiceId": sold["id"], "amount": 58}]}]});
    let note = json!({"type": "E", "paymentForm": "03", "items": [item(11.6)],
        "related": [{"relation": "01", "uuids": [sold["uuid"]]}]});
    for body in [receipt, note] {
        let draft = office.draft(&body);
        assert_eq!(draft["receiver"]["taxZip"], "42501", "{draft}");
        assert_eq!(office.findings(&id(&draft)), [], "{draft}");
    }
}

fn tax_data_are_checked_before_there_is_an_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let check = |query: &str| office.client.get(&format!("/invoices/cfdi/receiver-check?{query}"));
    let whole = "rfc=CACX7605101P8&legalName=XOCHILT%20CASAS%20CHAVEZ&taxZip=36257&taxRegime=612";
    let good = json!({"valid": true, "findings": [], "warnings": []});
    assert_eq!(check(whole).expect(200), good);
    for (changed, code, field) in [
        ("&cfdiUse=CP01", "CFDI40161", "cfdiUse"),
        ("&cfdiUse=G03&taxRegime=605", "CFDI40161", "cfdiUse"),
        ("&taxRegime=601", "CFDI40158", "taxRegime"),
        ("&taxZip=00001", "CFDI40147", "taxZip"),
        ("&legalName=Xochilt", "CFDI40145", "legalName"),
        ("&taxResidence=USA", "CFDI40151", "taxResidence"),
    ] {
        let name = changed.rsplit('&').next().unwrap().split('=').next().unwrap();
        let kept: Vec<&str> = whole
            .split('&')
            .filter(|part| !changed.contains(part.split('=').next().unwrap()))
            .collect();
        let verdict = check(&format!("{}{changed}", kept.join("&"))).expect(200);
        let found = verdict["findings"].as_array().unwrap();
        let message =
            found.iter().find(|one| (&one["code"], &one["field"]) == (&json!(code), &json!(field)));
        let message = message.unwrap_or_else(|| panic!("{name}: {verdict}"))["message"].as_str();
        assert!(message.unwrap().starts_with(&format!("{field} ")), "{message:?}");
    }
    let doubtful = check(&whole.replace("P8", "P9")).expect(200);
    assert_eq!(
        (&doubtful["valid"], &doubtful["warnings"][0]["field"]),
        (&json!(true), &json!("rfc"))
    );
    // An invoice to the general public states the period of its sales, which is none of the receiver.
    let public = "rfc=XAXX010101000&legalName=PUBLICO%20EN%20GENERAL";
    let verdict = check(public).expect(200);
    let warning = &verdict["warnings"][0];
    assert_eq!(
        (&verdict["valid"], &warning["code"], &warning["field"]),
        (&json!(true), &json!("CFDI40130"), &json!("legalName"))
    );
    assert!(warning["message"].as_str().unwrap().contains("global"), "{warning}");
    assert_eq!(check(&format!("{public}&type=E")).expect(200), good);
    let missing = check("rfc=CACX7605101P8").refused(400, "validation_failed");
    assert!(missing.contains("legalName") && missing.contains("taxRegime"), "{missing}");
}

fn customers_say_whether_they_could_be_invoiced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let made = office.make("/customers", &json!({"name": "Xóchilt"}));
    assert_eq!(made["taxStatus"], "missing");
    let place = format!("/customers/{}", id(&made));
    let change = |changes: Value| office.client.patch(&place, &changes).expect(200);
    let check = || office.client.get(&format!("{place}/tax-check")).expect(200);
    let fields = |verdict: &Value, list: &str| -> Vec<String> {
        let found = verdict[list].as_array().unwrap().iter();
        found.map(|one| one["field"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(fields(&check(), "findings"), ["rfc", "legalName", "taxZip", "taxRegime"]);
    let data = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxZip": "36257",
        "taxRegime": "605", "cfdiUse": "G03"});
    assert_eq!(change(data)["taxStatus"], "invalid");
    assert_eq!(fields(&check(), "findings"), ["cfdiUse"]);
    // What was read can be sent back with a change.
    let mut read = office.client.get(&place).expect(200);
    read["taxRegime"] = json!("612");
    assert_eq!(change(read)["taxStatus"], "valid");
    assert_eq!(check(), json!({"valid": true, "findings": [], "warnings": []}));
    assert_eq!(change(json!({"rfc": "CACX7605101P9"}))["taxStatus"], "doubtful");
    assert_eq!(
        (check()["valid"].clone(), fields(&check(), "warnings")),
        (json!(true), vec!["rfc".to_owned()])
    );
    let refused = office.client.patch(&place, &json!({"taxStatus": "valid"}));
    assert!(refused.refused(400, "validation_failed").contains("taxStatus"));
    let listed = office.client.get("/customers").expect(200);
    assert_eq!(listed["data"][0]["taxStatus"], "doubtful");
    let spanish = office.client.request("GET", &format!("{place}/tax-check"));
    let spanish = testkit::Reply::to(spanish.header("Accept-Language", "es"));
    assert!(spanish.text.contains("Constancia de Situación Fiscal"), "{}", spanish.text);
}

fn all_that_a_customer_lacks_is_told_at_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let told = |customer: &Value, language: &str| -> Vec<(String, String)> {
        let made = office.make("/customers", customer);
        let path = format!("/customers/{}/tax-check", id(&made));
        let request = office.client.request("GET", &path).header("Accept-Language", language);
        let verdict = testkit::Reply::to(request).expect(200);
        let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
        let found = verdict["findings"].as_array().unwrap().iter();
        found.map(|one| (text(one, "field"), text(one, "message"))).collect()
    };
    let fields = |told: &[(String, String)]| -> Vec<String> {
        told.iter().map(|(field, _)| field.clone()).collect()
    };
    // What is there is judged beside what is missing.
    let half =
        json!({"name": "Xóchilt", "rfc": "CACX7605101P8", "taxRegime": "605", "cfdiUse": "G03"});
    assert_eq!(fields(&told(&half, "en")), ["legalName", "taxZip", "cfdiUse"]);
    // Nobody abroad has a Constancia de Situación Fiscal.
    let foreigner = json!({"name": "Acme", "taxResidence": "USA", "foreignTaxId": "12-3456789"});
    for language in ["en", "es"] {
        let told = told(&foreigner, language);
        assert_eq!(fields(&told), ["rfc", "legalName", "foreignTaxId"]);
        assert!(told[0].1.contains("XEXX010101000"), "{told:?}");
        assert!(told.iter().all(|(_, message)| !message.contains("Constancia")), "{told:?}");
    }
}
