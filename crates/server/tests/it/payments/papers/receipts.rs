//! How an invoice says that it is paid, and the receipts of what is paid later.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::desk::Desk;
use crate::{
    invoices::office::{attribute, id, sale, sale_in_parts},
    languages::told_apart,
    races::at_once,
};

on_both!(
    what_is_paid_is_invoiced_in_one_go,
    what_is_not_paid_is_invoiced_to_be_paid_later,
    transfers_of_an_order_are_receipted_one_by_one,
    an_invoice_without_an_order_is_paid,
    a_receipt_is_of_the_branch_of_its_invoice,
    what_lacks_a_receipt_is_listed,
    what_cannot_be_paid_is_refused_by_name,
    what_cannot_be_receipted_is_shown_and_the_money_stays,
    news_that_come_twice_make_one_receipt,
    a_deleted_receipt_is_forgotten,
    a_payment_before_the_stamp_is_receipted_with_it,
    a_late_receipt_is_warned_of,
    a_receipt_in_dollars_states_the_rate_of_its_day,
    a_receipt_that_lacks_something_says_what,
    what_was_interrupted_is_stamped_once,
);

fn what_is_paid_is_invoiced_in_one_go(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let _ = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 60}));
    let _ = desk.pay(&json!({"orderId": order["id"], "method": "transfer"}));
    let draft = desk.draft_of(&order);
    assert_eq!((&draft["paymentMethod"], &draft["paymentForm"]), (&json!("PUE"), &json!("03")));
    assert_eq!(desk.office.findings(&id(&draft)), []);
    let other = desk.order(1);
    let _ = desk.pay(&json!({"orderId": other["id"], "method": "card"}));
    let draft = desk.office.draft(&json!({"orderId": other["id"], "paymentForm": "28"}));
    assert_eq!((&draft["paymentMethod"], &draft["paymentForm"]), (&json!("PUE"), &json!("28")));
}

fn what_is_not_paid_is_invoiced_to_be_paid_later(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let _ = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 60}));
    let draft = desk.draft_of(&order);
    assert_eq!((&draft["paymentMethod"], &draft["paymentForm"]), (&json!("PPD"), &json!("99")));
    assert_eq!(desk.office.findings(&id(&draft)), []);
    let other = desk.order(1);
    let draft = desk.office.draft(&json!({"orderId": other["id"], "paymentForm": "01"}));
    assert_eq!((&draft["paymentMethod"], &draft["paymentForm"]), (&json!("PUE"), &json!("01")));
}

fn transfers_of_an_order_are_receipted_one_by_one(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let order = desk.order(4);
    let invoice = desk.invoice_of(&order);
    assert_eq!((&invoice["paymentMethod"], &invoice["balance"]), (&json!("PPD"), &json!(200)));
    for (number, amount, before, balance) in [(1, 80, 200, 120), (2, 120, 120, 0)] {
        let paid = desk.transfer(&json!({"orderId": order["id"], "amount": amount}));
        assert_eq!(paid["invoiceId"], invoice["id"], "{paid}");
        let receipt = desk.stamped(&desk.receipt(&paid));
        let payment = &receipt["payments"][0];
        assert_eq!((&payment["paymentForm"], &payment["amount"]), (&json!("03"), &json!(amount)));
        assert_eq!(payment["paidAt"], paid["paidAt"]);
        let document = &payment["documents"][0];
        assert_eq!(
            (&document["installment"], &document["balanceBefore"], &document["amount"]),
            (&json!(number), &json!(before), &json!(amount))
        );
        assert_eq!(document["uuid"], invoice["uuid"]);
        let now = desk.office.read(&id(&invoice));
        assert_eq!((&now["balance"], &now["installments"]), (&json!(balance), &json!(number)));
    }
    let page = format!("/payments?invoiceId={}", id(&invoice));
    assert_eq!(desk.office.client.get(&page).expect(200)["total"], 2);
    let refused = desk
        .office
        .client
        .post("/payments", &json!({"invoiceId": invoice["id"], "method": "cash"}));
    let said = refused.refused(409, "amount_exceeds_due");
    assert!(said.starts_with("nothing is left to pay"), "{said}");
    desk.settle();
    assert_eq!(desk.count("P"), 2);
}

