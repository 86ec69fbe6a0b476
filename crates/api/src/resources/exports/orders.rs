//! `/orders/export`.

use std::borrow::Cow;

use accounts::Scope;
use imports::Value;
use intake::{
    Check, Fields, Form,
    checks::{id, moment, one_of},
    noun,
};
use kernel::{
    Amount, Page, PageRequest, Timestamp,
    page::{RecordSort, Sorting},
};
use orders::{
    CustomerId, Order, OrderFilter, OrderId, OrderQuery, OrderStatus, Portion, order::number_text,
};

use super::{Exported, MEDIA_TYPES, export, format};
use crate::{
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::ApiError,
    filters,
    reply::answered,
    resources::orders::Few,
    table::Format,
};

const QUERY: Form<(Orders, Format)> = Form::query(read);

/// Which orders.
struct Orders {
    filter: OrderFilter,
    /// Those of the last page that are still to be read.
    left: Vec<OrderId>,
}

pub(super) fn endpoint() -> Endpoint {
    let handler = taking(query(QUERY), |call, (wanted, format)| export(call, wanted, format));
    Endpoint::get("/orders/export", Scope::Orders, handler)
        .summary("Export orders")
        .describes(
            "Every order, a row for each of its items, as one table, the oldest first: CSV for spreadsheets (UTF-8 with a \
             mark, decimal points), or JSON Lines. What is of the order as a whole stands in each of its rows; sum up \
             `totalAmount` where `line` is 1.",
        )
        .answers_file(MEDIA_TYPES, "The orders.")
}

fn read(fields: &mut Fields<'_>) -> Option<(Orders, Format)> {
    let status = one_of(OrderStatus::EVERY, OrderStatus::name);
    let customer = id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse);
    let filter = OrderFilter {
        status: fields.change("status", status.about("Filter by status.")),
        customer: fields.change("customerId", customer.about("Filter by customer.")),
        created_from: fields
            .change("createdFrom", moment().about("Only orders placed at this moment or later.")),
        created_to: fields
            .change("createdTo", moment().about("Only orders placed before this moment.")),
        ..OrderFilter::default()
    };
    let created = [("createdFrom", filter.created_from), ("createdTo", filter.created_to)];
    filters::refuse_backwards(fields, created);
    Some((Orders { filter, left: Vec::new() }, format(fields)))
}

impl Exported for Orders {
    type Resource = Order;

    const FILE: &'static str = "orders";

    fn columns() -> Vec<&'static str> {
        vec![
            "orderNumber",
            "id",
            "externalId",
            "createdAt",
            "status",
            "fulfillmentStatus",
            "customerId",
            "line",
            "productId",
            "variantId",
            "sku",
            "name",
            "quantity",
            "unitPrice",
            "returnedQuantity",
            "currency",
            "totalAmount",
            "taxTotal",
            "amountPaid",
            "amountRefunded",
            "channel",
            "carrier",
            "trackingNumber",
            "notes",
            "paidAt",
            "shippedAt",
            "deliveredAt",
            "cancelledAt",
            "lineTotal",
            "discountAmount",
            "subtotal",
            "discountTotal",
            "shippingTotal",
            "returnedTotal",
            "amountDue",
            "refundDue",
            "paymentStatus",
        ]
    }

    async fn read(
        &mut self,
        call: &Call,
        page: PageRequest,
        ascending: bool,
    ) -> Result<Page<Order>, ApiError> {
        let sort = Sorting { by: RecordSort::CreatedAt, ascending };
        let query = OrderQuery { filter: self.filter.clone(), sort, page };
        let read = call.services().orders.portion(call.account, query);
        let Portion { page, rest } = answered(read).await?;
        self.left = rest;
        Ok(page)
    }

    async fn read_left(&mut self, call: &Call) -> Result<Vec<Order>, ApiError> {
        while let Some(few) = Few::of(&mut self.left) {
            let query = few.query(self.filter.clone());
            let read = call.services().orders.list(call.account, query);
            let orders = few.in_order(answered(read).await?.items);
            // Those that are not wanted any more are left out, perhaps all of these.
            if !orders.is_empty() {
                return Ok(orders);
            }
        }
        Ok(Vec::new())
    }

    fn number(order: &Order) -> u128 {
        order.id.to_u128()
    }

    fn rows(order: &Order) -> usize {
        order.items.len()
    }

    fn row<'r>(&self, order: &'r Order, place: usize) -> Vec<Value<'r>> {
        let owned = |text: String| Value::Text(Cow::Owned(text));
        let text = |text: Option<&String>| text.map_or(Value::None, |text| owned(text.clone()));
        let amount = |amount: Amount| Value::Number(amount.to_string());
        let moment = |at: Timestamp| owned(at.to_millis().to_string());
        let maybe = |at: Option<Timestamp>| at.map_or(Value::None, moment);
        let Some(item) = order.items.get(place) else { return Vec::new() };
        let variant = item.sold.variant.map(|id| id.to_string());
        vec![
            owned(number_text(order.number)),
            owned(order.id.to_string()),
            order.external_id.as_ref().map_or(Value::None, |id| Value::Code(Cow::Borrowed(id))),
            moment(order.created_at),
            owned(order.status.name().to_owned()),
            owned(order.fulfillment_status.name().to_owned()),
            owned(order.customer.to_string()),
            Value::Number((place + 1).to_string()),
            owned(item.sold.product.to_string()),
            text(variant.as_ref()),
            Value::Code(Cow::Borrowed(&item.sku)),
            Value::Text(Cow::Borrowed(&item.name)),
            Value::Number(item.ordered().to_string()),
            amount(item.unit_price),
            Value::Number(item.measure(item.returned).to_string()),
            owned(order.currency.to_string()),
            amount(order.total),
            order.tax_total.map_or(Value::None, amount),
            amount(order.amount_paid()),
            amount(order.amount_refunded),
            text(order.channel.as_ref()),
            text(order.carrier.as_ref()),
            text(order.tracking_number.as_ref()),
            text(order.notes.as_ref()),
            maybe(order.paid_at),
            maybe(order.shipped_at),
            maybe(order.delivered_at),
            maybe(order.cancelled_at),
            amount(item.line_total()),
            amount(item.taken_off()),
            amount(order.subtotal()),
            amount(order.discount_total()),
            amount(order.shipping_total()),
            amount(order.returned_total),
            amount(order.amount_due()),
            amount(order.refund_due),
            owned(order.payment_status().name().to_owned()),
        ]
    }
}
