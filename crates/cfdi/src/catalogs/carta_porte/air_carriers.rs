//! Airlines and those who fly for hire (c_CodigoTransporteAereo).

use super::listed;

const TEXT: &str = include_str!("../../../data/air_carriers.tsv");

listed!(TEXT);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_found() {
        assert_eq!(all().count(), 173);
        assert!(all().is_sorted_by_key(|row| row.code));
        assert!(all().all(|row| find(row.code) == Some(row)));
        assert_eq!(find("CA004").unwrap().name, "Emirates");
        assert!(find("").is_none() && find("XX").is_none());
    }
}
