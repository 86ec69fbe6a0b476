//! Levels: how many of something there are, and where.

use kernel::{Amount, Currency, PageRequest, Quantity};

use crate::{ProductId, VariantId, WarehouseId};

/// What stock is counted for: a product sold without naming a variant, or one variant of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Sku {
    pub product: ProductId,
    /// Variant, if any.
    pub variant: Option<VariantId>,
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
