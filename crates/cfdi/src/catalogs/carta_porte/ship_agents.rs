//! Authorizations of shipping agents (c_NumAutorizacionNaviero).

use super::listed;

/// Codes alone: they have no names.
const TEXT: &str = include_str!("../../../data/ship_agents.txt");

listed!(TEXT);

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
