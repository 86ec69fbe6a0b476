//! Why a durable task does not go on, and when it is tried again.

use kernel::Fault;
use tasks::{End, Pause};

use crate::tasks::Performed;

/// Why a task does not go on.
pub(crate) enum Halt {
    /// Something outside was away.
    Fault(Fault),
    /// What follows is known.
    Because(Performed),
}

impl Halt {
    /// The task has failed, for a reason that its account is told.
    pub(crate) fn failed(why: impl Into<String>) -> Self {
        Self::Because(Performed::Ended(End::Failed(why.into())))
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What follows from a fault after so many attempts, where a task is never given up: it is postponed by the seconds of its
/// attempt, and by the last of them from then on.
pub(crate) fn postponed(fault: &Fault, attempts: u32, seconds: &[i64]) -> Performed {
    let place = usize::try_from(attempts).unwrap_or(usize::MAX);
    let seconds = seconds.get(place).or(seconds.last()).copied().unwrap_or_default();
    Performed::Postponed(paused(seconds, fault.to_string()))
}

pub(crate) fn paused(seconds: i64, reason: String) -> Pause {
    Pause { seconds, is_doubtful: false, reason }
}
