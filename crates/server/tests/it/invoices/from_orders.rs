//! Invoices of orders: one, or many in a global invoice.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, attribute, company, id, item};

on_both!(
    an_order_is_invoiced_as_it_was_paid,
    an_order_at_terms_is_invoiced_to_the_cent,
    an_order_is_invoiced_once,
    what_the_catalog_calls_it_is_invoiced,
    what_is_given_away_is_invoiced,
    a_cancelled_order_is_not_invoiced,
    an_order_that_was_refunded_in_full_is_not_invoiced,
    orders_of_the_public_go_into_one_invoice,
    tickets_bear_what_the_public_pays,
    a_day_of_many_tickets_is_one_invoice,
    a_global_invoice_is_refused_its_contradictions,
    an_order_without_tax_data_needs_a_receiver,
    an_order_can_be_exchanged_and_given_up,
    two_drafts_of_one_order_at_once_are_one,
    shipping_has_the_taxes_that_were_set,
);

fn of_order(order: &Value) -> Value {
    json!({"orderId": order["id"], "paymentForm": "03"})
}

fn an_order_is_invoiced_as_it_was_paid(kind: DatabaseKind) {
    let office = Office::open(kind);
    let zero = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}],
        "satProductKey": "50161500", "satUnitKey": "KGM"});
    let (mug, sugar) =
        (office.product("TAZA", 19.99, &json!({})), office.product("AZUCAR", 33.33, &zero));
    let customer = office.customer();
    for items in [
        vec![(mug.as_str(), 1)],
        vec![(mug.as_str(), 7), (sugar.as_str(), 3)],
        vec![(sugar.as_str(), 1), (mug.as_str(), 3), (mug.as_str(), 1)],
    ] {
        let order = office.order(&customer, &items);
        let draft = office.draft(&of_order(&order));
        assert_eq!(draft["total"], order["totalAmount"], "{items:?}");
        assert_eq!(draft["orderIds"], json!([order["id"]]));
        assert_eq!((&draft["customerId"], &draft["currency"]), (&json!(customer), &json!("MXN")));
        assert_eq!(draft["items"].as_array().unwrap().len(), items.len());
        assert_eq!(office.findings(&id(&draft)), []);
        let stamped = office.stamp(&id(&draft)).expect(200);
        assert_eq!(stamped["total"], order["totalAmount"]);
        let sweet = stamped["items"].as_array().unwrap().iter();
        for line in sweet.filter(|line| line["productId"] == json!(sugar)) {
            assert_eq!(line["taxes"][0]["rate"], 0, "the product's own tax");
            assert_eq!(
                (&line["satProductKey"], &line["satUnitKey"]),
                (&json!("50161500"), &json!("KGM"))
            );
        }
    }
}

fn an_order_at_terms_is_invoiced_to_the_cent(kind: DatabaseKind) {
    let office = Office::open(kind);
    let zero = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}]});
    let on_top = json!({"taxIncluded": false});
    let mug = office.product("TAZA", 199.90, &json!({}));
    let book = office.product("LIBRO", 50.0, &zero);
    let bag = office.product("BOLSA", 33.333, &on_top);
    let customer = office.customer();
    let line = |product: &str, quantity: i64| json!({"productId": product, "quantity": quantity});
    let less = |product: &str, percent: f64| json!({"productId": product, "quantity": 2, "discount": {"percent": percent}});
    let shipping = json!({"name": "Estafeta Express", "amount": 99});
    let orders = [
        json!({"items": [less(&mug, 10.0), line(&book, 1)], "discount": {"percent": 5},
            "shipping": shipping}),
        json!({"items": [line(&bag, 3), less(&bag, 12.5)], "discount": {"percent": 10}}),
        json!({"items": [line(&bag, 7), line(&mug, 1)], "discount": {"percent": 3.3333},
            "shipping": shipping}),
        json!({"items": [less(&mug, 100.0), line(&book, 1)]}),
        json!({"items": [line(&bag, 1)], "shipping": {"name": "Recoger en tienda", "amount": 0}}),
    ];
    let place = |order: &Value| {
        let mut order = order.clone();
        order["customerId"] = json!(customer);
        office.client.post("/orders", &order).expect(201)
    };
    for order in orders.iter().map(place) {
        let draft = office.draft(&of_order(&order));
        assert_eq!(draft["total"], order["totalAmount"], "{order}");
        assert_eq!(office.findings(&id(&draft)), [], "{order}");
        let stamped = office.stamp(&id(&draft)).expect(200);
        assert_eq!(stamped["total"], order["totalAmount"]);
    }
    let first = office.client.get("/invoices?sort=createdAt").expect(200)["data"][0].clone();
    assert_eq!(
        [&first["subtotal"], &first["discount"], &first["total"]],
        [&json!(480), &json!(52.47), &json!(488.33)]
    );
    let tickets: Vec<Value> = orders.iter().map(place).collect();
    let ids: Vec<&Value> = tickets.iter().map(|order| &order["id"]).collect();
    let global = office.draft(&json!({"orderIds": ids, "paymentForm": "01", "issuedAt": null,
        "global": {"periodicity": "01", "months": "11", "year": 2026}}));
    let cents = |order: &Value| (order["totalAmount"].as_f64().unwrap() * 100.0).round() as i64;
    let paid: i64 = tickets.iter().map(cents).sum();
    assert_eq!((global["total"].as_f64().unwrap() * 100.0).round() as i64, paid);
}

