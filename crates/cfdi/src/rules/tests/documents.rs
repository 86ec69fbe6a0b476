//! The document's own fields, its period and its relations.

use kernel::Currency;
use time::{Duration, macros::datetime};

use super::{
    Row, assert_valid, check, now,
    samples::{
        UUID, abroad, amount, at_the_border, credit_note, global, invoice, kit, on_credit, receipt,
        substitute, text, transfer,
    },
};
use crate::{
    document::{Document, DocumentType, PaymentMethod},
    rules::{Language, asks_for_period},
};

pub(super) const ROWS: &[Row] = &[
    (invoice, |d| d.series = text(""), "301", "series"),
    (invoice, |d| d.series = Some("x".repeat(26)), "301", "series"),
    (invoice, |d| d.series = text("A|B"), "301", "series"),
    (invoice, |d| d.folio = Some("ñ".repeat(41)), "301", "folio"),
    (invoice, |d| d.folio = text("1\u{7}"), "301", "folio"),
    (invoice, |d| d.folio = text("1  2"), "301", "folio"),
    (invoice, |d| d.folio = text(" 1"), "301", "folio"),
    (invoice, |d| d.issued_at = datetime!(2026-07-31 11:59:59), "401", "issuedAt"),
    (invoice, |d| d.issued_at = datetime!(2026-08-03 12:05:01), "401", "issuedAt"),
    (at_the_border, |d| d.issued_at = datetime!(2026-08-03 11:30:00), "401", "issuedAt"),
    (invoice, |d| d.payment_form = None, "CFDI40104", "paymentForm"),
    (invoice, |d| d.payment_form = text("77"), "CFDI40104", "paymentForm"),
    (invoice, |d| d.payment_form = text("99"), "CFDI40105", "paymentForm"),
    (on_credit, |d| d.payment_form = text("03"), "CFDI40105", "paymentForm"),
    (transfer, |d| d.payment_form = text("01"), "CFDI40103", "paymentForm"),
    (receipt, |d| d.payment_form = text("03"), "CRP20105", "paymentForm"),
    (invoice, |d| d.payment_method = None, "CFDI40124", "paymentMethod"),
    (transfer, |d| d.payment_method = Some(PaymentMethod::Pue), "CFDI40125", "paymentMethod"),
    (receipt, |d| d.payment_method = Some(PaymentMethod::Ppd), "CRP20106", "paymentMethod"),
    (invoice, |d| d.payment_terms = Some("x".repeat(1001)), "301", "paymentTerms"),
    (transfer, |d| d.payment_terms = text("Contado"), "CFDI40999", "paymentTerms"),
    (receipt, |d| d.payment_terms = text("Contado"), "CRP20107", "paymentTerms"),
    (invoice, |d| d.currency = None, "CFDI40113", "currency"),
    (abroad, |d| d.currency = Currency::parse("BYN").ok(), "CFDI40113", "currency"),
    (transfer, |d| d.currency = Currency::parse("BYN").ok(), "CFDI40113", "currency"),
    (receipt, |d| d.currency = Some(Currency::MXN), "CRP20104", "currency"),
    (invoice, |d| d.exchange_rate = Some(amount("18.5")), "CFDI40114", "exchangeRate"),
    (abroad, |d| d.exchange_rate = None, "CFDI40115", "exchangeRate"),
    (transfer, |d| d.exchange_rate = Some(amount("1")), "CFDI40116", "exchangeRate"),
    (receipt, |d| d.exchange_rate = Some(amount("1")), "CRP20109", "exchangeRate"),
    (abroad, |d| d.exchange_rate = Some(amount("0")), "CFDI40117", "exchangeRate"),
    (abroad, |d| d.exchange_rate = Some(amount("-18")), "CFDI40117", "exchangeRate"),
    (invoice, |d| d.export = "02".to_owned(), "CFDI40122", "export"),
    (invoice, |d| d.export = "2".to_owned(), "CFDI40123", "export"),
    (receipt, |d| d.export = "02".to_owned(), "CRP20102", "export"),
    (invoice, |d| d.place_of_issue = "19000".to_owned(), "CFDI40126", "placeOfIssue"),
    (invoice, |d| d.confirmation = text("aB3d5"), "CFDI40127", "confirmation"),
    (transfer, |d| d.confirmation = text("aB3d5"), "CFDI40127", "confirmation"),
    (abroad, |d| d.confirmation = text("abc"), "CFDI40128", "confirmation"),
    (abroad, |d| d.confirmation = text("abcd-"), "CFDI40128", "confirmation"),
    (global, |d| d.global = None, "CFDI40130", "global"),
    (global, |d| d.receiver.legal_name = "JUAN".to_owned(), "CFDI40130", "global"),
    (global, |d| d.kind = DocumentType::Credit, "CFDI40130", "global"),
    (invoice, |d| d.global = global().global, "CFDI40130", "global"),
    (global, |d| period(d, "06", "08"), "CFDI40131", "global.periodicity"),
    (global, |d| period(d, "05", "16"), "CFDI40132", "global.periodicity"),
    (global, |d| period(d, "04", "8"), "CFDI40133", "global.months"),
    (global, |d| period(d, "04", "16"), "CFDI40134", "global.months"),
    (global, |d| period(d, "05", "08"), "CFDI40135", "global.months"),
    (global, |d| year(d, 2024), "CFDI40136", "global.year"),
    (global, |d| year(d, 2027), "CFDI40136", "global.year"),
    (
        global,
        |d| d.items[1].sat_product_key = "43211503".to_owned(),
        "CFDI40999",
        "items[1].satProductKey",
    ),
    (global, |d| d.items[1].sat_unit_key = "H87".to_owned(), "CFDI40999", "items[1].satUnitKey"),
    (global, |d| d.items[1].quantity = amount("2"), "CFDI40999", "items[1].quantity"),
    (global, |d| d.items[0].description = "Ventas".to_owned(), "CFDI40999", "items[0].description"),
    (global, |d| d.items[0].sku = None, "CFDI40999", "items[0].sku"),
    (global, |d| d.items[1].unit = text("Nota"), "CFDI40999", "items[1].unit"),
    (global, |d| d.items[0].customs.push(String::new()), "CFDI40999", "items[0].customs"),
    (
        global,
        |d| d.items[0].property_accounts = vec!["1".to_owned()],
        "CFDI40999",
        "items[0].propertyAccounts",
    ),
    (global, |d| d.items[1].parts = kit().items[0].parts.clone(), "CFDI40999", "items[1].parts"),
    (global, to_be_paid, "CFDI40999", "paymentMethod"),
    (global, |d| period(d, "04", "09"), "CFDI40999", "global.months"),
    (credit_note, |d| d.related.clear(), "CFDI40999", "related"),
    (credit_note, to_be_paid, "CFDI40999", "paymentMethod"),
    (credit_note, |d| d.related[0].relation = "07".to_owned(), "CFDI40999", "paymentForm"),
    (substitute, |d| d.related[0].relation = "08".to_owned(), "CFDI40137", "related[0].relation"),
    (substitute, |d| d.related[0].relation = "05".to_owned(), "CFDI40999", "related[0].relation"),
    (substitute, |d| d.related[0].uuids.clear(), "301", "related[0].uuids"),
    (substitute, |d| d.related[0].uuids.push("x".to_owned()), "301", "related[0].uuids[1]"),
    (
        substitute,
        |d| d.related[0].uuids.push(UUID.to_lowercase()),
        "CFDI40999",
        "related[0].uuids[1]",
    ),
    (transfer, |d| d.related = credit_note().related, "CFDI40999", "related[0].relation"),
    (receipt, |d| d.related = credit_note().related, "CFDI40999", "related[0].relation"),
];

