//! What the engine tells about itself.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kernel::Gauge;
use tasks::End;

use super::Performed;

/// Figures that attempts write and anybody reads.
#[derive(Debug, Default)]
pub(super) struct Gauges {
    taken_up: AtomicU64,
    postponed: AtomicU64,
    failed: AtomicU64,
}

impl Gauges {
    /// Counts a task that was taken up in the background.
    pub(super) fn count_taken_up(&self) {
        self.taken_up.fetch_add(1, Relaxed);
    }

    /// Counts what an attempt has led to.
    pub(super) fn count(&self, performed: &Performed) {
        match performed {
            Performed::Postponed(_) => self.postponed.fetch_add(1, Relaxed),
            Performed::Ended(End::Failed(_)) => self.failed.fetch_add(1, Relaxed),
            Performed::Ended(_) | Performed::Recorded | Performed::PutOff(_) => return,
        };
    }

    /// The figures at this moment.
    pub(super) fn read(&self, in_flight: usize) -> Vec<Gauge> {
        let counter = |counter: &AtomicU64| counter.load(Relaxed) as f64;
        vec![
            Gauge::new(
                "tasks_taken_up_total",
                "Tasks taken up in the background",
                counter(&self.taken_up),
            ),
            Gauge::new(
                "tasks_postponed_total",
                "Attempts at tasks that are to be made again",
                counter(&self.postponed),
            ),
            Gauge::new(
                "tasks_failed_total",
                "Tasks that have failed for good",
                counter(&self.failed),
            ),
            Gauge::new("tasks_in_progress", "Tasks being worked on now", in_flight as f64),
        ]
    }
}
