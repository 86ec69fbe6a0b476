//! How long the batches of a lane take.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// For how long the longest batch is remembered at least, and not twice as long.
const LATELY: Duration = Duration::from_secs(60);

/// How long batches have taken: all of them, and the longest lately.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    micros: AtomicU64,
    longest: Mutex<Longest>,
}

#[derive(Debug, Default)]
struct Longest {
    /// When its time began.
    since: Option<Instant>,
    now: Duration,
    /// In the time before.
    before: Duration,
}

impl Pace {
    /// Notes how long a batch has taken.
    pub(super) fn took(&self, long: Duration, now: Instant) {
        let micros = u64::try_from(long.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        let mut longest = self.longest.lock().unwrap_or_else(PoisonError::into_inner);
        longest.renew(now);
        longest.now = longest.now.max(long);
    }

    /// How long all have taken.
    pub(crate) fn all(&self) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::Relaxed))
    }

    /// How long the longest has taken of those that ended lately.
    pub(crate) fn longest(&self, now: Instant) -> Duration {
        let mut longest = self.longest.lock().unwrap_or_else(PoisonError::into_inner);
        longest.renew(now);
        longest.now.max(longest.before)
    }
}

impl Longest {
    fn renew(&mut self, now: Instant) {
        let past = now.saturating_duration_since(*self.since.get_or_insert(now));
        if past < LATELY {
            return;
        }
        self.before = if past < 2 * LATELY { self.now } else { Duration::ZERO };
        (self.now, self.since) = (Duration::ZERO, Some(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_is_remembered_for_a_while_and_all_for_ever() {
        let (pace, start) = (Pace::default(), Instant::now());
        let (long, short) = (Duration::from_millis(900), Duration::from_millis(2));
        assert_eq!((pace.all(), pace.longest(start)), (Duration::ZERO, Duration::ZERO));
        pace.took(long, start);
        pace.took(short, start);
        for (after, longest) in
            [(0, long), (59, long), (61, long), (119, long), (122, Duration::ZERO)]
        {
            assert_eq!(pace.longest(start + Duration::from_secs(after)), longest, "{after} s");
        }
        pace.took(short, start + Duration::from_secs(125));
        assert_eq!(pace.longest(start + Duration::from_secs(170)), short);
        assert_eq!(pace.longest(start + Duration::from_secs(1_000)), Duration::ZERO);
        assert_eq!(pace.all(), long + 2 * short);
    }
}
