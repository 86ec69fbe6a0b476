//! Invoices that refer to each other, and what that means for cancelling them and for their orders.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::{Office, id, item, sale};

on_both!(
    an_invoice_is_replaced,
    a_replacement_that_is_not_stamped_replaces_nothing,
    living_documents_stand_in_the_way,
    an_order_is_free_again_after_a_cancellation,
    an_order_stays_while_its_cancellation_is_open,
    an_order_moves_to_the_replacement,
    an_order_has_one_living_invoice_whatever_is_replaced,
    what_a_draft_rests_on_is_looked_at_when_it_is_validated,
);

fn replaced_by(office: &Office, invoice: &Value, by: &Value) -> Reply {
    let body = json!({"reason": "01", "replacementUuid": by["uuid"]});
    office.client.post(&format!("/invoices/{}/cancel", id(invoice)), &body)
}

/// A draft that is to take the place of an invoice.
#[track_caller]
fn replacement(office: &Office, invoice: &Value) -> String {
    let path = format!("/invoices/{}/copy", id(invoice));
    id(&office.client.post(&path, &json!({"replace": true})).expect(201))
}

/// An order, and a stamped invoice of it.
fn ordered(office: &Office) -> (Value, Value) {
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&office.customer(), &[(&mug, 1)]);
    let invoice = office.stamped(&of_order(&order));
    (order, invoice)
}

fn of_order(order: &Value) -> Value {
    json!({"orderId": order["id"], "paymentForm": "03"})
}

fn an_invoice_is_replaced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let wrong = office.stamped_sale(116.0);
    let draft = replacement(&office, &wrong);
    let _ = office.change(&draft, &json!({"items": [item(58.0)]})).expect(200);
    assert_eq!(office.findings(&draft), []);
    let right = office.stamp(&draft).expect(200);
    let xml = office.client.get(&format!("/invoices/{draft}/xml")).text;
    assert!(xml.contains("TipoRelacion=\"04\"") && xml.contains(wrong["uuid"].as_str().unwrap()));
    let cancelled = replaced_by(&office, &wrong, &right).expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    let cancellation = &cancelled["cancellation"];
    assert_eq!(
        (&cancellation["reason"], &cancellation["replacementUuid"]),
        (&json!("01"), &right["uuid"])
    );
    assert_eq!(replaced_by(&office, &wrong, &right).expect(200), cancelled, "again");
    assert_eq!(office.read(&id(&right))["status"], "stamped");
    // The replacement can be cancelled in its turn.
    assert_eq!(office.cancel(&id(&right), "03").expect(200)["status"], "cancelled");
}

fn a_replacement_that_is_not_stamped_replaces_nothing(kind: DatabaseKind) {
    let office = Office::open(kind);
    let wrong = office.stamped_sale(116.0);
    let draft = replacement(&office, &wrong);
    let unstamped = json!({"uuid": "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60"});
    let _ = replaced_by(&office, &wrong, &unstamped).refused(400, "validation_failed");
    let right = office.stamp(&draft).expect(200);
    // A cancelled one takes no place either.
    assert_eq!(office.cancel(&draft, "02").expect(200)["status"], "cancelled");
    let _ = replaced_by(&office, &wrong, &right).refused(400, "validation_failed");
    assert_eq!(office.read(&id(&wrong))["status"], "stamped");
}

fn living_documents_stand_in_the_way(kind: DatabaseKind) {
    let office = Office::open(kind);
    let sold = office.stamped_sale(116.0);
    let note = json!({"type": "E", "paymentForm": "03",
        "items": [{"description": "Descuento", "satProductKey": "84111506", "satUnitKey": "ACT",
            "quantity": 1, "unitPrice": 16}],
        "related": [{"relation": "01", "uuids": [sold["uuid"]]}]});
    let draft = office.draft(&note);
    let unhindered = office.stamped_sale(58.0);
    assert_eq!(office.cancel(&id(&unhindered), "02").expect(200)["status"], "cancelled");
    let note = office.stamp(&id(&draft)).expect(200);
    let message = office.cancel(&id(&sold), "02").refused(409, "related_documents");
    assert!(message.contains(note["uuid"].as_str().unwrap()), "{message}");
    let read = office.read(&id(&sold));
    assert_eq!(
        (&read["status"], &read["cancellation"]["status"]),
        (&json!("stamped"), &json!("none"))
    );
    assert_eq!(office.cancel(&id(&note), "02").expect(200)["status"], "cancelled");
    assert_eq!(office.cancel(&id(&sold), "02").expect(200)["status"], "cancelled");
}

