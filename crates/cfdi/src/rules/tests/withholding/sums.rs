//! Sums, and the taxes that they are of.

use kernel::Amount;
use proptest::prelude::*;

use super::{Row, check_withholding, now};
use crate::{
    decimal,
    rules::LINES_MAX,
    tax::Tax,
    withholding::{
        Totals, WithheldTax, Withholding,
        samples::{amount, fees, incorporation, prize},
    },
};

pub(super) const ROWS: &[Row] = &[
    (fees, |w| w.totals.operation = amount("-1"), "301", "totals.operation"),
    (fees, |w| w.totals.taxed = amount("1.001"), "301", "totals.taxed"),
    (fees, |w| w.totals.exempt = Amount::from_micros(i64::MAX), "301", "totals.exempt"),
    (fees, |w| w.totals.withheld = amount("0.005"), "301", "totals.withheld"),
    (fees, |w| w.totals.bimonthly_profit = Some(amount("-1")), "301", "totals.bimonthlyProfit"),
    (fees, |w| w.totals.bimonthly_isr = Some(amount("0.001")), "301", "totals.bimonthlyIsr"),
    (incorporation, |w| w.totals.taxed = amount("1"), "Reten20108", "totals.taxed"),
    (incorporation, |w| w.totals.exempt = amount("1"), "Reten20108", "totals.exempt"),
    (fees, |w| w.totals.operation = amount("10000.01"), "Reten20127", "totals.operation"),
    (fees, |w| w.totals.taxed = amount("10000.01"), "Reten20128", "totals.taxed"),
    (fees, |w| w.totals.exempt = amount("10000.01"), "Reten20129", "totals.exempt"),
    (fees, |w| w.taxes.clear(), "Reten20130", "taxes"),
    (fees, |w| w.totals.withheld = amount("2066.66"), "Reten20131", "totals.withheld"),
    (incorporation, |w| w.totals.bimonthly_profit = None, "Reten20132", "totals.bimonthlyProfit"),
    (
        fees,
        |w| w.totals.bimonthly_profit = Some(Amount::ZERO),
        "Reten20132",
        "totals.bimonthlyProfit",
    ),
    (incorporation, |w| w.totals.bimonthly_isr = None, "Reten20133", "totals.bimonthlyIsr"),
    (
        incorporation,
        |w| w.totals.bimonthly_isr = Some(Amount::ZERO),
        "Reten20133",
        "totals.bimonthlyIsr",
    ),
    (fees, |w| w.taxes[0].base = Some(amount("-1")), "301", "taxes[0].base"),
    (fees, |w| w.taxes[1].amount = amount("1066.6666"), "301", "taxes[1].amount"),
    (fees, |w| w.taxes[0].base = Some(amount("999.99")), "CFDI40999", "taxes[0].amount"),
    (fees, |w| w.taxes[1].base = Some(amount("1066.66")), "CFDI40999", "taxes[1].amount"),
    (
        fees,
        |w| {
            w.taxes[0].base = Some(Amount::ZERO);
            w.taxes[0].tax = None;
        },
        "CFDI40999",
        "taxes[0].amount",
    ),
    (fees, |w| w.taxes[0].payment_kind = "05".to_owned(), "301", "taxes[0].paymentKind"),
    (fees, |w| w.taxes[0].payment_kind = "01".to_owned(), "CFDI40999", "taxes[0].paymentKind"),
    (fees, |w| w.taxes[1].tax = Some(Tax::Ieps), "CFDI40999", "taxes[1].paymentKind"),
    (fees, |w| w.taxes = vec![w.taxes[0].clone(); LINES_MAX + 1], "301", "taxes"),
];

#[test]
fn nothing_need_be_withheld() {
    let mut withholding = prize();
    withholding.taxes.clear();
    withholding.totals.withheld = Amount::ZERO;
    assert_eq!(check_withholding(&withholding, now()), []);
}

#[test]
fn all_of_a_base_may_be_withheld_and_excise_above_it() {
    let mut withholding = fees();
    withholding.taxes[0].base = Some(withholding.taxes[0].amount);
    withholding.taxes[1].base = Some(withholding.taxes[1].amount);
    assert_eq!(check_withholding(&withholding, now()), []);
    let excise = &mut withholding.taxes[1];
    (excise.base, excise.tax) = (Some(amount("500")), Some(Tax::Ieps));
    "02".clone_into(&mut excise.payment_kind);
    assert_eq!(check_withholding(&withholding, now()), []);
}

fn pesos() -> impl Strategy<Value = Amount> {
    (0..100_000_000_000_i64).prop_map(|cents| Amount::from_micros(cents * 10_000))
}

fn tax() -> impl Strategy<Value = WithheldTax> {
    let kinds = vec![(Tax::Iva, "01"), (Tax::Ieps, "02"), (Tax::Isr, "03"), (Tax::Isr, "04")];
    let kind = prop::sample::select(kinds);
    (kind, proptest::option::of(pesos()), pesos()).prop_map(|((tax, code), base, amount)| {
        let base = base.map(|base| base.max(amount));
        WithheldTax { base, tax: Some(tax), amount, payment_kind: code.to_owned() }
    })
}

prop_compose! {
    /// A withholding whose sums are right.
    fn summed()(
        taxed in pesos(),
        exempt in pesos(),
        taxes in prop::collection::vec(tax(), 0..6),
    ) -> Withholding {
        let totals = Totals {
            operation: decimal::sum([taxed, exempt]),
            taxed,
            exempt,
            withheld: decimal::sum(taxes.iter().map(|tax| tax.amount)),
            bimonthly_profit: None,
            bimonthly_isr: None,
        };
        Withholding { totals, taxes, ..fees() }
    }
}

proptest! {
    #[test]
    fn right_sums_are_accepted_and_a_cent_more_is_not(withholding in summed()) {
        prop_assert_eq!(check_withholding(&withholding, now()), []);
        let of_all = [Tax::Isr, Tax::Iva, Tax::Ieps].map(|tax| withholding.withheld_of(tax));
        prop_assert_eq!(decimal::sum(of_all), withholding.totals.withheld);
        let cent = Amount::from_micros(10_000);
        let codes = |changed: fn(&mut Totals) -> &mut Amount| {
            let mut withholding = withholding.clone();
            let amount = changed(&mut withholding.totals);
            *amount = decimal::sum([*amount, cent]);
            let findings = check_withholding(&withholding, now());
            findings.iter().map(|one| one.code).collect::<Vec<_>>()
        };
        prop_assert_eq!(codes(|totals| &mut totals.operation), ["Reten20127"]);
        prop_assert!(codes(|totals| &mut totals.taxed).contains(&"Reten20127"));
        let withheld = codes(|totals| &mut totals.withheld);
        let none = withholding.taxes.is_empty();
        prop_assert_eq!(withheld, [if none { "Reten20130" } else { "Reten20131" }]);
    }
}
