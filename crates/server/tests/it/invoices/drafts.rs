//! Drafts: made of every type, with what follows from what is left out.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, company, id, is_moment, item, sale, sale_in_parts};

on_both!(
    a_sale_is_drafted_with_all_that_follows,
    a_credit_note_refers_to_what_it_corrects,
    goods_on_the_move_add_up_to_nothing,
    every_fault_of_a_draft_is_named,
    items_are_filled_from_products,
    prices_with_and_without_taxes,
    zero_and_exempt_are_not_the_same,
    a_foreign_currency_needs_its_rate,
    making_a_draft_is_told_once,
    a_repeat_makes_one_draft,
    drafting_spends_nothing,
);

fn a_sale_is_drafted_with_all_that_follows(kind: DatabaseKind) {
    let office = Office::open(kind);
    let made = office.client.post("/invoices", &sale(116.0));
    let place = made.header("location").unwrap().to_owned();
    let tag = made.header("etag").unwrap().to_owned();
    let draft = made.expect(201);
    assert_eq!(place, format!("/api/v1/invoices/{}", id(&draft)));
    let expected = json!({
        "type": "I", "status": "draft", "series": "F", "folio": null, "uuid": null,
        "customerId": null, "orderIds": [], "currency": "MXN", "exchangeRate": null,
        "paymentForm": "03", "paymentMethod": "PUE", "paymentTerms": null, "export": "01",
        "placeOfIssue": "42501", "confirmation": null, "global": null, "related": [],
        "subtotal": 100, "discount": null, "total": 116, "balance": null, "installments": 0,
        "issuedAt": null, "stamp": null, "lastError": null, "notes": null, "metadata": {},
        "payments": [],
        "issuer": {"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE", "taxRegime": "601"},
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&draft[name], value, "{name}");
    }
    let iva = json!({"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false,
        "base": 100, "amount": 16});
    assert_eq!(draft["taxes"], json!({"transferred": [iva], "withheld": []}));
    let line = &draft["items"][0];
    assert_eq!(line["taxes"], json!([iva]));
    for (name, value) in [
        ("unitPrice", json!(116)),
        ("taxIncluded", json!(true)),
        ("netUnitPrice", json!(100)),
        ("amount", json!(100)),
        ("satProductKey", json!("52152100")),
        ("satUnitKey", json!("H87")),
        ("taxObject", json!("02")),
    ] {
        assert_eq!(line[name], value, "{name}");
    }
    let mut receiver = company();
    receiver["taxResidence"] = json!(null);
    receiver["foreignTaxId"] = json!(null);
    assert_eq!(draft["receiver"], receiver);
    assert_eq!(draft["cancellation"]["status"], "none");
    assert!(is_moment(&draft["createdAt"]) && draft["createdAt"] == draft["updatedAt"]);
    let shown = office.client.get(&format!("/invoices/{}", id(&draft)));
    assert_eq!(shown.header("etag"), Some(tag.as_str()));
    assert_eq!(shown.expect(200), draft);
}

fn a_credit_note_refers_to_what_it_corrects(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sale = office.stamped_sale(116.0);
    let note = json!({"type": "E", "paymentForm": "03",
        "items": [{"description": "Devolución", "satProductKey": "84111506", "satUnitKey": "ACT",
            "quantity": 1, "unitPrice": 58}],
        "related": [{"relation": "01", "uuids": [sale["uuid"]]}]});
    let note = office.draft(&note);
    assert_eq!((&note["series"], &note["total"]), (&json!("NC"), &json!(58)));
    assert_eq!(note["receiver"]["rfc"], sale["receiver"]["rfc"], "follows from what it corrects");
    assert_eq!(note["receiver"]["cfdiUse"], "G02", "as SAT's guide of credit notes has it");
    assert_eq!(office.findings(&id(&note)), []);
    let stamped = office.stamp(&id(&note)).expect(200);
    assert_eq!((&stamped["type"], &stamped["folio"]), (&json!("E"), &json!("1")));
}

fn goods_on_the_move_add_up_to_nothing(kind: DatabaseKind) {
    let office = Office::open(kind);
    let own = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
        "taxZip": "42501", "taxRegime": "601"});
    let goods = json!({"type": "T", "receiver": own, "items": [
        {"description": "Tazas", "satProductKey": "52152100", "quantity": 100, "unitPrice": 20}]});
    let draft = office.draft(&goods);
    assert_eq!((&draft["series"], &draft["total"]), (&json!("T"), &json!(0)));
    assert_eq!(draft["receiver"]["cfdiUse"], "S01");
    assert_eq!((&draft["paymentForm"], &draft["paymentMethod"]), (&json!(null), &json!(null)));
    assert_eq!(office.findings(&id(&draft)), []);
    assert_eq!(office.stamp(&id(&draft)).expect(200)["status"], "stamped");
}

