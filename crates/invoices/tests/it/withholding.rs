//! The life of withholdings: what drafts become, and what each end of a step leaves on record.

use cfdi::tax::Tax;
use cfdi::withholding::{
    Complements, Foreign, National, Period, Receiver, Related, ShareSale, WithheldTax,
};
use invoices::{
    Balance, CancelReason, CancelRefusal, Cancellation, CancellationStatus, CreditKind,
    InvoiceError, KnownCustomer, Status,
    provider::{CancelOutcome, ProviderKind},
    settled::{DocumentChange, TaskChange},
    stamping::{StampCall, StrayStamp, Verdict},
    withholding::{
        CancelWithholding, DraftTotals, Fields, Refusal, Settled, Withholding, WithholdingId,
        cancel,
        drafting::{self, Known, issuer_of},
        stamping,
    },
};
use kernel::{Amount, Refused, Timestamp};
use proptest::prelude::*;

use super::{
    amount, customer, fields_of, issuer, now,
    samples::{TASKS, later, rejection, stamp, uuid},
};

fn known() -> Known {
    let text = |text: &str| Some(text.to_owned());
    let person = KnownCustomer {
        rfc: text("CACX7605101P8"),
        legal_name: text("XOCHILT  CASAS CHAVEZ"),
        tax_zip: text("36257"),
        ..KnownCustomer::default()
    };
    Known { issuer: issuer(), customer: Some(person), provider: Some(ProviderKind::Sandbox) }
}

fn totals(taxed: &str, exempt: &str) -> DraftTotals {
    DraftTotals {
        operation: None,
        taxed: amount(taxed),
        exempt: amount(exempt),
        bimonthly_profit: None,
        bimonthly_isr: None,
    }
}

fn tax(amount_of: &str) -> WithheldTax {
    WithheldTax {
        base: Some(amount("1000")),
        tax: Some(Tax::Isr),
        amount: amount(amount_of),
        payment_kind: "04".to_owned(),
    }
}

fn fields() -> Fields {
    Fields {
        code: Some("01".to_owned()),
        customer: Some(Some(customer())),
        period: Some(Period { first_month: 10, last_month: 11, year: 2026 }),
        totals: Some(totals("1000", "0.5")),
        taxes: Some(vec![tax("100"), tax("6.67")]),
        ..Fields::default()
    }
}

fn id(number: u128) -> WithholdingId {
    WithholdingId::from_u128(number)
}

fn draft() -> Withholding {
    drafting::create(fields(), id(1), &known(), now()).unwrap()
}

/// A withholding in that status.
fn of(number: u128, status: Status) -> Withholding {
    let stamp = matches!(status, Status::Stamped | Status::Cancelled).then(|| invoices::Stamped {
        stamp: stamp(number, "ours"),
        provider: ProviderKind::Sandbox,
        at: now(),
    });
    Withholding { id: id(number), status, stamp, ..draft() }
}

fn requested(reason: CancelReason) -> Withholding {
    let asked = Cancellation {
        status: CancellationStatus::Requested,
        reason,
        replacement_uuid: None,
        asked_before: false,
        requested_at: now(),
        received_at: None,
        resolved_at: None,
        answer: None,
        fiscal_status: None,
    };
    Withholding { cancellation: Some(asked), ..of(1, Status::Stamped) }
}

#[test]
fn a_draft_follows_from_little() {
    let Withholding { document, .. } = draft();
    assert_eq!(document.totals.operation, amount("1000.5"));
    assert_eq!(document.totals.withheld, amount("106.67"));
    assert_eq!((document.place_of_issue.as_str(), document.folio), ("42501", None));
    assert_eq!(cfdi::document::local_time::to_text(document.issued_at), "2026-11-21T12:00:00");
    let Receiver::National(National { legal_name, curp, .. }) = document.receiver else { panic!() };
    assert_eq!((legal_name.as_str(), curp), ("XOCHILT CASAS CHAVEZ", None));
}

