//! Quotes: listed, and one with what it offers; it is drafted, sent, accepted for its customer, or revised.

mod acts;
mod deleting;
mod draft;
mod paper;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use crm::CustomerId;
use kernel::{Amount, PageRequest, Timestamp};
use orders::Item;
use quotes::{
    DealId, Offered, Question, Quote, QuoteFilter, QuoteId, QuoteQuery, Status, number_in,
};

pub(super) use self::draft::offered;
use super::{
    linked::order_numbers,
    named::{Named, customers_of, named, names},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{day, moment, money, quantity, unit_price},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{CopyField, Empty, Filters, Happening, Link, Moment, Pager, Pill, Timeline, Tone},
    reply::{answered, found},
    texts::Say,
};

/// Quotes are a part of deals.
const READ: Right = Right::read(Scope::Deals);
const PATH: &str = "quotes";
/// Questions that a quote shows.
const QUESTIONS_MAX: u32 = 50;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Sell, "file-text", Say::quotes).key("q").list(),
        Page::get("quotes/{id}", READ, detail),
        Page::get("quotes.csv", READ, table),
    ];
    [own, draft::pages(), acts::pages(), deleting::pages(), paper::pages()]
        .into_iter()
        .flatten()
        .collect()
}

const fn status_name(say: Say, status: Status) -> &'static str {
    match status {
        Status::Draft => say.quote_draft(),
        Status::Sent => say.quote_sent(),
        Status::Accepted => say.quote_accepted(),
        Status::Rejected => say.quote_rejected(),
        Status::Expired => say.quote_expired(),
        Status::Ordered => say.quote_ordered(),
        Status::Superseded => say.quote_superseded(),
    }
}

fn status_pill(say: Say, status: Status) -> Pill {
    let tone = match status {
        Status::Draft | Status::Sent | Status::Accepted => Tone::Waiting,
        Status::Ordered => Tone::Good,
        Status::Rejected => Tone::Bad,
        Status::Expired | Status::Superseded => Tone::Plain,
    };
    Pill::new(tone, status_name(say, status))
}

#[derive(Template)]
#[template(path = "quotes/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    number: String,
    href: String,
    drafted: Moment,
    customer: String,
    status: Pill,
    total: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filter = filter(&call.query, call.now());
    let is_filtered = filter != QuoteFilter::default();
    let query = QuoteQuery { filter, page: list::asked(&call.query) };
    let listed = answered(call.services().quotes.list(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let ids = listed.items.iter().map(|quote| CustomerId::from_u128(quote.customer.to_u128()));
    let names = names(&call, call.account(), ids.collect()).await?;
    let line = |quote: Quote| Line {
        number: numbered(&quote),
        href: format!("{}/{}", call.href(PATH), quote.id),
        drafted: moment(quote.created_at, zone, call.language),
        customer: names.get(&quote.customer.to_u128()).cloned().unwrap_or_default(),
        status: status_pill(say, quote.status(call.now())),
        total: money(quote.offered.total, quote.offered.currency),
    };
    let (query, total) = (&call.query, list::counted(say, listed.total));
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false => match offered(&call, None) {
            Some(place) => Empty::new(say.no_quotes()).action(say.new_quote(), place),
            None => Empty::new(say.no_quotes()),
        },
    });
    let statuses: Vec<_> =
        Status::EVERY.iter().map(|one| (one.name(), status_name(say, *one))).collect();
    let of_deal = query.filled("deal").map(|_| say.deal().to_owned());
    let filters = Filters::without_words(say, call.href(PATH), query, total)
        .typed(query, ("number", say.quote_number()))
        .choice(query, ("status", say.state()), &statuses)
        .chip(of_deal, query, "deal");
    let body = Listed { say, filters, lines, empty, pager };
    let sheet = Sheet::new(say.quotes(), &body);
    Ok(call.page(match offered(&call, call.query.filled("deal")) {
        Some(place) => sheet.action(say.new_quote(), place),
        None => sheet,
    }))
}

