//! Invoices: listed, filtered and summed up.

mod acts;
mod belonging;
mod bulk;
mod cancel;
mod constancia;
mod correcting;
mod detail;
mod edit;
mod export;
mod filling;
mod judging;
mod make;
mod names;
mod naming;
mod owing;
mod papers;
mod reading;
mod rows;
mod sending;
mod sharing;
mod table;
pub(super) mod taxes;
pub(super) mod told;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::{catalogs::zones::Zone, document::DocumentType};
use invoices::{
    CustomerId, Invoice, InvoiceFilter, InvoiceQuery, OrderId, Standing, Status,
    sums::{Sums, SumsQuery},
};
use kernel::{Amount, Currency, PageRequest, Sum, search::Words};
use orders::{Order, OrderStatus, timeline::OrderInvoice};

pub(super) use self::{
    judging::with_fields_named,
    names::{coded, event_name, numbered, reason_name},
};
use self::{
    names::{KINDS, kind_name, number, status_name, status_pill, told_amount},
    owing::Owed,
};
use super::{linked::order_numbers, shop::words};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{grouped, moment, total},
    layout::Sheet,
    list,
    page::{Group, Page, Waiting},
    parts::{Empty, Field, Filters, Link, Many, Moment, Pager, Pill, Stat},
    reply::answered,
    sort::{self, Column, SortHead, Sorted},
    texts::Say,
};

const READ: Right = Right::read(Scope::Invoices);
const WRITE: Right = Right::write(Scope::Invoices);
const PATH: &str = "invoices";
/// The names of what a query narrows the list by.
const NARROWED_BY: &[&str] =
    &["status", "type", "receiptDue", "customer", "order", "uuid", "from", "to", "q"];

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Collect, "receipt-text", Say::invoices)
            .key("i")
            .list()
            .counting(Waiting::Invoices),
    ];
    [
        own,
        make::pages(),
        detail::pages(),
        edit::pages(),
        papers::pages(),
        sending::pages(),
        sharing::pages(),
        acts::pages(),
        bulk::pages(),
        export::pages(),
        cancel::pages(),
        table::pages(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[derive(Template)]
#[template(path = "invoices/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    stats: Vec<Stat>,
    by_date: SortHead,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
    /// What is done about those that are ticked, or about all.
    many: Option<Many>,
}

struct Line {
    id: String,
    number: String,
    href: String,
    kind: &'static str,
    receiver: String,
    rfc: String,
    status: Pill,
    created: Moment,
    total: String,
    balance: Option<String>,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let zone = call.zone();
    let filter = filter(&call.query, zone);
    let is_filtered = filter != InvoiceFilter::default();
    let of_order = filter.order;
    let stats = stats(&call, &filter, zone).await?;
    let sorted = Sorted::asked(&call.query, sort::RECORDS);
    let query = InvoiceQuery { filter, sort: sorted.sorting, page: sorted.page(&call.query) };
    let listed = answered(call.services().invoices.list(call.account(), query)).await?;
    let number = order_numbers(&call, of_order.map(|id| id.to_u128())).await?.into_values().next();
    let receiver = listed.items.first().map(|first| first.document.receiver.legal_name.as_str());
    let names = [("customer", receiver), ("order", number.as_deref())];
    let filters = filters(&call, list::counted(say, listed.total), &names);
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let many = Many::of(say, bulk::offered(&call), &call.query, NARROWED_BY, listed.total);
    let owed = owing::owed(&call, &listed.items).await?;
    let line = |invoice: &Invoice| line(&call, invoice, owed.get(&invoice.id).copied(), zone);
    let lines: Vec<_> = listed.items.iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false => Empty::new(say.no_invoices())
            .action(say.to_invoicing(), call.href("settings/invoicing")),
    });
    let by_date = Column::moments("createdAt", say.date());
    let by_date = sorted.head(&call.href(PATH), &call.query, &by_date);
    let body = Listed { say, filters, stats, by_date, lines, empty, pager, many };
    let sheet = Sheet::new(say.invoices(), &body);
    let sheet = match call.may(WRITE) {
        true => sheet
            .action(say.new_invoice(), call.href("invoices/new"))
            .quiet(say.papers_of_month(), call.href("invoices/export")),
        false => sheet,
    };
    Ok(call.page(sheet))
}

