//! How long the plans of a connection serve.
//!
//! The statements of writers and look-ups are planned once (see `db::BY_KEY_ONLY`), by the sizes that their tables have then.
//! A plan that was right for an empty table looks through the whole of it for ever, unless the server happens to analyse it.
//! What makes tables grow is commands, so plans are made anew whenever as many of them have been run as ever before. Look-ups
//! do not know of commands, which others may run: their plans are made anew after some time, too.

use std::time::{Duration, Instant};

/// Plans of empty tables are renewed after so many commands.
const FIRST: u64 = 64;
/// Tables of so many rows are found in by key, whatever they grow to.
const LAST: u64 = 65_536;

/// Plans of look-ups are renewed after so long.
const AGE_MAX: Duration = Duration::from_secs(60);

/// Counts the commands that a connection has run with its plans.
#[derive(Debug)]
pub(crate) struct Plans {
    used: u64,
    old_after: u64,
}

impl Default for Plans {
    fn default() -> Self {
        Self { used: 0, old_after: FIRST }
    }
}

impl Plans {
    /// Counts commands.
    pub(crate) fn used(&mut self, commands: u64) {
        self.used += commands;
    }

    /// Whether tables may have doubled since the plans were made.
    pub(crate) fn are_old(&self) -> bool {
        self.used >= self.old_after
    }

    /// Counts from new plans on.
    pub(crate) fn renewed(&mut self) {
        *self = Self { used: 0, old_after: (self.old_after * 2).min(LAST) };
    }
}

/// Counts the uses of plans, and how long they have served.
#[derive(Debug)]
pub(crate) struct AgingPlans {
    plans: Plans,
    since: Instant,
}

impl AgingPlans {
    /// Plans that are made from now on.
    pub(crate) fn since(now: Instant) -> Self {
        Self { plans: Plans::default(), since: now }
    }

    /// Counts a use; whether plans are to be made anew before it.
    pub(crate) fn used(&mut self, now: Instant) -> bool {
        let are_old = self.plans.are_old() || now.saturating_duration_since(self.since) >= AGE_MAX;
        if are_old {
            self.plans.renewed();
            self.since = now;
        }
        self.plans.used(1);
        are_old
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_of_look_ups_are_renewed_by_their_uses_and_by_the_time() {
        let began = Instant::now();
        let mut plans = AgingPlans::since(began);
        let mut renewed_at = Vec::new();
        for use_of_them in 0..200_u64 {
            if plans.used(began) {
                renewed_at.push(use_of_them);
            }
        }
        assert_eq!(renewed_at, [64, 192]);
        let later = |seconds| began + Duration::from_secs(seconds);
        assert_eq!(
            [59, 60, 61, 119, 120].map(|at| plans.used(later(at))),
            [false, true, false, false, true]
        );
    }

    #[test]
    fn plans_are_renewed_whenever_the_number_of_commands_has_doubled() {
        let mut plans = Plans::default();
        let mut renewed_after = Vec::new();
        for command in 1..=400_000_u64 {
            plans.used(1);
            if plans.are_old() {
                plans.renewed();
                renewed_after.push(command);
            }
        }
        assert_eq!(renewed_after.get(..4), Some(&[64, 192, 448, 960][..]));
        let last: Vec<u64> = renewed_after.iter().rev().take(3).copied().collect();
        assert!(
            last.windows(2).all(|pair| matches!(pair, [later, earlier] if later - earlier == LAST))
        );
    }
}
