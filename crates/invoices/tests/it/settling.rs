//! What each end of a step leaves on record, whatever the invoice's status and whoever holds the task.

use invoices::{
    CancellationStatus, CreditKind, Invoice, Status,
    cancel::{self, settle_followed},
    provider::{CancelOutcome, FiscalStatus, ProviderKind, StatusOutcome},
    references::Referrer,
    settled::{Around, DocumentChange, OpenTask, Settled, TaskChange},
    stamping::{StampCall, StrayStamp, Verdict, settle},
};

use super::{
    order,
    samples::{TASKS, holder, later, rejection, sale, stamp, uuid, with_cancellation},
};

/// Status, credits and task afterwards, in words.
fn told(before: &Invoice, settled: &Settled) -> String {
    let credits = settled.credits.as_ref().map(|change| change.kind.name());
    let task = match settled.task {
        TaskChange::Keep => "keep".to_owned(),
        TaskChange::End => "end".to_owned(),
        TaskChange::Postpone { seconds, is_doubtful: true } => format!("{seconds} s, doubtful"),
        TaskChange::Postpone { seconds, is_doubtful: false } => format!("{seconds} s"),
        TaskChange::Follow => "follow".to_owned(),
    };
    let status = settled.invoice.status.name();
    let change = settled.invoice.version - before.version;
    assert_eq!(change > 0, settled.invoice != *before, "a change has a version");
    assert!(change <= 1, "one change, one version");
    format!("{status}, {}, {task}", credits.unwrap_or("-"))
}

fn unchanged(invoice: &Invoice) -> String {
    format!("{}, -, keep", invoice.status.name())
}

fn stamp_call(task: Option<OpenTask>) -> StampCall<'static> {
    StampCall { task, seal: Some("ours"), provider: ProviderKind::Sandbox }
}

fn stamped() -> Verdict {
    Verdict::Stamped { stamp: stamp(1, "ours"), xml: "<xml/>".to_owned() }
}

#[test]
fn every_status_and_verdict_of_stamping() {
    let verdicts = [
        (stamped(), "stamped, commit, end"),
        (Verdict::Back(rejection()), "draft, release, end"),
        (Verdict::Recover, "stamping, -, 120 s, doubtful"),
        (Verdict::Wait { reason: "cut".to_owned() }, "stamping, -, 120 s, doubtful"),
    ];
    for status in Status::EVERY {
        for (verdict, consequence) in &verdicts {
            for task in TASKS {
                let before = sale(1, *status);
                let call = stamp_call(task);
                let settled = settle(&before, verdict, call, &Around::default(), later());
                let is_stamp = matches!(verdict, Verdict::Stamped { .. });
                if is_stamp && *status == Status::Draft {
                    assert_eq!(settled, Err(StrayStamp { uuid: uuid(1) }));
                    continue;
                }
                let counts = *status == Status::Stamping
                    && task.is_some_and(|task| task.is_held || is_stamp);
                let expected = if counts { (*consequence).to_owned() } else { unchanged(&before) };
                let settled = settled.unwrap();
                assert_eq!(told(&before, &settled), expected, "{status:?} {verdict:?} {task:?}");
                assert_eq!(settled.is_answer, counts && is_stamp);
            }
        }
    }
}

#[test]
fn a_stamp_of_other_bytes_is_never_recorded() {
    for status in Status::EVERY {
        for seal in [None, Some("another's")] {
            let call = StampCall { seal, ..stamp_call(TASKS[0]) };
            let settled = settle(&sale(1, *status), &stamped(), call, &Around::default(), later());
            assert_eq!(settled, Err(StrayStamp { uuid: uuid(1) }), "{status:?}");
        }
    }
}

#[test]
fn what_is_stamped_is_owed_if_it_is_paid_in_parts() {
    let before = sale(1, Status::Stamping);
    let call = stamp_call(TASKS[0]);
    let settled = settle(&before, &stamped(), call, &Around::default(), later()).unwrap();
    assert_eq!(settled.invoice.balance, Some(super::amount("100")));
    assert_eq!(settled.invoice.uuid(), Some(uuid(1).as_str()));
    assert_eq!(settled.documents, Some(DocumentChange::Stamped("<xml/>".to_owned())));
    let credits = settled.credits.unwrap();
    assert_eq!((credits.kind, credits.available, credits.reserved), (CreditKind::Commit, 0, -10));
    assert_eq!(settled.invoice.updated_at, later());
}

#[test]
fn what_is_refused_says_why_and_forgets_its_seal() {
    let before = sale(1, Status::Stamping);
    let verdict = Verdict::Back(rejection());
    let settled =
        settle(&before, &verdict, stamp_call(TASKS[0]), &Around::default(), later()).unwrap();
    assert_eq!(settled.invoice.last_error.unwrap().rejection, rejection());
    assert_eq!(settled.documents, Some(DocumentChange::Forget));
    let credits = settled.credits.unwrap();
    assert_eq!((credits.available, credits.reserved), (10, -10));
}

