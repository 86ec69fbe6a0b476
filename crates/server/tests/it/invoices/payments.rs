//! Sales that are paid in parts, and the receipts of their payments.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::office::{Office, attribute, company, id, item, sale, sale_in_parts};
use crate::races::at_once;

on_both!(
    payments_reduce_what_is_owed,
    more_than_is_owed_is_refused,
    what_cannot_be_paid_is_refused,
    a_later_receipt_sees_what_the_first_has_paid,
    receipts_at_once_never_pay_too_much,
    a_cancelled_receipt_is_owed_again,
    the_next_number_follows_the_receipts_that_are_left,
    one_payment_pays_several_invoices,
    several_payments_pay_one_invoice,
    invoices_of_elsewhere_are_paid_too,
    receipts_have_the_taxes_of_the_invoice_itself,
    payments_come_in_other_currencies,
    a_receipt_that_was_not_stamped_gives_back_what_it_took,
    a_wrong_receipt_is_replaced,
    a_receipt_that_others_follow_is_replaced_in_its_place,
    a_receipt_of_what_was_credited_since_is_replaced,
    a_replacement_can_be_cancelled_before_what_it_replaced,
);

/// The body of a receipt of one payment of one invoice.
fn receipt(office: &Office, invoice: &Value, amount: f64) -> Value {
    let documents = json!([{"invoiceId": invoice["id"], "amount": amount}]);
    of(office, amount, &documents)
}

/// The body of a receipt of one payment of these documents.
fn of(office: &Office, amount: f64, documents: &Value) -> Value {
    json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(), "paymentForm": "03",
        "amount": amount, "documents": documents}]})
}

/// What is owed of an invoice, and how many payments it has had.
#[track_caller]
fn owed(office: &Office, invoice: &Value) -> (Value, Value) {
    let invoice = office.read(&id(invoice));
    (invoice["balance"].clone(), invoice["installments"].clone())
}

/// The part of a receipt about its first document.
fn document(receipt: &Value) -> &Value {
    &receipt["payments"][0]["documents"][0]
}

fn payments_reduce_what_is_owed(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.draft(&sale_in_parts(1_160.0));
    assert_eq!((&draft["paymentForm"], &draft["balance"]), (&json!("99"), &json!(null)));
    let sold = office.stamp(&id(&draft)).expect(200);
    assert_eq!((&sold["balance"], &sold["installments"]), (&json!(1160), &json!(0)));
    let mut before = 1_160.0;
    for (number, paid) in [(1, 500.0), (2, 0.01), (3, 659.99)] {
        let draft = office.draft(&receipt(&office, &sold, paid));
        assert_eq!((&draft["series"], &draft["total"]), (&json!("P"), &json!(0)));
        assert_eq!(draft["receiver"]["rfc"], sold["receiver"]["rfc"], "follows from what is paid");
        assert_eq!(draft["receiver"]["cfdiUse"], "CP01");
        assert_eq!(office.findings(&id(&draft)), []);
        let stamped = office.stamp(&id(&draft)).expect(200);
        let told = document(&stamped);
        assert_eq!((&told["uuid"], &told["folio"]), (&sold["uuid"], &sold["folio"]));
        assert_eq!(told["installment"], number);
        let close = |name: &str, amount: f64| {
            let shown = told[name].as_f64().unwrap();
            assert!((shown - amount).abs() < 1e-9, "{name} is {shown} instead of {amount}");
        };
        close("balanceBefore", before);
        before -= paid;
        close("balanceAfter", before);
        assert!(told["taxes"][0]["amount"].as_f64().unwrap() > 0.0);
        let (left, installments) = owed(&office, &sold);
        assert!((left.as_f64().unwrap() - before).abs() < 1e-9, "{left}");
        assert_eq!(installments, number);
        let xml = office.client.get(&format!("/invoices/{}/xml", id(&stamped))).text;
        assert!(xml.contains("pago20:Pagos"), "{xml}");
    }
    assert_eq!(owed(&office, &sold), (json!(0), json!(3)));
    let amounts: Vec<Value> =
        office.told().into_iter().map(|told| told["amount"].clone()).collect();
    assert_eq!(amounts, [json!(1160), json!(500), json!(0.01), json!(659.99)]);
}

