//! What can be set about stamping and cancelling.

use std::time::Duration;

use kernel::Timestamp;

use crate::tasks::TaskSettings;

/// How providers are worked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificationSettings {
    /// How long one call to a provider may take. The provider's client sees to it; here it sizes the claims.
    pub provider_timeout: Duration,
}

impl Default for CertificationSettings {
    /// 30 seconds.
    fn default() -> Self {
        Self { provider_timeout: Duration::from_secs(30) }
    }
}

impl CertificationSettings {
    /// How long one attempt may take: a call, and the question what became of it.
    #[must_use]
    pub(super) fn attempt_time(&self) -> Duration {
        self.call_time().saturating_mul(2)
    }

    /// How long a claim lasts.
    #[must_use]
    pub(super) fn claim_time(&self) -> Duration {
        TaskSettings::claim_time(self.attempt_time())
    }

    /// When a claim ends that begins now.
    #[must_use]
    pub(super) fn claim_until(&self, now: Timestamp) -> Timestamp {
        TaskSettings::claim_until(self.attempt_time(), now)
    }

    /// After this a call is given up that the provider's client has not ended.
    #[must_use]
    pub(super) fn call_time(&self) -> Duration {
        self.provider_timeout.saturating_add(Duration::from_secs(1))
    }
}
