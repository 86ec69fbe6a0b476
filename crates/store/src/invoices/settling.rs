//! Recording what follows from the end of a step with a provider.

use ::invoices::{
    CancellationStatus, Invoice, InvoiceError, Status,
    provider::Rejection,
    settled::{DocumentChange, OpenTask, Settled, TaskChange},
};
use ::tasks::{
    ClaimId, End, Pause, Task,
    kind::{FOLLOW, STAMP},
};
use kernel::{AccountId, Ctx, Idempotency, Refused, Timestamp, reason::Reason};

use super::{credits, documents, holders, papers, relations, rows};
use crate::{answers, error::Failure, events::append, payments, stored::Stored, tasks, tx::Tx};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// The task of a call as the rules see it.
pub(super) fn open(task: Option<&Task>, own: ClaimId) -> Option<OpenTask> {
    let is_held = |task: &Task| task.claim.is_some_and(|claim| claim.id == own);
    task.map(|task| OpenTask { is_held: is_held(task), attempts: task.attempts })
}

/// Records what follows for an invoice as it was `before`, and for its task.
pub(super) fn record(
    tx: &mut Tx<'_>,
    account: AccountId,
    (before, task): (&Invoice, Option<&Task>),
    settled: &Settled,
    idempotency: Option<&Idempotency>,
    now: Timestamp,
) -> Outcome<()> {
    let invoice = &settled.invoice;
    if invoice.version != before.version {
        rows::save(tx, account, invoice)?;
    }
    for owing in &settled.owing {
        rows::save(tx, account, owing)?;
    }
    holders::apply(tx, account, &settled.orders)?;
    papers::followed(tx, account, before, invoice, now)?;
    for owing in &settled.owing {
        // What receipts have settled.
        payments::settle_invoice(tx, account, owing, None, now)?;
        payments::papers::note_receipt_due(tx, account, owing)?;
    }
    append(tx, account, now, settled.events.clone())?;
    if let Some(change) = &settled.credits {
        let balance = credits::locked(tx, account)?;
        credits::enter(tx, account, (balance, change), now)?;
    }
    if let Some(change) = &settled.documents {
        keep(tx, account, invoice, change)?;
    }
    if let Some(task) = task {
        let said = || (end(task, invoice), reason(invoice));
        carry_out(tx, task, settled.task, said, now)?;
    }
    if settled.is_answer {
        keep_answer(tx, account, idempotency, invoice, now)?;
    }
    Ok(())
}

fn keep(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    change: &DocumentChange,
) -> Outcome<()> {
    let id = invoice.id;
    match change {
        DocumentChange::Stamped(xml) => documents::keep_stamped(tx, account, id, xml)?,
        DocumentChange::Receipt(receipt) => documents::keep_receipt(tx, account, id, receipt)?,
        DocumentChange::LateReceipt(receipt) => {
            documents::keep_late_receipt(tx, account, id, receipt)?;
        }
        DocumentChange::Forget => {
            documents::forget(tx, account, id)?;
            relations::forget(tx, account, id)?;
        }
    }
    Ok(())
}

/// Does with a task what is to become of it; `said` is what its end would be, and what was last said of it.
pub(super) fn carry_out(
    tx: &mut Tx<'_>,
    task: &Task,
    change: TaskChange,
    said: impl FnOnce() -> (End, Option<String>),
    now: Timestamp,
) -> Outcome<()> {
    let seen = task.clone();
    let after = match change {
        TaskChange::Keep => return Ok(()),
        TaskChange::End => seen.ended(said().0, now),
        TaskChange::Postpone { seconds, is_doubtful } => {
            let reason = said().1.unwrap_or_else(|| Reason::NotDecided.alone());
            seen.postponed(&Pause { seconds, is_doubtful, reason }, now)
        }
        TaskChange::Follow => seen.continued(FOLLOW.name, now),
    };
    tasks::save_over(tx, task, &after)?;
    Ok(())
}

/// What the end of a task says to those who look at it as a job.
pub(super) fn end(task: &Task, invoice: &Invoice) -> End {
    let cancellation = invoice.cancellation.as_ref().map(|cancellation| cancellation.status);
    let is_done = if task.kind == STAMP.name {
        invoice.status == Status::Stamped
    } else {
        cancellation.is_some_and(CancellationStatus::is_cancelled)
    };
    if is_done {
        let status = invoice.status.name();
        return End::Succeeded(format!(r#"{{"invoiceId":"{}","status":"{status}"}}"#, invoice.id));
    }
    End::Failed(reason(invoice).unwrap_or_else(|| Reason::Refused.alone()))
}

/// What was last said of a call that did not succeed.
fn reason(invoice: &Invoice) -> Option<String> {
    let answer =
        invoice.cancellation.as_ref().and_then(|cancellation| cancellation.answer.as_ref());
    let error = invoice.last_error.as_ref().map(|error| &error.rejection);
    answer.or(error).map(Rejection::kept)
}

/// Keeps the answer of the request that began a task, unless another request has used its key meanwhile, or a release of which
/// the answer cannot be read here: what is done stays done.
pub(super) fn keep_answer<T: Stored + Clone>(
    tx: &mut Tx<'_>,
    account: AccountId,
    idempotency: Option<&Idempotency>,
    answer: &T,
    now: Timestamp,
) -> Outcome<()> {
    let ctx = Ctx { idempotency: idempotency.cloned(), ..Ctx::system(account, now) };
    match answers::once(tx, &ctx, |_| Ok::<_, Failure<InvoiceError>>(answer.clone())) {
        Ok(_) | Err(Failure::Refused(Refused::KeyReused | Refused::AnswerUnreadable)) => Ok(()),
        Err(stop) => Err(stop),
    }
}
