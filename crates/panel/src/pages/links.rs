//! Payment links: listed, one with what it asks for and who has paid by it, made and closed.

mod acts;

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use kernel::Timestamp;
use payments::{
    LinkQuery, LinkStatus, PaymentLink, PaymentLinkId,
    link::{Asks, LinkFilter},
};

use super::money::method_name;
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
    parts::{CopyField, Empty, Filters, Link, Moment, Pager, Pill, Tone},
    reply::{answered, found},
    texts::Say,
};

const READ: Right = Right::read(Scope::Payments);
const PATH: &str = "links";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Collect, "link", Say::payment_links)
            .key("k")
            .list(),
    ];
    let one = vec![Page::get("links/{id}", READ, detail), Page::get("links.csv", READ, table)];
    [own, acts::pages(), one].into_iter().flatten().collect()
}

const fn status_name(say: Say, status: LinkStatus) -> &'static str {
    match status {
        LinkStatus::Active => say.link_active(),
        LinkStatus::Inactive => say.link_inactive(),
        LinkStatus::Completed => say.link_completed(),
        LinkStatus::Expired => say.link_expired(),
    }
}

fn status_pill(say: Say, status: LinkStatus) -> Pill {
    let tone = match status {
        LinkStatus::Active => Tone::Waiting,
        LinkStatus::Completed => Tone::Good,
        LinkStatus::Inactive | LinkStatus::Expired => Tone::Plain,
    };
    Pill::new(tone, status_name(say, status))
}

/// What a link asks for, in words.
fn asks(say: Say, link: &PaymentLink) -> String {
    let told = |amount| money(amount, link.currency);
    match link.asks {
        Asks::Fixed(amount) => told(amount),
        Asks::Between { min, max } => format!("{} – {}", told(min), told(max)),
        Asks::Due => say.what_is_due().to_owned(),
    }
}

#[derive(Template)]
#[template(path = "links/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    title: String,
    href: String,
    until: Moment,
    paid: u32,
    status: Pill,
    asks: String,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let filter = filter(&call.query, call.now());
    let chosen = filter.status.map(|(status, _)| status);
    let query = LinkQuery { filter, page: list::asked(&call.query) };
    let listed = answered(call.services().payment_links.list(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let line = |link: PaymentLink| Line {
        href: format!("{}/{}", call.href(PATH), link.id),
        until: moment(link.expires_at, zone, call.language),
        paid: link.paid_count,
        status: status_pill(say, link.status(call.now())),
        asks: asks(say, &link),
        title: link.title,
    };
    let total = list::counted(say, listed.total);
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let new = call.href("links/new");
    let empty = lines.is_empty().then(|| match (chosen, call.may(acts::WRITE)) {
        (Some(_), _) => Empty::unmatched(say, call.href(PATH)),
        (None, true) => Empty::new(say.no_links()).action(say.new_link(), new.clone()),
        (None, false) => Empty::new(say.no_links()),
    });
    let statuses: Vec<_> =
        LinkStatus::EVERY.iter().map(|one| (one.name(), status_name(say, *one))).collect();
    let filters = Filters::without_words(say, call.href(PATH), &call.query, total).choice(
        &call.query,
        ("status", say.state()),
        &statuses,
    );
    let body = Listed { say, filters, lines, empty, pager };
    let sheet = Sheet::new(say.payment_links(), &body);
    let sheet = match call.may(acts::WRITE) {
        true => sheet.action(say.new_link(), new),
        false => sheet,
    };
    Ok(call.page(sheet))
}

/// Which links a query asks for at a moment. What cannot be read of it is left out.
fn filter(query: &Values, now: Timestamp) -> LinkFilter {
    let status = list::named(query, "status", LinkStatus::EVERY, LinkStatus::name);
    LinkFilter { status: status.map(|status| (status, now)), ..LinkFilter::default() }
}

/// All but what opens them.
async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, now) = (call.say(), call.zone(), call.now());
    let filter = filter(&call.query, now);
    let bounds = |link: &PaymentLink| match link.asks {
        Asks::Fixed(amount) => Some((amount, amount)),
        Asks::Between { min, max } => Some((min, max)),
        Asks::Due => None,
    };
    let table = Table::new(move |services, account, page| {
        services.payment_links.list(account, LinkQuery { filter: filter.clone(), page })
    })
    .column(say.identifier(), |link: &PaymentLink| link.id.to_string())
    .column(say.what_for(), |link| link.title.clone())
    .moment(say.date(), zone, |link| link.created_at)
    .column(say.currency(), |link| link.currency.to_string())
    .money(
        say.amount_at_least(),
        |link| link.currency,
        move |link| bounds(link).map(|(min, _)| min),
    )
    .money(say.amount_at_most(), |link| link.currency, move |link| bounds(link).map(|(_, max)| max))
    .column(say.state(), move |link| status_name(say, link.status(now)).to_owned())
    .column(say.times_paid(), |link| link.paid_count.to_string())
    .moment(say.payable_until(), zone, |link| link.expires_at)
    .optional(csv::id_of(say.order()), |link| link.order)
    .optional(csv::id_of(say.invoice()), |link| link.invoice)
    .optional(csv::id_of(say.customer()), |link| link.customer);
    csv::sent(&call, "links.csv", table)
}

#[derive(Template)]
#[template(path = "links/detail.html", whitespace = "minimize")]
struct Detail {
    url: CopyField,
    facts: Vec<(&'static str, String)>,
    ways: Vec<Link>,
}

/// The link of the path.
async fn link(call: &Call<Member>) -> Result<PaymentLink, Failure> {
    let id = PaymentLinkId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().payment_links.get(call.account(), id)).await
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let link = link(&call).await?;
    let zone = call.zone();
    let status = link.status(call.now());
    let body = Detail {
        url: CopyField {
            id: "link",
            label: say.payment_link().to_owned(),
            text: format!("{}/pay/{}", call.public_url(), link.token.reveal()),
        },
        facts: facts(&call, &link, zone),
        ways: ways(&call, &link),
    };
    let sheet = Sheet::new(link.title.clone(), &body).pill(status_pill(say, status));
    let sheet = match call.may(acts::WRITE) && status == LinkStatus::Active {
        true => sheet.grave(say.close_link(), format!("{}/{}/close", call.href(PATH), link.id)),
        false => sheet,
    };
    Ok(call.page(sheet.back(say.payment_links(), call.href(PATH))))
}

fn facts(call: &Call<Member>, link: &PaymentLink, zone: Zone) -> Vec<(&'static str, String)> {
    let say = call.say();
    let methods = link.methods.iter().map(|method| method_name(say, *method));
    let methods = methods.collect::<Vec<_>>().join(", ");
    let facts = [
        (say.amount(), Some(asks(say, link))),
        (say.what_for(), link.description.clone()),
        (say.method(), Some(methods).filter(|methods| !methods.is_empty())),
        (say.payable_until(), Some(moment(link.expires_at, zone, call.language).text)),
        (say.times_paid(), Some(link.paid_count.to_string())),
    ];
    facts.into_iter().filter_map(|(label, text)| Some((label, text?))).collect()
}

/// To what it is for and who has paid, as far as the member may look at that.
fn ways(call: &Call<Member>, link: &PaymentLink) -> Vec<Link> {
    let say = call.say();
    let paid = Link::new(say.payments(), format!("{}?link={}", call.href("payments"), link.id));
    let order = link.order.filter(|_| call.may(Right::read(Scope::Orders)));
    let order = order.map(|id| Link::new(say.order(), format!("{}/{id}", call.href("orders"))));
    std::iter::once(paid).chain(order).collect()
}