fn more_than_is_owed_is_refused(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let field = "payments[0].documents[0].amount";
    for amount in [116.01, 1_000.0] {
        let refused = office.client.post("/invoices", &receipt(&office, &sold, amount));
        let message = refused.refused(400, "validation_failed");
        assert!(message.contains(field) && message.contains("116"), "{message}");
    }
    let draft = id(&office.draft(&receipt(&office, &sold, 100.0)));
    let refused = office.change(&draft, &receipt(&office, &sold, 117.0));
    assert!(refused.refused(400, "validation_failed").contains(field));
    // A payment of less than its documents is found before it is stamped.
    let less = json!([{"invoiceId": sold["id"], "amount": 100}]);
    let less = id(&office.draft(&of(&office, 50.0, &less)));
    let findings = office.findings(&less);
    assert!(findings.iter().any(|(code, _)| code.starts_with("CRP202")), "{findings:?}");
    assert_eq!(owed(&office, &sold), (json!(116), json!(0)), "drafts pay nothing");
}

fn what_cannot_be_paid_is_refused(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.draft(&sale_in_parts(116.0));
    let at_once = office.stamped(&sale(116.0));
    let gone = office.stamped(&sale_in_parts(116.0));
    let _ = office.cancel(&id(&gone), "02").expect(200);
    for (invoice, words) in [(&draft, "not stamped"), (&at_once, "PUE"), (&gone, "cancelled")] {
        let refused = office.client.post("/invoices", &receipt(&office, invoice, 16.0));
        let message = refused.refused(400, "validation_failed");
        assert!(message.contains("payments[0].documents[0].invoiceId"), "{message}");
        assert!(message.contains(words), "{message}");
    }
}

fn a_later_receipt_sees_what_the_first_has_paid(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let first = office.draft(&receipt(&office, &sold, 60.0));
    let second = office.draft(&receipt(&office, &sold, 56.0));
    assert_eq!(document(&second)["balanceBefore"], 116);
    let _ = office.stamp(&id(&first)).expect(200);
    let seen = office.read(&id(&second));
    assert_eq!(document(&seen)["balanceBefore"], 56, "a draft shows what is owed now");
    let stamped = office.stamp(&id(&second)).expect(200);
    let told = document(&stamped);
    assert_eq!(
        (&told["installment"], &told["balanceBefore"], &told["balanceAfter"]),
        (&json!(2), &json!(56), &json!(0))
    );
    assert_eq!(owed(&office, &sold), (json!(0), json!(2)));
}

fn receipts_at_once_never_pay_too_much(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let drafts: Vec<String> =
        (0..5).map(|_| id(&office.draft(&receipt(&office, &sold, 40.0)))).collect();
    let _ = at_once(drafts.len(), |number| office.stamp(&drafts[number]));
    // Who met the others may have to ask again.
    for draft in &drafts {
        let _ = office.stamp(draft);
    }
    let page = office.client.get("/invoices?type=P&status=stamped").expect(200);
    assert_eq!(page["total"], 2);
    assert_eq!(owed(&office, &sold), (json!(36), json!(2)));
    let mut installments: Vec<i64> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|receipt| document(receipt)["installment"].as_i64().unwrap())
        .collect();
    installments.sort_unstable();
    assert_eq!(installments, [1, 2]);
    assert_eq!(office.credits(), (970, 0));
}

fn a_cancelled_receipt_is_owed_again(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.simulate("normal", "pending");
    let sold = office.stamped(&sale_in_parts(116.0));
    let paid = office.stamped(&receipt(&office, &sold, 100.0));
    assert_eq!(owed(&office, &sold), (json!(16), json!(1)));
    // What is paid cannot be cancelled before its receipt.
    let refused = office.cancel(&id(&sold), "02").refused(409, "related_documents");
    assert!(refused.contains(paid["uuid"].as_str().unwrap()), "{refused}");
    // A receipt is cancelled with the receiver's consent only, whatever its total.
    let asked = office.cancel(&id(&paid), "02").expect(200);
    assert_eq!(
        (&asked["status"], &asked["cancellation"]["status"]),
        (&json!("stamped"), &json!("requested"))
    );
    assert_eq!(owed(&office, &sold), (json!(16), json!(1)), "until it is decided");
    office.simulate("normal", "accept");
    office.app.advance_seconds(7_200);
    let cancelled = office.until(&id(&paid), |invoice| invoice["status"] == "cancelled");
    assert_eq!(cancelled["cancellation"]["status"], "accepted");
    assert_eq!(owed(&office, &sold), (json!(116), json!(0)));
    let again = office.stamped(&receipt(&office, &sold, 116.0));
    assert_eq!(document(&again)["installment"], 1);
    assert_eq!(owed(&office, &sold), (json!(0), json!(1)));
}

