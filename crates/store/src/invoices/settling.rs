//! Recording what follows from the end of a step with a provider.

use ::invoices::{
    Invoice, InvoiceError,
    sagas::Task,
    settled::{DocumentChange, OpenTask, Settled, TaskChange},
};
use kernel::{AccountId, Ctx, Idempotency, Refused, Timestamp};

use super::{
    credits, documents, holders, relations, rows,
    tasks::{FOLLOW, TaskRow},
};
use crate::{answers, error::Failure, tx::Tx};

type Outcome<T> = Result<T, Failure<InvoiceError>>;

/// The task of a step as the rules see it.
pub(super) fn open(row: Option<&TaskRow>, task: &Task) -> Option<OpenTask> {
    let claim = task.claim.to_string();
    row.map(|row| OpenTask {
        is_held: row.claim_id.as_deref() == Some(claim.as_str()),
        attempts: row.tries(),
    })
}

/// Records what follows for an invoice as it was `before`, and for its task.
pub(super) fn record(
    tx: &mut Tx<'_>,
    account: AccountId,
    (before, row): (&Invoice, Option<&TaskRow>),
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
    if let Some(change) = &settled.credits {
        let balance = credits::locked(tx, account)?;
        credits::enter(tx, account, (balance, change), now)?;
    }
    if let Some(change) = &settled.documents {
        keep(tx, account, invoice, change)?;
    }
    if let Some(row) = row {
        carry_out(tx, row, settled.task, now)?;
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

fn carry_out(tx: &mut Tx<'_>, row: &TaskRow, change: TaskChange, now: Timestamp) -> Outcome<()> {
    match change {
        TaskChange::Keep => {}
        TaskChange::End => row.delete(tx)?,
        TaskChange::Postpone { seconds, is_doubtful } => {
            let mut later = row.postponed(seconds, now);
            later.is_doubtful = i64::from(is_doubtful || row.is_doubtful != 0);
            later.save_over(tx, row)?;
        }
        TaskChange::Follow => {
            let mut next = row.clone();
            FOLLOW.clone_into(&mut next.step);
            next.attempts = 0;
            next.is_doubtful = 0;
            next.save_over(tx, row)?;
        }
    }
    Ok(())
}

/// Keeps the invoice as the answer of the request that began the task, unless another request has used its
/// key meanwhile: what is done stays done.
fn keep_answer(
    tx: &mut Tx<'_>,
    account: AccountId,
    idempotency: Option<&Idempotency>,
    invoice: &Invoice,
    now: Timestamp,
) -> Outcome<()> {
    let ctx = Ctx { account, now, idempotency: idempotency.cloned() };
    match answers::once(tx, &ctx, |_| Ok::<_, Failure<InvoiceError>>(invoice.clone())) {
        Ok(_) | Err(Failure::Refused(Refused::KeyReused)) => Ok(()),
        Err(stop) => Err(stop),
    }
}
