//! Returns: goods that come back after an order was paid or shipped, and what they are worth.

use std::cmp::Reverse;

use kernel::{Amount, Measure, NewEvent, Quantity, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    InvoiceId, ItemSku, Order, OrderId, OrderStatus, WarehouseId, shipments::LineProgress,
};

mod faults;
mod taking;
mod worth;

pub use taking::take_back;
pub(crate) use worth::share;

kernel::ids! {
    /// A return's identifier.
    ReturnId = "ret";
}

/// Statuses in which goods may come back.
pub const RETURNABLE: &[OrderStatus] =
    &[OrderStatus::Paid, OrderStatus::Shipped, OrderStatus::Delivered];

/// A line that comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnLine {
    /// Which line of the order, starting at 1.
    pub line: usize,
    /// How many units.
    pub quantity: Measure,
    /// Whether they are for sale again.
    pub is_restocked: bool,
    /// Where they go to; where they came from when absent.
    pub warehouse: Option<WarehouseId>,
}

/// The most returns that an order has: all of them are read together.
pub const RETURNS_MAX: usize = 1_000;

/// A return to be recorded; its fields have been checked one by one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReturn {
    /// What comes back, each line once.
    pub lines: Vec<ReturnLine>,
    /// What of the shipping is given back.
    pub shipping: Option<Amount>,
    /// Why it comes back.
    pub reason: String,
    /// Whether what it is worth is refunded, as far as it was paid.
    pub refunds: bool,
    /// Whether it will never be shipped, where a part of the order is on its way.
    pub is_unshipped: bool,
}

/// A return of an order, to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnItems {
    /// The order.
    pub order: OrderId,
    /// What comes back.
    pub new: NewReturn,
}

/// A line that has come back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnedLine {
    /// Which line of the order, starting at 1.
    pub line: usize,
    /// How many units.
    pub quantity: Measure,
    /// Whether they are for sale again.
    pub is_restocked: bool,
    /// What they are worth, with discounts and taxes.
    pub amount: Amount,
}

/// A return on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Return {
    /// Its identifier.
    pub id: ReturnId,
    /// The order.
    pub order: OrderId,
    /// What came back.
    pub lines: Vec<ReturnedLine>,
    /// Whether it had not been shipped, and was taken off the order.
    pub is_unshipped: bool,
    /// What of the shipping is given back.
    pub shipping: Amount,
    /// What it is worth in all.
    pub amount: Amount,
    /// What of that was to be refunded at once.
    pub refund: Amount,
    /// Why it came back.
    pub reason: String,
    /// When.
    pub created_at: Timestamp,
    /// The credit note (CFDI of type E) that was made of what of it was never paid.
    pub credit_note: Option<InvoiceId>,
    /// Why no credit note could be made of that, or why it is still a draft.
    pub credit_note_problem: Option<String>,
}

/// Why nothing comes back of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReturnError {
    /// The order is not in a status for it.
    WrongStatus {
        /// Its status.
        status: OrderStatus,
    },
    /// More comes back than was sold and has not come back yet.
    TooMany {
        /// Which line, starting at 1.
        line: usize,
        /// What can still come back.
        left: Measure,
    },
    /// More of the shipping is given back than is left of it.
    ShippingExceeded {
        /// What is left.
        left: Amount,
    },
    /// The order has had as many returns as it may.
    TooManyReturns {
        /// How many.
        max: usize,
    },
}

/// What comes of a return: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The order.
    pub order: Order,
    /// The return.
    pub record: Return,
    /// The goods, line by line.
    pub goods: Vec<ReturnedGoods>,
    /// Whether they had been shipped; otherwise they are promised no longer.
    pub were_shipped: bool,
    /// What is to be refunded, if anything.
    pub to_refund: Option<Amount>,
    /// What is told.
    pub events: Vec<NewEvent>,
}

/// Goods that come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnedGoods {
    /// Place of the line in the order, from 0.
    pub line: usize,
    /// What it is.
    pub sold: ItemSku,
    /// How many, in the smallest unit that is kept of it.
    pub quantity: Quantity,
    /// Whether they are for sale again.
    pub is_restocked: bool,
    /// Where they go to; where they came from when absent.
    pub warehouse: Option<WarehouseId>,
}

/// What has happened to the money of an order before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier {
    /// How many returns there were.
    pub count: usize,
    /// What earlier returns have given back of its shipping.
    pub shipping: Amount,
    /// What refunds that are under way are about to give back.
    pub refund_pending: Amount,
    /// What its payments can still give back.
    pub refundable: Amount,
    /// Whether whoever pays the order withholds taxes of it; looked at where a part is paid, and the return may leave no more.
    pub withholds: bool,
    /// What has become of each line, of an order of which a part is on its way.
    pub progress: Option<Vec<LineProgress>>,
    /// The tracking number of its newest shipment that has one.
    pub tracking_number: Option<String>,
}

/// Where goods of a line come back to that were shipped: whence most of it was, or most was promised where no shipments are
/// kept of the order. Of equal parts the oldest warehouse.
#[must_use]
pub fn origin(
    shipped: &[(WarehouseId, Quantity)],
    promised: &[(WarehouseId, Quantity)],
) -> Option<WarehouseId> {
    let parts = if shipped.is_empty() { promised } else { shipped };
    let largest = parts.iter().max_by_key(|(warehouse, part)| (*part, Reverse(*warehouse)));
    largest.map(|(warehouse, _)| *warehouse)
}

#[cfg(test)]
mod tests;
