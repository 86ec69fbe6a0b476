//! How long the plans of a connection serve.
//!
//! A writer's statements are planned once (see `db::BY_KEY_ONLY`), by the sizes that their tables have then. A plan that was
//! right for an empty table looks through the whole of it for ever, unless the server happens to analyse it. What makes
//! tables grow is commands, so plans are made anew whenever as many of them have been run as ever before.

/// Plans of empty tables are renewed after so many commands.
const FIRST: u64 = 64;
/// Tables of so many rows are found in by key, whatever they grow to.
const LAST: u64 = 65_536;

/// Counts the commands that a connection has run with its plans.
#[derive(Debug)]
pub(super) struct Plans {
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
    pub(super) fn used(&mut self, commands: u64) {
        self.used += commands;
    }

    /// Whether tables may have doubled since the plans were made.
    pub(super) fn are_old(&self) -> bool {
        self.used >= self.old_after
    }

    /// Counts from new plans on.
    pub(super) fn renewed(&mut self) {
        *self = Self { used: 0, old_after: (self.old_after * 2).min(LAST) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
