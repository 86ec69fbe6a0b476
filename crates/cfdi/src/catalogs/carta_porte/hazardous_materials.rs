//! Hazardous materials by the numbers of the norm NOM-002-SCT (c_MaterialPeligroso).

use super::{Entry, entry};
use crate::catalogs::table;

const TEXT: &str = include_str!("../../../data/hazardous_materials.tsv");

/// The whole catalog, by code. The name is empty where the packages that it is read from have none.
pub fn all() -> impl Iterator<Item = Entry> {
    TEXT.lines().map(read)
}

/// The material with that code.
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
    fn every_material_is_found() {
        assert_eq!(all().count(), 4_686);
        assert!(all().is_sorted_by_key(|material| material.code));
        assert!(all().all(|material| find(material.code) == Some(material)));
        assert_eq!(find("1203").unwrap().name, "COMBUSTIBLE PARA MOTORES o GASOLINA");
        assert_eq!(find("M0001").unwrap().name, "");
        assert!(find("").is_none() && find("9999").is_none());
    }
}
