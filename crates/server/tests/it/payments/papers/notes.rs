//! Credit notes of what is given back.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::invoices::office::{attribute, id, sale_in_parts};

on_both!(
    a_refund_in_two_parts_is_credited_to_the_cent,
    all_of_it_is_credited_as_it_was_invoiced,
    what_comes_back_is_credited_by_its_lines,
    more_than_what_came_back_is_a_discount_beside_it,
    a_credit_note_leaves_as_much_owed_as_there_was,
    a_ticket_is_credited_of_its_global_invoice,
    a_refund_that_fails_after_all_takes_its_draft_back,
    more_than_is_left_is_shown_and_the_money_is_back,
    a_refund_before_the_stamp_is_credited_with_it,
    giving_back_what_was_paid_too_much_is_no_credit,
    what_came_back_before_the_invoice_is_not_in_it,
    what_the_receiver_withholds_was_paid_too_much,
    what_keeps_a_credit_note_a_draft_is_shown,
);

/// Rate, base and amount of the taxes of a note's items.
fn taxes(note: &Value) -> Vec<(Value, Value, Value)> {
    let items = note["items"].as_array().unwrap().iter();
    items
        .map(|item| {
            let tax = &item["taxes"][0];
            (tax["rate"].clone(), item["amount"].clone(), tax["amount"].clone())
        })
        .collect()
}

#[track_caller]
fn paid_invoice(desk: &Desk, order: &Value) -> (Value, Value) {
    let payment = desk.pay(&json!({"orderId": order["id"], "method": "card"}));
    assert_eq!(payment["status"], "paid", "{payment}");
    (payment, desk.invoice_of(order))
}

