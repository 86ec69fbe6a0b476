//! Cancellation before the authority: reasons, decisions, receipts.

use std::thread;

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::{Office, id, is_moment};

on_both!(
    a_small_invoice_is_cancelled_at_once,
    any_other_reason_is_refused,
    reasons_go_with_their_replacement,
    only_what_is_stamped_is_cancelled,
    the_receiver_decides,
    a_pending_cancellation_is_followed,
    a_rejected_cancellation_can_be_asked_for_again,
    cancelling_again_answers_how_it_stands,
    a_repeat_replays_the_cancellation,
    the_receipt_is_kept_and_served,
    cancelling_needs_a_certificate,
    cancelling_costs_and_refunds_no_credits,
    many_at_once_make_one_request,
);

/// Above this, the receiver is asked.
const LARGE: f64 = 1_160.0;

fn decided(invoice: &Value) -> (&str, &str) {
    (invoice["status"].as_str().unwrap(), invoice["cancellation"]["status"].as_str().unwrap())
}

fn cancel_with(office: &Office, invoice: &str, body: &Value) -> Reply {
    office.client.post(&format!("/invoices/{invoice}/cancel"), body)
}

fn a_small_invoice_is_cancelled_at_once(kind: DatabaseKind) {
    let office = Office::open(kind);
    for reason in ["02", "03", "04"] {
        let invoice = id(&office.stamped_sale(116.0));
        let cancelled = office.cancel(&invoice, reason).expect(200);
        assert_eq!(decided(&cancelled), ("cancelled", "accepted"));
        let cancellation = &cancelled["cancellation"];
        assert_eq!(
            (&cancellation["reason"], &cancellation["code"]),
            (&json!(reason), &json!("201"))
        );
        assert_eq!(cancellation["replacementUuid"], json!(null));
        assert_eq!(cancellation["fiscalStatus"]["state"], "Cancelado");
        for moment in ["requestedAt", "receivedAt", "resolvedAt"] {
            assert!(is_moment(&cancellation[moment]), "{moment} in {cancellation}");
        }
        assert!(cancelled["uuid"].is_string() && cancelled["stamp"]["uuid"] == cancelled["uuid"]);
        assert_eq!(office.read(&invoice), cancelled);
        let pdf = office.client.get(&format!("/invoices/{invoice}/pdf"));
        assert!(pdf.text.starts_with("%PDF"));
        assert_eq!(office.client.get(&format!("/invoices/{invoice}/xml")).status, 200);
    }
    // As the tax authority calls it.
    let invoice = id(&office.stamped_sale(116.0));
    assert_eq!(
        decided(&cancel_with(&office, &invoice, &json!({"motivo": "02"})).expect(200)).0,
        "cancelled"
    );
}

fn any_other_reason_is_refused(kind: DatabaseKind) {
    let office = Office::open(kind);
    let invoice = id(&office.stamped_sale(116.0));
    let bodies = [
        json!({}),
        json!({"reason": "05"}),
        json!({"reason": "00"}),
        json!({"reason": "1"}),
        json!({"reason": ""}),
        json!({"reason": " 02"}),
        json!({"reason": 2}),
        json!({"reason": null}),
        json!({"reason": true}),
        json!({"reason": ["02"]}),
        json!({"reason": {"code": "02"}}),
        json!({"motivo": "5"}),
        json!({"motivo": 1}),
        json!({"motivo": null}),
        json!({"reason": "02", "motivo": "03"}),
        json!({"cancellationReason": "02"}),
    ];
    for body in &bodies {
        let refused = cancel_with(&office, &invoice, body);
        let message = refused.refused(400, "invalid_cancellation_reason");
        assert!(message.contains("reason") || message.contains("motivo"), "{body}: {message}");
    }
    let _ = office
        .client
        .act(&format!("/invoices/{invoice}/cancel"))
        .refused(400, "invalid_cancellation_reason");
    assert_eq!(decided(&office.read(&invoice)), ("stamped", "none"));
    // Of a draft too: the reason is looked at first.
    let draft = office.sale(116.0);
    let _ = office.cancel(&draft, "07").refused(400, "invalid_cancellation_reason");
}

fn reasons_go_with_their_replacement(kind: DatabaseKind) {
    let office = Office::open(kind);
    let invoice = office.stamped_sale(116.0);
    let other = office.stamped_sale(58.0);
    let (path, uuid) = (id(&invoice), &other["uuid"]);
    for (body, words) in [
        (json!({"reason": "01"}), "replacementUuid"),
        (json!({"reason": "01", "replacementUuid": null}), "replacementUuid"),
        (json!({"reason": "01", "replacementUuid": "x"}), "replacementUuid"),
        (json!({"reason": "01", "replacementUuid": uuid}), "relation 04"),
        (json!({"reason": "01", "replacementUuid": invoice["uuid"]}), "relation 04"),
        (
            json!({"reason": "01", "replacementUuid": "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60"}),
            "relation 04",
        ),
        (json!({"reason": "02", "replacementUuid": uuid}), "replacementUuid"),
        (json!({"reason": "03", "replacementUuid": uuid}), "replacementUuid"),
        (json!({"reason": "04", "replacementUuid": uuid}), "replacementUuid"),
        (json!({"reason": "02", "uuid": uuid}), "uuid"),
    ] {
        let message = cancel_with(&office, &path, &body).refused(400, "validation_failed");
        assert!(message.contains(words), "{body}: {message}");
    }
    assert_eq!(decided(&office.read(&path)), ("stamped", "none"));
}