fn an_invoice_without_an_order_is_paid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let invoice = desk.office.stamped(&sale_in_parts(1_160.0));
    let part = desk.pay(&json!({"invoiceId": invoice["id"], "method": "check", "amount": 160}));
    assert_eq!((&part["orderId"], &part["invoiceId"]), (&json!(null), &invoice["id"]));
    let receipt = desk.receipt(&part);
    assert_eq!((&receipt["status"], &receipt["type"]), (&json!("draft"), &json!("P")));
    assert_eq!(receipt["payments"][0]["paymentForm"], "02");
    assert_eq!(desk.office.findings(&id(&receipt)), []);
    // What has no stamped receipt yet is not owed twice.
    let more = json!({"invoiceId": invoice["id"], "method": "cash", "amount": 1_000.01});
    let said = desk.office.client.post("/payments", &more).refused(409, "amount_exceeds_due");
    assert!(said.contains("at most 1000,"), "{said}");
    let _ = desk.office.stamp(&id(&receipt)).expect(200);
    let rest = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash"}));
    assert_eq!(rest["amount"], 1_000);
    let receipt = desk.office.stamp(&id(&desk.receipt(&rest))).expect(200);
    assert_eq!(receipt["payments"][0]["documents"][0]["installment"], 2);
    assert_eq!(desk.office.read(&id(&invoice))["balance"], 0);
}

fn what_lacks_a_receipt_is_listed(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let due = || {
        let listed = desk.office.client.get("/invoices?receiptDue=true").expect(200);
        let rows = listed["data"].as_array().unwrap().iter();
        rows.map(id).collect::<Vec<_>>()
    };
    let invoice = desk.office.stamped(&sale_in_parts(1_000.0));
    let at_once = desk.office.stamped_sale(100.0);
    let _ = desk.pay(&json!({"invoiceId": at_once["id"], "method": "cash"}));
    desk.settle();
    assert!(due().is_empty());
    let part = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash", "amount": 160}));
    let receipt = desk.receipt(&part);
    assert_eq!(due(), [id(&invoice)], "a draft is no receipt");
    // One that is deleted is none, either.
    assert!(desk.office.client.delete(&format!("/invoices/{}", id(&receipt))).status < 300);
    assert_eq!(due(), [id(&invoice)]);
    let other = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash", "amount": 40}));
    let _ = desk.office.stamp(&id(&desk.receipt(&other))).expect(200);
    assert_eq!(due(), [id(&invoice)], "the first payment still has none");
    // Of an order that was paid before its invoice, until its receipt is stamped.
    let order = desk.order(4);
    let _ = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 60}));
    let billed = desk.invoice_of(&order);
    assert_eq!(due(), [id(&billed), id(&invoice)]);
    // So a migrated database has it, whether money came for an invoice or for its order.
    let migration = match kind {
        DatabaseKind::Sqlite => include_str!(
            "../../../../../../migrations/sqlite/2026-11-27-000068_receipts_due/up.sql"
        ),
        DatabaseKind::Postgres => include_str!(
            "../../../../../../migrations/postgres/2026-11-27-000068_receipts_due/up.sql"
        ),
    };
    let (_, rest) = migration.split_once("UPDATE invoices SET ").unwrap();
    let (fill, _) = rest.split_once(';').unwrap();
    let database = &desk.office.app.database;
    desk.settle();
    // What pays an order names no invoice before its receipt is drafted.
    database.execute("UPDATE payments SET invoice_id = NULL WHERE order_id IS NOT NULL");
    database.execute("UPDATE invoices SET receipt_due = 0");
    assert!(due().is_empty());
    database.execute(&format!("UPDATE invoices SET {fill}"));
    assert_eq!(due(), [id(&billed), id(&invoice)]);
    // Nodes of the last release do not know of it: what they have left is made right once they are gone.
    database.execute("UPDATE invoices SET receipt_due = 1 - receipt_due");
    assert!(due().contains(&id(&at_once)));
    let _ = store::finish_upgrade(&database.settings()).unwrap();
    assert_eq!(due(), [id(&billed), id(&invoice)]);
    let page = format!("/payments?orderId={}", id(&order));
    let paid = desk.office.client.get(&page).expect(200)["data"][0].clone();
    let receipt = desk.receipt(&paid);
    let _ = desk.office.stamp(&id(&receipt)).expect(200);
    assert_eq!(due(), [id(&invoice)]);
}

