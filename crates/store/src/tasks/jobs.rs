//! Tasks, as their account sees them.

use ::tasks::{
    CLAIM_SECONDS_MAX, JobQuery, Jobs, Status, Task, TaskError, TaskId, TaskKind, TaskState,
};
use diesel::{dsl::not, prelude::*};
use engine::{
    Failure,
    db::Db,
    listing::{self, newest_first},
    readers::{Cost, snapshot},
};
use kernel::{AccountId, Ctx, Fault, Page, Pending, Refused, Written};

use super::{TaskRow, by_id, dsl, locked, save_over, table};
use crate::store::Store;

impl Jobs for Store {
    fn get(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Task>, Fault>> {
        self.engine.read(Cost::Small, move |db| by_id(db, account, id))
    }

    fn list(&self, account: AccountId, query: JobQuery) -> Pending<Result<Page<Task>, Fault>> {
        self.engine
            .read_of(account, Cost::Large, move |db| snapshot(db, |db| list(db, account, &query)))
    }

    fn cancel(&self, ctx: Ctx, id: TaskId) -> Pending<Written<Task, TaskError>> {
        let log = self.task_log;
        self.engine.command(Some(ctx.account), move |tx| {
            let seen = locked(tx, ctx.account, id)?.ok_or(Refused::NotFound)?;
            let is_cancellable =
                TaskKind::named(&seen.kind).is_some_and(|kind| kind.is_cancellable);
            let task = seen.clone().cancelled(is_cancellable, ctx.now).map_err(Refused::Rule)?;
            if task != seen && !save_over(tx, &seen, &task)? {
                return Err(Failure::from(Refused::Rule(TaskError::HasEnded(seen.state))));
            }
            let was_open = seen.state == TaskState::Open;
            if was_open && !seen.is_cancel_requested {
                (log.cancelled)(tx, &ctx, &task)?;
            }
            if was_open && task.state != TaskState::Open {
                (log.ended)(tx, &task)?;
            }
            Ok(kernel::Done::now(task))
        })
    }
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

fn filtered(account: AccountId, query: &JobQuery) -> Filtered {
    let mut tasks = dsl::tasks
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::kind.eq_any(query.kinds.clone()))
        .into_boxed();
    if let Some(subject) = &query.subject {
        tasks = tasks.filter(dsl::subject.eq(subject.clone()));
    }
    let Some(status) = query.status else { return tasks };
    let state = match status {
        Status::Queued | Status::Running => TaskState::Open,
        Status::Ended(state) => state,
    };
    tasks = tasks.filter(dsl::state.eq(state.name()));
    // As of `Task::is_held`.
    let (now, longest) = (query.now.micros(), query.now.plus_seconds(CLAIM_SECONDS_MAX).micros());
    let held = dsl::claimed_until.is_not_null().and(dsl::claimed_until.assume_not_null().gt(now));
    let held = held.and(dsl::claimed_until.assume_not_null().le(longest));
    match status {
        Status::Running => tasks.filter(held),
        Status::Queued => tasks.filter(not(held)),
        Status::Ended(_) => tasks,
    }
}

fn list(db: &mut Db, account: AccountId, query: &JobQuery) -> QueryResult<Page<Task>> {
    let all = || filtered(account, query);
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, TaskRow, dsl::id, query.page, all())?;
    let key = |row: &TaskRow| (row.account_id.clone(), row.id.clone());
    listing::newest_page(rows, &query.page, total, "task", key, TaskRow::task)
}
