//! Orders.

use kernel::{Amount, Currency, Metadata, Quantity, Timestamp};
use orders::{
    CustomerId, FulfillmentStatus, Item, ItemSku, Order, OrderId, OrderStatus,
    order::{ItemProductId, ItemVariantId},
};
use serde::{Deserialize, Serialize};

use super::forms::{Each, Form, forms};

forms!(OrderForm of Order, ItemForm of Item);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Order")]
pub(super) struct OrderForm {
    id: OrderId,
    external_id: Option<String>,
    number: i64,
    #[serde(with = "OrderStatusForm")]
    status: OrderStatus,
    #[serde(with = "FulfillmentStatusForm")]
    fulfillment_status: FulfillmentStatus,
    customer: CustomerId,
    #[serde(with = "Each::<ItemForm>")]
    items: Vec<Item>,
    total: Amount,
    currency: Currency,
    refund_due: Amount,
    carrier: Option<String>,
    tracking_number: Option<String>,
    cancel_reason: Option<String>,
    notes: Option<String>,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
    paid_at: Option<Timestamp>,
    shipped_at: Option<Timestamp>,
    delivered_at: Option<Timestamp>,
    cancelled_at: Option<Timestamp>,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Item")]
struct ItemForm {
    #[serde(with = "ItemSkuForm")]
    sold: ItemSku,
    name: String,
    sku: String,
    quantity: Quantity,
    unit_price: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ItemSku")]
struct ItemSkuForm {
    product: ItemProductId,
    variant: Option<ItemVariantId>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "OrderStatus", rename_all = "lowercase")]
enum OrderStatusForm {
    Pending,
    Paid,
    Shipped,
    Delivered,
    Cancelled,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FulfillmentStatus", rename_all = "snake_case")]
enum FulfillmentStatusForm {
    Unfulfilled,
    PartiallyFulfilled,
    Fulfilled,
}