/// SAT's schema collapses white space, and allows no bar.
fn what_the_catalog_calls_it_is_invoiced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let named = json!({"name": "Taza\u{feff}  azul |\u{a0}grande"});
    let mug = office.product("TZ|  01", 19.99, &named);
    let mut receiver = company();
    receiver["legalName"] = json!(receiver["legalName"].as_str().unwrap().replace(' ', "  "));
    receiver["name"] = json!("Universidad");
    let customer = id(&office.make("/customers", &receiver));
    let order = office.order(&customer, &[(&mug, 2)]);
    for body in [
        of_order(&order),
        json!({"customerId": customer, "paymentForm": "01", "paymentTerms": "a  30\u{a0} días",
            "items": [{"productId": mug, "quantity": 1, "unit": "pieza  grande"}]}),
        json!({"customerId": customer, "paymentForm": "01",
            "items": [{"description": " Taza azul  / grande", "sku": "TZ/ 01", "quantity": 1, "unitPrice": 5}]}),
    ] {
        let draft = id(&office.draft(&body));
        assert_eq!(office.findings(&draft), [], "{body}");
        let _ = office.stamp(&draft).expect(200);
        let xml = office.client.get(&format!("/invoices/{draft}/xml")).text;
        assert_eq!(attribute(&xml, "Descripcion"), "Taza azul / grande");
        assert_eq!(attribute(&xml, "NoIdentificacion"), "TZ/ 01");
        assert!(!xml.contains("  "), "{xml}");
    }
}

fn what_is_given_away_is_invoiced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (mug, sticker) = (
        office.product("TAZA", 116.0, &json!({})),
        office.product("CALCOMANIA", 0.0, &json!({"satProductKey": "60121144"})),
    );
    for (products, total) in [(vec![(&*mug, 1), (&*sticker, 3)], 116), (vec![(&*sticker, 3)], 0)] {
        let order = office.order(&office.customer(), &products);
        let draft = office.draft(&of_order(&order));
        assert_eq!(draft["total"], total);
        let gift = draft["items"].as_array().unwrap().last().unwrap();
        assert_eq!((&gift["unitPrice"], &gift["taxObject"]), (&json!(0), &json!("04")));
        assert_eq!((&gift["netUnitPrice"], &gift["netDiscount"]), (&json!(0.01), &json!(0.03)));
        assert_eq!(office.findings(&id(&draft)), []);
        assert_eq!(office.stamp(&id(&draft)).expect(200)["status"], "stamped");
    }
    let order = office.order(&office.customer(), &[(&sticker, 1)]);
    let month = json!({"periodicity": "01", "months": "01", "year": 2026});
    let global = office
        .client
        .post(
            "/invoices",
            &json!({"global": month, "orderIds": [order["id"]], "paymentForm": "01"}),
        )
        .expect(201);
    let findings = office.findings(&id(&global));
    assert!(findings.iter().all(|(_, field)| field.starts_with("global")), "{findings:?}");
}

fn an_order_is_invoiced_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&office.customer(), &[(&mug, 2)]);
    let draft = id(&office.draft(&of_order(&order)));
    let again = || office.client.post("/invoices", &of_order(&order));
    let message = again().refused(409, "order_already_invoiced");
    assert!(message.contains(&draft) && message.contains(&id(&order)), "{message}");
    let _ = office.stamp(&draft).expect(200);
    let _ = again().refused(409, "order_already_invoiced");
    // Another draft cannot be turned into one of that order either.
    let other = office.sale(116.0);
    let change = json!({"orderId": order["id"]});
    let _ = office.change(&other, &change).refused(409, "order_already_invoiced");
    assert_eq!(office.read(&other)["orderIds"], json!([]));
    // A plain copy is another sale.
    let copy = office.client.act(&format!("/invoices/{draft}/copy")).expect(201);
    assert_eq!((&copy["orderIds"], &copy["total"]), (&json!([]), &order["totalAmount"]));
}

