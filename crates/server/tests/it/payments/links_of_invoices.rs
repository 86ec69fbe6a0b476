//! Payment links of invoices: they ask for what is due, and what is paid is receipted.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::{
    links::{Payer, began, page_of},
    papers::desk::Desk,
};
use crate::invoices::office::{id, sale, sale_in_parts};

on_both!(
    an_invoice_in_parts_is_paid_and_receipted,
    an_unpaid_invoice_in_one_go_is_paid_once,
    an_invoice_of_an_order_is_paid_with_it,
    what_settles_an_invoice_closes_its_links,
    a_cancelled_invoice_is_not_paid,
    what_no_link_can_be_made_for_is_named,
);

/// A link for an invoice, and the path of its page.
#[track_caller]
fn link(desk: &Desk, invoice: &Value) -> (Value, String) {
    let link = desk.office.make("/payment-links", &json!({"invoiceId": invoice["id"]}));
    let page = page_of(&link);
    (link, page)
}

#[track_caller]
fn status(desk: &Desk, link: &Value) -> Value {
    desk.office.client.get(&format!("/payment-links/{}", id(link))).expect(200)["status"].clone()
}

/// Pays by card on the page of a link.
#[track_caller]
fn pays(desk: &Desk, page: &str) -> String {
    let payer = Payer::with(&desk.office.client);
    let attempt = payer.begins(page, "card");
    began(&payer.sends(&format!("{attempt}/bank"), &[("event", "pay")]))
}

/// The only payment of a link.
#[track_caller]
fn payment(desk: &Desk, link: &Value) -> Value {
    let path = format!("/payments?paymentLinkId={}", id(link));
    let page = desk.office.client.get(&path).expect(200);
    assert_eq!(page["total"], 1, "{page}");
    page["data"][0].clone()
}

fn an_invoice_in_parts_is_paid_and_receipted(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, false);
    let invoice = desk.office.stamped(&sale_in_parts(1_160.0));
    let part = desk.pay(&json!({"invoiceId": invoice["id"], "method": "check", "amount": 160}));
    let _ = desk.stamped(&desk.receipt(&part));
    let (made, page) = link(&desk, &invoice);
    let part_of = |name: &str| invoice[name].as_str().unwrap().to_owned();
    let number = format!("{}-{}", part_of("series"), part_of("folio"));
    assert_eq!((&made["title"], &made["amount"]), (&json!(number), &json!(null)));
    assert_eq!((&made["invoiceId"], &made["orderId"]), (&invoice["id"], &json!(null)));
    let listed = format!("/payment-links?invoiceId={}", id(&invoice));
    assert_eq!(desk.office.client.get(&listed).expect(200)["total"], 1);
    let shown = Payer::with(&desk.office.client).sees(&page).text;
    for text in [number.as_str(), "UNIVERSIDAD ROBOTICA", "$1,000.00"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let attempt = pays(&desk, &page);
    assert_eq!(status(&desk, &made), "completed");
    let payer = Payer::with(&desk.office.client);
    assert!(payer.sees(&attempt).text.contains("role=\"status\""));
    assert_eq!(payer.sees(&page).status, 410);
    let paid = payment(&desk, &made);
    assert_eq!((&paid["invoiceId"], &paid["amount"]), (&invoice["id"], &json!(1_000)));
    let receipt = desk.stamped(&desk.receipt(&paid));
    assert_eq!(receipt["payments"][0]["documents"][0]["installment"], 2);
    assert_eq!(desk.office.read(&id(&invoice))["balance"], 0);
    let again = desk.office.client.post("/payment-links", &json!({"invoiceId": invoice["id"]}));
    let said = again.refused(409, "conflict");
    assert!(said.starts_with("nothing is due for the order or invoice"), "{said}");
}

fn an_unpaid_invoice_in_one_go_is_paid_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let invoice = desk.office.stamped(&sale(500.0));
    let (made, page) = link(&desk, &invoice);
    let (other, _) = link(&desk, &invoice);
    let _ = pays(&desk, &page);
    assert_eq!(
        (status(&desk, &made), status(&desk, &other)),
        (json!("completed"), json!("completed"))
    );
    let paid = payment(&desk, &made);
    assert_eq!((&paid["invoiceId"], &paid["receiptId"]), (&invoice["id"], &json!(null)));
    let cash = json!({"invoiceId": invoice["id"], "method": "cash"});
    let _ = desk.office.client.post("/payments", &cash).refused(409, "amount_exceeds_due");
    desk.settle();
    assert_eq!(desk.count("P"), 0);
    // What is given back of it is credited, and is not due again.
    let refund = desk.refund(&paid, &json!({"amount": 200})).expect(201);
    let note = desk.stamped(&desk.note(&refund));
    assert_eq!(note["total"], 200);
    let _ = desk.office.client.post("/payments", &cash).refused(409, "amount_exceeds_due");
}

