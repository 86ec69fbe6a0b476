//! The steps of stamping that wait for their lane, each kind carried out together.
//!
//! An account has one lane, in which many stampings meet: some want a folio, some are to be reserved, some come back from their
//! provider. On PostgreSQL, where every statement is waited for, one statement does a kind of step for all that wait for it.
//! It rests on what each was looked at as, and undoes itself where that is no longer so; then the steps are tried again, each
//! by itself and on what is locked for it. What a step is kept from has written nothing, so it harms no neighbour.
//!
//! Only stampings of documents that stand alone go this way, bill they orders or not. What changes other invoices is locked
//! with all of these, and is a command of its own.

mod numbering;
mod reserving;
mod rows;
mod settling;
mod stamps;

use std::{any::Any, marker::PhantomData};

use diesel::{
    PgConnection, QueryResult,
    result::{DatabaseErrorKind, Error as DieselError},
};
use engine::{AtOnce, Batch, BatchFailure, Caller, Memory, Together};
use kernel::{AccountId, Done, Fault, Pending, Written};

use crate::{db::Db, error::Failure, store::Store, tx::Tx};

pub(super) use numbering::Numbering;
pub(super) use reserving::{Made, Reservation, Reserving, SealedDraft};
pub(super) use settling::Settling;
pub(super) use stamps::Keeping;

/// A kind of step.
pub(super) trait Step: Send + Sized + 'static {
    /// What comes of it.
    type Value: Send + 'static;
    /// What the rules refuse it for.
    type Refusal: Send + 'static;

    /// The name of the kind.
    const NAME: &'static str;
    /// Whether [`together`](Self::together) is one statement, which can be a transaction of its own.
    const IS_ONE_STATEMENT: bool;

    /// Where it stands among those that are carried out with it, which lock what they need in that order: its account, and
    /// the number of its subject.
    fn place(&self) -> (u128, u128);

    /// What it weighs beside others, see [`Together::weight`].
    fn weight(&self) -> u64 {
        1
    }

    /// Carries it out by itself. What it is refused for is found before anything of it is written: no savepoint is set. An answer
    /// past its time may have been forgotten then.
    fn alone(&self, tx: &mut Tx<'_>) -> Result<Done<Self::Value>, Failure<Self::Refusal>>;

    /// Carries out all of these on PostgreSQL, and says what comes of each.
    ///
    /// # Errors
    /// As a serialization fails when something is not as it was looked at: nothing is written then.
    fn together(
        steps: &[&Self],
        tx: &mut Tx<'_>,
    ) -> QueryResult<Vec<Written<Self::Value, Self::Refusal>>>;
}

/// Has a step carried out.
pub(super) fn submit<S: Step>(
    store: &Store,
    account: AccountId,
    step: S,
) -> Pending<Written<S::Value, S::Refusal>> {
    let (caller, pending) = Caller::waiting();
    store.engine.together(account, Box::new(Job { step, was_tried: false, caller }));
    pending
}

/// A step that waits.
struct Job<S: Step> {
    step: S,
    /// Whether it was carried out together with others before, in vain.
    was_tried: bool,
    caller: Caller<S::Value, S::Refusal>,
}

impl<S: Step> Together for Job<S> {
    fn batch(&self) -> &'static dyn Batch {
        &Kind::<S>(PhantomData)
    }

    fn weight(&self) -> u64 {
        self.step.weight()
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn answer(self: Box<Self>) {
        self.caller.answer();
    }

    fn fail(self: Box<Self>, fault: Fault) {
        self.caller.fail(fault);
    }
}

/// All steps of a kind.
struct Kind<S>(PhantomData<fn() -> S>);

impl<S: Step> Batch for Kind<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn run_in_tx(&self, tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> QueryResult<()> {
        run::<S>(tx, jobs)?;
        // Whatever else is in the batch reads the database.
        tx.write_rows_for_others()
    }

    fn at_once(&self) -> Option<AtOnce> {
        S::IS_ONE_STATEMENT.then_some(at_once::<S> as AtOnce)
    }
}