/// Which invoices a query asks for. What cannot be read of it is left out.
fn filter(query: &Values, zone: Zone) -> InvoiceFilter {
    let (created_from, created_to) = list::days(query, zone);
    InvoiceFilter {
        status: list::named(query, "status", Status::EVERY, Status::name),
        kind: list::named(query, "type", KINDS, DocumentType::code),
        customer: query.read("customer", CustomerId::parse),
        order: query.read("order", OrderId::parse),
        uuid: query.filled("uuid").map(str::to_uppercase),
        receipt_due: query.read("receiptDue", |text| (text == "yes").then_some(true)),
        created_from,
        created_to,
        search: words(query),
        ..InvoiceFilter::default()
    }
}

/// By what invoices can be narrowed; what a link narrows them to has these names.
fn filters(call: &Call<Member>, total: String, names: &[(&str, Option<&str>)]) -> Filters {
    let (say, query) = (call.say(), &call.query);
    let choices = |known: Vec<(String, String)>| {
        let every = (String::new(), say.every().to_owned());
        std::iter::once(every).chain(known).collect::<Vec<_>>()
    };
    let status = |one: &Status| (one.name().to_owned(), status_name(say, *one).to_owned());
    let statuses = choices(Status::EVERY.iter().map(status).collect());
    let kind = |one: &DocumentType| (one.code().to_owned(), kind_name(say, *one).to_owned());
    let kinds = choices(KINDS.iter().map(kind).collect());
    let told_status = |_: &'static str, value: &str| {
        let known = Status::EVERY.iter().find(|one| one.name() == value)?;
        Some(format!("{}: {}", say.state(), status_name(say, *known)))
    };
    let told_kind = |_: &'static str, value: &str| {
        let known = KINDS.iter().find(|one| one.code() == value)?;
        Some(format!("{}: {}", say.invoice_kind(), kind_name(say, *known)))
    };
    let other = |name: &str, label: &str| {
        let known = names.iter().find(|(known, _)| *known == name).and_then(|(_, told)| *told);
        query.filled(name).map(|value| format!("{label}: {}", known.unwrap_or(value)))
    };
    let receipt_due = query.filled("receiptDue").filter(|value| *value == "yes");
    let receipt_due = receipt_due.map(|_| say.receipt_is_due().to_owned());
    let status = Field::select("status", say.state(), statuses, query);
    let kind = Field::select("type", say.invoice_kind(), kinds, query);
    Filters::new(say, call.href(PATH), query, total)
        .add(say.state(), query, vec![("status", status)], told_status)
        .add(say.invoice_kind(), query, vec![("type", kind)], told_kind)
        .days(query)
        .chip(receipt_due, query, "receiptDue")
        .chip(other("customer", say.customer()), query, "customer")
        .chip(other("order", say.order()), query, "order")
        .chip(other("uuid", say.fiscal_folio()), query, "uuid")
}

/// What the invoices of the filter add up to, of its days or else of this month.
async fn stats(
    call: &Call<Member>,
    filter: &InvoiceFilter,
    zone: Zone,
) -> Result<Vec<Stat>, Failure> {
    let say = call.say();
    let is_bounded = filter.created_from.is_some() || filter.created_to.is_some();
    let mut filter = filter.clone();
    if !is_bounded {
        let today = zone.local(call.now()).date();
        let first = today.replace_day(1).unwrap_or(today);
        filter.created_from = Some(zone.utc(first.midnight()));
        filter.created_to = Some(call.now());
    }
    // Days without end, or too many of them, have no sums.
    let Ok(query) = SumsQuery::of(filter) else { return Ok(Vec::new()) };
    let query = query.of_issued();
    let found = answered(call.services().invoices.sums(call.account(), query)).await?;
    let of_what = |label: &str| match is_bounded {
        true => label.to_owned(),
        false => say.of_this_month(label),
    };
    let told = |sums: &Sums| {
        let label = match sums.status {
            Status::Stamped => of_what(kinds_name(say, sums.kind)),
            Status::Cancelled => {
                of_what(&format!("{}, {}", kinds_name(say, sums.kind), say.cancelled_of_them()))
            }
            Status::Draft | Status::Stamping => return Vec::new(),
        };
        let amount = match sums.kind {
            DocumentType::Payment => total(sums.paid, Currency::MXN),
            _ => total(sums.total, sums.currency),
        };
        let label = format!("{label} ({})", grouped(sums.count));
        let all = Stat { label, figure: amount, href: None };
        let is_owed = sums.status == Status::Stamped && sums.balance != Sum::default();
        let owed = is_owed.then(|| Stat {
            // What is paid lowers it once there is a stamped receipt.
            label: of_what(say.outstanding()),
            figure: total(sums.balance, sums.currency),
            href: None,
        });
        std::iter::once(all).chain(owed).collect()
    };
    Ok(found.unwrap_or_default().iter().flat_map(told).collect())
}

