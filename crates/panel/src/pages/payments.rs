//! Payments and refunds: listed, and a payment with all that is known of it.

mod acts;
mod settings;

use std::collections::HashMap;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::CustomerId;
use invoices::papers;
use kernel::{Amount, reason};
use payments::{
    InvoiceId, OrderId, Payment, PaymentFilter, PaymentId, PaymentLinkId, PaymentQuery, Refund,
    RefundFilter, RefundQuery, RefundStatus, Status,
};

pub(super) use self::settings::late_name;
use super::{
    linked::{order_numbers, page_of},
    money::{
        flag_pill, method_name, provider_name, refund_name, refund_pill, status_name, status_pill,
    },
    named::{Named, customers_of, named, names},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{moment, money},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{ButtonForm, Empty, Filters, Link, Moment, Pager, Pill},
    reply::{answered, found},
    texts::Say,
};

const READ: Right = Right::read(Scope::Payments);
const PATH: &str = "payments";
const REFUNDS: &str = "refunds";

/// The pages of settings.
pub(super) fn settings() -> Vec<Page> {
    settings::pages()
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Collect, "credit-card", Say::payments)
            .key("p")
            .list(),
        Page::get("payments/{id}", READ, detail),
        Page::get("payments.csv", READ, table),
        Page::get("refunds.csv", READ, table_of_refunds),
        Page::get(REFUNDS, READ, show_refunds)
            .listed(Group::Collect, "undo-2", Say::refunds)
            .key("f")
            .list(),
    ];
    [own, acts::pages()].into_iter().flatten().collect()
}

#[derive(Template)]
#[template(path = "payments/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    href: String,
    asked: Moment,
    /// The order that it is for, by its number.
    order: Option<Link>,
    payer: String,
    amount: String,
    method: &'static str,
    provider: &'static str,
    status: Pill,
    flags: Vec<Pill>,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let zone = call.zone();
    let filter = filter(&call.query, zone);
    let is_filtered = filter != PaymentFilter::default();
    let of_order = filter.order;
    let query = PaymentQuery { filter, page: list::asked(&call.query) };
    let listed = answered(call.services().payments.list(call.account(), query)).await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let of_orders = listed.items.iter().filter_map(|payment| Some(payment.order?.to_u128()));
    let numbers = order_numbers(&call, of_orders).await?;
    let payers = listed.items.iter().filter_map(|payment| payment.customer);
    let payers = payers.map(|id| CustomerId::from_u128(id.to_u128())).collect();
    let names = names(&call, call.account(), payers).await?;
    let line = |payment: Payment| Line {
        href: format!("{}/{}", call.href(PATH), payment.id),
        asked: moment(payment.created_at, zone, call.language),
        order: payment.order.and_then(|id| {
            let number = numbers.get(&id.to_u128())?.clone();
            Some(Link::new(number, format!("{}/{id}", call.href("orders"))))
        }),
        payer: payment
            .customer
            .and_then(|id| names.get(&id.to_u128()).cloned())
            .or_else(|| payment.payer.name.clone())
            .unwrap_or_default(),
        amount: money(payment.amount, payment.currency),
        method: method_name(say, payment.method),
        provider: provider_name(say, payment.provider),
        status: status_pill(say, payment.status),
        flags: payment.flags.iter().map(|flag| flag_pill(say, *flag)).collect(),
    };
    let (query, total) = (&call.query, list::counted(say, listed.total));
    let statuses: Vec<_> =
        Status::EVERY.iter().map(|one| (one.name(), status_name(say, *one))).collect();
    let of_order = of_order.map(|id| {
        let number = numbers.get(&id.to_u128()).cloned();
        format!("{}: {}", say.order(), number.unwrap_or_else(|| id.to_string()))
    });
    let of_link = query.filled("link").map(|_| say.payment_link().to_owned());
    let filters = Filters::without_words(say, call.href(PATH), query, total)
        .choice(query, ("status", say.state()), &statuses)
        .days(query)
        .chip(of_order, query, "order")
        .chip(of_link, query, "link");
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false => Empty::new(say.no_payments()),
    });
    let body = Listed { say, filters, lines, empty, pager };
    Ok(call.page(Sheet::new(say.payments(), &body)))
}

