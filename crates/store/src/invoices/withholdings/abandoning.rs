//! Giving up what is under way with a provider, because an operator wants it.

use ::invoices::{
    cancel::MayBeReceived,
    withholding::{Settled, Withholding, WithholdingId, cancel, stamping},
};
use ::tasks::{Task, TaskError};
use kernel::{Refused, Timestamp};

use super::{rows, settling};
use crate::{error::Failure, invoices::abandoning::in_task, rows::read, tx::Tx};

type Outcome<T> = Result<T, Failure<TaskError>>;

/// Gives up a call to stamp. Whoever gives the task up ends it.
pub(crate) fn stamping(tx: &mut Tx<'_>, task: &Task, reason: &str, now: Timestamp) -> Outcome<()> {
    let withholding = subject(tx, task)?;
    let settled = stamping::give_up(&withholding, reason, now);
    record(tx, task, &withholding, &settled, now)
}

/// Gives up a request to cancel, if nobody can have it.
pub(crate) fn cancelling(
    tx: &mut Tx<'_>,
    task: &Task,
    reason: &str,
    now: Timestamp,
) -> Outcome<()> {
    let withholding = subject(tx, task)?;
    // A claim that ran out is of somebody who may have sent it before.
    let was_sent = task.is_doubtful || task.claim.is_some();
    let settled = cancel::give_up(&withholding, was_sent, reason, now)
        .map_err(|MayBeReceived| Refused::Rule(TaskError::MustBeFinished))?;
    record(tx, task, &withholding, &settled, now)
}

fn subject(tx: &mut Tx<'_>, task: &Task) -> Outcome<Withholding> {
    let id = read(&task.subject, WithholdingId::parse)?;
    rows::locked(tx, task.account, id, None)
}

fn record(
    tx: &mut Tx<'_>,
    task: &Task,
    withholding: &Withholding,
    settled: &Settled,
    now: Timestamp,
) -> Outcome<()> {
    settling::record(tx, task.account, (withholding, None), settled, None, now).map_err(in_task)
}
