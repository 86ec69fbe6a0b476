//! Orders as a table.

use std::sync::Arc;

use kernel::{AccountId, Amount, Fault, Page as Rows, Pending};
use orders::{Order, OrderQuery, number_text};
use payments::Payments;

use super::{READ, filter, owing::Owing};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    page::Page,
    reply::answered,
    sort::{self, Sorted},
};

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("orders.csv", READ, show)]
}

/// A page of orders, each with what is owed of it.
async fn with_due(
    listing: Pending<Result<Rows<Order>, Fault>>,
    payments: Arc<dyn Payments>,
    account: AccountId,
) -> Result<Rows<(Amount, Order)>, Failure> {
    let listed = answered(listing).await?;
    let owing = Owing::of(&*payments, account, &listed.items).await?;
    Ok(listed.map(|order| (owing.due(&order), order)))
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query, zone);
    let sort = Sorted::asked(&call.query, sort::RECORDS).sorting;
    let table = Table::reading(move |services, account, page| {
        let query = OrderQuery { filter: filter.clone(), sort, page };
        let listing = services.orders.list(account, query);
        Box::pin(with_due(listing, Arc::clone(&services.payments), account))
    })
    .column(say.order(), |(_, order): &(Amount, Order)| number_text(order.number))
    .column("id", |(_, order)| order.id.to_string())
    .moment(say.date(), zone, |(_, order)| order.created_at)
    .column("customerId", |(_, order)| order.customer.to_string())
    .column(say.state(), |(_, order)| order.status.name().to_owned())
    .column(say.fulfillment(), |(_, order)| order.fulfillment_status.name().to_owned())
    .column(say.currency(), |(_, order)| order.currency.to_string())
    .column(say.total(), |(_, order)| order.total.to_string())
    .column(say.paid(), |(_, order)| order.amount_paid().to_string())
    .column(say.due(), |(due, _)| due.to_string())
    .optional(say.tracking_number(), |(_, order)| order.tracking_number.clone())
    .optional(say.external_id(), |(_, order)| order.external_id.clone())
    .optional(say.notes(), |(_, order)| order.notes.clone());
    csv::sent(&call, "orders.csv", table)
}
