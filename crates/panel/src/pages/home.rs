//! Today: what is to be done.

use accounts::{Right, Scope};
use askama::Template;
use kernel::{PageRequest, page::Total};
use orders::{OrderFilter, OrderQuery, OrderStatus};
use webhooks::SubscriptionQuery;

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::grouped,
    layout::Sheet,
    page::{Group, Page},
    parts::Stat,
    reply::answered,
    texts::Say,
};

/// Every role may look at orders.
const READ: Right = Right::read(Scope::Orders);
/// An account has at most a hundred webhooks.
const WEBHOOKS_MAX: u32 = 100;

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("", READ, show).listed(Group::Home, "house", Say::today)]
}

#[derive(Template)]
#[template(path = "home.html", whitespace = "minimize")]
struct Home {
    stats: Vec<Stat>,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let mut stats = vec![
        orders(&call, OrderStatus::Paid, say.to_ship()).await?,
        orders(&call, OrderStatus::Pending, say.to_be_paid()).await?,
    ];
    if call.may(Right::read(Scope::Webhooks)) {
        stats.extend(failing_webhooks(&call).await?);
    }
    Ok(call.page(Sheet::new(say.today(), &Home { stats })))
}

/// How many orders stand there, and where they are listed.
async fn orders(
    call: &Call<Member>,
    status: OrderStatus,
    label: &'static str,
) -> Result<Stat, Failure> {
    let filter = OrderFilter { status: Some(status), ..OrderFilter::default() };
    let page = PageRequest { limit: 1, ..PageRequest::default() };
    let query = OrderQuery { filter, page, ..OrderQuery::default() };
    let listed = answered(call.services().orders.list(call.account(), query)).await?;
    Ok(Stat {
        label: label.to_owned(),
        figure: figure(listed.total),
        href: Some(format!("{}?status={}", call.href("orders"), status.name())),
    })
}

/// How many webhooks were disabled by their failures, if any.
async fn failing_webhooks(call: &Call<Member>) -> Result<Option<Stat>, Failure> {
    let page = PageRequest { limit: WEBHOOKS_MAX, ..PageRequest::default() };
    let query = SubscriptionQuery { page };
    let listed = answered(call.services().webhooks.list(call.account(), query)).await?;
    let failing = listed.items.iter().filter(|webhook| webhook.disabled.is_some()).count();
    Ok((failing > 0).then(|| Stat {
        label: call.say().webhooks_disabled().to_owned(),
        figure: failing.to_string(),
        href: Some(call.href("webhooks")),
    }))
}

fn figure(total: Total) -> String {
    let rows = grouped(total.rows);
    if total.is_exact { rows } else { format!("{rows}+") }
}
