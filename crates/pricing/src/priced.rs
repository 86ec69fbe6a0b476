//! Lines at their prices, and what they cost together.

use kernel::Amount;

use crate::{
    Amounts, Line, Price, Sums, amounts, decimal, settle,
    tax::{ItemTax, TaxRate},
};

/// What is sold, as the seller states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stated<'a> {
    /// How many units.
    pub quantity: Amount,
    /// Price of one unit.
    pub unit_price: Amount,
    /// What is taken off, stated as the price is (with or without taxes).
    pub discount: Option<Amount>,
    /// Whether the taxes are inside the price; otherwise they are added to it.
    pub tax_included: bool,
    /// Its taxes.
    pub rates: &'a [TaxRate],
}

/// Lines with their amounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The amounts of each line, in the order of the lines.
    pub amounts: Vec<Amounts>,
    /// What they add up to.
    pub sums: Sums,
    /// What is to be paid, before anything is withheld.
    pub total: Amount,
}

impl Priced {
    /// Whether the sums meet what is to be paid. They fail to only where every price is so small that a cent cannot be
    /// moved.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.sums.before_withholding() == self.total
    }
}

impl Stated<'_> {
    /// What is paid for it but for taxes that are not in the price.
    #[must_use]
    pub fn after_discount(&self) -> Amount {
        let whole = decimal::product(self.quantity, self.unit_price);
        decimal::less(whole, self.discount.unwrap_or_default())
    }

    /// Its amounts, without regard to other lines.
    #[must_use]
    pub fn amounts(&self) -> Amounts {
        let is_gross = self.tax_included && !self.rates.is_empty();
        let price = if is_gross { Price::Gross } else { Price::Net };
        amounts(self.quantity, price(self.unit_price), self.discount, self.rates)
    }

    /// What is paid for it with all taxes that are part of the price, unrounded.
    #[must_use]
    pub fn cost(&self) -> Amount {
        if self.tax_included {
            return self.after_discount();
        }
        let charged = |tax: &&ItemTax| !tax.rate.withheld;
        let amounts = self.amounts();
        let taxes = amounts.taxes.iter().filter(charged).map(|tax| tax.amount);
        decimal::sum(taxes.chain([self.after_discount()]))
    }
}

/// Prices lines at that many decimals.
///
/// Where all taxes are inside the prices, the total is the rounded sum of what the lines cost, and the amount of one
/// of them is [moved](settle()) to meet it. Where all taxes are added to the prices, it is what the rounded sums amount to. Where
/// lines of both kinds meet, it is the rounded sum of their costs, which a line with taxes inside is moved to meet; if
/// none can be, it is what the rounded sums amount to.
#[must_use]
pub fn priced(lines: &[Stated<'_>], decimals: u32) -> Priced {
    let mut reckoned: Vec<Reckoned> = lines.iter().map(Reckoned::of).collect();
    let cost = decimal::sum(lines.iter().map(Stated::cost)).rounded(decimals);
    let any_inside = lines.iter().any(|line| line.tax_included);
    let is_met = any_inside && settle(&mut reckoned, cost, decimals);
    let sums = Sums::of(&reckoned, decimals);
    let has_tax_inside = |line: &Stated<'_>| line.tax_included && !line.rates.is_empty();
    let must_be_met =
        lines.iter().all(|line| line.tax_included) && lines.iter().any(has_tax_inside);
    let total = if is_met || must_be_met { cost } else { sums.before_withholding() };
    Priced { amounts: reckoned.into_iter().map(|line| line.amounts).collect(), sums, total }
}

/// A stated line with its amounts.
struct Reckoned {
    quantity: Amount,
    is_movable: bool,
    amounts: Amounts,
}

impl Reckoned {
    fn of(line: &Stated<'_>) -> Self {
        Self { quantity: line.quantity, is_movable: line.tax_included, amounts: line.amounts() }
    }
}

impl Line for Reckoned {
    fn quantity(&self) -> Amount {
        self.quantity
    }

    fn amount(&self) -> Amount {
        self.amounts.amount
    }

    fn discount(&self) -> Option<Amount> {
        self.amounts.discount
    }

    fn taxes(&self) -> &[ItemTax] {
        &self.amounts.taxes
    }

    fn is_movable(&self) -> bool {
        self.is_movable
    }

    fn set_amount(&mut self, amount: Amount, unit_price: Amount, taxes: Vec<ItemTax>) {
        let discount = self.amounts.discount;
        self.amounts = Amounts { unit_price, amount, discount, taxes };
    }
}
