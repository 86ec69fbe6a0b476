//! While the database cannot be reached, one asks whether it can be again; all others are told at once instead of
//! each waiting for a connection in vain.

use std::{
    fmt::Display,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How long after a failure the next attempt to connect is made.
const PAUSE: Duration = Duration::from_secs(1);

/// What is known of the database being away.
#[derive(Debug)]
pub(crate) struct Outage {
    pause: Duration,
    known: Mutex<Option<Known>>,
}

#[derive(Debug)]
struct Known {
    /// When the last attempt failed.
    at: Instant,
    reason: String,
    /// Whether somebody tries right now.
    is_probed: bool,
}

impl Default for Outage {
    fn default() -> Self {
        Self::with_pause(PAUSE)
    }
}

impl Outage {
    fn with_pause(pause: Duration) -> Self {
        Self { pause, known: Mutex::new(None) }
    }

    /// Makes an attempt to connect, unless it is known to be in vain.
    ///
    /// # Errors
    /// Why it failed, or the last one before it.
    pub(crate) fn attempt<T, E: Display>(
        &self,
        connect: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, String> {
        let probe = self.admit()?;
        let outcome = connect().map_err(|error| error.to_string());
        probe.end(outcome.as_ref().err());
        outcome
    }

    fn admit(&self) -> Result<Probe<'_>, String> {
        if let Some(known) = self.locked().as_mut() {
            if known.is_probed || known.at.elapsed() < self.pause {
                return Err(known.reason.clone());
            }
            known.is_probed = true;
        }
        Ok(Probe { outage: self, has_ended: false })
    }

    fn locked(&self) -> MutexGuard<'_, Option<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An attempt under way.
struct Probe<'a> {
    outage: &'a Outage,
    has_ended: bool,
}

impl Probe<'_> {
    fn end(mut self, failure: Option<&String>) {
        self.has_ended = true;
        let known = |reason: &String| Known {
            at: Instant::now(),
            reason: reason.clone(),
            is_probed: false,
        };
        *self.outage.locked() = failure.map(known);
    }
}

impl Drop for Probe<'_> {
    /// One that was given up by a panic lets others try.
    fn drop(&mut self) {
        if !self.has_ended
            && let Some(known) = self.outage.locked().as_mut()
        {
            known.is_probed = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(outage: &Outage) -> Result<(), String> {
        outage.attempt(|| Err::<(), _>("connection refused"))
    }

    #[test]
    fn after_a_failure_others_are_told_at_once() {
        let outage = Outage::with_pause(Duration::from_secs(3_600));
        assert_eq!(outage.attempt(|| Ok::<_, String>(1)), Ok(1));
        assert_eq!(failed(&outage), Err("connection refused".to_owned()));
        let told = outage.attempt(|| -> Result<(), String> { unreachable!("nobody tries") });
        assert_eq!(told, Err("connection refused".to_owned()));
    }

    #[test]
    fn one_tries_again_and_its_success_is_everybody_s() {
        let outage = Outage::with_pause(Duration::ZERO);
        assert!(failed(&outage).is_err());
        let tried = outage.attempt(|| {
            let told = outage.attempt(|| -> Result<(), String> { unreachable!("one is enough") });
            assert_eq!(told, Err("connection refused".to_owned()));
            Ok::<_, String>(2)
        });
        assert_eq!(tried, Ok(2));
        assert_eq!(outage.attempt(|| Ok::<_, String>(3)), Ok(3));
    }

    #[test]
    fn an_attempt_that_panics_keeps_nobody_out() {
        let outage = Outage::with_pause(Duration::ZERO);
        assert!(failed(&outage).is_err());
        let panicking = std::panic::AssertUnwindSafe(|| {
            outage.attempt(|| -> Result<(), String> { panic!("a defect") })
        });
        assert!(std::panic::catch_unwind(panicking).is_err());
        assert_eq!(outage.attempt(|| Ok::<_, String>(4)), Ok(4));
    }
}
