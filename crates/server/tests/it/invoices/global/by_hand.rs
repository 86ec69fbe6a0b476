//! Periods that somebody has invoiced, and what they would have.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{SETTINGS, Shop, daily, id, with};

on_both!(
    a_preview_says_what_would_be_invoiced_and_what_not,
    a_closed_period_is_invoiced_by_hand,
    what_was_given_back_in_full_before_is_left_out,
    what_was_paid_without_withheld_taxes_is_left_out,
    what_was_withheld_is_asked_for_at_once_however_many_sales_there_are,
    what_cannot_be_invoiced_is_named,
    settings_are_kept_as_they_are_set,
    a_branch_invoices_the_sales_of_the_public,
);

/// The names of orders in a list of a preview, by the reason if there is one.
fn listed(preview: &Value, list: &str) -> Vec<(String, String)> {
    let text = |sale: &Value, name: &str| sale[name].as_str().unwrap_or_default().to_owned();
    let sales = preview[list].as_array().unwrap().iter();
    sales.map(|sale| (text(sale, "orderId"), text(sale, "reason"))).collect()
}

/// An order of a mug that was paid, of which so much was given back though it did not come back; with the refund.
#[track_caller]
fn refunded_by(shop: &Shop, amount: i64) -> (String, String) {
    let client = &shop.office.client;
    let order = id(&shop.ordered());
    let cash = client.post("/payments", &json!({"method": "cash", "orderId": order})).expect(201);
    let path = format!("/payments/{}/refunds", id(&cash));
    let refund = client.post(&path, &json!({"amount": amount})).expect(201);
    assert_eq!(refund["status"], "succeeded", "{refund}");
    // No two at one moment.
    shop.office.app.advance_seconds(1);
    (order, id(&refund))
}

fn a_preview_says_what_would_be_invoiced_and_what_not(kind: DatabaseKind) {
    // Orders are found by when their identifiers were minted, which no test moves.
    let shop = Shop::today(kind);
    let today = shop.office.app.now().to_string()[..10].to_owned();
    let [first, own, second] = [shop.sold(), shop.sold(), shop.sold()];
    let invoice = shop.office.draft(&json!({"orderId": own, "paymentForm": "03"}));
    let returned = shop.sold();
    let body = json!({"items": [{"line": 1, "quantity": 1}], "reason": "Rota"});
    let _ = shop.office.client.post(&format!("/orders/{returned}/returns"), &body).expect(201);
    let (refunded, _) = refunded_by(&shop, 116);
    let unpaid = id(&shop.ordered());
    shop.office.app.advance_seconds(40 * 86_400);
    let _ = shop.sold();
    let path = format!("/invoices/global/preview?periodicity=04&date={today}&ticketsPerInvoice=1");
    let preview = shop.office.client.get(&path).expect(200);
    assert_eq!(preview["period"]["from"], format!("{}-01", &today[..7]));
    assert_eq!(
        (&preview["invoices"], &preview["ticketCount"], &preview["total"]),
        (&json!(2), &json!(2), &json!(232))
    );
    let none = String::new();
    assert_eq!(listed(&preview, "tickets"), [(first, none.clone()), (second, none)]);
    let out =
        [(own, "invoiced"), (returned, "returned"), (refunded, "refunded"), (unpaid, "unpaid")];
    assert_eq!(listed(&preview, "leftOut"), out.map(|(order, why)| (order, why.to_owned())));
    assert_eq!(preview["leftOut"][0]["invoiceId"], invoice["id"]);
    let counts = json!([{"reason": "invoiced", "count": 1}, {"reason": "returned", "count": 1},
        {"reason": "refunded", "count": 1}, {"reason": "unpaid", "count": 1}]);
    assert_eq!(preview["leftOutCounts"], counts);
    // Nothing was made.
    assert_eq!(shop.office.client.get("/invoices").expect(200)["total"], 1);
    let last = shop.office.client.get("/invoices/global/preview").expect(200);
    assert_eq!((&last["period"]["periodicity"], &last["ticketCount"]), (&json!("01"), &json!(0)));
}

fn a_closed_period_is_invoiced_by_hand(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let sold = shop.sold();
    shop.wait_for("2026-12-15");
    let later = shop.sold();
    let body = json!({"date": "2026-12-14", "paymentForm": "04", "stamp": true});
    let client = &shop.office.client;
    let job = client.post_once("/invoices/global", "ayer", &body).expect(202);
    assert_eq!(client.post_once("/invoices/global", "ayer", &body).expect(202)["id"], job["id"]);
    let ended = client.ended(&id(&job));
    let [invoice] = ended["result"]["invoices"].as_array().unwrap().as_slice() else {
        panic!("{ended}")
    };
    assert_eq!((&invoice["status"], &shop.orders(invoice)), (&json!("stamped"), &json!([sold])));
    assert_eq!(shop.office.read(&id(invoice))["paymentForm"], "04");
    // What was invoiced is not invoiced again, and what was freed is.
    let again = client.ended(&id(&client.post("/invoices/global", &body).expect(202)));
    assert_eq!(again["result"]["invoices"], json!([]));
    let _ = shop.office.cancel(&id(invoice), "02").expect(200);
    let _ = shop.office.until(&id(invoice), |seen| seen["status"] == "cancelled");
    let again = client.ended(&id(&client.post("/invoices/global", &body).expect(202)));
    assert_eq!(shop.orders(&again["result"]["invoices"][0]), json!([sold]));
    let held = client.get(&format!("/invoices?orderId={later}")).expect(200);
    assert_eq!(held["total"], 0, "no next one follows by itself");
    assert!(shop.jobs("2026-12-15/2026-12-15").is_empty());
}

