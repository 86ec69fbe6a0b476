//! Waiting longer after each fault, and telling the log when trouble begins and ends.

use std::time::Duration;

use tokio::time::Instant;

/// The pause before a call that has failed is made again.
#[derive(Debug)]
pub(crate) struct Pause {
    what: &'static str,
    shortest: Duration,
    longest: Duration,
    next: Duration,
    until: Option<Instant>,
}

impl Pause {
    /// Pauses between these bounds; `what` names in the log what is being done.
    pub(crate) const fn new(what: &'static str, shortest: Duration, longest: Duration) -> Self {
        Self { what, shortest, longest, next: shortest, until: None }
    }

    /// The call has failed for this reason.
    pub(crate) fn failed(&mut self, why: &str, now: Instant) {
        if self.until.is_none() {
            tracing::warn!(why, "{} failed and will be retried", self.what);
        }
        self.until = Some(now + self.next);
        self.next = (self.next * 2).min(self.longest);
    }

    /// The call has succeeded.
    pub(crate) fn succeeded(&mut self) {
        if self.until.take().is_some() {
            self.next = self.shortest;
            tracing::info!("{} is working again", self.what);
        }
    }

    /// Whether the call may be made.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        self.until.is_none_or(|until| until <= now)
    }

    /// When it is over, if that is still to come.
    pub(crate) fn end(&self, now: Instant) -> Option<Instant> {
        self.until.filter(|until| *until > now)
    }
}
