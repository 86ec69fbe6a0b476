//! What the sandbox pretends, and what follows: nothing is lost, nothing is done twice.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, on_both};

use super::office::Office;

on_both!(
    a_lost_answer_costs_another_call_and_no_second_stamp,
    a_stamp_whose_answer_was_lost_is_found,
    whoever_asks_again_takes_it_over,
    a_provider_that_does_not_listen_costs_nothing,
    what_a_provider_met_is_told_in_the_readers_language,
    nothing_can_be_done_with_what_is_being_stamped,
    an_interrupted_stamping_ends_after_a_restart,
);

/// Longer than the pause before the next attempt.
const PAUSE_SECONDS: i64 = 7_200;

fn a_lost_answer_costs_another_call_and_no_second_stamp(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.app.hold_clock();
    office.simulate("timeout", "accept");
    let draft = office.sale(116.0);
    let message = office.stamp(&draft).refused(504, "provider_timeout");
    assert!(message.contains("found out"), "{message}");
    let seen = office.read(&draft);
    assert_eq!((&seen["status"], &seen["folio"]), (&json!("stamping"), &json!("1")));
    assert_eq!(seen["lastError"]["code"], "unknown");
    assert_eq!((office.credits(), office.ledger(&draft).len()), ((990, 10), 1));
    let xml = office.client.get(&format!("/invoices/{draft}/xml"));
    assert_eq!(xml.status, 200, "the sealed document is kept");
    assert!(!xml.text.contains("TimbreFiscalDigital"));

    office.simulate("normal", "accept");
    office.app.advance_seconds(PAUSE_SECONDS);
    let stamped = office.until(&draft, |invoice| invoice["status"] != "stamping");
    assert_eq!((&stamped["status"], &stamped["lastError"]), (&json!("stamped"), &json!(null)));
    assert_eq!(stamped["issuedAt"], seen["issuedAt"], "the same bytes");
    assert_eq!((office.credits(), office.ledger(&draft).len()), ((990, 0), 2));
}

fn a_stamp_whose_answer_was_lost_is_found(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.app.hold_clock();
    office.simulate("timeoutAfterStamping", "accept");
    let draft = office.sale(116.0);
    let _ = office.stamp(&draft).refused(504, "provider_timeout");
    let stamps = || office.app.database.lines("SELECT uuid AS line FROM sandbox_stamps");
    let made = stamps();
    assert_eq!(made.len(), 1, "the provider has stamped it");
    office.app.advance_seconds(PAUSE_SECONDS);
    let stamped = office.until(&draft, |invoice| invoice["status"] != "stamping");
    assert_eq!((&stamped["status"], &stamped["uuid"]), (&json!("stamped"), &json!(made[0])));
    assert_eq!(stamps(), made);
    assert_eq!((office.credits(), office.ledger(&draft).len()), ((990, 0), 2));
}

fn whoever_asks_again_takes_it_over(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.app.hold_clock();
    for simulated in ["timeout", "timeoutAfterStamping"] {
        office.simulate(simulated, "accept");
        let draft = office.sale(116.0);
        let _ = office.stamp(&draft).refused(504, "provider_timeout");
        office.simulate("normal", "accept");
        let stamped = office.stamp(&draft).expect(200);
        assert_eq!(stamped["status"], "stamped", "{simulated}");
        assert_eq!(office.ledger(&draft).len(), 2);
    }
    assert_eq!(office.credits(), (980, 0));
}

fn a_provider_that_does_not_listen_costs_nothing(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.simulate("unavailable", "accept");
    let draft = office.sale(116.0);
    for attempt in 1..=2 {
        let message = office.stamp(&draft).refused(502, "provider_error");
        assert!(message.contains("Nothing was stamped"), "{message}");
        let seen = office.read(&draft);
        assert_eq!((&seen["status"], &seen["stamp"]), (&json!("draft"), &json!(null)));
        assert_eq!(seen["lastError"]["code"], "provider_unavailable");
        assert_eq!((office.credits(), office.ledger(&draft).len()), ((1_000, 0), 2 * attempt));
    }
    let message = office.client.get(&format!("/invoices/{draft}/xml")).refused(409, "conflict");
    assert!(message.contains("not sealed"), "{message}");
    // It is a draft like any other.
    let _ = office.change(&draft, &json!({"notes": "otra vez"})).expect(200);
    office.simulate("normal", "accept");
    let stamped = office.stamp(&draft).expect(200);
    assert_eq!((&stamped["folio"], &stamped["lastError"]), (&json!("1"), &json!(null)));
    let told = |kind: &str, amount: i64| (kind.to_owned(), amount);
    let (set_aside, back) = (told("reserve", -10), told("release", 10));
    let expected =
        [&set_aside, &back, &set_aside, &back, &set_aside, &told("commit", 0)].map(Clone::clone);
    assert_eq!(office.ledger(&draft), expected);
}

