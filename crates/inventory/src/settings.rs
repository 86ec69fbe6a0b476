//! How the orders of an account take from its warehouses.

use crate::WarehouseId;

/// Which warehouses an order that names none takes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Allocation {
    /// The default warehouse alone.
    #[default]
    Default,
    /// Any that goods are sold from, by their priority; one order may take from several.
    AnyAvailable,
}

impl Allocation {
    /// Every one.
    pub const EVERY: &'static [Self] = &[Self::Default, Self::AnyAvailable];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AnyAvailable => "anyAvailable",
        }
    }
}

/// The stock settings of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct StockSettings {
    pub allocation: Allocation,
    /// Where orders take from and counts of the whole go to.
    pub default_warehouse: WarehouseId,
    /// Counts their changes.
    pub version: i64,
}
