//! Items and their taxes, and what they sum to.

use kernel::Amount;
use proptest::prelude::*;

use super::{
    Row, assert_valid,
    samples::{
        amount, at_the_border, exempt, invoice, item, iva_16, kit, of_many_taxes, rate, text,
        transfer,
    },
};
use crate::{
    document::{Document, Item, Part},
    pricing::{Price, amounts, settle},
    rules::LINES_MAX,
    tax::{Factor, ItemTax, Tax, TaxRate},
};

pub(super) const ROWS: &[Row] = &[
    (invoice, |d| d.items.clear(), "301", "items"),
    (invoice, |d| d.items = vec![d.items[0].clone(); LINES_MAX + 1], "301", "items"),
    (
        invoice,
        |d| first(d).sat_product_key = "43211599".to_owned(),
        "CFDI40162",
        "items[0].satProductKey",
    ),
    (
        invoice,
        |d| first(d).sat_product_key = "15101506".to_owned(),
        "CFDI40162",
        "items[0].satProductKey",
    ),
    (
        without_iva,
        |d| first(d).sat_product_key = "80111701".to_owned(),
        "CFDI40164",
        "items[0].satProductKey",
    ),
    (invoice, |d| first(d).sku = Some("x".repeat(101)), "301", "items[0].sku"),
    (invoice, |d| first(d).quantity = amount("0"), "301", "items[0].quantity"),
    (invoice, |d| first(d).quantity = Amount::from_micros(i64::MAX), "301", "items[0].quantity"),
    (invoice, |d| first(d).sat_unit_key = "PIEZA".to_owned(), "CFDI40165", "items[0].satUnitKey"),
    (invoice, |d| first(d).unit = Some("x".repeat(21)), "301", "items[0].unit"),
    (invoice, |d| first(d).description = String::new(), "301", "items[0].description"),
    (invoice, |d| first(d).description = "a\nb".to_owned(), "301", "items[0].description"),
    (invoice, |d| first(d).description = "x".repeat(1001), "301", "items[0].description"),
    (invoice, |d| first(d).unit_price = amount("0"), "CFDI40166", "items[0].unitPrice"),
    (transfer, |d| first(d).unit_price = amount("-1"), "301", "items[0].unitPrice"),
    (invoice, |d| first(d).amount = amount("-1"), "301", "items[0].amount"),
    (invoice, |d| d.items[1].amount = amount("876.80"), "CFDI40167", "items[1].amount"),
    (invoice, |d| d.items[1].amount = amount("626.22"), "CFDI40167", "items[1].amount"),
    (transfer, |d| first(d).discount = Some(amount("1")), "CFDI40111", "items[0].discount"),
    (invoice, |d| first(d).discount = Some(amount("-1")), "301", "items[0].discount"),
    (invoice, |d| d.items[1].discount = Some(amount("751.51")), "CFDI40169", "items[1].discount"),
    (invoice, |d| d.items[1].discount = Some(amount("999.99")), "CFDI40110", "items"),
    (invoice, |d| first(d).tax_object = "2".to_owned(), "CFDI40170", "items[0].taxObject"),
    (invoice, |d| first(d).taxes.clear(), "CFDI40171", "items[0].taxObject"),
    (transfer, |d| first(d).tax_object = "02".to_owned(), "CFDI40171", "items[0].taxObject"),
    (invoice, |d| first(d).tax_object = "01".to_owned(), "CFDI40172", "items[0].taxObject"),
    (invoice, |d| first(d).tax_object = "03".to_owned(), "CFDI40172", "items[0].taxObject"),
    (invoice, |d| first(d).tax_object = "04".to_owned(), "CFDI40172", "items[0].taxObject"),
    (invoice, |d| first(d).tax_object = "05".to_owned(), "CFDI40172", "items[0].taxObject"),
    (invoice, |d| first(d).tax_object = "06".to_owned(), "CFDI140226", "items[0].taxObject"),
    (invoice, |d| first(d).tax_object = "08".to_owned(), "CFDI140226", "items[0].taxObject"),
    (invoice, |d| first(d).tax_object = "07".to_owned(), "CFDI140227", "items[0].taxObject"),
    (of_many_taxes, |d| d.items[4].taxes.clear(), "CFDI140227", "items[4].taxObject"),
    (
        transfer,
        |d| first(d).taxes = invoice().items[0].taxes.clone(),
        "CFDI40201",
        "items[0].taxes",
    ),
    (invoice, |d| tax(d).base = amount("0"), "CFDI40174", "items[0].taxes[0].base"),
    (invoice, |d| tax(d).base = Amount::from_micros(i64::MAX), "301", "items[0].taxes[0].base"),
    (invoice, |d| tax(d).rate = TaxRate::iva(150_000), "CFDI40179", "items[0].taxes[0].rate"),
    (invoice, |d| tax(d).rate.factor = Factor::Cuota, "CFDI40179", "items[0].taxes[0].rate"),
    (invoice, |d| tax(d).rate.tax = Tax::Isr, "CFDI40179", "items[0].taxes[0].rate"),
    (
        at_the_border,
        |d| d.place_of_issue = "77500".to_owned(),
        "CFDI40179",
        "items[0].taxes[0].rate",
    ),
    (
        at_the_border,
        |d| first(d).sat_product_key = "01010101".to_owned(),
        "CFDI40179",
        "items[0].taxes[0].rate",
    ),
    (invoice, |d| first(d).taxes.extend_from_within(..1), "CFDI40179", "items[0].taxes[1].tax"),
    (
        of_many_taxes,
        |d| first(d).taxes.extend_from_within(1..2),
        "CFDI40185",
        "items[0].taxes[3].tax",
    ),
    (invoice, |d| tax(d).amount = amount("13.81"), "CFDI40180", "items[0].taxes[0].amount"),
    (invoice, |d| tax(d).amount = amount("13.793101"), "CFDI40180", "items[0].taxes[0].amount"),
    (invoice, |d| tax(d).amount = amount("-1"), "301", "items[0].taxes[0].amount"),
    (
        of_many_taxes,
        |d| d.items[5].taxes[0].rate.rate = amount("0.16"),
        "CFDI40177",
        "items[5].taxes[0].rate.rate",
    ),
    (
        of_many_taxes,
        |d| d.items[5].taxes[0].amount = amount("1"),
        "CFDI40177",
        "items[5].taxes[0].amount",
    ),
    (
        of_many_taxes,
        |d| d.items[5].taxes[0].rate.tax = Tax::Isr,
        "CFDI40179",
        "items[5].taxes[0].rate",
    ),
    (
        of_many_taxes,
        |d| d.items[0].taxes[1].base = amount("-1"),
        "CFDI40181",
        "items[0].taxes[1].base",
    ),
    (
        of_many_taxes,
        |d| d.items[0].taxes[1].rate.factor = Factor::Exento,
        "CFDI40184",
        "items[0].taxes[1].rate.factor",
    ),
    (
        of_many_taxes,
        |d| d.items[0].taxes[1].rate.rate = amount("0.36"),
        "CFDI40185",
        "items[0].taxes[1].rate",
    ),
    (
        of_many_taxes,
        |d| d.items[0].taxes[2].amount = amount("500"),
        "CFDI40186",
        "items[0].taxes[2].amount",
    ),
    (
        of_many_taxes,
        |d| d.items[6].customs[0] = "15 48 3009 0001234".to_owned(),
        "CFDI40194",
        "items[6].customs[0]",
    ),
    (
        of_many_taxes,
        |d| d.items[6].customs[0] = "27  48  3009  7001234".to_owned(),
        "CFDI40194",
        "items[6].customs[0]",
    ),
    (
        of_many_taxes,
        |d| d.items[6].customs[0] = "15  48  3009  5001234".to_owned(),
        "CFDI40194",
        "items[6].customs[0]",
    ),
    (
        of_many_taxes,
        |d| d.items[6].customs[0] = "24  48  3009  4000000".to_owned(),
        "CFDI40194",
        "items[6].customs[0]",
    ),
    (
        of_many_taxes,
        |d| d.items[5].property_accounts[0] = "15-9".to_owned(),
        "301",
        "items[5].propertyAccounts[0]",
    ),
    (
        of_many_taxes,
        |d| d.items[5].property_accounts[0] = "1".repeat(151),
        "301",
        "items[5].propertyAccounts[0]",
    ),
    (invoice, |d| first(d).amount = Amount::MAX, "CFDI40120", "items"),
    (kit, |d| first(d).parts = vec![part(d).clone(); LINES_MAX + 1], "301", "items[0].parts"),
    (
        kit,
        |d| part(d).sat_product_key = "43211599".to_owned(),
        "CFDI40196",
        "items[0].parts[0].satProductKey",
    ),
    (kit, |d| part(d).sku = Some("x".repeat(101)), "301", "items[0].parts[0].sku"),
    (kit, |d| part(d).quantity = Amount::ZERO, "301", "items[0].parts[0].quantity"),
    (kit, |d| part(d).unit = text("a|b"), "301", "items[0].parts[0].unit"),
    (kit, |d| part(d).description.clear(), "301", "items[0].parts[0].description"),
    (kit, |d| part(d).unit_price = Some(Amount::ZERO), "CFDI40197", "items[0].parts[0].unitPrice"),
    (kit, |d| part(d).unit_price = Some(Amount::MAX), "301", "items[0].parts[0].unitPrice"),
    (kit, |d| part(d).customs[0].push('4'), "CFDI40199", "items[0].parts[0].customs[0]"),
    // The amounts are within measure, and what is paid is not.
    (
        invoice,
        |d| d.items = vec![item("1", "900000000000", None, &[iva_16()])],
        "CFDI40120",
        "items",
    ),
    (invoice, |d| first(d).taxes = withheld_thrice(), "301", "items"),
];

