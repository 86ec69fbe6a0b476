//! Bulk actions: each is a task, kept under the idempotency key of its request, with a row for each of many.

mod effects;
mod rows;

use ::accounts::{Act, Action, Role};
use ::bulk::{
    Bulk, BulkAction, BulkActions, BulkError, BulkQueue, Collected, KEPT_ROWS_MAX, KEPT_SECONDS,
    KINDS, OPEN_MAX, Row, RowQuery, RowResult, Stopped, Tally, Wanted, is_bulk,
};
use ::tasks::{NewTask, Payload, Progress, Standing, Task, TaskId, TaskState};
use diesel::{QueryResult, result::Error as DieselError};
use engine::cleanup::RowsByAge;
use kernel::{AccountId, Ctx, Done, Fault, Page, Pending, Refused, Timestamp, UserId, Written};

use crate::{
    accounts, answers, audit,
    error::Failure,
    readers::{Cost, snapshot},
    store::{Store, TaskLog},
    stored::{from_text, to_text},
    tasks::{self, progressed},
    tx::Tx,
};

/// Rows of bulk actions whose time is over. One that has waited as long, as for a provider, still needs them.
pub(crate) const EXPIRED_ROWS: RowsByAge = RowsByAge {
    find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM bulk_actions b \
           WHERE b.account_id = a.id AND b.expires_at < ? AND NOT EXISTS (SELECT 1 FROM tasks t \
           WHERE t.account_id = b.account_id AND t.id = b.task_id AND t.state = 'open')) \
           THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
    remove: "DELETE FROM bulk_action_rows WHERE account_id = ? AND (task_id, position) IN \
             (SELECT r.task_id, r.position FROM bulk_actions b JOIN bulk_action_rows r \
             ON r.account_id = b.account_id AND r.task_id = b.task_id \
             WHERE b.account_id = ? AND b.expires_at < ? AND NOT EXISTS (SELECT 1 FROM tasks t \
             WHERE t.account_id = b.account_id AND t.id = b.task_id AND t.state = 'open') LIMIT ?)",
    retention_micros: 0,
};

/// Such actions, once they have no rows.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: EXPIRED_ROWS.find,
    remove: "DELETE FROM bulk_actions WHERE account_id = ? AND task_id IN \
             (SELECT b.task_id FROM bulk_actions b WHERE b.account_id = ? AND b.expires_at < ? \
             AND NOT EXISTS (SELECT 1 FROM bulk_action_rows r \
             WHERE r.account_id = b.account_id AND r.task_id = b.task_id) \
             AND NOT EXISTS (SELECT 1 FROM tasks t \
             WHERE t.account_id = b.account_id AND t.id = b.task_id AND t.state = 'open') LIMIT ?)",
    retention_micros: 0,
};

impl BulkActions for Store {
    fn begin(&self, ctx: Ctx, wanted: Wanted) -> Pending<Written<Task, BulkError>> {
        self.engine.command(Some(ctx.account), move |tx| {
            let before: Option<Done<TaskId>> = answers::kept_answer(tx, &ctx)?;
            if let Some(Done { value: id, .. }) = before {
                // It may have ended longer ago than tasks are kept.
                let task = tasks::locked(tx, ctx.account, id)?.ok_or(Refused::AnswerUnreadable)?;
                return Ok(Done { value: task, replayed: true });
            }
            let task = open(tx, &ctx, &wanted)?;
            answers::keep(tx, &ctx, &task.id)?;
            Ok(Done::now(task))
        })
    }

    fn bulk(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Bulk>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            snapshot(db, |db| {
                let Some(tally) = rows::tally(db, account, id)? else { return Ok(None) };
                let Some(task) = tasks::by_id(db, account, id)? else { return Ok(None) };
                let BulkAction { wanted, .. } = from_text(&task.payload.text)?;
                Ok(Some(Bulk { task, wanted, tally }))
            })
        })
    }

    fn rows(
        &self,
        account: AccountId,
        id: TaskId,
        query: RowQuery,
    ) -> Pending<Result<Page<Row>, Fault>> {
        self.engine.read_of(account, Cost::Large, move |db| {
            snapshot(db, |db| rows::page(db, account, id, &query))
        })
    }
}