fn only_what_is_stamped_is_cancelled(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let message = office.cancel(&draft, "02").refused(409, "invalid_transition");
    assert!(message.contains("draft") && message.contains("delete"), "{message}");
    let _ = office.cancel("inv_01ARZ3NDEKTSV4RRFFQ69G5FAV", "02").refused(404, "not_found");
}

fn the_receiver_decides(kind: DatabaseKind) {
    let office = Office::open(kind);
    for (simulated, status, decision) in [
        ("accept", "cancelled", "accepted"),
        ("reject", "stamped", "rejected"),
        ("expire", "cancelled", "expired"),
        ("pending", "stamped", "requested"),
    ] {
        office.simulate("normal", simulated);
        let invoice = id(&office.stamped_sale(LARGE));
        let asked = office.cancel(&invoice, "02").expect(200);
        assert_eq!(decided(&asked), (status, decision), "{simulated}");
        let resolved = is_moment(&asked["cancellation"]["resolvedAt"]);
        assert_eq!(resolved, decision != "requested", "{simulated}");
        assert_eq!(office.read(&invoice), asked);
        // Nobody is asked about a small one.
        let small = id(&office.stamped_sale(116.0));
        assert_eq!(decided(&office.cancel(&small, "02").expect(200)), ("cancelled", "accepted"));
    }
    office.simulate("normal", "accept");
    office.app.advance_seconds(7_200);
    let waiting = office.client.get("/invoices?status=stamped").expect(200);
    for invoice in waiting["data"].as_array().unwrap() {
        if decided(invoice).1 == "requested" {
            let _ = office.until(&id(invoice), |invoice| invoice["status"] == "cancelled");
        }
    }
}

fn a_pending_cancellation_is_followed(kind: DatabaseKind) {
    let office = Office::open(kind);
    for (simulated, status, decision) in [
        ("accept", "cancelled", "accepted"),
        ("reject", "stamped", "rejected"),
        ("expire", "cancelled", "expired"),
    ] {
        office.simulate("normal", "pending");
        let invoice = id(&office.stamped_sale(LARGE));
        let asked = office.cancel(&invoice, "03").expect(200);
        assert_eq!(asked["cancellation"]["fiscalStatus"]["cancellation"], "En proceso");
        office.app.advance_seconds(7_200);
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(decided(&office.read(&invoice)), ("stamped", "requested"), "still");
        office.simulate("normal", simulated);
        office.app.advance_seconds(7_200);
        let ended = office.until(&invoice, |invoice| decided(invoice).1 != "requested");
        assert_eq!(decided(&ended), (status, decision), "{simulated}");
    }
}

fn a_rejected_cancellation_can_be_asked_for_again(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.simulate("normal", "reject");
    let invoice = id(&office.stamped_sale(LARGE));
    assert_eq!(decided(&office.cancel(&invoice, "02").expect(200)), ("stamped", "rejected"));
    office.simulate("normal", "accept");
    let again = office.cancel(&invoice, "03").expect(200);
    assert_eq!(decided(&again), ("cancelled", "accepted"));
    assert_eq!(again["cancellation"]["reason"], "03");
}

fn cancelling_again_answers_how_it_stands(kind: DatabaseKind) {
    let office = Office::open(kind);
    let small = id(&office.stamped_sale(116.0));
    let first = office.cancel(&small, "02").expect(200);
    assert_eq!(office.cancel(&small, "02").expect(200), first);
    let message = office.cancel(&small, "03").refused(409, "conflict");
    assert!(message.contains("02"), "{message}");

    office.simulate("normal", "pending");
    let large = id(&office.stamped_sale(LARGE));
    let first = office.cancel(&large, "02").expect(200);
    assert_eq!(office.cancel(&large, "02").expect(200), first);
    let _ = office.cancel(&large, "04").refused(409, "conflict");
    office.simulate("normal", "accept");
    office.app.advance_seconds(7_200);
    let ended = office.until(&large, |invoice| invoice["status"] == "cancelled");
    assert_eq!(office.cancel(&large, "02").expect(200), ended);
}

