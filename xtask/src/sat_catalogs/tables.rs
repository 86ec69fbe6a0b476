//! The tables that are kept as text: one row a line, fields between tabs, sorted by the first.

use anyhow::Result;

use super::File;
use super::rows::Catalogs;

/// Catalogs that the `cfdi` crate writes out by hand, with columns that the packages lack; the names here
/// let its tests find what SAT has added or renamed.
const BY_HAND: &[&str] = &[
    "c_ClaveTipoCarga",
    "c_CondicionesEspeciales",
    "c_ConfigAutotransporte",
    "c_ConfigMaritima",
    "c_Contenedor",
    "c_ContenedorMaritimo",
    "c_CveTransporte",
    "c_DocumentoAduanero",
    "c_Exportacion",
    "c_FiguraTransporte",
    "c_FormaFarmaceutica",
    "c_FormaPago",
    "c_INCOTERM",
    "c_Impuesto",
    "c_Meses",
    "c_MetodoPago",
    "c_MotivoTraslado",
    "c_ObjetoImp",
    "c_ParteTransporte",
    "c_Periodicidad",
    "c_RegimenAduanero",
    "c_RegimenFiscal",
    "c_RegistroISTMO",
    "c_SectorCOFEPRIS",
    "c_SubTipoRem",
    "c_TipoCarro",
    "c_TipoDeComprobante",
    "c_TipoDeServicio",
    "c_TipoDeTrafico",
    "c_TipoEmbalaje",
    "c_TipoEstacion",
    "c_TipoMateria",
    "c_TipoPermiso",
    "c_TipoRelacion",
    "c_UnidadAduana",
    "c_UsoCFDI",
];

/// The Federal District became Mexico City, CMX; its key stays in the schema for older documents.
const FORMER_STATE: &str = "DIF";

pub(super) fn files(catalogs: &Catalogs) -> Result<Vec<File>> {
    let mut states = catalogs.rows::<3>("c_Estado")?;
    states.retain(|[code, ..]| *code != FORMER_STATE);
    Ok(vec![
        ("names.tsv", names(catalogs)?),
        ("countries.tsv", lines(catalogs.rows::<2>("c_Pais")?)),
        ("currencies.tsv", lines(catalogs.rows::<3>("c_Moneda")?)),
        ("states.tsv", lines(states)),
        ("municipalities.tsv", places(catalogs, "c_Municipio")?),
        ("localities.tsv", places(catalogs, "c_Localidad")?),
        ("units.tsv", lines(catalogs.rows::<2>("c_ClaveUnidad")?)),
        ("tariff_codes.txt", lines(catalogs.rows::<1>("c_FraccionArancelaria")?)),
    ])
}

fn names(catalogs: &Catalogs) -> Result<Vec<u8>> {
    let mut rows = Vec::new();
    for catalog in BY_HAND {
        let named = catalogs.rows::<2>(catalog)?;
        rows.extend(named.into_iter().map(|[code, name]| [catalog, code, name]));
    }
    Ok(lines(rows))
}

/// Places inside a state, whose codes are unique only there: the state's goes before.
fn places(catalogs: &Catalogs, catalog: &str) -> Result<Vec<u8>> {
    let rows = catalogs.rows::<3>(catalog)?;
    let mut rows: Vec<_> = rows
        .into_iter()
        .map(|[code, state, name]| [format!("{state}{code}"), name.into()])
        .collect();
    rows.sort();
    Ok(lines(rows))
}

pub(super) fn lines<S: AsRef<str>, const FIELDS: usize>(rows: Vec<[S; FIELDS]>) -> Vec<u8> {
    let mut text = String::new();
    for row in rows {
        let fields: Vec<&str> = row.iter().map(AsRef::as_ref).collect();
        text += &fields.join("\t");
        text.push('\n');
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_sorted_by_state() {
        let text = "c_Localidad\t01\tBCN\tEnsenada\nc_Localidad\t02\tAGU\tAsientos\n";
        let places = places(&Catalogs::parse(text).unwrap(), "c_Localidad").unwrap();
        assert_eq!(String::from_utf8(places).unwrap(), "AGU02\tAsientos\nBCN01\tEnsenada\n");
    }
}
