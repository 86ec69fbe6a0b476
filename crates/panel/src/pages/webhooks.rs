//! Webhooks: listed, and one with its deliveries.

mod acts;
mod bulk;
mod edit;
mod programs;

use accounts::{Right, Scope};
use askama::Template;
use kernel::id::EventId;
use webhooks::{
    Attempt, Delivery, DeliveryDetail, DeliveryFilter, DeliveryId, DeliveryQuery, DeliveryState,
    Recent, Subscription, SubscriptionQuery,
    catalog::{EVENTS, EVERY_EVENT, EXTENSIONS, TEST_EVENT},
    health::Health,
    signing::HeaderNames,
};

pub(super) use self::acts::told;
use super::linked::nothing_yet;
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    form::Values,
    format::{grouped, laid_out, moment},
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{ButtonForm, Empty, Filters, Many, Moment, Pager, Pill, Stat, Tone},
    reply::{answered, found},
    texts::Say,
};

const READ: Right = Right::read(Scope::Webhooks);
const PATH: &str = "webhooks";
/// The names of what a query narrows deliveries by.
const NARROWED_BY: &[&str] = &["state", "event", "eventId"];

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show)
            .listed(Group::Develop, "webhook", Say::webhooks)
            .key("w")
            .list(),
        Page::get("webhooks.csv", READ, table),
        Page::get("webhooks/{id}", READ, detail),
        Page::get("webhooks/{id}/deliveries.csv", READ, table_of_deliveries),
        Page::get("webhooks/{id}/deliveries/{delivery}", READ, delivery),
    ];
    [own, acts::pages(), bulk::pages(), edit::pages(), programs::pages()]
        .into_iter()
        .flatten()
        .collect()
}

#[derive(Template)]
#[template(path = "webhooks/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    filters: Filters,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    url: String,
    href: String,
    events: String,
    state: Pill,
    created: Moment,
}

const fn health_name(say: Say, health: Health) -> &'static str {
    match health {
        Health::Enabled => say.webhook_enabled(),
        Health::Failing => say.webhook_failing(),
        Health::Disabled => say.webhook_disabled(),
    }
}

fn state(say: Say, webhook: &Subscription) -> Pill {
    let health = webhook.health();
    let tone = match health {
        Health::Enabled => Tone::Good,
        Health::Failing => Tone::Waiting,
        Health::Disabled => Tone::Bad,
    };
    Pill::new(tone, health_name(say, health))
}

/// Which webhooks a query asks for. What cannot be read of it is left out.
fn health(query: &Values) -> Option<Health> {
    list::named(query, "state", Health::EVERY, Health::name)
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let health = health(&call.query);
    let query = SubscriptionQuery { health, page: list::asked(&call.query) };
    let listed = answered(call.services().webhooks.list(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let total = list::counted(say, listed.total);
    let line = |webhook: Subscription| Line {
        href: format!("{}/{}", call.href(PATH), webhook.id),
        events: events_of(say, &webhook),
        state: state(say, &webhook),
        created: moment(webhook.created_at, zone, call.language),
        url: webhook.url,
    };
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let url = call.public_url();
    let command = format!(
        "curl -sS -X POST '{url}/api/v1/webhooks' -H 'Authorization: Bearer <API_KEY>' \
         -H 'Content-Type: application/json' \
         -d '{{\"url\":\"https://example.com/hook\",\"events\":[\"order.created\"]}}'"
    );
    let empty = lines.is_empty().then(|| match health {
        Some(_) => Empty::unmatched(say, call.href(PATH)),
        None => {
            nothing_yet(&call, say.no_webhooks(), (say.new_webhook(), "webhooks/new")).curl(command)
        }
    });
    let states: Vec<_> =
        Health::EVERY.iter().map(|one| (one.name(), health_name(say, *one))).collect();
    let filters = Filters::without_words(say, call.href(PATH), &call.query, total).choice(
        &call.query,
        ("state", say.state()),
        &states,
    );
    let sheet = Sheet::new(say.webhooks(), &Listed { say, filters, lines, empty, pager });
    let sheet = match call.may(acts::WRITE) {
        true => sheet.action(say.new_webhook(), call.href("webhooks/new")),
        false => sheet,
    };
    Ok(call.page(sheet.quiet(say.receiving(), call.href("webhooks/receiving"))))
}

/// All but their secrets.
async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, health) = (call.say(), call.zone(), health(&call.query));
    let table = Table::new(move |services, account, page| {
        services.webhooks.list(account, SubscriptionQuery { health, page })
    })
    .column(say.identifier(), |webhook: &Subscription| webhook.id.to_string())
    .column(say.url(), |webhook| webhook.url.clone())
    .column(say.events(), move |webhook| events_of(say, webhook))
    .column(say.state(), move |webhook| health_name(say, webhook.health()).to_owned())
    .optional(say.description(), |webhook| webhook.description.clone())
    .moment(say.created(), zone, |webhook| webhook.created_at);
    csv::sent(&call, "webhooks.csv", table)
}

