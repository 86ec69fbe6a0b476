//! What the answers of provider and tax authority leave on record of a cancellation.

use kernel::Timestamp;

use super::{Cancellation, CancellationStatus, followed};
use crate::{
    Invoice, LastError, Status, events, holders,
    provider::{CancelOutcome, FiscalStatus, Rejection, StatusOutcome},
    receipts,
    references::{Referrer, is_replaced},
    settled::{Around, DocumentChange, OpenTask, Settled, TaskChange},
    stamping::{ABANDONED, NOT_TAKEN, UNKNOWN, pause_seconds, poll_seconds},
};

/// Settles a request to cancel. `is_doubtful` when an earlier request may have come through without an answer: then
/// that this one was not looked at decides nothing.
#[must_use]
pub fn settle(
    invoice: &Invoice,
    outcome: CancelOutcome,
    task: Option<OpenTask>,
    is_doubtful: bool,
    now: Timestamp,
) -> Settled {
    let Some((task, before)) = held(task).zip(invoice.cancellation.as_ref()) else {
        return late(invoice, outcome);
    };
    match outcome {
        CancelOutcome::Received { code, receipt } => {
            let answer = Some(Rejection { code, message: String::new() });
            let received_at = before.received_at.or(Some(now));
            let cancellation = Cancellation { received_at, answer, ..before.clone() };
            let is_news = before.received_at.is_none();
            Settled {
                documents: receipt.map(DocumentChange::Receipt),
                events: is_news
                    .then(|| events::cancellation_requested(invoice))
                    .into_iter()
                    .collect(),
                task: TaskChange::Follow,
                ..Settled::unchanged(&with(invoice, cancellation, now))
            }
        }
        CancelOutcome::Rejected(rejection) => {
            let reason = format!("{}: {}", rejection.code, rejection.message);
            let cancellation = Cancellation {
                status: CancellationStatus::Rejected,
                resolved_at: Some(now),
                answer: Some(rejection),
                ..before.clone()
            };
            rejected(&with(invoice, cancellation, now), &reason)
        }
        CancelOutcome::NotTaken { reason } if !is_doubtful => {
            withdrawn(invoice, Rejection { code: NOT_TAKEN.to_owned(), message: reason }, now)
        }
        CancelOutcome::NotTaken { reason } | CancelOutcome::Unknown { reason } => {
            let answer = Some(Rejection { code: UNKNOWN.to_owned(), message: reason });
            let after = with(invoice, Cancellation { answer, ..before.clone() }, now);
            let seconds = pause_seconds(task.attempts.saturating_add(1));
            let task = TaskChange::Postpone { seconds, is_doubtful: true };
            Settled { task, ..Settled::unchanged(&after) }
        }
    }
}

/// A request to cancel may be with the tax authority, which decides it whatever is on record here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MayBeReceived;

/// Gives up a request to cancel, for a reason, as if it had never been made: `was_sent` when any attempt to send it may
/// have reached the provider.
///
/// # Errors
/// [`MayBeReceived`] unless it is certain that nobody has the request.
pub fn give_up(
    invoice: &Invoice,
    was_sent: bool,
    reason: &str,
    now: Timestamp,
) -> Result<Settled, MayBeReceived> {
    let open = invoice.cancellation.as_ref();
    let Some(asked) = open.filter(|asked| asked.status == CancellationStatus::Requested) else {
        return Ok(Settled::unchanged(invoice));
    };
    if was_sent || asked.received_at.is_some() {
        return Err(MayBeReceived);
    }
    let rejection = Rejection { code: ABANDONED.to_owned(), message: reason.to_owned() };
    Ok(withdrawn(invoice, rejection, now))
}

/// Settles a question for the tax authority's decision. How the invoice stands then is the answer of the request that
/// asked for the cancellation.
#[must_use]
pub fn settle_followed(
    invoice: &Invoice,
    outcome: StatusOutcome,
    task: Option<OpenTask>,
    around: &Around,
    referrers: &[Referrer],
    now: Timestamp,
) -> Settled {
    let settled = match (held(task).zip(invoice.cancellation.as_ref()), outcome) {
        (None, _) => Settled::unchanged(invoice),
        (Some((task, _)), StatusOutcome::Unknown { .. }) => {
            asked_again(Settled::unchanged(invoice), task)
        }
        (Some((task, before)), StatusOutcome::Known(fiscal)) => {
            decided(invoice, (task, before), fiscal, (around, referrers), now)
        }
    };
    Settled { is_answer: true, ..settled }
}

fn decided(
    invoice: &Invoice,
    (task, before): (OpenTask, &Cancellation),
    fiscal: FiscalStatus,
    (around, referrers): (&Around, &[Referrer]),
    now: Timestamp,
) -> Settled {
    let cancellation = followed(before, fiscal, now);
    let status = cancellation.status;
    let mut after = invoice.clone();
    if cancellation != *before {
        after = with(invoice, cancellation, now);
    }
    if status == CancellationStatus::Requested {
        return asked_again(Settled::unchanged(&after), task);
    }
    if !status.is_cancelled() {
        let seen = after.cancellation.as_ref().and_then(|asked| asked.fiscal_status.as_ref());
        let reason = seen.and_then(|seen| seen.cancellation.clone());
        return rejected(&after, &reason.unwrap_or_else(|| "SAT knows of no request".to_owned()));
    }
    after.status = Status::Cancelled;
    after.balance = None;
    // What a receipt has paid stays with the one that has taken its place.
    let owing = match is_replaced(referrers) {
        true => Vec::new(),
        false => receipts::unpay(invoice, around, now),
    };
    Settled {
        orders: holders::leave(invoice, &around.standing, &around.holders),
        owing,
        events: vec![events::cancelled(&after)],
        task: TaskChange::End,
        ..Settled::unchanged(&after)
    }
}

fn rejected(after: &Invoice, reason: &str) -> Settled {
    Settled {
        events: vec![events::cancellation_rejected(after, reason)],
        task: TaskChange::End,
        ..Settled::unchanged(after)
    }
}

fn held(task: Option<OpenTask>) -> Option<OpenTask> {
    task.filter(|task| task.is_held)
}

/// The claim has passed to another. A receipt is a receipt, whoever brings it.
fn late(invoice: &Invoice, outcome: CancelOutcome) -> Settled {
    let receipt = match outcome {
        CancelOutcome::Received { receipt, .. } => receipt,
        CancelOutcome::Rejected(_)
        | CancelOutcome::NotTaken { .. }
        | CancelOutcome::Unknown { .. } => None,
    };
    let documents = receipt.map(DocumentChange::LateReceipt);
    Settled { documents, ..Settled::unchanged(invoice) }
}

/// Nobody has refused it: it was not asked for.
fn withdrawn(invoice: &Invoice, rejection: Rejection, now: Timestamp) -> Settled {
    let last_error = Some(LastError { at: now, rejection });
    let mut after = Invoice { cancellation: None, last_error, ..invoice.clone() };
    after.touch(now);
    Settled { task: TaskChange::End, ..Settled::unchanged(&after) }
}

fn with(invoice: &Invoice, cancellation: Cancellation, now: Timestamp) -> Invoice {
    let mut after = Invoice { cancellation: Some(cancellation), ..invoice.clone() };
    after.touch(now);
    after
}

fn asked_again(settled: Settled, task: OpenTask) -> Settled {
    let seconds = poll_seconds(task.attempts.saturating_add(1));
    Settled { task: TaskChange::Postpone { seconds, is_doubtful: false }, ..settled }
}
