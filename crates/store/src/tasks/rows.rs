//! Tasks as rows.

use ::tasks::{Claim, ClaimId, Payload, Progress, Task, TaskId, TaskState};
use diesel::prelude::*;
use engine::{
    rows::{micros, moment, read, read_name},
    statement::{Bound, Column, Statement, columns},
};
use kernel::{AccountId, Timestamp};

use crate::schema::tasks as table;

#[derive(Clone, Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
pub(super) struct TaskRow {
    pub(super) account_id: String,
    pub(super) id: String,
    kind: String,
    subject: String,
    exclusive_key: Option<String>,
    payload_version: i64,
    payload: String,
    state: String,
    due_at: Option<i64>,
    pub(super) attempts: i64,
    is_doubtful: i64,
    pub(super) claim_id: Option<String>,
    claimed_until: Option<i64>,
    is_cancel_requested: i64,
    done: i64,
    total: Option<i64>,
    message: Option<String>,
    outcome: Option<String>,
    created_at: i64,
    updated_at: i64,
    ended_at: Option<i64>,
}

impl TaskRow {
    pub(super) fn of(task: &Task) -> Self {
        let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        Self {
            account_id: task.account.to_string(),
            id: task.id.to_string(),
            kind: task.kind.clone(),
            subject: task.subject.clone(),
            exclusive_key: task.exclusive_key.clone(),
            payload_version: i64::from(task.payload.version),
            payload: task.payload.text.clone(),
            state: task.state.name().to_owned(),
            due_at: micros(task.due_at),
            attempts: i64::from(task.attempts),
            is_doubtful: i64::from(task.is_doubtful),
            claim_id: task.claim.map(|claim| claim.id.to_string()),
            claimed_until: task.claim.map(|claim| claim.until.micros()),
            is_cancel_requested: i64::from(task.is_cancel_requested),
            done: whole(task.progress.done),
            total: task.progress.total.map(whole),
            message: task.progress.message.clone(),
            outcome: task.outcome.clone(),
            created_at: task.created_at.micros(),
            updated_at: task.updated_at.micros(),
            ended_at: micros(task.ended_at),
        }
    }

    /// The update that saves it over the row as it was seen, unless somebody else has claimed that, recorded an attempt or
    /// ended it.
    pub(super) fn over(self, seen: Self) -> Statement {
        const SQL: &str = "UPDATE tasks SET kind = ?, subject = ?, exclusive_key = ?, payload_version = ?, \
            payload = ?, state = ?, due_at = ?, attempts = ?, is_doubtful = ?, claim_id = ?, claimed_until = ?, \
            is_cancel_requested = ?, done = ?, total = ?, message = ?, outcome = ?, updated_at = ?, ended_at = ? \
            WHERE account_id = ? AND id = ? AND attempts = ? AND COALESCE(claim_id, '') = ? AND due_at IS NOT NULL";
        let Self {
            account_id: _,
            id: _,
            kind,
            subject,
            exclusive_key,
            payload_version,
            payload,
            state,
            due_at,
            attempts,
            is_doubtful,
            claim_id,
            claimed_until,
            is_cancel_requested,
            done,
            total,
            message,
            outcome,
            created_at: _,
            updated_at,
            ended_at,
        } = self;
        let values: Vec<Bound> = vec![
            kind.into(),
            subject.into(),
            exclusive_key.into(),
            payload_version.into(),
            payload.into(),
            state.into(),
            due_at.into(),
            attempts.into(),
            is_doubtful.into(),
            claim_id.into(),
            claimed_until.into(),
            is_cancel_requested.into(),
            done.into(),
            total.into(),
            message.into(),
            outcome.into(),
            updated_at.into(),
            ended_at.into(),
            seen.account_id.into(),
            seen.id.into(),
            seen.attempts.into(),
            seen.claim_id.unwrap_or_default().into(),
        ];
        Statement::new(SQL, values)
    }

    /// Rows as columns, in the order in which the table has them.
    pub(super) fn columns(rows: &[Self]) -> Vec<Column> {
        columns!(
            rows,
            Texts account_id, Texts id, Texts kind, Texts subject, OptionalTexts exclusive_key, Numbers payload_version,
            Texts payload, Texts state, OptionalNumbers due_at, Numbers attempts, Numbers is_doubtful,
            OptionalTexts claim_id, OptionalNumbers claimed_until, Numbers is_cancel_requested, Numbers done,
            OptionalNumbers total, OptionalTexts message, OptionalTexts outcome, Numbers created_at, Numbers updated_at,
            OptionalNumbers ended_at,
        )
    }

    pub(super) fn task(self) -> QueryResult<Task> {
        let claim = match (&self.claim_id, self.claimed_until) {
            (Some(id), Some(until)) => {
                let id = read(id, ClaimId::parse)?;
                Some(Claim { id, until: Timestamp::from_micros(until) })
            }
            _ => None,
        };
        Ok(Task {
            account: read(&self.account_id, AccountId::parse)?,
            id: read(&self.id, TaskId::parse)?,
            kind: self.kind,
            subject: self.subject,
            exclusive_key: self.exclusive_key,
            payload: Payload {
                version: u32::try_from(self.payload_version).unwrap_or(u32::MAX),
                text: self.payload,
            },
            state: read_name(&self.state, TaskState::EVERY, TaskState::name)?,
            due_at: moment(self.due_at),
            attempts: u32::try_from(self.attempts).unwrap_or(u32::MAX),
            is_doubtful: self.is_doubtful != 0,
            claim,
            is_cancel_requested: self.is_cancel_requested != 0,
            progress: Progress {
                done: self.done.unsigned_abs(),
                total: self.total.map(i64::unsigned_abs),
                message: self.message,
            },
            outcome: self.outcome,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            ended_at: moment(self.ended_at),
        })
    }
}