fn every_fault_of_a_draft_is_named(kind: DatabaseKind) {
    let office = Office::open(kind);
    let with = |changes: Value| {
        let mut body = sale(116.0);
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let nothing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let cases = [
        (json!({}), &["items", "receiver"][..]),
        (json!({"type": "P", "receiver": company()}), &["payments"]),
        (with(json!({"items": []})), &["items"]),
        (with(json!({"items": [{"quantity": 1}]})), &["items[0]"]),
        (
            with(json!({"items": [{"quantity": 0, "unitPrice": -1}]})),
            &["items[0].quantity", "items[0].unitPrice"],
        ),
        (
            with(json!({"items": [{"quantity": 1, "unitPrice": 1.0000001}]})),
            &["items[0].unitPrice"],
        ),
        (
            with(json!({"items": [{"productId": format!("prd_{nothing}"), "quantity": 1}]})),
            &["items[0].productId"],
        ),
        (with(json!({"customerId": format!("cus_{nothing}")})), &["customerId"]),
        (with(json!({"orderId": format!("ord_{nothing}")})), &["orderId"]),
        (
            with(json!({"orderIds": [format!("ord_{nothing}"), format!("ord_{nothing}")]})),
            &["orderIds[0]"],
        ),
        (with(json!({"type": "N"})), &["type"]),
        (with(json!({"paymentMethod": "PDD"})), &["paymentMethod"]),
        (with(json!({"currency": "pesos"})), &["currency"]),
        (with(json!({"exchangeRate": 0})), &["exchangeRate"]),
        (with(json!({"placeOfIssue": "00001"})), &["placeOfIssue"]),
        (with(json!({"related": [{"relation": "01", "uuids": ["x"]}]})), &["related[0].uuids[0]"]),
        (with(json!({"global": {"periodicity": "04"}})), &["global.months", "global.year"]),
        (with(json!({"metadata": []})), &["metadata"]),
        (with(json!({"notes": "x".repeat(2_001)})), &["notes"]),
        (with(json!({"paymentFrom": "03"})), &["paymentFrom", "paymentForm"]),
        (with(json!({"status": "stamped", "totl": 1})), &["totl"]),
    ];
    for (body, fields) in cases {
        let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
        for field in fields {
            assert!(message.contains(field), "{field} in {message:?} of {body}");
        }
    }
    assert_eq!(office.client.get("/invoices").expect(200)["total"], 0);
    assert_eq!(office.told(), [] as [Value; 0]);
}

fn items_are_filled_from_products(kind: DatabaseKind) {
    let office = Office::open(kind);
    let ieps = json!([{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "IEPS", "factor": "Tasa", "rate": 0.08}]);
    let own = json!({"satProductKey": "50192100", "satUnitKey": "XPK", "taxes": ieps});
    let (mug, chips) =
        (office.product("TAZA", 19.99, &json!({})), office.product("PAPAS", 12.5, &own));
    let draft = office.draft(&json!({"receiver": company(), "paymentForm": "01", "items": [
        {"productId": mug, "quantity": 2},
        {"productId": chips, "quantity": 3},
        {"productId": chips, "quantity": 1, "description": "Papas grandes", "unitPrice": 20,
         "sku": "P-G", "taxes": []},
    ]}));
    let items = &draft["items"];
    for (item, name, value) in [
        (0, "description", json!("TAZA")),
        (0, "sku", json!("TAZA")),
        (0, "unitPrice", json!(19.99)),
        (0, "satProductKey", json!("01010101")),
        (0, "satUnitKey", json!("H87")),
        (1, "satProductKey", json!("50192100")),
        (1, "satUnitKey", json!("XPK")),
        (1, "unitPrice", json!(12.5)),
        (2, "description", json!("Papas grandes")),
        (2, "unitPrice", json!(20)),
        (2, "sku", json!("P-G")),
        (2, "taxObject", json!("01")),
        (2, "taxes", json!([])),
    ] {
        assert_eq!(items[item][name], value, "items[{item}].{name}");
    }
    assert_eq!(items[0]["taxes"][0]["rate"], 0.16, "the issuer's usual tax");
    assert_eq!(items[1]["taxes"].as_array().unwrap().len(), 2, "the product's own taxes");
    assert_eq!(draft["total"], json!(97.48), "what is paid, to the cent");
    // Without a SKU a product has its identifier there, which says nothing to a receiver.
    let napkin = office.make("/products", &json!({"name": "Servilleta", "price": 10}));
    assert_eq!(napkin["sku"], napkin["id"]);
    let draft = office.draft(&json!({"receiver": company(), "paymentForm": "01",
        "items": [{"productId": napkin["id"], "quantity": 1}]}));
    assert_eq!(draft["items"][0]["sku"], json!(null));
}

fn prices_with_and_without_taxes(kind: DatabaseKind) {
    let office = Office::open(kind);
    let total = |items: Value| {
        let draft =
            office.draft(&json!({"receiver": company(), "paymentForm": "03", "items": items}));
        assert_eq!(office.findings(&id(&draft)), []);
        (draft["subtotal"].clone(), draft["discount"].clone(), draft["total"].clone())
    };
    let line = |more: Value| {
        let mut line = json!({"description": "Taza", "satProductKey": "52152100", "quantity": 3,
            "unitPrice": 100});
        for (name, value) in more.as_object().unwrap() {
            line[name] = value.clone();
        }
        line
    };
    let cases = [
        (json!([line(json!({}))]), (258.62, None, json!(300))),
        (json!([line(json!({"taxIncluded": false}))]), (300.0, None, json!(348))),
        (
            json!([line(json!({"taxIncluded": false, "discount": 30}))]),
            (300.0, Some(json!(30)), json!(313.2)),
        ),
        (json!([line(json!({"discount": 11.6}))]), (258.62, Some(json!(10)), json!(288.4))),
        (json!([line(json!({"taxes": []}))]), (300.0, None, json!(300))),
    ];
    for (items, (subtotal, discount, paid)) in cases {
        let (shown, off, sum) = total(items.clone());
        assert!((shown.as_f64().unwrap() - subtotal).abs() < 0.005, "{shown} of {items}");
        assert_eq!((off, sum), (discount.unwrap_or(json!(null)), paid), "{items}");
    }
    // Prices that no net price meets: the total is what is paid all the same.
    for cents in [1, 2, 3, 7, 99, 101, 1_999, 3_333, 999_999] {
        let price = f64::from(cents) / 100.0;
        let draft = office.draft(&sale(price));
        assert_eq!(draft["total"].as_f64(), Some(price), "{price}");
        assert_eq!(office.findings(&id(&draft)), [], "{price}");
    }
}

fn zero_and_exempt_are_not_the_same(kind: DatabaseKind) {
    let office = Office::open(kind);
    let with = |taxes: Value| {
        let mut item = item(50.0);
        item["taxes"] = taxes;
        office.stamped(&json!({"receiver": company(), "paymentForm": "03", "items": [item]}))
    };
    let zero = with(json!([{"tax": "IVA", "factor": "Tasa", "rate": 0}]));
    let exempt = with(json!([{"tax": "IVA", "factor": "Exento"}]));
    let taxes = |invoice: &Value| invoice["taxes"]["transferred"][0].clone();
    assert_eq!((&taxes(&zero)["rate"], &taxes(&zero)["amount"]), (&json!(0), &json!(0)));
    assert_eq!(taxes(&exempt)["rate"], json!(null));
    assert_eq!((&zero["total"], &exempt["total"]), (&json!(50), &json!(50)));
    let xml = |invoice: &Value| office.client.get(&format!("/invoices/{}/xml", id(invoice))).text;
    assert!(xml(&zero).contains("TotalImpuestosTrasladados=\"0.00\""));
    assert!(!xml(&exempt).contains("TotalImpuestosTrasladados"));
}

fn a_foreign_currency_needs_its_rate(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["currency"] = json!("USD");
    let draft = id(&office.draft(&body));
    let findings = office.findings(&draft);
    assert!(findings.iter().any(|(_, field)| field == "exchangeRate"), "{findings:?}");
    let _ = office.change(&draft, &json!({"exchangeRate": 18.4523})).expect(200);
    assert_eq!(office.findings(&draft), []);
    let stamped = office.stamp(&draft).expect(200);
    assert_eq!((&stamped["currency"], &stamped["exchangeRate"]), (&json!("USD"), &json!(18.4523)));
}

fn making_a_draft_is_told_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let first = office.draft(&sale(116.0));
    let second = office.stamped(&sale_in_parts(58.5));
    let payload = |invoice: &Value| json!({"id": invoice["id"], "amount": invoice["total"]});
    assert_eq!(office.told(), [payload(&first), payload(&second)]);
    let feed = office.client.get("/events?events=invoice.created").expect(200);
    let events = feed["data"].as_array().unwrap();
    assert!(events.len() <= 2);
    for event in events {
        let fields: Vec<_> = event.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["createdAt", "data", "event", "id"]);
    }
}

fn a_repeat_makes_one_draft(kind: DatabaseKind) {
    let office = Office::open(kind);
    let create = |price: f64| office.client.post_once("/invoices", "k", &sale(price));
    let (first, second) = (create(116.0), create(116.0));
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!((&first.text, second.header("idempotent-replayed")), (&second.text, Some("true")));
    let _ = create(58.0).refused(422, "idempotency_key_reused");
    assert_eq!(office.told().len(), 1);
}

fn drafting_spends_nothing(kind: DatabaseKind) {
    let office = Office::open(kind);
    for _ in 0..3 {
        let _ = office.sale(116.0);
    }
    assert_eq!(office.credits(), (1_000, 0));
    assert_eq!(office.client.get("/credits/ledger").expect(200)["total"], 1, "the grant");
}
