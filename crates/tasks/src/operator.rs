//! What operators see of tasks and do with those that are stuck.

use kernel::{AccountId, Actor, Fault, Pending, Timestamp, Written};

use crate::{Task, TaskError, TaskId};

kernel::ids! {
    /// The identifier of an entry of the audit log.
    AuditEntryId = "aud";
}

/// What somebody did beside the rules, on record for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its identifier.
    pub id: AuditEntryId,
    /// Who did it.
    pub actor: String,
    /// What was done, e.g. `task.abandoned`.
    pub action: String,
    /// The identifier of what it was done to.
    pub subject: String,
    /// Why, and what it changed.
    pub note: String,
    /// When.
    pub at: Timestamp,
}

/// Which open tasks are looked for.
#[derive(Clone, Debug, Default)]
pub struct OpenTasks {
    /// Of one account.
    pub account: Option<AccountId>,
    /// Of one kind.
    pub kind: Option<String>,
    /// Only those with so many attempts or more.
    pub attempts_min: u32,
    /// At most so many, those first that are due first.
    pub limit: u32,
}

/// Shows tasks to operators, across accounts.
pub trait TaskOffice: Send + Sync {
    /// Open tasks.
    fn open_tasks(&self, wanted: OpenTasks) -> Pending<Result<Vec<Task>, Fault>>;

    /// One task, ended or not.
    fn find_task(&self, id: TaskId) -> Pending<Result<Option<Task>, Fault>>;

    /// What was done about a task.
    fn audit_of(
        &self,
        account: AccountId,
        subject: String,
    ) -> Pending<Result<Vec<AuditEntry>, Fault>>;

    /// Makes a task due now.
    fn retry(&self, id: TaskId, actor: Actor, now: Timestamp) -> Pending<Written<Task, TaskError>>;

    /// Gives a task up, together with what it holds of its subject: an invoice becomes a draft again, and its credits
    /// come back. [`TaskError::MustBeFinished`] when what it asked for may have been received: nothing here can take
    /// that back.
    fn abandon(
        &self,
        id: TaskId,
        actor: Actor,
        note: String,
        now: Timestamp,
    ) -> Pending<Written<Task, TaskError>>;
}