fn what_a_provider_met_is_told_in_the_readers_language(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.app.hold_clock();
    office.simulate("unavailable", "accept");
    let draft = office.sale(116.0);
    let one = format!("/invoices/{draft}");
    let ask = |method: &str, path: &str, language: &str| {
        Reply::to(office.client.request(method, path).header("Accept-Language", language))
    };
    let stamp = format!("{one}/timbrar");
    let in_both = |path: &str, of: fn(&Value) -> &Value| {
        ["en", "es"].map(|language| {
            let shown = ask("GET", path, language).expect(200);
            of(&shown).as_str().expect("a reason").to_owned()
        })
    };
    for (simulated, status, code) in
        [("unavailable", 502, "provider_error"), ("timeout", 504, "provider_timeout")]
    {
        office.simulate(simulated, "accept");
        let refused = ["en", "es"].map(|it| ask("POST", &stamp, it).refused(status, code));
        let [english, spanish] = in_both(&one, |invoice| &invoice["lastError"]["message"]);
        assert_ne!(english, spanish);
        let listed = in_both("/invoices", |page| &page["data"][0]["lastError"]["message"]);
        assert_eq!(listed, [english.clone(), spanish.clone()]);
        assert!(refused[0].contains(&english), "{refused:?}");
        assert!(!refused[1].contains(&english), "{refused:?}");
        if simulated == "unavailable" {
            assert!(refused[1].contains(&spanish), "{refused:?}");
            // What was read can be sent back in the language in which it was read.
            let shown = ask("GET", &one, "es").expect(200);
            let back = json!({"lastError": shown["lastError"], "notes": "otra vez"});
            let request = office.client.request("PATCH", &one).header("Accept-Language", "es");
            let request = request.header("Content-Type", "application/json");
            let changed = Reply::to(request.body(back.to_string())).expect(200);
            assert_eq!(changed["lastError"], shown["lastError"]);
            // Subscribers are told in English.
            let told = office.app.database.events(office.account, "invoice.stamp_failed");
            assert_eq!(told[0]["data"]["message"], english);
        }
    }
    let job = "/jobs?kind=invoices.stamp";
    let [english, spanish] = in_both(job, |page| &page["data"][0]["lastError"]);
    assert_ne!(english, spanish);
}

fn nothing_can_be_done_with_what_is_being_stamped(kind: DatabaseKind) {
    let office = Office::open(kind);
    office.app.hold_clock();
    office.simulate("timeout", "accept");
    let draft = office.sale(116.0);
    let _ = office.stamp(&draft).refused(504, "provider_timeout");
    let before = office.read(&draft);
    for reply in [
        office.change(&draft, &json!({"notes": "x"})),
        office.client.delete(&format!("/invoices/{draft}")),
        office.cancel(&draft, "02"),
    ] {
        let message = reply.refused(409, "invalid_transition");
        assert!(message.contains("stamp") && message.contains("wait"), "{message}");
    }
    assert_eq!(office.findings(&draft), [], "what is sealed was judged before");
    assert_eq!(office.read(&draft), before);
    office.simulate("normal", "accept");
    let _ = office.stamp(&draft).expect(200);
}

fn an_interrupted_stamping_ends_after_a_restart(kind: DatabaseKind) {
    let mut office = Office::open(kind);
    office.app.hold_clock();
    office.simulate("timeoutAfterStamping", "accept");
    let draft = office.sale(116.0);
    let _ = office.stamp(&draft).refused(504, "provider_timeout");
    office.app = office.app.restart();
    office.client = office.client.at(&office.app);
    office.app.advance_seconds(PAUSE_SECONDS);
    let stamped = office.until(&draft, |invoice| invoice["status"] != "stamping");
    assert_eq!(stamped["status"], "stamped");
    assert_eq!((office.credits(), office.ledger(&draft).len()), ((990, 0), 2));
}
