//! What is done about stamped invoices.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, FakeSmtp, on_both};

use super::{Shop, led, shown};
use crate::{
    invoices::{
        emails::settings,
        office::{company, sale, sale_in_parts},
    },
    panel::{browser, queries::asks},
};

on_both!(
    an_invoice_is_replaced_and_cancelled,
    an_invoice_is_sent_credited_and_has_an_addenda,
    a_credit_note_is_of_the_branch_as_it_is_now,
    an_invoice_is_given_out_by_a_link,
    what_is_paid_later_is_receipted_or_waived,
    drafts_that_belong_to_an_invoice_are_on_its_page,
    the_history_of_an_order_calls_a_credit_note_one,
    the_history_of_an_order_names_its_documents,
    a_payment_leads_to_its_receipt,
);

fn an_invoice_is_replaced_and_cancelled(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let former = shop.stamped();
    let cancel = format!("{former}/cancel");
    let nothing: &[(&str, &str)] = &[];
    for (fields, fault) in [
        (nothing, "reason-fault"),
        (&[("reason", "01")][..], "replacementUuid-fault"),
        (&[("reason", "02"), ("replacementUuid", "x")][..], "replacementUuid-fault"),
    ] {
        let refused = shop.send(&cancel, fields);
        assert_eq!(refused.status, 422, "{}", refused.text);
        assert!(refused.text.contains(fault), "{fault}: {}", refused.text);
    }
    let copy = shop.place(&format!("{former}/copy"));
    let copied = shop.browser.send(&shop.place(&cancel), &copy, &[]);
    // The copy is corrected, then stamped, and leads back.
    let edit = led(&shop, &copied);
    let edit = edit.split('?').next().unwrap();
    let draft = edit.strip_suffix("/edit").unwrap();
    let right =
        [("items[0].description", "Tazas"), ("items[0].unitPrice", "58"), ("stamp", "true")];
    let detail = shown(&shop, &shop.correct(edit, &right));
    assert!(detail.contains("$58.00") && detail.contains("Tazas"), "{detail}");
    let uuid = browser::copied(&detail, "uuid");
    let link = format!("{cancel}?reason=01&#38;replacementUuid={uuid}");
    assert!(detail.contains(&link), "{link}: {detail}");
    // The page lists what has taken its place, and is filled in with it.
    let asking = shop.read(&cancel);
    assert!(asking.contains(&format!("href=\"{}\"", shop.place(draft))), "{asking}");
    assert!(asking.contains(&format!("value=\"{uuid}\"")), "{asking}");
    assert!(asking.contains("<option value=\"01\" selected>"), "{asking}");
    let given = [("reason", "01"), ("replacementUuid", uuid.as_str())];
    let detail = shown(&shop, &shop.send(&cancel, &given));
    assert!(detail.contains("pill bad") && detail.contains(&uuid), "{detail}");
    assert!(!detail.contains(&format!("{cancel}\"")), "{detail}");
    assert!(detail.contains(&format!("{former}/receipt\"")), "{detail}");
    assert!(shop.read(&format!("{former}/receipt")).contains("Acuse"));
    assert!(!shop.read(draft).contains(&link), "nothing is left to be cancelled");
    assert!(shop.read(&format!("invoices?uuid={}", uuid.to_lowercase())).contains(draft));
}

