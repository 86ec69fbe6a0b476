//! What payments tell about themselves.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use kernel::Gauge;
use payments::{CallFault, Seen, SeenRefund, service::Attempted};

/// Figures that calls write and anybody reads.
#[derive(Debug, Default)]
pub(super) struct Gauges {
    calls: AtomicU64,
    refused: AtomicU64,
    untaken: AtomicU64,
    unknown: AtomicU64,
    micros: AtomicU64,
    notices: AtomicU64,
    forged: AtomicU64,
}

impl Gauges {
    /// Counts an attempt and the time that it took.
    pub(super) fn count(&self, attempted: &Attempted, took: Duration) {
        self.calls.fetch_add(1, Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Relaxed);
        let counter = match fault(attempted) {
            None => return,
            Some(CallFault::Declined(_) | CallFault::Rejected(_)) => &self.refused,
            Some(
                CallFault::RateLimited { .. } | CallFault::Unreachable(_) | CallFault::Config(_),
            ) => &self.untaken,
            Some(CallFault::Unknown(_) | CallFault::Stuck(_)) => &self.unknown,
        };
        counter.fetch_add(1, Relaxed);
    }

    /// Counts a notification that was kept.
    pub(super) fn count_notice(&self) {
        self.notices.fetch_add(1, Relaxed);
    }

    /// Counts a notification with a signature that is not the provider's.
    pub(super) fn count_forged(&self) {
        self.forged.fetch_add(1, Relaxed);
    }

    /// The figures at this moment.
    pub(super) fn read(&self) -> Vec<Gauge> {
        let value = |counter: &AtomicU64| counter.load(Relaxed) as f64;
        vec![
            Gauge::new(
                "payment_calls_total",
                "Calls to payment providers since the start",
                value(&self.calls),
            ),
            Gauge::new(
                "payment_calls_refused_total",
                "Calls that a payment provider or bank refused",
                value(&self.refused),
            ),
            Gauge::new(
                "payment_calls_not_taken_total",
                "Calls that a payment provider did not take: away, busy, or our credentials refused",
                value(&self.untaken),
            ),
            Gauge::new(
                "payment_calls_unknown_total",
                "Calls to payment providers that ended without a conclusive answer",
                value(&self.unknown),
            ),
            Gauge::new(
                "payment_calls_seconds_total",
                "Time spent in calls to payment providers",
                value(&self.micros) / 1_000_000.0,
            ),
            Gauge::new(
                "payment_notifications_total",
                "Notifications of payment providers that were kept",
                value(&self.notices),
            ),
            Gauge::new(
                "payment_notifications_forged_total",
                "Notifications with a signature that is not the provider's",
                value(&self.forged),
            ),
        ]
    }
}

/// Why an attempt has no outcome to go by, if it has none.
pub(super) fn fault(attempted: &Attempted) -> Option<&CallFault> {
    match attempted {
        Attempted::Called(result) | Attempted::Fetched(result) => result.as_ref().err(),
        Attempted::Found(result) => Result::<&Option<Seen>, _>::err(result.as_ref()),
        Attempted::Refunded(result) => Result::<&SeenRefund, _>::err(result.as_ref()),
    }
}
