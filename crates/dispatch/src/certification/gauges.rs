//! What the engine tells about itself.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use invoices::{
    provider::{CancelOutcome, StatusOutcome},
    sagas::Ended,
    stamping::Verdict,
};

/// Figures that sagas write and anybody reads.
#[derive(Debug, Default)]
pub(super) struct Gauges {
    stamped: AtomicU64,
    rejected: AtomicU64,
    unanswered: AtomicU64,
    taken_up: AtomicU64,
}

impl Gauges {
    /// Counts the end of a step.
    pub(super) fn count(&self, ended: &Ended) {
        let counter = match ended {
            Ended::Stamping(Verdict::Stamped { .. }) => &self.stamped,
            Ended::Stamping(Verdict::Back(_))
            | Ended::Cancelling(CancelOutcome::Rejected(_) | CancelOutcome::NotTaken { .. }) => {
                &self.rejected
            }
            Ended::Stamping(Verdict::Recover | Verdict::Wait { .. })
            | Ended::Cancelling(CancelOutcome::Unknown { .. })
            | Ended::Following(StatusOutcome::Unknown { .. }) => &self.unanswered,
            Ended::Cancelling(CancelOutcome::Received { .. })
            | Ended::Following(StatusOutcome::Known(_)) => return,
        };
        counter.fetch_add(1, Relaxed);
    }

    /// Counts a task that was taken up in the background.
    pub(super) fn count_taken_up(&self) {
        self.taken_up.fetch_add(1, Relaxed);
    }

    /// Name, meaning, value.
    pub(super) fn read(&self, in_progress: usize) -> Vec<(&'static str, &'static str, f64)> {
        let counter = |counter: &AtomicU64| counter.load(Relaxed) as f64;
        vec![
            ("invoices_stamped_total", "Invoices stamped by this process", counter(&self.stamped)),
            (
                "invoices_rejected_total",
                "Stampings and cancellations that a provider rejected or did not accept",
                counter(&self.rejected),
            ),
            (
                "invoices_unanswered_total",
                "Calls to providers that ended without a conclusive answer",
                counter(&self.unanswered),
            ),
            (
                "invoice_tasks_taken_up_total",
                "Stampings and cancellations resumed in the background",
                counter(&self.taken_up),
            ),
            ("invoices_in_progress", "Invoices being processed", in_progress as f64),
        ]
    }
}