fn a_cancelled_order_is_not_invoiced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&office.customer(), &[(&mug, 1)]);
    let cancelled = json!({"status": "cancelled", "reason": "x"});
    let _ = office.client.patch(&format!("/orders/{}", id(&order)), &cancelled).expect(200);
    let message = office.client.post("/invoices", &of_order(&order));
    let message = message.refused(400, "validation_failed");
    assert!(message.starts_with("orderId") && message.contains("cancelled"), "{message}");
}

fn an_order_that_was_refunded_in_full_is_not_invoiced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 20.0, &json!({}));
    let customer = office.customer();
    let refunded_by = |amount: i64| {
        let order = office.order(&customer, &[(&mug, 2)]);
        let paid = json!({"method": "cash", "orderId": order["id"]});
        let paid = office.make("/payments", &paid);
        let path = format!("/payments/{}/refunds", id(&paid));
        assert_eq!(office.make(&path, &json!({"amount": amount}))["status"], "succeeded");
        order
    };
    let (partly, whole) = (refunded_by(15), refunded_by(40));
    let now = office.app.now().to_string();
    let period =
        json!({"periodicity": "04", "months": now[5..7], "year": now[..4].parse::<u16>().unwrap()});
    let several = json!({"orderIds": [partly["id"], whole["id"]], "paymentForm": "01",
        "global": period});
    for (body, field) in [(of_order(&whole), "orderId"), (several, "orderIds[1]")] {
        let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
        let wanted = format!("{field} names an order that was refunded in full");
        assert!(message.starts_with(&wanted), "{message}");
    }
    let spanish = office.client.request("POST", "/invoices").header("Accept-Language", "es");
    let spanish = spanish.header("Content-Type", "application/json");
    let spanish = testkit::Reply::to(spanish.body(of_order(&whole).to_string()));
    assert!(spanish.text.contains("reembolsado por completo"), "{}", spanish.text);
    // What is kept of the other one is a sale.
    assert_eq!(office.draft(&of_order(&partly))["total"], 40);
}

fn orders_of_the_public_go_into_one_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let zero = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0}]});
    let (mug, sugar) =
        (office.product("TAZA", 19.99, &json!({})), office.product("AZUCAR", 33.33, &zero));
    let ana = id(&office.make("/customers", &json!({"name": "Ana"})));
    let orders = [
        office.order(&ana, &[(&mug, 1)]),
        office.order(&ana, &[(&mug, 3), (&sugar, 1)]),
        office.order(&ana, &[(&sugar, 2)]),
    ];
    let ids: Vec<&Value> = orders.iter().map(|order| &order["id"]).collect();
    let year = office.app.now().to_string()[..4].parse::<u16>().unwrap();
    let month = office.app.now().to_string()[5..7].to_owned();
    let global = json!({"orderIds": ids, "paymentForm": "01",
        "global": {"periodicity": "04", "months": month, "year": year}});
    let draft = office.draft(&global);
    let paid: f64 = orders.iter().map(|order| order["totalAmount"].as_f64().unwrap()).sum();
    assert!((draft["total"].as_f64().unwrap() - paid).abs() < 0.001, "{draft}");
    assert_eq!(draft["receiver"]["rfc"], "XAXX010101000");
    assert_eq!(draft["receiver"]["legalName"], "PUBLICO EN GENERAL");
    assert_eq!(draft["receiver"]["taxZip"], "42501", "where it is issued");
    let tickets: Vec<(&Value, &Value)> = draft["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (&line["sku"], &line["description"]))
        .collect();
    let number = |order: usize| &orders[order]["orderNumber"];
    let sale = json!("Venta");
    // One line for each ticket and set of taxes.
    let expected = [(number(0), &sale), (number(1), &sale), (number(1), &sale), (number(2), &sale)];
    assert_eq!(tickets, expected);
    assert_eq!(office.findings(&id(&draft)), []);
    let stamped = office.stamp(&id(&draft)).expect(200);
    assert_eq!(stamped["total"], draft["total"]);
    for order in &orders {
        let mut body = of_order(order);
        body["receiver"] = super::office::company();
        let _ = office.client.post("/invoices", &body).refused(409, "order_already_invoiced");
    }
}

