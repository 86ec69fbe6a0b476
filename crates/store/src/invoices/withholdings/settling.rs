//! Recording what follows from the end of a step with a provider.

use ::invoices::{
    CancellationStatus, Certified, InvoiceError, Status,
    provider::Rejection,
    withholding::{Settled, Withholding},
};
use ::tasks::{End, Task};
use kernel::{AccountId, Idempotency, Timestamp, reason::Reason};

use super::{documents, rows};
use crate::{
    error::Failure,
    events::append,
    invoices::{
        credits,
        settling::{carry_out, keep_answer},
    },
    tx::Tx,
};

/// Records what follows for a withholding as it was `before`, and for its task.
pub(super) fn record(
    tx: &mut Tx<'_>,
    account: AccountId,
    (before, task): (&Withholding, Option<&Task>),
    settled: &Settled,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Result<(), Failure<InvoiceError>> {
    let withholding = &settled.withholding;
    if withholding.version != before.version {
        rows::save(tx, account, withholding)?;
    }
    append(tx, account, now, settled.events.clone())?;
    if let Some(change) = &settled.credits {
        let balance = credits::locked(tx, account)?;
        credits::enter(tx, account, (balance, change), now)?;
    }
    if let Some(change) = &settled.documents {
        documents::change(tx, account, withholding.id, change)?;
    }
    if let Some(task) = task {
        let said = || (end(task, withholding), reason(withholding));
        carry_out(tx, task, settled.task, said, now)?;
    }
    if settled.is_answer {
        keep_answer(tx, account, idempotency, withholding, now)?;
    }
    Ok(())
}

/// What the end of a task says to those who look at it as a job.
fn end(task: &Task, withholding: &Withholding) -> End {
    let Withholding { id, status, cancellation, .. } = withholding;
    let cancellation = cancellation.as_ref().map(|cancellation| cancellation.status);
    let is_done = if task.kind == Withholding::STAMP.name {
        *status == Status::Stamped
    } else {
        cancellation.is_some_and(CancellationStatus::is_cancelled)
    };
    if is_done {
        let status = status.name();
        return End::Succeeded(format!(r#"{{"withholdingId":"{id}","status":"{status}"}}"#));
    }
    End::Failed(reason(withholding).unwrap_or_else(|| Reason::Refused.alone()))
}

/// What was last said of a call that did not succeed.
fn reason(withholding: &Withholding) -> Option<String> {
    let Withholding { cancellation, last_error, .. } = withholding;
    let answer = cancellation.as_ref().and_then(|cancellation| cancellation.answer.as_ref());
    answer.or(last_error.as_ref().map(|error| &error.rejection)).map(Rejection::kept)
}
