//! From a unit price to the amounts of a line.

use kernel::Amount;

use crate::{
    decimal,
    tax::{Factor, ItemTax, Tax, TaxRate},
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
