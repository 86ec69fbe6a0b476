//! One attempt to commit a batch.

use diesel::{connection::SimpleConnection, result::Error as DieselError};

use super::{Job, Ticket};
use crate::{
    db::{self, Db},
    error::ErrorClass,
    jobs::{Batch, BatchFailure, Together},
    memory::Memory,
    tx::{Effects, Tx},
};

/// Runs a batch and commits it: jobs of one kind together, the others one after the other.
pub(super) fn run(
    tx: &mut Tx<'_>,
    memory: &mut Memory,
    batch: &mut [Ticket],
    careful: bool,
) -> Result<(), BatchFailure> {
    let run = attempt(tx, memory, batch, careful);
    if run.is_err() && matches!(tx.db, Db::Sqlite(_)) {
        // What is remembered there is what the batch would have left.
        *memory = Memory::default();
    }
    run
}

fn attempt(
    tx: &mut Tx<'_>,
    memory: &mut Memory,
    batch: &mut [Ticket],
    careful: bool,
) -> Result<(), BatchFailure> {
    if matches!(tx.db, Db::Postgres(_))
        && !careful
        && let Some(kind) = only_kind(batch)
        && let Some(run_at_once) = kind.at_once()
    {
        // No BEGIN and COMMIT to wait for.
        return run_at_once(tx, memory, together(batch, kind));
    }
    // Nothing is waited for between the beginning and a savepoint that is wanted at once.
    let savepoint = match batch.len() > 1 && kinds(batch).is_empty() {
        true => Savepoint::Fresh,
        false => Savepoint::None,
    };
    savepoint.begin(tx.db).map_err(BatchFailure::NotCommitted)?;
    let run = match batch {
        // What it has written goes with its transaction, so it needs no savepoint.
        [Ticket { job: Job::Alone(command) | Job::Relaxed(command), .. }] => command.run(tx),
        batch => run_in_tx(tx, memory, batch, savepoint).map(|()| true),
    };
    let run = run.and_then(|is_done| match is_done {
        true => tx.write_late_rows().map(|()| true),
        false => Ok(false),
    });
    match run {
        Ok(true) => {}
        // A connection that cannot roll back is lost, which the next use of it finds out.
        Ok(false) => {
            drop(db::rollback(tx.db));
            tx.effects = Effects::default();
            return Ok(());
        }
        Err(error) => {
            drop(db::rollback(tx.db));
            return Err(BatchFailure::NotCommitted(error));
        }
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

fn run_in_tx(
    tx: &mut Tx<'_>,
    memory: &mut Memory,
    batch: &mut [Ticket],
    mut savepoint: Savepoint,
) -> Result<(), DieselError> {
    if let Some(kind) = only_kind(batch)
        && let Some(run_by_itself) = kind.by_itself()
    {
        return run_by_itself(tx, memory, together(batch, kind));
    }
    for kind in kinds(batch) {
        kind.run_in_tx(tx, together(batch, kind))?;
    }
    for ticket in batch {
        let (Job::Alone(command) | Job::Relaxed(command)) = &mut ticket.job else { continue };
        savepoint.set(tx.db)?;
        tx.begin_command();
        let (before, held) = (std::mem::take(&mut tx.effects), tx.held.clone());
        let of_command = match command.run(tx)? {
            true => std::mem::take(&mut tx.effects),
            false => {
                savepoint.roll_back(tx.db)?;
                tx.held = held;
                Effects::default()
            }
        };
        tx.effects = before;
        tx.effects.append(of_command);
    }
    Ok(())
}

/// The savepoint of the commands of a batch: one after the other uses it, so that each waits for the database at most once
/// for it. The commit releases the last.
enum Savepoint {
    None,
    /// Nothing was written since.
    Fresh,
    Used,
}

impl Savepoint {
    /// Begins the transaction, with the savepoint if it is one already.
    fn begin(&self, db: &mut Db) -> Result<(), DieselError> {
        match self {
            Self::None => db::begin(db),
            Self::Fresh | Self::Used => db::begin_then(db, "SAVEPOINT command"),
        }
    }

    /// What is written from now on can be undone.
    fn set(&mut self, db: &mut Db) -> Result<(), DieselError> {
        match self {
            Self::None => db.batch_execute("SAVEPOINT command")?,
            Self::Fresh => {}
            Self::Used => db.batch_execute("RELEASE SAVEPOINT command; SAVEPOINT command")?,
        }
        *self = Self::Used;
        Ok(())
    }

    fn roll_back(&mut self, db: &mut Db) -> Result<(), DieselError> {
        db.batch_execute("ROLLBACK TO SAVEPOINT command")?;
        *self = Self::Fresh;
        Ok(())
    }
}

/// The kinds of jobs that are executed together, each once. They are always in the same order, since each locks what it needs:
/// two processes that have both wait for one another at most at the first of them.
fn kinds(batch: &[Ticket]) -> Vec<&'static dyn Batch> {
    let mut kinds: Vec<&'static dyn Batch> = Vec::new();
    for ticket in batch {
        if let Job::Together(job) = &ticket.job
            && !kinds.iter().any(|kind| kind.name() == job.batch().name())
        {
            kinds.push(job.batch());
        }
    }
    kinds.sort_by_key(|kind| kind.name());
    kinds
}

/// The kind of all jobs, if they are of one and executed together.
fn only_kind(batch: &[Ticket]) -> Option<&'static dyn Batch> {
    let Some(Ticket { job: Job::Together(first), .. }) = batch.first() else { return None };
    let kind = first.batch();
    let is_same = |ticket: &Ticket| matches!(&ticket.job, Job::Together(job) if job.batch().name() == kind.name());
    batch.iter().all(is_same).then_some(kind)
}