fn a_refund_in_two_parts_is_credited_to_the_cent(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let order = desk.order_of_two_taxes();
    let (payment, invoice) = paid_invoice(&desk, &order);
    assert_eq!((&invoice["paymentMethod"], &invoice["balance"]), (&json!("PUE"), &json!(null)));
    let refund = desk.refund(&payment, &json!({"amount": 100, "reason": "Rota"})).expect(201);
    let note = desk.stamped(&desk.note(&refund));
    assert_eq!((&note["type"], &note["total"]), (&json!("E"), &json!(100)));
    assert_eq!(
        (&note["paymentMethod"], &note["paymentForm"]),
        (&json!("PUE"), &payment["satPaymentForm"])
    );
    assert_eq!(note["related"], json!([{"relation": "01", "uuids": [invoice["uuid"]]}]));
    assert_eq!(note["appliedTo"][0]["amount"], 100, "{note}");
    let items = note["items"].as_array().unwrap();
    let keys: Vec<(&Value, &Value)> =
        items.iter().map(|item| (&item["satProductKey"], &item["satUnitKey"])).collect();
    assert_eq!(keys, [(&json!("84111506"), &json!("ACT")); 2]);
    // 90.27 at 16 % (77.82 + 12.45) and 9.73 at 0 %.
    assert_eq!(note["subtotal"], 87.55, "{note}");
    let xml = desk.office.client.get(&format!("/invoices/{}/xml", id(&note))).text;
    assert_eq!((attribute(&xml, "SubTotal"), attribute(&xml, "Total")), ("87.55", "100.00"));
    assert!(xml.contains(r#"TotalImpuestosTrasladados="12.45""#), "{xml}");
    let rest = desk.refund(&payment, &json!({})).expect(201);
    let note = desk.stamped(&desk.note(&rest));
    assert_eq!(note["total"], 388.33);
    desk.settle();
    assert_eq!(desk.count("E"), 2);
    // The timeline of the order tells the invoice and its credit notes apart.
    let path = format!("/orders/{}/timeline", id(&order));
    let shown = desk.office.client.get(&path).expect(200);
    let of = |kind: &str| {
        let entries = shown["data"].as_array().unwrap().iter();
        let named = entries.filter(|entry| entry["name"] == "invoice.stamped");
        named.filter(|entry| entry["type"] == kind).count()
    };
    assert_eq!((of("I"), of("E"), of("P")), (1, 2, 0), "{shown}");
    assert_eq!(shown["data"][0]["type"], json!(null));
}

fn all_of_it_is_credited_as_it_was_invoiced(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let order = desk.order_of_two_taxes();
    let (payment, invoice) = paid_invoice(&desk, &order);
    let refund = desk.refund(&payment, &json!({})).expect(201);
    let note = desk.stamped(&desk.note(&refund));
    let xml = |invoice: &Value| {
        let xml = desk.office.client.get(&format!("/invoices/{}/xml", id(invoice))).text;
        attribute(&xml, "TotalImpuestosTrasladados").to_owned()
    };
    assert_eq!(xml(&note), xml(&invoice));
    assert_eq!(note["total"], invoice["total"]);
}

fn what_comes_back_is_credited_by_its_lines(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let order = desk.order_of_two_taxes();
    let (payment, invoice) = paid_invoice(&desk, &order);
    let _ = payment;
    let body = json!({"items": [{"line": 2, "quantity": 1}], "reason": "Otro libro",
        "refund": true});
    let path = format!("/orders/{}/returns", id(&order));
    let made = desk.office.client.post(&path, &body).expect(201);
    let refunds = format!("/refunds?orderId={}", id(&order));
    let page = desk.office.client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    let note = desk.stamped(&desk.note(&page["data"][0]));
    assert_eq!(note["total"], made["refundAmount"], "{note}");
    assert_eq!(note["related"], json!([{"relation": "03", "uuids": [invoice["uuid"]]}]));
    // The book is at 0 %.
    assert_eq!(taxes(&note), [(json!(0), made["refundAmount"].clone(), json!(0))]);
}

fn more_than_what_came_back_is_a_discount_beside_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let order = desk.order_of_two_taxes();
    let (payment, invoice) = paid_invoice(&desk, &order);
    let body = json!({"items": [{"line": 2, "quantity": 1}], "reason": "Otro libro"});
    let path = format!("/orders/{}", id(&order));
    let made = desk.office.client.post(&format!("{path}/returns"), &body).expect(201);
    let book = made["amount"].clone();
    let seen = desk.office.client.get(&path).expect(200);
    assert_eq!((&seen["refundDue"], &book), (&json!(47.5), &json!(47.5)));
    let refund = desk.refund(&payment, &json!({"amount": 100})).expect(201);
    let note = desk.stamped(&desk.note(&refund));
    assert_eq!((&note["total"], &note["appliedTo"][0]["amount"]), (&json!(100), &json!(100)));
    let uuids = json!([invoice["uuid"]]);
    let related = json!([{"relation": "03", "uuids": uuids}, {"relation": "01", "uuids": uuids}]);
    assert_eq!(note["related"], related);
    // The book is at 0 %, and what was kept at 16 %: 52.50 of it are 45.26 and 7.24, before they are rounded.
    let (none, iva) = (json!(0), json!(0.16));
    assert_eq!(
        taxes(&note),
        [(none.clone(), book, none), (iva, json!(45.258621), json!(7.241379))]
    );
    let items = note["items"].as_array().unwrap().iter();
    let described: Vec<&Value> = items.map(|item| &item["description"]).collect();
    assert_eq!(
        described,
        [&json!("Devolución de mercancías"), &json!("Devolución, descuento o bonificación")]
    );
    // It is taken off the invoice once, so that the rest can be given back.
    let rest = desk.refund(&payment, &json!({})).expect(201);
    let note = desk.stamped(&desk.note(&rest));
    assert_eq!(note["total"], 388.33);
    assert_eq!(note["related"], json!([{"relation": "01", "uuids": [invoice["uuid"]]}]));
}

fn a_credit_note_leaves_as_much_owed_as_there_was(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(true, true);
    let invoice = desk.office.stamped(&sale_in_parts(1_000.0));
    let paid = desk.pay(&json!({"invoiceId": invoice["id"], "method": "cash", "amount": 400}));
    let _ = desk.stamped(&desk.receipt(&paid));
    let balance = || desk.office.read(&id(&invoice))["balance"].clone();
    assert_eq!(balance(), 600);
    let refund = desk.refund(&paid, &json!({"amount": 150})).expect(201);
    let note = desk.stamped(&desk.note(&refund));
    assert_eq!((&note["total"], &note["appliedTo"][0]["amount"]), (&json!(150), &json!(150)));
    // 1000 less 150 credited and 400 receipted, and the 150 given back.
    assert_eq!(balance(), 600);
    let _ = desk.office.cancel(&id(&note), "02").expect(200);
    let seen = desk.office.client.get(&format!("/refunds/{}", id(&refund))).expect(200);
    assert_eq!((seen["creditNoteId"].clone(), balance()), (json!(null), json!(600)));
}

fn a_ticket_is_credited_of_its_global_invoice(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (first, second) = (desk.order(2), desk.order(3));
    let pay = |order: &Value| desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let (_, payment) = (pay(&first), pay(&second));
    let draft = desk.office.draft(&json!({"orderIds": [first["id"], second["id"]],
        "global": {"periodicity": "01", "months": "11", "year": 2026}, "paymentForm": "01"}));
    let global = desk.office.stamp(&id(&draft)).expect(200);
    let refund = desk.refund(&payment, &json!({"amount": 40})).expect(201);
    let note = desk.note(&refund);
    assert_eq!((&note["total"], &note["receiver"]), (&json!(40), &global["receiver"]));
    assert_eq!(note["related"][0]["uuids"], json!([global["uuid"]]));
    assert_eq!(desk.office.findings(&id(&note)), []);
}

fn a_refund_that_fails_after_all_takes_its_draft_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let lamp = desk.office.product("CANDIL", 7_000.14, &json!({}));
    let order = desk.office.order(&desk.customer, &[(&lamp, 1)]);
    let (payment, _) = paid_invoice(&desk, &order);
    let refund = desk.refund(&payment, &json!({"amount": 1_000})).expect(201);
    let note = desk.note(&refund);
    assert_eq!(note["status"], "draft");
    desk.office.app.advance_seconds(10);
    let sync = format!("/payments/{}/sync", id(&payment));
    let _ = desk.office.client.act(&sync).expect(200);
    let path = format!("/refunds/{}", id(&refund));
    let seen = desk
        .office
        .client
        .once(&path, |seen| seen["status"] == "failed" && seen["creditNoteId"].is_null());
    assert_eq!(seen["creditNoteProblem"], json!(null));
    assert_eq!(desk.count("E"), 0);
}

