//! How the API shows an order.

mod terms;

use std::{fmt::Display, sync::Arc};

use kernel::{Amount, Currency, Decimals, Measure, Metadata, Timestamp};
use orders::{
    CustomerId, FulfillmentStatus, InvoiceId, Item, Order, OrderId, OrderStatus, PaymentStatus,
    PriceListId, Taken, WarehouseId, number_text,
    order::{ItemProductId, ItemVariantId},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{customers::CustomerBody, products::ProductBody, shapes, taxes::TaxBody},
};
use terms::ShippingAddressBody;
pub(in crate::resources) use terms::{DiscountBody, OrderDiscountBody, ShippingBody};

/// An order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Order)]
pub(in crate::resources) struct OrderBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    pub(super) id: OrderId,
    /// Your own identifier of the resource, unique among those of its kind.
    #[schema(max_length = 100)]
    external_id: Option<String>,
    /// Human-readable order number, sequential within the account.
    #[schema(example = "ORD-000123")]
    order_number: String,
    /// Current status.
    #[schema(value_type = shapes::OrderStatus)]
    status: OrderStatus,
    /// How much of the order has been shipped.
    #[schema(value_type = shapes::FulfillmentStatus)]
    fulfillment_status: FulfillmentStatus,
    /// The customer who placed the order.
    #[schema(value_type = String, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    pub(super) customer_id: CustomerId,
    /// With `expand` only: that customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) customer: Option<CustomerBody>,
    /// Order items, 1 to 500.
    pub(super) items: Vec<ItemBody>,
    /// What the items cost without discounts, with all taxes.
    #[schema(value_type = shapes::Amount)]
    subtotal: Amount,
    /// Discount on the whole order.
    discount: Option<OrderDiscountBody>,
    /// What all discounts take off, those of the items included.
    #[schema(value_type = shapes::Amount)]
    discount_total: Amount,
    /// Shipping that the customer pays for.
    shipping: Option<ShippingBody>,
    /// What the shipping costs.
    #[schema(value_type = shapes::Amount)]
    shipping_total: Amount,
    /// What of the total is tax; `null` for orders that were placed before orders kept their taxes.
    #[schema(value_type = Option<shapes::Amount>)]
    tax_total: Option<Amount>,
    /// What of the total a customer who withholds taxes pays to SAT instead once the order is invoiced: the rest pays the order in
    /// full. It is what the stamped invoice of the order states. Before that it follows from the products alone, also where the
    /// customer cannot withhold: a payment that states no amount asks a legal person for the rest, others for the total.
    #[schema(value_type = shapes::Amount)]
    withheld_total: Amount,
    /// Order total, rounded to the decimal places of its currency: `subtotal` less `discountTotal` plus `shippingTotal`.
    #[schema(value_type = shapes::Amount)]
    total_amount: Amount,
    /// What was paid.
    #[schema(value_type = shapes::Amount)]
    amount_paid: Amount,
    /// What of it was refunded.
    #[schema(value_type = shapes::Amount)]
    amount_refunded: Amount,
    /// What the goods that have come back are worth.
    #[schema(value_type = shapes::Amount)]
    returned_total: Amount,
    /// What is still to be paid, without what the stamped invoice of the order states as withheld; nothing of a cancelled order.
    /// Refunds do not make it due again.
    #[schema(value_type = shapes::Amount)]
    amount_due: Amount,
    /// How far the order is paid.
    #[schema(value_type = shapes::PaymentStatus)]
    payment_status: PaymentStatus,
    /// Currency of all amounts in the order, taken from its products.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// What the customer is owed: what was paid and not refunded beyond the total without the taxes that were withheld, or at all
    /// of a cancelled order.
    #[schema(value_type = shapes::Amount)]
    refund_due: Amount,
    /// Carrier that ships the order.
    carrier: Option<String>,
    /// Carrier's tracking number.
    tracking_number: Option<String>,
    /// Reason for the cancellation.
    cancel_reason: Option<String>,
    /// Credit note (`E`) that was drafted of what was never paid of it when it was cancelled, where its invoice is PPD.
    #[schema(value_type = Option<String>, example = "inv_01KG9C6G1J3M5P7R9T1V3X5Z7B")]
    credit_note_id: Option<InvoiceId>,
    /// Where the order is sent to.
    shipping_address: Option<ShippingAddressBody>,
    /// Where the order was sold.
    #[schema(example = "web")]
    channel: Option<String>,
    /// Free-text notes.
    notes: Option<String>,
    /// Arbitrary key-value pairs of your own.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When the order was paid.
    #[schema(value_type = Option<shapes::Timestamp>)]
    paid_at: Option<Timestamp>,
    /// When the order was shipped.
    #[schema(value_type = Option<shapes::Timestamp>)]
    shipped_at: Option<Timestamp>,
    /// When the order was delivered.
    #[schema(value_type = Option<shapes::Timestamp>)]
    delivered_at: Option<Timestamp>,
    /// When the order was cancelled.
    #[schema(value_type = Option<shapes::Timestamp>)]
    cancelled_at: Option<Timestamp>,
    /// When the order was placed.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A line item, recorded as it was when the order was placed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OrderItem)]
