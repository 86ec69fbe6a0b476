//! Cancelling: over with SAT's receipt, and asked for once.

use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::invoices::office::id;

on_both!(
    a_cancelled_withholding_has_its_receipt,
    a_repeat_asks_for_nothing_anew,
    one_that_is_replaced_names_its_replacement,
    what_cannot_be_cancelled_is_refused,
    a_rejected_request_leaves_it_valid,
);

fn a_cancelled_withholding_has_its_receipt(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let stamped = desk.stamped(&desk.fees());
    let one = id(&stamped);
    let cancelled = desk.cancel(&one, &json!({"reason": "02"})).expect(200);
    assert_eq!(cancelled["status"], "cancelled");
    let cancellation = &cancelled["cancellation"];
    assert_eq!(cancellation["status"], "accepted");
    assert_eq!((&cancellation["reason"], &cancellation["code"]), (&json!("02"), &json!("1201")));
    assert_eq!(cancelled["stamp"], stamped["stamp"], "the stamp stays");
    assert_eq!(desk.read(&one), cancelled);
    let receipt = desk.get(&one, "cancellation-receipt");
    assert_eq!((receipt.status, receipt.header("content-type")), (200, Some("application/xml")));
    let read = cfdi::cancellation::Receipt::parse(&receipt.text).unwrap();
    assert_eq!(read.status_of(stamped["uuid"].as_str().unwrap()), Some("1201"));
    assert!(desk.get(&one, "pdf").text.starts_with("%PDF"));
    let told = json!({"id": one, "uuid": stamped["uuid"]});
    assert_eq!(desk.told("withholding.cancelled"), [told]);
    assert_eq!(desk.office.credits(), (990, 0), "a cancellation costs nothing");
    let message = desk.stamp(&one).refused(409, "invalid_transition");
    assert!(message.contains("is cancelled"), "{message}");
}

fn a_repeat_asks_for_nothing_anew(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let one = id(&desk.stamped(&desk.fees()));
    let path = format!("/withholdings/{one}/cancel");
    let reason = json!({"reason": "03"});
    let ask = || desk.office.client.post_once(&path, "key-3", &reason);
    let first = ask().expect(200);
    let second = ask();
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(second.expect(200), first);
    assert_eq!(desk.cancel(&one, &reason).expect(200), first);
    let message = desk.cancel(&one, &json!({"reason": "02"})).refused(409, "conflict");
    assert!(message.contains("with reason 03"), "{message}");
    assert_eq!(desk.told("withholding.cancelled").len(), 1);
}

fn one_that_is_replaced_names_its_replacement(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let wrong = desk.stamped(&desk.fees());
    let mut body = desk.fees();
    body["related"] = json!({"relation": "04", "uuid": wrong["uuid"]});
    let draft = desk.draft(&body);
    let ask =
        |uuid: &Value| desk.cancel(&id(&wrong), &json!({"reason": "01", "replacementUuid": uuid}));
    let other = desk.stamped(&desk.fees());
    for uuid in [&other["uuid"], &wrong["uuid"]] {
        let message = ask(uuid).refused(400, "validation_failed");
        assert!(message.contains("replacementUuid must be the uuid of a stamped"), "{message}");
    }
    let right = desk.stamp(&draft).expect(200);
    assert_eq!(right["related"]["uuid"], wrong["uuid"]);
    let cancelled = ask(&right["uuid"]).expect(200);
    assert_eq!(cancelled["cancellation"]["replacementUuid"], right["uuid"]);
    assert_eq!(cancelled["status"], "cancelled");
}

fn what_cannot_be_cancelled_is_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let draft = desk.draft(&desk.fees());
    let message = desk.cancel(&draft, &json!({"reason": "02"})).refused(409, "invalid_transition");
    assert!(message.contains("delete it instead"), "{message}");
    let one = id(&desk.stamped(&desk.fees()));
    for (body, code, problem) in [
        (json!({}), "invalid_cancellation_reason", "reason is required"),
        (json!({"reason": "09"}), "invalid_cancellation_reason", "reason must be one of"),
        (json!({"reason": "01"}), "validation_failed", "replacementUuid must be the fiscal folio"),
        (json!({"reason": "02", "uuid": "x"}), "validation_failed", "\"uuid\" is not a field"),
    ] {
        let message = desk.cancel(&one, &body).refused(400, code);
        assert!(message.contains(problem), "{message}");
    }
    let other = desk.office.app.issuer();
    let foreign = other.post(&format!("/withholdings/{one}/cancel"), &json!({"reason": "02"}));
    let _ = foreign.refused(404, "not_found");
    assert_eq!(desk.read(&one)["status"], "stamped");
}

fn a_rejected_request_leaves_it_valid(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let one = id(&desk.stamped(&desk.fees()));
    // The sandbox has lost it, so it knows of nothing to cancel.
    let gone = "DELETE FROM sandbox_stamps RETURNING uuid AS line";
    assert_eq!(desk.office.app.database.lines(gone).len(), 1);
    let message = desk.cancel(&one, &json!({"reason": "02"})).refused(409, "rejected_by_provider");
    assert!(message.contains("1205"), "{message}");
    let seen = desk.read(&one);
    assert_eq!(
        (&seen["status"], &seen["cancellation"]["status"]),
        (&json!("stamped"), &json!("rejected"))
    );
    let told = desk.told("withholding.cancellation_rejected");
    assert_eq!((told.len(), &told[0]["uuid"]), (1, &seen["uuid"]));
}