fn more_than_is_left_is_shown_and_the_money_is_back(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let (payment, invoice) = paid_invoice(&desk, &order);
    let by_hand = desk.office.stamped(&json!({"type": "E", "paymentForm": "01",
        "related": [{"relation": "01", "uuids": [invoice["uuid"]]}],
        "items": [{"description": "Bonificación", "satProductKey": "84111506", "quantity": 1,
            "unitPrice": 150}]}));
    assert_eq!(by_hand["total"], 150);
    let refund = desk.refund(&payment, &json!({"amount": 60})).expect(201);
    let path = format!("/refunds/{}", id(&refund));
    let seen = desk.office.client.once(&path, |seen| !seen["creditNoteProblem"].is_null());
    let problem = seen["creditNoteProblem"].as_str().unwrap();
    assert!(problem.contains("credit_exceeds_invoice") && problem.contains("50"), "{problem}");
    let spanish = desk.office.in_spanish(&path)["creditNoteProblem"].clone();
    let wanted = "los conceptos suman 60.00, pero solo quedan 50.00 por acreditar";
    assert!(spanish.as_str().unwrap().starts_with(wanted), "{spanish}");
    assert_eq!((&seen["status"], &seen["creditNoteId"]), (&json!("succeeded"), &json!(null)));
    let fits = desk.refund(&payment, &json!({"amount": 50})).expect(201);
    assert_eq!(desk.note(&fits)["total"], 50);
}