fn first(document: &mut Document) -> &mut Item {
    &mut document.items[0]
}

fn part(document: &mut Document) -> &mut Part {
    &mut document.items[0].parts[0]
}

fn tax(document: &mut Document) -> &mut ItemTax {
    &mut document.items[0].taxes[0]
}

/// Only ISR is withheld, and nothing charged.
fn without_iva() -> Document {
    let isr = rate(Tax::Isr, Factor::Tasa, "0.1", true);
    Document { items: vec![item("1", "100", None, &[isr])], ..invoice() }
}

fn withheld_thrice() -> Vec<ItemTax> {
    let isr = rate(Tax::Isr, Factor::Tasa, "0.35", true);
    item("1", "3000", None, &[isr, isr, isr]).taxes
}

#[test]
fn transfers_may_state_what_goods_are_worth() {
    let mut document = transfer();
    document.items = vec![item("3", "250", None, &[])];
    assert_valid(&document);
    document.currency = invoice().currency;
    assert_valid(&document);
}

#[test]
fn goods_may_have_come_in_the_ten_years_before_this_one() {
    let mut document = of_many_taxes();
    for number in ["16  48  3009  6001234", "26  48  3009  6000001"] {
        document.items[6].customs[0] = number.to_owned();
        assert_valid(&document);
    }
}

