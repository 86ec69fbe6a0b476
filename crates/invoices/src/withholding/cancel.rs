//! Cancelling a withholding before the tax authority, which asks nobody: its receipt is its decision.

use kernel::{Refused, Timestamp};

use super::{Refusal, Settled, Withholding, WithholdingId, events};
use crate::{
    CancelReason, CancelRefusal, Cancellation, CancellationStatus, InvoiceError, LastError, Status,
    cancel::MayBeReceived,
    provider::{CancelOutcome, Rejection},
    references::REPLACES,
    settled::{DocumentChange, OpenTask, TaskChange},
    stamping::{ABANDONED, NOT_TAKEN, UNKNOWN, pause_seconds},
};

/// A command to cancel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CancelWithholding {
    /// Which.
    pub id: WithholdingId,
    /// Why.
    pub reason: CancelReason,
    /// The fiscal folio of the withholding that takes its place; with reason `01`, and only then.
    pub replacement_uuid: Option<String>,
}

/// The withholding as one whose cancellation is asked for, given the one that the command names to take its place. `None`
/// when the very same is under way or done already.
///
/// # Errors
/// [`CancelRefusal::UnderWay`] for another reason; [`Refusal::NotStamped`]; [`Refusal::BadReplacement`].
pub fn request(
    withholding: &Withholding,
    command: &CancelWithholding,
    replacement: Option<&Withholding>,
    now: Timestamp,
) -> Result<Option<Withholding>, Refused<InvoiceError>> {
    let asked = withholding.cancellation.as_ref();
    if let Some(before) = asked.filter(|asked| asked.status != CancellationStatus::Rejected) {
        let given = (before.reason, &before.replacement_uuid);
        return if given == (command.reason, &command.replacement_uuid) {
            Ok(None)
        } else {
            let refusal = CancelRefusal::UnderWay { reason: before.reason };
            Err(Refused::Rule(InvoiceError::Cancel(refusal)))
        };
    }
    if withholding.status != Status::Stamped {
        let status = withholding.status;
        return Err(Refused::Rule(Refusal::NotStamped { status }.into()));
    }
    let is_replaced = replacement.is_some_and(|other| replaces(other, withholding));
    if command.reason == CancelReason::ErrorsReplaced && !is_replaced {
        return Err(Refused::Rule(Refusal::BadReplacement.into()));
    }
    let cancellation = Cancellation {
        status: CancellationStatus::Requested,
        reason: command.reason,
        replacement_uuid: command.replacement_uuid.clone(),
        asked_before: asked.is_some(),
        requested_at: now,
        received_at: None,
        resolved_at: None,
        answer: None,
        fiscal_status: None,
    };
    Ok(Some(with(withholding, cancellation, now)))
}

/// Whether a stamped withholding says that it takes the place of another.
fn replaces(other: &Withholding, replaced: &Withholding) -> bool {
    let names = |uuid: &str| replaced.uuid().is_some_and(|own| own.eq_ignore_ascii_case(uuid));
    let related = other.document.related.as_ref();
    other.status == Status::Stamped
        && related.is_some_and(|related| related.relation == REPLACES && names(&related.uuid))
}

/// Settles a request to cancel. That the authority has it cancels the withholding. `is_doubtful` when an earlier request may
/// have come through without an answer: then that this one was not looked at decides nothing.
#[must_use]
pub fn settle(
    withholding: &Withholding,
    outcome: CancelOutcome,
    task: Option<OpenTask>,
    is_doubtful: bool,
    now: Timestamp,
) -> Settled {
    let held = task.filter(|task| task.is_held);
    let Some((task, before)) = held.zip(withholding.cancellation.as_ref()) else {
        return late(withholding, outcome);
    };
    match outcome {
        CancelOutcome::Received { code, receipt } => {
            let cancellation = Cancellation {
                status: CancellationStatus::Accepted,
                received_at: Some(now),
                resolved_at: Some(now),
                answer: Some(Rejection { code, message: String::new() }),
                ..before.clone()
            };
            let mut after = with(withholding, cancellation, now);
            after.status = Status::Cancelled;
            Settled {
                documents: receipt.map(DocumentChange::Receipt),
                events: vec![events::cancelled(&after)],
                task: TaskChange::End,
                is_answer: true,
                ..Settled::unchanged(&after)
            }
        }
        CancelOutcome::Rejected(rejection) => rejected(withholding, before, rejection, now),
        CancelOutcome::NotTaken { reason } if !is_doubtful => {
            withdrawn(withholding, Rejection { code: NOT_TAKEN.to_owned(), message: reason }, now)
        }
        CancelOutcome::NotTaken { reason } | CancelOutcome::Unknown { reason } => {
            let answer = Some(Rejection { code: UNKNOWN.to_owned(), message: reason });
            let after = with(withholding, Cancellation { answer, ..before.clone() }, now);
            let seconds = pause_seconds(task.attempts.saturating_add(1));
            let task = TaskChange::Postpone { seconds, is_doubtful: true };
            Settled { task, ..Settled::unchanged(&after) }
        }
    }
}

/// Gives up a request to cancel, for a reason, as if it had never been made: `was_sent` when any attempt to send it may
/// have reached the provider.
///
/// # Errors
/// [`MayBeReceived`] unless it is certain that nobody has the request.
pub fn give_up(
    withholding: &Withholding,
    was_sent: bool,
    reason: &str,
    now: Timestamp,
) -> Result<Settled, MayBeReceived> {
    let open = withholding.cancellation.as_ref();
    if open.is_none_or(|asked| asked.status != CancellationStatus::Requested) {
        return Ok(Settled::unchanged(withholding));
    }
    if was_sent {
        return Err(MayBeReceived);
    }
    let rejection = Rejection { code: ABANDONED.to_owned(), message: reason.to_owned() };
    Ok(withdrawn(withholding, rejection, now))
}

fn rejected(
    withholding: &Withholding,
    before: &Cancellation,
    rejection: Rejection,
    now: Timestamp,
) -> Settled {
    let reason = format!("{}: {}", rejection.code, rejection.message);
    let cancellation = Cancellation {
        status: CancellationStatus::Rejected,
        resolved_at: Some(now),
        answer: Some(rejection),
        ..before.clone()
    };
    let after = with(withholding, cancellation, now);
    Settled {
        events: vec![events::cancellation_rejected(&after, &reason)],
        task: TaskChange::End,
        ..Settled::unchanged(&after)
    }
}

/// The claim has passed to another. A receipt is a receipt, whoever brings it.
fn late(withholding: &Withholding, outcome: CancelOutcome) -> Settled {
    let receipt = match outcome {
        CancelOutcome::Received { receipt, .. } => receipt,
        CancelOutcome::Rejected(_)
        | CancelOutcome::NotTaken { .. }
        | CancelOutcome::Unknown { .. } => None,
    };
    let documents = receipt.map(DocumentChange::LateReceipt);
    Settled { documents, ..Settled::unchanged(withholding) }
}

/// Nobody has refused it: it was not asked for.
fn withdrawn(withholding: &Withholding, rejection: Rejection, now: Timestamp) -> Settled {
    let last_error = Some(LastError { at: now, rejection });
    let mut after = Withholding { cancellation: None, last_error, ..withholding.clone() };
    after.touch(now);
    Settled { task: TaskChange::End, ..Settled::unchanged(&after) }
}

fn with(withholding: &Withholding, cancellation: Cancellation, now: Timestamp) -> Withholding {
    let mut after = Withholding { cancellation: Some(cancellation), ..withholding.clone() };
    after.touch(now);
    after
}