fn an_invoice_is_sent_credited_and_has_an_addenda(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let shop = Shop::of(App::with(kind).mail(settings(&smtp)).start()).ready();
    let path = shop.stamped();
    let detail = shop.read(&path);
    for page in ["email", "addenda"] {
        assert!(detail.contains(&format!("{path}/{page}\"")), "{page}: {detail}");
    }
    // By email.
    let email = format!("{path}/email");
    let wrong = shop.send(&email, &[("to", "ana@example.com nadie")]);
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    assert!(wrong.text.contains("id=\"to-fault\""), "{}", wrong.text);
    let _ = shown(&shop, &shop.send(&email, &[("to", "ana@example.com"), ("subject", "Va")]));
    assert_eq!(smtp.wait_for(1)[0].subject(), "Va");
    // What the buyer wants in the file.
    let addenda = format!("{path}/addenda");
    let wrong = shop.send(&addenda, &[("xml", "<a")]);
    assert!(wrong.text.contains("id=\"xml-fault\""), "{}", wrong.text);
    let xml = "<pedido xmlns=\"urn:tienda\">7</pedido>";
    let _ = shown(&shop, &shop.send(&addenda, &[("xml", xml)]));
    assert!(shop.read(&format!("{path}/xml")).contains(xml));
    assert!(shop.read(&addenda).contains("urn:tienda"));
    let _ = shown(&shop, &shop.send(&addenda, &[("xml", "")]));
    assert!(!shop.read(&format!("{path}/xml")).contains("urn:tienda"));
    // A credit note of all of it, corrected to half.
    let begin = shop.place(&format!("{path}/credit-note"));
    let begun = shop.browser.send(&shop.place(&path), &begin, &[]);
    let edit = led(&shop, &begun).split('?').next().unwrap().to_owned();
    let note = edit.strip_suffix("/edit").unwrap();
    let now = || shop.client.get(&format!("/{note}")).expect(200);
    assert_eq!((&now()["type"], &now()["total"]), (&json!("E"), &json!(116)));
    let half = [("items[0].unitPrice", "50"), ("stamp", "true")];
    let stamped = shown(&shop, &shop.correct(&edit, &half));
    assert!(stamped.contains("pill ok"), "{stamped}");
    assert!(stamped.contains("La nota de crédito quedó timbrada."), "{stamped}");
    assert_eq!(now()["total"], json!(58));
    // Each leads to the other.
    assert!(shop.read(&path).contains(&format!("{note}\"")));
    let folio = shop.client.get(&format!("/{path}")).expect(200)["uuid"].clone();
    let folio = folio.as_str().unwrap().to_uppercase();
    assert!(shop.read(note).contains(&format!("search?q={folio}\"")));
    // It has to be cancelled first.
    let asking = shop.read(&format!("{path}/cancel"));
    assert!(asking.contains(note) && asking.contains("notice warn"), "{asking}");
    let cancelled = shown(&shop, &shop.send(&format!("{note}/cancel"), &[("reason", "02")]));
    assert!(cancelled.contains("La nota de crédito quedó cancelada."), "{cancelled}");
}

fn a_credit_note_is_of_the_branch_as_it_is_now(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let branch = json!({"name": "Monterrey", "placeOfIssue": "64000", "series": {"credit": "NCM"}});
    let branch = made("/invoices/cfdi/branches", &branch)["id"].clone();
    let mut sold = sale(116.0);
    (sold["branchId"], sold["stamp"]) = (branch.clone(), json!(true));
    sold["receiver"] = json!({"rfc": "XAXX010101000", "legalName": "ANA NUÑEZ", "taxZip": "64000",
        "taxRegime": "616"});
    let sold = made("/invoices", &sold);
    let path = format!("invoices/{}", sold["id"].as_str().unwrap());
    let begun = || {
        let begin = shop.place(&format!("{path}/credit-note"));
        let begun = shop.browser.send(&shop.place(&path), &begin, &[]);
        let edit = led(&shop, &begun).split('?').next().unwrap().to_owned();
        let note = format!("/{}", edit.strip_suffix("/edit").unwrap());
        let draft = shop.client.get(&note).expect(200);
        let _ = shop.client.delete(&note).expect(200);
        // Who has no RFC of their own has the postal code of the place of issue.
        assert_eq!(draft["receiver"]["taxZip"], draft["placeOfIssue"], "{draft}");
        ["branchId", "placeOfIssue", "series"].map(|name| draft[name].clone())
    };
    assert_eq!(begun(), [branch.clone(), json!("64000"), json!("NCM")]);
    // It has come to another issuer since.
    let person = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ",
        "taxRegime": "612", "taxZip": "36257"});
    let other = made("/invoices/cfdi/issuers", &person)["id"].clone();
    let branch = format!("/invoices/cfdi/branches/{}", branch.as_str().unwrap());
    let _ = shop.client.patch(&branch, &json!({"issuerId": other})).expect(200);
    assert_eq!(begun(), [Value::Null, json!("42501"), json!("NC")]);
}

