//! What can be done with a draft, and with no other invoice: change it, delete it. And copies.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::{Office, company, id, item, sale, sale_in_parts};

on_both!(
    fields_are_changed_and_cleared,
    wrong_changes_are_named_and_change_nothing,
    sending_back_what_was_read_says_the_same,
    a_stale_version_is_refused,
    a_draft_is_deleted,
    what_is_stamped_is_neither_changed_nor_deleted,
    a_copy_says_the_same,
    a_replacement_refers_to_what_it_replaces,
);

fn fields_are_changed_and_cleared(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    // Field, value, value when cleared.
    let cases = [
        ("paymentForm", json!("01"), Some(json!(null))),
        ("paymentTerms", json!("30 días"), Some(json!(null))),
        ("exchangeRate", json!(18.5), Some(json!(null))),
        ("confirmation", json!("A1B2C"), Some(json!(null))),
        ("notes", json!("Gracias.\nVuelva pronto."), Some(json!(null))),
        ("metadata", json!({"canal": "web"}), Some(json!({}))),
        ("placeOfIssue", json!("06600"), Some(json!("42501"))),
        ("series", json!("WEB"), None),
        ("export", json!("02"), None),
        ("currency", json!("USD"), None),
        ("related", json!([]), None),
    ];
    for (field, value, cleared) in cases {
        let before = office.read(&draft);
        let after = office.change(&draft, &json!({field: value})).expect(200);
        let mut expected = before;
        expected[field] = value;
        expected["updatedAt"] = after["updatedAt"].clone();
        assert_eq!(after, expected, "only {field} changes");
        assert_eq!(office.read(&draft), after);
        match cleared {
            Some(cleared) => {
                let shown = office.change(&draft, &json!({field: null})).expect(200);
                assert_eq!(shown[field], cleared, "{field}");
            }
            None => {
                let refused = office.change(&draft, &json!({field: null}));
                assert!(refused.refused(400, "validation_failed").contains(field), "{field}");
            }
        }
    }
    let replaced = office.change(&draft, &json!({"items": [item(1.0), item(2.0)]})).expect(200);
    assert_eq!((replaced["items"].as_array().unwrap().len(), &replaced["total"]), (2, &json!(3)));
    let parts = office.change(&draft, &json!({"paymentMethod": "PPD", "paymentForm": null}));
    let parts = parts.expect(200);
    assert_eq!((&parts["paymentMethod"], &parts["paymentForm"]), (&json!("PPD"), &json!("99")));
    assert_eq!(office.told().len(), 1, "changes are not told");
}

fn wrong_changes_are_named_and_change_nothing(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let before = office.client.get(&format!("/invoices/{draft}"));
    let cases = [
        (json!({"items": [{"quantity": "1"}]}), "items[0].quantity"),
        (json!({"receiver": {"rfc": "X"}}), "receiver.rfc"),
        (json!({"receiver": "me"}), "receiver"),
        (json!({"placeOfIssue": "00001"}), "placeOfIssue"),
        (json!({"customerId": "cus_1"}), "customerId"),
        (json!({"paymentForm": 3}), "paymentForm"),
        (json!({"metdata": {}}), "metdata"),
        (json!({"export": "1"}), "export"),
    ];
    for (changes, field) in cases {
        let message = office.change(&draft, &changes).refused(400, "validation_failed");
        assert!(message.contains(field), "{field} in {message:?}");
    }
    // A document has at least one item, whenever it is looked at.
    let emptied = office.change(&draft, &json!({"items": []}));
    assert!(emptied.status == 400 || emptied.status == 200, "{}", emptied.text);
    if emptied.status == 200 {
        assert_ne!(
            office.findings(&draft),
            [],
            "it is found at the latest when it is to be stamped"
        );
        return;
    }
    let after = office.client.get(&format!("/invoices/{draft}"));
    assert_eq!((after.header("etag"), &after.text), (before.header("etag"), &before.text));
}

fn sending_back_what_was_read_says_the_same(kind: DatabaseKind) {
    let office = Office::open(kind);
    let customer = office.customer();
    let mug = office.product("TAZA", 19.99, &json!({}));
    let order = office.order(&customer, &[(&mug, 3)]);
    let owed = office.stamped(&sale_in_parts(116.0));
    let payment = json!({"type": "P", "payments": [{"paidAt": office.app.now().to_string(),
        "paymentForm": "03", "amount": 16, "documents": [{"invoiceId": owed["id"], "amount": 16}]}]});
    let bodies = [
        sale(116.0),
        json!({"orderId": order["id"], "paymentForm": "03"}),
        json!({"customerId": customer, "items": [{"productId": mug, "quantity": 1.5, "discount": 1}]}),
        payment,
    ];
    for body in bodies {
        let draft = office.draft(&body);
        let mut after = office.change(&id(&draft), &draft).expect(200);
        after["updatedAt"] = draft["updatedAt"].clone();
        assert_eq!(after, draft);
        let mut nothing = office.change(&id(&draft), &json!({})).expect(200);
        nothing["updatedAt"] = draft["updatedAt"].clone();
        assert_eq!(nothing, draft);
    }
}

