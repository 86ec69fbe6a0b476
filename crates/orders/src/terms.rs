//! What an order is agreed on beside its products: discounts, shipping, and where it goes.

use kernel::Amount;
use pricing::{decimal, tax::TaxRate};
use serde::{Deserialize, Serialize};

/// A discount as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Discount {
    /// So much, in the currency of the order.
    Amount(Amount),
    /// So many percent, above 0 and at most 100, with at most [`PERCENT_DECIMALS`] decimals.
    Percent(Amount),
}

/// The most decimals of a percentage.
pub const PERCENT_DECIMALS: u32 = 4;

impl Discount {
    /// What it takes off `whole`, rounded once to that many decimals; a percentage never takes more than there is.
    #[must_use]
    pub fn of(self, whole: Amount, decimals: u32) -> Amount {
        match self {
            Self::Amount(amount) => amount,
            Self::Percent(percent) => decimal::percent(whole, percent, decimals).min(whole),
        }
    }
}

/// A discount with what it amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discounted {
    /// As it was asked for.
    pub asked: Discount,
    /// What it takes off, stated as the unit price is: with the taxes that are inside.
    pub amount: Amount,
}

/// A discount on the whole order, after those of its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderDiscount {
    /// How much.
    pub discounted: Discounted,
    /// Why.
    pub reason: Option<String>,
}

/// Shipping that the customer pays for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shipping {
    /// What it is called, e.g. `Estafeta Express`.
    pub name: String,
    /// What it costs, taxes inside.
    pub amount: Amount,
    /// The taxes inside.
    pub taxes: Vec<TaxRate>,
}

/// Where an order is sent to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct ShippingAddress {
    /// Who receives it, if not the customer.
    pub recipient: Option<String>,
    /// In E.164 form.
    pub phone: Option<String>,
    /// Street and number.
    pub street: String,
    /// Neighborhood (colonia).
    pub neighborhood: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub zip: Option<String>,
    /// Country, ISO 3166-1 alpha-2.
    pub country: String,
}
