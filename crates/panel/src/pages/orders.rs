//! Orders: listed and filtered.

mod acts;
mod detail;
mod returning;

use std::collections::HashMap;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::{CustomerFilter, CustomerId, CustomerQuery};
use kernel::{AccountId, Day, Page as Rows, PageRequest, page::LIMIT_MAX};
use orders::{Order, OrderFilter, OrderQuery, OrderStatus, number_text};

use super::shop::{fulfillment_pill, sizes, status_name, status_pill, words};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{moment, money},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Moment, Pager, Pill},
    reply::answered,
    texts::Say,
};

const READ: Right = Right::read(Scope::Orders);
const PATH: &str = "orders";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![Page::get(PATH, READ, show).listed(Group::Sell, "shopping-cart", Say::orders)];
    [own, detail::pages(), acts::pages(), returning::pages()].into_iter().flatten().collect()
}

#[derive(Template)]
#[template(path = "orders/list.html", whitespace = "minimize")]
struct Listed<'a> {
    say: Say,
    path: String,
    query: &'a Values,
    statuses: Vec<(&'static str, &'static str, bool)>,
    sizes: Vec<(u32, bool)>,
    is_filtered: bool,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

/// An order in a list.
pub(super) struct Line {
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
    let chosen = filter.status;
    let page = list::asked(&call.query);
    let limit = page.limit;
    let query = OrderQuery { filter, page, ..OrderQuery::default() };
    let listed = answered(call.services().orders.list(call.account(), query)).await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let lines = lines(&call, listed, zone).await?;
    let empty = lines.is_empty().then(|| nothing(&call, is_filtered));
    let status =
        |status: &OrderStatus| (status.name(), status_name(say, *status), chosen == Some(*status));
    let body = Listed {
        say,
        path: call.href(PATH),
        query: &call.query,
        statuses: OrderStatus::EVERY.iter().map(status).collect(),
        sizes: sizes(limit),
        is_filtered,
        lines,
        empty,
        pager,
    };
    Ok(call.page(Sheet::new(say.orders(), &body)))
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
