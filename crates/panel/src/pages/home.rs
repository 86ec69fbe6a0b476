//! Today: what is to be done, and the first steps of a new account.

mod steps;

use accounts::{Right, Scope};
use approvals::{ApprovalQuery, EntityType, Status as ApprovalStatus};
use askama::Template;
use inventory::{StockFilter, StockQuery};
use invoices::{InvoiceFilter, InvoiceQuery, invoice::Status as InvoiceStatus};
use kernel::{PageRequest, page::Total};
use orders::{OrderFilter, OrderQuery, OrderStatus};
use webhooks::SubscriptionQuery;

use super::{approvals::covers, invoicing};
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
use steps::Step;

/// Every role may look at orders.
const READ: Right = Right::read(Scope::Orders);
/// An account has at most a hundred webhooks.
const WEBHOOKS_MAX: u32 = 100;

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("", READ, show).listed(Group::Home, "house", Say::today).key("h")]
}

#[derive(Template)]
#[template(path = "home.html", whitespace = "minimize")]
struct Home {
    say: Say,
    to_do: Vec<Stat>,
    steps: Vec<Step>,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let to_do = [
        orders(&call, OrderStatus::Paid, [say.order_to_ship(), say.orders_to_ship()]).await?,
        orders(&call, OrderStatus::Pending, [say.order_to_pay(), say.orders_to_pay()]).await?,
        approvals(&call).await?,
        drafts(&call).await?,
        low_stock(&call).await?,
        failing_webhooks(&call).await?,
        invoicing::ending(&call).await?,
    ];
    let to_do = to_do.into_iter().flatten().collect();
    let steps = steps::of(&call).await?;
    Ok(call.page(Sheet::new(say.today(), &Home { say, to_do, steps })))
}

/// A page of one row, to learn how many there are.
fn counting() -> PageRequest {
    PageRequest { limit: 1, ..PageRequest::default() }
}

/// Something to do, if there is any of it: how many, said of one or of many, and where they are listed.
fn to_do(total: Total, [one, many]: [&'static str; 2], href: String) -> Option<Stat> {
    let rows = grouped(total.rows);
    let figure = if total.is_exact { rows } else { format!("{rows}+") };
    let label = if total.rows == 1 { one } else { many };
    (total.rows > 0).then(|| Stat { label: label.to_owned(), figure, href: Some(href) })
}

async fn orders(
    call: &Call<Member>,
    status: OrderStatus,
    labels: [&'static str; 2],
) -> Result<Option<Stat>, Failure> {
    let filter = OrderFilter { status: Some(status), ..OrderFilter::default() };
    let query = OrderQuery { filter, page: counting(), ..OrderQuery::default() };
    let listed = answered(call.services().orders.list(call.account(), query)).await?;
    Ok(to_do(listed.total, labels, format!("{}?status={}", call.href("orders"), status.name())))
}

/// Requests that wait for a decision, of those that the member may see.
async fn approvals(call: &Call<Member>) -> Result<Option<Stat>, Failure> {
    let (say, status) = (call.say(), ApprovalStatus::Pending);
    let query = ApprovalQuery {
        entities: EntityType::EVERY.iter().copied().filter(|one| covers(call, *one)).collect(),
        status: Some(status),
        now: call.now(),
        entity_id: None,
        page: counting(),
    };
    let listed = answered(call.services().approvals.list(call.account(), query)).await?;
    let href = format!("{}?status={}", call.href("approvals"), status.name());
    Ok(to_do(listed.total, [say.approval_to_decide(), say.approvals_to_decide()], href))
}

/// Invoices that were begun.
async fn drafts(call: &Call<Member>) -> Result<Option<Stat>, Failure> {
    if !call.may(Right::write(Scope::Invoices)) {
        return Ok(None);
    }
    let (say, status) = (call.say(), InvoiceStatus::Draft);
    let filter = InvoiceFilter { status: Some(status), ..InvoiceFilter::default() };
    let query = InvoiceQuery { filter, page: counting(), ..InvoiceQuery::default() };
    let listed = answered(call.services().invoices.list(call.account(), query)).await?;
    let href = format!("{}?status={}", call.href("invoices"), status.name());
    Ok(to_do(listed.total, [say.invoice_to_stamp(), say.invoices_to_stamp()], href))
}

async fn low_stock(call: &Call<Member>) -> Result<Option<Stat>, Failure> {
    if !call.may(Right::read(Scope::Warehouses)) {
        return Ok(None);
    }
    let say = call.say();
    let filter = StockFilter { below_threshold: Some(true), ..StockFilter::default() };
    let query = StockQuery { filter, page: counting() };
    let listed = answered(call.services().inventory.stock(call.account(), query)).await?;
    let href = format!("{}?low=yes", call.href("stock"));
    Ok(to_do(listed.total, [say.product_is_low(), say.products_are_low()], href))
}

/// Webhooks that get nothing any more.
async fn failing_webhooks(call: &Call<Member>) -> Result<Option<Stat>, Failure> {
    if !call.may(Right::read(Scope::Webhooks)) {
        return Ok(None);
    }
    let say = call.say();
    let page = PageRequest { limit: WEBHOOKS_MAX, ..PageRequest::default() };
    let query = SubscriptionQuery { page };
    let listed = answered(call.services().webhooks.list(call.account(), query)).await?;
    let failing = listed.items.iter().filter(|webhook| webhook.disabled.is_some()).count();
    let total = Total::exact(u64::try_from(failing).unwrap_or(u64::MAX));
    Ok(to_do(total, [say.webhook_is_off(), say.webhooks_are_off()], call.href("webhooks")))
}