fn what_cannot_be_paid_is_refused_by_name(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let ask = |body: &Value| desk.office.client.post("/payments", body);
    let of = |invoice: &Value| json!({"invoiceId": invoice["id"], "method": "cash"});
    let draft = desk.office.draft(&sale_in_parts(100.0));
    let said = ask(&of(&draft)).refused(400, "validation_failed");
    assert!(said.starts_with("invoiceId names an invoice that is not stamped"), "{said}");
    let at_once = desk.office.stamped_sale(100.0);
    let strange = json!({"id": "inv_01ARZ3NDEKTSV4RRFFQ69G5FAV"});
    let said = ask(&of(&strange)).refused(400, "validation_failed");
    assert!(said.starts_with("invoiceId names no invoice"), "{said}");
    let both =
        json!({"invoiceId": at_once["id"], "orderId": desk.order(1)["id"], "method": "cash"});
    let said = ask(&both).refused(400, "validation_failed");
    assert!(said.starts_with("invoiceId goes only without orderId"), "{said}");
    let invoice = desk.office.stamped(&sale_in_parts(100.0));
    let mut dollars = of(&invoice);
    dollars["currency"] = json!("USD");
    let said = ask(&dollars).refused(400, "validation_failed");
    assert!(said.starts_with("currency must be that of the invoice, MXN"), "{said}");
    let _ = desk.office.cancel(&id(&invoice), "02").expect(200);
    let said = ask(&of(&invoice)).refused(409, "invoice_cancelled");
    assert!(said.contains("invoiceId"), "{said}");
}

fn a_receipt_is_of_the_branch_of_its_invoice(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let branch = json!({"name": "Monterrey", "placeOfIssue": "64000", "series": {"payment": "PM"}});
    let branch = desk.office.make("/invoices/cfdi/branches", &branch);
    let mut sold = sale_in_parts(100.0);
    sold["branchId"] = branch["id"].clone();
    let sold = desk.office.stamped(&sold);
    let paid = desk.pay(&json!({"invoiceId": sold["id"], "method": "cash", "amount": 40}));
    let receipt = desk.receipt(&paid);
    assert_eq!(
        (&receipt["branchId"], &receipt["placeOfIssue"], &receipt["series"]),
        (&branch["id"], &json!("64000"), &json!("PM"))
    );
}

fn what_cannot_be_receipted_is_shown_and_the_money_stays(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let invoice = desk.office.stamped(&sale_in_parts(100.0));
    let _ = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash"}));
    let twice = json!({"invoiceId": invoice["id"], "method": "cash", "amount": 50,
        "allowOverpayment": true});
    desk.settle();
    let receipts = desk.office.client.get("/invoices?type=P").expect(200);
    let _ = desk.office.stamp(&id(&receipts["data"][0])).expect(200);
    let paid = desk.pay(&twice);
    let path = format!("/payments/{}", id(&paid));
    let seen = desk.office.client.once(&path, |seen| !seen["receiptProblem"].is_null());
    let problem = seen["receiptProblem"].as_str().unwrap();
    assert!(problem.contains("nothing is owed"), "{problem}");
    assert_eq!((&seen["status"], &seen["receiptId"]), (&json!("paid"), &json!(null)));
    let _ = told_apart(&desk.office.client, &path);
    let spanish = desk.office.in_spanish(&path);
    assert_eq!(spanish["receiptProblem"], "la factura ya quedó sin saldo pendiente");
    let failed = "/jobs?kind=payments.paper&status=failed";
    let jobs = desk.office.client.get(failed).expect(200);
    assert_eq!(jobs["total"], 1, "{jobs}");
    let why = jobs["data"][0]["lastError"].as_str().unwrap();
    assert!(why.contains("nothing is owed"), "{why}");
    let spanish = desk.office.in_spanish(failed)["data"][0]["lastError"].clone();
    assert!(spanish.as_str().unwrap().contains("sin saldo pendiente"), "{spanish}");
}