fn a_refund_before_the_stamp_is_credited_with_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let payment = desk.pay(&json!({"orderId": order["id"], "method": "card"}));
    let refund = desk.refund(&payment, &json!({"amount": 60})).expect(201);
    let invoice = desk.invoice_of(&order);
    let note = desk.note(&refund);
    assert_eq!((&note["total"], &note["status"]), (&json!(60), &json!("draft")));
    let more = json!({"items": [{"description": "Bonificación", "satProductKey": "84111506",
        "quantity": 1, "unitPrice": 250}]});
    let said = desk.office.change(&id(&note), &more).refused(400, "validation_failed");
    assert!(said.contains("items add up to 250"), "{said}");
    let path = format!("/invoices/{}", id(&note));
    desk.settle();
    let _ = desk.office.client.delete(&path).expect(200);
    let seen = desk.office.client.get(&format!("/refunds/{}", id(&refund))).expect(200);
    assert_eq!(seen["creditNoteId"], json!(null));
    assert_eq!(desk.office.read(&id(&invoice))["status"], "stamped");
}

fn giving_back_what_was_paid_too_much_is_no_credit(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let order = desk.order(4);
    let (first, _) = paid_invoice(&desk, &order);
    let again = json!({"orderId": order["id"], "method": "cash", "amount": 200,
        "allowOverpayment": true});
    let second = desk.pay(&again);
    assert_eq!(second["flags"], json!(["excess"]), "{second}");
    let excess = desk.refund(&second, &json!({"amount": 150})).expect(201);
    desk.settle();
    let read =
        |refund: &Value| desk.office.client.get(&format!("/refunds/{}", id(refund))).expect(200);
    let seen = read(&excess);
    assert_eq!((&seen["creditNoteId"], &seen["creditNoteProblem"]), (&json!(null), &json!(null)));
    assert_eq!(desk.count("E"), 0);
    // 50 of it is the rest of the excess, 30 undoes the sale.
    let more = desk.refund(&first, &json!({"amount": 80})).expect(201);
    assert_eq!(desk.note(&more)["total"], 30);
}

fn what_came_back_before_the_invoice_is_not_in_it(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let client = &desk.office.client;
    let takes_back = |order: &Value, body: &Value| {
        client.post(&format!("/orders/{}/returns", id(order)), body).expect(201)
    };
    // Of ten pieces that were sent six are kept, and paid at the door.
    let order = desk.order(10);
    let path = format!("/orders/{}", id(&order));
    let _ = client.patch(&path, &json!({"status": "shipped"})).expect(200);
    let lines = json!([{"line": 1, "quantity": 4}]);
    let _ = takes_back(&order, &json!({"items": lines, "reason": "Rotas"}));
    let paid = desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    assert_eq!(paid["amount"], 300, "{paid}");
    let invoice = desk.invoice_of(&order);
    assert_eq!(
        (&invoice["total"], &invoice["items"][0]["quantity"], &invoice["paymentMethod"]),
        (&json!(300), &json!(6), &json!("PUE"))
    );
    // Discounts, two taxes and shipping: what came back and was given back before is credited by no note.
    let order = desk.order_of_two_taxes();
    let payment = desk.pay(&json!({"orderId": order["id"], "method": "card"}));
    let lines = json!([{"line": 1, "quantity": 1}]);
    let made = takes_back(
        &order,
        &json!({"items": lines, "reason": "Rota", "shipping": 9, "refund": true}),
    );
    let back = made["amount"].as_f64().unwrap();
    let refunds = format!("/refunds?orderId={}", id(&order));
    let _ = client.once(&refunds, |page| page["data"][0]["status"] == "succeeded");
    let invoice = desk.invoice_of(&order);
    let left = format!("{:.2}", 488.33 - back);
    assert_eq!(format!("{:.2}", invoice["total"].as_f64().unwrap()), left, "{invoice}");
    desk.settle();
    assert_eq!(desk.count("E"), 0);
    let refund = desk.refund(&payment, &json!({"amount": 10})).expect(201);
    assert_eq!(desk.note(&refund)["total"], 10);
    // The same as a ticket, beside another.
    let (first, second) = (desk.order(2), desk.order(3));
    let pay = |order: &Value| desk.pay(&json!({"orderId": order["id"], "method": "cash"}));
    let (_, payment) = (pay(&first), pay(&second));
    let _ = takes_back(&second, &json!({"items": lines, "reason": "Rota", "refund": true}));
    let global = json!({"periodicity": "01", "months": "11", "year": 2026});
    let draft = desk.office.draft(&json!({"orderIds": [first["id"], second["id"]],
        "global": global, "paymentForm": "01"}));
    assert_eq!(draft["total"], 200, "{draft}");
    let _ = desk.office.stamp(&id(&draft)).expect(200);
    // What came back before has been looked at: money given back later is what undoes the sale.
    desk.settle();
    let refund = desk.refund(&payment, &json!({"amount": 40})).expect(201);
    assert_eq!(desk.note(&refund)["total"], 40);
    // Nothing is left to be invoiced.
    let order = desk.order(1);
    let _ = pay(&order);
    let _ = takes_back(&order, &json!({"items": lines, "reason": "Rota", "refund": true}));
    let body = json!({"type": "I", "orderId": order["id"]});
    let said = client.post("/invoices", &body).refused(400, "validation_failed");
    assert!(said.contains("orderId"), "{said}");
}

