//! From a price to the amounts of an item, and from what was paid to sums that meet it to the cent.

use kernel::Amount;

use crate::{
    decimal,
    document::Item,
    tax::{Factor, ItemTax, Tax, TaxRate},
    totals::{Totals, summed},
};

/// A price of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// Before taxes.
    Net(Amount),
    /// As the customer pays it: taxes that are part of the price are inside.
    Gross(Amount),
}

/// The amounts of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// Price of one unit before taxes and discount.
    pub unit_price: Amount,
    /// All units, before taxes and discount.
    pub amount: Amount,
    /// What is taken off before taxes.
    pub discount: Option<Amount>,
    /// The taxes.
    pub taxes: Vec<ItemTax>,
}

/// Reckons the amounts of `quantity` units at a price, less a discount that is stated as the price is
/// (with or without taxes).
#[must_use]
pub fn amounts(
    quantity: Amount,
    price: Price,
    discount: Option<Amount>,
    rates: &[TaxRate],
) -> Amounts {
    let quota = quota(quantity, rates);
    match price {
        Price::Net(unit_price) => {
            let amount = decimal::product(quantity, unit_price);
            let net = decimal::less(amount, discount.unwrap_or_default());
            Amounts { unit_price, amount, discount, taxes: taxes(quantity, net, rates) }
        }
        Price::Gross(unit_price) => {
            let gross = decimal::product(quantity, unit_price);
            let paid = decimal::less(gross, discount.unwrap_or_default());
            let net = without_taxes(paid, quota, rates);
            // A discount takes nothing off a quota, which goes by the unit.
            let amount = discount.map_or(net, |_| without_taxes(gross, quota, rates));
            Amounts {
                unit_price: decimal::quotient(amount, quantity),
                amount,
                discount: discount.map(|_| decimal::less(amount, net)),
                taxes: taxes(quantity, net, rates),
            }
        }
    }
}

/// Moves the amount of one item by less than a cent or so, where the rounding of the separate sums
/// would make the total (before withholding) another than `paid`. Items at a net price are not to be
/// given here: their amounts are what the issuer said.
///
/// Whether the total is now `paid`: it is not only when no item is large enough to be moved.
pub fn settle(items: &mut [Item], paid: Amount, decimals: u32) -> bool {
    let unit = 10i64.pow(6u32.saturating_sub(decimals));
    let payable = |items: &[Item]| Totals::of_items(items, decimals).before_withholding();
    if payable(items) == paid {
        return true;
    }
    // Where there is no tax inside, the amount is what was said.
    let is_taxed = |index: &usize| items.get(*index).is_some_and(|item| !item.taxes.is_empty());
    let mut largest: Vec<usize> = (0..items.len()).filter(is_taxed).collect();
    largest.sort_by_key(|index| std::cmp::Reverse(items.get(*index).map(|item| item.amount)));
    for index in largest.into_iter().take(TRIED_MAX) {
        let Some(original) = items.get(index).cloned() else { continue };
        // The separate sums are at most a handful; each is off by half a unit at most.
        let reach = (unit * 4).min(
            decimal::less(original.amount, original.discount.unwrap_or_default()).micros() - 1,
        );
        // Only sums are rounded, so all others count as one item.
        let others = others_in_one(items, index, &original);
        let total_when_moved = |by: i64| payable(&[others.clone(), moved(&original, by)]);
        // The total only grows with the amount, so the smallest move is found by halving.
        let down = total_when_moved(0) > paid;
        let directed = |by: i64| if down { -by } else { by };
        let (mut not_enough, mut enough) = (0, reach.max(0));
        while enough - not_enough > 1 {
            let middle = i64::midpoint(not_enough, enough);
            let total = total_when_moved(directed(middle));
            let reached = if down { total <= paid } else { total >= paid };
            if reached {
                enough = middle;
            } else {
                not_enough = middle;
            }
        }
        if total_when_moved(directed(enough)) == paid {
            if let Some(item) = items.get_mut(index) {
                *item = moved(&original, directed(enough));
            }
            return true;
        }
    }
    false
}

/// How many items [`settle`] tries to move; the first nearly always serves.
const TRIED_MAX: usize = 20;

/// All items but that one as if they were one item: it adds up to the same.
fn others_in_one(items: &[Item], index: usize, form: &Item) -> Item {
    let others = || items.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, it)| it);
    let discounted = others().any(|item| item.discount.is_some());
    let discount = decimal::sum(others().filter_map(|item| item.discount));
    Item {
        amount: decimal::sum(others().map(|item| item.amount)),
        discount: discounted.then_some(discount),
        taxes: summed(others().flat_map(|item| item.taxes.iter().copied())),
        ..form.clone()
    }
}

/// The item with its amount moved by some millionths.
fn moved(item: &Item, micros: i64) -> Item {
    let amount = Amount::from_micros(item.amount.micros() + micros);
    let net = decimal::less(amount, item.discount.unwrap_or_default());
    let rates: Vec<TaxRate> = item.taxes.iter().map(|tax| tax.rate).collect();
    Item {
        amount,
        unit_price: decimal::quotient(amount, item.quantity),
        taxes: taxes(item.quantity, net, &rates),
        ..item.clone()
    }
}

