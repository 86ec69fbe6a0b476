//! Today: what is to be done, and the first steps of a new account.

mod steps;

use accounts::{Right, Scope, ToDo, ToDoQuery};
use approvals::{EntityType, Status as ApprovalStatus};
use askama::Template;
use invoices::{STAMP_COST, invoice::Status as InvoiceStatus};
use kernel::{Day, page::Total};
use orders::OrderStatus;
use quotes::Status as QuoteStatus;
use webhooks::health::{FAILING_FROM, Health};

use super::{approvals::covers, invoicing, orders::TO_INVOICE};
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
/// Whoever makes invoices.
const INVOICING: Right = Right::write(Scope::Invoices);
/// An account has at most a hundred webhooks.
const WEBHOOKS_MAX: u32 = 100;
/// As many of one kind are counted; of more it is said that there are more.
const COUNTED_MAX: u32 = 1_000;
/// Less are few.
const STAMPINGS_FEW: i64 = 20;

/// The page.
pub(super) fn pages() -> Vec<Page> {
    let home = Page::get("", READ, show).listed(Group::Home, "house", Say::today).key("h");
    vec![home.reading_figures()]
}

#[derive(Template)]
#[template(path = "home.html", whitespace = "minimize")]
struct Home {
    say: Say,
    to_do: Vec<Stat>,
    steps: Vec<Step>,
}

async fn show(mut call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let month = month(&call);
    let query = call.who.around.asking(query(&call, month));
    let found = answered(call.services().to_do.to_do(call.account(), query)).await?;
    call.who.around.learn(&found);
    // Nothing is invoiced before there is something to seal with.
    let seals = call.may(INVOICING) && found.certificate_ends.is_some();
    let to_ship = [say.order_to_ship(), say.orders_to_ship()];
    let to_pay = [say.order_to_pay(), say.orders_to_pay()];
    let to_do = [
        orders(&call, OrderStatus::Paid, found.orders_to_ship, to_ship),
        orders(&call, OrderStatus::Pending, found.orders_to_pay, to_pay),
        approvals(&call, &found),
        quotes(&call, &found),
        month.filter(|_| seals).and_then(|first| to_invoice(&call, first, &found)),
        // Counted in the navigation for more members than make invoices.
        if call.may(INVOICING) { drafts(&call, &found) } else { None },
        receipts(&call, &found),
        low_stock(&call, &found),
        webhooks(&call, Health::Disabled, found.webhooks_off),
        webhooks(&call, Health::Failing, found.webhooks_failing),
        found.certificate_ends.and_then(|ends| invoicing::ending(&call, ends)),
        if seals { credits(&call, &found) } else { None },
    ];
    let to_do = to_do.into_iter().flatten().collect();
    let steps = steps::of(&call, &found);
    Ok(call.page(Sheet::new(say.today(), &Home { say, to_do, steps })))
}

/// The first day of this month: who buys may ask for an invoice until the month is over.
fn month(call: &Call<Member>) -> Option<Day> {
    let (year, month, _) = call.zone().day(call.now()).parts();
    Day::parse(&format!("{year:04}-{month:02}-01"))
}

