//! Airlines and those who fly for hire (c_CodigoTransporteAereo).

use super::{Entry, entry};
use crate::catalogs::table;

const TEXT: &str = include_str!("../../../data/air_carriers.tsv");

/// The whole catalog, by code. The name is empty where the packages that it is read from have none.
pub fn all() -> impl Iterator<Item = Entry> {
    TEXT.lines().map(read)
}

/// The carrier with that code.
#[must_use]
pub fn find(code: &str) -> Option<Entry> {
    table::find(TEXT, code).map(read)
}

fn read(line: &'static str) -> Entry {
    let [code, name] = table::fields(line);
    entry(code, name)
}

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