fn an_invoice_is_given_out_by_a_link(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let path = shop.stamped();
    let place = shop.place(&path);
    let act = |act: &str| {
        let done = shop.browser.send(&place, &format!("{place}/{act}"), &[]);
        led(&shop, &done)
    };
    assert!(!shop.read(&path).contains("id=\"invoice-link\""));
    let shown = shop.read(&act("link"));
    let link = browser::copied(&shown, "invoice-link");
    let page = link.strip_prefix(&shop.app.origin()).unwrap_or_else(|| panic!("{link}")).to_owned();
    let anybody = shop.app.anonymous();
    for below in ["", "/pdf", "/xml"] {
        assert_eq!(anybody.get(&format!("{page}{below}")).status, 200, "{below}");
    }
    let known = shop.client.get(&format!("/{path}/link")).expect(200);
    assert_eq!(known["url"], link.as_str());
    let shown = shop.read(&act("link/close"));
    assert!(!shown.contains("id=\"invoice-link\""), "{shown}");
    assert_eq!(anybody.get(&page).status, 404);
    // A draft has nothing to show yet.
    let draft = shop.client.post("/invoices", &sale(58.0)).expect(201);
    let draft = format!("invoices/{}", draft["id"].as_str().unwrap());
    assert!(!shop.read(&draft).contains(&format!("{draft}/link\"")));
}

fn what_is_paid_later_is_receipted_or_waived(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let stamped = || {
        let mut sale = sale_in_parts(116.0);
        sale["stamp"] = json!(true);
        shop.client.post("/invoices", &sale).expect(201)
    };
    let form_of_note = |path: &str| {
        let begin = shop.place(&format!("{path}/credit-note"));
        let edit = led(&shop, &shop.browser.send(&shop.place(path), &begin, &[]));
        let note = edit.split('?').next().unwrap().strip_suffix("/edit").unwrap().to_owned();
        shop.client.get(&format!("/{note}")).expect(200)["paymentForm"].clone()
    };
    let path = |invoice: &Value| format!("invoices/{}", invoice["id"].as_str().unwrap());
    assert_eq!(form_of_note(&path(&stamped())), "15", "nothing was paid");
    // A receipt of which nobody knows how it was paid is to be completed, and was not rejected by anybody.
    let invoice = stamped();
    let paid = json!({"invoiceId": invoice["id"], "method": "other"});
    let paid = shop.client.post("/payments", &paid).expect(201);
    let place = format!("/payments/{}", paid["id"].as_str().unwrap());
    let paid = shop.client.once(&place, |seen| seen["receiptId"].is_string());
    let receipt = format!("invoices/{}", paid["receiptId"].as_str().unwrap());
    let detail = shop.read(&receipt);
    assert!(detail.contains("pill warn") && !detail.contains("pill bad"), "{detail}");
    assert_eq!(detail.matches("CRP20212").count(), 1, "{detail}");
    assert!(shop.read("invoices?status=draft&type=P").contains("pill warn"));
    // The invoice is paid, though SAT does not know it yet.
    let told = ["$116.00 pagados, REP pendiente", "$0.00"];
    let (list, detail) = (shop.read("invoices?type=I"), shop.read(&path(&invoice)));
    assert!(list.contains(told[0]), "{list}");
    assert!(detail.contains("Pagado, REP pendiente") && detail.contains(told[1]), "{detail}");
    assert_eq!(form_of_note(&path(&invoice)), json!(null), "it was paid somehow");
}