/// Which quotes a query asks for at a moment. What cannot be read of it is left out.
fn filter(query: &Values, now: Timestamp) -> QuoteFilter {
    let status = list::named(query, "status", Status::EVERY, Status::name);
    QuoteFilter {
        status: status.map(|status| (status, now)),
        number: query.read("number", number_in),
        deal: query.read("deal", DealId::parse),
        ..QuoteFilter::default()
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, now) = (call.say(), call.zone(), call.now());
    let filter = filter(&call.query, now);
    let customers = customers_of(&call);
    let table = Table::reading(move |services, account, page| {
        let listing = services.quotes.list(account, QuoteQuery { filter: filter.clone(), page });
        let customers = customers.clone();
        let customer = |quote: &Quote| Some(quote.customer.to_u128());
        Box::pin(async move { named(answered(listing).await?, customers, account, customer).await })
    })
    .column(say.quote_number(), |of: &Named<Quote>| of.row.number_text())
    .column(say.revision(), |of| of.row.revision.to_string())
    .column(say.identifier(), |of| of.row.id.to_string())
    .moment(say.date(), zone, |of| of.row.created_at)
    .optional(say.customer(), |of| of.customer.clone())
    .column(csv::id_of(say.customer()), |of| of.row.customer.to_string())
    .optional(csv::id_of(say.deal()), |of| of.row.deal)
    .column(say.state(), move |of| status_name(say, of.row.status(now)).to_owned())
    .column(say.currency(), |of| of.row.offered.currency.to_string())
    .money(say.total(), |of| of.row.offered.currency, |of| of.row.offered.total)
    .column(say.valid_until(), |of| of.row.valid_until.to_string())
    .moment(say.sent_at(), zone, |of| of.row.sent_at)
    .optional(csv::id_of(say.order()), |of| of.row.order)
    .optional(say.notes(), |of| of.row.notes.clone());
    csv::sent(&call, "quotes.csv", table)
}

/// Its number, and which revision of it this is.
fn numbered(quote: &Quote) -> String {
    match quote.revision {
        1 => quote.number_text(),
        revision => format!("{} · {revision}", quote.number_text()),
    }
}

#[derive(Template)]
#[template(path = "quotes/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    title: Option<String>,
    drafted: Moment,
    ways: Vec<Link>,
    problem: Option<String>,
    items: Vec<ItemLine>,
    sums: Vec<(&'static str, String)>,
    total: String,
    facts: Vec<(&'static str, String)>,
    link: Option<CopyField>,
    notes: Option<String>,
    /// What was asked on its page about any of its revisions.
    questions: Timeline,
}

struct ItemLine {
    name: String,
    sku: String,
    quantity: String,
    unit_price: String,
    amount: String,
    discount: Option<String>,
    note: Option<String>,
}

/// The quote of the path.
async fn quote(call: &Call<Member>) -> Result<Quote, Failure> {
    let id = QuoteId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().quotes.get(call.account(), id)).await
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let quote = quote(&call).await?;
    let zone = call.zone();
    let status = quote.status(call.now());
    let currency = quote.offered.currency;
    let item = |item: &Item| ItemLine {
        name: item.name.clone(),
        sku: item.sku.clone(),
        quantity: quantity(item.ordered()),
        unit_price: unit_price(item.unit_price, currency),
        amount: unit_price(item.line_total(), currency),
        discount: item.discount.map(|discount| money(discount.amount, currency)),
        note: item.note.clone(),
    };
    let token = quote.token.as_ref().filter(|_| status != Status::Draft);
    let link = token.map(|token| CopyField {
        id: "link",
        label: say.quote_link().to_owned(),
        text: format!("{}/quotes/{}", call.public_url(), token.reveal()),
    });
    let problem = quote.problem.as_ref().map(|problem| match call.language {
        kernel::Language::English => problem.english.clone(),
        kernel::Language::Spanish => problem.spanish.clone(),
    });
    let body = Detail {
        say,
        title: quote.title.clone(),
        drafted: moment(quote.created_at, zone, call.language),
        ways: ways(&call, &quote).await?,
        problem,
        items: quote.offered.items.iter().map(item).collect(),
        sums: sums(say, &quote.offered),
        total: money(quote.offered.total, currency),
        facts: facts(&call, &quote, zone),
        link,
        notes: quote.notes.clone(),
        questions: Timeline { entries: questions(&call, &quote, zone).await? },
    };
    let sheet = Sheet::new(numbered(&quote), &body).pill(status_pill(say, status));
    let place = format!("{}/{}", call.href(PATH), quote.id);
    let with_act = |sheet: Sheet, (label, path): (&'static str, &'static str)| {
        sheet.offered(label, &place, path)
    };
    let sheet = acts::offered(&call, &quote).into_iter().fold(sheet, with_act);
    let sheet = sheet.quiet(say.pdf(), format!("{place}/pdf"));
    Ok(call.page(sheet.back(say.quotes(), call.href(PATH))))
}