#[test]
fn what_is_given_away_has_a_discount_as_large_as_its_price() {
    let mut document = invoice();
    document.items = vec![item("1", "100", Some("100"), &[])];
    assert_valid(&document);
}

fn rates() -> impl Strategy<Value = Vec<TaxRate>> {
    let ieps = rate(Tax::Ieps, Factor::Tasa, "0.08", false);
    let isr = rate(Tax::Isr, Factor::Tasa, "0.0125", true);
    prop_oneof![
        4 => Just(vec![iva_16()]),
        1 => Just(vec![TaxRate::iva(0)]),
        1 => Just(vec![exempt()]),
        1 => Just(vec![ieps, iva_16()]),
        1 => Just(vec![iva_16(), isr]),
        1 => Just(Vec::new()),
    ]
}

proptest! {
    #[test]
    fn what_pricing_reckons_is_never_refused(
        lines in prop::collection::vec((1..2_000_000_i64, 1..5_000_000_i64, any::<bool>(), rates()), 1..8),
    ) {
        let mut document = invoice();
        document.items.clear();
        let mut paid = 0;
        for (thousandths, cents, gross, rates) in lines {
            let (quantity, price) =
                (Amount::from_micros(thousandths * 1_000), Amount::from_micros(cents * 10_000));
            let priced = if gross { Price::Gross(price) } else { Price::Net(price) };
            let reckoned = amounts(quantity, priced, None, &rates);
            prop_assume!(reckoned.amount.micros() > 1_000);
            paid += reckoned.amount.micros();
            let example = item("1", "1", None, &rates);
            let amounts = reckoned;
            document.items.push(Item {
                quantity,
                unit_price: amounts.unit_price,
                amount: amounts.amount,
                taxes: amounts.taxes,
                unit: text("Kilo"),
                ..example
            });
        }
        assert_valid(&document);
        settle(&mut document.items, Amount::from_micros(paid).rounded(2), 2);
        assert_valid(&document);
    }
}
