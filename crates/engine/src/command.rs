//! Commands: closures that run in a transaction and are answered after its commit.

use diesel::result::Error as DieselError;
use kernel::{Done, Fault, Written, pending::Answer};

use crate::{error::Failure, tx::Tx};

/// A command that can be run again when its batch was undone.
pub trait Command: Send {
    /// Runs it and keeps its outcome; whether what it has written is to be committed, or rolled back.
    ///
    /// # Errors
    /// Those of the database; a refusal by the rules is an outcome.
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<bool, DieselError>;
    /// Gives the kept outcome to the caller.
    fn answer(self: Box<Self>);
    /// Tells the caller what is broken.
    fn fail(self: Box<Self>, fault: Fault);
}

/// A [`Command`] made of a closure; what the rules refuse is rolled back.
pub(crate) struct Closure<T, E, F> {
    pub(crate) work: F,
    pub(crate) outcome: Option<Written<T, E>>,
    pub(crate) answer: Answer<Written<T, E>>,
}

/// A refusal by the rules is an outcome, a failure of the database is none.
fn result_of<T, E>(result: Result<Done<T>, Failure<E>>) -> Result<Written<T, E>, DieselError> {
    match result {
        Ok(done) => Ok(Ok(done)),
        Err(Failure::Refused(refused)) => Ok(Err(refused)),
        Err(Failure::Database(error)) => Err(error),
    }
}

impl<T, E, F> Command for Closure<T, E, F>
where
    T: Send,
    E: Send,
    F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Failure<E>> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<bool, DieselError> {
        let outcome = result_of((self.work)(tx))?;
        let is_done = outcome.is_ok();
        self.outcome = Some(outcome);
        Ok(is_done)
    }

    fn answer(self: Box<Self>) {
        if let Some(outcome) = self.outcome {
            self.answer.send(outcome);
        }
    }

    fn fail(self: Box<Self>, fault: Fault) {
        self.answer.send(Err(fault.into()));
    }
}