/// Which payments a query asks for. What cannot be read of it is left out.
fn filter(query: &Values, zone: Zone) -> PaymentFilter {
    let (created_from, created_to) = list::days(query, zone);
    PaymentFilter {
        status: list::named(query, "status", Status::EVERY, Status::name),
        order: query.read("order", OrderId::parse),
        link: query.read("link", PaymentLinkId::parse),
        created_from,
        created_to,
        ..PaymentFilter::default()
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query, zone);
    let customers = customers_of(&call);
    let table = Table::reading(move |services, account, page| {
        let query = PaymentQuery { filter: filter.clone(), page };
        let listing = services.payments.list(account, query);
        let customers = customers.clone();
        let customer = |payment: &Payment| Some(payment.customer?.to_u128());
        Box::pin(async move { named(answered(listing).await?, customers, account, customer).await })
    })
    .column(say.identifier(), |of: &Named<Payment>| of.row.id.to_string())
    .moment(say.date(), zone, |of| of.row.created_at)
    .column(say.currency(), |of| of.row.currency.to_string())
    .money(say.amount(), |of| of.row.currency, |of| of.row.amount)
    .money(say.captured(), |of| of.row.currency, |of| of.row.captured)
    .money(say.refunded(), |of| of.row.currency, |of| of.row.refunded)
    .money(say.fee(), |of| of.row.currency, |of| of.row.fee)
    .column(say.state(), move |of| status_name(say, of.row.status).to_owned())
    .column(say.method(), move |of| method_name(say, of.row.method).to_owned())
    .column(say.through(), move |of| provider_name(say, of.row.provider).to_owned())
    .optional(csv::id_of(say.order()), |of| of.row.order)
    .optional(csv::id_of(say.invoice()), |of| of.row.invoice)
    .optional(say.customer(), |of| of.customer.clone())
    .optional(csv::id_of(say.customer()), |of| of.row.customer)
    .optional(say.payer(), |of| of.row.payer.name.clone())
    .optional(say.what_for(), |of| of.row.description.clone())
    .optional(say.reference(), |of| of.row.reference.clone())
    .optional(say.tracking_key(), |of| of.row.tracking_key.clone())
    .moment(say.received_at(), zone, |of| of.row.paid_at);
    csv::sent(&call, "payments.csv", table)
}

#[derive(Template)]
#[template(path = "payments/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    /// Asks its provider, if that can be.
    sync: Option<ButtonForm>,
    asked: Moment,
    sums: Vec<(&'static str, String)>,
    facts: Vec<(&'static str, String)>,
    ways: Vec<Link>,
    flags: Vec<Pill>,
    failure: Option<String>,
    refunds: Vec<RefundLine>,
}

/// The payment of the path.
async fn payment(call: &Call<Member>) -> Result<Payment, Failure> {
    let id = PaymentId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().payments.get(call.account(), id)).await
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let payment = payment(&call).await?;
    let zone = call.zone();
    let filter = RefundFilter { payment: Some(payment.id), ..RefundFilter::default() };
    let query = RefundQuery { filter, ..RefundQuery::default() };
    let refunds = answered(call.services().payments.refunds(call.account(), query)).await?;
    let told = HashMap::new();
    let refund = |refund: Refund| refund_line(&call, refund, zone, &told);
    let failure = payment.failure.as_ref();
    let place = format!("{}/{}", call.href(PATH), payment.id);
    let body = Detail {
        say,
        sync: acts::may_sync(&call, &payment)
            .then(|| call.button(format!("{place}/sync"), say.ask_provider())),
        asked: moment(payment.created_at, zone, call.language),
        sums: sums(say, &payment),
        facts: facts(&call, &payment, zone),
        ways: ways(&call, &payment).await?,
        flags: payment.flags.iter().map(|flag| flag_pill(say, *flag)).collect(),
        failure: failure.map(|failure| {
            let said = reason::told(&failure.message);
            format!("{}: {}", failure.code, said.in_language(call.language))
        }),
        refunds: refunds.items.into_iter().map(refund).collect(),
    };
    let title = money(payment.amount, payment.currency);
    let sheet = Sheet::new(title, &body).pill(status_pill(say, payment.status));
    let with_act = |sheet: Sheet, (label, path): (&'static str, &'static str)| {
        sheet.offered(label, &place, path)
    };
    let sheet = acts::offered(&call, &payment).into_iter().fold(sheet, with_act);
    Ok(call.page(sheet.back(say.payments(), call.href(PATH))))
}