pub(super) struct ItemBody {
    /// Product ordered.
    #[schema(value_type = String, example = "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8")]
    pub(super) product_id: ItemProductId,
    /// With `expand` only: that product as it is now, unless it was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ProductBody>)]
    pub(super) product: Option<Arc<ProductBody>>,
    /// Variant ordered, if any.
    #[schema(value_type = Option<String>, example = "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9")]
    variant_id: Option<ItemVariantId>,
    /// Name of the product and variant when the order was placed.
    name: String,
    /// SKU when the order was placed.
    sku: String,
    /// Quantity ordered.
    #[schema(value_type = shapes::Quantity)]
    quantity: Measure,
    /// Unit price when the order was placed.
    #[schema(value_type = shapes::Amount)]
    unit_price: Amount,
    /// Price list that the unit price is from; `null` where the order, its quote or the product said it.
    #[schema(value_type = Option<String>, example = "pls_01KGC7A3C5E7G9J1M3P5R7T9V1")]
    price_list_id: Option<PriceListId>,
    /// Whether the unit price has the taxes inside; otherwise they are added to it.
    tax_included: bool,
    /// Taxes when the order was placed; `null` for orders that were placed before orders kept them.
    taxes: Option<Vec<TaxBody>>,
    /// Discount on the item.
    discount: Option<DiscountBody>,
    /// What the discount and the item's share of the discount on the order take off, stated as the unit price is.
    #[schema(value_type = shapes::Amount)]
    discount_amount: Amount,
    /// The item's share of the discount on the order.
    #[schema(value_type = shapes::Amount)]
    order_discount: Amount,
    /// Free-text note.
    note: Option<String>,
    /// Unit price multiplied by quantity.
    #[schema(value_type = shapes::Amount)]
    line_total: Amount,
    /// What of the order's total is paid for the item: after discounts, with all taxes.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// Quantity that has come back.
    #[schema(value_type = shapes::Quantity)]
    returned_quantity: Measure,
    /// With `expand` only: which warehouses hold the units that are promised to the order and not shipped yet; none once it
    /// is `shipped` or `cancelled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    allocations: Option<Vec<AllocationBody>>,
    #[serde(skip)]
    decimals: Decimals,
}

/// Units of an item that lie in a warehouse.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OrderAllocation)]
struct AllocationBody {
    /// Warehouse that they are promised from.
    #[schema(value_type = String, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    warehouse_id: WarehouseId,
    /// How many units.
    #[schema(value_type = shapes::Quantity)]
    quantity: Measure,
}

impl Resource for OrderBody {
    type Thing = Order;

    const PATH: &'static str = "/orders";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }

    fn weight(order: &Order) -> usize {
        1 + order.items.len()
    }
}

impl OrderBody {
    /// How many lines there are to write, those of products that are shown at the items among them.
    pub(super) fn lines(&self) -> usize {
        let products = self.items.iter().filter_map(|item| item.product.as_deref());
        1 + self.items.len() + products.map(ProductBody::lines).sum::<usize>()
    }

    /// Shows where what is promised to it and was not shipped yet lies.
    pub(super) fn allocate(&mut self, parts: Vec<Taken>) {
        for item in &mut self.items {
            item.allocations = Some(Vec::new());
        }
        for Taken { line, warehouse, quantity } in parts {
            let Some(item) = self.items.get_mut(line) else { continue };
            let quantity = Measure::of(quantity, item.decimals);
            let part = AllocationBody { warehouse_id: warehouse, quantity };
            item.allocations.get_or_insert_default().push(part);
        }
    }
}

impl From<Order> for OrderBody {
    fn from(order: Order) -> Self {
        let totals = order.item_totals();
        let (subtotal, discount_total) = (order.subtotal(), order.discount_total());
        let (shipping_total, amount_paid) = (order.shipping_total(), order.amount_paid());
        let (amount_due, payment_status) = (order.amount_due(), order.payment_status());
        let withheld_total = order.withheld_total();
        let items = order.items.into_iter().zip(totals);
        Self {
            id: order.id,
            external_id: order.external_id,
            order_number: number_text(order.number),
            status: order.status,
            fulfillment_status: order.fulfillment_status,
            customer_id: order.customer,
            customer: None,
            items: items.map(|(item, total)| ItemBody::new(item, total)).collect(),
            subtotal,
            discount: order.discount.map(OrderDiscountBody::from),
            discount_total,
            shipping: order.shipping.map(ShippingBody::from),
            shipping_total,
            tax_total: order.tax_total,
            withheld_total,
            total_amount: order.total,
            amount_paid,
            amount_refunded: order.amount_refunded,
            returned_total: order.returned_total,
            amount_due,
            payment_status,
            currency: order.currency,
            refund_due: order.refund_due,
            carrier: order.carrier,
            tracking_number: order.tracking_number,
            cancel_reason: order.cancel_reason,
            credit_note_id: order.credit_note,
            shipping_address: order.shipping_address.map(ShippingAddressBody::from),
            channel: order.channel,
            notes: order.notes,
            metadata: order.metadata,
            paid_at: order.paid_at,
            shipped_at: order.shipped_at,
            delivered_at: order.delivered_at,
            cancelled_at: order.cancelled_at,
            created_at: order.created_at,
            updated_at: order.updated_at,
            version: order.version,
        }
    }
}

impl ItemBody {
    /// An item of which so much is paid.
    fn new(item: Item, total: Amount) -> Self {
        Self {
            total,
            returned_quantity: item.measure(item.returned),
            decimals: item.decimals,
            allocations: None,
            discount_amount: item.taken_off(),
            quantity: item.ordered(),
            line_total: item.line_total(),
            product_id: item.sold.product,
            product: None,
            variant_id: item.sold.variant,
            name: item.name,
            sku: item.sku,
            unit_price: item.unit_price,
            price_list_id: item.price_list,
            tax_included: item.tax_included,
            taxes: item.taxes.map(|taxes| taxes.into_iter().map(TaxBody::from).collect()),
            discount: item.discount.map(DiscountBody::from),
            order_discount: item.order_discount,
            note: item.note,
        }
    }
}