/// SAT knows no limit of the tickets of a day.
/// A ticket is one sale, but what bears an amount per unit bears it for each of its units. The public withholds nothing.
fn tickets_bear_what_the_public_pays(kind: DatabaseKind) {
    let office = Office::open(kind);
    let taxes = json!([{"tax": "IEPS", "factor": "Cuota", "rate": 6.4555},
        {"tax": "IVA", "factor": "Tasa", "rate": 0.16}]);
    let on_top = json!({"taxIncluded": false, "taxes": taxes});
    let inside = json!({"taxes": taxes, "quantityDecimals": 3});
    let (liter, cheap) =
        (office.product("LITRO", 30.0, &on_top), office.product("GRANEL", 8.0, &inside));
    let ana = id(&office.make("/customers", &json!({"name": "Ana"})));
    let advice = json!({"taxes": [taxes[1],
        {"tax": "ISR", "factor": "Tasa", "rate": 0.1, "withheld": true}]});
    let advice = office.product("ASESORIA", 1_160.0, &advice);
    let bulk = json!({"customerId": ana, "items": [{"productId": cheap, "quantity": 0.333}]});
    let orders = [
        office.order(&ana, &[(&liter, 7)]),
        office.make("/orders", &bulk),
        office.order(&ana, &[(&advice, 1)]),
    ];
    let totals = orders.each_ref().map(|order| &order["totalAmount"]);
    assert_eq!(totals, [&json!(296.02), &json!(2.66), &json!(1160)]);
    let ids: Vec<&Value> = orders.iter().map(|order| &order["id"]).collect();
    let year = office.app.now().to_string()[..4].parse::<u16>().unwrap();
    let month = office.app.now().to_string()[5..7].to_owned();
    let draft = office.draft(&json!({"orderIds": ids, "paymentForm": "01",
        "global": {"periodicity": "04", "months": month, "year": year}}));
    assert_eq!((&draft["total"], &draft["items"][0]["quantity"]), (&json!(1458.68), &json!(7)));
    assert_eq!(office.findings(&id(&draft)), []);
    let stamped = office.stamp(&id(&draft)).expect(200);
    assert_eq!(stamped["total"], 1458.68);
    let xml = office.client.get(&format!("/invoices/{}/xml", id(&stamped))).text;
    for part in [
        "Cantidad=\"1\" ClaveUnidad=\"ACT\" Descripcion=\"Venta\" ValorUnitario=\"210.0",
        "Base=\"7.00\" Impuesto=\"003\" TipoFactor=\"Cuota\" TasaOCuota=\"6.455500\" Importe=\"45.1885\"",
        "Base=\"0.333\" Impuesto=\"003\" TipoFactor=\"Cuota\" TasaOCuota=\"6.455500\" Importe=\"2.149682\"",
    ] {
        assert!(xml.contains(part), "no {part} in {xml}");
    }
    assert!(!xml.contains("Retencion"), "{xml}");
}

fn a_day_of_many_tickets_is_one_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (mug, customer) = (office.product("TAZA", 10.0, &json!({})), office.customer());
    let orders = crate::races::at_once(8, |_| -> Vec<Value> {
        (0..70).map(|_| office.order(&customer, &[(&mug, 1)])["id"].clone()).collect()
    });
    let orders: Vec<Value> = orders.into_iter().flatten().collect();
    let issued = office.app.now();
    let local = cfdi::catalogs::zones::Zone::Central.local(issued);
    let month = json!({"periodicity": "01", "months": format!("{:02}", u8::from(local.month())),
        "year": local.year()});
    let body = json!({"global": month, "orderIds": orders, "paymentForm": "01"});
    let stamped = office.stamped(&body);
    assert_eq!(
        (&stamped["total"], stamped["items"].as_array().unwrap().len()),
        (&json!(5600), 560)
    );
}

fn a_global_invoice_is_refused_its_contradictions(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let in_dollars = office.product("MUG", 9.5, &json!({"currency": "USD"}));
    let ana = id(&office.make("/customers", &json!({"name": "Ana"})));
    let (pesos, dollars) =
        (office.order(&ana, &[(&mug, 1)]), office.order(&ana, &[(&in_dollars, 1)]));
    let other = office.order(&ana, &[(&mug, 1)]);
    let period = json!({"periodicity": "04", "months": "01", "year": 2026});
    for (body, field) in [
        (json!({"orderIds": [pesos["id"], other["id"]]}), "global"),
        (json!({"orderIds": [pesos["id"], dollars["id"]], "global": period}), "currency"),
        (json!({"orderIds": [pesos["id"]], "orderId": other["id"]}), "orderId"),
    ] {
        let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
        assert!(message.contains(field), "{field} in {message}");
    }
    // The same order twice is not two tickets.
    let twice = json!({"orderIds": [pesos["id"], pesos["id"]], "global": period});
    let reply = office.client.post("/invoices", &twice);
    assert!(reply.status == 400, "{} {}", reply.status, reply.text);
}

