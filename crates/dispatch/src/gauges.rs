//! What the dispatcher tells about itself.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use kernel::Gauge;

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
    /// The figures at this moment.
    pub(crate) fn read(&self) -> Vec<Gauge> {
        let counter = |counter: &AtomicU64| counter.load(Relaxed) as f64;
        let gauge = |gauge: &AtomicUsize| gauge.load(Relaxed) as f64;
        vec![
            Gauge::new(
                "webhook_attempts_delivered_total",
                "Delivery attempts accepted by the endpoint",
                counter(&self.delivered),
            ),
            Gauge::new(
                "webhook_attempts_failed_total",
                "Delivery attempts that failed",
                counter(&self.failed),
            ),
            Gauge::new(
                "webhook_exchanges_in_flight",
                "Delivery attempts in progress",
                gauge(&self.in_flight),
            ),
            Gauge::new(
                "webhook_deliveries_waiting",
                "Deliveries claimed by this process but not sent yet",
                gauge(&self.waiting),
            ),
            Gauge::new(
                "webhook_attempts_unrecorded",
                "Finished delivery attempts not recorded yet",
                gauge(&self.unrecorded),
            ),
            Gauge::new(
                "webhook_endpoints_busy",
                "Endpoints with deliveries in progress, or due at the last sweep",
                gauge(&self.busy),
            ),
            Gauge::new(
                "webhook_claims_empty_total",
                "Claims that returned no deliveries",
                counter(&self.empty_claims),
            ),
            Gauge::new(
                "webhook_deliveries_expired_total",
                "Claimed deliveries not sent because their claim was about to expire",
                counter(&self.expired),
            ),
            Gauge::new(
                "webhook_deliveries_returned_total",
                "Claimed deliveries released without being sent",
                counter(&self.returned),
            ),
            Gauge::new(
                "webhook_completion_errors_total",
                "Failures to record finished delivery attempts",
                counter(&self.completion_errors),
            ),
            Gauge::new(
                "webhook_delivery_lag_seconds",
                "Age of the oldest due delivery at the last sweep, in seconds",
                counter(&self.lag) / 1_000_000.0,
            ),
        ]
    }
}
