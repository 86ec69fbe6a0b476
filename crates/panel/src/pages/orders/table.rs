//! Orders as a table.

use std::sync::Arc;

use crm::Customers;
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
    pages::{
        named::{Named, customers_of, named},
        shop::{fulfillment_name, status_name},
    },
    reply::answered,
    sort::{self, Sorted},
};

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("orders.csv", READ, show)]
}

/// An order with the name of its customer, and with what of it depends on who pays it.
struct Row {
    order: Order,
    customer: Option<String>,
    due: Amount,
    left_out: Amount,
}

/// A page of orders, each with its customer and with what is owed of it.
async fn with_due(
    listing: Pending<Result<Rows<Order>, Fault>>,
    payments: Arc<dyn Payments>,
    customers: Option<Arc<dyn Customers>>,
    account: AccountId,
) -> Result<Rows<Row>, Failure> {
    let listed = answered(listing).await?;
    let owing = Owing::of(&*payments, account, &listed.items).await?;
    let customer = |order: &Order| Some(order.customer.to_u128());
    let listed = named(listed, customers, account, customer).await?;
    let row = |Named { row: order, customer }: Named<Order>| {
        let (due, left_out) = (owing.due(&order), owing.left_out(&order));
        Row { order, customer, due, left_out }
    };
    Ok(listed.map(row))
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query, zone);
    let sort = Sorted::asked(&call.query, sort::RECORDS).sorting;
    let customers = customers_of(&call);
    let currency = |row: &Row| row.order.currency;
    let table = Table::reading(move |services, account, page| {
        let query = OrderQuery { filter: filter.clone(), sort, page };
        let listing = services.orders.list(account, query);
        let customers = customers.clone();
        Box::pin(with_due(listing, Arc::clone(&services.payments), customers, account))
    })
    .column(say.order(), |row: &Row| number_text(row.order.number))
    .column(say.identifier(), |row| row.order.id.to_string())
    .moment(say.date(), zone, |row| row.order.created_at)
    .optional(say.customer(), |row| row.customer.clone())
    .column(csv::id_of(say.customer()), |row| row.order.customer.to_string())
    .column(say.state(), move |row| status_name(say, row.order.status).to_owned())
    .column(say.fulfillment(), move |row| {
        fulfillment_name(say, row.order.fulfillment_status).to_owned()
    })
    .column(say.currency(), |row| row.order.currency.to_string())
    .money(say.total(), currency, |row| row.order.total)
    .money(say.paid(), currency, |row| row.order.amount_paid())
    .money(say.due(), currency, |row| row.due)
    .optional(say.tracking_number(), |row| row.order.tracking_number.clone())
    .optional(say.external_id(), |row| row.order.external_id.clone())
    .optional(say.notes(), |row| row.order.notes.clone())
    .money(say.taxes_withheld(), currency, |row| row.left_out)
    .money(say.returned_goods(), currency, |row| row.order.returned_total)
    .money(say.refunded(), currency, |row| row.order.amount_refunded);
    csv::sent(&call, "orders.csv", table)
}
