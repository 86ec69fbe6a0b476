//! What a run of the load generator counted.

use std::time::Duration;

use hdrhistogram::Histogram;

use crate::statistics::float;

/// Faults are counted without bound, but only the first ones are kept to be shown.
const FAULTS_KEPT: usize = 5;
const FAULT_CHARS_MAX: usize = 300;
/// Longer ones count as this.
const LATENCY_MICROS_MAX: u64 = 60_000_000;

/// Answers, errors and latencies of one run, or of several merged.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub(crate) answers: u64,
    pub(crate) errors: u64,
    pub(crate) replays: u64,
    pub(crate) faults: Vec<String>,
    pub(crate) elapsed: Duration,
    latency_micros: Histogram<u64>,
}

impl Tally {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            answers: 0,
            errors: 0,
            replays: 0,
            faults: Vec::new(),
            elapsed: Duration::ZERO,
            latency_micros: Histogram::new_with_max(LATENCY_MICROS_MAX, 3)?,
        })
    }

    pub(crate) fn record(&mut self, outcome: Result<bool, String>, latency: Duration) {
        match outcome {
            Ok(replayed) => {
                self.answers += 1;
                self.replays += u64::from(replayed);
                let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
                self.latency_micros.saturating_record(micros);
            }
            Err(fault) => {
                self.errors += 1;
                if self.faults.len() < FAULTS_KEPT {
                    self.faults.push(fault.chars().take(FAULT_CHARS_MAX).collect());
                }
            }
        }
    }

    /// Adds another tally; the longer of the two times counts for connections that ran together.
    pub(crate) fn absorb(&mut self, other: &Self) -> anyhow::Result<()> {
        self.answers += other.answers;
        self.errors += other.errors;
        self.replays += other.replays;
        let room = FAULTS_KEPT.saturating_sub(self.faults.len());
        self.faults.extend(other.faults.iter().take(room).cloned());
        self.elapsed = self.elapsed.max(other.elapsed);
        self.latency_micros.add(&other.latency_micros)?;
        Ok(())
    }

    /// Answers per second.
    pub(crate) fn rate(&self) -> f64 {
        float(self.answers) / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The latency that this share of the answers did not exceed, 0.99 for p99.
    pub(crate) fn latency(&self, share: f64) -> Duration {
        Duration::from_micros(self.latency_micros.value_at_quantile(share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(latencies_ms: &[u64]) -> Tally {
        let mut tally = Tally::new().unwrap();
        tally.elapsed = Duration::from_secs(2);
        for ms in latencies_ms {
            tally.record(Ok(false), Duration::from_millis(*ms));
        }
        tally
    }

    #[test]
    fn the_rate_counts_answers_and_no_errors() {
        let mut tally = tally(&[1, 2, 3, 4]);
        tally.record(Err("no".to_owned()), Duration::ZERO);
        assert!((tally.rate() - 2.0).abs() < 1e-9);
        assert_eq!(tally.errors, 1);
    }

    #[test]
    fn merged_connections_ran_at_the_same_time() {
        let mut all = tally(&[10; 99]);
        all.absorb(&tally(&[500])).unwrap();
        assert_eq!(all.answers, 100);
        assert_eq!(all.elapsed, Duration::from_secs(2));
        let near = |share, ms: u64| {
            let micros = all.latency(share).as_micros().abs_diff(u128::from(ms) * 1000);
            assert!(micros <= u128::from(ms), "{share}: {:?}", all.latency(share));
        };
        near(0.5, 10);
        near(0.99, 10);
        near(0.999, 500);
    }

    #[test]
    fn only_the_first_faults_are_kept() {
        let mut tally = tally(&[]);
        for number in 0..100 {
            tally.record(Err(number.to_string()), Duration::ZERO);
        }
        assert_eq!((tally.errors, tally.faults.len()), (100, FAULTS_KEPT));
    }
}
