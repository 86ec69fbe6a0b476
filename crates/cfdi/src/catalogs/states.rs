//! States and provinces of Mexico, the United States and Canada (c_Estado).

use std::sync::LazyLock;

use time::Date;

use super::row::{START, row};
use super::table;

/// A state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// The code of its country.
    pub country: &'static str,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(State);

static ROWS: LazyLock<Vec<State>> =
    LazyLock::new(|| include_str!("../../data/states.tsv").lines().map(read).collect());

/// The whole catalog, by code.
#[must_use]
pub fn all() -> &'static [State] {
    &ROWS
}

/// The state with that code; no two countries share one.
#[must_use]
pub fn find(code: &str) -> Option<&'static State> {
    super::row::find(all(), code)
}

fn read(line: &'static str) -> State {
    let [code, country, name] = table::fields(line);
    State { code, name, country, valid_from: START, valid_until: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mexico_has_thirty_two_states() {
        assert_eq!(all().len(), 95);
        assert_eq!(all().iter().filter(|state| state.country == "MEX").count(), 32);
        assert_eq!(find("CMX").unwrap().name, "Ciudad de México");
        assert_eq!(find("TX").unwrap().country, "USA");
        assert!(find("DIF").is_none());
        let mut codes: Vec<_> = all().iter().map(|state| state.code).collect();
        codes.dedup();
        assert_eq!(codes.len(), all().len());
    }
}
