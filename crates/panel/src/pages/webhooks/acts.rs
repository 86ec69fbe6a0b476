//! What is done about a webhook: it is tested, enabled, disabled, given another secret, and sent something again.

use accounts::{Right, Scope};
use askama::Template;
use intake::{Form, checks::text, noun};
use kernel::{Day, FieldFault, message};
use webhooks::{Issued, ReplayCommand, Subscription, SubscriptionId, WebhookError};

use super::PATH;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    markup::Markup,
    page::Page,
    pages::reading::day,
    parts::{Asked, CopyField, Field},
    reply::{carried_out, found, whole},
    texts::Say,
};

pub(super) const WRITE: Right = Right::write(Scope::Webhooks);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::post("webhooks/{id}/test", WRITE, test),
        Page::post("webhooks/{id}/enable", WRITE, enable),
        Page::post("webhooks/{id}/disable", WRITE, disable),
        Page::get("webhooks/{id}/rotate", WRITE, ask_rotate).grave(),
        Page::post("webhooks/{id}/rotate", WRITE, rotate).grave(),
        Page::get("webhooks/{id}/replay", WRITE, ask_replay),
        Page::post("webhooks/{id}/replay", WRITE, replay),
        Page::post("webhooks/{id}/deliveries/{delivery}/retry", WRITE, retry),
    ]
}

/// What can be done about a webhook at once: the last part of its path, and what it is called.
pub(super) fn offered(
    call: &Call<Member>,
    webhook: &Subscription,
) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    match (call.may(WRITE), webhook.disabled) {
        (false, _) => Vec::new(),
        (true, Some(_)) => vec![("enable", say.enable())],
        (true, None) => vec![("test", say.send_test()), ("disable", say.disable())],
    }
}

/// The webhook of the path.
pub(super) fn id(call: &Call<Member>) -> Result<SubscriptionId, Failure> {
    SubscriptionId::parse(call.parameter("id")).ok_or(Failure::Nothing)
}

/// Back to the webhook, or to what was wrong.
fn outcome<T>(
    call: &Call<Member>,
    id: SubscriptionId,
    word: &str,
    outcome: Result<T, Vec<FieldFault>>,
) -> Result<Answer, Failure> {
    match outcome {
        Ok(_) => Ok(call.done_at(&format!("{PATH}/{id}"), word)),
        Err(faults) => Err(refused(&faults)),
    }
}

/// A refusal that no form has a place for.
fn refused(faults: &[FieldFault]) -> Failure {
    let sentence = faults.first().map(|fault| fault.problem.clone());
    sentence.map_or(Failure::Nothing, Failure::Malformed)
}

async fn test(call: Call<Member>) -> Result<Answer, Failure> {
    let id = id(&call)?;
    let testing = call.services().webhooks.test(call.ctx(), id);
    let tested = carried_out(testing, |error| told(&error)).await?;
    outcome(&call, id, "webhook.tested", tested)
}

async fn enable(call: Call<Member>) -> Result<Answer, Failure> {
    let id = id(&call)?;
    let enabling = call.services().webhooks.enable(call.ctx(), id);
    let enabled = carried_out(enabling, |error| told(&error)).await?;
    outcome(&call, id, "webhook.enabled", enabled)
}

async fn disable(call: Call<Member>) -> Result<Answer, Failure> {
    let id = id(&call)?;
    let disabling = call.services().webhooks.disable(call.ctx(), id);
    let disabled = carried_out(disabling, |error| told(&error)).await?;
    outcome(&call, id, "webhook.disabled", disabled)
}

async fn ask_rotate(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, id) = (call.say(), id(&call)?);
    let webhook = found(call.services().webhooks.get(call.account(), id)).await?;
    let place = format!("{}/{id}", call.href(PATH));
    let form = call.form(format!("{place}/rotate"), Vec::new(), say.rotate_secret(), &[]);
    let text = say.rotate_secret_intro().to_owned();
    let sheet = Sheet::new(say.rotate_secret(), &Asked { text, form: Markup::of(&form) });
    Ok(call.page(sheet.back(webhook.url, place)))
}

#[derive(Template)]
#[template(path = "webhooks/secret.html", whitespace = "minimize")]
struct ShownOnce {
    say: Say,
    secret: CopyField,
}

