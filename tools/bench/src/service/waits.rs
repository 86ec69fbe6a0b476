//! How long answers have kept their callers waiting.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What some clients have waited for, counted by all of them at once.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    requests: AtomicU64,
    failed: AtomicU64,
    longest_micros: AtomicU64,
}

impl Waits {
    /// Counts a request that was answered, or given up, after so long.
    pub(crate) fn record(&self, waited: Duration, failed: bool) {
        let micros = u64::try_from(waited.as_micros()).unwrap_or(u64::MAX);
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.failed.fetch_add(u64::from(failed), Ordering::Relaxed);
        self.longest_micros.fetch_max(micros, Ordering::Relaxed);
    }

    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Requests without an answer, or with one of 500 and more.
    pub(crate) fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    pub(crate) fn longest(&self) -> Duration {
        Duration::from_micros(self.longest_micros.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_is_kept_whatever_came_of_it() {
        let waits = Waits::default();
        for (ms, failed) in [(3, false), (90, true), (12, false)] {
            waits.record(Duration::from_millis(ms), failed);
        }
        assert_eq!((waits.requests(), waits.failed()), (3, 1));
        assert_eq!(waits.longest(), Duration::from_millis(90));
    }
}
