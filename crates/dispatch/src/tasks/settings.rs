//! What can be set about tasks.

use std::time::Duration;

use kernel::Timestamp;
use tasks::CLAIM_SECONDS_MAX;

/// How tasks are worked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskSettings {
    /// How often what is due is looked for. What is due at once is also announced.
    pub sweep_interval: Duration,
}

impl Default for TaskSettings {
    /// Every 2 seconds.
    fn default() -> Self {
        Self { sweep_interval: Duration::from_secs(2) }
    }
}

/// How much longer than the attempt under it a claim lasts: the time for the record.
const CLAIM_MARGIN: Duration = Duration::from_secs(10);

impl TaskSettings {
    /// How long a claim lasts under which an attempt of this length is made.
    #[must_use]
    pub(crate) fn claim_time(attempt_time: Duration) -> Duration {
        let longest = Duration::from_secs(CLAIM_SECONDS_MAX.unsigned_abs());
        attempt_time.saturating_add(CLAIM_MARGIN).min(longest)
    }

    /// Whether an attempt that begins `now` ends within a claim that was made for it at `claimed`.
    pub(crate) fn is_in_time(claimed: Timestamp, now: Timestamp) -> bool {
        let margin = i64::try_from(CLAIM_MARGIN.as_secs()).unwrap_or_default();
        now <= claimed.plus_seconds(margin)
    }

    pub(crate) fn claim_until(attempt_time: Duration, now: Timestamp) -> Timestamp {
        let seconds = Self::claim_time(attempt_time).as_secs();
        now.plus_seconds(i64::try_from(seconds).unwrap_or(CLAIM_SECONDS_MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_begins_while_its_claim_lasts_for_the_whole_of_it() {
        let claimed = Timestamp::from_micros(1_795_000_000_000_000);
        for (seconds, is_in_time) in [(-60, true), (0, true), (10, true), (11, false), (600, false)]
        {
            assert_eq!(
                TaskSettings::is_in_time(claimed, claimed.plus_seconds(seconds)),
                is_in_time
            );
        }
    }
}
