//! Orders as a table.

use orders::{Order, OrderQuery, number_text};

use super::{READ, filter};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    page::Page,
    sort::{self, Sorted},
};

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("orders.csv", READ, show)]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query, zone);
    let sort = Sorted::asked(&call.query, sort::RECORDS).sorting;
    let table = Table::new(move |services, account, page| {
        services.orders.list(account, OrderQuery { filter: filter.clone(), sort, page })
    })
    .column(say.order(), |order: &Order| number_text(order.number))
    .column("id", |order| order.id.to_string())
    .moment(say.date(), zone, |order| order.created_at)
    .column("customerId", |order| order.customer.to_string())
    .column(say.state(), |order| order.status.name().to_owned())
    .column(say.fulfillment(), |order| order.fulfillment_status.name().to_owned())
    .column(say.currency(), |order| order.currency.to_string())
    .column(say.total(), |order| order.total.to_string())
    .column(say.paid(), |order| order.amount_paid().to_string())
    .column(say.due(), |order| order.amount_due().to_string())
    .optional(say.tracking_number(), |order| order.tracking_number.clone())
    .optional(say.external_id(), |order| order.external_id.clone())
    .optional(say.notes(), |order| order.notes.clone());
    csv::sent(&call, "orders.csv", table)
}