fn what_the_receiver_withholds_was_paid_too_much(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let taxes = json!({"taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16},
        {"tax": "ISR", "factor": "Tasa", "rate": 0.0125, "withheld": true}]});
    let lamp = desk.office.product("LAMPARA", 1_160.0, &taxes);
    let order = desk.office.order(&desk.customer, &[(&lamp, 1)]);
    let payment = desk.pay(&json!({"orderId": order["id"], "method": "card", "amount": 1160}));
    assert_eq!(payment["status"], "paid", "{payment}");
    let invoice = desk.invoice_of(&order);
    assert_eq!(invoice["total"], 1147.5);
    let refund = desk.refund(&payment, &json!({})).expect(201);
    let note = desk.note(&refund);
    assert_eq!(note["total"], invoice["total"], "{note}");
    assert_eq!(desk.office.findings(&id(&note)), []);
}

fn what_keeps_a_credit_note_a_draft_is_shown(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.stamps(false, true);
    let invoice = desk.office.stamped(&sale_in_parts(500.0));
    // Nobody has told how it was paid, so nobody knows how it is given back.
    let payment = desk.pay(&json!({"invoiceId": invoice["id"], "method": "other"}));
    let receipt = id(&desk.receipt(&payment));
    desk.settle();
    let complete = json!({"payments": [{"paidAt": payment["paidAt"], "paymentForm": "03",
        "amount": 500, "documents": [{"invoiceId": invoice["id"], "amount": 500}]}]});
    let _ = desk.office.change(&receipt, &complete).expect(200);
    let _ = desk.office.stamp(&receipt).expect(200);
    let refund = desk.refund(&payment, &json!({"amount": 100})).expect(201);
    let path = format!("/refunds/{}", id(&refund));
    let shown = desk.office.client.once(&path, |seen| !seen["creditNoteProblem"].is_null());
    let problem = shown["creditNoteProblem"].as_str().unwrap();
    assert!(problem.starts_with("CFDI40104"), "{problem}");
    let note = shown["creditNoteId"].as_str().unwrap();
    desk.settle();
    let _ = desk.office.change(note, &json!({"paymentForm": "03"})).expect(200);
    let _ = desk.office.stamp(note).expect(200);
    let stamped = desk.office.client.get(&path).expect(200);
    assert_eq!(
        (&stamped["creditNoteId"], &stamped["creditNoteProblem"]),
        (&json!(note), &json!(null))
    );
}
