//! What waits for approval, for monitoring.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
};

use kernel::{Gauge, Timestamp};

const MICROS: i64 = 1_000_000;

/// What waits, as the last walk over all accounts has seen it.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    pending: AtomicU64,
    oldest_seconds: AtomicI64,
    walk: Mutex<Tally>,
}

/// What a walk has seen so far.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    pending: u64,
    oldest: Option<i64>,
}

impl Waiting {
    /// The figures at this moment.
    pub(crate) fn read(&self) -> [Gauge; 2] {
        [
            Gauge::new(
                "approvals_pending",
                "Approvals that wait to be decided, as of the last minute",
                self.pending.load(Relaxed) as f64,
            ),
            Gauge::new(
                "approvals_oldest_pending_seconds",
                "Age of the approval that has waited longest, as of the last minute",
                self.oldest_seconds.load(Relaxed) as f64,
            ),
        ]
    }

    /// Takes over how many wait in each of some accounts, and since when the oldest; none ends the walk.
    pub(crate) fn seen(&self, is_first: bool, rows: &[(i64, Option<i64>)], now: Timestamp) {
        let mut tally = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
        if is_first {
            *tally = Tally::default();
        }
        for (pending, oldest) in rows {
            tally.pending += u64::try_from(*pending).unwrap_or_default();
            tally.oldest = [tally.oldest, *oldest].into_iter().flatten().min();
        }
        if rows.is_empty() {
            let since = tally.oldest.map_or(0, |oldest| now.micros().saturating_sub(oldest));
            self.pending.store(tally.pending, Relaxed);
            self.oldest_seconds.store(since.max(0) / MICROS, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_counts_what_waits() {
        let waiting = Waiting::default();
        let row = |pending, oldest: Option<i64>| (pending, oldest);
        let now = Timestamp::from_micros(90 * MICROS);
        for _ in 0..2 {
            waiting.seen(true, &[row(2, Some(60 * MICROS)), row(0, None)], now);
            waiting.seen(false, &[row(1, Some(30 * MICROS))], now);
            waiting.seen(false, &[], now);
            assert_eq!(waiting.read().map(|gauge| gauge.value), [3.0, 60.0]);
        }
        waiting.seen(true, &[], now);
        assert_eq!(waiting.read().map(|gauge| gauge.value), [0.0, 0.0]);
    }
}
