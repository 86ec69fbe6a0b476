//! Where an order stands and where it may go.

use serde::{Deserialize, Serialize};

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatus {
    /// Placed; its stock is reserved.
    Pending,
    /// Paid but not shipped yet.
    Paid,
    /// Handed over to the carrier.
    Shipped,
    /// Received by the customer.
    Delivered,
    /// Cancelled; its stock has been returned.
    Cancelled,
}

impl OrderStatus {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::Pending, Self::Paid, Self::Shipped, Self::Delivered, Self::Cancelled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Paid => "paid",
            Self::Shipped => "shipped",
            Self::Delivered => "delivered",
            Self::Cancelled => "cancelled",
        }
    }

    /// Where it may go from here. A shipped order that is marked paid stays shipped (cash on delivery);
    /// that is why `shipped` allows `paid` as long as it has not been paid.
    #[must_use]
    pub const fn allowed(self, paid: bool) -> &'static [Self] {
        match (self, paid) {
            (Self::Pending, _) => &[Self::Paid, Self::Shipped, Self::Cancelled],
            (Self::Paid, _) => &[Self::Shipped, Self::Cancelled],
            (Self::Shipped, false) => &[Self::Paid, Self::Delivered],
            (Self::Shipped, true) => &[Self::Delivered],
            (Self::Delivered | Self::Cancelled, _) => &[],
        }
    }
}

/// How much of an order has gone out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FulfillmentStatus {
    /// Nothing shipped.
    Unfulfilled,
    /// Shipped in part.
    PartiallyFulfilled,
    /// Shipped completely.
    Fulfilled,
}

impl FulfillmentStatus {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::Unfulfilled, Self::PartiallyFulfilled, Self::Fulfilled];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unfulfilled => "unfulfilled",
            Self::PartiallyFulfilled => "partially_fulfilled",
            Self::Fulfilled => "fulfilled",
        }
    }
}
