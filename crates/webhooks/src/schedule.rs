//! When a delivery is attempted again.

use std::time::Duration;

use kernel::Timestamp;

/// Jitter adds at most this part of a delay, never takes any away.
const JITTER_PER_DELAY: u32 = 10;
/// The most that jitter adds.
const JITTER_MAX: Duration = Duration::from_secs(60);

/// How far the clocks of two nodes may be apart.
pub const CLOCK_SKEW: Duration = Duration::from_secs(60);

/// The delays before each attempt, counted from the end of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule(Vec<Duration>);

impl Default for Schedule {
    /// The six attempts of the contract: at once, then after 5 s, 30 s, 5 min, 30 min and 2 h.
    fn default() -> Self {
        Self([0, 5, 30, 300, 1_800, 7_200].map(Duration::from_secs).to_vec())
    }
}

impl Schedule {
    /// A schedule of these delays; the first is the one before the first attempt.
    ///
    /// # Errors
    /// A clause, when there is no delay.
    pub fn new(delays: Vec<Duration>) -> Result<Self, &'static str> {
        if delays.is_empty() { Err("must have at least one delay") } else { Ok(Self(delays)) }
    }

    /// The delays.
    #[must_use]
    pub fn delays(&self) -> &[Duration] {
        &self.0
    }

    /// How many attempts a delivery gets.
    #[must_use]
    pub fn attempts_max(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// The latest moments at which deliveries can be due `now`, by the attempts made of them; the last stands for all
    /// further counts. What is due later was scheduled before the clock was set back. The clocks of nodes differ by
    /// [`CLOCK_SKEW`] at most.
    #[must_use]
    pub fn latest(&self, now: Timestamp) -> Vec<Timestamp> {
        let until = |delay: Duration| {
            let late = delay + JITTER_MAX + CLOCK_SKEW;
            let micros = i64::try_from(late.as_micros()).unwrap_or(i64::MAX);
            Timestamp::from_micros(now.micros().saturating_add(micros))
        };
        self.0.iter().copied().chain([Duration::ZERO]).map(until).collect()
    }

    /// When the attempt after `made` attempts is due, the last of which ended `now`; `None` when there is no
    /// other. `jitter`, from 0 to 1, spreads attempts that would come together, upwards only.
    #[must_use]
    pub fn next(&self, made: u32, now: Timestamp, jitter: f64) -> Option<Timestamp> {
        let delay = *self.0.get(made as usize)?;
        let spread = (delay / JITTER_PER_DELAY).min(JITTER_MAX).mul_f64(jitter.clamp(0.0, 1.0));
        let micros = i64::try_from((delay + spread).as_micros()).unwrap_or(i64::MAX);
        Some(Timestamp::from_micros(now.micros().saturating_add(micros)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_contract_has_six_attempts_over_two_hours_and_a_half() {
        let schedule = Schedule::default();
        let mut now = Timestamp::from_micros(0);
        let mut delays = Vec::new();
        for made in 0.. {
            let Some(next) = schedule.next(made, now, 0.0) else { break };
            delays.push((next.micros() - now.micros()) / 1_000_000);
            now = next;
        }
        assert_eq!(delays, [0, 5, 30, 300, 1_800, 7_200]);
        assert_eq!(schedule.attempts_max(), 6);
        assert!(Schedule::new(Vec::new()).is_err());
    }

    proptest! {
        #[test]
        fn no_schedule_is_later_than_its_latest(made in 0_u32..6, jitter in 0.0_f64..1.0) {
            let schedule = Schedule::default();
            let now = Timestamp::from_micros(1_000_000);
            let next = schedule.next(made, now, jitter).unwrap();
            let latest = schedule.latest(now)[made as usize];
            prop_assert!(next.plus_seconds(60) <= latest);
            prop_assert!(latest <= next.plus_seconds(121));
        }

        #[test]
        fn jitter_is_small_and_never_early(made in 0_u32..6, jitter in -1.0_f64..2.0) {
            let schedule = Schedule::default();
            let now = Timestamp::from_micros(1_000_000);
            let exact = schedule.next(made, now, 0.0).unwrap().micros();
            let spread = schedule.next(made, now, jitter).unwrap().micros();
            let delay = exact - now.micros();
            prop_assert!(spread >= exact);
            prop_assert!(spread - exact <= (delay / 10).min(60_000_000));
        }
    }
}
