//! Files that tasks make, in pieces.

use ::tasks::{
    FILE_SECONDS, FILES_MAX, JobFiles, Piece, Progress, Standing, Task, TaskId, TaskState,
};
use diesel::{
    dsl::{exists, not},
    prelude::*,
};
use engine::{Tx, cleanup::RowsByAge, readers::Cost};
use kernel::{AccountId, Fault, Pending, Timestamp, Written};

use crate::{
    schema::{job_file_pieces, job_files, tasks},
    store::Store,
};

/// Pieces of files whose time is over.
pub(crate) const EXPIRED_PIECES: RowsByAge = RowsByAge {
    find: "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM job_files f \
           WHERE f.account_id = a.id AND f.expires_at < ?) THEN 'yes' ELSE 'no' END \
           FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?",
    remove: "DELETE FROM job_file_pieces WHERE account_id = ? AND (task_id, position) IN \
             (SELECT p.task_id, p.position FROM job_files f JOIN job_file_pieces p \
             ON p.account_id = f.account_id AND p.task_id = f.task_id \
             WHERE f.account_id = ? AND f.expires_at < ? LIMIT ?)",
    retention_micros: 0,
};

/// Such files, once they have no pieces.
pub(crate) const EXPIRED: RowsByAge = RowsByAge {
    find: EXPIRED_PIECES.find,
    remove: "DELETE FROM job_files WHERE account_id = ? AND task_id IN \
             (SELECT f.task_id FROM job_files f WHERE f.account_id = ? AND f.expires_at < ? \
             AND NOT EXISTS (SELECT 1 FROM job_file_pieces p \
             WHERE p.account_id = f.account_id AND p.task_id = f.task_id) LIMIT ?)",
    retention_micros: 0,
};

impl JobFiles for Store {
    fn append(
        &self,
        task: &Task,
        piece: Piece,
        progress: Progress,
        now: Timestamp,
        until: Timestamp,
    ) -> Pending<Written<Standing, ()>> {
        let (account, id) = (task.account, task.id);
        let change = super::queue::progressed(progress, now, until);
        self.under_claim_with(task, change, move |tx| keep(tx, account, id, &piece))
    }

    fn piece(
        &self,
        account: AccountId,
        id: TaskId,
        position: u32,
    ) -> Pending<Result<Option<Vec<u8>>, Fault>> {
        self.engine.read(Cost::Small, move |db| {
            let key = (account.to_string(), id.to_string(), i64::from(position));
            let piece = job_file_pieces::table.find(key).select(job_file_pieces::bytes);
            piece.first(db).optional()
        })
    }
}

/// Makes room for the file of a task, unless the account has as many as it may have; says whether it has.
pub(crate) fn reserve(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: TaskId,
    now: Timestamp,
) -> QueryResult<bool> {
    // What came of nothing leaves its place to others.
    let vain = [TaskState::Failed.name(), TaskState::Cancelled.name()];
    let vain = tasks::table
        .filter(tasks::account_id.eq(job_files::account_id))
        .filter(tasks::id.eq(job_files::task_id))
        .filter(tasks::state.eq_any(vain));
    let kept: i64 = job_files::table
        .filter(job_files::account_id.eq(account.to_string()))
        .filter(job_files::expires_at.ge(now.micros()))
        .filter(not(exists(vain)))
        .count()
        .get_result(tx.db)?;
    if kept >= FILES_MAX {
        return Ok(false);
    }
    let row = (
        job_files::account_id.eq(account.to_string()),
        job_files::task_id.eq(id.to_string()),
        job_files::expires_at.eq(expires_at(now).micros()),
    );
    diesel::insert_into(job_files::table).values(row).execute(tx.db)?;
    Ok(true)
}

/// Until when a file is kept that was asked for at a moment.
pub(crate) fn expires_at(asked: Timestamp) -> Timestamp {
    asked.plus_seconds(FILE_SECONDS)
}

/// Keeps a piece, over the one in its place: only who holds the task's claim comes this far.
fn keep(tx: &mut Tx<'_>, account: AccountId, id: TaskId, piece: &Piece) -> QueryResult<()> {
    let key = (account.to_string(), id.to_string(), i64::from(piece.position));
    let bytes = job_file_pieces::bytes.eq(&piece.bytes);
    let before = diesel::update(job_file_pieces::table.find(key.clone())).set(bytes);
    if before.execute(tx.db)? > 0 {
        return Ok(());
    }
    let row = (
        job_file_pieces::account_id.eq(key.0),
        job_file_pieces::task_id.eq(key.1),
        job_file_pieces::position.eq(key.2),
        bytes,
    );
    diesel::insert_into(job_file_pieces::table).values(row).execute(tx.db).map(drop)
}
