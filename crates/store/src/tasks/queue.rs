//! Tasks, as workers see them.

use std::{collections::HashMap, sync::Arc};

use ::tasks::{
    CLAIM_SECONDS_MAX, CLOCK_SKEW_SECONDS, Claim, ClaimId, End, Pause, Progress, Standing, Task,
    TaskId, TaskQueue, Want, Watcher, fair,
};
use diesel::prelude::*;
use engine::{Failure, Tx, db::Db, readers::Cost, unreadable::readable};
use kernel::{AccountId, Done, Fault, Pending, Timestamp, Written};

use super::{TaskRow, by_id, dsl, locked, save_over, table};
use crate::store::Store;

/// How many more tasks are looked at than are wanted, so that accounts can take turns.
const LOOKED_AT_FACTOR: usize = 4;
/// How often is looked further behind the tasks of accounts that have had their share.
const LOOKS_MAX: usize = 4;

impl TaskQueue for Store {
    fn watch(&self, watcher: Arc<dyn Watcher>) {
        self.notifier.watch_tasks(&watcher);
    }

    fn has_due(&self, kinds: Vec<&'static str>, now: Timestamp) -> Pending<Result<bool, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let first: Option<String> = takeable(now)
                .filter(dsl::kind.eq_any(&kinds))
                .select(dsl::id)
                .first(db)
                .optional()?;
            Ok(first.is_some())
        })
    }

    fn claim(
        &self,
        wants: Vec<Want>,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Vec<Task>, ()>> {
        self.engine.command(None, move |tx| {
            let mut claimed = Vec::new();
            for want in &wants {
                for task in due(tx.db, want, now)? {
                    let claim = Claim { id: ClaimId::from_u128(tx.ids.next()), until };
                    let taken = task.clone().claimed(claim);
                    if save_over(tx, &task, &taken)? {
                        claimed.push(taken);
                    }
                }
            }
            Ok(Done::now(claimed))
        })
    }

    fn find(&self, account: AccountId, id: TaskId) -> Pending<Result<Option<Task>, Fault>> {
        self.engine.read(Cost::Small, move |db| by_id(db, account, id))
    }

    fn progress(
        &self,
        task: &Task,
        progress: Progress,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>> {
        self.under_claim(task, progressed(progress, now, until))
    }

    fn postpone(
        &self,
        task: &Task,
        pause: Pause,
        now: Timestamp,
    ) -> Pending<Written<Standing, ()>> {
        self.under_claim(task, move |held| held.postponed(&pause, now))
    }

    fn put_off(&self, task: &Task, pause: Pause, now: Timestamp) -> Pending<Written<Standing, ()>> {
        self.under_claim(task, move |held| held.put_off(&pause, now))
    }

    fn others_wait(&self, task: &Task, want: Want, now: Timestamp) -> Pending<Result<bool, Fault>> {
        let account = task.account;
        self.engine.read(Cost::Small, move |db| {
            let own = want.saturated().into_iter().chain([account]);
            let mut full: Vec<String> = own.map(|account| account.to_string()).collect();
            full.extend(saturated(db, &want, now)?);
            let first: Option<String> = takeable(now)
                .filter(dsl::kind.eq(want.kind))
                .filter(dsl::payload_version.le(i64::from(want.version)))
                .filter(dsl::account_id.ne_all(full))
                .select(dsl::id)
                .first(db)
                .optional()?;
            Ok(first.is_some())
        })
    }

    fn end(&self, task: &Task, end: End, now: Timestamp) -> Pending<Written<Standing, ()>> {
        let (log, ended) = (self.task_log, task.clone().ended(end.clone(), now));
        let change = move |held: Task| held.ended(end.clone(), now);
        self.under_claim_with(task, change, move |tx| (log.ended)(tx, &ended))
    }
}

/// A task that has come so far, its claim held until then.
pub(crate) fn progressed(
    progress: Progress,
    now: Timestamp,
    until: Timestamp,
) -> impl Fn(Task) -> Task {
    move |held| {
        let mut held = held.progressed(progress.clone(), now);
        held.claim = held.claim.map(|claim| Claim { until, ..claim });
        held
    }
}

impl Store {
    /// Changes a task if its worker's claim still stands.
    fn under_claim(
        &self,
        task: &Task,
        change: impl Fn(Task) -> Task + Send + 'static,
    ) -> Pending<Written<Standing, ()>> {
        self.under_claim_with(task, change, |_| Ok(()))
    }

    /// The same with an effect in the same transaction.
    pub(crate) fn under_claim_with(
        &self,
        task: &Task,
        change: impl Fn(Task) -> Task + Send + 'static,
        effect: impl Fn(&mut Tx<'_>) -> QueryResult<()> + Send + 'static,
    ) -> Pending<Written<Standing, ()>> {
        let (account, id, claim) = (task.account, task.id, task.claim.map(|claim| claim.id));
        self.engine.command(Some(account), move |tx| {
            let own = locked(tx, account, id)?
                .filter(|task| claim.is_some() && task.claim.map(|own| own.id) == claim);
            let Some(seen) = own else { return Ok(Done::now(Standing::Lost)) };
            let standing = match seen.is_cancel_requested {
                true => Standing::HeldToStop,
                false => Standing::Held,
            };
            let changed = change(seen.clone());
            if !save_over(tx, &seen, &changed)? {
                return Ok(Done::now(Standing::Lost));
            }
            effect(tx)?;
            Ok::<_, Failure<()>>(Done::now(standing))
        })
    }
}

/// What is due of one kind, shared fairly. Behind the tasks of an account that has had its share others may wait:
/// then it is looked further without that account.
fn due(db: &mut Db, want: &Want, now: Timestamp) -> QueryResult<Vec<Task>> {
    let looked_at = want.room.saturating_mul(LOOKED_AT_FACTOR);
    let mut want = want.clone();
    let mut chosen = Vec::new();
    for _ in 0..LOOKS_MAX {
        if want.room == 0 {
            break;
        }
        let found = candidates(db, &want, now, looked_at, &chosen)?;
        let is_all = found.len() < looked_at;
        let more = fair(found, &want, |task| task.account);
        want.room -= more.len().min(want.room);
        for task in &more {
            *want.busy.entry(task.account).or_default() += 1;
        }
        let is_stuck = more.is_empty();
        chosen.extend(more);
        if is_all || is_stuck {
            break;
        }
    }
    Ok(chosen)
}

/// Tasks that are due at `now` and that nobody is at, as the rule has it.
fn takeable(now: Timestamp) -> table::BoxedQuery<'static, <Db as Connection>::Backend> {
    let (now_micros, skewed) = (now.micros(), now.plus_seconds(CLOCK_SKEW_SECONDS).micros());
    let last_claimed = now.plus_seconds(CLAIM_SECONDS_MAX).micros();
    dsl::tasks
        .filter(dsl::due_at.is_not_null())
        .filter(dsl::due_at.le(now_micros).or(dsl::updated_at.gt(skewed)))
        .filter(
            dsl::claimed_until
                .is_null()
                .or(dsl::claimed_until.le(now_micros))
                .or(dsl::claimed_until.gt(last_claimed)),
        )
        .into_boxed()
}

/// The accounts of which workers, wherever they are, are at as many tasks of a kind as one of them may be.
fn saturated(db: &mut Db, want: &Want, now: Timestamp) -> QueryResult<Vec<String>> {
    let last_claimed = now.plus_seconds(CLAIM_SECONDS_MAX).micros();
    let held: Vec<String> = dsl::tasks
        .filter(dsl::due_at.le(now.micros()))
        .filter(dsl::kind.eq(want.kind))
        .filter(dsl::claimed_until.gt(now.micros()))
        .filter(dsl::claimed_until.le(last_claimed))
        .select(dsl::account_id)
        .load(db)?;
    let mut counts: HashMap<String, usize> = HashMap::new();
    for account in held {
        *counts.entry(account).or_default() += 1;
    }
    let full = counts.into_iter().filter(|(_, count)| *count >= want.room_per_account);
    Ok(full.map(|(account, _)| account).collect())
}

fn candidates(
    db: &mut Db,
    want: &Want,
    now: Timestamp,
    limit: usize,
    chosen: &[Task],
) -> QueryResult<Vec<Task>> {
    let full: Vec<String> = want.saturated().iter().map(AccountId::to_string).collect();
    let taken: Vec<String> = chosen.iter().map(|task| task.id.to_string()).collect();
    let rows: Vec<TaskRow> = takeable(now)
        .filter(dsl::kind.eq(want.kind))
        .filter(dsl::payload_version.le(i64::from(want.version)))
        .filter(dsl::account_id.ne_all(full))
        .filter(dsl::id.ne_all(taken))
        .order(dsl::due_at)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(TaskRow::as_select())
        .load(db)?;
    readable(
        "task",
        rows.into_iter().map(|row| ((row.account_id.clone(), row.id.clone()), row.task())),
    )
}
