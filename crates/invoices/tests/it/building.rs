//! From orders to documents that the tax authority takes.

use cfdi::{
    document::{DocumentType, Global},
    rules,
    tax::{Factor, Tax, TaxRate},
    totals::Totals,
};
use invoices::{DraftLocalTax, Fields, fields};
use proptest::prelude::*;

use super::{amount, document, known, now, order, paid_at, product, sold, sold_at, taxed};

/// The taxes of six products; the last one states none, so that the issuer's usual ones apply.
fn products() -> Vec<Vec<TaxRate>> {
    let excise = TaxRate { tax: Tax::Ieps, ..TaxRate::iva(80_000) };
    vec![
        vec![TaxRate::iva(160_000)],
        vec![TaxRate::iva(0)],
        vec![TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) }],
        vec![TaxRate::iva(160_000), excise],
        vec![TaxRate::iva(0), excise],
        vec![],
    ]
}

fn lines() -> impl Strategy<Value = Vec<(u128, i64, i64)>> {
    // In centavos as most, or in millionths, or given away.
    let price = prop_oneof![
        6 => (1..5_000_000i64).prop_map(|it| it * 10_000),
        6 => 10_000..50_000_000i64,
        1 => 0..5i64,
    ];
    let line = (0u128..6, 1..200i64, price);
    prop::collection::vec(line, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_order_and_its_invoice_have_one_total(lines in lines()) {
        let mut known = known();
        known.products.extend(products().into_iter().enumerate().map(|(number, taxes)| {
            (product(number as u128), taxed(taxes))
        }));
        known.orders.insert(order(1), sold_at(&lines));
        let named = Fields {
            orders: Some(vec![order(1)]),
            payment_form: Some(Some("03".to_owned())),
            ..Fields::default()
        };
        let draft = fields::create(DocumentType::Income, named, &known).unwrap();
        let document = document(&draft);
        prop_assert_eq!(Totals::of(&document).total, paid_at(&lines));
        prop_assert_eq!(rules::check(&document, now()), []);
    }

    #[test]
    fn tickets_and_their_global_invoice_have_one_total(orders in prop::collection::vec(lines(), 1..8)) {
        let mut known = known();
        known.products.extend(products().into_iter().enumerate().map(|(number, taxes)| {
            (product(number as u128), taxed(taxes))
        }));
        let ids: Vec<_> = (1..=orders.len() as u128).map(order).collect();
        for (id, lines) in ids.iter().zip(&orders) {
            known.orders.insert(*id, sold_at(lines));
        }
        let global = Global { periodicity: "01".to_owned(), months: "11".to_owned(), year: 2026 };
        let named = Fields {
            orders: Some(ids),
            global: Some(Some(global)),
            payment_form: Some(Some("01".to_owned())),
            ..Fields::default()
        };
        let draft = fields::create(DocumentType::Income, named, &known).unwrap();
        let document = document(&draft);
        let total: i64 = orders.iter().map(|lines| paid_at(lines).micros()).sum();
        prop_assert_eq!(Totals::of(&document).total.micros(), total);
        prop_assert_eq!(rules::check(&document, now()), []);
        prop_assert!(document.is_to_the_public());
    }
}

#[test]
fn a_hundred_paid_is_a_hundred_invoiced() {
    let mut known = known();
    known.orders.insert(order(1), sold(&[(9, 1, 10_000)]));
    let named = Fields { orders: Some(vec![order(1)]), ..Fields::default() };
    let draft = fields::create(DocumentType::Income, named, &known).unwrap();
    let totals = Totals::of(&document(&draft));
    assert_eq!((totals.sub_total, totals.total), (amount("86.21"), amount("100")));
}

#[test]
fn zero_is_not_exempt() {
    let mut known = known();
    let exempt = TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) };
    known.products.insert(product(1), taxed(vec![TaxRate::iva(0)]));
    known.products.insert(product(2), taxed(vec![exempt]));
    let totals_of = |number| {
        let mut known = known.clone();
        known.orders.insert(order(1), sold(&[(number, 1, 10_000)]));
        let named = Fields { orders: Some(vec![order(1)]), ..Fields::default() };
        Totals::of(&document(&fields::create(DocumentType::Income, named, &known).unwrap()))
    };
    assert_eq!(totals_of(1).total_transferred, Some(amount("0")));
    assert_eq!(totals_of(2).total_transferred, None);
    assert_eq!(totals_of(2).transferred.len(), 1);
}

fn local(name: &str, rate: &str, base: Option<&str>, withheld: bool) -> DraftLocalTax {
    let base = base.map(amount);
    DraftLocalTax { name: name.to_owned(), rate: amount(rate), base, withheld }
}

#[test]
fn local_taxes_come_on_top_of_the_sale() {
    let mut known = known();
    known.orders.insert(order(1), sold(&[(9, 1, 116_000)]));
    let taxes = vec![
        local("ISH", "0.03", None, false),
        local("  5  al millar ", "0.005", None, true),
        local("Derecho", "0.1", Some("50"), false),
    ];
    let named = Fields {
        orders: Some(vec![order(1)]),
        payment_form: Some(Some("03".to_owned())),
        local_taxes: Some(taxes),
        ..Fields::default()
    };
    let draft = fields::create(DocumentType::Income, named, &known).unwrap();
    let document = document(&draft);
    // 1,000 before taxes, 160 of IVA.
    let amounts: Vec<_> = document.local_taxes.iter().map(|tax| tax.amount).collect();
    assert_eq!(amounts, ["30", "5", "5"].map(amount));
    assert_eq!(document.local_taxes[1].name, "5 al millar", "as SAT's schema collapses it");
    let totals = Totals::of(&document);
    assert_eq!((totals.local_charged, totals.local_withheld), (amount("35"), amount("5")));
    assert_eq!((totals.sub_total, totals.total), (amount("1000"), amount("1190")));
    assert_eq!(totals.before_withholding(), amount("1195"));
    assert_eq!(rules::check(&document, now()), []);
}

#[test]
fn local_taxes_are_refused_where_the_document_has_no_place_for_them() {
    let mut known = known();
    let ids = [order(1), order(2)];
    ids.iter().for_each(|id| drop(known.orders.insert(*id, sold(&[(9, 1, 10_000)]))));
    let global = Global { periodicity: "01".to_owned(), months: "11".to_owned(), year: 2026 };
    let taxes = Some(vec![local("ISH", "0.03", None, false)]);
    let of_period = Fields {
        orders: Some(ids.to_vec()),
        global: Some(Some(global)),
        local_taxes: taxes.clone(),
        ..Fields::default()
    };
    let others = Fields { local_taxes: taxes, ..Fields::default() };
    for (kind, fields) in [
        (DocumentType::Income, of_period),
        (DocumentType::Payment, others.clone()),
        (DocumentType::Transfer, others),
    ] {
        let faults = fields::create(kind, fields, &known).unwrap_err();
        assert!(faults.iter().any(|fault| fault.field == "localTaxes"), "{kind:?}: {faults:?}");
    }
}

#[test]
fn a_global_invoice_is_what_was_paid() {
    let mut known = known();
    let ids = [order(1), order(2), order(3)];
    ids.iter().for_each(|id| drop(known.orders.insert(*id, sold_at(&[(9, 1, 10_004_000)]))));
    let global = Global { periodicity: "01".to_owned(), months: "11".to_owned(), year: 2026 };
    let named =
        Fields { orders: Some(ids.to_vec()), global: Some(Some(global)), ..Fields::default() };
    let draft = fields::create(DocumentType::Income, named, &known).unwrap();
    assert_eq!(Totals::of(&document(&draft)).total, amount("30"));
}
