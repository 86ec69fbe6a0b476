//! Holding the claim of an import while something takes long: a large file on a slow disk takes longer to be read than a claim
//! lasts, and whoever took it over then would be no quicker.

use std::time::{Duration, Instant};

use tasks::Progress;

use super::{Halt, Step};

/// How long the claim is not held anew.
const PAUSE: Duration = Duration::from_secs(3);

/// When the claim was held last.
pub(super) struct Holding<'a> {
    step: &'a Step<'a>,
    held_at: Instant,
}

impl<'a> Holding<'a> {
    /// It is held as this begins.
    pub(super) fn begin(step: &'a Step<'a>) -> Self {
        Self { step, held_at: Instant::now() }
    }

    /// Holds it anew once it is time; whether it was.
    pub(super) fn keep(&mut self, progress: impl FnOnce() -> Progress) -> Result<bool, Halt> {
        if self.held_at.elapsed() < PAUSE {
            return Ok(false);
        }
        self.held_at = Instant::now();
        self.step.hold_on(progress())?;
        Ok(true)
    }
}
