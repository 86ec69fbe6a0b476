//! One line of the table of results.

use std::fmt;
use std::time::Duration;

use crate::statistics::Spread;

/// What a ratio should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    pub(crate) fn is_met_by(self, value: f64) -> bool {
        match self {
            Self::AtLeast(goal) => value >= goal,
            Self::AtMost(goal) => value <= goal,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(goal) => write!(f, "≥ {goal}"),
            Self::AtMost(goal) => write!(f, "≤ {goal}"),
        }
    }
}

/// What was measured; what does not apply is absent.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) what: String,
    pub(crate) database: &'static str,
    pub(crate) rate: Option<f64>,
    /// p50, p99 and p99.9.
    pub(crate) latencies: Option<[Duration; 3]>,
    pub(crate) limit: Option<String>,
    /// The ratio to the limit, or an absolute value when it has a unit.
    pub(crate) value: Option<Spread>,
    pub(crate) unit: &'static str,
    pub(crate) goal: Option<Goal>,
    pub(crate) server_micros: Option<f64>,
    pub(crate) database_micros: Option<f64>,
    pub(crate) generator_micros: Option<f64>,
    pub(crate) memory_mib: Option<f64>,
    pub(crate) errors: u64,
    pub(crate) replays: u64,
}

impl Line {
    /// An absolute value with its goal, and nothing else.
    pub(crate) fn absolute(
        what: &str,
        database: &'static str,
        value: Option<Spread>,
        unit: &'static str,
        goal: Goal,
    ) -> Self {
        Self {
            what: what.to_owned(),
            database,
            rate: None,
            latencies: None,
            limit: None,
            value,
            unit,
            goal: Some(goal),
            server_micros: None,
            database_micros: None,
            generator_micros: None,
            memory_mib: None,
            errors: 0,
            replays: 0,
        }
    }

    /// Every answer was the right one.
    pub(crate) const fn is_sound(&self) -> bool {
        self.errors == 0 && self.replays == 0
    }

    /// Whether the goal is met; `None` without a goal. Wrong answers never meet one.
    pub(crate) fn meets_goal(&self) -> Option<bool> {
        let goal = self.goal?;
        Some(self.is_sound() && self.value.is_some_and(|value| goal.is_met_by(value.median)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_never_meet_a_goal() {
        let value = Spread::of(&[0.7]);
        let mut line = Line::absolute("x", "SQLite", value, "", Goal::AtLeast(0.5));
        assert_eq!(line.meets_goal(), Some(true));
        line.errors = 1;
        assert_eq!(line.meets_goal(), Some(false));
    }

    #[test]
    fn goals_include_their_bound() {
        assert!(Goal::AtLeast(0.5).is_met_by(0.5) && !Goal::AtLeast(0.5).is_met_by(0.49));
        assert!(Goal::AtMost(5.0).is_met_by(5.0) && !Goal::AtMost(5.0).is_met_by(5.1));
        assert_eq!(Goal::AtMost(100.0).to_string(), "≤ 100");
    }
}
