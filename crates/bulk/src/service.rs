//! Who keeps bulk actions.

use std::sync::Arc;

use accounts::Role;
use kernel::{
    AccountId, Actor, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Trace, UserId, Written,
};
use tasks::{Standing, Task, TaskId};

use crate::{Action, Outcome, Row, RowResult, Selection, Tally};

/// What is to be done, about which rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct Wanted {
    pub action: Action,
    pub selection: Selection,
}

/// The same as its worker reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct BulkAction {
    /// On whose behalf each row is acted on.
    pub actor: Actor,
    /// By which request.
    pub trace: Option<Arc<Trace>>,
    pub wanted: Wanted,
}

/// Why none is begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkError {
    /// As many are under way as the account may have.
    TooManyOpen {
        /// How many these are.
        max: i64,
    },
    /// The results of so many rows are kept that others have to expire first.
    TooManyKept,
}

/// A bulk action as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct Bulk {
    pub task: Task,
    pub wanted: Wanted,
    pub tally: Tally,
}

/// Which rows are listed, in the order in which they are acted on.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "self-explanatory")]
pub struct RowQuery {
    pub outcome: Option<Outcome>,
    pub page: PageRequest,
}

/// Begins bulk actions and shows them. They are cancelled as [jobs](tasks::Jobs).
pub trait BulkActions: Send + Sync {
    /// Puts one on record; its task begins by itself.
    fn begin(&self, ctx: Ctx, wanted: Wanted) -> Pending<Written<Task, BulkError>>;

    /// One; `None` when the account has no such, or has it no longer.
    fn bulk(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Bulk>, Fault>>;

    /// A page of its rows.
    fn rows(
        &self,
        account: AccountId,
        id: TaskId,
        query: RowQuery,
    ) -> Pending<Result<Page<Row>, Fault>>;
}

/// Keeps bulk actions for their workers. What a worker records counts only while it holds the claim of its task.
pub trait BulkQueue: Send + Sync {
    /// What a task is to do.
    ///
    /// # Errors
    /// When its payload cannot be read.
    fn wanted(&self, task: &Task) -> Result<BulkAction, Fault>;

    /// How far it has come; `None` when nothing is kept of it any more.
    fn tally(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Tally>, Fault>>;

    /// Takes rows down, the first at a place; whatever stood there and behind it is taken down anew. `is_all` says that no
    /// more follow.
    fn collect(
        &self,
        task: &Task,
        rows: Collected,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>>;

    /// Rows that wait for their turn, from a place on.
    fn waiting(
        &self,
        account: AccountId,
        id: TaskId,
        from: u32,
        limit: u32,
    ) -> Pending<Result<Vec<Row>, Fault>>;

    /// Records what came of rows, by their places, and of all with them; holds the claim until `until`.
    fn record(
        &self,
        task: &Task,
        tally: Tally,
        results: Vec<(u32, RowResult)>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>>;

    /// The role of a user in an account, if they are a member of it now.
    fn role(&self, account: AccountId, user: UserId) -> Pending<Result<Option<Role>, Fault>>;
}

/// Rows that are taken down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collected {
    /// The place of the first, from 0.
    pub from: u32,
    /// What is acted on.
    pub subjects: Vec<Subject>,
    /// Whether no more follow.
    pub is_all: bool,
}

/// Something that is acted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its identifier.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Its version, where it is acted on in no other.
    pub version: Option<i64>,
}