/// The newest questions about any revision of a quote.
async fn questions(
    call: &Call<Member>,
    quote: &Quote,
    zone: Zone,
) -> Result<Vec<Happening>, Failure> {
    let page = PageRequest { limit: QUESTIONS_MAX, ..PageRequest::default() };
    let asked = found(call.services().quotes.questions(call.account(), quote.id, page)).await?;
    let happening = |question: Question| {
        let by = [question.name, question.email].into_iter().flatten().collect::<Vec<_>>();
        Happening {
            at: moment(question.at, zone, call.language),
            title: question.text,
            href: None,
            note: (!by.is_empty()).then(|| by.join(" · ")),
        }
    };
    Ok(asked.items.into_iter().map(happening).collect())
}

/// What stands above the total, as the service has computed it.
fn sums(say: Say, offered: &Offered) -> Vec<(&'static str, String)> {
    let told = |amount: Amount| money(amount, offered.currency);
    let discount = offered.discount_total();
    let discount = (discount > Amount::ZERO).then(|| format!("−{}", told(discount)));
    let shipping = offered.shipping.as_ref().map(|shipping| told(shipping.amount));
    let sums = [
        (say.subtotal(), Some(told(offered.subtotal()))),
        (say.discount(), discount),
        (say.shipping(), shipping),
        (say.taxes_inside(), Some(told(offered.tax_total))),
    ];
    sums.into_iter().filter_map(|(label, text)| Some((label, text?))).collect()
}

fn facts(call: &Call<Member>, quote: &Quote, zone: Zone) -> Vec<(&'static str, String)> {
    let say = call.say();
    let at = |at| moment(at, zone, call.language).text;
    let accepted = quote.acceptance.as_ref();
    let facts = [
        (say.valid_until(), Some(day(quote.valid_until.date(), call.language))),
        (say.sent_at(), quote.sent_at.map(at)),
        (say.accepted_at(), accepted.map(|accepted| at(accepted.at))),
        (say.accepted_by(), accepted.and_then(|accepted| accepted.name.clone())),
        (say.rejected_at(), quote.rejected_at.map(at)),
        (say.reason(), quote.reject_reason.clone()),
    ];
    facts.into_iter().filter_map(|(label, text)| Some((label, text?))).collect()
}

/// To whom it is for and what has come of it, as far as the member may look at that.
async fn ways(call: &Call<Member>, quote: &Quote) -> Result<Vec<Link>, Failure> {
    let say = call.say();
    let may = |scope| call.may(Right::read(scope));
    let place = |path: &str, id: String| format!("{}/{id}", call.href(path));
    let id = CustomerId::from_u128(quote.customer.to_u128());
    let known = names(call, call.account(), vec![id]).await?;
    let numbers = order_numbers(call, quote.order.map(|id| id.to_u128())).await?;
    let customer = may(Scope::Customers).then(|| {
        let name = known.get(&id.to_u128()).cloned();
        let name = name.unwrap_or_else(|| say.customer().to_owned());
        Link::new(name, place("customers", quote.customer.to_string()))
    });
    let deal = quote.deal.map(|id| Link::new(say.deal(), place("deals", id.to_string())));
    let order = quote.order.filter(|_| may(Scope::Orders));
    let order = order.map(|id| {
        let number = numbers.get(&id.to_u128()).map(|number| format!("{} {number}", say.order()));
        let label = number.unwrap_or_else(|| say.order().to_owned());
        Link::new(label, place("orders", id.to_string()))
    });
    let link = quote.link.filter(|_| may(Scope::Payments));
    let link = link.map(|id| Link::new(say.payment_link(), place("links", id.to_string())));
    Ok([customer, deal, order, link].into_iter().flatten().collect())
}
