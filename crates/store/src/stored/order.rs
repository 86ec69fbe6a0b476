//! Orders.

mod terms;

use cfdi::tax::TaxRate;
use kernel::{Amount, Currency, Decimals, Measure, Metadata, Quantity, Timestamp};
use orders::{
    CustomerId, Discounted, FulfillmentStatus, InvoiceId, Item, ItemSku, Order, OrderDiscount,
    OrderId, OrderStatus, PriceListId, Shipping, ShippingAddress, WithheldStated,
    order::{ItemProductId, ItemVariantId},
    returns::ReturnedLine,
};
use serde::{Deserialize, Serialize};

use super::{
    document::TaxRateForm,
    forms::{Each, Form, Maybe, forms},
    product::is_by_the_piece,
};
pub(super) use terms::{DiscountForm, ShippingAddressForm};
use terms::{DiscountedForm, WithheldStatedForm, is_nothing, is_yes, yes};
pub(crate) use terms::{ItemTerms, OrderTerms};
pub(super) use terms::{OrderDiscountForm, ShippingForm};

forms!(
    FulfillmentStatusForm of FulfillmentStatus,
    ItemForm of Item,
    ItemSkuForm of ItemSku,
    OrderForm of Order,
    OrderStatusForm of OrderStatus,
    ReturnedLineForm of ReturnedLine,
);

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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subtotal: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<OrderDiscountForm>")]
    discount: Option<OrderDiscount>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<ShippingForm>")]
    shipping: Option<Shipping>,
    #[serde(default)]
    tax_total: Option<Amount>,
    total: Amount,
    currency: Currency,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amount_paid: Option<Amount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    amount_withheld: Option<Amount>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "Maybe::<WithheldStatedForm>"
    )]
    withheld_stated: Option<WithheldStated>,
    #[serde(default, skip_serializing_if = "is_nothing")]
    amount_refunded: Amount,
    #[serde(default, skip_serializing_if = "is_nothing")]
    returned_total: Amount,
    refund_due: Amount,
    carrier: Option<String>,
    tracking_number: Option<String>,
    cancel_reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    credit_note: Option<InvoiceId>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "Maybe::<ShippingAddressForm>"
    )]
    shipping_address: Option<ShippingAddress>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    channel: Option<String>,
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
pub(super) struct ItemForm {
    #[serde(with = "ItemSkuForm")]
    sold: ItemSku,
    name: String,
    sku: String,
    quantity: Quantity,
    unit_price: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    price_list: Option<PriceListId>,
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    tax_included: bool,
    #[serde(default, with = "Maybe::<Each<TaxRateForm>>")]
    taxes: Option<Vec<TaxRate>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<DiscountedForm>")]
    discount: Option<Discounted>,
    #[serde(default, skip_serializing_if = "is_nothing")]
    order_discount: Amount,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "is_none_of_it")]
    returned: Quantity,
    #[serde(default, skip_serializing_if = "is_by_the_piece")]
    decimals: Decimals,
}

/// A line that has come back, as it stands in the column `lines`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ReturnedLine")]
pub(super) struct ReturnedLineForm {
    line: usize,
    quantity: Measure,
    is_restocked: bool,
    amount: Amount,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_none_of_it(quantity: &Quantity) -> bool {
    *quantity == 0
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ItemSku")]
pub(super) struct ItemSkuForm {
    product: ItemProductId,
    variant: Option<ItemVariantId>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "OrderStatus", rename_all = "lowercase")]
pub(super) enum OrderStatusForm {
    Pending,
    Paid,
    Shipped,
    Delivered,
    Cancelled,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FulfillmentStatus", rename_all = "snake_case")]
pub(super) enum FulfillmentStatusForm {
    Unfulfilled,
    PartiallyFulfilled,
    Fulfilled,
}
