//! Properties of prices and totals.

use kernel::Amount;
use proptest::prelude::*;

use crate::{
    Amounts, Price, Priced, Stated, amounts, decimal, priced, spread,
    tax::{Factor, Tax, TaxRate},
};

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

fn ieps(micros: i64) -> TaxRate {
    TaxRate { tax: Tax::Ieps, ..TaxRate::iva(micros) }
}

fn exempt() -> TaxRate {
    TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) }
}

fn withheld() -> TaxRate {
    TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(12_500) }
}

/// The taxes that a merchant's goods have.
fn rates() -> impl Strategy<Value = Vec<TaxRate>> {
    prop_oneof![
        6 => Just(vec![TaxRate::iva(160_000)]),
        2 => Just(vec![TaxRate::iva(80_000)]),
        2 => Just(vec![TaxRate::iva(0)]),
        1 => Just(vec![exempt()]),
        2 => Just(vec![TaxRate::iva(160_000), ieps(80_000)]),
        1 => Just(vec![TaxRate::iva(160_000), ieps(265_000)]),
        1 => Just(vec![TaxRate::iva(0), ieps(80_000)]),
        1 => Just(vec![TaxRate::iva(160_000), withheld()]),
        1 => Just(Vec::new()),
    ]
}

/// A line of a sale, with all that it owns.
#[derive(Clone, Debug)]
struct Sold {
    quantity: Amount,
    unit_price: Amount,
    discount: Option<Amount>,
    tax_included: bool,
    rates: Vec<TaxRate>,
}

impl Sold {
    fn stated(&self) -> Stated<'_> {
        Stated {
            quantity: self.quantity,
            unit_price: self.unit_price,
            discount: self.discount,
            tax_included: self.tax_included,
            rates: &self.rates,
        }
    }
}

/// A line whose taxes are inside its price or added to it, at a price of so many decimals and with a discount of whole cents.
fn line(tax_included: impl Strategy<Value = bool>) -> impl Strategy<Value = Sold> {
    let price = prop_oneof![
        4 => (1..2_000_000_i64).prop_map(|cents| cents * 10_000),
        1 => 1_000_000..2_000_000_000_i64,
    ];
    let percent = prop_oneof![4 => Just(0_i64), 1 => 1..90_i64];
    // Of pieces, and of what is sold by weight.
    let quantity = prop_oneof![
        4 => (1..50_i64).prop_map(|units| units * 1_000_000),
        1 => (1..50_000_i64).prop_map(|thousandths| thousandths * 1_000),
    ];
    (quantity, price, percent, tax_included, rates()).prop_map(
        |(quantity, price, percent, tax_included, rates)| {
            let quantity = Amount::from_micros(quantity);
            let unit_price = Amount::from_micros(price);
            let whole = decimal::product(quantity, unit_price);
            let share = Amount::from_micros(percent * 1_000_000);
            let discount = (percent > 0).then(|| decimal::percent(whole, share, 2).min(whole));
            Sold { quantity, unit_price, discount, tax_included, rates }
        },
    )
}

fn sold(lines: &[Sold]) -> Priced {
    let stated: Vec<Stated<'_>> = lines.iter().map(Sold::stated).collect();
    priced(&stated, 2)
}

#[test]
fn a_hundred_with_tax_inside_stays_a_hundred() {
    let sold = sold(&[Sold {
        quantity: amount("1"),
        unit_price: amount("100"),
        discount: None,
        tax_included: true,
        rates: vec![TaxRate::iva(160_000)],
    }]);
    assert_eq!(sold.sums.sub_total, amount("86.21"));
    assert_eq!(sold.total, amount("100"));
    assert!(sold.is_settled());
}

#[test]
fn excise_is_part_of_what_value_added_tax_is_reckoned_on() {
    let rates = [ieps(80_000), TaxRate::iva(160_000)];
    let Amounts { taxes, .. } = amounts(amount("1"), Price::Net(amount("100")), None, &rates);
    let values: Vec<_> = taxes.iter().map(|tax| (tax.base, tax.amount)).collect();
    assert_eq!(values, [(amount("100"), amount("8")), (amount("108"), amount("17.28"))]);
}

