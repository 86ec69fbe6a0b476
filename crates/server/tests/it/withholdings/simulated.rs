//! What the sandbox pretends, and what follows: nothing is lost, nothing is done twice.

use serde_json::json;
use testkit::{DatabaseKind, on_both};

use super::desk::Desk;
use crate::languages::told_apart;

on_both!(
    a_lost_answer_costs_another_call_and_no_second_stamp,
    whoever_asks_again_takes_it_over,
    a_provider_that_does_not_listen_costs_nothing,
    nothing_can_be_done_with_what_is_being_stamped,
    an_interrupted_stamping_ends_after_a_restart,
);

/// Longer than the pause before the next attempt.
const PAUSE_SECONDS: i64 = 7_200;

fn a_lost_answer_costs_another_call_and_no_second_stamp(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.office.app.hold_clock();
    for (number, simulated) in ["timeout", "timeoutAfterStamping"].into_iter().enumerate() {
        desk.office.simulate(simulated, "accept");
        let draft = desk.draft(&desk.fees());
        let message = desk.stamp(&draft).refused(504, "provider_timeout");
        assert!(message.contains("found out"), "{message}");
        let seen = desk.read(&draft);
        assert_eq!(
            (&seen["status"], &seen["lastError"]["code"]),
            (&json!("stamping"), &json!("unknown"))
        );
        assert_eq!(desk.ledger(&draft), [("reserve".to_owned(), -10)]);
        let sealed = desk.get(&draft, "xml").text;
        assert!(!sealed.contains("TimbreFiscalDigital"));
        let job = desk.office.client.get("/jobs?kind=invoices.stamp_withholding").expect(200);
        assert_eq!(
            job["data"][0]["links"]["subject"],
            json!(format!("/api/v1/withholdings/{draft}"))
        );
        if simulated == "timeout" {
            desk.office.simulate("normal", "accept");
        }
        desk.office.app.advance_seconds(PAUSE_SECONDS);
        let stamped = desk.until(&draft, |withholding| withholding["status"] != "stamping");
        assert_eq!((&stamped["status"], &stamped["lastError"]), (&json!("stamped"), &json!(null)));
        let xml = desk.get(&draft, "xml").text;
        let bare = sealed.strip_suffix("</retenciones:Retenciones>").unwrap();
        assert!(xml.starts_with(bare), "the same bytes");
        assert_eq!((desk.stamps().len(), desk.ledger(&draft).len()), (number + 1, 2));
    }
    assert_eq!(desk.office.credits(), (980, 0));
}

fn whoever_asks_again_takes_it_over(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.office.app.hold_clock();
    desk.office.simulate("timeoutAfterStamping", "accept");
    let draft = desk.draft(&desk.fees());
    let _ = desk.stamp(&draft).refused(504, "provider_timeout");
    let stamped = desk.stamp(&draft).expect(200);
    assert_eq!(stamped["status"], "stamped");
    assert_eq!((desk.stamps().len(), desk.ledger(&draft).len()), (1, 2));
    assert_eq!(desk.told("withholding.stamped").len(), 1);
}

fn a_provider_that_does_not_listen_costs_nothing(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.office.simulate("unavailable", "accept");
    let draft = desk.draft(&desk.fees());
    let message = desk.stamp(&draft).refused(502, "provider_error");
    assert!(message.contains("Nothing was stamped"), "{message}");
    let seen = desk.read(&draft);
    assert_eq!((&seen["status"], &seen["stamp"]), (&json!("draft"), &json!(null)));
    assert_eq!(seen["lastError"]["code"], "provider_unavailable");
    let _ = told_apart(&desk.office.client, &format!("/withholdings/{draft}"));
    assert_eq!(desk.told("withholding.stamp_failed").len(), 1);
    assert_eq!((desk.office.credits(), desk.ledger(&draft).len()), ((1_000, 0), 2));
    let _ = desk.get(&draft, "xml").refused(409, "conflict");
    desk.office.simulate("normal", "accept");
    let _ = desk.change(&draft, &json!({"folio": "R2"})).expect(200);
    assert_eq!(desk.stamp(&draft).expect(200)["lastError"], json!(null));
}

fn nothing_can_be_done_with_what_is_being_stamped(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.office.app.hold_clock();
    desk.office.simulate("timeout", "accept");
    let draft = desk.draft(&desk.fees());
    let _ = desk.stamp(&draft).refused(504, "provider_timeout");
    let before = desk.read(&draft);
    for reply in [
        desk.change(&draft, &json!({"folio": "x"})),
        desk.office.client.delete(&format!("/withholdings/{draft}")),
        desk.cancel(&draft, &json!({"reason": "02"})),
    ] {
        let message = reply.refused(409, "invalid_transition");
        assert!(message.contains("stamp") && message.contains("wait"), "{message}");
    }
    assert_eq!(desk.read(&draft), before);
    desk.office.simulate("normal", "accept");
    let _ = desk.stamp(&draft).expect(200);
}

fn an_interrupted_stamping_ends_after_a_restart(kind: DatabaseKind) {
    let mut desk = Desk::open(kind);
    desk.office.app.hold_clock();
    desk.office.simulate("timeoutAfterStamping", "accept");
    let draft = desk.draft(&desk.fees());
    let _ = desk.stamp(&draft).refused(504, "provider_timeout");
    let made = desk.stamps();
    desk.office.app = desk.office.app.restart();
    desk.office.client = desk.office.client.at(&desk.office.app);
    desk.office.app.advance_seconds(PAUSE_SECONDS);
    let stamped = desk.until(&draft, |withholding| withholding["status"] != "stamping");
    assert_eq!((&stamped["status"], &stamped["uuid"]), (&json!("stamped"), &json!(made[0])));
    assert_eq!((desk.stamps(), desk.ledger(&draft).len()), (made, 2));
}