#[test]
fn what_is_missing_or_impossible_is_named() {
    let refused =
        |fields: Fields, known: Known| match drafting::create(fields, id(1), &known, now())
            .unwrap_err()
        {
            Refused::Invalid(faults) => fields_of(&faults).join(" "),
            refused => panic!("{refused:?}"),
        };
    let without = |known: Known| Known { customer: None, ..known };
    assert_eq!(refused(Fields::default(), without(known())), "code period totals receiver");
    assert_eq!(refused(fields(), without(known())), "customerId");
    let mut incomplete = known();
    incomplete.customer.as_mut().unwrap().tax_zip = None;
    assert_eq!(refused(fields(), incomplete), "customerId");
    let place = Fields { place_of_issue: Some(Some("19000".to_owned())), ..fields() };
    assert_eq!(refused(place, known()), "placeOfIssue");
    let most = Amount::MAX;
    let totals = DraftTotals { taxed: most, exempt: most, ..totals("0", "0") };
    let huge = WithheldTax { amount: most, ..tax("1") };
    let sums = Fields { totals: Some(totals), taxes: Some(vec![huge.clone(), huge]), ..fields() };
    assert_eq!(refused(sums, known()), "totals taxes");
}

#[test]
fn a_change_keeps_what_it_does_not_name() {
    let before = draft();
    let abroad = Receiver::Foreign(Foreign {
        foreign_tax_id: None,
        legal_name: "Fabrikam,\u{20}\u{20}Inc.".to_owned(),
    });
    let sale =
        ShareSale { contract: " Contrato  7 ".to_owned(), gain: amount("1"), loss: Amount::ZERO };
    let complements = Complements { share_sale: Some(sale), ..Complements::default() };
    let changes = Fields {
        receiver: Some(abroad),
        complements: Some(complements),
        folio: Some(Some("R1".to_owned())),
        ..Fields::default()
    };
    let after = drafting::change(&before, changes, &known(), later()).unwrap();
    assert_eq!((after.version, after.updated_at), (2, later()));
    assert_eq!(after.receiver_rfc(), None);
    assert_eq!(after.document.complements.share_sale.unwrap().contract, "Contrato 7");
    assert_eq!((after.draft.code, after.draft.customer), ("01".to_owned(), Some(customer())));
    for status in [Status::Stamping, Status::Stamped, Status::Cancelled] {
        let refused = drafting::change(&of(1, status), Fields::default(), &known(), later());
        let refusal = InvoiceError::Withholding(Refusal::NotDraft { status });
        assert_eq!(refused.unwrap_err(), Refused::Rule(refusal));
    }
    assert_eq!(issuer_of(&[issuer()], &Fields::default(), Some(&before)).unwrap().id, issuer().id);
    let nobody = issuer_of(&[], &Fields::default(), None).unwrap_err();
    assert_eq!(nobody, Refused::Rule(InvoiceError::NoIssuer));
}

#[test]
fn a_stamp_sets_its_credits_aside() {
    let document = draft().document;
    let enough = Balance { available: 10, reserved: 0 };
    let reserved = stamping::reserve(&draft(), &document, None, enough, later()).unwrap();
    assert_eq!(reserved.withholding.status, Status::Stamping);
    assert_eq!((reserved.credits.kind, reserved.credits.available), (CreditKind::Reserve, -10));
    let short = Balance { available: 9, reserved: 0 };
    let refused = stamping::reserve(&draft(), &document, None, short, later()).unwrap_err();
    let refusal = InvoiceError::InsufficientCredits { available: 9 };
    assert_eq!(refused, Refused::Rule(refusal));
    let stamped = of(1, Status::Stamped);
    assert!(stamping::reserve(&stamped, &document, None, enough, later()).is_err());
    let twin = stamping::reserve(&draft(), &document, Some(id(2)), enough, later()).unwrap_err();
    let refusal = InvoiceError::Withholding(Refusal::Repeated { id: id(2) });
    assert_eq!(twin, Refused::Rule(refusal));
}

