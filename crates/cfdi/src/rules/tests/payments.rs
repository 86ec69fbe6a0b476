//! Receipts of payments.

use kernel::{Amount, Currency};
use proptest::prelude::*;
use time::macros::datetime;

use super::{
    Row, assert_valid,
    samples::{
        amount, exempt, invoice, kit, of_many_taxes, rate, receipt, receipt_in_dollars,
        receipt_of_dollars, text,
    },
};
use crate::{
    document::{Document, Item},
    payments::{BankAccount, Equivalence, PaidDocument, Payment},
    rules::LINES_MAX,
    tax::{Factor, ItemTax, Tax, TaxRate},
};

pub(super) const ROWS: &[Row] = &[
    // The fixed item.
    (receipt, |d| d.items.push(d.items[0].clone()), "CRP20111", "items"),
    (receipt, |d| d.items.clear(), "CRP20111", "items"),
    (receipt, |d| item(d).customs.push(String::new()), "CRP20112", "items[0].customs"),
    (receipt, |d| item(d).parts = kit().items[0].parts.clone(), "CRP20112", "items[0].parts"),
    (
        receipt,
        |d| item(d).property_accounts.push(String::new()),
        "CRP20112",
        "items[0].propertyAccounts",
    ),
    (
        receipt,
        |d| item(d).sat_product_key = "01010101".to_owned(),
        "CRP20113",
        "items[0].satProductKey",
    ),
    (receipt, |d| item(d).sku = text("1"), "CRP20114", "items[0].sku"),
    (receipt, |d| item(d).quantity = amount("2"), "CRP20115", "items[0].quantity"),
    (receipt, |d| item(d).sat_unit_key = "H87".to_owned(), "CRP20116", "items[0].satUnitKey"),
    (receipt, |d| item(d).unit = text("Pieza"), "CRP20117", "items[0].unit"),
    (receipt, |d| item(d).description = "Pagos".to_owned(), "CRP20118", "items[0].description"),
    (receipt, |d| item(d).unit_price = amount("1"), "CRP20119", "items[0].unitPrice"),
    (receipt, |d| item(d).amount = amount("1"), "CRP20120", "items[0].amount"),
    (receipt, |d| item(d).discount = Some(amount("0")), "CRP20121", "items[0].discount"),
    (receipt, |d| item(d).tax_object = "02".to_owned(), "CRP20122", "items[0].taxObject"),
    (receipt, |d| item(d).taxes = invoice().items[0].taxes.clone(), "CRP20123", "items[0].taxes"),
    // The payments.
    (receipt, |d| d.payments.clear(), "CFDI140230", "payments"),
    (invoice, |d| d.payments = receipt().payments, "CRP20101", "type"),
    (receipt, |d| d.payments = vec![d.payments[0].clone(); LINES_MAX + 1], "301", "payments"),
    (
        receipt,
        |d| payment(d).paid_at = datetime!(2026-08-04 00:00:00),
        "CRP20999",
        "payments[0].paidAt",
    ),
    (receipt, |d| payment(d).paid_at = datetime!(2009-08-04 00:00:00), "301", "payments[0].paidAt"),
    (receipt, |d| payment(d).payment_form = "99".to_owned(), "CRP20212", "payments[0].paymentForm"),
    (receipt, |d| payment(d).payment_form = "07".to_owned(), "301", "payments[0].paymentForm"),
    (receipt_in_dollars, |d| payment(d).currency = currency("BYN"), "301", "payments[0].currency"),
    (
        receipt_in_dollars,
        |d| payment(d).exchange_rate = None,
        "CRP20214",
        "payments[0].exchangeRate",
    ),
    (
        receipt,
        |d| payment(d).exchange_rate = Some(amount("2")),
        "CRP20215",
        "payments[0].exchangeRate",
    ),
    (
        receipt_in_dollars,
        |d| payment(d).exchange_rate = Some(amount("0")),
        "301",
        "payments[0].exchangeRate",
    ),
    (receipt, |d| payment(d).amount = amount("579.99"), "CRP20217", "payments[0].amount"),
    (receipt, |d| payment(d).amount = amount("0"), "CRP20218", "payments[0].amount"),
    (receipt, |d| payment(d).amount = Amount::from_micros(i64::MAX), "301", "payments[0].amount"),
    (receipt, |d| payment(d).amount = amount("580.001"), "CRP20219", "payments[0].amount"),
    (receipt_in_dollars, |d| payment(d).amount = amount("99.98"), "CRP20276", "payments[0].amount"),
    (receipt, |d| payment(d).operation = text("1|2"), "301", "payments[0].operation"),
    (receipt, |d| payment(d).documents.clear(), "301", "payments[0].documents"),
    (receipt_in_dollars, |d| paid(d).taxes[0].base = Amount::MAX, "CFDI40120", "payments"),
    // The accounts.
    (
        in_cash,
        |d| payment(d).payer_account = bank(text("BSM970519DU8"), None),
        "CRP20221",
        "payments[0].payerAccount.bankRfc",
    ),
    (
        in_cash,
        |d| payment(d).payer_account = bank(None, text("5512345678")),
        "CRP20224",
        "payments[0].payerAccount.number",
    ),
    (
        in_cash,
        |d| payment(d).payee_account = bank(text("BSM970519DU8"), None),
        "CRP20227",
        "payments[0].payeeAccount.bankRfc",
    ),
    (
        in_cash,
        |d| payment(d).payee_account = bank(None, text("5512345678")),
        "CRP20228",
        "payments[0].payeeAccount.number",
    ),
    (
        receipt_of_dollars,
        |d| payer(d).bank_name = None,
        "CRP20223",
        "payments[0].payerAccount.bankName",
    ),
    (
        receipt_of_dollars,
        |d| payer(d).bank_name = text(""),
        "301",
        "payments[0].payerAccount.bankName",
    ),
    (receipt, |d| payer(d).number = text("123"), "CRP20225", "payments[0].payerAccount.number"),
    (
        receipt,
        |d| payment(d).payee_account = bank(None, text("1234567890123456")),
        "CRP20226",
        "payments[0].payeeAccount.number",
    ),
    (
        receipt,
        |d| payer(d).bank_rfc = text("CACX7605101P8"),
        "301",
        "payments[0].payerAccount.bankRfc",
    ),
    (
        receipt,
        |d| payment(d).payee_account = bank(text("XEXX010101000"), None),
        "301",
        "payments[0].payeeAccount.bankRfc",
    ),
    // The documents that are paid.
    (
        receipt,
        |d| payment(d).documents = vec![paid(d).clone(); LINES_MAX + 1],
        "301",
        "payments[0].documents",
    ),
    (receipt, |d| paid(d).uuid = "1".to_owned(), "301", "payments[0].documents[0].uuid"),
    (receipt, |d| paid(d).series = Some("x".repeat(26)), "301", "payments[0].documents[0].series"),
    (receipt, |d| paid(d).folio = Some("x".repeat(41)), "301", "payments[0].documents[0].folio"),
    (
        receipt_in_dollars,
        |d| paid(d).currency = currency("BYN"),
        "301",
        "payments[0].documents[0].currency",
    ),
    (receipt, |d| paid(d).equivalence = two(), "CRP20238", "payments[0].documents[0].equivalence"),
    (receipt, |d| paid(d).installment = 0, "301", "payments[0].documents[0].installment"),
    (receipt, |d| paid(d).installment = 1000, "301", "payments[0].documents[0].installment"),
    (
        receipt,
        |d| paid(d).balance_before = amount("0"),
        "CRP20239",
        "payments[0].documents[0].balanceBefore",
    ),
    (
        receipt,
        |d| paid(d).balance_before = amount("1160.001"),
        "CRP20240",
        "payments[0].documents[0].balanceBefore",
    ),
    (receipt, |d| paid(d).amount = amount("0"), "CRP20241", "payments[0].documents[0].amount"),
    (receipt, |d| paid(d).amount = amount("-1"), "CRP20241", "payments[0].documents[0].amount"),
    (
        receipt,
        |d| paid(d).amount = amount("580.001"),
        "CRP20242",
        "payments[0].documents[0].amount",
    ),
    (
        receipt,
        |d| paid(d).amount = amount("1160.01"),
        "CRP20244",
        "payments[0].documents[0].amount",
    ),
    (
        receipt,
        |d| paid(d).tax_object = "00".to_owned(),
        "CRP20245",
        "payments[0].documents[0].taxObject",
    ),
    (receipt, |d| paid(d).taxes.clear(), "CRP20246", "payments[0].documents[0].taxObject"),
    (
        receipt,
        |d| paid(d).tax_object = "01".to_owned(),
        "CRP20247",
        "payments[0].documents[0].taxObject",
    ),
    (
        receipt,
        |d| paid(d).tax_object = "08".to_owned(),
        "CRP20278",
        "payments[0].documents[0].taxObject",
    ),
    (
        receipt,
        |d| paid(d).tax_object = "07".to_owned(),
        "CRP20279",
        "payments[0].documents[0].taxObject",
    ),
    (
        receipt,
        |d| tax(d, 0).base = amount("0"),
        "CRP20255",
        "payments[0].documents[0].taxes[0].base",
    ),
    (
        receipt,
        |d| tax(d, 0).rate = TaxRate::iva(150_000),
        "CRP20260",
        "payments[0].documents[0].taxes[0].rate",
    ),
    (
        receipt,
        |d| tax(d, 0).amount = amount("80.02"),
        "CRP20261",
        "payments[0].documents[0].taxes[0].amount",
    ),
    (
        receipt,
        |d| tax(d, 0).rate.factor = Factor::Exento,
        "CRP20258",
        "payments[0].documents[0].taxes[0].rate.rate",
    ),
    (
        receipt,
        |d| tax(d, 1).base = amount("0"),
        "CRP20249",
        "payments[0].documents[0].taxes[1].base",
    ),
    (
        receipt,
        |d| tax(d, 1).rate.factor = Factor::Exento,
        "CRP20252",
        "payments[0].documents[0].taxes[1].rate.factor",
    ),
    (
        receipt,
        |d| tax(d, 1).rate.rate = amount("0.4"),
        "CRP20253",
        "payments[0].documents[0].taxes[1].rate",
    ),
    (
        receipt,
        |d| tax(d, 1).amount = amount("7"),
        "CRP20254",
        "payments[0].documents[0].taxes[1].amount",
    ),
    (
        of_third_party,
        |d| item(d).third_party.as_mut().unwrap().tax_zip.clear(),
        "CFDI40192",
        "items[0].thirdParty.taxZip",
    ),
];

