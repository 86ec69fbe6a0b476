//! Webhooks: listed, and one with its deliveries.

mod acts;

use accounts::{Right, Scope};
use askama::Template;
use webhooks::{
    Attempt, Delivery, DeliveryFilter, DeliveryId, DeliveryQuery, DeliveryState, Subscription,
    SubscriptionId, SubscriptionQuery,
};

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::moment,
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{ButtonForm, Empty, Moment, Pager, Pill, Tone},
    reply::{answered, found},
    texts::Say,
};

const READ: Right = Right::read(Scope::Webhooks);
const PATH: &str = "webhooks";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Develop, "webhook", Say::webhooks).key("w"),
        Page::get("webhooks/{id}", READ, detail),
        Page::get("webhooks/{id}/deliveries/{delivery}", READ, delivery),
    ];
    [own, acts::pages()].into_iter().flatten().collect()
}

#[derive(Template)]
#[template(path = "webhooks/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
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

fn state(say: Say, webhook: &Subscription) -> Pill {
    match webhook.disabled {
        Some(_) => Pill::new(Tone::Bad, say.webhook_disabled()),
        None if webhook.consecutive_failures > 0 => Pill::new(Tone::Waiting, say.webhook_failing()),
        None => Pill::new(Tone::Good, say.webhook_enabled()),
    }
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let query = SubscriptionQuery { page: list::asked(&call.query) };
    let listed = answered(call.services().webhooks.list(call.account(), query)).await?;
    let zone = call.zone().await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let line = |webhook: Subscription| Line {
        href: format!("{}/{}", call.href(PATH), webhook.id),
        events: webhook.events.names().join(", "),
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
    let empty = lines.is_empty().then(|| Empty::new(say.no_webhooks()).curl(command));
    Ok(call.page(Sheet::new(say.webhooks(), &Listed { say, lines, empty, pager })))
}

#[derive(Template)]
#[template(path = "webhooks/detail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    path: String,
    /// What can be done at once.
    acts: Vec<ButtonForm>,
    events: String,
    description: Option<String>,
    states: Vec<(&'static str, &'static str, bool)>,
    lines: Vec<DeliveryLine>,
    empty: Option<Empty>,
    pager: Pager,
}

struct DeliveryLine {
    event: String,
    href: String,
    state: Pill,
    attempts: u32,
    created: Moment,
    next: Option<Moment>,
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services, account) = (call.say(), call.services(), call.account());
    let id = SubscriptionId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let webhook = found(services.webhooks.get(account, id)).await?;
    let asked = call.query.filled("state");
    let chosen = DeliveryState::EVERY.iter().copied().find(|one| Some(one.name()) == asked);
    let filter = DeliveryFilter { state: chosen, ..DeliveryFilter::default() };
    let query = DeliveryQuery { filter, page: list::asked(&call.query) };
    let listed = found(services.webhooks.list_deliveries(account, id, query)).await?;
    let zone = call.zone().await?;
    let path = format!("{}/{id}", call.href(PATH));
    let pager = list::pager(say, &path, &call.query, &listed);
    let line = |delivery: Delivery| DeliveryLine {
        href: format!("{path}/deliveries/{}", delivery.id),
        state: delivery_pill(say, delivery.state),
        attempts: delivery.attempts,
        created: moment(delivery.created_at, zone, call.language),
        next: delivery.next_attempt_at.map(|at| moment(at, zone, call.language)),
        event: delivery.event_name,
    };
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| Empty::new(say.no_deliveries()));
    let choice =
        |state: &DeliveryState| (state.name(), delivery_state(say, *state), chosen == Some(*state));
    let acts = acts::offered(&call, &webhook).into_iter();
    let acts = acts.map(|(act, label)| call.button(format!("{path}/{act}"), label));
    let body = Detail {
        say,
        acts: acts.collect(),
        path,
        events: webhook.events.names().join(", "),
        description: webhook.description.clone(),
        states: DeliveryState::EVERY.iter().map(choice).collect(),
        lines,
        empty,
        pager,
    };
    let sheet = Sheet::new(webhook.url.clone(), &body).pill(state(say, &webhook));
    let sheet = match call.may(acts::WRITE) {
        true => sheet
            .action(say.rotate_secret(), format!("{}/{id}/rotate", call.href(PATH)))
            .action(say.replay(), format!("{}/{id}/replay", call.href(PATH))),
        false => sheet,
    };
    Ok(call.page(sheet.back(say.webhooks(), call.href(PATH))))
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
}

struct AttemptLine {
    number: u32,
    at: Moment,
    took: String,
    outcome: Pill,
    answer: Option<String>,
}

async fn delivery(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let id = DeliveryId::parse(call.parameter("delivery")).ok_or(Failure::Nothing)?;
    let webhook = SubscriptionId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let shown = found(call.services().webhooks.get_delivery(call.account(), id)).await?;
    if shown.delivery.subscription != webhook {
        return Err(Failure::Nothing);
    }
    let zone = call.zone().await?;
    let attempt = |attempt: Attempt| {
        let outcome = match (attempt.record.status, attempt.record.error) {
            (Some(status), _) => {
                let tone = if (200..300).contains(&status) { Tone::Good } else { Tone::Bad };
                Pill::new(tone, status.to_string())
            }
            (None, error) => Pill::new(Tone::Bad, error.unwrap_or_default()),
        };
        AttemptLine {
            number: attempt.number,
            at: moment(attempt.started_at, zone, call.language),
            took: format!("{} ms", attempt.duration_ms),
            outcome,
            answer: attempt.record.answer,
        }
    };
    let again = format!("{}/{webhook}/deliveries/{id}/retry", call.href(PATH));
    let body = Delivered {
        say,
        id: id.to_string(),
        retry: call.may(acts::WRITE).then(|| call.button(again, say.send_again())),
        body: shown.body,
        attempts: shown.attempts.into_iter().map(attempt).collect(),
    };
    let sheet = Sheet::new(shown.delivery.event_name, &body);
    let sheet = sheet.pill(delivery_pill(say, shown.delivery.state));
    let back = format!("{}/{webhook}", call.href(PATH));
    Ok(call.page(sheet.back(say.deliveries(), back)))
}
