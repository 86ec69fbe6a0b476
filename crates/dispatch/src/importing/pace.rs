//! How many rows are worked off at once: many while nobody waits for the writer, and so few that nobody notices once
//! somebody does.

use std::time::{Duration, Instant};

use imports::{BATCH_ROWS_MAX, Verdict};

/// Rows of a batch that is expected to write: what it makes of a row takes several times the memory of the row itself.
const ROWS_WRITTEN_MAX: usize = 250;
/// Rows of the first batch.
const ROWS_AT_FIRST: usize = 100;
/// How long a batch may hold up others that wait.
const CROWDED: Duration = Duration::from_millis(3);
/// How many times as long as a batch took the pause is that follows it while others wait. It is the disk that they share,
/// too: what a batch has written is seen to it, and carried over into the file of SQLite, while they commit.
const PAUSES: u32 = 4;
/// Rows of a batch at least while others wait: fewer take as long where most of its time goes with the batch itself.
const ROWS_CROWDED_MIN: usize = 20;
/// How long a batch takes at most while nobody waits.
const ALONE: Duration = Duration::from_millis(250);
/// The longest pause that is made for others.
const PAUSE_MAX: Duration = Duration::from_millis(250);

/// Between two times that others use the writer of a busy shop; chores of the service come more seldom.
const BUSY: Duration = Duration::from_millis(500);
/// How long nobody else must have used the writer of a busy shop before it counts as left alone: between two orders it is not.
const QUIET: Duration = Duration::from_millis(100);

/// The size of the next batch, and what it is expected to be like.
#[derive(Debug)]
pub(super) struct Pace {
    rows: usize,
    expects_unchanged: bool,
    /// When others were last seen at the writer.
    used_at: Option<Instant>,
    /// Until when the shop is taken for a busy one.
    busy_until: Option<Instant>,
}

impl Default for Pace {
    fn default() -> Self {
        Self { rows: ROWS_AT_FIRST, expects_unchanged: false, used_at: None, busy_until: None }
    }
}

impl Pace {
    /// Rows of the next batch.
    pub(super) fn rows(&self) -> usize {
        if self.expects_unchanged { self.rows } else { self.rows.min(ROWS_WRITTEN_MAX) }
    }

    /// Whether most rows of the next batch are expected to change nothing, as those of the last have.
    pub(super) const fn expects_unchanged(&self) -> bool {
        self.expects_unchanged
    }

    /// Notes what has become of the rows of a batch.
    pub(super) fn note(&mut self, verdicts: &[Option<Verdict>]) {
        let unchanged = verdicts.iter().filter(|it| **it == Some(Verdict::Unchanged)).count();
        self.expects_unchanged = unchanged * 4 > verdicts.len() * 3;
    }

    /// A batch of so many rows has taken so long until now, and others were at the writer or not: how long a pause is made.
    pub(super) fn after(
        &mut self,
        (elapsed, now): (Duration, Instant),
        rows: usize,
        is_used: bool,
    ) -> Duration {
        if is_used {
            let since = self.used_at.map(|at| now.saturating_duration_since(at));
            if since.is_some_and(|since| since < BUSY) {
                self.busy_until = Some(now + QUIET);
            }
            self.used_at = Some(now);
        }
        let is_crowded = is_used || self.busy_until.is_some_and(|until| now < until);
        let limit = if is_crowded { CROWDED } else { ALONE };
        let of_one = elapsed / u32::try_from(rows.max(1)).unwrap_or(u32::MAX);
        let within = limit.as_nanos() / of_one.as_nanos().max(1);
        let within = usize::try_from(within).unwrap_or(usize::MAX).max(ROWS_CROWDED_MIN);
        self.rows = within.min(self.rows.saturating_mul(2)).min(BATCH_ROWS_MAX);
        if is_crowded { (elapsed * PAUSES).min(PAUSE_MAX) } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_while_nobody_waits_and_shrink_at_once_when_somebody_does() {
        let (millis, now) = (Duration::from_millis, Instant::now());
        let mut pace = Pace::default();
        for _ in 0..10 {
            let rows = pace.rows();
            // 50 µs for each row.
            let took = Duration::from_micros(50) * u32::try_from(rows).unwrap();
            assert_eq!(pace.after((took, now), rows, false), Duration::ZERO);
        }
        assert_eq!(pace.rows(), ROWS_WRITTEN_MAX);
        pace.note(&[Some(Verdict::Unchanged)]);
        assert_eq!(pace.rows(), BATCH_ROWS_MAX);
        assert_eq!(pace.after((millis(60), now), 1_000, true), millis(240));
        assert_eq!(pace.rows(), 50);
        assert_eq!(pace.after((millis(10), now), 10, true), millis(40));
        assert_eq!(pace.rows(), ROWS_CROWDED_MIN);
        assert_eq!(pace.after((millis(400), now), 1, true), PAUSE_MAX);
        assert_eq!(pace.rows(), ROWS_CROWDED_MIN);
        // Nobody is there at the moment.
        let soon = (millis(2), now + QUIET / 2);
        assert_eq!(pace.after(soon, ROWS_CROWDED_MIN, false), millis(8));
        assert_eq!(pace.rows(), 30);
        let later = (Duration::ZERO, now + QUIET);
        assert_eq!(pace.after(later, 30, false), Duration::ZERO);
        assert_eq!(pace.rows(), 60);
    }

    #[test]
    fn chores_make_no_busy_shop() {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        let took = Duration::from_millis(2);
        for _ in 0..3 {
            assert_eq!(pace.after((took, now), 100, true), took * PAUSES);
            assert_eq!(pace.after((took, now + QUIET / 2), 100, false), Duration::ZERO);
            now += BUSY;
        }
    }

    #[test]
    fn a_table_that_is_sent_again_is_expected_to_go_on_so() {
        let mut pace = Pace::default();
        assert!(!pace.expects_unchanged());
        let (same, other) = (Some(Verdict::Unchanged), Some(Verdict::Updated));
        let cases: [(&[Option<Verdict>], bool); 5] = [
            (&[same, same, same, same, other], true),
            (&[same, same, same, other], false),
            (&[same], true),
            (&[None, other], false),
            (&[], false),
        ];
        for (verdicts, expected) in cases {
            pace.note(verdicts);
            assert_eq!(pace.expects_unchanged(), expected, "{verdicts:?}");
        }
    }
}