const fn kinds_name(say: Say, kind: DocumentType) -> &'static str {
    match kind {
        DocumentType::Income => say.sums_income(),
        DocumentType::Credit => say.sums_credit(),
        DocumentType::Payment => say.sums_payment(),
        DocumentType::Transfer => say.sums_transfer(),
    }
}

fn line(call: &Call<Member>, invoice: &Invoice, owed: Option<Owed>, zone: Zone) -> Line {
    let say = call.say();
    let receiver = &invoice.document.receiver;
    let some = |amount: Amount| (amount > Amount::ZERO).then(|| told_amount(invoice, amount));
    let left = owed.and_then(|owed| some(owed.left)).map(|left| say.owed_of_it(&left));
    let paid = owed.and_then(|owed| some(owed.unreceipted));
    let paid = paid.map(|paid| say.unreceipted_of_it(&paid));
    let balance: Vec<String> = left.into_iter().chain(paid).collect();
    Line {
        id: invoice.id.to_string(),
        number: number(say, invoice),
        href: format!("{}/{}", call.href(PATH), invoice.id),
        kind: kind_name(say, invoice.draft.kind),
        receiver: receiver.legal_name.clone(),
        rfc: receiver.rfc.clone(),
        status: status_pill(say, invoice),
        created: moment(invoice.created_at, zone, call.language),
        total: told_amount(invoice, invoice.amount()),
        balance: (!balance.is_empty()).then(|| balance.join(" · ")),
    }
}

/// To the invoice of an order, or else to where one is made of it; none for who may neither look at invoices nor make one.
pub(super) fn of_order(
    call: &Call<Member>,
    order: &Order,
    known: Option<OrderInvoice>,
) -> Option<Link> {
    let say = call.say();
    if !call.may(READ) {
        return None;
    }
    if let Some(OrderInvoice { id, series, folio }) = known {
        let label = format!("{}: {}", say.invoice(), numbered(say, &series, folio));
        return Some(Link::new(label, format!("{}/{id}", call.href(PATH))));
    }
    let standing = Standing {
        is_cancelled: order.status == OrderStatus::Cancelled,
        is_returned: order.is_all_back(),
        is_refunded: order.is_given_back(),
    };
    let may_be_made = call.may(WRITE) && standing.refused(DocumentType::Income).is_none();
    let place = || format!("{}?order={}", call.href("invoices/new"), order.id);
    may_be_made.then(|| Link::new(say.invoice_order(), place()))
}

/// The invoices that have these words, the first of them: their numbers, places and receivers.
pub(super) async fn with_words(
    call: &Call<Member>,
    words: Words,
    page: PageRequest,
) -> Result<Vec<(Link, String)>, Failure> {
    found(call, InvoiceFilter { search: Some(words), ..InvoiceFilter::default() }, page).await
}

/// The same of the invoice with this fiscal folio.
pub(super) async fn with_uuid(
    call: &Call<Member>,
    uuid: String,
    page: PageRequest,
) -> Result<Vec<(Link, String)>, Failure> {
    found(call, InvoiceFilter { uuid: Some(uuid), ..InvoiceFilter::default() }, page).await
}

async fn found(
    call: &Call<Member>,
    filter: InvoiceFilter,
    page: PageRequest,
) -> Result<Vec<(Link, String)>, Failure> {
    if !call.may(READ) {
        return Ok(Vec::new());
    }
    let query = InvoiceQuery { filter, page, ..InvoiceQuery::default() };
    let listed = answered(call.services().invoices.list(call.account(), query)).await?;
    let hit = |invoice: &Invoice| {
        let place = format!("{}/{}", call.href(PATH), invoice.id);
        let receiver = &invoice.document.receiver.legal_name;
        let hint = format!("{receiver} · {}", told_amount(invoice, invoice.amount()));
        (Link::new(number(call.say(), invoice), place), hint)
    };
    Ok(listed.items.iter().map(hit).collect())
}