/// The taxes on `net`. Excise is part of what IVA is reckoned on (article 12 of the law of IVA); what is
/// withheld goes by the price alone; a quota goes by the units.
#[must_use]
pub fn taxes(quantity: Amount, net: Amount, rates: &[TaxRate]) -> Vec<ItemTax> {
    let on = |base: Amount, rate: &TaxRate| ItemTax { rate: *rate, base, amount: rate.of(base) };
    let base_of = |rate: &TaxRate| if rate.factor == Factor::Cuota { quantity } else { net };
    let excise = rates.iter().filter(|rate| is_excise(rate)).map(|rate| rate.of(base_of(rate)));
    let with_excise = decimal::sum(excise.chain([net]));
    rates
        .iter()
        .map(|rate| match (rate.tax, rate.withheld, rate.factor) {
            (Tax::Iva, false, Factor::Tasa | Factor::Exento) => on(with_excise, rate),
            _ => on(base_of(rate), rate),
        })
        .collect()
}

/// What is left of a price when the taxes inside are taken out.
fn without_taxes(gross: Amount, quota: Amount, rates: &[TaxRate]) -> Amount {
    let share = |is: fn(&TaxRate) -> bool| {
        let shares = rates.iter().filter(|rate| rate.factor == Factor::Tasa && is(rate));
        decimal::sum(shares.map(|rate| rate.rate))
    };
    let one = Amount::from_micros(1_000_000);
    let value_added = share(|rate| rate.tax == Tax::Iva && !rate.withheld);
    let excise = share(is_excise);
    let without_value_added = decimal::quotient(gross, decimal::sum([one, value_added]));
    decimal::quotient(decimal::less(without_value_added, quota), decimal::sum([one, excise]))
}

/// The excise that goes by the units.
fn quota(quantity: Amount, rates: &[TaxRate]) -> Amount {
    let quotas = rates.iter().filter(|rate| is_excise(rate) && rate.factor == Factor::Cuota);
    decimal::sum(quotas.map(|rate| rate.of(quantity)))
}

fn is_excise(rate: &TaxRate) -> bool {
    rate.tax == Tax::Ieps && !rate.withheld
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn item(quantity: Amount, amounts: Amounts) -> Item {
        Item {
            sat_product_key: "01010101".to_owned(),
            sku: None,
            quantity,
            sat_unit_key: "H87".to_owned(),
            unit: None,
            description: "Producto".to_owned(),
            unit_price: amounts.unit_price,
            amount: amounts.amount,
            discount: amounts.discount,
            tax_object: "02".to_owned(),
            taxes: amounts.taxes,
            third_party: None,
            customs: Vec::new(),
            property_accounts: Vec::new(),
        }
    }

    fn ieps(micros: i64) -> TaxRate {
        TaxRate { tax: Tax::Ieps, ..TaxRate::iva(micros) }
    }

    fn exempt() -> TaxRate {
        TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) }
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
            1 => Just(Vec::new()),
        ]
    }

    /// Quantity, price in cents, share of discount in percent, taxes.
    fn line() -> impl Strategy<Value = (i64, i64, i64, Vec<TaxRate>)> {
        let discount = prop_oneof![4 => Just(0i64), 1 => 1..90i64];
        (1..50i64, 1..2_000_000i64, discount, rates())
    }

    fn gross(lines: &[(i64, i64, i64, Vec<TaxRate>)]) -> (Vec<Item>, Amount) {
        let priced = lines.iter().map(|(quantity, cents, percent, rates)| {
            let quantity = Amount::from_micros(quantity * 1_000_000);
            let price = Amount::from_micros(cents * 10_000);
            let whole = decimal::product(quantity, price);
            let discount = (*percent > 0)
                .then(|| Amount::from_micros(whole.micros() / 100 * percent).rounded(2));
            let paid = decimal::less(whole, discount.unwrap_or_default());
            (item(quantity, amounts(quantity, Price::Gross(price), discount, rates)), paid)
        });
        let (items, paid): (Vec<_>, Vec<_>) = priced.unzip();
        (items, decimal::sum(paid))
    }

    #[test]
    fn a_hundred_with_tax_inside_stays_a_hundred() {
        let (items, _) = gross(&[(1, 10_000, 0, vec![TaxRate::iva(160_000)])]);
        let totals = Totals::of_items(&items, 2);
        assert_eq!(totals.sub_total, Amount::from_micros(86_210_000));
        assert_eq!(totals.total, Amount::from_micros(100_000_000));
    }

    #[test]
    fn excise_is_part_of_what_value_added_tax_is_reckoned_on() {
        let rates = [ieps(80_000), TaxRate::iva(160_000)];
        let net = amounts(
            Amount::from_micros(1_000_000),
            Price::Net(Amount::from_micros(100_000_000)),
            None,
            &rates,
        );
        let values: Vec<_> =
            net.taxes.iter().map(|tax| (tax.base.micros(), tax.amount.micros())).collect();
        assert_eq!(values, [(100_000_000, 8_000_000), (108_000_000, 17_280_000)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn what_was_paid_is_the_total(lines in prop::collection::vec(line(), 1..12)) {
            let (mut items, paid) = gross(&lines);
            prop_assert!(settle(&mut items, paid, 2), "not settled: {lines:?}");
            prop_assert_eq!(Totals::of_items(&items, 2).total, paid);
            for (item, (_, _, _, rates)) in items.iter().zip(&lines) {
                // No item is moved by more than a few cents, and amounts still follow from the unit price.
                let again = decimal::product(item.quantity, item.unit_price);
                let off = (again.micros() - item.amount.micros()).abs();
                prop_assert!(off <= item.quantity.micros() / 2_000_000 + 1, "{item:?}");
                prop_assert_eq!(item.taxes.len(), rates.len());
                prop_assert!(!item.amount.is_negative());
            }
        }
    }
}
