//! What the engine tells about itself.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use invoices::{
    Certified, Invoice,
    calls::Ended,
    provider::{CancelOutcome, StatusOutcome},
    stamping::Verdict,
    withholding::Withholding,
};
use kernel::Gauge;

/// The name and the meaning of a figure.
pub type Figure = (&'static str, &'static str);

/// What is counted in figures of its own.
pub trait Counted: Certified {
    /// How many were stamped.
    const STAMPED: Figure;
    /// How many calls a provider rejected.
    const REJECTED: Figure;
    /// How many calls ended without a conclusive answer.
    const UNANSWERED: Figure;
}

impl Counted for Invoice {
    const REJECTED: Figure = (
        "invoices_rejected_total",
        "Stampings and cancellations that a provider rejected or did not accept",
    );
    const STAMPED: Figure = ("invoices_stamped_total", "Invoices stamped by this process");
    const UNANSWERED: Figure =
        ("invoices_unanswered_total", "Calls to providers that ended without a conclusive answer");
}

impl Counted for Withholding {
    const REJECTED: Figure = (
        "withholdings_rejected_total",
        "Stampings and cancellations of withholdings that a provider rejected or did not accept",
    );
    const STAMPED: Figure = ("withholdings_stamped_total", "Withholdings stamped by this process");
    const UNANSWERED: Figure = (
        "withholdings_unanswered_total",
        "Calls to providers about withholdings that ended without a conclusive answer",
    );
}

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

    /// The figures at this moment.
    pub(super) fn read<T: Counted>(&self) -> Vec<Gauge> {
        let figure = |(name, help): Figure, counter: &AtomicU64| {
            Gauge::new(name, help, counter.load(Relaxed) as f64)
        };
        vec![
            figure(T::STAMPED, &self.stamped),
            figure(T::REJECTED, &self.rejected),
            figure(T::UNANSWERED, &self.unanswered),
        ]
    }
}
