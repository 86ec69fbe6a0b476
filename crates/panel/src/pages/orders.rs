//! Orders: listed and filtered.

mod acts;
mod bulk;
mod detail;
mod new;
mod print;
mod returning;
mod shipment;
mod shipping;
mod table;

use std::collections::HashMap;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::{CustomerFilter, CustomerId, CustomerQuery};
use kernel::{AccountId, Day, Page as Rows, PageRequest, page::LIMIT_MAX};
use orders::{Order, OrderFilter, OrderId, OrderQuery, OrderStatus, number_text};

pub(super) use self::new::buyer;
use super::shop::{fulfillment_pill, status_name, status_pill, words};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{grouped, moment, money},
    layout::Sheet,
    list,
    page::{Group, Page, Waiting},
    parts::{Empty, Field, Filters, Moment, Pager, Pill},
    reply::answered,
    texts::Say,
};

const READ: Right = Right::read(Scope::Orders);
const PATH: &str = "orders";
/// The names of what a query narrows the list by.
const NARROWED_BY: &[&str] = &["status", "customer", "from", "to", "q"];

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Sell, "shopping-cart", Say::orders)
            .key("o")
            .counting(Waiting::Orders),
    ];
    [
        own,
        new::pages(),
        detail::pages(),
        acts::pages(),
        returning::pages(),
        shipping::pages(),
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
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
    /// Where the orders that are ticked are printed.
    tickets: String,
    /// Which page asks about what, and what its button says.
    acts: Vec<(String, &'static str)>,
    /// What the list is narrowed to: the same goes for what is done about all of it.
    kept: Vec<(String, String)>,
    /// All of the list, by how many they are.
    all: String,
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
    let zone = call.zone().await?;
    let filter = filter(&call.query, zone);
    let is_filtered = filter != OrderFilter::default();
    let page = list::asked(&call.query);
    let query = OrderQuery { filter, page, ..OrderQuery::default() };
    let listed = answered(call.services().orders.list(call.account(), query)).await?;
    let filters = filters(&call, list::counted(say, listed.total));
    let all = match listed.total.is_exact {
        true => say.all_that_match(&grouped(listed.total.rows)),
        false => say.all_matching().to_owned(),
    };
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let lines = lines(&call, listed, zone).await?;
    let empty = lines.is_empty().then(|| nothing(&call, is_filtered));
    let (tickets, acts) = (call.href("orders/selected/tickets"), bulk::offered(&call));
    let kept = kept(&call.query);
    let body = Listed { say, filters, lines, empty, pager, tickets, acts, kept, all };
    let sheet = Sheet::new(say.orders(), &body);
    let sheet = match call.may(new::WRITE) {
        true => sheet.action(say.new_order(), call.href("orders/new")),
        false => sheet,
    };
    let table = list::filtered(&call.href("orders.csv"), &call.query);
    Ok(call.page(sheet.action(say.export_csv(), table)))
}

/// Which orders a query asks for. What cannot be read of it is left out, and its field shows what was typed.
fn filter(query: &Values, zone: Zone) -> OrderFilter {
    let day = |name: &str| query.filled(name).and_then(Day::parse);
    let status = query.filled("status");
    let customer = query.filled("customer").and_then(orders::CustomerId::parse);
    OrderFilter {
        status: OrderStatus::EVERY.iter().copied().find(|one| Some(one.name()) == status),
        customer,
        created_from: day("from").map(|day| zone.utc(day.date().midnight())),
        created_to: day("to").map(|day| zone.end(day)),
        search: words(query),
        ..OrderFilter::default()
    }
}

/// The parts of a query that narrow the list.
fn kept(query: &Values) -> Vec<(String, String)> {
    let filled = |name: &&str| Some(((*name).to_owned(), query.filled(name)?.to_owned()));
    NARROWED_BY.iter().filter_map(filled).collect()
}

/// By what orders can be narrowed.
fn filters(call: &Call<Member>, total: String) -> Filters {
    let (say, query) = (call.say(), &call.query);
    let every = (String::new(), say.every().to_owned());
    let status = |one: &OrderStatus| (one.name().to_owned(), status_name(say, *one).to_owned());
    let statuses = std::iter::once(every).chain(OrderStatus::EVERY.iter().map(status)).collect();
    let status = Field::select("status", say.state(), statuses, query);
    let (from, to) = (
        Field::input("date", "from", say.from(), query),
        Field::input("date", "to", say.until(), query),
    );
    let told_status = |_: &'static str, value: &str| {
        let known = OrderStatus::EVERY.iter().find(|one| one.name() == value)?;
        Some(format!("{}: {}", say.state(), status_name(say, *known)))
    };
    let told_day = |name: &'static str, value: &str| {
        let label = if name == "from" { say.from() } else { say.until() };
        Some(format!("{label}: {value}"))
    };
    let customer = query.filled("customer").map(|id| format!("{}: {id}", say.customer()));
    Filters::new(say, call.href(PATH), query, total)
        .add(say.state(), query, vec![("status", status)], told_status)
        .add(say.date(), query, vec![("from", from), ("to", to)], told_day)
        .chip(customer, query, "customer")
}

fn nothing(call: &Call<Member>, is_filtered: bool) -> Empty {
    let say = call.say();
    if is_filtered {
        return Empty::new(say.no_matches()).action(say.clear_filters(), call.href(PATH));
    }
    let url = call.public_url();
    let command = format!(
        "curl -sS -X POST '{url}/api/v1/orders' -H 'Authorization: Bearer <API_KEY>' \
         -H 'Content-Type: application/json' \
         -d '{{\"customerId\":\"cus_…\",\"items\":[{{\"productId\":\"prd_…\",\"quantity\":1}}]}}'"
    );
    Empty::new(say.no_orders()).curl(command)
}

/// Orders as they are listed, with the names of their customers.
pub(super) async fn lines(
    call: &Call<Member>,
    listed: Rows<Order>,
    zone: Zone,
) -> Result<Vec<Line>, Failure> {
    let say = call.say();
    let ids = listed.items.iter().map(|order| order.customer.to_u128());
    let names = names(call, call.account(), ids.map(CustomerId::from_u128).collect()).await?;
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
    Ok(listed.items.into_iter().map(line).collect())
}

/// The names of customers, by one question; none for who may not look at them.
pub(super) async fn names(
    call: &Call<Member>,
    account: AccountId,
    mut ids: Vec<CustomerId>,
) -> Result<HashMap<u128, String>, Failure> {
    if ids.is_empty() || !call.may(Right::read(Scope::Customers)) {
        return Ok(HashMap::new());
    }
    ids.sort_unstable();
    ids.dedup();
    let filter = CustomerFilter { ids: Some(ids), ..CustomerFilter::default() };
    let page = PageRequest { limit: LIMIT_MAX, ..PageRequest::default() };
    let query = CustomerQuery { filter, page, ..CustomerQuery::default() };
    let found = answered(call.services().customers.list(account, query)).await?;
    let named = found.items.into_iter().map(|customer| (customer.id.to_u128(), customer.name));
    Ok(named.collect())
}
