//! The sums of a document, rounded as the authority and its providers recompute them: only sums are
//! rounded, half up, to the decimals of the currency.

use kernel::Amount;
use pricing::{Line, Sums};

use crate::{
    decimal,
    document::{Document, DocumentType, Item},
    local_taxes::{self, LocalTax},
    tax::{ItemTax, Tax},
};

pub use pricing::summed;

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
        let sums = Sums::of(items, decimals);
        Self {
            total: sums.total(),
            sub_total: sums.sub_total,
            discount: sums.discount,
            withheld: sums.withheld,
            transferred: sums.transferred,
            total_withheld: sums.total_withheld,
            total_transferred: sums.total_transferred,
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

impl Line for Item {
    fn quantity(&self) -> Amount {
        self.quantity
    }

    fn amount(&self) -> Amount {
        self.amount
    }

    fn discount(&self) -> Option<Amount> {
        self.discount
    }

    fn taxes(&self) -> &[ItemTax] {
        &self.taxes
    }

    fn is_movable(&self) -> bool {
        true
    }

    fn set_amount(&mut self, amount: Amount, unit_price: Amount, taxes: Vec<ItemTax>) {
        (self.amount, self.unit_price, self.taxes) = (amount, unit_price, taxes);
    }
}