fn drafts_that_belong_to_an_invoice_are_on_its_page(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    let mut sale = sale_in_parts(116.0);
    sale["stamp"] = json!(true);
    let invoice = made("/invoices", &sale);
    let path = format!("invoices/{}", id(&invoice));
    let cancel = shop.place(&format!("{path}/cancel"));
    let asked = asks(&shop.app, &shop.browser, &cancel, 0);
    let note = made(
        "/invoices",
        &json!({"type": "E", "paymentForm": "15",
            "related": [{"relation": "01", "uuids": [invoice["uuid"]]}],
            "items": [{"description": "Bonificación", "satProductKey": "84111506",
                "quantity": 1, "unitPrice": 58}]}),
    );
    let cash = json!({"invoiceId": invoice["id"], "method": "cash", "amount": 16});
    let place = format!("/payments/{}", id(&made("/payments", &cash)));
    let paid = shop.client.once(&place, |seen| seen["receiptId"].is_string());
    let detail = shop.read(&path);
    for draft in [note["id"].as_str(), paid["receiptId"].as_str()] {
        let draft = shop.place(&format!("invoices/{}", draft.unwrap()));
        assert!(detail.contains(&format!("<a href=\"{draft}\">Borrador ")), "{draft}: {detail}");
    }
    let label = "Por acreditar, nota de crédito en borrador";
    let told = format!("<dt>{label}</dt><dd class=\"figure\">$58.00</dd>");
    assert!(detail.contains(&told) && detail.contains("$100.00"), "{detail}");
    // What is a draft keeps nothing from being cancelled, and is not looked at.
    let asking = shop.browser.read(&cancel);
    assert!(!asking.contains(&id(&note)), "{asking}");
    assert_eq!(asks(&shop.app, &shop.browser, &cancel, 0), asked);
    let _ = shop.client.act(&format!("/invoices/{}/timbrar", id(&note))).expect(200);
    let detail = shop.read(&path);
    assert!(!detail.contains(label) && detail.contains("$42.00"), "{detail}");
}

/// An order of 116 by a company.
fn ordered(shop: &Shop) -> Value {
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let mug = json!({"name": "Taza", "sku": "T-1", "price": 116, "inventory": 9});
    let mug = made("/products", &mug);
    let mut buyer = company();
    buyer["name"] = json!("Universidad");
    let buyer = made("/customers", &buyer);
    let items = json!([{"productId": mug["id"], "quantity": 1}]);
    made("/orders", &json!({"customerId": buyer["id"], "items": items}))
}

fn the_history_of_an_order_calls_a_credit_note_one(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    let order = ordered(&shop);
    let paid = made("/payments", &json!({"orderId": order["id"], "method": "cash"}));
    let invoice = made("/invoices", &json!({"orderId": order["id"], "stamp": true}));
    let refunds = format!("/payments/{}/refunds", id(&paid));
    let _ = made(&refunds, &json!({"amount": 58, "reason": "Rota"}));
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = shop.client.once(&refunds, |page| page["data"][0]["creditNoteId"].is_string());
    let note = page["data"][0]["creditNoteId"].as_str().unwrap();
    for page in [format!("payments/{}", id(&paid)), "refunds".to_owned()] {
        let shown = shop.read(&page);
        assert!(shown.contains(&shop.place(&format!("invoices/{note}"))), "{shown}");
    }
    let history = || shop.read(&format!("orders/{}", id(&order)));
    let shown = history();
    for told in ["Borrador de factura", "Factura timbrada", "Borrador de nota de crédito"] {
        assert_eq!(shown.matches(told).count(), 1, "{told}: {shown}");
    }
    let draft = shop.read(&format!("invoices/{note}"));
    assert!(draft.contains("Borrador de nota de crédito"), "{draft}");
    let _ = shop.client.act(&format!("/invoices/{note}/timbrar")).expect(200);
    for page in ["", "/cancel"] {
        let shown = shop.read(&format!("invoices/{note}{page}"));
        assert!(shown.contains("Cancelar la nota de crédito"), "{shown}");
        assert!(!shown.contains("ancelar la factura"), "{shown}");
    }
    let _ = shop.send(&format!("invoices/{note}/cancel"), &[("reason", "02")]);
    let shown = history();
    assert_eq!(shown.matches("Nota de crédito: cancelación solicitada").count(), 1, "{shown}");
    assert!(!shown.contains("invoice.cancellation"), "{shown}");
    assert!(shop.read(&format!("invoices/{}", id(&invoice))).contains("Borrador de factura"));
}