/// Does something on the condition that the invoice still has this tag.
fn on_condition(office: &Office, method: &str, invoice: &str, tag: &str, body: &Value) -> Reply {
    let request = office.client.request(method, &format!("/invoices/{invoice}"));
    let request = request.header("If-Match", tag).header("Content-Type", "application/json");
    Reply::to(request.body(body.to_string()))
}

fn a_stale_version_is_refused(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let place = format!("/invoices/{draft}");
    let first = office.client.get(&place).header("etag").unwrap().to_owned();
    let changed = on_condition(&office, "PATCH", &draft, &first, &json!({"notes": "a"}));
    let second = changed.header("etag").unwrap().to_owned();
    assert_eq!(changed.status, 200);
    assert_ne!(first, second);
    for (method, body) in [("PATCH", json!({"notes": "b"})), ("DELETE", json!({}))] {
        let refused = on_condition(&office, method, &draft, &first, &body);
        let _ = refused.refused(412, "precondition_failed");
    }
    assert_eq!(office.read(&draft)["notes"], "a");
    assert_eq!(on_condition(&office, "DELETE", &draft, &second, &json!({})).status, 200);
}

fn a_draft_is_deleted(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let place = format!("/invoices/{draft}");
    let deleted = office.client.delete(&place).expect(200);
    assert_eq!(deleted, json!({"id": draft, "deleted": true}));
    let body = json!({});
    for reply in [
        office.client.get(&place),
        office.client.delete(&place),
        office.change(&draft, &body),
        office.stamp(&draft),
        office.cancel(&draft, "02"),
        office.client.act(&format!("{place}/validate")),
        office.client.act(&format!("{place}/copy")),
        office.client.get(&format!("{place}/xml")),
        office.client.get(&format!("{place}/pdf")),
        office.client.get(&format!("{place}/cancellation-receipt")),
    ] {
        let _ = reply.refused(404, "not_found");
    }
    assert_eq!(office.client.get("/invoices").expect(200)["total"], 0);
}

fn what_is_stamped_is_neither_changed_nor_deleted(kind: DatabaseKind) {
    let office = Office::open(kind);
    let stamped = office.stamped_sale(116.0);
    let invoice = id(&stamped);
    for reply in [
        office.change(&invoice, &json!({"notes": "x"})),
        office.client.delete(&format!("/invoices/{invoice}")),
    ] {
        let message = reply.refused(409, "invalid_transition");
        assert!(message.contains("stamped") && message.contains("/copy"), "{message}");
    }
    assert_eq!(office.read(&invoice), stamped);
    assert_eq!(office.cancel(&invoice, "02").expect(200)["status"], "cancelled");
    let _ = office.change(&invoice, &json!({"notes": "x"})).refused(409, "invalid_transition");
}

fn a_copy_says_the_same(kind: DatabaseKind) {
    let office = Office::open(kind);
    let mut body = sale(116.0);
    body["notes"] = json!("Gracias");
    body["metadata"] = json!({"canal": "web"});
    body["customerId"] = json!(office.customer());
    let stamped = office.stamped(&body);
    let made = office.client.act(&format!("/invoices/{}/copy", id(&stamped)));
    let place = made.header("location").unwrap().to_owned();
    let copy = made.expect(201);
    assert!(place.ends_with(&id(&copy)));
    assert_ne!(copy["id"], stamped["id"]);
    for name in [
        "type",
        "series",
        "receiver",
        "items",
        "total",
        "customerId",
        "notes",
        "metadata",
        "paymentForm",
        "paymentMethod",
    ] {
        assert_eq!(copy[name], stamped[name], "{name}");
    }
    for name in ["uuid", "folio", "stamp", "issuedAt", "lastError"] {
        assert_eq!(copy[name], json!(null), "{name}");
    }
    assert_eq!((&copy["status"], &copy["related"]), (&json!("draft"), &json!([])));
    assert_eq!(office.told().len(), 2, "it is an invoice of its own");
    assert_eq!(office.stamp(&id(&copy)).expect(200)["folio"], "2");
}

fn a_replacement_refers_to_what_it_replaces(kind: DatabaseKind) {
    let office = Office::open(kind);
    let replace = |invoice: &str| {
        office.client.post(&format!("/invoices/{invoice}/copy"), &json!({"replace": true}))
    };
    let draft = office.sale(116.0);
    let message = replace(&draft).refused(409, "invalid_transition");
    assert!(message.contains("draft"), "{message}");
    let stamped = office.stamp(&draft).expect(200);
    let copy = replace(&draft).expect(201);
    assert_eq!(copy["related"], json!([{"relation": "04", "uuids": [stamped["uuid"]]}]));
    let corrected =
        office.change(&id(&copy), &json!({"receiver": company(), "items": [item(58.0)]}));
    assert_eq!(corrected.expect(200)["related"], copy["related"]);
    let _ = office
        .client
        .post(&format!("/invoices/{draft}/copy"), &json!({"replaces": true}))
        .refused(400, "validation_failed");
    let _ = office
        .client
        .post(&format!("/invoices/{draft}/copy"), &json!({"replace": "yes"}))
        .refused(400, "validation_failed");
}