fn an_order_is_free_again_after_a_cancellation(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (order, invoice) = ordered(&office);
    let _ = office.cancel(&id(&invoice), "02").expect(200);
    let again = office.stamped(&of_order(&order));
    assert_eq!(again["total"], order["totalAmount"]);
    let living = format!("/invoices?orderId={}&status=stamped", id(&order));
    assert_eq!(office.client.get(&living).expect(200)["data"], json!([again]));
}

fn an_order_stays_while_its_cancellation_is_open(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.simulate("normal", "pending");
    let bike = office.product("BICI", 4_999.0, &json!({}));
    let order = office.order(&office.customer(), &[(&bike, 1)]);
    let invoice = id(&office.stamped(&of_order(&order)));
    let _ = office.cancel(&invoice, "02").expect(200);
    let _ =
        office.client.post("/invoices", &of_order(&order)).refused(409, "order_already_invoiced");
    office.simulate("normal", "reject");
    office.app.advance_seconds(7_200);
    let _ = office.until(&invoice, |invoice| invoice["cancellation"]["status"] == "rejected");
    let _ =
        office.client.post("/invoices", &of_order(&order)).refused(409, "order_already_invoiced");
    office.simulate("normal", "expire");
    assert_eq!(office.cancel(&invoice, "02").expect(200)["cancellation"]["status"], "expired");
    let _ = office.draft(&of_order(&order));
}

fn an_order_moves_to_the_replacement(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (order, wrong) = ordered(&office);
    let draft = replacement(&office, &wrong);
    assert_eq!(office.read(&draft)["orderIds"], json!([order["id"]]));
    let refused = || {
        office.client.post("/invoices", &of_order(&order)).refused(409, "order_already_invoiced")
    };
    assert!(refused().contains(&id(&wrong)), "until the replacement is stamped");
    let right = office.stamp(&draft).expect(200);
    assert!(refused().contains(&draft));
    let _ = replaced_by(&office, &wrong, &right).expect(200);
    assert!(refused().contains(&draft), "it is not free");
    // Only when the replacement is gone too.
    let _ = office.cancel(&draft, "02").expect(200);
    let _ = office.draft(&of_order(&order));
}

fn an_order_has_one_living_invoice_whatever_is_replaced(kind: DatabaseKind) {
    let office = Office::open(kind);
    let (order, wrong) = ordered(&office);
    // Two replacements of one invoice: the first that is stamped has the order.
    let (first, second) = (replacement(&office, &wrong), replacement(&office, &wrong));
    let _ = office.stamp(&first).expect(200);
    let message = office.stamp(&second).refused(409, "order_already_invoiced");
    assert!(message.contains(&first), "{message}");
    assert_eq!(office.ledger(&second), []);
    // A replacement of what was cancelled without one takes the order only if it is still free.
    let mug = office.product("PLUMA", 9.99, &json!({}));
    let other = office.order(&office.customer(), &[(&mug, 1)]);
    let sold = office.stamped(&of_order(&other));
    let late = replacement(&office, &sold);
    let _ = office.cancel(&id(&sold), "02").expect(200);
    let holder = id(&office.draft(&of_order(&other)));
    let message = office.stamp(&late).refused(409, "order_already_invoiced");
    assert!(message.contains(&holder), "{message}");
    let _ = office.client.delete(&format!("/invoices/{holder}")).expect(200);
    let _ = office.stamp(&late).expect(200);
    let _ =
        office.client.post("/invoices", &of_order(&other)).refused(409, "order_already_invoiced");
    let _ =
        office.client.post("/invoices", &of_order(&order)).refused(409, "order_already_invoiced");
}

fn what_a_draft_rests_on_is_looked_at_when_it_is_validated(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&office.customer(), &[(&mug, 1)]);
    let ordered = id(&office.draft(&of_order(&order)));
    let sold = office.stamped_sale(116.0);
    let mut other = sale(58.0);
    other["related"] = json!([{"relation": "07", "uuids": [sold["uuid"]]}]);
    let related = id(&office.draft(&other));
    for draft in [&ordered, &related] {
        assert_eq!(office.findings(draft), []);
    }
    let path = format!("/orders/{}", id(&order));
    let _ = office.client.patch(&path, &json!({"status": "cancelled", "reason": "No"})).expect(200);
    assert_eq!(office.cancel(&id(&sold), "02").expect(200)["status"], "cancelled");
    for (draft, field) in [(&ordered, "orderId"), (&related, "related")] {
        assert_eq!(office.findings(draft), [("301".to_owned(), field.to_owned())]);
        let said = office.stamp(draft).refused(400, "validation_failed");
        assert!(said.contains(field), "{said}");
    }
}
