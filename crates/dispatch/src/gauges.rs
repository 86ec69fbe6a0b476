//! What the dispatcher tells about itself.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Figures that the engine writes and anybody reads.
#[derive(Debug, Default)]
pub(crate) struct Gauges {
    pub(crate) delivered: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) in_flight: AtomicUsize,
    pub(crate) waiting: AtomicUsize,
    pub(crate) unrecorded: AtomicUsize,
    pub(crate) busy: AtomicUsize,
    pub(crate) empty_claims: AtomicU64,
    pub(crate) expired: AtomicU64,
    pub(crate) returned: AtomicU64,
    pub(crate) completion_errors: AtomicU64,
    /// Microseconds.
    pub(crate) lag: AtomicU64,
}

impl Gauges {
    /// Name, meaning, value.
    pub(crate) fn read(&self) -> Vec<(&'static str, &'static str, f64)> {
        let counter = |counter: &AtomicU64| counter.load(Relaxed) as f64;
        let gauge = |gauge: &AtomicUsize| gauge.load(Relaxed) as f64;
        vec![
            (
                "webhook_attempts_delivered_total",
                "Attempts that the endpoint has taken",
                counter(&self.delivered),
            ),
            (
                "webhook_attempts_failed_total",
                "Attempts that the endpoint has not taken",
                counter(&self.failed),
            ),
            ("webhook_exchanges_in_flight", "Attempts under way", gauge(&self.in_flight)),
            (
                "webhook_deliveries_waiting",
                "Deliveries claimed by this process and not sent yet",
                gauge(&self.waiting),
            ),
            (
                "webhook_attempts_unrecorded",
                "Attempts that have ended and are not recorded yet",
                gauge(&self.unrecorded),
            ),
            (
                "webhook_endpoints_busy",
                "Endpoints with deliveries under way or due at the last sweep",
                gauge(&self.busy),
            ),
            (
                "webhook_claims_empty_total",
                "Claims that brought no delivery",
                counter(&self.empty_claims),
            ),
            (
                "webhook_deliveries_expired_total",
                "Claimed deliveries not sent because their claim was about to end",
                counter(&self.expired),
            ),
            (
                "webhook_deliveries_returned_total",
                "Claimed deliveries given back unsent",
                counter(&self.returned),
            ),
            (
                "webhook_completion_errors_total",
                "Times that ended attempts could not be recorded",
                counter(&self.completion_errors),
            ),
            (
                "webhook_delivery_lag_seconds",
                "How long the oldest due delivery had been waiting at the last sweep",
                counter(&self.lag) / 1_000_000.0,
            ),
        ]
    }
}