fn a_repeat_replays_the_cancellation(kind: DatabaseKind) {
    let office = Office::open(kind);
    for price in [116.0, LARGE] {
        let invoice = id(&office.stamped_sale(price));
        let path = format!("/invoices/{invoice}/cancel");
        let cancel = |reason: &str| office.client.post_once(&path, "k", &json!({"reason": reason}));
        let (first, second) = (cancel("02"), cancel("02"));
        assert_eq!((first.status, second.status), (200, 200));
        assert_eq!(first.text, second.text, "the same answer");
        assert_eq!(second.header("idempotent-replayed"), Some("true"));
        let _ = cancel("03").refused(422, "idempotency_key_reused");
    }
    // A repeat asks for nothing new, even where that could be asked for.
    office.simulate("normal", "reject");
    let invoice = id(&office.stamped_sale(LARGE));
    let path = format!("/invoices/{invoice}/cancel");
    let first = office.client.post_once(&path, "k", &json!({"reason": "02"}));
    office.simulate("normal", "accept");
    let second = office.client.post_once(&path, "k", &json!({"reason": "02"}));
    assert_eq!((first.status, &first.text), (200, &second.text));
    assert_eq!(decided(&office.read(&invoice)), ("stamped", "rejected"));
}

fn the_receipt_is_kept_and_served(kind: DatabaseKind) {
    let office = Office::open(kind);
    let invoice = office.stamped_sale(116.0);
    let path = format!("/invoices/{}/cancellation-receipt", id(&invoice));
    let message = office.client.get(&path).refused(409, "conflict");
    assert!(message.contains("no cancellation"), "{message}");
    let _ = office.cancel(&id(&invoice), "02").expect(200);
    let receipt = office.client.get(&path);
    assert_eq!((receipt.status, receipt.header("content-type")), (200, Some("application/xml")));
    let uuid = invoice["uuid"].as_str().unwrap();
    assert!(receipt.text.contains("<Acuse") && receipt.text.contains(uuid), "{}", receipt.text);
    let name = receipt.header("content-disposition").unwrap();
    assert!(name.contains(&format!("{uuid}-acuse.xml")), "{name}");
    assert_eq!(office.client.get(&path).text, receipt.text);
    let _ = office.app.client().get(&path).refused(404, "not_found");
}

fn cancelling_needs_a_certificate(kind: DatabaseKind) {
    let office = Office::open(kind);
    let invoice = id(&office.stamped_sale(116.0));
    let certificates = "/invoices/cfdi/issuer/certificates";
    let list = office.client.get(certificates).expect(200);
    let certificate = format!("{certificates}/{}", id(&list["data"][0]));
    let _ = office.client.delete(&certificate).expect(200);
    let _ = office.cancel(&invoice, "02").refused(409, "certificate_missing");
    assert_eq!(decided(&office.read(&invoice)), ("stamped", "none"));
    office.app.can_invoice(office.account);
    assert_eq!(decided(&office.cancel(&invoice, "02").expect(200)).0, "cancelled");
}

fn cancelling_costs_and_refunds_no_credits(kind: DatabaseKind) {
    let office = Office::open(kind);
    let invoice = id(&office.stamped_sale(116.0));
    let before = (office.credits(), office.ledger(&invoice));
    let _ = office.cancel(&invoice, "02").expect(200);
    assert_eq!((office.credits(), office.ledger(&invoice)), before);
    assert_eq!(office.told().len(), 1, "no event of the catalog tells of it");
}

fn many_at_once_make_one_request(kind: DatabaseKind) {
    let office = Office::open(kind);
    for price in [116.0, LARGE] {
        let invoice = id(&office.stamped_sale(price));
        let replies = crate::races::at_once(10, |_| office.cancel(&invoice, "02"));
        assert!(replies.iter().any(|reply| reply.status == 200));
        for reply in replies.iter().filter(|reply| reply.status != 200) {
            let _ = reply.refused(409, "in_progress");
        }
        let ended = office.until(&invoice, |invoice| invoice["status"] == "cancelled");
        assert_eq!(ended["cancellation"]["code"], "201", "the first request, not a repeated one");
    }
}

/// Whoever cancels the original and whoever cancels its replacement lock both in one order.
#[test]
fn of_an_invoice_and_its_replacement_the_newer_one_is_locked_first() {
    let office = Office::open(DatabaseKind::Postgres);
    let wrong = office.stamped_sale(116.0);
    let path = format!("/invoices/{}/copy", id(&wrong));
    let copied = office.client.post(&path, &json!({"replace": true})).expect(201);
    let right = office.stamp(&id(&copied)).expect(200);
    let locks = |invoice: &Value| {
        format!("SELECT 1 FROM invoices WHERE id = '{}' FOR UPDATE NOWAIT", id(invoice))
    };
    let by = json!({"reason": "01", "replacementUuid": right["uuid"]});
    let mut held = office.app.database.hold(&locks(&right));
    let cancelled = thread::scope(|scope| {
        let cancelling = scope.spawn(|| cancel_with(&office, &id(&wrong), &by));
        held.wait_for(1, || cancelling.is_finished());
        // Who waits for the replacement has not locked the original.
        held.go_on(&locks(&wrong));
        held.commit();
        cancelling.join().unwrap().expect(200)
    });
    assert_eq!(decided(&cancelled), ("cancelled", "accepted"));
}