fn the_next_number_follows_the_receipts_that_are_left(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let ten = || office.stamped(&receipt(&office, &sold, 10.0));
    let cancelled = |receipt: &Value| {
        assert_eq!(office.cancel(&id(receipt), "02").expect(200)["status"], "cancelled");
    };
    let [first, second] = [ten(), ten()];
    cancelled(&first);
    assert_eq!(owed(&office, &sold), (json!(106), json!(2)), "the second keeps its number");
    let third = ten();
    assert_eq!(document(&third)["installment"], 3);
    cancelled(&second);
    cancelled(&third);
    assert_eq!(owed(&office, &sold), (json!(116), json!(0)), "nothing is left");
    assert_eq!(document(&ten())["installment"], 1);
    // One that is not stamped after all leaves its number, too.
    let draft = id(&office.draft(&receipt(&office, &sold, 10.0)));
    office.simulate("unavailable", "accept");
    let _ = office.stamp(&draft).refused(502, "provider_error");
    assert_eq!(owed(&office, &sold), (json!(106), json!(1)));
}

fn one_payment_pays_several_invoices(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = [116.0, 232.0].map(|price| office.stamped(&sale_in_parts(price)));
    let documents = json!([{"invoiceId": sold[0]["id"], "amount": 116},
        {"invoiceId": sold[1]["id"], "amount": 84}]);
    let draft = office.draft(&of(&office, 200.0, &documents));
    assert_eq!(office.findings(&id(&draft)), []);
    let _ = office.stamp(&id(&draft)).expect(200);
    assert_eq!(owed(&office, &sold[0]), (json!(0), json!(1)));
    assert_eq!(owed(&office, &sold[1]), (json!(148), json!(1)));
}

fn several_payments_pay_one_invoice(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let mut body = receipt(&office, &sold, 50.0);
    let payments = body["payments"].as_array_mut().unwrap();
    let mut second = payments[0].clone();
    second["amount"] = json!(66);
    second["documents"][0]["amount"] = json!(66);
    payments.push(second);
    let draft = office.draft(&body);
    assert_eq!(office.findings(&id(&draft)), []);
    let stamped = office.stamp(&id(&draft)).expect(200);
    let second = &stamped["payments"][1]["documents"][0];
    assert_eq!((&second["installment"], &second["balanceBefore"]), (&json!(2), &json!(66)));
    assert_eq!(owed(&office, &sold), (json!(0), json!(2)));
}

