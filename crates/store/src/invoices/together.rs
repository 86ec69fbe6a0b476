//! The steps of stamping that wait for their lane, each kind carried out together.
//!
//! An account has one lane, in which many stampings meet: some want a folio, some are to be reserved, some come back from their
//! provider. On PostgreSQL, where every statement is waited for, one statement does a kind of step for all that wait for it.
//! It rests on what each was looked at as, and undoes itself where that is no longer so; then the steps are tried again, each
//! by itself and on what is locked for it. What a step is kept from has written nothing, so it harms no neighbour.
//!
//! Only stampings of documents that stand alone go this way. What goes with orders, other invoices or payments is locked with
//! all of these, and is a command of its own.

mod numbering;
mod reserving;
mod rows;
mod settling;
mod stamps;

use std::{any::Any, marker::PhantomData};

use diesel::{PgConnection, QueryResult, result::Error as DieselError};
use engine::{AtOnce, Batch, BatchFailure, Caller, Memory, Together};
use kernel::{AccountId, Done, Fault, Pending, Written};

use crate::{
    db::Db,
    error::{ErrorClass, Failure},
    store::Store,
    tx::Tx,
};

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
    /// Whether it finds by itself that it was done before, and comes to the same.
    const IS_REPEATABLE: bool;

    /// What it weighs beside others, see [`Together::weight`].
    fn weight(&self) -> u64 {
        1
    }

    /// Carries it out by itself. What it is refused for is found before anything is written.
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
        tx.write_late_rows()
    }

    fn at_once(&self) -> Option<AtOnce> {
        S::IS_ONE_STATEMENT.then_some(at_once::<S> as AtOnce)
    }
}

/// Runs steps outside of any transaction. The lane falls back to one where this fails.
fn at_once<S: Step>(
    tx: &mut Tx<'_>,
    _: &mut Memory,
    jobs: Vec<&mut dyn Together>,
) -> Result<(), BatchFailure> {
    run::<S>(tx, jobs).map_err(|error| match ErrorClass::of(&error) {
        // The connection was lost during the statement, which may have been committed.
        ErrorClass::Lost if !S::IS_REPEATABLE => BatchFailure::OutcomeUnknown(error),
        _ => BatchFailure::NotCommitted(error),
    })
}

fn run<S: Step>(tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> QueryResult<()> {
    let mut jobs: Vec<&mut Job<S>> =
        jobs.into_iter().filter_map(|job| job.as_any().downcast_mut()).collect();
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
