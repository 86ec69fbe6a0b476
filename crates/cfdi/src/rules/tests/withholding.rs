//! Valid withholdings, and for every rule one that breaks it.

mod absurd;
mod complements;
mod platform;
mod sums;

use std::collections::BTreeSet;

use time::macros::datetime;

use super::{assert_readable, is_code, now};
use crate::{
    csd::Certificate,
    document::{FOREIGNER, GENERAL_PUBLIC},
    rules::{check_withholding, check_withholding_certificate},
    withholding::{
        Foreign, National, Receiver, Withholding,
        samples::{self, abroad, fees, others, text},
    },
};

/// A valid withholding, what is done to it, and the code and field of a finding that this must lead to.
type Row = (fn() -> Withholding, fn(&mut Withholding), &'static str, &'static str);

const ROWS: &[Row] = &[
    (fees, |w| w.folio = text(""), "301", "folio"),
    (fees, |w| w.folio = text("R-1"), "301", "folio"),
    (fees, |w| w.folio = text("Ñ1"), "301", "folio"),
    (fees, |w| w.folio = Some("1".repeat(21)), "301", "folio"),
    (fees, |w| w.issued_at = datetime!(2026-07-30 11:00:00), "401", "issuedAt"),
    (fees, |w| w.issued_at = datetime!(2026-08-04 11:00:00), "401", "issuedAt"),
    (fees, |w| w.place_of_issue = "19000".to_owned(), "Reten20104", "placeOfIssue"),
    (fees, |w| w.code = "29".to_owned(), "Reten20105", "code"),
    (others, |w| w.description = None, "Reten20106", "description"),
    (others, |w| w.description = text(""), "301", "description"),
    (fees, |w| w.description = Some("x".repeat(101)), "301", "description"),
    (fees, |w| w.description = text("a|b"), "301", "description"),
    (others, |w| related(w).relation = "08".to_owned(), "Reten20109", "related.relation"),
    (others, |w| related(w).uuid = "1".to_owned(), "301", "related.uuid"),
    (fees, |w| w.issuer.rfc = "EKU-900317-3C9".to_owned(), "301", "issuer.rfc"),
    (fees, |w| w.issuer.legal_name = "Kemper".to_owned(), "Reten20110", "issuer.legalName"),
    (fees, |w| w.issuer.legal_name.push_str(" SA DE CV"), "Reten20110", "issuer.legalName"),
    (fees, |w| w.issuer.legal_name = "N".repeat(255), "301", "issuer.legalName"),
    (fees, |w| w.issuer.tax_regime = "600".to_owned(), "Reten20111", "issuer.taxRegime"),
    (fees, |w| w.issuer.tax_regime = "612".to_owned(), "Reten20112", "issuer.taxRegime"),
    (fees, |w| national(w).rfc = "CACX".to_owned(), "301", "receiver.national.rfc"),
    (fees, |w| national(w).rfc = FOREIGNER.to_owned(), "CFDI40999", "receiver.national.rfc"),
    (
        fees,
        |w| national(w).legal_name = "Xochilt Casas".to_owned(),
        "Reten20116",
        "receiver.national.legalName",
    ),
    (
        fees,
        |w| national(w).legal_name = "PÚBLICO EN GENERAL".to_owned(),
        "Reten20116",
        "receiver.national.legalName",
    ),
    (fees, |w| national(w).legal_name = "N".repeat(255), "301", "receiver.national.legalName"),
    (fees, |w| national(w).curp = text("CACX760510"), "301", "receiver.national.curp"),
    (fees, |w| national(w).rfc = "EKU9003173C9".to_owned(), "Reten20117", "receiver.national.curp"),
    (fees, |w| national(w).tax_zip = "19000".to_owned(), "Reten20118", "receiver.national.taxZip"),
    (
        fees,
        |w| national(w).rfc = GENERAL_PUBLIC.to_owned(),
        "CFDI40999",
        "receiver.national.taxZip",
    ),
    (abroad, |w| foreign(w).legal_name.clear(), "301", "receiver.foreign.legalName"),
    (abroad, |w| foreign(w).legal_name = "N".repeat(301), "301", "receiver.foreign.legalName"),
    (
        abroad,
        |w| foreign(w).foreign_tax_id = Some("1".repeat(21)),
        "301",
        "receiver.foreign.foreignTaxId",
    ),
    (fees, |w| w.period.first_month = 0, "Reten20121", "period.firstMonth"),
    (fees, |w| w.period.first_month = 8, "Reten20122", "period.firstMonth"),
    (fees, |w| w.period.last_month = 13, "Reten20123", "period.lastMonth"),
    (
        fees,
        |w| (w.period.first_month, w.period.last_month) = (9, 12),
        "CFDI40999",
        "period.firstMonth",
    ),
    (fees, |w| w.period.year = 2018, "Reten20125", "period.year"),
    (fees, |w| w.period.year = 2028, "Reten20125", "period.year"),
    (fees, |w| w.period.year = 2024, "Reten20126", "period.year"),
    (fees, |w| w.period.year = 2027, "Reten20126", "period.year"),
];

