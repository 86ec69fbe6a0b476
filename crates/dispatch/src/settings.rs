//! What can be set about the delivery of events.

use std::time::Duration;

use webhooks::{Schedule, health::FAILURES_MAX_DEFAULT};

/// A claim lasts so much longer than an exchange at least, or nothing could be sent under it in time.
const CLAIM_MARGIN_MIN: Duration = Duration::from_secs(2);
/// An attempt is begun only when its claim has so much more time left than the exchange may take: enough to
/// record its end.
const RECORDING: Duration = Duration::from_secs(1);

/// How events are delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Word used in header names, e.g. `x-BRAND-event`.
    pub brand: String,
    /// When a delivery is attempted.
    pub schedule: Schedule,
    /// Consecutive failed attempts after which an endpoint is disabled.
    pub failures_max: u32,
    /// Timeout for one exchange. The sender enforces it; here it determines the length of claims, and an
    /// exchange that exceeds it by a second is abandoned.
    pub exchange_timeout: Duration,
    /// How much longer than an exchange a claim lasts, to allow for queueing and for recording the attempt.
    /// At least 2 seconds are used.
    pub claim_margin: Duration,
    /// Maximum concurrent exchanges with all endpoints.
    pub in_flight_max: usize,
    /// Maximum concurrent exchanges with the endpoints of one account.
    pub account_in_flight_max: usize,
    /// Maximum concurrent exchanges with one endpoint.
    pub endpoint_in_flight_max: usize,
    /// Interval between lookups of due deliveries. Deliveries that the store announces are sent immediately.
    pub sweep_interval: Duration,
    /// Threads that sign and send.
    pub workers: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            brand: "service".to_owned(),
            schedule: Schedule::default(),
            failures_max: FAILURES_MAX_DEFAULT,
            exchange_timeout: Duration::from_secs(5),
            claim_margin: Duration::from_secs(10),
            in_flight_max: 1_024,
            account_in_flight_max: 512,
            endpoint_in_flight_max: 64,
            sweep_interval: Duration::from_secs(1),
            workers: 2,
        }
    }
}

impl Settings {
    /// How long a claim lasts.
    pub(crate) fn claim_time(&self) -> Duration {
        self.exchange_timeout + self.claim_margin.max(CLAIM_MARGIN_MIN)
    }

    /// How long a claim must still last when an attempt begins, and when an exchange is given up.
    pub(crate) fn attempt_time(&self) -> Duration {
        self.exchange_timeout + RECORDING
    }

    /// Ended attempts that may wait to be recorded before sending stops.
    pub(crate) const fn unrecorded_max(&self) -> usize {
        self.in_flight_max.saturating_mul(4)
    }
}
