//! Commands: closures that run in a transaction and are answered after its commit.

use diesel::result::Error as DieselError;
use kernel::{Done, Fault};

use crate::{caller::Caller, error::Failure, tx::Tx};

/// A command that can be run again when its batch was undone.
pub trait Command: Send {
    /// Runs it and keeps its outcome; whether what it has written is to be committed, or rolled back.
    ///
    /// # Errors
    /// Those of the database; a refusal by the rules is an outcome.
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<bool, DieselError>;
    /// Whether it gives way to others: work in the background, which is no traffic to its like.
    fn gives_way(&self) -> bool {
        false
    }
    /// Gives the kept outcome to the caller.
    fn answer(self: Box<Self>);
    /// Tells the caller what is broken.
    fn fail(self: Box<Self>, fault: Fault);
}

/// A [`Command`] made of a closure; what the rules refuse is rolled back.
pub(crate) struct Closure<T, E, F> {
    pub(crate) work: F,
    pub(crate) caller: Caller<T, E>,
    pub(crate) gives_way: bool,
}

impl<T, E, F> Command for Closure<T, E, F>
where
    T: Send,
    E: Send,
    F: FnMut(&mut Tx<'_>) -> Result<Done<T>, Failure<E>> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<bool, DieselError> {
        self.caller.keep((self.work)(tx))
    }

    fn gives_way(&self) -> bool {
        self.gives_way
    }

    fn answer(self: Box<Self>) {
        self.caller.answer();
    }

    fn fail(self: Box<Self>, fault: Fault) {
        self.caller.fail(fault);
    }
}