fn news_that_come_twice_make_one_receipt(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let invoice = desk.office.stamped(&sale_in_parts(500.0));
    let body = json!({"invoiceId": invoice["id"], "method": "spei"});
    let waiting = desk.pay(&body);
    let path = format!("/payments/{}/simulate", id(&waiting));
    let _ = desk.office.client.post(&path, &json!({"event": "pay"})).expect(200);
    let sync = format!("/payments/{}/sync", id(&waiting));
    let _ = at_once(8, |_| desk.office.client.act(&sync));
    let _ = desk.stamped(&desk.receipt(&waiting));
    desk.settle();
    assert_eq!(desk.count("P"), 1);
    assert_eq!(desk.office.read(&id(&invoice))["balance"], 0);
}

fn a_deleted_receipt_is_forgotten(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let invoice = desk.office.stamped(&sale_in_parts(500.0));
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash"}));
    let receipt = desk.receipt(&paid);
    desk.settle();
    let path = format!("/invoices/{}", id(&receipt));
    let _ = desk.office.client.delete(&path).expect(200);
    let seen = desk.office.client.get(&format!("/payments/{}", id(&paid))).expect(200);
    assert_eq!(seen["receiptId"], json!(null));
}

fn a_payment_before_the_stamp_is_receipted_with_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let early = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 60}));
    let draft = desk.draft_of(&order);
    desk.settle();
    assert_eq!(desk.count("P"), 0);
    let invoice = desk.office.stamp(&id(&draft)).expect(200);
    let receipt = desk.receipt(&early);
    assert_eq!(receipt["payments"][0]["documents"][0]["uuid"], invoice["uuid"]);
    let page = format!("/payments?invoiceId={}", id(&invoice));
    assert_eq!(desk.office.client.get(&page).expect(200)["data"][0]["id"], early["id"]);
    // A sale that was paid when it was invoiced gets none.
    let _ = desk.office.stamped(&sale(10.0));
    desk.settle();
    assert_eq!(desk.count("P"), 1);
}

