//! What the engine tells about itself.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use invoices::{
    calls::Ended,
    provider::{CancelOutcome, StatusOutcome},
    stamping::Verdict,
};

/// Figures that calls write and anybody reads.
#[derive(Debug, Default)]
pub(super) struct Gauges {
    stamped: AtomicU64,
    rejected: AtomicU64,
    unanswered: AtomicU64,
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

    /// Name, meaning, value.
    pub(super) fn read(&self) -> Vec<(&'static str, &'static str, f64)> {
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
        ]
    }
}
