//! Durable work: opened, claimed and ended in the transactions of whoever it is for.

mod audit;
pub(crate) mod files;
mod jobs;
mod office;
mod queue;
pub(crate) mod retention;
mod rows;

use ::tasks::{NewTask, Task, TaskId};
use diesel::prelude::*;
use engine::{
    Tx,
    db::{Db, first_locked, on},
    statement::Column,
    unreadable::readable,
};
use kernel::{AccountId, Timestamp};

use crate::notifier;
use crate::schema::tasks::{self as table, dsl};
pub(crate) use audit::record as record_audit;
pub(crate) use queue::progressed;
use rows::TaskRow;

/// Puts work on record; workers are woken unless somebody has begun with it.
pub(crate) fn open(
    tx: &mut Tx<'_>,
    account: AccountId,
    new: NewTask,
    now: Timestamp,
) -> QueryResult<Task> {
    let task = Task::open(account, TaskId::from_u128(tx.ids.next()), new, now);
    insert(tx, &task, now)?;
    Ok(task)
}

/// The same with a task that has its identifier already.
pub(crate) fn insert(tx: &mut Tx<'_>, task: &Task, now: Timestamp) -> QueryResult<()> {
    let row = TaskRow::of(task);
    on!(tx.db, |conn| diesel::insert_into(table::table).values(&row).execute(conn))?;
    if task.is_due(now) {
        wake(tx, task.account);
    }
    Ok(())
}

/// New tasks as columns of an insert on PostgreSQL, in the order in which the table has them.
pub(crate) fn columns(tasks: &[Task]) -> Vec<Column> {
    let rows: Vec<TaskRow> = tasks.iter().map(TaskRow::of).collect();
    TaskRow::columns(&rows)
}

/// Wakes workers, once the transaction is committed.
pub(crate) fn wake(tx: &mut Tx<'_>, account: AccountId) {
    tx.effects.wake(notifier::task_due(account));
}

/// A task.
pub(crate) fn by_id(db: &mut Db, account: AccountId, id: TaskId) -> QueryResult<Option<Task>> {
    let row = dsl::tasks
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::id.eq(id.to_string()))
        .select(TaskRow::as_select())
        .first::<TaskRow>(db)
        .optional()?;
    row.map(TaskRow::task).transpose()
}

/// A task, locked until the end of the transaction.
pub(crate) fn locked(tx: &mut Tx<'_>, account: AccountId, id: TaskId) -> QueryResult<Option<Task>> {
    let row = first_locked!(
        tx.db,
        TaskRow,
        dsl::tasks
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::id.eq(id.to_string()))
    )?;
    row.map(TaskRow::task).transpose()
}

/// A task whose worker still holds it, locked until the end of the transaction.
pub(crate) fn held(tx: &mut Tx<'_>, task: &Task) -> QueryResult<Option<Task>> {
    let claim = task.claim.map(|claim| claim.id);
    let own = locked(tx, task.account, task.id)?;
    Ok(own.filter(|own| claim.is_some() && own.claim.map(|own| own.id) == claim))
}

/// The open task with this key, locked until the end of the transaction.
pub(crate) fn locked_by_key(
    tx: &mut Tx<'_>,
    account: AccountId,
    exclusive_key: &str,
) -> QueryResult<Option<Task>> {
    let row = first_locked!(
        tx.db,
        TaskRow,
        dsl::tasks
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::exclusive_key.eq(exclusive_key))
    )?;
    row.map(TaskRow::task).transpose()
}

/// The open task with this key.
pub(crate) fn by_key(
    db: &mut Db,
    account: AccountId,
    exclusive_key: &str,
) -> QueryResult<Option<Task>> {
    let row = dsl::tasks
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::exclusive_key.eq(exclusive_key))
        .select(TaskRow::as_select())
        .first::<TaskRow>(db)
        .optional()?;
    row.map(TaskRow::task).transpose()
}

/// The oldest open tasks whose keys are words of which the first are these, so many at most.
pub(crate) fn of_group(
    db: &mut Db,
    account: AccountId,
    words: &str,
    most: i64,
) -> QueryResult<Vec<Task>> {
    // The character behind a space is an exclamation mark.
    let (from, to) = (format!("{words} "), format!("{words}!"));
    let rows: Vec<TaskRow> = dsl::tasks
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::exclusive_key.gt(from))
        .filter(dsl::exclusive_key.lt(to))
        .order(dsl::id)
        .limit(most)
        .select(TaskRow::as_select())
        .load(db)?;
    let key = |row: &TaskRow| (row.account_id.clone(), row.id.clone());
    readable("task", rows.into_iter().map(|row| (key(&row), row.task())))
}

/// Whether an account has an open task of a kind.
pub(crate) fn has_open(db: &mut Db, account: AccountId, kind: &str) -> QueryResult<bool> {
    let own = dsl::tasks
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::due_at.is_not_null())
        .filter(dsl::kind.eq(kind));
    Ok(own.count().get_result::<i64>(db)? > 0)
}

/// How many open tasks of some kinds an account has.
pub(crate) fn open_count(db: &mut Db, account: AccountId, kinds: &[&str]) -> QueryResult<i64> {
    dsl::tasks
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::due_at.is_not_null())
        .filter(dsl::kind.eq_any(kinds))
        .count()
        .get_result(db)
}

/// Saves a task unless somebody else has claimed it or recorded an attempt since it was `seen`; whether it did.
pub(crate) fn save_over(tx: &mut Tx<'_>, seen: &Task, task: &Task) -> QueryResult<bool> {
    let (before, after) = (TaskRow::of(seen), TaskRow::of(task));
    let update = after.over(before);
    Ok(on!(tx.db, |conn| update.execute(conn))? > 0)
}