fn together<'a>(batch: &'a mut [Ticket], kind: &dyn Batch) -> Vec<&'a mut dyn Together> {
    let mut jobs: Vec<&'a mut dyn Together> = Vec::new();
    for ticket in batch {
        if let Job::Together(job) = &mut ticket.job
            && job.batch().name() == kind.name()
        {
            jobs.push(&mut **job);
        }
    }
    jobs
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

#[cfg(test)]
mod tests {
    use std::{any::Any, time::Instant};

    use kernel::Fault;

    use super::*;

    struct Kind(&'static str);

    static FIRST: Kind = Kind("a");
    static SECOND: Kind = Kind("b");

    impl Batch for Kind {
        fn name(&self) -> &'static str {
            self.0
        }

        fn run_in_tx(&self, _: &mut Tx<'_>, _: Vec<&mut dyn Together>) -> Result<(), DieselError> {
            Ok(())
        }
    }

    struct One(&'static Kind);

    impl Together for One {
        fn batch(&self) -> &'static dyn Batch {
            self.0
        }

        fn as_any(&mut self) -> &mut dyn Any {
            self
        }

        fn answer(self: Box<Self>) {}

        fn fail(self: Box<Self>, _: Fault) {}
    }

    #[test]
    fn kinds_are_in_one_order_whichever_came_first() {
        let names = |kinds: &[&'static Kind]| -> Vec<&'static str> {
            let job = |kind| Job::Together(Box::new(One(kind)));
            let ticket =
                |kind| Ticket { turn: 1, account: None, since: Instant::now(), job: job(kind) };
            let batch: Vec<Ticket> = kinds.iter().map(|kind| ticket(*kind)).collect();
            super::kinds(&batch).iter().map(|kind| kind.name()).collect()
        };
        assert_eq!(names(&[&FIRST, &SECOND, &FIRST]), ["a", "b"]);
        assert_eq!(names(&[&SECOND, &FIRST]), ["a", "b"]);
        assert_eq!(names(&[&SECOND]), ["b"]);
    }
}
