//! What follows from each answer of a provider.

use cfdi::{rules, stamp::Stamp};
use invoices::{
    Debts, Invoice, Status, build,
    provider::{Recovery, Rejection, StampOutcome},
    stamping::{NOT_TAKEN, Verdict, interpret, interpret_recovery, numbered, pause_seconds},
};

use super::{issuer, now, samples};

const SEALED: &str = r#"<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" Sello="ours"></cfdi:Comprobante>"#;

fn stamped(seal: &str) -> String {
    let stamp = Stamp {
        uuid: "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60".to_owned(),
        stamped_at: cfdi::document::local_time::from_text("2026-11-21T12:00:00").unwrap(),
        provider_rfc: "SPR190613I52".to_owned(),
        legend: None,
        issuer_seal: seal.to_owned(),
        certificate_number: "30001000000500003456".to_owned(),
        seal: "theirs".to_owned(),
    };
    stamp.attached_to(SEALED)
}

fn rejection() -> Rejection {
    Rejection { code: "CFDI40147".to_owned(), message: "Nombre".to_owned() }
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Stamped { .. } => "stamped",
        Verdict::Back(rejection) if rejection.code == NOT_TAKEN => "back, not taken",
        Verdict::Back(_) => "back",
        Verdict::Recover => "recover",
        Verdict::Wait { .. } => "wait",
    }
}

#[test]
fn every_answer_has_one_consequence() {
    let reason = || "cut".to_owned();
    let cases = [
        (StampOutcome::Stamped { xml: stamped("ours") }, "stamped", "stamped"),
        (StampOutcome::Stamped { xml: stamped("another's") }, "wait", "wait"),
        (StampOutcome::Stamped { xml: SEALED.to_owned() }, "wait", "wait"),
        (StampOutcome::Stamped { xml: "<half".to_owned() }, "wait", "wait"),
        (StampOutcome::AlreadyStamped, "recover", "recover"),
        // A refusal after a lost answer is no proof that there is no stamp.
        (StampOutcome::Rejected(rejection()), "back", "recover"),
        (StampOutcome::NotTaken { reason: reason() }, "back, not taken", "wait"),
        (StampOutcome::Unknown { reason: reason() }, "wait", "wait"),
    ];
    for (outcome, at_first, when_doubtful) in cases {
        assert_eq!(name(&interpret(outcome.clone(), "ours", false)), at_first, "{outcome:?}");
        assert_eq!(name(&interpret(outcome.clone(), "ours", true)), when_doubtful, "{outcome:?}");
    }
}

#[test]
fn only_the_providers_record_ends_a_doubt() {
    let stamp = Recovery::Stamped { xml: stamped("ours") };
    let unknown = Recovery::Unknown { reason: "away".to_owned() };
    let cases = [
        (stamp.clone(), None, "stamped"),
        (stamp, Some(rejection()), "stamped"),
        (Recovery::NotStamped, Some(rejection()), "back"),
        // It said the opposite a moment ago.
        (Recovery::NotStamped, None, "wait"),
        (unknown.clone(), None, "wait"),
        (unknown, Some(rejection()), "wait"),
    ];
    for (recovery, rejected, expected) in cases {
        let verdict = interpret_recovery(recovery.clone(), "ours", rejected);
        assert_eq!(name(&verdict), expected, "{recovery:?}");
    }
}

#[test]
fn a_document_that_gets_its_folio_last_is_the_one_that_had_it_from_the_start() {
    let sale = samples::sale(1, Status::Draft);
    let built =
        |folio| build(&sale.draft, &issuer(), (sale.id, folio), &Debts::default(), now()).unwrap();
    for folio in [1, u64::MAX] {
        let invoice = Invoice { folio: Some(folio), ..sale.clone() };
        let document = numbered(built(None), &invoice);
        assert_eq!(document, built(Some(folio)));
        assert_eq!(rules::check(&document, now()), rules::check(&built(None), now()));
    }
}

#[test]
fn pauses_grow_to_an_hour() {
    let pauses: Vec<i64> = (1..8).map(pause_seconds).collect();
    assert!(pauses.is_sorted(), "{pauses:?}");
    assert_eq!(pause_seconds(u32::MAX), 3_600);
}
