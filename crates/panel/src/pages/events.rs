//! Events: what has happened, and whom it was sent to.

use accounts::{Right, Scope};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use kernel::id::EventId;
use webhooks::{
    Delivery, EventFilter, EventQuery, ListedEvent,
    catalog::{EVENTS, EXTENSIONS},
};

use super::{
    linked::{Ways, page_of},
    webhooks::delivery_pill,
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{laid_out, moment},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{Empty, Filters, Moment, Pager, Pill},
    reply::{answered, found},
    texts::Say,
};

const READ: Right = Right::read(Scope::Webhooks);
const PATH: &str = "events";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show).listed(Group::Develop, "activity", Say::events).key("e").list(),
        Page::get("events/{id}", READ, detail),
        Page::get("events.csv", READ, table),
    ]
}

#[derive(Template)]
#[template(path = "events/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    name: String,
    href: String,
    entity: String,
    /// Where what it happened to is shown.
    place: Option<String>,
    at: Moment,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let zone = call.zone();
    let filter = filter(&call.query, zone);
    let is_filtered = filter != EventFilter::default();
    let query = EventQuery { filter, page: list::asked(&call.query) };
    let listed = answered(call.services().webhooks.list_events(call.account(), query)).await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let ways = Ways::of(&call);
    let line = |event: ListedEvent| Line {
        href: format!("{}/{}", call.href(PATH), event.id),
        at: moment(event.created_at, zone, call.language),
        name: event.name,
        place: ways.page_of(&event.entity),
        entity: event.entity,
    };
    let (query, total) = (&call.query, list::counted(say, listed.total));
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| nothing(&call, is_filtered));
    let known = EVENTS.iter().chain(EXTENSIONS).map(|known| (known.name, known.name));
    let known: Vec<_> = known.collect();
    let filters = Filters::without_words(say, call.href(PATH), query, total)
        .choice(query, ("name", say.event()), &known)
        .typed(query, ("entity", say.resource()))
        .days(query);
    let body = Listed { say, filters, lines, empty, pager };
    Ok(call.page(Sheet::new(say.events(), &body)))
}

/// Which events a query asks for. What cannot be read of it is left out, and its field shows what was typed.
fn filter(query: &Values, zone: Zone) -> EventFilter {
    let (from, to) = list::days(query, zone);
    EventFilter {
        name: query.filled("name").map(str::to_owned),
        entity: query.filled("entity").map(str::to_owned),
        from,
        to,
    }
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query, zone);
    let table = Table::new(move |services, account, page| {
        services.webhooks.list_events(account, EventQuery { filter: filter.clone(), page })
    })
    .column(say.identifier(), |event: &ListedEvent| event.id.to_string())
    .column(say.event(), |event| event.name.clone())
    .column(say.resource(), |event| event.entity.clone())
    .moment(say.date(), zone, |event| event.created_at);
    csv::sent(&call, "events.csv", table)
}

fn nothing(call: &Call<Member>, is_filtered: bool) -> Empty {
    let say = call.say();
    if is_filtered {
        return Empty::unmatched(say, call.href(PATH));
    }
    let url = call.public_url();
    let command = format!("curl -sS '{url}/api/v1/events' -H 'Authorization: Bearer <API_KEY>'");
    Empty::new(say.no_events()).curl(command)
}

#[derive(Template)]
#[template(path = "events/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    id: String,
    entity: String,
    /// Where what it happened to is shown.
    place: Option<String>,
    at: Moment,
    body: String,
    lines: Vec<DeliveryLine>,
}

struct DeliveryLine {
    id: String,
    href: String,
    state: Pill,
    attempts: u32,
    created: Moment,
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let id = EventId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let shown = found(call.services().webhooks.event(call.account(), id)).await?;
    let zone = call.zone();
    let line = |delivery: Delivery| DeliveryLine {
        id: delivery.id.to_string(),
        href: call.href(&format!("webhooks/{}/deliveries/{}", delivery.subscription, delivery.id)),
        state: delivery_pill(say, delivery.state),
        attempts: delivery.attempts,
        created: moment(delivery.created_at, zone, call.language),
    };
    let body = Detail {
        say,
        id: shown.event.id.to_string(),
        place: page_of(&call, &shown.event.entity),
        entity: shown.event.entity,
        at: moment(shown.event.created_at, zone, call.language),
        body: laid_out(&shown.body),
        lines: shown.deliveries.into_iter().map(line).collect(),
    };
    let sheet = Sheet::new(shown.event.name, &body);
    Ok(call.page(sheet.back(say.events(), call.href(PATH))))
}
