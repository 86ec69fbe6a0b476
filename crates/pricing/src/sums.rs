//! Sums of lines, rounded as SAT and the certification providers recompute them: only sums are rounded, half up, to
//! the decimals of the currency (Anexo 20, guide of CFDI 4.0).

use std::collections::BTreeMap;

use kernel::Amount;

use crate::{
    Line, decimal,
    tax::{Factor, ItemTax, Tax, TaxRate},
};

/// What lines add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// The amounts.
    pub sub_total: Amount,
    /// The discounts; there exactly when a line has one.
    pub discount: Option<Amount>,
    /// What is withheld, by tax.
    pub withheld: Vec<(Tax, Amount)>,
    /// What is part of the price, by tax, factor and rate.
    pub transferred: Vec<ItemTax>,
    /// All that is withheld; there when anything is.
    pub total_withheld: Option<Amount>,
    /// All that is part of the price; absent when everything is exempt.
    pub total_transferred: Option<Amount>,
}

impl Sums {
    /// The sums of `lines` at that many decimals.
    #[must_use]
    pub fn of(lines: &[impl Line], decimals: u32) -> Self {
        let mut unrounded = Unrounded::default();
        lines.iter().for_each(|line| unrounded.add(line));
        unrounded.rounded(decimals)
    }

    /// What would be paid if nothing were withheld.
    #[must_use]
    pub fn before_withholding(&self) -> Amount {
        let due = decimal::sum([self.sub_total, self.total_transferred.unwrap_or_default()]);
        decimal::less(due, self.discount.unwrap_or_default())
    }

    /// What is paid.
    #[must_use]
    pub fn total(&self) -> Amount {
        decimal::less(self.before_withholding(), self.total_withheld.unwrap_or_default())
    }
}

/// Sums before they are rounded, so that a line can be taken out and put back otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unrounded {
    amount: Amount,
    discount: Amount,
    /// How many lines have a discount.
    discounted: u32,
    /// By rate, in no order: there are few.
    taxes: Vec<ItemTax>,
}

impl Unrounded {
    pub(crate) fn add(&mut self, line: &impl Line) {
        self.add_parts(line.amount(), line.discount(), line.taxes());
    }

    pub(crate) fn add_parts(
        &mut self,
        amount: Amount,
        discount: Option<Amount>,
        taxes: &[ItemTax],
    ) {
        self.amount = decimal::sum([self.amount, amount]);
        if let Some(discount) = discount {
            self.discount = decimal::sum([self.discount, discount]);
            self.discounted += 1;
        }
        for tax in taxes {
            match self.taxes.iter_mut().find(|sum| sum.rate == tax.rate) {
                Some(sum) => {
                    sum.base = decimal::sum([sum.base, tax.base]);
                    sum.amount = decimal::sum([sum.amount, tax.amount]);
                }
                None => self.taxes.push(*tax),
            }
        }
    }

    /// The sums of all but `line`, which is among them.
    pub(crate) fn without(&self, line: &impl Line) -> Self {
        let mut others = self.clone();
        others.amount = decimal::less(others.amount, line.amount());
        if let Some(discount) = line.discount() {
            others.discount = decimal::less(others.discount, discount);
            others.discounted -= 1;
        }
        for tax in line.taxes() {
            if let Some(sum) = others.taxes.iter_mut().find(|sum| sum.rate == tax.rate) {
                sum.base = decimal::less(sum.base, tax.base);
                sum.amount = decimal::less(sum.amount, tax.amount);
            }
        }
        others
    }

    pub(crate) fn before_withholding(&self, decimals: u32) -> Amount {
        let transferred = self.taxes.iter().filter(|sum| !sum.rate.withheld);
        let taxes = transferred.map(|sum| sum.amount.rounded(decimals));
        let due = decimal::sum(taxes.chain([self.amount.rounded(decimals)]));
        decimal::less(due, self.discount.rounded(decimals))
    }

    fn rounded(mut self, decimals: u32) -> Sums {
        self.taxes.sort_unstable_by_key(|sum| sum.rate);
        let withheld = withheld_of(&self.taxes, decimals);
        let transferred: Vec<_> = (self.taxes.iter().filter(|sum| !sum.rate.withheld))
            .map(|sum| ItemTax {
                rate: sum.rate,
                base: sum.base.rounded(decimals),
                amount: sum.amount.rounded(decimals),
            })
            .collect();
        let is_taxed = transferred.iter().any(|sum| sum.rate.factor != Factor::Exento);
        let is_withheld = !withheld.is_empty();
        Sums {
            sub_total: self.amount.rounded(decimals),
            discount: (self.discounted > 0).then(|| self.discount.rounded(decimals)),
            total_transferred: is_taxed
                .then(|| decimal::sum(transferred.iter().map(|sum| sum.amount))),
            total_withheld: is_withheld
                .then(|| decimal::sum(withheld.iter().map(|(_, amount)| *amount))),
            withheld,
            transferred,
        }
    }
}

/// Taxes added up by tax, factor and rate, in that order.
#[must_use]
pub fn summed(taxes: impl IntoIterator<Item = ItemTax>) -> Vec<ItemTax> {
    let mut sums: BTreeMap<TaxRate, (Amount, Amount)> = BTreeMap::new();
    for tax in taxes {
        let (base, amount) = sums.entry(tax.rate).or_default();
        *base = decimal::sum([*base, tax.base]);
        *amount = decimal::sum([*amount, tax.amount]);
    }
    sums.into_iter().map(|(rate, (base, amount))| ItemTax { rate, base, amount }).collect()
}

/// What is withheld of each tax, whatever the rate.
fn withheld_of(sums: &[ItemTax], decimals: u32) -> Vec<(Tax, Amount)> {
    let mut by_tax: BTreeMap<Tax, Amount> = BTreeMap::new();
    for sum in sums.iter().filter(|sum| sum.rate.withheld) {
        let amount = by_tax.entry(sum.rate.tax).or_default();
        *amount = decimal::sum([*amount, sum.amount]);
    }
    by_tax.into_iter().map(|(tax, amount)| (tax, amount.rounded(decimals))).collect()
}
