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
    /// The word in the names of the headers, e.g. `x-BRAND-event`.
    pub brand: String,
    /// When a delivery is attempted.
    pub schedule: Schedule,
    /// Consecutive failed attempts after which an endpoint is disabled.
    pub failures_max: u32,
    /// How long one exchange may take. The sender sees to it; here it sizes the claims, and an exchange
    /// that goes on for a second longer is given up.
    pub exchange_timeout: Duration,
    /// How much longer than an exchange a claim lasts: the time that a delivery may wait here and that the
    /// record of its attempt may take. Less than 2 seconds count as 2 seconds.
    pub claim_margin: Duration,
    /// Exchanges under way at once, to all endpoints together.
    pub in_flight_max: usize,
    /// Exchanges under way at once to the endpoints of one account.
    pub account_in_flight_max: usize,
    /// Exchanges under way at once to one endpoint.
    pub endpoint_in_flight_max: usize,
    /// How often the store is asked for what is due. What it tells by itself is sent at once.
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
