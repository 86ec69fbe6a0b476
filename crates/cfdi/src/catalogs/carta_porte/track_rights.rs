//! Rights of railways to use the tracks of others (c_DerechosDePaso).

use super::listed;

const TEXT: &str = include_str!("../../../data/track_rights.tsv");

listed!(TEXT);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_found() {
        assert_eq!(all().count(), 119);
        assert!(all().is_sorted_by_key(|row| row.code));
        assert!(all().all(|row| find(row.code) == Some(row)));
        assert_eq!(find("CDP003").unwrap().name, "DPL-1");
        assert!(find("").is_none() && find("XX").is_none());
    }
}