/// Status, credits, task and events afterwards, in words.
fn told(before: &Withholding, settled: &Settled) -> String {
    let credits = settled.credits.as_ref().map_or("-", |change| change.kind.name());
    let task = match settled.task {
        TaskChange::Keep => "keep".to_owned(),
        TaskChange::End => "end".to_owned(),
        TaskChange::Postpone { seconds, is_doubtful } => {
            assert!(is_doubtful);
            format!("{seconds} s")
        }
        TaskChange::Follow => "follow".to_owned(),
    };
    let change = settled.withholding.version - before.version;
    assert_eq!(change > 0, settled.withholding != *before, "a change has a version");
    let cancellation = settled.withholding.cancellation.as_ref();
    let asked = cancellation.map_or("-", |asked| asked.status.name());
    format!(
        "{}, {asked}, {credits}, {task}, {} told",
        settled.withholding.status.name(),
        settled.events.len()
    )
}

#[test]
fn every_status_and_verdict_of_stamping() {
    let stamped = Verdict::Stamped { stamp: stamp(1, "ours"), xml: "<xml/>".to_owned() };
    let verdicts = [
        (stamped, "stamped, -, commit, end, 1 told"),
        (Verdict::Back(rejection()), "draft, -, release, end, 1 told"),
        (Verdict::Recover, "stamping, -, -, 120 s, 0 told"),
        (Verdict::Wait { reason: "cut".to_owned() }, "stamping, -, -, 120 s, 0 told"),
    ];
    for status in Status::EVERY {
        for (verdict, consequence) in &verdicts {
            for task in TASKS {
                let before = of(1, *status);
                let call = StampCall { task, seal: Some("ours"), provider: ProviderKind::Sandbox };
                let settled = stamping::settle(&before, verdict, call, later());
                let is_stamp = matches!(verdict, Verdict::Stamped { .. });
                if is_stamp && *status == Status::Draft {
                    assert_eq!(settled, Err(StrayStamp { uuid: uuid(1) }));
                    continue;
                }
                let settled = settled.unwrap();
                let counts = *status == Status::Stamping
                    && task.is_some_and(|task| task.is_held || is_stamp);
                let nothing = format!("{}, -, -, keep, 0 told", status.name());
                let expected = if counts { (*consequence).to_owned() } else { nothing };
                assert_eq!(told(&before, &settled), expected, "{status:?} {verdict:?} {task:?}");
                assert_eq!(settled.is_answer, counts && is_stamp);
            }
        }
    }
}

#[test]
fn a_stamp_of_other_bytes_is_a_stray() {
    let verdict = Verdict::Stamped { stamp: stamp(1, "theirs"), xml: String::new() };
    for status in Status::EVERY {
        let call = StampCall { task: TASKS[0], seal: Some("ours"), provider: ProviderKind::Sw };
        assert!(stamping::settle(&of(1, *status), &verdict, call, later()).is_err());
    }
}

#[test]
fn a_call_to_stamp_is_given_up() {
    let settled = stamping::give_up(&of(1, Status::Stamping), "no such document", later());
    assert_eq!(settled.withholding.last_error.unwrap().rejection.code, "abandoned");
    assert_eq!(settled.documents, Some(DocumentChange::Forget));
    for status in [Status::Draft, Status::Stamped, Status::Cancelled] {
        let before = of(1, status);
        assert_eq!(stamping::give_up(&before, "x", later()).withholding, before);
    }
}

fn command(reason: CancelReason, replacement_uuid: Option<String>) -> CancelWithholding {
    CancelWithholding { id: id(1), reason, replacement_uuid }
}

#[test]
fn only_what_is_stamped_is_cancelled() {
    let errors = command(CancelReason::Errors, None);
    let asked = cancel::request(&of(1, Status::Stamped), &errors, None, later()).unwrap().unwrap();
    assert_eq!(asked.cancellation.unwrap().status, CancellationStatus::Requested);
    for status in [Status::Draft, Status::Stamping] {
        let refused = cancel::request(&of(1, status), &errors, None, later()).unwrap_err();
        let refusal = InvoiceError::Withholding(Refusal::NotStamped { status });
        assert_eq!(refused, Refused::Rule(refusal));
    }
    let under_way = requested(CancelReason::Errors);
    assert_eq!(cancel::request(&under_way, &errors, None, later()), Ok(None));
    let other = command(CancelReason::NoSale, None);
    let refusal = CancelRefusal::UnderWay { reason: CancelReason::Errors };
    let refused = cancel::request(&under_way, &other, None, later()).unwrap_err();
    assert_eq!(refused, Refused::Rule(InvoiceError::Cancel(refusal)));
}