/// Which events it gets.
fn events_of(say: Say, webhook: &Subscription) -> String {
    match webhook.events.names().join(", ").as_str() {
        EVERY_EVENT => say.all_events().to_owned(),
        some => some.to_owned(),
    }
}

/// Which deliveries a query asks for. What cannot be read of it is left out.
fn filter(query: &Values) -> DeliveryFilter {
    DeliveryFilter {
        state: list::named(query, "state", DeliveryState::EVERY, DeliveryState::name),
        event_name: query.filled("event").map(str::to_owned),
        event: query.read("eventId", EventId::parse),
    }
}

async fn table_of_deliveries(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, id) = (call.say(), call.zone(), acts::id(&call)?);
    let _ = found(call.services().webhooks.get(call.account(), id)).await?;
    let filter = filter(&call.query);
    let table = Table::<Delivery>::reading(move |services, account, page| {
        let query = DeliveryQuery { filter: filter.clone(), page };
        Box::pin(found(services.webhooks.list_deliveries(account, id, query)))
    })
    .column(say.identifier(), |delivery| delivery.id.to_string())
    .column(say.event(), |delivery| delivery.event_name.clone())
    .column(csv::id_of(say.event()), |delivery| delivery.event.to_string())
    .column(say.state(), move |delivery| delivery_state(say, delivery.state).to_owned())
    .column(say.attempts(), |delivery| delivery.attempts.to_string())
    .moment(say.created(), zone, |delivery| delivery.created_at)
    .moment(say.next_attempt(), zone, |delivery| delivery.next_attempt_at);
    csv::sent(&call, "deliveries.csv", table)
}

#[derive(Template)]
#[template(path = "webhooks/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    filters: Filters,
    /// What can be done at once.
    acts: Vec<ButtonForm>,
    /// What became of its attempts of late.
    stats: Vec<Stat>,
    events: String,
    description: Option<String>,
    lines: Vec<DeliveryLine>,
    empty: Option<Empty>,
    pager: Pager,
    /// What is done about deliveries that are ticked, or about all.
    many: Option<Many>,
}

