//! Orders: listed and filtered.

mod acts;
mod address;
mod bulk;
mod buyer;
mod detail;
mod edit;
mod history;
mod new;
mod once_told;
mod owing;
mod print;
mod reallocating;
mod returning;
mod shipment;
mod shipping;
mod summing;
mod table;

use std::collections::HashMap;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::CustomerId;
use kernel::Page as Rows;
use orders::{
    FulfillmentStatus, Order, OrderFilter, OrderId, OrderQuery, OrderStatus, PaymentStatus,
    number_in, number_text,
};

pub(super) use self::{
    acts::unchanged,
    buyer::meant,
    owing::Owing,
    shipping::unshipped,
    summing::{Summed, SumsCard, previewed, read_so_far},
};
use super::{
    linked::nothing_yet,
    named::names,
    shop::{fulfillment_name, fulfillment_pill, payment_name, status_name, status_pill, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{moment, money},
    layout::Sheet,
    list,
    page::{Group, Page, Waiting},
    parts::{Empty, Filters, Many, Moment, Pager, Pill},
    reply::answered,
    sort::{self, Column, SortHead, Sorted},
    texts::Say,
};

const READ: Right = Right::read(Scope::Orders);
const PATH: &str = "orders";
/// As the filter by invoice says of what is still to be invoiced.
pub(super) const TO_INVOICE: &str = "due";
/// The names of what a query narrows the list by.
const NARROWED_BY: &[&str] =
    &["status", "fulfillment", "payment", "invoiced", "customer", "from", "to", "paidFrom", "q"];

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Sell, "shopping-cart", Say::orders)
            .key("o")
            .list()
            .counting(Waiting::Orders),
    ];
    [
        own,
        new::pages(),
        detail::pages(),
        acts::pages(),
        returning::pages(),
        shipping::pages(),
        edit::pages(),
        reallocating::pages(),
        shipment::pages(),
        print::pages(),
        table::pages(),
        bulk::pages(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[derive(Template)]
#[template(path = "orders/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    by_date: SortHead,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
    /// What is done about those that are ticked, or about all.
    many: Option<Many>,
}

/// An order in a list.
pub(super) struct Line {
    id: OrderId,
    pub(super) number: String,
    pub(super) href: String,
    pub(super) placed: Moment,
    customer: String,
    pub(super) status: Pill,
    pub(super) fulfillment: Pill,
    pub(super) total: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let zone = call.zone();
    let filter = filter(&call.query, zone);
    let is_filtered = filter != OrderFilter::default();
    let sorted = Sorted::asked(&call.query, sort::RECORDS);
    let query = OrderQuery { filter, sort: sorted.sorting, page: sorted.page(&call.query) };
    let listed = answered(call.services().orders.list(call.account(), query)).await?;
    let total = list::counted(say, listed.total);
    let many = Many::of(say, bulk::offered(&call), &call.query, NARROWED_BY, listed.total);
    let tickets = call.href("orders/selected/tickets");
    let many = many.map(|many| many.printed(tickets, say.print_selected()));
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let lines = lines(&call, listed, zone).await?;
    // Where the list is of one customer, each of its orders names them.
    let filters = filters(&call, total, lines.first().map(|line| line.customer.as_str()));
    let empty = lines.is_empty().then(|| nothing(&call, is_filtered));
    let by_date = Column::moments("createdAt", say.date());
    let by_date = sorted.head(&call.href(PATH), &call.query, &by_date);
    let body = Listed { say, filters, by_date, lines, empty, pager, many };
    let sheet = Sheet::new(say.orders(), &body);
    let sheet = match call.may(new::WRITE) {
        true => sheet.action(say.new_order(), call.href("orders/new")),
        false => sheet,
    };
    Ok(call.page(sheet))
}

/// Which orders a query asks for. What cannot be read of it is left out, and its field shows what was typed.
fn filter(query: &Values, zone: Zone) -> OrderFilter {
    let (created_from, created_to) = list::days(query, zone);
    let invoiced = list::named(query, "invoiced", &["yes", "no", TO_INVOICE], |one| one);
    OrderFilter {
        status: list::named(query, "status", OrderStatus::EVERY, OrderStatus::name),
        fulfillment: list::named(
            query,
            "fulfillment",
            FulfillmentStatus::EVERY,
            FulfillmentStatus::name,
        ),
        payment: list::named(query, "payment", PaymentStatus::EVERY, PaymentStatus::name),
        invoiced: invoiced.filter(|one| *one != TO_INVOICE).map(|one| one == "yes"),
        to_invoice: invoiced == Some(TO_INVOICE),
        customer: query.read("customer", orders::CustomerId::parse),
        created_from,
        created_to,
        paid_from: list::since(query, "paidFrom", zone),
        search: words(query).map(|words| words.or_numbers(number_in)),
        ..OrderFilter::default()
    }
}

/// By what orders can be narrowed.
fn filters(call: &Call<Member>, total: String, customer: Option<&str>) -> Filters {
    let (say, query) = (call.say(), &call.query);
    let customer = customer.filter(|name| !name.is_empty());
    let customer = query
        .filled("customer")
        .map(|id| format!("{}: {}", say.customer(), customer.unwrap_or(id)));
    let paid_from = query.filled("paidFrom").map(|day| say.paid_from(day));
    let status = |one: &OrderStatus| (one.name(), status_name(say, *one));
    let sent = |one: &FulfillmentStatus| (one.name(), fulfillment_name(say, *one));
    let paid = |one: &PaymentStatus| (one.name(), payment_name(say, *one));
    let statuses: Vec<_> = OrderStatus::EVERY.iter().map(status).collect();
    let sent: Vec<_> = FulfillmentStatus::EVERY.iter().map(sent).collect();
    let paid: Vec<_> = PaymentStatus::EVERY.iter().map(paid).collect();
    let invoiced =
        [("yes", say.invoiced()), ("no", say.not_invoiced()), (TO_INVOICE, say.still_to_invoice())];
    Filters::new(say, call.href(PATH), query, total)
        .choice(query, ("status", say.state()), &statuses)
        .choice(query, ("fulfillment", say.fulfillment()), &sent)
        .choice(query, ("payment", say.payment()), &paid)
        .choice(query, ("invoiced", say.invoice()), &invoiced)
        .days(query)
        .chip(customer, query, "customer")
        .chip(paid_from, query, "paidFrom")
}

fn nothing(call: &Call<Member>, is_filtered: bool) -> Empty {
    let say = call.say();
    if is_filtered {
        return Empty::unmatched(say, call.href(PATH));
    }
    let url = call.public_url();
    let command = format!(
        "curl -sS -X POST '{url}/api/v1/orders' -H 'Authorization: Bearer <API_KEY>' \
         -H 'Content-Type: application/json' \
         -d '{{\"customerId\":\"cus_…\",\"items\":[{{\"productId\":\"prd_…\",\"quantity\":1}}]}}'"
    );
    nothing_yet(call, say.no_orders(), (say.new_order(), "orders/new")).curl(command)
}

/// Orders as they are listed, with the names of their customers.
pub(super) async fn lines(
    call: &Call<Member>,
    listed: Rows<Order>,
    zone: Zone,
) -> Result<Vec<Line>, Failure> {
    let ids = listed.items.iter().map(|order| order.customer.to_u128());
    let names = names(call, call.account(), ids.map(CustomerId::from_u128).collect()).await?;
    Ok(lines_with(call, listed, zone, &names))
}

/// The same where the names are known.
pub(super) fn lines_with(
    call: &Call<Member>,
    listed: Rows<Order>,
    zone: Zone,
    names: &HashMap<u128, String>,
) -> Vec<Line> {
    let say = call.say();
    let line = |order: Order| Line {
        id: order.id,
        number: number_text(order.number),
        href: format!("{}/{}", call.href(PATH), order.id),
        placed: moment(order.created_at, zone, call.language),
        customer: names.get(&order.customer.to_u128()).cloned().unwrap_or_default(),
        status: status_pill(say, order.status),
        fulfillment: fulfillment_pill(say, order.fulfillment_status),
        total: money(order.total, order.currency),
    };
    listed.items.into_iter().map(line).collect()
}