fn open(tx: &mut Tx<'_>, ctx: &Ctx, wanted: &Wanted) -> Result<Task, Failure<BulkError>> {
    let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    if tasks::open_count(tx.db, ctx.account, &kinds)? >= OPEN_MAX {
        return Err(Refused::Rule(BulkError::TooManyOpen { max: OPEN_MAX }).into());
    }
    if rows::kept(tx.db, ctx.account)? >= KEPT_ROWS_MAX {
        return Err(Refused::Rule(BulkError::TooManyKept).into());
    }
    let kind = wanted.action.kind();
    let bulk =
        BulkAction { actor: ctx.actor.clone(), trace: ctx.trace.clone(), wanted: wanted.clone() };
    let new = NewTask {
        kind: kind.name,
        subject: wanted.action.name().to_owned(),
        exclusive_key: None,
        payload: Payload { version: kind.version, text: to_text(&bulk)? },
        due_at: ctx.now,
        claim: None,
    };
    let task = tasks::open(tx, ctx.account, new, ctx.now)?;
    rows::begin(tx, ctx.account, task.id, kept_until(ctx.now))?;
    audit::record(tx, ctx, &act_on(&task, Action::BulkActionStarted))?;
    Ok(task)
}

fn act_on(task: &Task, action: Action) -> Act {
    Act::new(action, &task.id).with("action", None, Some(task.subject.clone()))
}

/// What the audit log tells of bulk actions behind their beginning.
pub(crate) const LOG: TaskLog = TaskLog { cancelled: note_cancel, ended: note_end };

fn note_cancel(tx: &mut Tx<'_>, ctx: &Ctx, task: &Task) -> QueryResult<()> {
    match is_bulk(&task.kind) {
        true => audit::record(tx, ctx, &act_on(task, Action::BulkActionCancelled)),
        false => Ok(()),
    }
}

/// How many rows there were and what came of them, if all were taken down: otherwise none was acted on.
fn note_end(tx: &mut Tx<'_>, task: &Task) -> QueryResult<()> {
    if !is_bulk(&task.kind) {
        return Ok(());
    }
    let tally = rows::tally(tx.db, task.account, task.id)?.filter(|tally| tally.is_collected);
    let figure = |of: fn(&Tally) -> u64| tally.as_ref().map(|tally| of(tally).to_string());
    let failure = task.outcome.as_deref().filter(|_| task.state == TaskState::Failed);
    let why = failure.and_then(Stopped::of_outcome).map(|why| why.reason().code);
    let act = act_on(task, Action::BulkActionEnded)
        .with("status", None, Some(task.state.name().to_owned()))
        .with("reason", None, why)
        .with("rows", None, figure(|tally| tally.total))
        .with("done", None, figure(|tally| tally.done))
        .with("refused", None, figure(|tally| tally.refused))
        .with("skipped", None, figure(|tally| tally.skipped));
    let ctx = Ctx::system(task.account, task.ended_at.unwrap_or(task.updated_at));
    audit::record(tx, &ctx, &act)
}

fn kept_until(now: Timestamp) -> Timestamp {
    now.plus_seconds(KEPT_SECONDS)
}

/// How far the task has come; how many rows there are is told once all are taken down.
fn progress(tally: &Tally) -> Progress {
    let total = tally.is_collected.then_some(tally.total);
    Progress { done: tally.acted(), total, message: None }
}

impl BulkQueue for Store {
    fn wanted(&self, task: &Task) -> Result<BulkAction, Fault> {
        from_text(&task.payload.text)
            .map_err(|error: DieselError| Fault::Internal(error.to_string()))
    }

    fn tally(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Tally>, Fault>> {
        self.engine.read(Cost::Small, move |db| rows::tally(db, account, id))
    }

    fn collect(
        &self,
        task: &Task,
        collected: Collected,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>> {
        let (account, id) = (task.account, task.id);
        let count = u64::try_from(collected.subjects.len()).unwrap_or(u64::MAX);
        let total = u64::from(collected.from).saturating_add(count);
        let tally = Tally { is_collected: collected.is_all, total, ..Tally::default() };
        let change = progressed(progress(&tally), now, until);
        self.under_claim_with(task, change, move |tx| {
            rows::take_down(tx, account, id, &collected)?;
            rows::save(tx, account, id, &tally, kept_until(now))
        })
    }

    fn waiting(
        &self,
        account: AccountId,
        id: TaskId,
        from: u32,
        limit: u32,
    ) -> Pending<Result<Vec<Row>, Fault>> {
        self.engine.read(Cost::Small, move |db| rows::waiting(db, account, id, from, limit))
    }

    fn record(
        &self,
        task: &Task,
        tally: Tally,
        results: Vec<(u32, RowResult)>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>> {
        let (account, id) = (task.account, task.id);
        let change = progressed(progress(&tally), now, until);
        self.under_claim_with(task, change, move |tx| {
            for (position, result) in &results {
                rows::record(tx, (account, id, *position), result)?;
            }
            rows::save(tx, account, id, &tally, kept_until(now))
        })
    }

    fn role(&self, account: AccountId, user: UserId) -> Pending<Result<Option<Role>, Fault>> {
        self.engine.read(Cost::Small, move |db| accounts::role_in(db, account, user))
    }
}
