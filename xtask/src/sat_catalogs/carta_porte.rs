//! The large catalogs of the complement Carta Porte 3.1.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};

use super::File;
use super::rows::Catalogs;
use super::tables::lines;

/// The first product key of a service; goods have lesser ones.
const SERVICES_START: &str = "70101500";
/// The one key of goods that Carta Porte never had.
const NOT_OF_GOODS: &str = "15101506";

pub(super) fn files(catalogs: &Catalogs) -> Result<Vec<File>> {
    check_goods(catalogs)?;
    Ok(vec![
        ("air_carriers.tsv", named(catalogs, "c_CodigoTransporteAereo")?),
        ("hazardous_materials.tsv", named(catalogs, "c_MaterialPeligroso")?),
        ("ship_agents.txt", lines(codes(catalogs, "c_NumAutorizacionNaviero")?)),
        ("stations.tsv", named(catalogs, "c_Estaciones")?),
        ("track_rights.tsv", named(catalogs, "c_DerechosDePaso")?),
        ("weight_units.tsv", lines(codes(catalogs, "c_ClaveUnidadPeso")?)),
    ])
}

/// c_ClaveProdServCP needs no file as long as it is what `cfdi::catalogs::carta_porte::goods` says of it.
fn check_goods(catalogs: &Catalogs) -> Result<()> {
    let products = catalogs.rows::<8>("c_ClaveProdServ")?;
    let wanted = products.into_iter().map(|[code, ..]| code);
    let wanted: BTreeSet<&str> =
        wanted.filter(|code| *code < SERVICES_START && *code != NOT_OF_GOODS).collect();
    let goods = codes(catalogs, "c_ClaveProdServCP")?;
    let goods: BTreeSet<&str> = goods.into_iter().map(|[code]| code).collect();
    ensure!(goods == wanted, "c_ClaveProdServCP is no longer the keys before {SERVICES_START}");
    Ok(())
}

/// All that the schema allows, with the names there are.
fn named(catalogs: &Catalogs, catalog: &str) -> Result<Vec<u8>> {
    let named = catalogs.rows::<2>(catalog)?;
    let names: BTreeMap<&str, &str> = named.into_iter().map(|[code, name]| (code, name)).collect();
    let codes = codes(catalogs, catalog)?;
    let name = |code: &str| names.get(code).copied().unwrap_or_default();
    Ok(lines(codes.into_iter().map(|[code]| [code, name(code)]).collect()))
}

fn codes<'a>(catalogs: &'a Catalogs, catalog: &str) -> Result<Vec<[&'a str; 1]>> {
    catalogs.rows::<1>(&format!("codes of {catalog}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_without_a_name_are_kept() {
        let text = "c_MaterialPeligroso\t0004\tPicrato\n\
                    codes of c_MaterialPeligroso\t0004\n\
                    codes of c_MaterialPeligroso\tM0001\n";
        let lines = named(&Catalogs::parse(text).unwrap(), "c_MaterialPeligroso").unwrap();
        assert_eq!(String::from_utf8(lines).unwrap(), "0004\tPicrato\nM0001\t\n");
    }
}
