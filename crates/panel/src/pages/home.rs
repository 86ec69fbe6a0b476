//! Today: what is to be done, and the first steps of a new account.

mod steps;

use accounts::{Right, Scope};
use approvals::{ApprovalQuery, EntityType, Status as ApprovalStatus};
use askama::Template;
use invoices::{STAMP_COST, invoice::Status as InvoiceStatus};
use kernel::{
    Day, PageRequest,
    page::{Count, Total},
};
use orders::OrderStatus;
use webhooks::SubscriptionQuery;

use super::{approvals::covers, invoicing};
use crate::{
    answer::Answer,
    around::CREDITS,
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
/// As many of one kind are counted; of more it is said that there are more.
const COUNTED_MAX: u32 = 1_000;
/// So many attempts in a row are more than a hiccup.
const FAILURES_MIN: u32 = 5;
/// Less are few.
const STAMPINGS_FEW: i64 = 20;

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
    let seals = seals(&call).await?;
    let [off, failing] = failing_webhooks(&call).await?;
    let to_do = [
        orders(&call, OrderStatus::Paid, [say.order_to_ship(), say.orders_to_ship()]).await?,
        orders(&call, OrderStatus::Pending, [say.order_to_pay(), say.orders_to_pay()]).await?,
        approvals(&call).await?,
        if seals { to_invoice(&call).await? } else { None },
        drafts(&call).await?,
        low_stock(&call).await?,
        off,
        failing,
        invoicing::ending(&call).await?,
        if seals { credits(&call).await? } else { None },
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

/// Of so many rows, counted up to one more than are told.
fn counted(rows: u32) -> Total {
    Total { rows: u64::from(rows.min(COUNTED_MAX)), is_exact: rows <= COUNTED_MAX }
}

async fn orders(
    call: &Call<Member>,
    status: OrderStatus,
    labels: [&'static str; 2],
) -> Result<Option<Stat>, Failure> {
    let orders = &call.services().orders;
    let rows = orders.count_of_status(call.account(), status, COUNTED_MAX + 1);
    let total = counted(answered(rows).await?);
    Ok(to_do(total, labels, format!("{}?status={}", call.href("orders"), status.name())))
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
    let invoices = &call.services().invoices;
    let rows = invoices.count_of_status(call.account(), status, COUNTED_MAX + 1);
    let total = counted(answered(rows).await?);
    let href = format!("{}?status={}", call.href("invoices"), status.name());
    Ok(to_do(total, [say.invoice_to_stamp(), say.invoices_to_stamp()], href))
}

async fn low_stock(call: &Call<Member>) -> Result<Option<Stat>, Failure> {
    if !call.may(Right::read(Scope::Warehouses)) {
        return Ok(None);
    }
    let say = call.say();
    let rows = call.services().inventory.count_low(call.account(), COUNTED_MAX + 1);
    let total = counted(answered(rows).await?);
    let href = format!("{}?low=yes", call.href("stock"));
    Ok(to_do(total, [say.product_is_low(), say.products_are_low()], href))
}

/// Webhooks that get nothing any more, and those that are about to.
async fn failing_webhooks(call: &Call<Member>) -> Result<[Option<Stat>; 2], Failure> {
    if !call.may(Right::read(Scope::Webhooks)) {
        return Ok([None, None]);
    }
    let say = call.say();
    let page = PageRequest { limit: WEBHOOKS_MAX, count: Count::Nothing, ..PageRequest::default() };
    let query = SubscriptionQuery { page };
    let listed = answered(call.services().webhooks.list(call.account(), query)).await?;
    let (off, on): (Vec<_>, Vec<_>) =
        listed.items.iter().partition(|webhook| webhook.disabled.is_some());
    let failing = on.iter().filter(|webhook| webhook.consecutive_failures >= FAILURES_MIN).count();
    let stat = |count: usize, labels| {
        let total = Total::exact(u64::try_from(count).unwrap_or(u64::MAX));
        to_do(total, labels, call.href("webhooks"))
    };
    Ok([
        stat(off.len(), [say.webhook_is_off(), say.webhooks_are_off()]),
        stat(failing, [say.webhook_fails(), say.webhooks_fail()]),
    ])
}

/// Whether the member makes invoices, and the account has something to seal them with.
async fn seals(call: &Call<Member>) -> Result<bool, Failure> {
    if !call.may(Right::write(Scope::Invoices)) {
        return Ok(false);
    }
    let first = call.services().issuers.first_certificate_to_end(call.account());
    Ok(answered(first).await?.is_some())
}

/// Orders that were paid this month and have no invoice: who buys may ask for it until the month is over.
async fn to_invoice(call: &Call<Member>) -> Result<Option<Stat>, Failure> {
    let (say, zone) = (call.say(), call.zone().await?);
    let (year, month, _) = zone.day(call.now()).parts();
    let from = format!("{year:04}-{month:02}-01");
    let Some(first) = Day::parse(&from) else { return Ok(None) };
    let since = zone.utc(first.date().midnight());
    let orders = &call.services().orders;
    let total = answered(orders.count_to_invoice(call.account(), since, COUNTED_MAX)).await?;
    // Whenever they were placed: an order of last month may have been paid in this one.
    let href = format!("{}?invoiced=no&paidFrom={from}", call.href("orders"));
    Ok(to_do(total, [say.order_to_invoice(), say.orders_to_invoice()], href))
}

/// How many stampings there is credit for, if not many are left.
async fn credits(call: &Call<Member>) -> Result<Option<Stat>, Failure> {
    let (say, credits) = (call.say(), &call.services().credits);
    let left = answered(credits.balance(call.account())).await?.available / STAMP_COST;
    let label = if left == 1 { say.stamping_left() } else { say.stampings_left() };
    Ok((left < STAMPINGS_FEW).then(|| Stat {
        label: label.to_owned(),
        figure: left.max(0).to_string(),
        href: Some(call.href(CREDITS)),
    }))
}
