//! What the orders' endpoints read.

mod reallocation;
mod terms;

pub(super) use reallocation::REALLOCATE;
pub(in crate::resources) use terms::{order_discount, shipping};

use catalog::product::checked_price;
use intake::{
    Check, Fields, Form,
    checks::{flag, id, line, metadata, moment, number, objects, one_of, paragraph, some_units},
    noun,
};
use kernel::{quantity::QUANTITY_MAX, search::Words};
use orders::{
    CustomerId, FulfillmentStatus, ItemSku, OrderChanges, OrderFilter, OrderId, OrderQuery,
    OrderStatus, PaymentStatus, PlaceItem, PlaceOrder, PriceListId, WarehouseId, number_in,
    order::{ITEMS_MAX, ItemProductId, ItemVariantId, LINE_CHARS_MAX, NOTES_CHARS_MAX},
};

use super::examples;
use crate::{filters, page::page_request_of};

pub(super) const LIST: Form<OrderQuery> = Form::query(read_query);
pub(super) const PLACE: Form<PlaceOrder> =
    Form::body("PlaceOrder", noun("an order", "un pedido"), read_order, examples::PLACE);
pub(super) const UPDATE: Form<OrderChanges> =
    Form::body("UpdateOrder", noun("an order", "un pedido"), read_changes, examples::UPDATE);

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &[
    "id",
    "orderNumber",
    "subtotal",
    "discountTotal",
    "shippingTotal",
    "taxTotal",
    "withheldTotal",
    "totalAmount",
    "amountPaid",
    "amountRefunded",
    "returnedTotal",
    "amountDue",
    "paymentStatus",
    "currency",
    "refundDue",
    "cancelReason",
    "creditNoteId",
    "paidAt",
    "shippedAt",
    "deliveredAt",
    "cancelledAt",
    "createdAt",
    "updatedAt",
];
const WAREHOUSE: &str =
    "The only warehouse that the order may take from; as the stock settings have it by default.";
const PRICE_LIST: &str = "The only price list that counts for the order, whomever it is for; its currency is that of the order. \
    Without it, those count that hold for the customer.";
/// The only statuses that a new order may state.
const FIRST_STATUS: &[OrderStatus] = &[OrderStatus::Pending];
const FIRST_FULFILLMENT: &[FulfillmentStatus] = &[FulfillmentStatus::Unfulfilled];

fn read_query(fields: &mut Fields<'_>) -> Option<OrderQuery> {
    let found = filters::search(
        fields,
        |text| Ok(Words::parse(text)?.or_numbers(number_in)),
        "Order number, or words in the customer's name, email address, phone number or RFC, in SKUs, the tracking \
         number or the notes. Every word must match the beginning of one, in any order; accents and case are ignored.",
    );
    let filter = OrderFilter {
        ids: filters::ids(fields, noun("an order", "un pedido"), OrderId::PREFIX, OrderId::parse),
        external_id: filters::by_external_id(fields),
        status: fields.change(
            "status",
            one_of(OrderStatus::EVERY, OrderStatus::name).about("Filter by status."),
        ),
        fulfillment: fields.change(
            "fulfillmentStatus",
            one_of(FulfillmentStatus::EVERY, FulfillmentStatus::name)
                .about("Filter by how much has gone out."),
        ),
        payment: fields.change(
            "paymentStatus",
            one_of(PaymentStatus::EVERY, PaymentStatus::name)
                .about("Filter by how far orders are paid."),
        ),
        invoiced: fields.change(
            "invoiced",
            flag().about("Whether there is an invoice of the order, were it a draft."),
        ),
        customer: fields.change(
            "customerId",
            id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse)
                .about("Filter by customer."),
        ),
        created_from: fields
            .change("createdFrom", moment().about("Only orders placed at or after this time.")),
        created_to: fields
            .change("createdTo", moment().about("Only orders placed before this time.")),
        paid_from: None,
        to_invoice: false,
        updated_since: filters::updated_since(fields),
        search: found,
        metadata: filters::metadata(fields),
    };
    let created = [("createdFrom", filter.created_from), ("createdTo", filter.created_to)];
    filters::refuse_backwards(fields, created);
    let (sort, name) = filters::record_sort(fields);
    Some(OrderQuery { filter, sort, page: page_request_of(fields, name, OrderId::PREFIX) })
}

