//! Levels: how many of something there are, and where.

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

use kernel::{Amount, Currency, Decimals, Measure, PageRequest, Quantity};

use crate::{ProductId, VariantId, WarehouseId};

/// What stock is counted for: a product sold without naming a variant, or one variant of it. Two are the same whichever
/// decimals they are told with.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Sku {
    pub product: ProductId,
    /// Variant, if any.
    pub variant: Option<VariantId>,
    /// Decimals of its quantities; who only names it need not know them.
    pub decimals: Decimals,
}

impl Sku {
    /// Names a product or a variant of it.
    #[must_use]
    pub const fn named(product: ProductId, variant: Option<VariantId>) -> Self {
        Self { product, variant, decimals: Decimals::Zero }
    }

    /// The same with the decimals of its quantities.
    #[must_use]
    pub const fn with_decimals(self, decimals: Decimals) -> Self {
        Self { decimals, ..self }
    }

    /// What a quantity of it is in units.
    #[must_use]
    pub const fn measure(self, quantity: Quantity) -> Measure {
        Measure::of(quantity, self.decimals)
    }

    const fn key(self) -> (ProductId, Option<VariantId>) {
        (self.product, self.variant)
    }
}

impl PartialEq for Sku {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Sku {}

impl PartialOrd for Sku {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sku {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Sku {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// How many of something there are in one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// What can be promised.
    pub available: Quantity,
    /// What is promised and not shipped yet.
    pub committed: Quantity,
}

impl Level {
    /// What a person counts.
    #[must_use]
    pub const fn on_hand(self) -> Quantity {
        self.available + self.committed
    }
}

/// The stock of a product or variant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct StockLine {
    pub sku: Sku,
    /// Its SKU, as text.
    pub code: Option<String>,
    /// Name of the product followed by that of the variant.
    pub name: String,
    /// What can be promised in all warehouses that orders take from.
    pub available: Quantity,
    /// Stock level below which it counts as low.
    pub threshold: Quantity,
    /// What a unit has cost on average, if that is known.
    pub average_cost: Option<Amount>,
    /// Currency of the average cost.
    pub currency: Currency,
    /// What is on the way to each warehouse.
    pub incoming: Vec<(WarehouseId, Quantity)>,
    /// What lies where, places that it never lay at left out.
    pub places: Vec<(WarehouseId, Level)>,
}

/// Whose stock is listed; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct StockFilter {
    pub product: Option<ProductId>,
    pub variant: Option<VariantId>,
    /// What lies or has lain there, and only there.
    pub warehouse: Option<WarehouseId>,
    /// Whether only what is low, or only what is not.
    pub below_threshold: Option<bool>,
}

/// A wanted page of stock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct StockQuery {
    pub filter: StockFilter,
    pub page: PageRequest,
}
