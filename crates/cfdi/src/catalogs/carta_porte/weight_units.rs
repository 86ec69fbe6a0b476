//! Units of weight, volume and packing that a gross weight can be in (c_ClaveUnidadPeso).

use super::{Entry, entry};
use crate::catalogs::{table, units};

const TEXT: &str = include_str!("../../../data/weight_units.tsv");

/// Kilograms, which the weight of each of the goods is in.
pub const KILOGRAM: &str = "KGM";

/// The unit with that code, with its name in c_ClaveUnidad.
#[must_use]
pub fn find(code: &str) -> Option<Entry> {
    let code = table::find(TEXT, code)?;
    Some(entry(code, units::find(code).map_or("", |unit| unit.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_has_a_name() {
        assert_eq!(TEXT.lines().count(), 472);
        assert!(TEXT.lines().all(|code| find(code).is_some_and(|unit| !unit.name.is_empty())));
        assert_eq!(find(KILOGRAM).unwrap().name, "Kilogramo");
        assert!(find("").is_none() && find("H87").is_none());
    }
}
