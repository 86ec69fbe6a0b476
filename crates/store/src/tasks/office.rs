//! Tasks, as operators see them, across accounts.

use ::accounts::Action;
use ::tasks::{AuditEntry, OpenTasks, Task, TaskError, TaskId, TaskOffice};
use diesel::prelude::*;
use engine::{Failure, Tx, db::Db, readers::Cost};
use kernel::{AccountId, Actor, Done, Fault, Pending, Refused, Timestamp, Written};

use super::{TaskRow, audit, dsl, locked, save_over, wake};
use crate::store::Store;

impl TaskOffice for Store {
    fn open_tasks(&self, wanted: OpenTasks) -> Pending<Result<Vec<Task>, Fault>> {
        self.engine.read(Cost::Large, move |db| {
            let mut rows = dsl::tasks
                .filter(dsl::due_at.is_not_null())
                .filter(dsl::attempts.ge(i64::from(wanted.attempts_min)))
                .into_boxed();
            if let Some(account) = wanted.account {
                rows = rows.filter(dsl::account_id.eq(account.to_string()));
            }
            if let Some(kind) = &wanted.kind {
                rows = rows.filter(dsl::kind.eq(kind.clone()));
            }
            let rows: Vec<TaskRow> = rows
                .order((dsl::due_at, dsl::account_id))
                .limit(i64::from(wanted.limit))
                .select(TaskRow::as_select())
                .load(db)?;
            rows.into_iter().map(TaskRow::task).collect()
        })
    }

    fn find_task(&self, id: TaskId) -> Pending<Result<Option<Task>, Fault>> {
        self.engine.read(Cost::Large, move |db| found(db, id))
    }

    fn audit_of(
        &self,
        account: AccountId,
        subject: String,
    ) -> Pending<Result<Vec<AuditEntry>, Fault>> {
        self.engine.read(Cost::Small, move |db| audit::of(db, account, &subject))
    }

    fn retry(&self, id: TaskId, actor: Actor, now: Timestamp) -> Pending<Written<Task, TaskError>> {
        self.engine.command(None, move |tx| {
            let (seen, task) = changed(tx, id, |task| task.retried(now))?;
            let note = format!("due at once after {} attempts", seen.attempts);
            audit::record(tx, &task, (&actor, Action::TaskRetried), &note, now)?;
            wake(tx, task.account);
            Ok(Done::now(task))
        })
    }

    fn abandon(
        &self,
        id: TaskId,
        actor: Actor,
        note: String,
        now: Timestamp,
    ) -> Pending<Written<Task, TaskError>> {
        let (give_up, log) = (self.give_up, self.task_log);
        self.engine.command(None, move |tx| {
            // The subject is locked before the task, as wherever both are.
            let looked_at = found(tx.db, id)?.ok_or(Refused::NotFound)?;
            looked_at.refuse_unless_waiting(now).map_err(Refused::Rule)?;
            give_up(tx, &looked_at, &note, now)?;
            let (seen, task) = changed(tx, id, |task| task.abandoned(note.clone(), now))?;
            if seen != looked_at {
                return Err(Refused::Rule(TaskError::IsRunning).into());
            }
            audit::record(tx, &task, (&actor, Action::TaskAbandoned), &note, now)?;
            (log.ended)(tx, &task)?;
            Ok(Done::now(task))
        })
    }
}

fn found(db: &mut Db, id: TaskId) -> QueryResult<Option<Task>> {
    let row = dsl::tasks
        .filter(dsl::id.eq(id.to_string()))
        .select(TaskRow::as_select())
        .first::<TaskRow>(db)
        .optional()?;
    row.map(TaskRow::task).transpose()
}

/// A task before and after a change that is allowed while nobody is at it.
fn changed(
    tx: &mut Tx<'_>,
    id: TaskId,
    change: impl FnOnce(Task) -> Result<Task, TaskError>,
) -> Result<(Task, Task), Failure<TaskError>> {
    let account = found(tx.db, id)?.ok_or(Refused::NotFound)?.account;
    let seen = locked(tx, account, id)?.ok_or(Refused::NotFound)?;
    let task = change(seen.clone()).map_err(Refused::Rule)?;
    if !save_over(tx, &seen, &task)? {
        return Err(Refused::Rule(TaskError::IsRunning).into());
    }
    Ok((seen, task))
}
