//! When an endpoint counts as failing, and when it is disabled for it.

/// Failed attempts in a row from which on an endpoint counts as failing: fewer are a hiccup.
pub const FAILING_FROM: u32 = 5;
/// Failed attempts in a row after which an endpoint is disabled, unless set otherwise.
pub const FAILURES_MAX_DEFAULT: u32 = 100;

/// How an endpoint fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// It gets what it subscribes to.
    Enabled,
    /// The last attempts have failed, [`FAILING_FROM`] or more in a row.
    Failing,
    /// It gets nothing any more.
    Disabled,
}

impl Health {
    /// Every state of health.
    pub const EVERY: &'static [Self] = &[Self::Enabled, Self::Failing, Self::Disabled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enabled => "enabled",
            Self::Failing => "failing",
            Self::Disabled => "disabled",
        }
    }
}

/// What a run of attempts leaves of an endpoint's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Consecutive failed attempts, across all deliveries.
    pub failures: u32,
    /// Whether the limit of consecutive failures was reached.
    pub disable: bool,
}

/// The record after `attempts`, in the order in which they ended: a success ends a row of failures, and the
/// row is as long as the attempts in it, first ones and repeats alike.
#[must_use]
pub fn after(failures: u32, attempts: impl IntoIterator<Item = bool>, failures_max: u32) -> Record {
    let mut record = Record { failures, disable: false };
    for delivered in attempts {
        record.failures = if delivered { 0 } else { record.failures.saturating_add(1) };
        record.disable |= record.failures >= failures_max;
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_ends_the_row_and_the_hundredth_failure_disables() {
        let fails = |count: usize| std::iter::repeat_n(false, count);
        assert_eq!(after(0, fails(99), 100), Record { failures: 99, disable: false });
        assert_eq!(after(99, [false], 100), Record { failures: 100, disable: true });
        assert_eq!(after(99, [true, false], 100), Record { failures: 1, disable: false });
        assert_eq!(after(90, fails(10).chain([true]), 100), Record { failures: 0, disable: true });
    }
}
