//! What can be set about stamping and cancelling.

use std::time::Duration;

/// How providers are worked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificationSettings {
    /// Timeout for one call to a provider. The provider's client enforces it; here it determines the length
    /// of claims.
    pub provider_timeout: Duration,
    /// Interval between lookups of due work.
    pub sweep_interval: Duration,
    /// Maximum number of invoices processed concurrently.
    pub in_flight_max: usize,
}

impl Default for CertificationSettings {
    /// 30 seconds, every 2 seconds, 64 invoices.
    fn default() -> Self {
        Self {
            provider_timeout: Duration::from_secs(30),
            sweep_interval: Duration::from_secs(2),
            in_flight_max: 64,
        }
    }
}

/// How much longer than the calls under it a claim lasts: the time for sealing and for the record.
const CLAIM_MARGIN: Duration = Duration::from_secs(10);

impl CertificationSettings {
    /// How long a claim lasts: a call, the question what became of it, and their record.
    #[must_use]
    pub(super) fn claim_time(&self) -> Duration {
        self.call_time().saturating_mul(2).saturating_add(CLAIM_MARGIN)
    }

    /// After this a call is given up that the provider's client has not ended.
    #[must_use]
    pub(super) fn call_time(&self) -> Duration {
        self.provider_timeout.saturating_add(Duration::from_secs(1))
    }
}