fn rows() -> impl Iterator<Item = &'static Row> {
    [ROWS, sums::ROWS, complements::ROWS, platform::ROWS].into_iter().flatten()
}

fn related(withholding: &mut Withholding) -> &mut crate::withholding::Related {
    withholding.related.as_mut().unwrap()
}

fn national(withholding: &mut Withholding) -> &mut National {
    match &mut withholding.receiver {
        Receiver::National(national) => national,
        Receiver::Foreign(_) => panic!("is abroad"),
    }
}

fn foreign(withholding: &mut Withholding) -> &mut Foreign {
    match &mut withholding.receiver {
        Receiver::Foreign(foreign) => foreign,
        Receiver::National(_) => panic!("is not abroad"),
    }
}

#[track_caller]
fn assert_valid(withholding: &Withholding) {
    let findings = check_withholding(withholding, now());
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn valid_withholdings_of_every_kind_have_no_findings() {
    for sample in samples::ALL {
        assert_valid(&sample());
    }
}

#[test]
fn every_rule_is_broken_by_some_withholding() {
    for (number, (sample, mutate, code, field)) in rows().enumerate() {
        let mut withholding = sample();
        mutate(&mut withholding);
        let findings = check_withholding(&withholding, now());
        let found = findings.iter().any(|one| (one.code, one.field.as_str()) == (*code, *field));
        assert!(found, "row {number}: no {code} at {field} in {findings:#?}");
        findings.iter().for_each(assert_readable);
    }
}

#[test]
fn every_code_of_the_rules_has_a_row() {
    const SOURCES: &[&str] = &[
        include_str!("../withholding.rs"),
        include_str!("../withholding/amounts.rs"),
        include_str!("../withholding/complements.rs"),
        include_str!("../withholding/complements/dividends.rs"),
        include_str!("../withholding/complements/foreign_payment.rs"),
        include_str!("../withholding/complements/investments.rs"),
        include_str!("../withholding/complements/platform.rs"),
        include_str!("../withholding/receiver.rs"),
        include_str!("../withholding/totals.rs"),
    ];
    let literals = SOURCES.iter().flat_map(|source| source.split('"'));
    let is_own = |literal: &str| literal.starts_with("Reten201") || literal == "SPT117";
    let written: BTreeSet<&str> =
        literals.filter(|literal| is_own(literal) || is_code(literal)).collect();
    let tested: BTreeSet<&str> =
        rows().map(|(_, _, code, _)| *code).filter(|code| *code != "401").collect();
    assert_eq!(written, tested);
    assert!(written.len() > 25, "{}", written.len());
}

#[test]
fn a_period_may_be_a_whole_year_and_the_last_one() {
    let mut withholding = fees();
    (withholding.period.first_month, withholding.period.last_month) = (1, 12);
    assert_valid(&withholding);
    withholding.period.year = 2025;
    assert_valid(&withholding);
}

#[test]
fn anybody_may_be_withheld_from() {
    let mut withholding = fees();
    let receiver = national(&mut withholding);
    GENERAL_PUBLIC.clone_into(&mut receiver.rfc);
    "PUBLICO EN GENERAL".clone_into(&mut receiver.legal_name);
    "06600".clone_into(&mut receiver.tax_zip);
    receiver.curp = None;
    assert_valid(&withholding);
}

#[test]
fn a_certificate_of_another_name_or_time_does_not_seal() {
    let certificate =
        Certificate::parse(include_bytes!("../../../fixtures/csd/EKU9003173C9.cer")).unwrap();
    let codes = |withholding: &Withholding| {
        let findings = check_withholding_certificate(withholding, &certificate, now());
        findings.iter().for_each(assert_readable);
        findings.iter().map(|one| format!("{} {}", one.code, one.field)).collect::<Vec<_>>()
    };
    assert!(codes(&fees()).is_empty());
    let mut other = fees();
    "XENON INDUSTRIAL ARTICLES".clone_into(&mut other.issuer.legal_name);
    other.issued_at = datetime!(2022-12-31 23:59:59);
    assert_eq!(codes(&other), ["Reten20110 issuer.legalName", "305 issuedAt"]);
    "CACX7605101P8".clone_into(&mut other.issuer.rfc);
    assert_eq!(codes(&other), ["303 issuer.rfc", "305 issuedAt"]);
}
