//! Valid documents of every kind, and for every rule a document that breaks it.

mod absurd;
mod carta_porte;
mod certificates;
mod complements;
mod documents;
mod foreign_trade;
mod items;
mod parties;
mod payments;
pub(super) mod samples;
mod withholding;

use std::collections::BTreeSet;

use kernel::Timestamp;

use super::{Finding, Language, check};
use crate::document::Document;

/// A valid document, what is done to it, and the code and field of a finding that this must lead to.
type Row = (fn() -> Document, fn(&mut Document), &'static str, &'static str);

/// All rows of all parts.
fn rows() -> impl Iterator<Item = &'static Row> {
    let parts = [
        documents::ROWS,
        parties::ROWS,
        items::ROWS,
        payments::ROWS,
        complements::ROWS,
        foreign_trade::ROWS,
    ];
    parts.into_iter().chain(carta_porte::PARTS).flatten()
}

fn now() -> Timestamp {
    Timestamp::parse("2026-08-03T18:00:00Z").unwrap()
}

#[track_caller]
fn assert_valid(document: &Document) {
    let findings = check(document, now());
    assert!(findings.is_empty(), "{findings:#?}");
}

#[track_caller]
fn assert_readable(finding: &Finding) {
    let (english, spanish) =
        (finding.message(Language::English), finding.message(Language::Spanish));
    assert_ne!(english, spanish);
    for message in [english, spanish] {
        assert!(message.starts_with(&finding.field) && message.ends_with('.'), "{message}");
        assert!(message.len() > finding.field.len() + 20, "{message}");
        let own_words = || message.split('"').step_by(2);
        assert!(own_words().all(|words| !words.contains("  ")), "{message}");
        assert!(!message.contains("..") && !message.contains('\n'), "{message}");
    }
}

#[test]
fn valid_documents_of_every_kind_have_no_findings() {
    for sample in samples::ALL {
        assert_valid(&sample());
    }
}

#[test]
fn every_rule_is_broken_by_some_document() {
    for (number, (sample, mutate, code, field)) in rows().enumerate() {
        let mut document = sample();
        assert_valid(&document);
        mutate(&mut document);
        let findings = check(&document, now());
        let found = findings.iter().any(|one| (one.code, one.field.as_str()) == (*code, *field));
        assert!(found, "row {number}: no {code} at {field} in {findings:#?}");
        findings.iter().for_each(assert_readable);
    }
}

#[test]
fn every_code_of_the_rules_has_a_row() {
    const SOURCES: &[&str] = &[
        include_str!("accounts.rs"),
        include_str!("complements.rs"),
        include_str!("complements/carta_porte.rs"),
        include_str!("complements/address.rs"),
        include_str!("complements/carta_porte/air.rs"),
        include_str!("complements/carta_porte/common.rs"),
        include_str!("complements/carta_porte/customs.rs"),
        include_str!("complements/carta_porte/figures.rs"),
        include_str!("complements/carta_porte/foreign.rs"),
        include_str!("complements/carta_porte/goods.rs"),
        include_str!("complements/carta_porte/health.rs"),
        include_str!("complements/carta_porte/places.rs"),
        include_str!("complements/carta_porte/rail.rs"),
        include_str!("complements/carta_porte/road.rs"),
        include_str!("complements/carta_porte/sea.rs"),
        include_str!("complements/carta_porte/stations.rs"),
        include_str!("complements/electoral.rs"),
        include_str!("complements/foreign_trade.rs"),
        include_str!("complements/foreign_trade/address.rs"),
        include_str!("complements/foreign_trade/document.rs"),
        include_str!("complements/foreign_trade/goods.rs"),
        include_str!("complements/foreign_trade/parties.rs"),
        include_str!("complements/foreign_trade/values.rs"),
        include_str!("curp.rs"),
        include_str!("global.rs"),
        include_str!("head.rs"),
        include_str!("issued.rs"),
        include_str!("issuer.rs"),
        include_str!("items.rs"),
        include_str!("limits.rs"),
        include_str!("parties.rs"),
        include_str!("parts.rs"),
        include_str!("payments.rs"),
        include_str!("receipt.rs"),
        include_str!("receiver.rs"),
        include_str!("relations.rs"),
        include_str!("tax_object.rs"),
        include_str!("taxes.rs"),
        include_str!("text.rs"),
        include_str!("third_party.rs"),
        include_str!("totals.rs"),
    ];
    let literals = SOURCES.iter().flat_map(|source| source.split('"'));
    let written: BTreeSet<&str> = literals.filter(|literal| is_code(literal)).collect();
    let tested: BTreeSet<&str> = rows().map(|(_, _, code, _)| *code).collect();
    assert_eq!(written, tested);
    assert!(written.len() > 100, "{}", written.len());
}

/// Whether it is one of SAT's matrices, or of stamping.
fn is_code(literal: &str) -> bool {
    let of_matrix = ["CFDI", "CRP", "INE"].iter().find_map(|name| literal.strip_prefix(name));
    match of_matrix {
        Some(digits) => digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => literal.parse().is_ok_and(|code: u16| (301..=402).contains(&code)),
    }
}

#[test]
fn findings_come_all_at_once_in_the_order_of_the_document() {
    let mut document = samples::invoice();
    document.series = Some(String::new());
    document.payment_form = None;
    document.issuer.tax_regime = "612".to_owned();
    document.receiver.cfdi_use = "XXX".to_owned();
    document.items[1].tax_object = "09".to_owned();
    let fields: Vec<_> = check(&document, now()).into_iter().map(|one| one.field).collect();
    let expected =
        ["series", "paymentForm", "issuer.taxRegime", "receiver.cfdiUse", "items[1].taxObject"];
    assert_eq!(fields, expected);
}

#[test]
fn a_message_names_the_field_and_is_told_in_both_languages() {
    let mut document = samples::global();
    document.receiver.tax_zip = "64000".to_owned();
    let [finding] = check(&document, now()).try_into().unwrap();
    assert_eq!((finding.code, finding.field.as_str()), ("CFDI40149", "receiver.taxZip"));
    let told = Language::EVERY.map(|language| finding.message(language));
    assert!(told.iter().all(|told| told.starts_with("receiver.taxZip ")), "{told:?}");
    assert_ne!(told[0], told[1]);
    let [english, spanish] = Language::EVERY.map(|language| finding.told(language));
    assert!(english.starts_with("The postal code of the receiver must be"), "{english}");
    assert!(spanish.starts_with("El código postal del receptor debe ser"), "{spanish}");
}