/// The status of an invoice's cancellation, in words.
fn cancellation(invoice: &Invoice) -> &'static str {
    invoice.cancellation.as_ref().map_or("none", |cancellation| cancellation.status.name())
}

#[test]
fn every_answer_to_a_request_to_cancel() {
    let received = |receipt: Option<&str>| CancelOutcome::Received {
        code: "201".to_owned(),
        receipt: receipt.map(str::to_owned),
    };
    let away = || "away".to_owned();
    let outcomes = [
        (received(None), "requested, follow", "requested, follow"),
        (received(Some("<acuse/>")), "requested, follow", "requested, follow"),
        (CancelOutcome::Rejected(rejection()), "rejected, end", "rejected, end"),
        (CancelOutcome::NotTaken { reason: away() }, "none, end", "requested, 120 s, doubtful"),
        (
            CancelOutcome::Unknown { reason: away() },
            "requested, 120 s, doubtful",
            "requested, 120 s, doubtful",
        ),
    ];
    for (outcome, at_first, when_doubtful) in &outcomes {
        for (is_doubtful, expected) in [(false, at_first), (true, when_doubtful)] {
            for task in TASKS {
                let before = with_cancellation(CancellationStatus::Requested);
                let settled = cancel::settle(&before, outcome.clone(), task, is_doubtful, later());
                let said = told(&before, &settled);
                let said = said.strip_prefix("stamped, -, ").expect("it stays stamped");
                let said = format!("{}, {said}", cancellation(&settled.invoice));
                let is_held = task.is_some_and(|task| task.is_held);
                let expected = if is_held { expected } else { "requested, keep" };
                assert_eq!(said, expected, "{outcome:?} {task:?}");
                let has_receipt = *outcome == received(Some("<acuse/>"));
                assert_eq!(settled.documents.is_some(), has_receipt, "whoever brings it");
            }
        }
    }
}

#[test]
fn an_answer_about_what_was_not_asked_for_changes_nothing() {
    let outcome = CancelOutcome::Rejected(rejection());
    for status in Status::EVERY {
        let before = sale(1, *status);
        let settled = cancel::settle(&before, outcome.clone(), TASKS[0], false, later());
        assert_eq!(told(&before, &settled), unchanged(&before));
    }
}

fn fiscal(state: &str, cancellation: &str) -> StatusOutcome {
    StatusOutcome::Known(FiscalStatus {
        state: state.to_owned(),
        cancellable: None,
        cancellation: (!cancellation.is_empty()).then(|| cancellation.to_owned()),
    })
}

#[test]
fn every_decision_of_the_tax_authority() {
    let outcomes = [
        (StatusOutcome::Unknown { reason: "away".to_owned() }, "stamped, requested, 1800 s"),
        (fiscal("No Encontrado", ""), "stamped, requested, 1800 s"),
        (fiscal("Vigente", ""), "stamped, requested, 1800 s"),
        (fiscal("Vigente", "En proceso"), "stamped, requested, 1800 s"),
        (fiscal("Vigente", "Solicitud rechazada"), "stamped, rejected, end"),
        (fiscal("Cancelado", "Cancelado sin aceptación"), "cancelled, accepted, end"),
        (fiscal("Cancelado", "Cancelado con aceptación"), "cancelled, accepted, end"),
        (fiscal("Cancelado", "Plazo vencido"), "cancelled, expired, end"),
    ];
    for (outcome, consequence) in outcomes {
        for task in TASKS {
            let before = with_cancellation(CancellationStatus::Requested);
            let around = Around::default();
            let settled = settle_followed(&before, outcome.clone(), task, &around, &[], later());
            let said = told(&before, &settled).replace("-", cancellation(&settled.invoice));
            let is_held = task.is_some_and(|task| task.is_held);
            let expected = if is_held { consequence } else { "stamped, requested, keep" };
            assert_eq!(said, expected, "{outcome:?} {task:?}");
            assert!(settled.is_answer, "how it stands is the answer");
            let is_cancelled = settled.invoice.status == Status::Cancelled;
            assert_eq!(settled.invoice.balance.is_none(), is_cancelled, "nothing is owed of it");
        }
    }
}

#[test]
fn a_cancelled_invoice_gives_its_orders_back() {
    let holders = [(order(1), holder(1)), (order(2), holder(2))];
    let around = Around { holders: holders.into_iter().collect(), ..Around::default() };
    let before = with_cancellation(CancellationStatus::Requested);
    let decided = fiscal("Cancelado", "Plazo vencido");
    let settled = settle_followed(&before, decided, TASKS[0], &around, &[], later());
    let freed: Vec<_> = settled.orders.iter().map(|change| (change.order, change.to)).collect();
    assert_eq!(freed, [(order(1), None)]);
}

/// Who refers to an invoice, and as what.
pub(crate) fn referrer(invoice: Invoice, relation: &str) -> Referrer {
    Referrer { invoice, relation: relation.to_owned() }
}