fn what_was_given_back_in_full_before_is_left_out(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let client = &shop.office.client;
    let sold = shop.sold();
    let (_, whole) = refunded_by(&shop, 116);
    let (partly, part) = refunded_by(&shop, 50);
    shop.wait_for("2026-12-15");
    let body = json!({"date": "2026-12-14", "paymentForm": "01", "stamp": true});
    let ended = client.ended(&id(&client.post("/invoices/global", &body).expect(202)));
    let [invoice] = ended["result"]["invoices"].as_array().unwrap().as_slice() else {
        panic!("{ended}")
    };
    assert_eq!((&invoice["total"], &shop.orders(invoice)), (&json!(232), &json!([sold, partly])));
    // What was given back of a part of a sale is credited, as if it came later.
    let seen = client.once(&format!("/refunds/{part}"), |seen| !seen["creditNoteId"].is_null());
    let note = shop.office.read(seen["creditNoteId"].as_str().unwrap());
    assert_eq!((&note["type"], &note["total"]), (&json!("E"), &json!(50)));
    let whole = client.get(&format!("/refunds/{whole}")).expect(200);
    assert_eq!(
        (&whole["creditNoteId"], &whole["creditNoteProblem"]),
        (&json!(null), &json!(null)),
        "it is in no invoice"
    );
}

fn what_was_paid_without_withheld_taxes_is_left_out(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let client = &shop.office.client;
    let sold = shop.sold();
    let taxes = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]});
    let lamp = shop.office.product("LAMPARA", 1_160.0, &taxes);
    let order = id(&shop.office.order(&shop.customer, &[(&lamp, 1)]));
    let paid = client.post("/payments", &json!({"method": "cash", "orderId": order})).expect(201);
    assert_eq!(paid["amount"], 1147.5);
    shop.wait_for("2026-12-15");
    let preview = client.get("/invoices/global/preview?date=2026-12-14").expect(200);
    assert_eq!(listed(&preview, "tickets"), [(sold.clone(), String::new())]);
    assert_eq!(listed(&preview, "leftOut"), [(order.clone(), "withheld".to_owned())]);
    let body = json!({"date": "2026-12-14", "paymentForm": "01", "stamp": true});
    let ended = client.ended(&id(&client.post("/invoices/global", &body).expect(202)));
    assert_eq!(shop.orders(&ended["result"]["invoices"][0]), json!([sold]));
    // Nor is it in one of which its sales are named.
    let named = json!({"orderIds": [order], "paymentForm": "01",
        "global": {"periodicity": "01", "months": "12", "year": 2026}});
    let said = client.post("/invoices", &named).refused(400, "validation_failed");
    assert!(said.contains("orderId names an order whose customer withheld 12.5"), "{said}");
}

fn what_was_withheld_is_asked_for_at_once_however_many_sales_there_are(kind: DatabaseKind) {
    /// What goes on beside asks, too. It does not always.
    const TRIES: usize = 20;
    let shop = Shop::open(kind, "2026-12-14");
    let client = &shop.office.client;
    let taxes = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]});
    let lamp = shop.office.product("LAMPARA", 1_160.0, &taxes);
    let asked = |day: &str, next: &str, sales: usize| {
        for _ in 0..sales {
            shop.pay(&id(&shop.office.order(&shop.customer, &[(&lamp, 1)])));
        }
        shop.wait_for(next);
        let tries = (0..TRIES).map(|_| {
            let before = shop.office.app.statements();
            let path = format!("/invoices/global/preview?date={day}");
            let preview = client.get(&path).expect(200);
            let left_out = listed(&preview, "leftOut");
            assert_eq!(left_out.len(), sales, "{preview}");
            assert!(left_out.iter().all(|(_, reason)| reason == "withheld"), "{preview}");
            shop.office.app.statements() - before
        });
        tries.min()
    };
    assert_eq!(asked("2026-12-14", "2026-12-15", 1), asked("2026-12-15", "2026-12-16", 5));
}

