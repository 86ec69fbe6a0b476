//! What an order is.

use kernel::{Amount, Currency, Metadata, Quantity, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{FulfillmentStatus, OrderStatus};

kernel::ids! {
    /// An order's identifier.
    OrderId = "ord";
    /// The identifier of a customer, as orders name it.
    CustomerId = "cus";
    /// The identifier of a product, as orders name it.
    ItemProductId = "prd";
    /// The identifier of a variant, as orders name it.
    ItemVariantId = "var";
}

/// The most items of one order.
pub const ITEMS_MAX: usize = 500;
/// The most characters of notes.
pub const NOTES_CHARS_MAX: usize = 5_000;
/// The most characters of a tracking number, carrier or reason.
pub const LINE_CHARS_MAX: usize = 200;

/// What an item sells: a product, or one variant of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ItemSku {
    /// The product.
    pub product: ItemProductId,
    /// The variant, if one was named.
    pub variant: Option<ItemVariantId>,
}

/// One line of an order, as it was when the order was placed: later changes of the product leave it alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// What is sold.
    pub sold: ItemSku,
    /// The name of the product (and variant) then.
    pub name: String,
    /// The SKU then.
    pub sku: String,
    /// How many pieces.
    pub quantity: Quantity,
    /// The price a piece then.
    pub unit_price: Amount,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Its identifier.
    pub id: OrderId,
    /// Counts the orders of the account, from 1.
    pub number: i64,
    /// Where it stands.
    pub status: OrderStatus,
    /// How much of it has gone out.
    pub fulfillment_status: FulfillmentStatus,
    /// Who ordered.
    pub customer: CustomerId,
    /// What was ordered.
    pub items: Vec<Item>,
    /// What it costs, rounded to the currency's decimals.
    pub total: Amount,
    /// The currency of all its amounts.
    pub currency: Currency,
    /// What is owed back to the customer since a paid order was cancelled.
    pub refund_due: Amount,
    /// Who carries it.
    pub carrier: Option<String>,
    /// The carrier's number for it.
    pub tracking_number: Option<String>,
    /// Why it was cancelled.
    pub cancel_reason: Option<String>,
    /// For people.
    pub notes: Option<String>,
    /// The caller's own notes.
    pub metadata: Metadata,
    /// When it was placed.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was marked paid.
    pub paid_at: Option<Timestamp>,
    /// When it was shipped.
    pub shipped_at: Option<Timestamp>,
    /// When it was delivered.
    pub delivered_at: Option<Timestamp>,
    /// When it was cancelled.
    pub cancelled_at: Option<Timestamp>,
    /// Counts its changes, from 1.
    pub version: i64,
}

/// The number as people read it: `ORD-000123`.
#[must_use]
pub fn number_text(number: i64) -> String {
    format!("ORD-{number:06}")
}