fn an_invoice_of_an_order_is_paid_with_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let invoice = desk.invoice_of(&order);
    let (made, page) = link(&desk, &invoice);
    assert_eq!((&made["orderId"], &made["customerId"]), (&order["id"], &order["customerId"]));
    let _ = desk.pay(&json!({"orderId": order["id"], "method": "cash", "amount": 80}));
    let payer = Payer::with(&desk.office.client);
    assert!(payer.sees(&page).text.contains("$120.00"));
    let _ = pays(&desk, &page);
    let paid = payment(&desk, &made);
    assert_eq!((&paid["orderId"], &paid["invoiceId"]), (&order["id"], &invoice["id"]));
    let seen = desk.office.client.get(&format!("/orders/{}", id(&order))).expect(200);
    assert_eq!((&seen["status"], &seen["amountDue"]), (&json!("paid"), &json!(0)));
    assert_eq!(status(&desk, &made), "completed");
}

fn what_settles_an_invoice_closes_its_links(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let invoice = desk.office.stamped(&sale_in_parts(300.0));
    let (made, page) = link(&desk, &invoice);
    // Somebody waits for a transfer when another pays all of it.
    let waiting = Payer::with(&desk.office.client).begins(&page, "spei");
    let _ = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash"}));
    assert_eq!(status(&desk, &made), "completed");
    let path = format!("/payments/{}", id(&payment(&desk, &made)));
    let _ = desk.office.client.once(&path, |seen| seen["status"] == "canceled");
    assert!(Payer::with(&desk.office.client).sees(&waiting).text.contains("Ya no pague"));
    // A credit note by hand leaves nothing due, too.
    for body in [sale_in_parts(100.0), sale(100.0)] {
        let invoice = desk.office.stamped(&body);
        let (made, _) = link(&desk, &invoice);
        let note = json!({"type": "E", "receiver": body["receiver"], "paymentForm": "03",
            "related": [{"relation": "01", "uuids": [invoice["uuid"]]}],
            "items": [{"description": "Bonificación", "satProductKey": "84111506", "satUnitKey": "ACT",
                "quantity": 1, "unitPrice": 100}]});
        let _ = desk.office.stamped(&note);
        assert_eq!(status(&desk, &made), "completed", "{body}");
    }
}

fn a_cancelled_invoice_is_not_paid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let invoice = desk.office.stamped(&sale_in_parts(300.0));
    let (made, page) = link(&desk, &invoice);
    let _ = Payer::with(&desk.office.client).begins(&page, "spei");
    let _ = desk.office.cancel(&id(&invoice), "02").expect(200);
    assert_eq!(status(&desk, &made), "inactive");
    let path = format!("/payments/{}", id(&payment(&desk, &made)));
    let _ = desk.office.client.once(&path, |seen| seen["status"] == "canceled");
    assert_eq!(Payer::with(&desk.office.client).sees(&page).status, 410);
    let again = desk.office.client.post("/payment-links", &json!({"invoiceId": invoice["id"]}));
    let _ = again.refused(409, "invoice_cancelled");
}

fn what_no_link_can_be_made_for_is_named(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let ask = |body: &Value| desk.office.client.post("/payment-links", body);
    let draft = desk.office.draft(&sale_in_parts(100.0));
    let said = ask(&json!({"invoiceId": draft["id"]})).refused(400, "validation_failed");
    assert!(said.starts_with("invoiceId names an invoice that is not stamped"), "{said}");
    let strange = json!({"invoiceId": "inv_01ARZ3NDEKTSV4RRFFQ69G5FAV"});
    let said = ask(&strange).refused(400, "validation_failed");
    assert!(said.starts_with("invoiceId names no invoice"), "{said}");
    let invoice = desk.office.stamped(&sale_in_parts(100.0));
    let with = |field: &str, value: Value| {
        let mut body = json!({"invoiceId": invoice["id"]});
        body[field] = value;
        ask(&body).refused(400, "validation_failed")
    };
    let said = with("amount", json!(50));
    assert!(said.starts_with("amount does not go with invoiceId"), "{said}");
    let said = with("currency", json!("USD"));
    assert!(said.starts_with("currency must be that of the invoice, MXN"), "{said}");
    let said = with("orderId", desk.order(1)["id"].clone());
    assert!(said.contains("invoiceId does not go with orderId"), "{said}");
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash"}));
    let receipt = desk.office.stamp(&id(&desk.receipt(&paid))).expect(200);
    let said = ask(&json!({"invoiceId": receipt["id"]})).refused(400, "validation_failed");
    assert!(said.starts_with("invoiceId names a document of type P"), "{said}");
}