/// What the member may see of it.
fn query(call: &Call<Member>, month: Option<Day>) -> ToDoQuery {
    let counted = |right: Right| if call.may(right) { COUNTED_MAX + 1 } else { 0 };
    let invoicing = counted(INVOICING);
    let kinds = EntityType::EVERY.iter().copied().filter(|one| covers(call, *one));
    ToDoQuery {
        orders_to_ship: COUNTED_MAX + 1,
        orders_to_pay: COUNTED_MAX + 1,
        orders_to_invoice: invoicing.min(COUNTED_MAX),
        paid_since: month.map(|first| call.zone().utc(first.date().midnight())),
        quotes_to_order: counted(Right::read(Scope::Deals)),
        drafts: invoicing,
        receipts_due: invoicing,
        approvals: COUNTED_MAX + 1,
        approvals_of: kinds.map(EntityType::name).collect(),
        now: Some(call.now()),
        low_stock: counted(Right::read(Scope::Warehouses)),
        webhooks: counted(Right::read(Scope::Webhooks)).min(WEBHOOKS_MAX),
        failures: FAILING_FROM,
        credits: call.may(INVOICING),
        certificate: call.may(Right::read(Scope::Invoices)),
        beginnings: steps::are_shown(call),
    }
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

fn orders(
    call: &Call<Member>,
    status: OrderStatus,
    rows: u32,
    labels: [&'static str; 2],
) -> Option<Stat> {
    to_do(counted(rows), labels, format!("{}?status={}", call.href("orders"), status.name()))
}

/// Requests that wait for a decision.
fn approvals(call: &Call<Member>, found: &ToDo) -> Option<Stat> {
    let (say, status) = (call.say(), ApprovalStatus::Pending);
    let href = format!("{}?status={}", call.href("approvals"), status.name());
    let labels = [say.approval_to_decide(), say.approvals_to_decide()];
    to_do(counted(found.approvals), labels, href)
}

/// Quotes that were accepted, of which no order could be placed yet.
fn quotes(call: &Call<Member>, found: &ToDo) -> Option<Stat> {
    let (say, status) = (call.say(), QuoteStatus::Accepted);
    let href = format!("{}?status={}", call.href("quotes"), status.name());
    to_do(counted(found.quotes_to_order), [say.quote_to_order(), say.quotes_to_order()], href)
}

/// Invoices that were begun.
fn drafts(call: &Call<Member>, found: &ToDo) -> Option<Stat> {
    let (say, status) = (call.say(), InvoiceStatus::Draft);
    let href = format!("{}?status={}", call.href("invoices"), status.name());
    to_do(counted(found.drafts), [say.invoice_to_stamp(), say.invoices_to_stamp()], href)
}

/// Invoices to be paid later for which money came that no receipt (REP) tells of.
fn receipts(call: &Call<Member>, found: &ToDo) -> Option<Stat> {
    let say = call.say();
    let href = format!("{}?receiptDue=yes", call.href("invoices"));
    to_do(
        counted(found.receipts_due),
        [say.invoice_lacks_receipt(), say.invoices_lack_receipts()],
        href,
    )
}

fn low_stock(call: &Call<Member>, found: &ToDo) -> Option<Stat> {
    let say = call.say();
    let href = format!("{}?low=yes", call.href("stock"));
    to_do(counted(found.low_stock), [say.product_is_low(), say.products_are_low()], href)
}

/// Webhooks that get nothing any more, or are about to.
fn webhooks(call: &Call<Member>, health: Health, rows: u32) -> Option<Stat> {
    let say = call.say();
    let labels = match health {
        Health::Disabled => [say.webhook_is_off(), say.webhooks_are_off()],
        Health::Failing => [say.webhook_fails(), say.webhooks_fail()],
        Health::Enabled => return None,
    };
    let href = format!("{}?state={}", call.href("webhooks"), health.name());
    to_do(Total::exact(rows.into()), labels, href)
}

/// Orders that were paid this month and have no invoice.
fn to_invoice(call: &Call<Member>, first: Day, found: &ToDo) -> Option<Stat> {
    let say = call.say();
    let rows = found.orders_to_invoice.into();
    let total = Total { rows, is_exact: found.orders_paid < COUNTED_MAX };
    // Whenever they were placed: an order of last month may have been paid in this one.
    let href = format!("{}?invoiced={TO_INVOICE}&paidFrom={first}", call.href("orders"));
    to_do(total, [say.order_to_invoice(), say.orders_to_invoice()], href)
}

/// How many stampings there is credit for, if not many are left.
fn credits(call: &Call<Member>, found: &ToDo) -> Option<Stat> {
    let say = call.say();
    let left = found.credits / STAMP_COST;
    let label = if left == 1 { say.stamping_left() } else { say.stampings_left() };
    (left < STAMPINGS_FEW).then(|| Stat {
        label: label.to_owned(),
        figure: left.max(0).to_string(),
        href: Some(call.href(CREDITS)),
    })
}
