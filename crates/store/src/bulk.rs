//! Bulk actions: each is a task, kept under the idempotency key of its request, with a row for each of many.

mod effects;
mod rows;

use ::accounts::{Act, Action, Role};
use ::bulk::{
    Bulk, BulkAction, BulkActions, BulkError, BulkQueue, Collected, KEPT_ROWS_MAX, KEPT_SECONDS,
    KINDS, OPEN_MAX, Row, RowQuery, RowResult, Tally, Wanted,
};
use ::tasks::{NewTask, Payload, Progress, Standing, Task, TaskId};
use diesel::{QueryResult, result::Error as DieselError};
use engine::cleanup::RowsByAge;
use kernel::{AccountId, Ctx, Done, Fault, Page, Pending, Refused, Timestamp, UserId, Written};

use crate::{
    accounts, answers,
    error::Failure,
    readers::{Cost, snapshot},
    store::Store,
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
    Ok(task)
}

/// Puts on record who acts on so many rows: once all are taken down, before any is acted on.
fn note_start(tx: &mut Tx<'_>, task: &Task, total: u64, now: Timestamp) -> QueryResult<()> {
    let BulkAction { actor, trace, wanted } = from_text(&task.payload.text)?;
    let ctx = Ctx { trace, ..Ctx::system(task.account, now).by(actor) };
    let act = Act::new(Action::BulkActionStarted, &task.id)
        .with("action", None, Some(wanted.action.name().to_owned()))
        .with("rows", None, Some(total.to_string()));
    accounts::audit::record(tx, &ctx, &act)
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
        let started = task.clone();
        self.under_claim_with(task, change, move |tx| {
            rows::take_down(tx, account, id, &collected)?;
            rows::save(tx, account, id, &tally, kept_until(now))?;
            match collected.is_all {
                true => note_start(tx, &started, total, now),
                false => Ok(()),
            }
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