fn what_cannot_be_invoiced_is_named(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let client = &shop.office.client;
    for (body, expected) in [
        (json!({}), "paymentForm must be given"),
        (
            json!({"date": "2026-12-14", "paymentForm": "01"}),
            "date is in the period 2026-12-14/2026-12-14",
        ),
        (
            json!({"periodicity": "05", "paymentForm": "01"}),
            "periodicity may be 05 only for an issuer in tax regime 621",
        ),
        (json!({"paymentForm": "99"}), "paymentForm must be a form of payment other than 99"),
        (
            json!({"branchId": "brn_00000000000000000000000009", "paymentForm": "01"}),
            "branchId names no branch",
        ),
        (
            json!({"issuerId": "iss_00000000000000000000000009", "paymentForm": "01"}),
            "issuerId names no issuer",
        ),
        (json!({"day": "2026-12-13"}), "\"day\" is not a field"),
    ] {
        let message = client.post("/invoices/global", &body).refused(400, "validation_failed");
        assert!(message.contains(expected), "{message}");
    }
    let orders = shop.office.app.client_of(shop.office.account, "orders");
    let _ = orders.get(SETTINGS).refused(403, "insufficient_scope");
    let nobody = shop.office.app.client();
    let _ = nobody
        .post("/invoices/global", &json!({"paymentForm": "01"}))
        .refused(409, "issuer_missing");
    let _ = nobody.send("PUT", SETTINGS, &daily()).refused(409, "issuer_missing");
    assert!(shop.jobs("2026-12-13/2026-12-13").is_empty());
}

fn settings_are_kept_as_they_are_set(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let client = &shop.office.client;
    let usual = client.get(SETTINGS).expect(200);
    assert_eq!(
        usual,
        json!({"automatic": false, "periodicity": "01", "paymentForm": null, "stamp": false,
        "ticketsPerInvoice": 1000, "delayHours": 0, "issuerId": null, "branchId": null, "coveredUntil": null,
        "updatedAt": null})
    );
    // What was read can be sent back, and to be off takes no more than that.
    assert_eq!(shop.set(&usual)["paymentForm"], json!(null));
    assert_eq!(shop.set(&json!({"automatic": false}))["automatic"], false);
    let _ = client
        .send("PUT", SETTINGS, &json!({"automatic": true, "periodicity": "01"}))
        .refused(400, "validation_failed");
    let person = json!({"rfc": "CACX7605101P8", "legalName": "XOCHILT CASAS CHAVEZ", "taxRegime": "621",
        "taxZip": "36257", "series": {"income": "X"}});
    let person = id(&shop.office.make("/invoices/cfdi/issuers", &person));
    let wanted = with(
        daily(),
        &json!({"periodicity": "05", "issuerId": person, "delayHours": 24,
        "ticketsPerInvoice": 5000}),
    );
    let set = shop.set(&wanted);
    assert_eq!(client.get(SETTINGS).expect(200), set);
    for (name, value) in wanted.as_object().unwrap() {
        assert_eq!(set[name], *value, "{name}");
    }
    // What was read can be sent back; what has changed meanwhile is not overwritten.
    assert_eq!(shop.set(&set)["ticketsPerInvoice"], 5000);
    let stale = client.request("PUT", SETTINGS).header("If-Match", "\"1\"");
    let stale = stale.header("Content-Type", "application/json").body(daily().to_string()).send();
    assert_eq!(stale.unwrap().status(), 412);
    let wrong = with(set, &json!({"coveredUntil": "2026-12-13T06:00:00.000Z"}));
    let message = client.send("PUT", SETTINGS, &wrong).refused(400, "validation_failed");
    assert!(message.contains("coveredUntil"), "{message}");
    // An issuer that is to issue stays.
    let path = format!("/invoices/cfdi/issuers/{person}");
    let _ = client.delete(&path).refused(409, "conflict");
    let _ = shop.set(&daily());
    let _ = client.delete(&path).expect(200);
}

fn a_branch_invoices_the_sales_of_the_public(kind: DatabaseKind) {
    let shop = Shop::open(kind, "2026-12-14");
    let branch = json!({"name": "Cancún", "placeOfIssue": "77500", "series": {"income": "CUN"}});
    let branch = id(&shop.office.make("/invoices/cfdi/branches", &branch));
    let set = shop.set(&with(daily(), &json!({"branchId": branch})));
    // An hour ahead of the issuer's own place.
    assert_eq!(set["coveredUntil"], "2026-12-14T05:00:00.000Z");
    let sold = shop.sold();
    shop.wait_for("2026-12-15");
    let invoice = shop.result("2026-12-14/2026-12-14")["invoices"][0].clone();
    let seen = shop.office.read(&id(&invoice));
    assert_eq!((&seen["series"], &seen["branchId"]), (&json!("CUN"), &json!(branch)));
    assert_eq!((&seen["placeOfIssue"], &seen["orderIds"]), (&json!("77500"), &json!([sold])));
    assert_eq!(seen["receiver"]["taxZip"], "77500");
}