fn an_order_without_tax_data_needs_a_receiver(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let ana = id(&office.make("/customers", &json!({"name": "Ana"})));
    let order = office.order(&ana, &[(&mug, 1)]);
    let message = office.client.post("/invoices", &of_order(&order));
    let message = message.refused(400, "validation_failed");
    assert!(message.contains("receiver") || message.contains("customerId"), "{message}");
    let mut body = of_order(&order);
    body["receiver"] = super::office::company();
    assert_eq!(office.draft(&body)["customerId"], json!(ana));
}

fn an_order_can_be_exchanged_and_given_up(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let customer = office.customer();
    let (first, second) =
        (office.order(&customer, &[(&mug, 1)]), office.order(&customer, &[(&mug, 2)]));
    let draft = id(&office.draft(&of_order(&first)));
    let changed = office.change(&draft, &json!({"orderId": second["id"]})).expect(200);
    assert_eq!((&changed["orderIds"], &changed["total"]), (&json!([second["id"]]), &json!(39.98)));
    let holder = office.draft(&of_order(&first));
    // Sending back what was read changes nothing, and keeps what was changed by hand.
    let priced = office.change(&draft, &json!({"items": [item(10.0)]})).expect(200);
    assert_eq!(office.change(&draft, &priced).expect(200)["items"], priced["items"]);
    let given_up = office.change(&draft, &json!({"orderIds": []})).expect(200);
    assert_eq!((&given_up["orderIds"], &given_up["items"]), (&json!([]), &priced["items"]));
    let again = office.draft(&of_order(&second));
    // Deleting a draft frees its order.
    for draft in [holder, again] {
        let _ = office.client.delete(&format!("/invoices/{}", id(&draft))).expect(200);
    }
    let _ = office.draft(&of_order(&first));
    let _ = office.draft(&of_order(&second));
}

fn two_drafts_of_one_order_at_once_are_one(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&office.customer(), &[(&mug, 1)]);
    let replies = crate::races::at_once(16, |_| office.client.post("/invoices", &of_order(&order)));
    let made = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(made, 1);
    for reply in replies.iter().filter(|reply| reply.status != 201) {
        let _ = reply.refused(409, "order_already_invoiced");
    }
    assert_eq!(office.told().len(), 1);
}

fn shipping_has_the_taxes_that_were_set(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (mug, customer) = (office.product("TAZA", 50.0, &json!({})), office.customer());
    let set = |more: Value| {
        let mut issuer = json!({"rfc": "EKU9003173C9", "legalName": "ESCUELA KEMPER URGATE",
            "taxRegime": "601", "taxZip": "42501"});
        for (name, value) in more.as_object().unwrap() {
            issuer[name] = value.clone();
        }
        office.client.send("PUT", "/invoices/cfdi/issuer", &issuer).expect(200)["shippingTaxes"]
            .clone()
    };
    let rate = |taxes: Option<Value>| {
        let mut shipping = json!({"name": "Estafeta", "amount": 108});
        if let Some(taxes) = taxes {
            shipping["taxes"] = taxes;
        }
        let order = json!({"customerId": customer, "shipping": shipping,
            "items": [{"productId": mug, "quantity": 1}]});
        let order = office.make("/orders", &order);
        assert_eq!(order["totalAmount"], 158, "{order}");
        let draft = office.draft(&json!({"orderId": order["id"]}));
        let items = draft["items"].as_array().unwrap();
        assert_eq!(items[0]["taxes"][0]["rate"], 0.16, "{draft}");
        let rate = items[1]["taxes"][0]["rate"].clone();
        assert_eq!(rate, order["shipping"]["taxes"][0]["rate"], "{draft}");
        rate
    };
    let of = |rate: f64| json!([{"tax": "IVA", "factor": "Tasa", "rate": rate}]);
    assert_eq!(rate(None), 0.16);
    assert_eq!(set(json!({"shippingTaxes": of(0.08)}))[0]["rate"], 0.08);
    assert_eq!(rate(None), 0.08);
    assert_eq!(rate(Some(of(0.0))), 0);
    // They stay where nothing is said of them, and null takes them back.
    assert_eq!(set(json!({}))[0]["rate"], 0.08);
    assert_eq!(set(json!({"shippingTaxes": null})), json!(null));
    assert_eq!(rate(None), 0.16);
}