fn item(document: &mut Document) -> &mut Item {
    &mut document.items[0]
}

fn payment(document: &mut Document) -> &mut Payment {
    &mut document.payments[0]
}

fn paid(document: &mut Document) -> &mut PaidDocument {
    &mut document.payments[0].documents[0]
}

fn payer(document: &mut Document) -> &mut BankAccount {
    document.payments[0].payer_account.as_mut().unwrap()
}

fn tax(document: &mut Document, index: usize) -> &mut ItemTax {
    &mut document.payments[0].documents[0].taxes[index]
}

fn bank(bank_rfc: Option<String>, number: Option<String>) -> Option<BankAccount> {
    Some(BankAccount { bank_rfc, bank_name: None, number })
}

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn two() -> Equivalence {
    Equivalence::of(amount("2"), amount("1")).unwrap()
}

fn in_cash() -> Document {
    let mut document = receipt();
    let payment = payment(&mut document);
    payment.payment_form = "01".to_owned();
    (payment.payer_account, payment.payee_account) = (None, None);
    document
}

fn of_third_party() -> Document {
    let mut document = receipt();
    document.items[0].third_party = of_many_taxes().items[7].third_party.clone();
    document
}

#[test]
fn a_payment_may_be_more_than_its_documents_take() {
    let mut document = receipt();
    payment(&mut document).amount = amount("600");
    payment(&mut document).exchange_rate = Some(amount("1"));
    assert_valid(&document);
}

