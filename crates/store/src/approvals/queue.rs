//! Approved commands that are carried out by tasks.

use ::approvals::{Approval, ApprovalId, Effect, Outcome, Refusal};
use ::tasks::{End, Task, TaskError};
use invoices::{ApprovedCancellations, CancelInvoice, Invoice, InvoiceError};
use kernel::{Done, Fault, Pending, Refused, Timestamp, Written, message};

use super::{ApprovalDesk, rows};
use crate::{
    error::Failure,
    readers::Cost,
    stored::{Ticket, from_text, to_text},
    tasks,
    tx::Tx,
};

/// The request that a task is of.
fn approval_of(task: &Task) -> diesel::QueryResult<Option<ApprovalId>> {
    Ok(from_text::<Ticket>(&task.payload.text)?.approval)
}

impl ApprovedCancellations for ApprovalDesk {
    fn approved(&self, task: &Task) -> Pending<Result<Option<CancelInvoice>, Fault>> {
        let task = task.clone();
        self.store.engine.read(Cost::Small, move |db| {
            let Some(id) = approval_of(&task)? else { return Ok(None) };
            let command = rows::queued_command(db, task.account, id)?;
            command.as_deref().map(from_text).transpose()
        })
    }

    fn settle(
        &self,
        task: &Task,
        outcome: Result<Invoice, Refused<InvoiceError>>,
        now: Timestamp,
    ) -> Pending<Written<(), ()>> {
        let (task, told) = (task.clone(), self.wording.cancelling);
        self.store.engine.command(Some(task.account), move |tx| {
            let outcome = match &outcome {
                Ok(invoice) => Outcome::Made(to_text(invoice)?),
                Err(refused) => Outcome::Refused(told(refused.clone())),
            };
            settle(tx, &task, outcome, now)?;
            Ok(Done::now(()))
        })
    }
}

/// Records what has come of a task, if its worker still holds it, and ends it.
fn settle(
    tx: &mut Tx<'_>,
    task: &Task,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(), Failure<()>> {
    let claim = task.claim.map(|claim| claim.id);
    let held = tasks::locked(tx, task.account, task.id)?
        .filter(|own| claim.is_some() && own.claim.map(|own| own.id) == claim);
    let Some(held) = held else { return Ok(()) };
    let end = match &outcome {
        Outcome::Made(_) => End::Succeeded("{}".to_owned()),
        Outcome::Refused(refusal) => End::Failed(refusal.message.to_string()),
    };
    record(tx, task, outcome, now)?;
    let ended = held.clone().ended(end, now);
    if !tasks::save_over(tx, &held, &ended)? {
        return Err(Refused::Stale.into());
    }
    Ok(())
}

fn record(
    tx: &mut Tx<'_>,
    task: &Task,
    outcome: Outcome,
    now: Timestamp,
) -> diesel::QueryResult<()> {
    let Some(id) = approval_of(task)? else { return Ok(()) };
    let Some(kept) = rows::locked(tx, task.account, id)? else { return Ok(()) };
    let seen: Approval = kept.approval;
    if seen.effect != Effect::Queued {
        return Ok(());
    }
    let approval = seen.clone().carried_out(outcome, now);
    rows::save(tx, task.account, &seen, &rows::Kept { approval, command: kept.command })
}

/// Records that an operator has given up a task.
pub(crate) fn give_up(
    tx: &mut Tx<'_>,
    task: &Task,
    now: Timestamp,
) -> Result<(), Failure<TaskError>> {
    let message = message!(
        "the operator of the service has given up the cancellation; ask for it again",
        "el operador del servicio desistió de la cancelación; hay que solicitarla de nuevo"
    );
    let refusal = Refusal { status: 409, code: "conflict".to_owned(), message };
    Ok(record(tx, task, Outcome::Refused(refusal), now)?)
}