fn read_order(fields: &mut Fields<'_>) -> Option<PlaceOrder> {
    let customer = fields.required(
        "customerId",
        id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse),
    );
    let items =
        fields.required("items", objects(noun("an item", "una partida"), 1..=ITEMS_MAX, read_item));
    let external_id = fields.optional("externalId", filters::external_id());
    let discount = fields.optional("discount", terms::order_discount());
    let shipping = fields.optional("shipping", terms::shipping());
    let shipping_address = fields.optional("shippingAddress", terms::shipping_address());
    let channel = fields.optional("channel", terms::channel());
    let place = id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse);
    let warehouse = fields.optional("warehouseId", place.about(WAREHOUSE));
    let list = noun("a price list", "una lista de precios");
    let list = id(list, PriceListId::PREFIX, PriceListId::parse);
    let price_list = fields.optional("priceListId", list.about(PRICE_LIST));
    let notes = fields.optional("notes", paragraph(NOTES_CHARS_MAX));
    let metadata = fields.optional("metadata", metadata());
    fields.optional("status", one_of(FIRST_STATUS, OrderStatus::name));
    fields.optional("fulfillmentStatus", one_of(FIRST_FULFILLMENT, FulfillmentStatus::name));
    fields.not_yet(&["carrier", "trackingNumber"]);
    fields.read_only(READ_ONLY);
    Some(PlaceOrder {
        external_id,
        customer: customer?,
        items: items?,
        discount,
        shipping,
        shipping_address,
        channel,
        warehouse,
        price_list,
        notes,
        metadata: metadata.unwrap_or_default(),
    })
}

pub(in crate::resources) fn read_item(fields: &mut Fields<'_>) -> Option<PlaceItem> {
    let product = fields.required(
        "productId",
        id(noun("a product", "un producto"), ItemProductId::PREFIX, ItemProductId::parse),
    );
    let variant = fields.optional(
        "variantId",
        id(noun("a variant", "una variante"), ItemVariantId::PREFIX, ItemVariantId::parse),
    );
    let quantity = fields.required("quantity", some_units(QUANTITY_MAX));
    let unit_price = fields.optional(
        "unitPrice",
        number(Some(0), checked_price)
            .about("Another unit price than that of the price lists or the product."),
    );
    let discount = fields.optional("discount", terms::discount());
    let note = fields.optional("note", line(LINE_CHARS_MAX));
    fields.read_only(&[
        "name",
        "sku",
        "lineTotal",
        "priceListId",
        "taxIncluded",
        "taxes",
        "discountAmount",
        "orderDiscount",
        "total",
        "returnedQuantity",
    ]);
    let wanted = ItemSku { product: product?, variant };
    Some(PlaceItem { wanted, quantity: quantity?, unit_price, discount, note, agreed: None })
}

fn read_changes(fields: &mut Fields<'_>) -> Option<OrderChanges> {
    let changes = OrderChanges {
        external_id: fields.patch("externalId", filters::external_id()),
        status: fields.change("status", one_of(OrderStatus::EVERY, OrderStatus::name)),
        fulfillment_status: fields
            .change("fulfillmentStatus", one_of(FulfillmentStatus::EVERY, FulfillmentStatus::name)),
        tracking_number: fields.patch("trackingNumber", line(LINE_CHARS_MAX)),
        carrier: fields.patch("carrier", line(LINE_CHARS_MAX)),
        reason: fields.optional(
            "reason",
            line(LINE_CHARS_MAX).about(
                "Reason for the cancellation. Required with `\"status\": \"cancelled\"` and not \
                 allowed otherwise.",
            ),
        ),
        refund: fields
            .optional(
                "refund",
                flag().about(
                    "`true` confirms that the total of a paid order is to be refunded when it is \
                     cancelled.",
                ),
            )
            .unwrap_or_default(),
        shipping_address: fields.patch("shippingAddress", terms::shipping_address()),
        channel: fields.patch("channel", terms::channel()),
        notes: fields.patch("notes", paragraph(NOTES_CHARS_MAX)),
        metadata: fields.patch("metadata", metadata()).map(Option::unwrap_or_default),
    };
    fields.read_only(&["customerId", "items", "discount", "shipping"]);
    fields.read_only(READ_ONLY);
    Some(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(PLACE.read_body(examples::PLACE.as_bytes()).is_ok());
        assert!(PLACE.read_body(examples::ORDER.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::ORDER.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::PAID_ORDER.as_bytes()).is_ok());
    }
}