/// Runs steps outside of any transaction. The lane falls back to one where this fails, also when the connection is lost during
/// the statement: a step that was committed finds another version, or its own record, and whoever asked goes on from there.
fn at_once<S: Step>(
    tx: &mut Tx<'_>,
    _: &mut Memory,
    mut jobs: Vec<&mut dyn Together>,
) -> Result<(), BatchFailure> {
    let was_tried = |job: &mut &mut dyn Together| {
        job.as_any().downcast_ref::<Job<S>>().is_some_and(|job| job.was_tried)
    };
    if jobs.iter_mut().any(was_tried) {
        // One that was tried is carried out alone, on what it locks: that takes a transaction, in which it is tried next.
        let kind = DatabaseErrorKind::SerializationFailure;
        let why = Box::new("tried together before".to_owned());
        return Err(BatchFailure::NotCommitted(DieselError::DatabaseError(kind, why)));
    }
    run::<S>(tx, jobs).map_err(BatchFailure::NotCommitted)
}

fn run<S: Step>(tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> QueryResult<()> {
    let mut jobs: Vec<&mut Job<S>> =
        jobs.into_iter().filter_map(|job| job.as_any().downcast_mut()).collect();
    jobs.sort_by_key(|job| job.step.place());
    let is_first = !jobs.iter().any(|job| job.was_tried);
    if matches!(tx.db, Db::Sqlite(_)) || !is_first {
        for job in jobs {
            let outcome = job.step.alone(tx);
            job.caller.keep(outcome)?;
        }
        return Ok(());
    }
    for job in &mut jobs {
        job.was_tried = true;
    }
    let steps: Vec<&S> = jobs.iter().map(|job| &job.step).collect();
    let outcomes = S::together(&steps, tx)?;
    for (job, outcome) in jobs.iter_mut().zip(outcomes) {
        job.caller.keep(outcome.map_err(Failure::Refused))?;
    }
    Ok(())
}

/// The connection of steps that are carried out together.
fn postgres(db: &mut Db) -> QueryResult<&mut PgConnection> {
    match db {
        Db::Postgres(conn) => Ok(conn),
        Db::Sqlite(_) => Err(DieselError::QueryBuilderError("SQLite binds no lists".into())),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use diesel::{Connection, SqliteConnection};
    use kernel::id::IdSource;

    use super::*;
    use crate::{error::ErrorClass, tx::Effects};

    /// A step that locks nothing, and must not be carried out.
    struct Untouched;

    impl Step for Untouched {
        type Refusal = ();
        type Value = ();

        const IS_ONE_STATEMENT: bool = true;
        const NAME: &'static str = "untouched";

        fn place(&self) -> (u128, u128) {
            (0, 0)
        }

        fn alone(&self, _: &mut Tx<'_>) -> Result<Done<()>, Failure<()>> {
            panic!("it was carried out alone")
        }

        fn together(_: &[&Self], _: &mut Tx<'_>) -> QueryResult<Vec<Written<(), ()>>> {
            panic!("it was carried out together")
        }
    }

    /// The lane runs jobs of a batch that was refused one by one, again outside of any transaction at first.
    #[test]
    fn what_was_tried_is_carried_out_in_a_transaction_alone() {
        let mut db = Db::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        let ids = IdSource::default();
        let (effects, held) = (Effects::default(), BTreeMap::new());
        let mut tx = Tx { db: &mut db, ids: &ids, retention: 0, effects, held };
        let (caller, _) = Caller::waiting();
        let mut job = Job { step: Untouched, was_tried: true, caller };
        match at_once::<Untouched>(
            &mut tx,
            &mut engine::Memory::default(),
            vec![&mut job as &mut dyn Together],
        ) {
            Err(BatchFailure::NotCommitted(error)) => {
                assert_eq!(ErrorClass::of(&error), ErrorClass::Conflict);
            }
            _ => panic!("it was carried out"),
        }
    }
}