#[test]
fn parts_add_up_and_the_first_of_equals_gets_what_is_left() {
    let cases: &[(&str, &[&str], u32, &[&str])] = &[
        ("10", &["33.33", "33.33", "33.33"], 2, &["3.34", "3.33", "3.33"]),
        ("20.49", &["359.82", "50"], 2, &["17.99", "2.5"]),
        ("10.88", &["99.99", "8.84"], 2, &["10", "0.88"]),
        ("100", &["333", "333", "333"], 0, &["34", "33", "33"]),
        ("0.01", &["0.000001", "0.000002"], 6, &["0.003333", "0.006667"]),
        ("5", &["0", "5"], 2, &["0", "5"]),
        ("0", &["0", "0"], 2, &["0", "0"]),
    ];
    for (whole, weights, decimals, parts) in cases {
        let weights: Vec<Amount> = weights.iter().copied().map(amount).collect();
        let parts: Vec<Amount> = parts.iter().copied().map(amount).collect();
        assert_eq!(spread(amount(whole), &weights, *decimals), parts, "{whole} over {weights:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_is_paid_with_taxes_inside_is_the_total(
        lines in prop::collection::vec(line(Just(true)), 1..12),
    ) {
        let sold = sold(&lines);
        let paid = decimal::sum(lines.iter().map(|line| line.stated().after_discount())).rounded(2);
        prop_assert_eq!(sold.total, paid);
        // Where nothing is taxed, there is nothing to move: the separate sums say what is paid.
        prop_assert!(sold.is_settled() || lines.iter().all(|line| line.rates.is_empty()));
        for (amounts, line) in sold.amounts.iter().zip(&lines) {
            // No line is moved by more than a few cents, and amounts still follow from the unit price.
            let again = decimal::product(line.quantity, amounts.unit_price);
            let off = (again.micros() - amounts.amount.micros()).abs();
            prop_assert!(off <= line.quantity.micros() / 2_000_000 + 1, "{amounts:?}");
            prop_assert_eq!(amounts.taxes.len(), line.rates.len());
            prop_assert!(!amounts.amount.is_negative());
        }
    }

    #[test]
    fn the_total_is_what_the_sums_amount_to_and_no_stated_net_price_moves(
        lines in prop::collection::vec(line(any::<bool>()), 1..12),
    ) {
        let sold = sold(&lines);
        prop_assert!(sold.is_settled() || lines.iter().all(|line| line.tax_included));
        let cost = decimal::sum(lines.iter().map(|line| line.stated().cost()));
        // Every separate sum may be off by half a cent.
        prop_assert!((sold.total.micros() - cost.micros()).abs() <= 100_000);
        for (amounts, line) in sold.amounts.iter().zip(&lines).filter(|(_, line)| !line.tax_included) {
            prop_assert_eq!(amounts, &line.stated().amounts());
        }
    }

    #[test]
    fn parts_add_up_and_none_is_larger_than_its_weight(
        weights in prop::collection::vec(0..5_000_000_i64, 1..40),
        percent in 0..=100_i64,
        decimals in prop_oneof![Just(0_u32), Just(2), Just(3), Just(6)],
    ) {
        let step = crate::step(decimals);
        let weights: Vec<Amount> =
            weights.iter().map(|steps| Amount::from_micros(steps * step)).collect();
        let whole = decimal::sum(weights.iter().copied());
        let share = decimal::percent(whole, Amount::from_micros(percent * 1_000_000), decimals);
        let parts = spread(share, &weights, decimals);
        prop_assert_eq!(decimal::sum(parts.iter().copied()), share);
        for (part, weight) in parts.iter().zip(&weights) {
            prop_assert!(Amount::ZERO <= *part && part <= weight, "{part} of {weight}");
        }
    }
}