fn invoices_of_elsewhere_are_paid_too(kind: DatabaseKind) {
    let office = Office::open(kind);
    let external = json!({"uuid": "6e1ce7a8-7e2f-4f5e-9b4e-1d2c3b4a5f60", "series": "OLD",
        "folio": "77", "total": 1160, "balance": 1160, "installments": 2,
        "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "base": 1000}]});
    let mut body = of(&office, 580.0, &json!([{"external": external, "amount": 580}]));
    let message = office.client.post("/invoices", &body).refused(400, "validation_failed");
    assert!(message.contains("receiver"), "nobody knows whom: {message}");
    body["receiver"] = company();
    let other = id(&office.draft(&body));
    let wrong = ("CFDI40161".to_owned(), "receiver.cfdiUse".to_owned());
    assert_eq!(office.findings(&other), [wrong], "what is told is not replaced");
    body["receiver"].as_object_mut().unwrap().remove("cfdiUse");
    let draft = office.draft(&body);
    assert_eq!(draft["receiver"]["cfdiUse"], "CP01");
    assert_eq!(office.findings(&id(&draft)), []);
    let stamped = office.stamp(&id(&draft)).expect(200);
    let told = document(&stamped);
    for (name, value) in [
        ("uuid", json!("6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60")),
        ("series", json!("OLD")),
        ("folio", json!("77")),
        ("installment", json!(3)),
        ("balanceBefore", json!(1160)),
        ("balanceAfter", json!(580)),
    ] {
        assert_eq!(told[name], value, "{name}");
    }
    assert_eq!((&told["taxes"][0]["base"], &told["taxes"][0]["amount"]), (&json!(500), &json!(80)));
    for (path, value, field) in [
        ("/0/paymentAmount", json!(57.9), "documents[0].paymentAmount"),
        ("/0/external/taxes/0/amount", json!(16), "documents[0].external.taxes[0].amount"),
    ] {
        let mut documents = json!([{"external": external, "amount": 580, "paymentAmount": 580}]);
        documents[0]["external"]["taxes"][0]["amount"] = json!(160.03);
        let mut body = of(&office, 580.0, &documents);
        body["receiver"] = company();
        let _ = office.draft(&body);
        *documents.pointer_mut(path).unwrap() = value;
        body["payments"][0]["documents"] = documents;
        let refused = office.client.post("/invoices", &body).refused(400, "validation_failed");
        assert!(refused.contains(field), "{refused}");
    }
    let too_much = json!([{"external": external, "amount": 1160.01}]);
    let mut too_much = of(&office, 1_160.01, &too_much);
    too_much["receiver"] = company();
    let refused = office.client.post("/invoices", &too_much).refused(400, "validation_failed");
    assert!(refused.contains("payments[0].documents[0].amount"), "{refused}");
}

fn receipts_have_the_taxes_of_the_invoice_itself(kind: DatabaseKind) {
    let office = Office::open(kind);
    let of_items = |items: Value| {
        let mut sale = sale_in_parts(0.0);
        sale["items"] = items;
        sale
    };
    let told = |sale: &Value, total: f64| {
        let sold = office.stamped(sale);
        assert_eq!(sold["total"], total);
        let paid = json!([{"invoiceId": sold["id"], "amount": total}]);
        let mut receipt = of(&office, total, &paid);
        if let Some(currency) = sale.get("currency") {
            receipt["payments"][0]["currency"] = currency.clone();
            receipt["payments"][0]["exchangeRate"] = sale["exchangeRate"].clone();
        }
        let stamped = office.stamped(&receipt);
        let xml = office.client.get(&format!("/invoices/{}/xml", id(&stamped))).text;
        let taxes = document(&stamped)["taxes"].as_array().unwrap();
        let amounts = |tax: &Value| (tax["base"].clone(), tax["amount"].clone());
        let taxes: Vec<_> = taxes.iter().map(amounts).collect();
        (attribute(&xml, "ObjetoImpDR").to_owned(), taxes)
    };
    let iva = json!({"tax": "IVA", "factor": "Tasa", "rate": 0.16});
    let mut one = item(1_000.781_4);
    one["taxIncluded"] = json!(false);
    // The summary has a base of 1,000.78, of which the tax would be a centavo less than the invoice's 160.13.
    let (_, taxes) = told(&of_items(json!([one])), 1_160.91);
    assert_eq!(taxes, [(json!(1_000.781_4), json!(160.125_024))]);
    // A third of a liter is none in a currency without decimals.
    let mut liter = item(500.0);
    (liter["quantity"], liter["taxIncluded"]) = (json!(0.333), json!(false));
    liter["taxes"] = json!([{"tax": "IEPS", "factor": "Cuota", "rate": 6.4555}, iva]);
    let mut in_yen = of_items(json!([liter]));
    (in_yen["currency"], in_yen["exchangeRate"]) = (json!("JPY"), json!(0.12));
    let (object, taxes) = told(&in_yen, 196.0);
    assert_eq!((object.as_str(), &taxes[0].0), ("02", &json!(168.649_682)));
    assert_eq!(taxes[1], (json!(0.333), json!(2.149_682)));
    // Subject to tax, but none is itemized.
    let mut unstated = item(200.0);
    (unstated["taxObject"], unstated["taxes"]) = (json!("03"), json!([]));
    let (object, taxes) = told(&of_items(json!([unstated])), 200.0);
    assert_eq!((object.as_str(), taxes), ("03", Vec::new()));
}

fn payments_come_in_other_currencies(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut in_dollars = sale_in_parts(116.0);
    in_dollars["currency"] = json!("USD");
    in_dollars["exchangeRate"] = json!(18.5);
    let sold = office.stamped(&in_dollars);
    assert_eq!(sold["balance"], 116);
    // Pesos for dollars: 58 dollars were worth 1,073 pesos that day.
    let documents = json!([{"invoiceId": sold["id"], "amount": 58}]);
    let draft = office.draft(&of(&office, 1_073.0, &documents));
    assert_eq!(office.findings(&id(&draft)), []);
    let stamped = office.stamp(&id(&draft)).expect(200);
    assert_eq!(document(&stamped)["currency"], "USD");
    assert_eq!(owed(&office, &sold), (json!(58), json!(1)));
    // Dollars for dollars need the day's rate.
    let mut dollars = of(&office, 58.0, &documents);
    dollars["payments"][0]["currency"] = json!("USD");
    let draft = id(&office.draft(&dollars));
    let findings = office.findings(&draft);
    assert!(findings.iter().any(|(_, field)| field == "payments[0].exchangeRate"), "{findings:?}");
    dollars["payments"][0]["exchangeRate"] = json!(18.7);
    let _ = office.change(&draft, &dollars).expect(200);
    assert_eq!(office.findings(&draft), []);
    let _ = office.stamp(&draft).expect(200);
    assert_eq!(owed(&office, &sold), (json!(0), json!(2)));
    // Several documents in another currency: nobody can guess the parts.
    let two = [50.0, 60.0].map(|price| {
        in_dollars["items"][0]["unitPrice"] = json!(price);
        office.stamped(&in_dollars)
    });
    let parts = json!([{"invoiceId": two[0]["id"], "amount": 50}, {"invoiceId": two[1]["id"], "amount": 60}]);
    let refused = office.client.post("/invoices", &of(&office, 2_035.0, &parts));
    let message = refused.refused(400, "validation_failed");
    assert!(message.contains("payments[0].documents[0].paymentAmount"), "{message}");
    let parts = json!([{"invoiceId": two[0]["id"], "amount": 50, "paymentAmount": 925},
        {"invoiceId": two[1]["id"], "amount": 60, "paymentAmount": 1110}]);
    let draft = id(&office.draft(&of(&office, 2_035.0, &parts)));
    assert_eq!(office.findings(&draft), []);
    assert_eq!(office.stamp(&draft).expect(200)["status"], "stamped");
    // By the equivalence of 53 dollars, 1,000 pesos are no more than these.
    let in_pesos = office.stamped(&sale_in_parts(1_000.0));
    let documents = json!([{"invoiceId": in_pesos["id"], "amount": 1_000}]);
    let mut dollars = of(&office, 53.0, &documents);
    (dollars["payments"][0]["currency"], dollars["payments"][0]["exchangeRate"]) =
        (json!("USD"), json!(18.9));
    let receipt = office.stamped(&dollars);
    let xml = office.client.get(&format!("/invoices/{}/xml", id(&receipt))).text;
    assert_eq!(attribute(&xml, "EquivalenciaDR"), "18.8679245284");
}

fn a_receipt_that_was_not_stamped_gives_back_what_it_took(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.app.hold_clock();
    let sold = office.stamped(&sale_in_parts(116.0));
    let draft = id(&office.draft(&receipt(&office, &sold, 100.0)));
    office.simulate("unavailable", "accept");
    let _ = office.stamp(&draft).refused(502, "provider_error");
    assert_eq!(owed(&office, &sold), (json!(116), json!(0)));
    office.simulate("timeout", "accept");
    let _ = office.stamp(&draft).refused(504, "provider_timeout");
    assert_eq!(owed(&office, &sold), (json!(16), json!(1)), "it may be stamped");
    office.simulate("normal", "accept");
    let _ = office.stamp(&draft).expect(200);
    assert_eq!(owed(&office, &sold), (json!(16), json!(1)));
}

fn a_wrong_receipt_is_replaced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let wrong = office.stamped(&receipt(&office, &sold, 116.0));
    let path = format!("/invoices/{}/copy", id(&wrong));
    let right = office.client.post(&path, &json!({"replace": true})).expect(201);
    assert_eq!(document(&right)["balanceBefore"], 116, "as if the other were not there");
    let _ = office.change(&id(&right), &json!({"notes": "corregido"})).expect(200);
    assert_eq!(office.findings(&id(&right)), []);
    let right = office.stamp(&id(&right)).expect(200);
    assert_eq!(document(&right)["installment"], 1);
    assert_eq!(owed(&office, &sold), (json!(0), json!(1)), "one of the two counts");
    let cancel = json!({"reason": "01", "replacementUuid": right["uuid"]});
    let cancelled = office.client.post(&format!("/invoices/{}/cancel", id(&wrong)), &cancel);
    assert_eq!(cancelled.expect(200)["status"], "cancelled");
    assert_eq!(owed(&office, &sold), (json!(0), json!(1)));
    let _ = office.cancel(&id(&right), "02").expect(200);
    assert_eq!(owed(&office, &sold), (json!(116), json!(0)));
}

fn a_receipt_that_others_follow_is_replaced_in_its_place(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let [wrong, _] = [30.0, 20.0].map(|paid| office.stamped(&receipt(&office, &sold, paid)));
    let path = format!("/invoices/{}/copy", id(&wrong));
    let right = office.client.post(&path, &json!({"replace": true})).expect(201);
    let more = json!({"payments": receipt(&office, &sold, 96.01)["payments"]});
    let message = office.change(&id(&right), &more).refused(400, "validation_failed");
    assert!(message.contains("payments[0].documents[0].amount"), "owed with the later: {message}");
    let right = office.stamp(&id(&right)).expect(200);
    let told = document(&right);
    assert_eq!((&told["installment"], &told["balanceBefore"]), (&json!(1), &json!(116)));
    assert_eq!(owed(&office, &sold), (json!(66), json!(2)));
    let next = office.stamped(&receipt(&office, &sold, 66.0));
    assert_eq!(document(&next)["installment"], 3);
    assert_eq!(owed(&office, &sold), (json!(0), json!(3)));
}

fn a_receipt_of_what_was_credited_since_is_replaced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let wrong = office.stamped(&receipt(&office, &sold, 116.0));
    let _ = office.stamped(&json!({"type": "E", "paymentForm": "03", "items": [item(11.6)],
        "related": [{"relation": "01", "uuids": [sold["uuid"]]}]}));
    let path = format!("/invoices/{}/copy", id(&wrong));
    let right = office.client.post(&path, &json!({"replace": true})).expect(201);
    let right = office.stamp(&id(&right)).expect(200);
    let told = document(&right);
    assert_eq!((&told["installment"], &told["balanceBefore"]), (&json!(1), &json!(116)));
    let cancel = json!({"reason": "01", "replacementUuid": right["uuid"]});
    let cancelled = office.client.post(&format!("/invoices/{}/cancel", id(&wrong)), &cancel);
    assert_eq!(cancelled.expect(200)["status"], "cancelled");
    assert_eq!(owed(&office, &sold), (json!(0), json!(1)));
}

fn a_replacement_can_be_cancelled_before_what_it_replaced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped(&sale_in_parts(116.0));
    let first = office.stamped(&receipt(&office, &sold, 60.0));
    let path = format!("/invoices/{}/copy", id(&first));
    let second = id(&office.client.post(&path, &json!({"replace": true})).expect(201));
    let less = receipt(&office, &sold, 10.0)["payments"].clone();
    let _ = office.change(&second, &json!({"payments": less})).expect(200);
    let _ = office.stamp(&second).expect(200);
    assert_eq!(owed(&office, &sold), (json!(106), json!(1)));
    let _ = office.stamped(&receipt(&office, &sold, 106.0));
    assert_eq!(owed(&office, &sold), (json!(0), json!(2)));
    // The first counts again, and the two together are more than the total.
    assert_eq!(office.cancel(&second, "02").expect(200)["status"], "cancelled");
    assert_eq!(owed(&office, &sold), (json!(0), json!(2)));
}