#[test]
fn one_payment_pays_several_documents_in_several_currencies() {
    let mut document = receipt_in_dollars();
    let mut in_dollars = receipt_of_dollars().payments[0].documents[0].clone();
    in_dollars.installment = 2;
    in_dollars.taxes = vec![ItemTax { rate: exempt(), base: amount("116"), amount: Amount::ZERO }];
    payment(&mut document).documents.push(in_dollars);
    payment(&mut document).amount = amount("216");
    assert_valid(&document);
}

#[test]
fn a_cent_is_allowed_for_what_rounding_abroad_does() {
    // 1865.43 / 18.6543 is 100, and 99.99 would round to less than the least.
    let mut document = receipt_in_dollars();
    paid(&mut document).balance_before = amount("1865.44");
    paid(&mut document).amount = amount("1865.44");
    assert_valid(&document);
}

#[test]
fn documents_without_taxes_are_paid_as_such() {
    let mut document = receipt();
    let isr = ItemTax {
        rate: rate(Tax::Isr, Factor::Tasa, "0.1", true),
        base: amount("500"),
        amount: amount("50"),
    };
    for (object, taxes) in [("01", vec![]), ("03", vec![]), ("06", vec![isr]), ("08", vec![])] {
        paid(&mut document).tax_object = object.to_owned();
        paid(&mut document).taxes = taxes;
        assert_valid(&document);
    }
}

proptest! {
    #[test]
    fn what_parts_make_up_a_payment_is_never_refused(
        parts in prop::collection::vec((1..1_000_000_000_i64, 1..1_000_000_000_i64), 1..8),
    ) {
        let mut document = receipt_in_dollars();
        let example = paid(&mut document).clone();
        let cents = |cents: i64| Amount::from_micros(cents * 10_000);
        let documents = parts.iter().map(|(pesos, dollars)| PaidDocument {
            equivalence: Equivalence::of(cents(*pesos), cents(*dollars)).unwrap(),
            balance_before: cents(*pesos),
            amount: cents(*pesos),
            tax_object: "01".to_owned(),
            taxes: Vec::new(),
            ..example.clone()
        });
        payment(&mut document).documents = documents.collect();
        payment(&mut document).amount = cents(parts.iter().map(|(_, dollars)| dollars).sum());
        assert_valid(&document);
    }
}
