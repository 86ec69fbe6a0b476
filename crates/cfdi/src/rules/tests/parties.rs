//! Issuer, receiver and third parties.

use super::{
    Row, assert_valid,
    samples::{
        abroad, credit_note, global, invoice, of_many_taxes, receipt, text, to_somebody_unnamed,
        transfer,
    },
};
use crate::document::{Document, ThirdParty};

pub(super) const ROWS: &[Row] = &[
    (invoice, |d| d.issuer.rfc = "EKU-900317-3C9".to_owned(), "301", "issuer.rfc"),
    (invoice, |d| d.issuer.legal_name = String::new(), "301", "issuer.legalName"),
    (invoice, |d| d.issuer.legal_name = "N".repeat(301), "301", "issuer.legalName"),
    (
        invoice,
        |d| d.issuer.legal_name = "Escuela Kemper".to_owned(),
        "CFDI40139",
        "issuer.legalName",
    ),
    (invoice, |d| d.issuer.legal_name.push_str(" SA DE CV"), "CFDI40139", "issuer.legalName"),
    (invoice, |d| d.issuer.tax_regime = "600".to_owned(), "CFDI40140", "issuer.taxRegime"),
    (invoice, |d| d.issuer.tax_regime = "612".to_owned(), "CFDI40141", "issuer.taxRegime"),
    (invoice, |d| d.receiver.rfc = "cacx7605101p8".to_owned(), "301", "receiver.rfc"),
    (
        invoice,
        |d| d.receiver.legal_name = "Xochilt Casas".to_owned(),
        "CFDI40145",
        "receiver.legalName",
    ),
    (
        transfer,
        |d| d.receiver.legal_name = "ESCUELA KEMPER".to_owned(),
        "CFDI40145",
        "receiver.legalName",
    ),
    (
        to_a_company,
        |d| d.receiver.legal_name.push_str(", S.A. DE C.V."),
        "CFDI40145",
        "receiver.legalName",
    ),
    (
        invoice,
        |d| d.receiver.legal_name = "PUBLICO EN GENERAL".to_owned(),
        "CFDI40146",
        "receiver.legalName",
    ),
    (
        to_somebody_unnamed,
        |d| d.receiver.legal_name = "Público en general".to_owned(),
        "CFDI40130",
        "receiver.legalName",
    ),
    (invoice, |d| d.receiver.tax_zip = "19000".to_owned(), "CFDI40147", "receiver.taxZip"),
    (invoice, |d| d.receiver.tax_zip = "6600".to_owned(), "CFDI40147", "receiver.taxZip"),
    (global, |d| d.receiver.tax_zip = "64000".to_owned(), "CFDI40149", "receiver.taxZip"),
    (abroad, |d| d.receiver.tax_zip = "64000".to_owned(), "CFDI40149", "receiver.taxZip"),
    (invoice, |d| d.receiver.tax_regime = "609".to_owned(), "CFDI40157", "receiver.taxRegime"),
    (invoice, |d| d.receiver.tax_regime = "601".to_owned(), "CFDI40158", "receiver.taxRegime"),
    (to_a_company, |d| d.receiver.tax_regime = "612".to_owned(), "CFDI40158", "receiver.taxRegime"),
    (global, |d| d.receiver.tax_regime = "612".to_owned(), "CFDI40159", "receiver.taxRegime"),
    (abroad, |d| d.receiver.tax_regime = "601".to_owned(), "CFDI40159", "receiver.taxRegime"),
    (invoice, |d| d.receiver.cfdi_use = "P01".to_owned(), "CFDI40160", "receiver.cfdiUse"),
    (invoice, |d| d.receiver.tax_regime = "605".to_owned(), "CFDI40161", "receiver.cfdiUse"),
    (to_a_company, |d| d.receiver.cfdi_use = "D01".to_owned(), "CFDI40161", "receiver.cfdiUse"),
    (global, |d| d.receiver.cfdi_use = "G03".to_owned(), "CFDI40161", "receiver.cfdiUse"),
    (global, |d| d.receiver.cfdi_use = "G02".to_owned(), "CFDI40161", "receiver.cfdiUse"),
    (invoice, |d| d.receiver.cfdi_use = "CP01".to_owned(), "CFDI40161", "receiver.cfdiUse"),
    (credit_note, |d| d.receiver.cfdi_use = "CN01".to_owned(), "CFDI40161", "receiver.cfdiUse"),
    (receipt, |d| d.receiver.cfdi_use = "S01".to_owned(), "CFDI40161", "receiver.cfdiUse"),
    (abroad, |d| d.receiver.tax_residence = text("US"), "CFDI40150", "receiver.taxResidence"),
    (invoice, |d| d.receiver.tax_residence = text("USA"), "CFDI40151", "receiver.taxResidence"),
    (abroad, |d| d.receiver.tax_residence = text("MEX"), "CFDI40152", "receiver.taxResidence"),
    (abroad, |d| d.receiver.tax_residence = None, "CFDI40153", "receiver.taxResidence"),
    (
        invoice,
        |d| d.receiver.foreign_tax_id = text("123456789"),
        "CFDI40154",
        "receiver.foreignTaxId",
    ),
    (
        abroad,
        |d| d.receiver.foreign_tax_id = text("12-3456789"),
        "CFDI40156",
        "receiver.foreignTaxId",
    ),
    (abroad, |d| d.receiver.foreign_tax_id = Some("1".repeat(41)), "301", "receiver.foreignTaxId"),
    (of_many_taxes, |d| third(d).rfc = "X".to_owned(), "301", "items[7].thirdParty.rfc"),
    (
        of_many_taxes,
        |d| third(d).rfc = "EKU9003173C9".to_owned(),
        "CFDI40188",
        "items[7].thirdParty.rfc",
    ),
    (
        of_many_taxes,
        |d| third(d).rfc = "CACX7605101P8".to_owned(),
        "CFDI40188",
        "items[7].thirdParty.rfc",
    ),
    (
        of_many_taxes,
        |d| third(d).legal_name = "Adriana".to_owned(),
        "CFDI40190",
        "items[7].thirdParty.legalName",
    ),
    (
        of_many_taxes,
        |d| third(d).tax_regime = "1".to_owned(),
        "CFDI40191",
        "items[7].thirdParty.taxRegime",
    ),
    (
        of_many_taxes,
        |d| third(d).tax_regime = "601".to_owned(),
        "CFDI40191",
        "items[7].thirdParty.taxRegime",
    ),
    (
        of_many_taxes,
        |d| third(d).rfc = "EXT990101NI1".to_owned(),
        "CFDI40193",
        "items[7].thirdParty.taxZip",
    ),
    (
        of_many_taxes,
        |d| third(d).tax_zip = "1".to_owned(),
        "CFDI40192",
        "items[7].thirdParty.taxZip",
    ),
];