/// What has become of its money, as far as that is anything.
fn sums(say: Say, payment: &Payment) -> Vec<(&'static str, String)> {
    let sums = [
        (say.authorized(), payment.authorized),
        (say.captured(), payment.captured),
        (say.refund_under_way(), payment.refund_pending),
        (say.refunded(), payment.refunded),
        (say.fee(), payment.fee.unwrap_or_default()),
    ];
    let counts = sums.into_iter().filter(|(_, amount)| *amount > Amount::ZERO);
    counts.map(|(label, amount)| (label, money(amount, payment.currency))).collect()
}

fn facts(call: &Call<Member>, payment: &Payment, zone: Zone) -> Vec<(&'static str, String)> {
    let say = call.say();
    let at = |at| moment(at, zone, call.language).text;
    let how = payment.instructions.clone().unwrap_or_default();
    let card = payment.card.as_ref().map(|card| {
        let parts = [card.brand.clone(), card.last4.clone().map(|last4| format!("•••• {last4}"))];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    });
    let problem = payment.receipt_problem.as_deref();
    let problem = problem.map(|kept| papers::told(kept).in_language(call.language).to_owned());
    let trouble = match payment.receipt {
        Some(_) => say.receipt_unstamped(),
        None => say.receipt_problem(),
    };
    let facts = [
        (say.method(), Some(method_name(say, payment.method).to_owned())),
        (say.through(), Some(provider_name(say, payment.provider).to_owned())),
        (say.id_there(), payment.provider_ref.clone()),
        (say.card(), card.filter(|card| !card.is_empty())),
        (say.clabe(), how.clabe),
        (say.bank(), how.bank),
        (say.counter_reference(), how.reference),
        (say.payer(), payment.payer.name.clone()),
        (say.email(), payment.payer.email.clone()),
        (say.what_for(), payment.description.clone()),
        (say.reference(), payment.reference.clone()),
        (say.tracking_key(), payment.tracking_key.clone()),
        (say.received_at(), payment.paid_at.map(at)),
        (say.payable_until(), payment.expires_at.map(at)),
        (trouble, problem),
    ];
    facts.into_iter().filter_map(|(label, text)| Some((label, text?))).collect()
}

/// To who has paid and what it is for, as far as the member may look at that.
async fn ways(call: &Call<Member>, payment: &Payment) -> Result<Vec<Link>, Failure> {
    let say = call.say();
    let payer = payment.customer.map(|id| CustomerId::from_u128(id.to_u128()));
    let names = names(call, call.account(), payer.into_iter().collect()).await?;
    let numbers = order_numbers(call, payment.order.map(|id| id.to_u128())).await?;
    let payer = payer.and_then(|id| {
        let name = names.get(&id.to_u128())?.clone();
        Some(Link::new(name, page_of(call, &id.to_string())?))
    });
    let order = payment.order.and_then(|id| {
        let number = numbers.get(&id.to_u128())?;
        let label = format!("{} {number}", say.order());
        Some(Link::new(label, page_of(call, &id.to_string())?))
    });
    let document = |id: Option<InvoiceId>, label: &'static str| {
        Some(Link::new(label, page_of(call, &id?.to_string())?))
    };
    let invoice = document(payment.invoice, say.invoice());
    let receipt = document(payment.receipt, say.kind_payment());
    let link = payment.link;
    let link = link.map(|id| Link::new(say.payment_link(), format!("{}/{id}", call.href("links"))));
    Ok([payer, order, invoice, receipt, link].into_iter().flatten().collect())
}

struct RefundLine {
    href: String,
    asked: Moment,
    /// The order whose money it is, where lists tell it.
    order: Option<Link>,
    amount: String,
    reason: String,
    status: Pill,
    failure: Option<String>,
    /// Its credit note, for who may look at it.
    credit_note: Option<Link>,
    /// Why its credit note is missing, or not stamped.
    credit_problem: Option<String>,
}

