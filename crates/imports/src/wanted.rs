//! What rows want, of whatever kind.

use std::collections::BTreeMap;

use crate::{Problem, WantedCustomer, WantedProduct, stock::WantedStock};

/// What a row wants.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Of a product or variant.
    Product(WantedProduct),
    /// Of a customer.
    Customer(Box<WantedCustomer>),
    /// Of the stock of something in one place.
    Stock(WantedStock),
}

impl Wanted {
    /// What it says, by field: as a dry run shows it.
    #[must_use]
    pub fn shown(&self) -> BTreeMap<String, String> {
        match self {
            Self::Product(wanted) => wanted.shown(),
            Self::Customer(wanted) => wanted.shown(),
            Self::Stock(wanted) => wanted.shown(),
        }
    }

    /// What was made of the row that its author may want to know.
    #[must_use]
    pub fn warnings(&self) -> &[Problem] {
        match self {
            Self::Product(wanted) => &wanted.warnings,
            Self::Customer(wanted) => &wanted.warnings,
            Self::Stock(wanted) => &wanted.warnings,
        }
    }

    /// The SKU that rows behind it may belong to.
    #[must_use]
    pub fn parent_sku(&self) -> Option<&str> {
        match self {
            Self::Product(wanted) => wanted.product.as_ref()?.sku.as_deref(),
            Self::Customer(_) | Self::Stock(_) => None,
        }
    }

    pub(crate) fn warned(mut self, warnings: Vec<Problem>) -> Self {
        match &mut self {
            Self::Product(wanted) => wanted.warnings = warnings,
            Self::Customer(wanted) => wanted.warnings = warnings,
            Self::Stock(wanted) => wanted.warnings = warnings,
        }
        self
    }
}