fn third(document: &mut Document) -> &mut ThirdParty {
    document.items[7].third_party.as_mut().unwrap()
}

fn to_a_company() -> Document {
    let mut document = invoice();
    document.receiver.rfc = "ABC680524P76".to_owned();
    document.receiver.legal_name = "AB & C".to_owned();
    document.receiver.tax_regime = "626".to_owned();
    document
}

#[test]
fn who_offers_from_abroad_is_of_the_place_of_issue_and_of_no_kind_of_person() {
    let mut document = of_many_taxes();
    document.items[7].third_party = Some(ThirdParty {
        rfc: "EXT990101NI1".to_owned(),
        legal_name: "OFERENTES RESIDENTES EN EL EXTRANJERO".to_owned(),
        tax_regime: "612".to_owned(),
        tax_zip: document.place_of_issue.clone(),
    });
    assert_valid(&document);
}

#[test]
fn credit_notes_to_the_public_may_be_of_use_g02() {
    let mut document = credit_note();
    document.receiver = to_somebody_unnamed().receiver;
    for code in ["G02", "S01"] {
        document.receiver.cfdi_use = code.to_owned();
        assert_valid(&document);
    }
}

#[test]
fn foreigners_need_neither_residence_nor_identifier() {
    let mut document = abroad();
    document.receiver.foreign_tax_id = None;
    assert_valid(&document);
    document.receiver.tax_residence = None;
    assert_valid(&document);
}

#[test]
fn a_receipt_to_the_public_is_of_use_cp01() {
    let mut document = receipt();
    document.receiver = to_somebody_unnamed().receiver;
    document.receiver.cfdi_use = "CP01".to_owned();
    assert_valid(&document);
}

#[test]
fn of_a_missing_regime_that_alone_is_said() {
    let mut document = invoice();
    document.receiver.tax_regime = String::new();
    let found = crate::rules::check(&document, super::now());
    let fields: Vec<&str> = found.iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["receiver.taxRegime"]);
}
