//! What each domain brings to the engine, registered in one place: its secrets and its clean-up.

use std::sync::Arc;

use ::tasks::{Task, TaskError, kind};
use engine::{
    Failure, Tx,
    cleanup::{Chore, Chores, RowsByAge},
    secrets::SecretSource,
};
use kernel::{Refused, Timestamp};

use crate::{
    Settings,
    accounts::{failures, invitations, mails, parked, sessions, totp},
    approvals, bulk, catalog, imports, invoices, links, payments, quotes, requests,
    store::{RefundGate, TaskLog},
    tasks::{files, retention::ended_tasks},
    terms,
    waiting::Waiting,
    webhooks::{retention, subscriptions},
};

/// Every kind of secret in the database.
pub(crate) const SECRETS: &[SecretSource] = &[
    subscriptions::secrets,
    invoices::sealed::secrets,
    links::secrets,
    payments::secrets,
    totp::secrets,
    mails::secrets,
    parked::secrets,
];

/// Lanes for commands that a power cut may undo, since they are done again, on PostgreSQL.
pub(crate) const RELAXED_LANES: &[&str] = &["writer-claims", "writer-ends", "writer-requests"];

/// What refuses refunds that rules want to be asked about.
pub(crate) const REFUND_GATE: RefundGate = approvals::refuse_unasked;

/// What the audit log tells of tasks.
pub(crate) const TASK_LOG: TaskLog = bulk::LOG;

const STAMP: &str = kind::STAMP.name;
const CANCEL: &str = kind::CANCEL.name;
const CANCEL_APPROVED: &str = kind::CANCEL_APPROVED.name;
const FOLLOW: &str = kind::FOLLOW.name;
const IMPORT_PRODUCTS: &str = kind::IMPORT_PRODUCTS.name;
const IMPORT_CUSTOMERS: &str = kind::IMPORT_CUSTOMERS.name;
const IMPORT_STOCK: &str = kind::IMPORT_STOCK.name;
const GLOBAL: &str = kind::GLOBAL.name;
const STAMP_WITHHOLDING: &str = kind::STAMP_WITHHOLDING.name;
const CANCEL_WITHHOLDING: &str = kind::CANCEL_WITHHOLDING.name;
const PAYMENT_CALL: &str = kind::PAYMENT_CALL.name;
const REFUND: &str = kind::REFUND.name;

/// Everything that is removed once its time is over.
pub(crate) fn chores(settings: &Settings, waiting: &Arc<Waiting>) -> Chores {
    let micros =
        |duration: std::time::Duration| i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
    let event_retention = micros(settings.event_retention);
    let mut chores: Vec<Box<dyn Chore>> = vec![
        Box::new(RowsByAge::answers(micros(settings.idempotency_retention))),
        Box::new(retention::ExpiredDeliveries { retention_micros: event_retention }),
        Box::new(retention::ExpiredEvents { retention_micros: event_retention }),
        Box::new(invoices::legacy::MoveTasks),
        Box::new(invoices::legacy::TellMoments),
        Box::new(ended_tasks(event_retention)),
        Box::new(links::EXPIRED),
        Box::new(payments::ExpiredHolds),
        Box::new(quotes::Expired),
        Box::new(approvals::ExpiredRequests(Arc::clone(waiting))),
        Box::new(files::EXPIRED_PIECES),
        Box::new(files::EXPIRED),
        Box::new(bulk::EXPIRED_ROWS),
        Box::new(bulk::EXPIRED),
        Box::new(payments::EXPIRED),
        Box::new(imports::retention::stock()),
        Box::new(imports::retention::errors(event_retention)),
        Box::new(imports::retention::ended(event_retention)),
        Box::new(imports::retention::UPLOADS),
        Box::new(catalog::price_lists::DeletedLists),
        Box::new(sessions::EXPIRED),
        Box::new(failures::EXPIRED),
        Box::new(failures::LEFT),
        Box::new(mails::EXPIRED),
        Box::new(parked::EXPIRED),
        Box::new(invitations::EXPIRED),
        Box::new(requests::expired(micros(settings.request_retention))),
    ];
    chores.extend(terms::chores());
    chores.into()
}

/// Undoes what a task that is given up, for a reason, holds of its subject.
///
/// # Errors
/// [`TaskError::MustBeFinished`] when what it asked for may have been received outside.
pub(crate) fn give_up(
    tx: &mut Tx<'_>,
    task: &Task,
    reason: &str,
    now: Timestamp,
) -> Result<(), Failure<TaskError>> {
    match task.kind.as_str() {
        STAMP => invoices::abandoning::stamping(tx, task, reason, now),
        CANCEL | FOLLOW => invoices::abandoning::cancelling(tx, task, reason, now),
        CANCEL_APPROVED => approvals::give_up(tx, task, now),
        GLOBAL => invoices::global::skip(tx, task, now),
        IMPORT_PRODUCTS | IMPORT_CUSTOMERS | IMPORT_STOCK => {
            imports::give_up(tx, task, reason, now).map_err(Into::into)
        }
        STAMP_WITHHOLDING => invoices::withholdings::abandoning::stamping(tx, task, reason, now),
        CANCEL_WITHHOLDING => invoices::withholdings::abandoning::cancelling(tx, task, reason, now),
        // What was asked for may have been done; the provider's own record tells in the end.
        PAYMENT_CALL | REFUND => Err(Refused::Rule(TaskError::MustBeFinished).into()),
        _ => Ok(()),
    }
}
