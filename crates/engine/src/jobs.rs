//! Jobs that are executed together by a few statements for all of them.

use std::{any::Any, collections::BTreeSet};

use diesel::result::Error as DieselError;
use kernel::{AccountId, Fault};

use crate::{memory::Memory, tx::Tx};

/// A job that is executed together with those of the same batch.
pub trait Together: Send {
    /// How jobs of its kind are executed.
    fn batch(&self) -> &'static dyn Batch;

    /// How long it takes beside others of its kind, of which a small one weighs 1. Jobs of one account that weigh much
    /// wait for those of others that weigh little.
    fn weight(&self) -> u64 {
        1
    }

    /// The job itself, for its batch.
    fn as_any(&mut self) -> &mut dyn Any;

    /// Gives the kept outcome to the caller.
    fn answer(self: Box<Self>);

    /// Tells the caller what is broken.
    fn fail(self: Box<Self>, fault: Fault);
}

/// Executes jobs of one kind.
pub trait Batch: Sync {
    /// The name of the kind.
    fn name(&self) -> &'static str;

    /// Runs jobs inside a transaction, in which others may follow, and keeps their outcomes.
    ///
    /// # Errors
    /// Those of the database; then nothing is committed.
    fn run_in_tx(&self, tx: &mut Tx<'_>, jobs: Vec<&mut dyn Together>) -> Result<(), DieselError>;

    /// How jobs are run outside of any transaction, where one data-modifying statement does it, which is a transaction
    /// of its own; tried first on PostgreSQL when nothing else is in the batch.
    fn at_once(&self) -> Option<AtOnce> {
        None
    }

    /// How jobs are run inside a transaction that has nothing else in it, where what is remembered spares them something. It is
    /// taken in place of [`run_in_tx`](Self::run_in_tx).
    fn by_itself(&self) -> Option<ByItself> {
        None
    }
}

/// Runs jobs in a transaction of their own.
pub type ByItself = fn(&mut Tx<'_>, &mut Memory, Vec<&mut dyn Together>) -> Result<(), DieselError>;

/// Runs jobs by one data-modifying statement, or says why nothing, or perhaps nothing, was committed.
pub type AtOnce = fn(&mut Tx<'_>, &mut Memory, Vec<&mut dyn Together>) -> Result<(), BatchFailure>;

/// Why a batch was not committed.
#[derive(Debug)]
pub enum BatchFailure {
    /// No connection could be opened.
    Unreachable(String),
    /// Nothing of it happened, for this reason.
    NotCommitted(DieselError),
    /// Nothing of it happened, because somebody else was faster in these accounts. The jobs of the others can be run
    /// again as they were, without them.
    Overtaken {
        /// Some of those that the batch is about.
        accounts: BTreeSet<AccountId>,
        /// What the database said.
        error: DieselError,
    },
    /// The commit's own answer was lost: it may have happened.
    OutcomeUnknown(DieselError),
    /// The code panicked; nothing of it happened.
    Panicked,
}
