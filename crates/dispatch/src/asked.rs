//! One call of the store at a time, and what came of it.

use std::{future::pending, mem};

use kernel::{Fault, Pending, Refused, Written, pending::Awaited};

/// The call under way, if there is one.
pub(crate) struct Asked<T>(Option<Awaited<T>>);

impl<T> Asked<T> {
    pub(crate) const fn nothing() -> Self {
        Self(None)
    }

    /// Whether no call is under way.
    pub(crate) const fn is_idle(&self) -> bool {
        self.0.is_none()
    }

    /// Begins to wait for an answer.
    pub(crate) fn ask(&mut self, call: Pending<T>) {
        self.0 = Some(call.into_future());
    }

    /// The answer, `None` when whoever owed it is gone; never comes while there is no call. Nothing is lost
    /// when this is dropped before.
    pub(crate) async fn answer(&mut self) -> Option<T> {
        let Some(call) = &mut self.0 else { return pending().await };
        let answer = call.await;
        drop(mem::take(&mut self.0));
        answer
    }
}

/// What was read, or why it could not be.
pub(crate) fn read<T>(answer: Option<Result<T, Fault>>) -> Result<T, String> {
    match answer {
        Some(Ok(value)) => Ok(value),
        Some(Err(fault)) => Err(fault.to_string()),
        None => Err("no answer received".to_owned()),
    }
}

/// What was written, or why it could not be.
pub(crate) fn written<T>(answer: Option<Written<T, ()>>) -> Result<T, String> {
    match answer {
        Some(Ok(done)) => Ok(done.value),
        Some(Err(Refused::Fault(fault))) => Err(fault.to_string()),
        Some(Err(refused)) => Err(format!("refused: {refused:?}")),
        None => Err("no answer received".to_owned()),
    }
}
