//! Who keeps tasks, for workers and for those who asked for them.

use std::sync::Arc;

use kernel::{AccountId, Ctx, Fault, Page, PageRequest, Pending, Timestamp, Written};

use crate::{End, Pause, Progress, Status, Task, TaskError, TaskId, Want};

/// Is told that tasks are due.
pub trait Watcher: Send + Sync {
    /// Something is due in an account. Nobody depends on being told.
    fn tasks_due(&self);
}

/// What has become of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds.
    Held,
    /// It holds, and the account wants the task to stop.
    HeldToStop,
    /// The task has ended or passed to another: whatever its worker does now does not count.
    Lost,
}

/// Keeps tasks for workers. Many may work on one database.
pub trait TaskQueue: Send + Sync {
    /// Lets a worker of this process be told of tasks that are due.
    fn watch(&self, watcher: Arc<dyn Watcher>);

    /// Whether a task of one of these kinds is due at `now`. It asks no writer.
    fn has_due(&self, kinds: Vec<&'static str>, now: Timestamp) -> Pending<Result<bool, Fault>>;

    /// Claims what is due at `now`, until `until`.
    fn claim(
        &self,
        wants: Vec<Want>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Vec<Task>, ()>>;

    /// A task as it is now.
    fn find(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Task>, Fault>>;

    /// Records how far a task has come, and holds the claim until `until`.
    fn progress(
        &self,
        task: &Task,
        progress: Progress,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>>;

    /// Gives a task back, due again after a pause.
    fn postpone(&self, task: &Task, pause: Pause, now: Timestamp)
    -> Pending<Written<Standing, ()>>;

    /// Whether a worker that wants so much could take up another task if it gave this one back: of another account, of which
    /// neither it nor other workers are at as many as they may.
    fn others_wait(&self, task: &Task, want: Want, now: Timestamp) -> Pending<Result<bool, Fault>>;

    /// Gives a task back of which no attempt was made, due again after a pause.
    fn put_off(&self, task: &Task, pause: Pause, now: Timestamp) -> Pending<Written<Standing, ()>>;

    /// Ends a task.
    fn end(&self, task: &Task, end: End, now: Timestamp) -> Pending<Written<Standing, ()>>;
}

/// Which tasks of an account are listed, newest first.
#[derive(Clone, Debug)]
pub struct JobQuery {
    /// The names of their kinds.
    pub kinds: Vec<&'static str>,
    /// Their status at [`now`](Self::now).
    pub status: Option<Status>,
    /// The moment at which a worker is at them or not.
    pub now: Timestamp,
    /// What they are about.
    pub subject: Option<String>,
    /// Which page of them.
    pub page: PageRequest,
}

/// Shows tasks to their account.
pub trait Jobs: Send + Sync {
    /// One task; `None` when the account has no such task.
    fn get(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Task>, Fault>>;

    /// A page of tasks.
    fn list(&self, account: AccountId, query: JobQuery) -> Pending<Result<Page<Task>, Fault>>;

    /// Cancels a task; one that a worker is at is asked to stop.
    fn cancel(&self, ctx: Ctx, id: TaskId) -> Pending<Written<Task, TaskError>>;
}