fn a_late_receipt_is_warned_of(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let invoice = desk.office.stamped(&sale_in_parts(500.0));
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash"}));
    let receipt = id(&desk.receipt(&paid));
    let warnings = |verdict: &Value| -> Vec<String> {
        let warnings = verdict["warnings"].as_array().unwrap().iter();
        warnings.map(|warning| warning["code"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!warnings(&desk.office.verdict(&receipt)).contains(&"receipt_late".to_owned()));
    desk.office.app.advance_seconds(40 * 86_400);
    let verdict = desk.office.verdict(&receipt);
    assert!(warnings(&verdict).contains(&"receipt_late".to_owned()), "{verdict}");
}

fn a_receipt_in_dollars_states_the_rate_of_its_day(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let mut sale = sale_in_parts(1_160.0);
    (sale["currency"], sale["exchangeRate"]) = (json!("USD"), json!(18.5));
    let invoice = desk.office.stamped(&sale);
    let part =
        |amount: i64| json!({"invoiceId": invoice["id"], "method": "transfer", "amount": amount});
    let rate = |receipt: &Value| receipt["payments"][0]["exchangeRate"].clone();
    // On the day of the invoice its own rate holds.
    let receipt = desk.stamped(&desk.receipt(&desk.pay(&part(100))));
    assert_eq!((rate(&receipt), &receipt["lastError"]), (json!(18.5), &json!(null)));
    let xml = desk.office.client.get(&format!("/invoices/{}/xml", id(&receipt))).text;
    assert_eq!(attribute(&xml, "EquivalenciaDR"), "1");
    // On another day somebody has to tell: with the payment, which is stamped at once …
    desk.office.app.advance_seconds(86_400);
    let mut told = part(200);
    told["exchangeRate"] = json!(18.9023);
    let paid = desk.pay(&told);
    assert_eq!(paid["exchangeRate"], 18.9023);
    let receipt = desk.stamped(&desk.receipt(&paid));
    assert_eq!(rate(&receipt), 18.9023);
    // … or in the draft, which says so.
    desk.stamps(false, false);
    let paid = desk.pay(&part(300));
    let receipt = desk.receipt(&paid);
    let lacks = vec![("CRP20214".to_owned(), "payments[0].exchangeRate".to_owned())];
    assert_eq!(desk.office.findings(&id(&receipt)), lacks);
    assert_eq!((rate(&receipt), &receipt["lastError"]["code"]), (json!(null), &json!("CRP20214")));
    let complete = json!({"payments": [{"paidAt": paid["paidAt"], "paymentForm": "03",
        "currency": "USD", "exchangeRate": 18.7, "amount": 300,
        "documents": [{"invoiceId": invoice["id"], "amount": 300}]}]});
    let changed = desk.office.change(&id(&receipt), &complete).expect(200);
    assert_eq!(changed["lastError"], json!(null), "nothing is lacking any more");
    let stamped = desk.office.stamp(&id(&receipt)).expect(200);
    assert_eq!((rate(&stamped), &stamped["lastError"]), (json!(18.7), &json!(null)));
    assert_eq!(desk.office.read(&id(&invoice))["balance"], 560);
}

fn a_receipt_that_lacks_something_says_what(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let invoice = desk.office.stamped(&sale_in_parts(500.0));
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "other"}));
    let receipt = desk.receipt(&paid);
    let lacks = vec![("CRP20212".to_owned(), "payments[0].paymentForm".to_owned())];
    assert_eq!(desk.office.findings(&id(&receipt)), lacks);
    assert_eq!(receipt["lastError"]["code"], "CRP20212", "{receipt}");
    // It is no attempt to stamp it.
    let failed = desk.office.app.database.events(desk.office.account, "invoice.stamp_failed");
    assert_eq!(failed.len(), 0);
    // Each reader is told in their language, whatever the other has.
    let one = format!("/invoices/{}", id(&receipt));
    let [english, spanish] = told_apart(&desk.office.client, &one);
    let request = desk.office.client.request("GET", &one).header("Accept-Language", "es");
    let in_spanish = Reply::to(request).expect(200)["lastError"].clone();
    assert_eq!(in_spanish["code"], "CRP20212");
    assert_ne!(in_spanish["message"], receipt["lastError"]["message"]);
    // Either is the version that a change expects. One that does not supply what is lacking leaves it so.
    let change = |tag: &str| {
        let request = desk.office.client.request("PATCH", &one).header("If-Match", tag);
        let request = request.header("Content-Type", "application/json");
        Reply::to(request.body(json!({"notes": "por otro medio"}).to_string()))
    };
    let changed = change(&spanish);
    assert_eq!(changed.header("content-language"), Some("en"));
    assert_eq!(changed.expect(200)["lastError"]["code"], "CRP20212");
    let _ = change(&english).refused(412, "precondition_failed");
    let complete = json!({"payments": [{"paidAt": paid["paidAt"], "paymentForm": "03",
        "amount": 500, "documents": [{"invoiceId": invoice["id"], "amount": 500}]}]});
    let changed = desk.office.change(&id(&receipt), &complete).expect(200);
    assert_eq!(changed["lastError"], json!(null));
    assert_eq!(desk.office.read(&id(&receipt))["lastError"], json!(null));
}

/// The provider is away, then the service is stopped: what was begun goes on.
fn what_was_interrupted_is_stamped_once(kind: DatabaseKind) {
    let mut desk = Desk::open(kind);
    desk.stamps(true, false);
    let invoice = desk.office.stamped(&sale_in_parts(500.0));
    desk.office.simulate("unavailable", "accept");
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash"}));
    let receipt = desk.drafted(&paid);
    let _ = desk.office.client.once("/jobs?kind=payments.paper", |page| {
        page["data"][0]["attempts"].as_u64().is_some_and(|attempts| attempts > 0)
    });
    assert_eq!(desk.office.read(&id(&receipt))["status"], "draft");
    desk.office.simulate("normal", "accept");
    desk.office.app = desk.office.app.restart();
    desk.office.client = desk.office.client.at(&desk.office.app);
    desk.office.app.advance_seconds(60);
    let _ = desk.stamped(&receipt);
    desk.settle();
    assert_eq!((desk.count("P"), desk.office.credits().1), (1, 0));
    assert_eq!(desk.office.read(&id(&invoice))["balance"], 0);
}
