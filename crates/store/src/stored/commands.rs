//! Commands that wait for an approval.

use cfdi::tax::TaxRate;
use invoices::{CancelInvoice, CancelReason, InvoiceId};
use kernel::{Amount, Currency, Measure, Metadata};
use orders::{
    Agreed, CustomerId, Discount, FulfillmentStatus, ItemSku, OrderChanges, OrderId, OrderStatus,
    PlaceDiscount, PlaceItem, PlaceOrder, PlaceShipping, PriceListId, ReviseOrder, ShippingAddress,
    WarehouseId,
};
use serde::{Deserialize, Serialize};

use super::{
    document::TaxRateForm,
    forms::{Each, Form, Maybe, forms},
    order::{
        DiscountForm, FulfillmentStatusForm, ItemSkuForm, OrderStatusForm, ShippingAddressForm,
    },
};

forms!(
    AgreedForm of Agreed,
    CancelInvoiceForm of CancelInvoice,
    OrderChangesForm of OrderChanges,
    PlaceDiscountForm of PlaceDiscount,
    PlaceItemForm of PlaceItem,
    PlaceOrderForm of PlaceOrder,
    PlaceShippingForm of PlaceShipping,
    ReviseOrderForm of ReviseOrder,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "PlaceOrder")]
pub(super) struct PlaceOrderForm {
    external_id: Option<String>,
    customer: CustomerId,
    #[serde(with = "Each::<PlaceItemForm>")]
    items: Vec<PlaceItem>,
    #[serde(default, with = "Maybe::<PlaceDiscountForm>")]
    discount: Option<PlaceDiscount>,
    #[serde(default, with = "Maybe::<PlaceShippingForm>")]
    shipping: Option<PlaceShipping>,
    #[serde(default, with = "Maybe::<ShippingAddressForm>")]
    shipping_address: Option<ShippingAddress>,
    channel: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warehouse: Option<WarehouseId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    price_list: Option<PriceListId>,
    notes: Option<String>,
    metadata: Metadata,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PlaceItem")]
struct PlaceItemForm {
    #[serde(with = "ItemSkuForm")]
    wanted: ItemSku,
    quantity: Measure,
    unit_price: Option<Amount>,
    #[serde(default, with = "Maybe::<DiscountForm>")]
    discount: Option<Discount>,
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<AgreedForm>")]
    agreed: Option<Agreed>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Agreed")]
struct AgreedForm {
    currency: Currency,
    tax_included: bool,
    #[serde(with = "Each::<TaxRateForm>")]
    taxes: Vec<TaxRate>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PlaceDiscount")]
struct PlaceDiscountForm {
    #[serde(with = "DiscountForm")]
    asked: Discount,
    reason: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PlaceShipping")]
struct PlaceShippingForm {
    name: String,
    amount: Amount,
    #[serde(default, with = "Maybe::<Each<TaxRateForm>>")]
    taxes: Option<Vec<TaxRate>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ReviseOrder")]
pub(super) struct ReviseOrderForm {
    id: OrderId,
    version: Option<i64>,
    #[serde(with = "OrderChangesForm")]
    changes: OrderChanges,
}

/// What is not changed is absent, what is cleared `null`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "OrderChanges")]
struct OrderChangesForm {
    #[serde(default, skip_serializing_if = "Option::is_none", with = "cleared")]
    external_id: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<OrderStatusForm>")]
    status: Option<OrderStatus>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        with = "Maybe::<FulfillmentStatusForm>"
    )]
    fulfillment_status: Option<FulfillmentStatus>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "cleared")]
    tracking_number: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "cleared")]
    carrier: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    refund: bool,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "cleared_address")]
    shipping_address: Option<Option<ShippingAddress>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "cleared")]
    channel: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "cleared")]
    notes: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata>,
}

/// A text that may be cleared.
mod cleared {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        change: &Option<Option<String>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        change.as_ref().and_then(Option::as_ref).serialize(serializer)
    }

    #[expect(clippy::option_option, reason = "the outer one is the change")]
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<String>>, D::Error> {
        Option::deserialize(deserializer).map(Some)
    }
}

/// An address that may be cleared.
mod cleared_address {
    use orders::ShippingAddress;
    use serde::{Deserializer, Serializer};

    use super::{Form, Maybe, ShippingAddressForm};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        change: &Option<Option<ShippingAddress>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let address = change.as_ref().and_then(Option::as_ref).cloned();
        Maybe::<ShippingAddressForm>::serialize(&address, serializer)
    }

    #[expect(clippy::option_option, reason = "the outer one is the change")]
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<ShippingAddress>>, D::Error> {
        Maybe::<ShippingAddressForm>::deserialize(deserializer).map(Some)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CancelInvoice")]
pub(super) struct CancelInvoiceForm {
    id: InvoiceId,
    reason: CancelReason,
    replacement_uuid: Option<String>,
}