struct DeliveryLine {
    id: String,
    event: String,
    href: String,
    state: Pill,
    attempts: u32,
    created: Moment,
    next: Option<Moment>,
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let id = acts::id(&call)?;
    let webhook = found(services.webhooks.get(account, id)).await?;
    let filter = filter(&call.query);
    let is_filtered = filter != DeliveryFilter::default();
    let query = DeliveryQuery { filter, page: list::asked(&call.query) };
    let listed = found(services.webhooks.list_deliveries(account, id, query)).await?;
    let recent = answered(services.webhooks.recent(account, id, call.now())).await?;
    let zone = call.zone();
    let path = format!("{}/{id}", call.href(PATH));
    let pager = list::pager(say, &path, &call.query, &listed);
    let again = (format!("{path}/resend"), say.resend_many());
    let again = if call.may(acts::WRITE) { vec![again] } else { Vec::new() };
    let many = Many::of(say, again, &call.query, NARROWED_BY, listed.total);
    let filters = filters(&call, path.clone(), list::counted(say, listed.total));
    let line = |delivery: Delivery| DeliveryLine {
        id: delivery.id.to_string(),
        href: format!("{path}/deliveries/{}", delivery.id),
        state: delivery_pill(say, delivery.state),
        attempts: delivery.attempts,
        created: moment(delivery.created_at, zone, call.language),
        next: delivery.next_attempt_at.map(|at| moment(at, zone, call.language)),
        event: delivery.event_name,
    };
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, path.clone()),
        false => Empty::new(say.no_deliveries()),
    });
    // What gets nothing is enabled before all else.
    let acts = acts::offered(&call, &webhook).into_iter().filter(|(act, _)| *act != "enable");
    let acts = acts.map(|(act, label)| call.button(format!("{path}/{act}"), label));
    let body = Detail {
        say,
        acts: acts.collect(),
        stats: stats(say, &recent),
        filters,
        events: events_of(say, &webhook),
        description: webhook.description.clone(),
        lines,
        empty,
        pager,
        many,
    };
    let sheet = Sheet::new(webhook.url.clone(), &body).pill(state(say, &webhook));
    let sheet = match webhook.disabled.filter(|_| call.may(acts::WRITE)) {
        Some(_) => {
            let enable = format!("{}/{id}/enable", call.href(PATH));
            sheet.act(&call.button(enable, say.enable()).class("main"))
        }
        None => sheet,
    };
    let sheet = match call.may(acts::WRITE) {
        true => sheet
            .action(say.change_webhook(), format!("{}/{id}/edit", call.href(PATH)))
            .action(say.rotate_secret(), format!("{}/{id}/rotate", call.href(PATH)))
            .action(say.replay(), format!("{}/{id}/replay", call.href(PATH)))
            .grave(say.delete(), format!("{}/{id}/delete", call.href(PATH))),
        false => sheet,
    };
    let sheet = sheet.quiet(say.receiving(), call.href("webhooks/receiving"));
    let table = format!("{}/{id}/deliveries.csv", call.href(PATH));
    let sheet = sheet.quiet(say.export_csv(), list::filtered(&table, &call.query));
    Ok(call.page(sheet.back(say.webhooks(), call.href(PATH))))
}

/// The bar above the deliveries of a webhook.
fn filters(call: &Call<Member>, path: String, total: String) -> Filters {
    let (say, query) = (call.say(), &call.query);
    let states: Vec<_> =
        DeliveryState::EVERY.iter().map(|one| (one.name(), delivery_state(say, *one))).collect();
    let names = EVENTS.iter().chain(EXTENSIONS).map(|known| known.name).chain([TEST_EVENT]);
    let names: Vec<_> = names.map(|name| (name, name)).collect();
    Filters::without_words(say, path, query, total)
        .choice(query, ("state", say.state()), &states)
        .choice(query, ("event", say.event()), &names)
        .typed(query, ("eventId", say.event_id()))
}

/// What became of the attempts of a day; nothing where there were none.
fn stats(say: Say, recent: &Recent) -> Vec<Stat> {
    let (Some(share), Some(p95)) = (recent.success_percent(), recent.p95_ms) else {
        return Vec::new();
    };
    let stat = |label: &str, figure: String| Stat { label: label.to_owned(), figure, href: None };
    vec![
        stat(say.attempts_of_day(), grouped(recent.attempts.into())),
        stat(say.attempts_succeeded(), format!("{share} %")),
        stat(say.attempts_p95(), format!("{} ms", grouped(p95.into()))),
    ]
}

const fn delivery_state(say: Say, state: DeliveryState) -> &'static str {
    match state {
        DeliveryState::Attempting => say.attempting(),
        DeliveryState::Delivered => say.delivered(),
        DeliveryState::Failed => say.failed(),
    }
}