async fn rotate(call: Call<Member>) -> Result<Answer, Failure> {
    let id = id(&call)?;
    let rotating = call.services().webhooks.rotate_secret(call.ctx(), id);
    let issued = match carried_out(rotating, |error| told(&error)).await? {
        Ok(issued) => issued,
        Err(faults) => return Err(refused(&faults)),
    };
    Ok(shown_once(&call, call.say().rotate_secret(), issued))
}

/// The page that shows a secret, this once.
pub(super) fn shown_once(call: &Call<Member>, title: &'static str, issued: Issued) -> Answer {
    let say = call.say();
    let text = issued.secret.reveal().to_owned();
    let secret = CopyField { id: "secret", label: say.the_secret().to_owned(), text };
    let place = format!("{}/{}", call.href(PATH), issued.subscription.id);
    let sheet = Sheet::new(title, &ShownOnce { say, secret });
    let sheet = sheet.action(say.go_on(), place.clone());
    let sheet = sheet.quiet(say.receiving(), call.href("webhooks/receiving"));
    call.page(sheet.back(issued.subscription.url, place)).secret()
}

/// The first day and the last one.
const REPLAY: Form<(Day, Option<Day>)> = Form::body(
    "Replay",
    noun("this form", "este formulario"),
    |fields| {
        let since = fields.required("since", text(day));
        let until = fields.optional("until", text(day));
        let since = since?;
        if until.is_some_and(|until| until < since) {
            return fields.refuse(
                "until",
                message!("must not be before the first day", "no debe ser anterior al primer día"),
            );
        }
        Some((since, until))
    },
    "",
);

async fn ask_replay(call: Call<Member>) -> Result<Answer, Failure> {
    replaying(&call, &Values::default(), &[]).await
}

async fn replaying(
    call: &Call<Member>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let (say, id) = (call.say(), id(call)?);
    let webhook = found(call.services().webhooks.get(call.account(), id)).await?;
    let place = format!("{}/{id}", call.href(PATH));
    let fields = vec![
        Field::input("date", "since", say.from(), values),
        Field::input("date", "until", say.until(), values),
    ];
    let form = call.form(format!("{place}/replay"), fields, say.replay(), faults);
    let text = say.replay_intro().to_owned();
    let sheet = Sheet::new(say.replay(), &Asked { text, form: Markup::of(&form) });
    Ok(call.page(sheet.wrong_if(!faults.is_empty()).back(webhook.url, place)))
}

async fn replay(call: Call<Member>) -> Result<Answer, Failure> {
    let id = id(&call)?;
    let (since, until) = match call.read(&REPLAY)? {
        Ok(given) => given,
        Err(faults) => return replaying(&call, call.sent.values(), &faults).await,
    };
    let zone = call.zone();
    let command = ReplayCommand {
        subscription: id,
        since: zone.utc(since.date().midnight()),
        until: until.map(|day| zone.end(day)),
        events: None,
    };
    let replaying_it = call.services().webhooks.replay(call.ctx(), command);
    match carried_out(replaying_it, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(&format!("{PATH}/{id}"), "webhook.replayed")),
        Err(faults) => replaying(&call, call.sent.values(), &faults).await,
    }
}

async fn retry(call: Call<Member>) -> Result<Answer, Failure> {
    let id = id(&call)?;
    let delivery = super::one_delivery(&call).await?.delivery.id;
    let retrying = call.services().webhooks.retry_delivery(call.ctx(), delivery);
    let retried = carried_out(retrying, |error| told(&error)).await?;
    outcome(&call, id, "delivery.retried", retried)
}

pub(in crate::pages) fn told(error: &WebhookError) -> FieldFault {
    whole(match error {
        WebhookError::TooMany { max } => message!(
            "An account has at most {max} webhooks.",
            "Una cuenta tiene a lo más {max} webhooks."
        ),
        WebhookError::Disabled => message!(
            "The webhook is disabled. Enable it first.",
            "El webhook está desactivado. Actívalo primero."
        ),
        WebhookError::InProgress => message!(
            "An attempt is in progress. Look again in a moment.",
            "Hay un intento en curso. Vuelve a ver en un momento."
        ),
        WebhookError::EventGone => message!(
            "The event is past its retention period, so it cannot be sent again.",
            "El evento ya pasó su plazo de conservación y no se puede enviar de nuevo."
        ),
    })
}
