//! Stamping on the condition that the draft is still what the caller has seen.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::Office;
use crate::races::at_once;

on_both!(
    a_draft_is_stamped_as_it_was_seen,
    attempts_to_stamp_change_nothing_of_a_draft,
    a_change_and_a_stamp_of_what_was_seen_do_not_both_win,
);

fn tag(office: &Office, invoice: &str) -> String {
    let shown = office.client.get(&format!("/invoices/{invoice}"));
    shown.header("etag").unwrap().to_owned()
}

fn stamp_as(office: &Office, invoice: &str, tag: &str, key: Option<&str>) -> Reply {
    let request = office.client.request("POST", &format!("/invoices/{invoice}/timbrar"));
    let request = request.header("If-Match", tag);
    Reply::to(match key {
        Some(key) => request.header("Idempotency-Key", key),
        None => request,
    })
}

fn a_draft_is_stamped_as_it_was_seen(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let seen = tag(&office, &draft);
    let _ = office.change(&draft, &json!({"notes": "otra"})).expect(200);
    for stale in [seen.as_str(), "\"99\"", "\"x\""] {
        let _ = stamp_as(&office, &draft, stale, None).refused(412, "precondition_failed");
        let _ = stamp_as(&office, &draft, stale, Some("k")).refused(412, "precondition_failed");
    }
    let left = office.read(&draft);
    assert_eq!((&left["status"], &left["folio"]), (&json!("draft"), &Value::Null));
    assert_eq!((office.credits(), office.ledger(&draft)), ((1_000, 0), vec![]));
    // The refusals were not kept under their key.
    let now = tag(&office, &draft);
    let first = stamp_as(&office, &draft, &now, Some("k"));
    let stamped = first.expect(200);
    assert_eq!(stamped["notes"], "otra");
    let again = stamp_as(&office, &draft, &now, Some("k"));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    // Whoever has seen what is stamped is shown the stamp.
    for seen in [&now, &tag(&office, &draft)] {
        assert_eq!(stamp_as(&office, &draft, seen, None).expect(200), stamped);
    }
    let _ = stamp_as(&office, &draft, &seen, None).refused(412, "precondition_failed");
    assert_eq!(stamp_as(&office, &draft, "*", None).expect(200), stamped);
    assert_eq!(office.credits(), (990, 0));
    let _ =
        stamp_as(&office, "inv_01ARZ3NDEKTSV4RRFFQ69G5FAV", &now, None).refused(404, "not_found");
}

fn attempts_to_stamp_change_nothing_of_a_draft(kind: DatabaseKind) {
    let office = Office::open(kind);
    let draft = office.sale(116.0);
    let seen = tag(&office, &draft);
    office.simulate("unavailable", "accept");
    let _ = stamp_as(&office, &draft, &seen, None).refused(502, "provider_error");
    let failed = tag(&office, &draft);
    assert_ne!(failed, seen);
    // A change behind it counts, though.
    let _ = office.change(&draft, &json!({"notes": "otra"})).expect(200);
    office.simulate("normal", "accept");
    let _ = stamp_as(&office, &draft, &failed, None).refused(412, "precondition_failed");
    let changed = tag(&office, &draft);
    office.simulate("unavailable", "accept");
    let _ = stamp_as(&office, &draft, &changed, None).refused(502, "provider_error");
    office.simulate("normal", "accept");
    assert_eq!(stamp_as(&office, &draft, &changed, None).expect(200)["status"], "stamped");
    // The answer is lost, and the request is repeated.
    let draft = office.sale(116.0);
    let seen = tag(&office, &draft);
    office.simulate("timeoutAfterStamping", "accept");
    let _ = stamp_as(&office, &draft, &seen, None).refused(504, "provider_timeout");
    office.simulate("normal", "accept");
    assert_eq!(stamp_as(&office, &draft, &seen, None).expect(200)["status"], "stamped");
}

fn a_change_and_a_stamp_of_what_was_seen_do_not_both_win(kind: DatabaseKind) {
    let office = Office::open(kind);
    for _ in 0..8 {
        let draft = office.sale(116.0);
        let seen = tag(&office, &draft);
        let statuses = at_once(2, |which| match which {
            0 => stamp_as(&office, &draft, &seen, None).status,
            _ => office.change(&draft, &json!({"notes": "otra"})).status,
        });
        let left = office.read(&draft);
        match statuses.as_slice() {
            [200, 409] => {
                assert_eq!((&left["status"], &left["notes"]), (&json!("stamped"), &Value::Null));
            }
            [412, 200] => {
                assert_eq!((&left["status"], &left["notes"]), (&json!("draft"), &json!("otra")));
            }
            _ => panic!("{statuses:?}: {left}"),
        }
    }
}
