//! Who waits for a job.

use diesel::QueryResult;
use kernel::{Done, Fault, Pending, Written, pending::Answer};

use crate::error::Failure;

/// The caller of a job, who is told its outcome once its batch is committed.
pub struct Caller<T, E> {
    outcome: Option<Written<T, E>>,
    answer: Answer<Written<T, E>>,
}

impl<T, E> Caller<T, E> {
    /// A caller, and the end at which it waits.
    pub fn waiting() -> (Self, Pending<Written<T, E>>) {
        let (answer, pending) = Pending::channel();
        (Self { outcome: None, answer }, pending)
    }

    /// Keeps an outcome until the commit: also a refusal by the rules is one. Tells whether the job is done.
    ///
    /// # Errors
    /// A failure of the database, which is no outcome.
    pub fn keep(&mut self, outcome: Result<Done<T>, Failure<E>>) -> QueryResult<bool> {
        let outcome = match outcome {
            Ok(done) => Ok(done),
            Err(Failure::Refused(refused)) => Err(refused),
            Err(Failure::Database(error)) => return Err(error),
        };
        let is_done = outcome.is_ok();
        self.outcome = Some(outcome);
        Ok(is_done)
    }

    /// The outcome that is kept, for a job that is a part of another one.
    #[must_use]
    pub fn into_outcome(self) -> Option<Written<T, E>> {
        self.outcome
    }

    /// Gives the caller the outcome that is kept.
    pub fn answer(self) {
        if let Some(outcome) = self.outcome {
            self.answer.send(outcome);
        }
    }

    /// Tells the caller what is broken.
    pub fn fail(self, fault: Fault) {
        self.answer.send(Err(fault.into()));
    }
}