fn period(document: &mut crate::document::Document, periodicity: &str, months: &str) {
    let period = document.global.as_mut().unwrap();
    (period.periodicity, period.months) = (periodicity.to_owned(), months.to_owned());
}

fn to_be_paid(document: &mut crate::document::Document) {
    document.payment_method = Some(PaymentMethod::Ppd);
    document.payment_form = text("99");
}

fn year(document: &mut crate::document::Document, year: u16) {
    document.global.as_mut().unwrap().year = year;
}

#[test]
fn documents_are_dated_within_72_hours_and_a_few_minutes_ahead() {
    for issued_at in [datetime!(2026-07-31 12:00:00), datetime!(2026-08-03 12:05:00)] {
        assert_valid(&crate::document::Document { issued_at, ..invoice() });
    }
}

#[test]
fn a_date_at_an_unknown_place_is_judged_by_all_zones() {
    let mut document = invoice();
    document.place_of_issue = "19000".to_owned();
    for (hours, late) in [(0, false), (2, false), (-73, false), (4, true), (-76, true)] {
        document.issued_at = datetime!(2026-08-03 12:00:00) + Duration::hours(hours);
        let found = check(&document, now()).iter().any(|finding| finding.code == "401");
        assert_eq!(found, late, "{hours}");
    }
}

#[test]
fn two_months_are_for_one_regime_and_last_years_can_still_be_invoiced() {
    let mut document = global();
    document.issuer.rfc = "CACX7605101P8".to_owned();
    document.issuer.tax_regime = "621".to_owned();
    period(&mut document, "05", "16");
    assert_valid(&document);
    year(&mut document, 2025);
    assert_valid(&document);
}

#[test]
fn a_sale_to_the_public_without_a_period_is_not_told_to_be_tickets() {
    let mut document = invoice();
    document.receiver = global().receiver;
    let found = check(&document, now());
    let told: Vec<_> = found.iter().map(|finding| (finding.code, finding.field.as_str())).collect();
    assert_eq!(told, [("CFDI40130", "global")]);
    let spanish = found[0].message(Language::Spanish);
    let said = "global falta: una factura a nombre de PUBLICO EN GENERAL es global";
    assert!(spanish.starts_with(said), "{spanish}");
}

#[test]
fn what_the_public_asks_for_is_told_of_the_receiver_alone() {
    let asked = |document: &Document| {
        let asked = asks_for_period(&document.receiver, document.kind);
        asked.map(|finding| (finding.code, finding.field))
    };
    let period = Some(("CFDI40130", "receiver.legalName".to_owned()));
    assert_eq!(asked(&global()), period);
    assert_eq!(asked(&invoice()), None);
    assert_eq!(asked(&Document { kind: DocumentType::Credit, ..global() }), None);
    let mut named = global();
    named.receiver.legal_name = "ANA RUIZ".to_owned();
    assert_eq!(asked(&named), None);
}

#[test]
fn relations_that_fit_the_kind_are_accepted() {
    for (sample, relation) in [
        (invoice as fn() -> _, "02"),
        (invoice, "06"),
        (invoice, "07"),
        (credit_note, "03"),
        (credit_note, "07"),
        (transfer, "05"),
        (transfer, "04"),
        (receipt, "04"),
    ] {
        let mut document = sample();
        document.related = substitute().related;
        document.related[0].relation = relation.to_owned();
        if relation == "07" && document.kind == DocumentType::Credit {
            document.payment_form = text("30");
        }
        document.related[0].uuids.push(UUID.to_lowercase().replace('5', "6"));
        assert_valid(&document);
    }
}
