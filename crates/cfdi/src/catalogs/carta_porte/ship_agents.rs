//! Authorizations of shipping agents (c_NumAutorizacionNaviero).

use super::{Entry, entry};
use crate::catalogs::table;

/// One code a line, sorted.
const CODES: &str = include_str!("../../../data/ship_agents.txt");

/// All authorizations, by code. They have no names.
pub fn all() -> impl Iterator<Item = Entry> {
    CODES.lines().map(|code| entry(code, ""))
}

/// The authorization with that code.
#[must_use]
pub fn find(code: &str) -> Option<Entry> {
    if code.is_empty() {
        return None;
    }
    table::find(CODES, code).map(|code| entry(code, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_found() {
        assert_eq!(all().count(), 528);
        assert!(all().is_sorted_by_key(|row| row.code));
        assert!(all().all(|row| find(row.code) == Some(row)));
        assert!(find("ANC001/2022").is_some());
        assert!(find("").is_none() && find("ANC001").is_none());
    }
}