pub(super) fn delivery_pill(say: Say, state: DeliveryState) -> Pill {
    let tone = match state {
        DeliveryState::Attempting => Tone::Waiting,
        DeliveryState::Delivered => Tone::Good,
        DeliveryState::Failed => Tone::Bad,
    };
    Pill::new(tone, delivery_state(say, state))
}

#[derive(Template)]
#[template(path = "webhooks/delivery.html", whitespace = "minimize")]
struct Delivered {
    say: Say,
    id: String,
    /// Sends it again, for who may have that done.
    retry: Option<ButtonForm>,
    body: Option<String>,
    attempts: Vec<AttemptLine>,
    /// The headers of the last attempt, but for those that prove it genuine.
    headers: Vec<(String, String)>,
}

struct AttemptLine {
    number: u32,
    at: Moment,
    took: String,
    outcome: Pill,
    answer: Option<String>,
}

/// The delivery of the path, which is one of the webhook of the path.
async fn one_delivery(call: &Call<Member>) -> Result<DeliveryDetail, Failure> {
    let id = DeliveryId::parse(call.parameter("delivery")).ok_or(Failure::Nothing)?;
    let webhook = acts::id(call)?;
    let shown = found(call.services().webhooks.get_delivery(call.account(), id)).await?;
    if shown.delivery.subscription == webhook { Ok(shown) } else { Err(Failure::Nothing) }
}

async fn delivery(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let shown = one_delivery(&call).await?;
    let (webhook, id) = (shown.delivery.subscription, shown.delivery.id);
    let zone = call.zone();
    let attempt = |attempt: Attempt| {
        let outcome = match (attempt.record.status, attempt.record.error) {
            (Some(status), _) => {
                let tone = if (200..300).contains(&status) { Tone::Good } else { Tone::Bad };
                Pill::new(tone, status.to_string())
            }
            (None, error) => {
                let told = error.map(|error| error.message());
                let told = told.as_ref().map(|told| told.in_language(call.language));
                Pill::new(Tone::Bad, told.unwrap_or_default())
            }
        };
        AttemptLine {
            number: attempt.number,
            at: moment(attempt.started_at, zone, call.language),
            took: format!("{} ms", attempt.duration_ms),
            outcome,
            answer: attempt.record.answer,
        }
    };
    let headers = headers(&call, &shown.delivery, shown.attempts.last());
    let again = format!("{}/{webhook}/deliveries/{id}/retry", call.href(PATH));
    let body = Delivered {
        say,
        id: id.to_string(),
        retry: call.may(acts::WRITE).then(|| call.button(again, say.send_again())),
        body: shown.body.as_deref().map(laid_out),
        attempts: shown.attempts.into_iter().map(attempt).collect(),
        headers,
    };
    let sheet = Sheet::new(shown.delivery.event_name, &body);
    let sheet = sheet.pill(delivery_pill(say, shown.delivery.state));
    let back = format!("{}/{webhook}", call.href(PATH));
    Ok(call.page(sheet.back(say.deliveries(), back)))
}

/// The headers of the last attempt as they were sent, but for the signatures, which need the secret of then.
fn headers(
    call: &Call<Member>,
    delivery: &Delivery,
    last: Option<&Attempt>,
) -> Vec<(String, String)> {
    let Some(last) = last else { return Vec::new() };
    let names = HeaderNames::of_brand(&call.panel.settings.brand);
    let event = delivery.event.to_string();
    let seconds = last.started_at.micros().div_euclid(1_000_000).to_string();
    let unknown = || "…".to_owned();
    vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        (names.event_id, event.clone()),
        (names.event, delivery.event_name.clone()),
        (names.delivery_id, delivery.id.to_string()),
        (names.attempt, last.number.to_string()),
        (names.signature, unknown()),
        ("webhook-id".to_owned(), event),
        ("webhook-timestamp".to_owned(), seconds),
        ("webhook-signature".to_owned(), unknown()),
    ]
}
