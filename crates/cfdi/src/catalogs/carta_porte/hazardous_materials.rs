//! Hazardous materials by the numbers of the norm NOM-002-SCT (c_MaterialPeligroso).

use super::listed;

const TEXT: &str = include_str!("../../../data/hazardous_materials.tsv");

listed!(TEXT);

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
