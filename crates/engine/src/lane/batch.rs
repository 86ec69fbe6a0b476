//! One attempt to commit a batch.

use diesel::{connection::SimpleConnection, result::Error as DieselError};

use super::{BatchFailure, Job, Together};
use crate::{
    db::{self, Db},
    error::ErrorClass,
    tx::Tx,
};

/// Runs a batch and commits it: jobs of one kind together, the others one after the other.
pub(super) fn run<J: Together>(
    tx: &mut Tx<'_>,
    batch: &mut [Job<J>],
    careful: bool,
) -> Result<(), BatchFailure> {
    if matches!(tx.db, Db::Postgres(_))
        && !careful
        && batch.iter().all(|job| matches!(job, Job::Together(_)))
    {
        // One data-modifying statement is a transaction of its own: no BEGIN and COMMIT to wait for.
        return J::run_at_once(tx, together(batch));
    }
    db::begin(tx.db).map_err(BatchFailure::NotCommitted)?;
    if let Err(error) = run_in_tx(tx, batch) {
        // A connection that cannot roll back is lost, which the next use of it finds out.
        drop(db::rollback(tx.db));
        return Err(BatchFailure::NotCommitted(error));
    }
    match db::commit(tx.db) {
        Ok(()) => Ok(()),
        Err(error) if ErrorClass::of(&error) == ErrorClass::Lost => {
            Err(BatchFailure::OutcomeUnknown(error))
        }
        Err(error) => {
            drop(db::rollback(tx.db));
            Err(BatchFailure::NotCommitted(error))
        }
    }
}

fn run_in_tx<J: Together>(tx: &mut Tx<'_>, batch: &mut [Job<J>]) -> Result<(), DieselError> {
    let jobs = together(batch);
    if !jobs.is_empty() {
        J::run_in_tx(tx, jobs)?;
    }
    for job in batch {
        if let Job::Alone(command) | Job::Relaxed(command) = job {
            command.run(tx)?;
        }
    }
    Ok(())
}

fn together<J>(batch: &mut [Job<J>]) -> Vec<&mut J> {
    let jobs = batch.iter_mut().filter_map(|job| match job {
        Job::Together(job) => Some(&mut **job),
        Job::Alone(_) | Job::Relaxed(_) => None,
    });
    jobs.collect()
}

/// On SQLite a batch that may be undone by a power cut does not wait for the disk; the next one that may not
/// waits for both. On PostgreSQL the connection decides.
pub(super) fn set_relaxed(db: &mut Db, relaxed: bool) -> Result<(), DieselError> {
    match db {
        Db::Sqlite(conn) if relaxed => conn.batch_execute("PRAGMA synchronous = NORMAL"),
        Db::Sqlite(conn) => conn.batch_execute("PRAGMA synchronous = FULL"),
        Db::Postgres(_) => Ok(()),
    }
}
