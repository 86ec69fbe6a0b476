//! What stock is worth: what is on hand, at what a unit has cost on average.

use kernel::{Currency, Measure, Sum, Timestamp};

use crate::WarehouseId;

/// Which stock is valued, and as it was when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ValuationQuery {
    /// Now when absent.
    pub at: Option<Timestamp>,
    /// All places when absent, those between two warehouses too.
    pub warehouse: Option<WarehouseId>,
}

/// What lies in one place in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ValuedPlace {
    /// `None` for what is on the way between two.
    pub warehouse: Option<WarehouseId>,
    pub currency: Currency,
    /// Units whose cost is known.
    pub on_hand: Measure,
    /// What these are worth.
    pub value: Sum,
    /// Units whose cost nobody knows.
    pub unvalued: Measure,
}

/// What stock is or was worth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Valuation {
    pub at: Timestamp,
    /// By warehouse and currency, places with nothing left out.
    pub places: Vec<ValuedPlace>,
}

impl Valuation {
    /// All places together, by currency.
    #[must_use]
    pub fn totals(&self) -> Vec<ValuedPlace> {
        let mut totals: Vec<ValuedPlace> = Vec::new();
        for place in &self.places {
            let known = totals.iter_mut().find(|total| total.currency == place.currency);
            if let Some(total) = known {
                total.on_hand += place.on_hand;
                total.value += place.value;
                total.unvalued += place.unvalued;
            } else {
                totals.push(ValuedPlace { warehouse: None, ..*place });
            }
        }
        totals.sort_by_key(|total| total.currency);
        totals
    }
}
