//! What is left of a sale once pieces of it have come back: lines that cost what was paid for what is kept.

use kernel::Amount;

use crate::{Stated, decimal, priced};

/// The least amount.
const LEAST: Amount = Amount::from_micros(1);

/// What is left of a line of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// How many units.
    pub quantity: Amount,
    /// What is paid for them, with discounts and taxes.
    pub cost: Amount,
}

/// The lines as they are stated once so much is left of each, one for one: those of which all is left as they were, and of the
/// others so many units at what these cost. The dearest meets `total`, what they and the `shipping` that is left cost, where the
/// lines, each of which was paid in whole steps, do not add up to it.
#[must_use]
pub fn kept<'a>(
    lines: &[Stated<'a>],
    left: &[Kept],
    shipping: Option<Stated<'a>>,
    total: Amount,
    decimals: u32,
) -> Vec<Stated<'a>> {
    let stated = |(line, left): (&Stated<'a>, &Kept)| match line.quantity == left.quantity {
        true => *line,
        false => costing(*line, *left),
    };
    let mut kept: Vec<Stated<'a>> = lines.iter().zip(left).map(stated).collect();
    if let Some((dearest, cost)) = unsettled(&kept, shipping, total, decimals)
        && let Some(line) = kept.get_mut(dearest)
    {
        *line = costing(*line, Kept { quantity: line.quantity, cost });
    }
    kept
}

/// A unit price at which so many units are not below what they cost, and the discount that meets it.
#[must_use]
pub fn price_of_each(quantity: Amount, cost: Amount) -> (Amount, Amount) {
    let mut unit_price = decimal::quotient(cost, quantity);
    if decimal::product(quantity, unit_price) < cost {
        unit_price = decimal::sum([unit_price, LEAST]);
    }
    (unit_price, decimal::less(decimal::product(quantity, unit_price), cost))
}

/// What is left of a line: at its unit price, as far as a discount makes up the difference, or else at another one with the
/// taxes inside.
fn costing(line: Stated<'_>, Kept { quantity, cost }: Kept) -> Stated<'_> {
    let whole = decimal::product(quantity, line.unit_price);
    if line.tax_included && whole >= cost {
        return Stated { quantity, discount: Some(decimal::less(whole, cost)), ..line };
    }
    let (unit_price, discount) = price_of_each(quantity, cost);
    Stated { quantity, unit_price, discount: Some(discount), tax_included: true, ..line }
}

/// Which line has to cost how much for all to be the total, if they are not.
fn unsettled<'a>(
    kept: &[Stated<'a>],
    shipping: Option<Stated<'a>>,
    total: Amount,
    decimals: u32,
) -> Option<(usize, Amount)> {
    let is_kept = |line: &Stated<'_>| line.quantity > Amount::ZERO;
    let sent = shipping.filter(|shipping| shipping.unit_price != Amount::ZERO);
    let all: Vec<Stated<'a>> =
        kept.iter().filter(|line| is_kept(line)).copied().chain(sent).collect();
    if priced(&all, decimals).total == total {
        return None;
    }
    let whole = decimal::sum(all.iter().map(Stated::cost));
    let costs = kept.iter().enumerate().filter(|(_, line)| is_kept(line));
    let costs = costs.map(|(index, line)| (index, line.cost()));
    let (dearest, own) = costs.max_by_key(|(_, cost)| *cost)?;
    let cost = decimal::less(total, decimal::less(whole, own));
    (cost > Amount::ZERO).then_some((dearest, cost))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tax::TaxRate;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    #[test]
    fn what_is_kept_costs_what_was_paid_for_it() {
        let rates = [TaxRate::iva(160_000)];
        let line = |quantity: &str, price: &str, tax_included| Stated {
            quantity: amount(quantity),
            unit_price: amount(price),
            discount: None,
            tax_included,
            rates: &rates,
        };
        let lines = [line("2", "10", true), line("3", "10", false), line("1", "5", true)];
        let left =
            |quantity: &str, cost: &str| Kept { quantity: amount(quantity), cost: amount(cost) };
        let left = [left("1", "9.50"), left("2", "23.20"), left("0", "0")];
        let kept = kept(&lines, &left, None, amount("32.70"), 2);
        let costs: Vec<Amount> = kept.iter().map(Stated::cost).collect();
        assert_eq!(costs, ["9.5", "23.2", "0"].map(amount));
        // At its price, or with the taxes inside where they were added to it.
        let prices: Vec<Amount> = kept.iter().map(|line| line.unit_price).collect();
        assert_eq!(prices, ["10", "11.6", "5"].map(amount));
        assert_eq!(priced(&kept, 2).total, amount("32.7"));
    }
}
