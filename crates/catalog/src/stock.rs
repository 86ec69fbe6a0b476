//! Stock: how many pieces there are to be sold in all warehouses, and what changes of a product do to that.

use std::collections::HashMap;

use kernel::{Amount, Quantity};
use serde::{Deserialize, Serialize};

use crate::{ProductId, VariantId};

/// What stock is counted for: a product sold without naming a variant, or one variant of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct StockKey {
    pub product: ProductId,
    /// Variant, if any.
    pub variant: Option<VariantId>,
}

/// Why stock changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StockReason {
    /// Initial stock of a product or variant.
    Initial,
    /// A new count.
    Adjustment,
    /// The variant or product was removed.
    Removal,
    /// A new count in a file.
    Import,
}

impl StockReason {
    /// Its name on record.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Initial => "initial",
            Self::Adjustment => "adjustment",
            Self::Removal => "removal",
            Self::Import => "import",
        }
    }
}

/// A change of the stock of all warehouses: it goes from `left - delta` to `left`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct StockChange {
    /// Product or variant.
    pub key: StockKey,
    /// Signed change, never zero.
    pub delta: Quantity,
    /// Stock after the change, never negative.
    pub left: Quantity,
    pub reason: StockReason,
    /// Identifier of the cause, e.g. of an order.
    pub reference: String,
}

/// What warehouses hold of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holding {
    /// How many units there are anywhere: for sale or not, promised to orders and in transit, too.
    pub on_hand: Quantity,
    /// What a unit has cost on average, in the currency of the product; `None` while nobody knows.
    pub average_cost: Option<Amount>,
}

/// What warehouses hold of a product and of its variants: no part of the product, but it decides what of it may change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    held: HashMap<Option<VariantId>, Holding>,
    are_counted: bool,
}

impl Holdings {
    /// Of the product itself (`None`) or of one of its variants.
    #[must_use]
    pub fn of(&self, variant: Option<VariantId>) -> Holding {
        self.held.get(&variant).copied().unwrap_or_default()
    }

    /// The same, where something is or was counted in the decimals of the product: its stock has moved, or a price list, an
    /// open transfer or an open count has quantities of it.
    #[must_use]
    pub fn counted(self) -> Self {
        Self { are_counted: true, ..self }
    }

    /// Whether something is or was counted in the decimals of the product.
    #[must_use]
    pub const fn are_counted(&self) -> bool {
        self.are_counted
    }
}

impl FromIterator<(Option<VariantId>, Holding)> for Holdings {
    fn from_iter<I: IntoIterator<Item = (Option<VariantId>, Holding)>>(holdings: I) -> Self {
        Self { held: holdings.into_iter().collect(), are_counted: false }
    }
}

/// Whether stock going from `before` to `after` falls below `threshold` just now: `inventory.low` fires
/// once a crossing, not again while stock stays low.
#[must_use]
pub fn falls_below<T: PartialOrd + Copy>(threshold: T, before: T, after: T) -> bool {
    before >= threshold && after < threshold
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_fall_fires_exactly_once(threshold in 0i64..50, steps in prop::collection::vec(-5i64..5, 1..200)) {
            let (mut stock, mut low, mut fired, mut crossings) = (40i64, 40 < threshold, 0, 0);
            for step in steps {
                let after = (stock + step).max(0);
                fired += usize::from(falls_below(threshold, stock, after));
                let low_now = after < threshold;
                crossings += usize::from(low_now && !low);
                (stock, low) = (after, low_now);
            }
            prop_assert_eq!(fired, crossings);
        }
    }
}