fn the_history_of_an_order_names_its_documents(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    let read = |id: &str| shop.client.get(&format!("/invoices/{id}")).expect(200);
    let number = |id: &str| {
        let read = read(id);
        format!("{}-{}", read["series"].as_str().unwrap(), read["folio"].as_str().unwrap())
    };
    let order = ordered(&shop);
    let history = || shop.read(&format!("orders/{}", id(&order)));
    let draft = id(&made("/invoices", &json!({"orderId": order["id"]})));
    let told =
        |words: &str, number: &str| format!("{words}</a></b><span class=\"hint\">{number}</span>");
    assert!(!history().contains("Borrador de factura</a></b><span"), "it has no number yet");
    let _ = shop.client.act(&format!("/invoices/{draft}/timbrar")).expect(200);
    let first = number(&draft);
    let paid = made("/payments", &json!({"orderId": order["id"], "method": "cash"}));
    let path = format!("/payments/{}", id(&paid));
    let paid = shop.client.once(&path, |seen| seen["receiptId"].is_string());
    let receipt = paid["receiptId"].as_str().unwrap();
    if read(receipt)["status"] == "draft" {
        let _ = shop.client.act(&format!("/invoices/{receipt}/timbrar")).expect(200);
    }
    let _ = shop.client.once(&format!("/invoices/{receipt}"), |seen| seen["status"] == "stamped");
    let shown = history();
    assert!(shown.contains(&told("Factura timbrada", &first)), "{first}: {shown}");
    let of_receipt = told("Recibo de pago (REP) timbrado", &number(receipt));
    assert!(shown.contains(&of_receipt), "{of_receipt}: {shown}");
    // A replacement takes the order over where what it replaces is cancelled.
    let copied = id(&made(&format!("/invoices/{draft}/copy"), &json!({"replace": true})));
    let next = shop.client.act(&format!("/invoices/{copied}/timbrar")).expect(200);
    let next = id(&next);
    let _ = shop.send(&format!("invoices/{receipt}/cancel"), &[("reason", "02")]);
    let uuid = read(&next)["uuid"].as_str().unwrap().to_owned();
    let by = [("reason", "01"), ("replacementUuid", uuid.as_str())];
    let _ = shop.send(&format!("invoices/{draft}/cancel"), &by);
    let shown = history();
    let replacing = format!("{}, sustituye a {first}", number(&next));
    for line in [
        told("Factura cancelada", &first),
        told("Factura timbrada", &replacing),
        told("Borrador de factura", &number(&next)),
        of_receipt,
    ] {
        assert!(shown.contains(&line), "{line}: {shown}");
    }
}

fn a_payment_leads_to_its_receipt(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let made = |path: &str, body: &Value| shop.client.post(path, body).expect(201);
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    let order = ordered(&shop);
    let _ = made("/invoices", &json!({"orderId": order["id"], "stamp": true}));
    let paid = made("/payments", &json!({"orderId": order["id"], "method": "cash"}));
    let path = format!("/payments/{}", id(&paid));
    let paid = shop.client.once(&path, |seen| seen["receiptId"].is_string());
    let receipt = shop.place(&format!("invoices/{}", paid["receiptId"].as_str().unwrap()));
    let shown = shop.read(&format!("payments/{}", id(&paid)));
    assert!(shown.contains(&receipt), "{shown}");
}
