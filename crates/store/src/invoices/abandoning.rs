//! Giving up what is under way with a provider, because an operator wants it.

use ::invoices::{Invoice, InvoiceError, InvoiceId, cancel, settled::Settled, stamping};
use ::tasks::{Task, TaskError, kind::FOLLOW};
use kernel::{Fault, Refused, Timestamp};

use super::{around, settling};
use crate::{error::Failure, rows::read, tx::Tx};

type Outcome<T> = Result<T, Failure<TaskError>>;

/// Gives up a call to stamp. Whoever gives the task up ends it.
pub(crate) fn stamping(tx: &mut Tx<'_>, task: &Task, reason: &str, now: Timestamp) -> Outcome<()> {
    let invoice = subject(tx, task)?;
    let around = around::load_giving_back(tx, task.account, &invoice).map_err(in_task)?;
    let settled = stamping::give_up(&invoice, &around, reason, now);
    record(tx, task, &invoice, &settled, now)
}

/// Gives up a request to cancel, if nobody can have it.
pub(crate) fn cancelling(
    tx: &mut Tx<'_>,
    task: &Task,
    reason: &str,
    now: Timestamp,
) -> Outcome<()> {
    let invoice = subject(tx, task)?;
    // A claim that ran out is of somebody who may have sent it before.
    let was_sent = task.kind == FOLLOW.name || task.is_doubtful || task.claim.is_some();
    let settled = cancel::give_up(&invoice, was_sent, reason, now)
        .map_err(|cancel::MayBeReceived| Refused::Rule(TaskError::MustBeFinished))?;
    record(tx, task, &invoice, &settled, now)
}

fn subject(tx: &mut Tx<'_>, task: &Task) -> Outcome<Invoice> {
    let id = read(&task.subject, InvoiceId::parse)?;
    around::locked_newest_first(tx, task.account, id, None).map_err(in_task)
}

fn record(
    tx: &mut Tx<'_>,
    task: &Task,
    invoice: &Invoice,
    settled: &Settled,
    now: Timestamp,
) -> Outcome<()> {
    settling::record(tx, task.account, (invoice, None), settled, None, now).map_err(in_task)
}

/// A failure of invoices, as one of their task; the rules of invoices refuse nothing here.
pub(super) fn in_task(failure: Failure<InvoiceError>) -> Failure<TaskError> {
    match failure {
        Failure::Database(error) => Failure::Database(error),
        Failure::Refused(Refused::NotFound) => Refused::NotFound.into(),
        Failure::Refused(Refused::Fault(fault)) => Refused::Fault(fault).into(),
        Failure::Refused(refused) => {
            Refused::Fault(Fault::Internal(format!("a task was not given up: {refused:?}"))).into()
        }
    }
}
