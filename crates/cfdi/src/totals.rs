//! The sums of a document, rounded as the authority and its providers recompute them: only sums are
//! rounded, half up, to the decimals of the currency.

use std::collections::BTreeMap;

use kernel::Amount;

use crate::{
    decimal,
    document::{Document, DocumentType, Item},
    local_taxes::{self, LocalTax},
    tax::{Factor, ItemTax, Tax, TaxRate},
};

/// What the items of a document add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The items' amounts.
    pub sub_total: Amount,
    /// The items' discounts; there exactly when an item has one.
    pub discount: Option<Amount>,
    /// What the receiver pays.
    pub total: Amount,
    /// What is withheld, by tax.
    pub withheld: Vec<(Tax, Amount)>,
    /// What is part of the price, by tax, factor and rate.
    pub transferred: Vec<ItemTax>,
    /// All that is withheld; there when anything is.
    pub total_withheld: Option<Amount>,
    /// All that is part of the price; absent when everything is exempt.
    pub total_transferred: Option<Amount>,
    /// What states and municipalities levy on the whole of it.
    pub local_charged: Amount,
    /// What is withheld of that kind.
    pub local_withheld: Amount,
}

impl Totals {
    /// Reckons them. Kinds without value (`P`, `T`) add up to nothing.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        match document.kind {
            DocumentType::Income | DocumentType::Credit => {
                let totals = Self::of_items(&document.items, document.decimals());
                totals.with_local(&document.local_taxes)
            }
            DocumentType::Payment | DocumentType::Transfer => Self::of_items(&[], 0),
        }
    }

    fn with_local(self, taxes: &[LocalTax]) -> Self {
        let (local_charged, local_withheld) = local_taxes::sums(taxes);
        let total = decimal::less(decimal::sum([self.total, local_charged]), local_withheld);
        Self { total, local_charged, local_withheld, ..self }
    }

    /// The sums of `items` at that many decimals.
    #[must_use]
    pub fn of_items(items: &[Item], decimals: u32) -> Self {
        let sub_total = decimal::sum(items.iter().map(|item| item.amount)).rounded(decimals);
        let discounted = items.iter().any(|item| item.discount.is_some());
        let discounts = items.iter().filter_map(|item| item.discount);
        let discount = discounted.then(|| decimal::sum(discounts).rounded(decimals));
        let sums = summed(items.iter().flat_map(|item| item.taxes.iter().copied()));
        let rounded = |tax: &ItemTax| ItemTax {
            rate: tax.rate,
            base: tax.base.rounded(decimals),
            amount: tax.amount.rounded(decimals),
        };
        let transferred: Vec<_> =
            sums.iter().filter(|sum| !sum.rate.withheld).map(rounded).collect();
        let withheld = withheld_of(&sums, decimals);
        let taxed = transferred.iter().any(|sum| sum.rate.factor != Factor::Exento);
        let total_transferred =
            taxed.then(|| decimal::sum(transferred.iter().map(|sum| sum.amount)));
        let total_withheld = (!withheld.is_empty())
            .then(|| decimal::sum(withheld.iter().map(|(_, amount)| *amount)));
        let due = decimal::sum([sub_total, total_transferred.unwrap_or_default()]);
        let taken =
            decimal::sum([discount.unwrap_or_default(), total_withheld.unwrap_or_default()]);
        let total = decimal::less(due, taken);
        Self {
            sub_total,
            discount,
            total,
            withheld,
            transferred,
            total_withheld,
            total_transferred,
            local_charged: Amount::ZERO,
            local_withheld: Amount::ZERO,
        }
    }

    /// Whether there is anything to say about taxes.
    #[must_use]
    pub fn has_taxes(&self) -> bool {
        !self.transferred.is_empty() || !self.withheld.is_empty()
    }

    /// What the receiver would pay if nothing were withheld.
    #[must_use]
    pub fn before_withholding(&self) -> Amount {
        decimal::sum([self.total, self.total_withheld.unwrap_or_default(), self.local_withheld])
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
pub(crate) fn withheld_of(sums: &[ItemTax], decimals: u32) -> Vec<(Tax, Amount)> {
    let mut by_tax: BTreeMap<Tax, Amount> = BTreeMap::new();
    for sum in sums.iter().filter(|sum| sum.rate.withheld) {
        let amount = by_tax.entry(sum.rate.tax).or_default();
        *amount = decimal::sum([*amount, sum.amount]);
    }
    by_tax.into_iter().map(|(tax, amount)| (tax, amount.rounded(decimals))).collect()
}