fn refund_line(
    call: &Call<Member>,
    refund: Refund,
    zone: Zone,
    numbers: &HashMap<u128, String>,
) -> RefundLine {
    RefundLine {
        href: format!("{}/{}", call.href(PATH), refund.payment),
        asked: moment(refund.created_at, zone, call.language),
        order: refund.order.and_then(|id| {
            let number = numbers.get(&id.to_u128())?.clone();
            Some(Link::new(number, format!("{}/{id}", call.href("orders"))))
        }),
        amount: money(refund.amount, refund.currency),
        status: refund_pill(call.say(), refund.status),
        reason: refund.reason.or(refund.note).unwrap_or_default(),
        failure: refund
            .failure
            .map(|failure| reason::told(&failure.message).in_language(call.language).to_owned()),
        credit_note: refund.credit_note.and_then(|id| {
            Some(Link::new(call.say().kind_credit(), page_of(call, &id.to_string())?))
        }),
        credit_problem: refund.credit_note_problem.as_deref().map(|kept| {
            call.say().credit_note_problem(papers::told(kept).in_language(call.language))
        }),
    }
}

#[derive(Template)]
#[template(path = "payments/refunds.html", whitespace = "minimize")]
struct Refunds {
    say: Say,
    filters: Filters,
    lines: Vec<RefundLine>,
    empty: Option<Empty>,
    pager: Pager,
}

async fn show_refunds(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filter = filter_of_refunds(&call.query);
    let chosen = filter.status;
    let query = RefundQuery { filter, page: list::asked(&call.query) };
    let listed = answered(call.services().payments.refunds(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(REFUNDS), &call.query, &listed);
    let of_orders = listed.items.iter().filter_map(|refund| Some(refund.order?.to_u128()));
    let numbers = order_numbers(&call, of_orders).await?;
    let line = |refund: Refund| refund_line(&call, refund, zone, &numbers);
    let total = list::counted(say, listed.total);
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match chosen {
        Some(_) => Empty::unmatched(say, call.href(REFUNDS)),
        None => Empty::new(say.no_refunds()),
    });
    let statuses: Vec<_> =
        RefundStatus::EVERY.iter().map(|one| (one.name(), refund_name(say, *one))).collect();
    let filters = Filters::without_words(say, call.href(REFUNDS), &call.query, total).choice(
        &call.query,
        ("status", say.state()),
        &statuses,
    );
    let body = Refunds { say, filters, lines, empty, pager };
    Ok(call.page(Sheet::new(say.refunds(), &body)))
}

/// Which refunds a query asks for. What cannot be read of it is left out.
fn filter_of_refunds(query: &Values) -> RefundFilter {
    let status = list::named(query, "status", RefundStatus::EVERY, RefundStatus::name);
    RefundFilter { status, ..RefundFilter::default() }
}

async fn table_of_refunds(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, language) = (call.say(), call.zone(), call.language);
    let filter = filter_of_refunds(&call.query);
    let table = Table::new(move |services, account, page| {
        services.payments.refunds(account, RefundQuery { filter: filter.clone(), page })
    })
    .column(say.identifier(), |refund: &Refund| refund.id.to_string())
    .moment(say.date(), zone, |refund| refund.created_at)
    .column(csv::id_of(say.payment()), |refund| refund.payment.to_string())
    .optional(csv::id_of(say.order()), |refund| refund.order)
    .column(say.currency(), |refund| refund.currency.to_string())
    .money(say.amount(), |refund| refund.currency, |refund| refund.amount)
    .column(say.state(), move |refund| refund_name(say, refund.status).to_owned())
    .optional(say.reason(), |refund| refund.reason.clone())
    .optional(say.note(), |refund| refund.note.clone())
    .optional(say.failed(), move |refund| {
        let why = refund.failure.as_ref()?;
        Some(reason::told(&why.message).in_language(language).to_owned())
    })
    .optional(say.credit_note_trouble(), move |refund| {
        let kept = refund.credit_note_problem.as_deref()?;
        Some(papers::told(kept).in_language(language).to_owned())
    });
    csv::sent(&call, "refunds.csv", table)
}
