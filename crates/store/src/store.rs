//! The store: what every domain's services work with.

use std::sync::Arc;

use ::payments::{NewRefund, PaymentError, PaymentId};
use ::tasks::{Task, TaskError};
use diesel::QueryResult;
use engine::{
    Engine, Failure, RelaxedLane, Tx,
    cleanup::{Chores, ExpiredRows, Slice, Step, Walk},
    lookups::Lookups,
};
use kernel::{Ctx, Fault, Pending, Timestamp, Written};

use crate::{
    endpoints::Endpoints, hashing::Hashing, long_pages::LongPages, notifier::Notifier,
    requests::Requests, under_way::UnderWay, waiting::Waiting,
};

/// Where claims of deliveries are written.
pub(crate) const CLAIMS: RelaxedLane = RelaxedLane(0);
/// Where is written what became of claimed deliveries.
pub(crate) const ENDS: RelaxedLane = RelaxedLane(1);

/// Undoes what a task that is given up, for a reason, holds of its subject, unless it must be finished.
pub(crate) type GiveUp = fn(&mut Tx<'_>, &Task, &str, Timestamp) -> Result<(), Failure<TaskError>>;

/// Puts on record what becomes of tasks that the audit log tells of, in its transaction.
#[derive(Clone, Copy)]
pub(crate) struct TaskLog {
    /// Somebody wants one to stop.
    pub(crate) cancelled: fn(&mut Tx<'_>, &Ctx, &Task) -> QueryResult<()>,
    /// One has ended.
    pub(crate) ended: fn(&mut Tx<'_>, &Task) -> QueryResult<()>,
}

/// Refuses a refund, in the transaction that would make it.
pub(crate) type RefundGate =
    fn(&mut Tx<'_>, &Ctx, PaymentId, &NewRefund) -> Result<(), Failure<PaymentError>>;

/// Every domain's service on one database.
pub struct Store {
    pub(crate) engine: Arc<Engine>,
    /// Where passwords are hashed.
    pub(crate) passwords: Hashing,
    pub(crate) notifier: Arc<Notifier>,
    /// How long the secret of a webhook still signs after it was replaced.
    pub(crate) secret_overlap_seconds: i64,
    pub(crate) products: Lookups<catalog::Product>,
    pub(crate) orders: Lookups<::orders::Order>,
    pub(crate) chores: Chores,
    /// Where deliveries go.
    pub(crate) endpoints: Arc<Endpoints>,
    /// Stampings that were begun here.
    pub(crate) under_way: UnderWay,
    /// What waits for approval.
    pub(crate) approvals_waiting: Arc<Waiting>,
    pub(crate) give_up: GiveUp,
    pub(crate) task_log: TaskLog,
    pub(crate) refund_gate: RefundGate,
    /// Accounts whose orders have many lines.
    pub(crate) long_pages: Arc<LongPages>,
    /// What keys asked for, until it is written down.
    pub(crate) requests: Requests,
}

impl Store {
    /// Commits what is queued, answers it, and ends the threads. What is asked for from now on is refused.
    pub fn close(&self) {
        // It is committed with what is queued.
        self.requests.write_rest(&self.engine);
        self.engine.close();
    }

    /// Whether the database answers.
    pub fn ready(&self) -> Pending<Result<(), Fault>> {
        self.engine.ready()
    }

    /// Whether a command is a repeat, by its idempotency key, of one whose answer still counts.
    pub fn is_answered(&self, ctx: Ctx) -> Pending<Result<bool, Fault>> {
        self.engine.is_answered(ctx)
    }

    /// Looks for what has served its time, one step of a walk over all accounts.
    pub fn find_expired(&self, walk: Walk, now: Timestamp) -> Pending<Result<Step, Fault>> {
        self.engine.find_expired(&self.chores, walk, now)
    }

    /// Removes a slice of what was found, and says what it has left.
    pub fn clean_up(
        &self,
        expired: Vec<ExpiredRows>,
        now: Timestamp,
    ) -> Pending<Written<Slice, ()>> {
        self.engine.clean_up(&self.chores, expired, now)
    }
}