#[test]
fn a_replacement_says_that_it_is_one() {
    let replaced = command(CancelReason::ErrorsReplaced, Some(uuid(2)));
    let related = |relation: &str, number| {
        Some(Related { relation: relation.to_owned(), uuid: uuid(number).to_lowercase() })
    };
    for (related, status, is_one) in [
        (related("04", 1), Status::Stamped, true),
        (related("04", 1), Status::Cancelled, false),
        (related("04", 3), Status::Stamped, false),
        (related("01", 1), Status::Stamped, false),
        (None, Status::Stamped, false),
    ] {
        let mut other = of(2, status);
        other.document.related = related;
        let asked = cancel::request(&of(1, Status::Stamped), &replaced, Some(&other), later());
        assert_eq!(asked.is_ok(), is_one, "{:?}", other.document.related);
    }
    assert!(cancel::request(&of(1, Status::Stamped), &replaced, None, later()).is_err());
}

#[test]
fn every_outcome_of_a_request_to_cancel() {
    let reason = || "cut".to_owned();
    let received =
        || CancelOutcome::Received { code: "1201".to_owned(), receipt: Some("<a/>".to_owned()) };
    let held = TASKS[0];
    for (outcome, is_doubtful, expected) in [
        (received(), false, "cancelled, accepted, -, end, 1 told"),
        (received(), true, "cancelled, accepted, -, end, 1 told"),
        (CancelOutcome::Rejected(rejection()), false, "stamped, rejected, -, end, 1 told"),
        (CancelOutcome::NotTaken { reason: reason() }, false, "stamped, -, -, end, 0 told"),
        (
            CancelOutcome::NotTaken { reason: reason() },
            true,
            "stamped, requested, -, 120 s, 0 told",
        ),
        (
            CancelOutcome::Unknown { reason: reason() },
            false,
            "stamped, requested, -, 120 s, 0 told",
        ),
    ] {
        let before = requested(CancelReason::Errors);
        let settled = cancel::settle(&before, outcome, held, is_doubtful, later());
        assert_eq!(told(&before, &settled), expected);
    }
    for task in [TASKS[1], TASKS[2]] {
        let before = requested(CancelReason::Errors);
        let settled = cancel::settle(&before, received(), task, false, later());
        assert_eq!(settled.withholding, before);
        assert_eq!(settled.documents, Some(DocumentChange::LateReceipt("<a/>".to_owned())));
    }
}

#[test]
fn a_request_is_given_up_only_if_nobody_can_have_it() {
    let before = requested(CancelReason::Errors);
    let settled = cancel::give_up(&before, false, "never sent", later()).unwrap();
    assert_eq!(told(&before, &settled), "stamped, -, -, end, 0 told");
    assert!(cancel::give_up(&before, true, "x", later()).is_err());
    let stamped = of(1, Status::Stamped);
    assert_eq!(cancel::give_up(&stamped, true, "x", later()).unwrap().withholding, stamped);
}

proptest! {
    #[test]
    fn sums_are_those_of_their_parts(
        taxed in 0_i64..100_000_000_000, exempt in 0_i64..100_000_000_000,
        taxes in proptest::collection::vec(0_i64..1_000_000_000, 0..20),
    ) {
        let centavos = |centavos: i64| Amount::from_micros(centavos * 10_000);
        let withheld: i64 = taxes.iter().sum();
        let taxes = taxes.into_iter().map(|of| WithheldTax { amount: centavos(of), ..tax("1") });
        let fields = Fields {
            totals: Some(DraftTotals { taxed: centavos(taxed), exempt: centavos(exempt), ..totals("0", "0") }),
            taxes: Some(taxes.collect()),
            ..fields()
        };
        let made = drafting::create(fields, id(1), &known(), Timestamp::from_micros(0)).unwrap();
        prop_assert_eq!(made.document.totals.operation, centavos(taxed + exempt));
        prop_assert_eq!(made.document.totals.withheld, centavos(withheld));
    }
}
