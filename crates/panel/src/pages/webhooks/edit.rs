//! Webhooks made, changed and deleted.

use intake::{
    Faults, Fields, Form, Read,
    checks::{flag, paragraph, text, whole_from},
    noun,
};
use kernel::{FieldFault, PageRequest, message};
use webhooks::{
    DeliveryFilter, DeliveryQuery, DeliveryState, NewSubscription, Reach, Subscription,
    SubscriptionChanges, Topics, UpdateSubscription,
    catalog::{EVERY_EVENT, every_type},
    subscription::DESCRIPTION_CHARS_MAX,
    target,
};

use super::{
    PATH,
    acts::{WRITE, id, shown_once, told},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::grouped,
    layout::Sheet,
    markup::Markup,
    page::Page,
    pages::deletion::DELETION,
    parts::{Asked, Choice, Field},
    reply::{carried_out, found},
};

/// The form where only public addresses may be called.
const PUBLIC: Form<NewSubscription> = form(|fields| read(fields, Reach::Public));
/// The form where this machine may be called, too.
const DEVELOPMENT: Form<NewSubscription> = form(|fields| read(fields, Reach::Development));

const fn form(read: Read<NewSubscription>) -> Form<NewSubscription> {
    Form::body("Webhook", noun("this form", "este formulario"), read, "")
}

fn read(fields: &mut Fields<'_>, reach: Reach) -> Option<NewSubscription> {
    let url = fields.required("url", text(|url| target::checked(url, reach)));
    let ticked = fields.entries("events", "events[…]", flag());
    let names: Vec<_> = ticked.into_iter().map(|(name, _)| name).collect();
    let events = match Topics::parse(&names) {
        Ok(events) => Some(events),
        Err((None, _)) => fields
            .refuse("events", message!("must include at least one", "deben incluir al menos uno")),
        Err((Some(_), problem)) => fields.refuse("events", problem),
    };
    let description = fields.optional("description", paragraph(DESCRIPTION_CHARS_MAX));
    // Looked at by who carries it out.
    let _: Option<i64> = fields.optional("version", whole_from(1));
    Some(NewSubscription { url: url?, events: events?, description })
}

/// What was sent, or all that is wrong with it.
fn sent(call: &Call<Member>) -> Result<Result<NewSubscription, Faults>, Failure> {
    call.read(match call.panel.settings.reach {
        Reach::Public => &PUBLIC,
        Reach::Development => &DEVELOPMENT,
    })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        // It shows a secret.
        Page::get("webhooks/new", WRITE, ask_new).grave(),
        Page::post("webhooks/new", WRITE, create).grave(),
        Page::get("webhooks/{id}/edit", WRITE, ask_change),
        Page::post("webhooks/{id}/edit", WRITE, change),
        Page::get("webhooks/{id}/delete", WRITE, ask_delete),
        Page::post("webhooks/{id}/delete", WRITE, delete),
    ]
}

fn fields(call: &Call<Member>, values: &Values) -> Vec<Field> {
    let say = call.say();
    let choice = |name: &str| {
        let value = format!("events[{name}]");
        Choice {
            is_chosen: values.has(&value),
            hint: (name == EVERY_EVENT).then(|| say.every_event().to_owned()),
            ..Choice::new(value, if name == EVERY_EVENT { say.every_event_choice() } else { name })
        }
    };
    let names = std::iter::once(EVERY_EVENT).chain(every_type().map(|event| event.name));
    vec![
        Field::input("url", "url", say.url(), values).hint(say.webhook_url_hint()),
        Field::boxes("events", say.events(), names.map(choice).collect()).subject(say.the_events()),
        Field::area("description", say.webhook_note(), 2, values),
    ]
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(making(&call, &Values::default(), &[]))
}

fn making(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let form =
        call.form(call.href("webhooks/new"), fields(call, values), say.create_webhook(), faults);
    let body = Asked { text: say.no_webhooks_intro().to_owned(), form: Markup::of(&form) };
    let sheet = Sheet::new(say.new_webhook(), &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.webhooks(), call.href(PATH)))
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let new = match sent(&call)? {
        Ok(new) => new,
        Err(faults) => return Ok(making(&call, call.sent.values(), &faults)),
    };
    let creating = call.services().webhooks.create(call.ctx(), new);
    Ok(match carried_out(creating, |error| told(&error)).await? {
        Ok(issued) => shown_once(&call, call.say().new_webhook(), issued),
        Err(faults) => making(&call, call.sent.values(), &faults),
    })
}

async fn webhook(call: &Call<Member>) -> Result<Subscription, Failure> {
    found(call.services().webhooks.get(call.account(), id(call)?)).await
}

/// A webhook as the form has it.
fn values_of(webhook: &Subscription) -> Values {
    let version = webhook.version.to_string();
    let names: Vec<_> =
        webhook.events.names().iter().map(|name| format!("events[{name}]")).collect();
    let mut values = vec![("url", webhook.url.as_str()), ("version", version.as_str())];
    values.extend(webhook.description.as_deref().map(|text| ("description", text)));
    values.extend(names.iter().map(|name| (name.as_str(), "true")));
    Values::with(&values)
}

async fn ask_change(call: Call<Member>) -> Result<Answer, Failure> {
    let webhook = webhook(&call).await?;
    Ok(changing(&call, &webhook, &values_of(&webhook), &[]))
}

fn changing(
    call: &Call<Member>,
    webhook: &Subscription,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let place = format!("{}/{}", call.href(PATH), webhook.id);
    let form = call.form(format!("{place}/edit"), fields(call, values), say.save(), faults);
    let form = call.over(form, &values_of(webhook));
    let body = Asked { text: say.change_webhook_intro().to_owned(), form: Markup::of(&form) };
    let sheet = Sheet::new(say.change_webhook(), &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(webhook.url.clone(), place))
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let webhook = webhook(&call).await?;
    let values = call.sent.values();
    let NewSubscription { url, events, description } = match sent(&call)? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(changing(&call, &webhook, values, &faults)),
    };
    let changes = SubscriptionChanges {
        url: Some(url),
        events: Some(events),
        description: Some(description),
    };
    let command = UpdateSubscription { id: webhook.id, version: call.seen_version(), changes };
    let updating = call.services().webhooks.update(call.ctx(), command);
    Ok(match carried_out(updating, |error| told(&error)).await? {
        Ok(_) => call.done_at(&format!("{PATH}/{}", webhook.id), "webhook.changed"),
        Err(faults) => changing(&call, &webhook, values, &faults),
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let webhook = webhook(&call).await?;
    deleting(&call, &webhook, &[]).await
}

async fn deleting(
    call: &Call<Member>,
    webhook: &Subscription,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let filter =
        DeliveryFilter { state: Some(DeliveryState::Attempting), ..DeliveryFilter::default() };
    let page = PageRequest { limit: 1, ..PageRequest::default() };
    let query = DeliveryQuery { filter, page };
    let account = call.account();
    let waiting = call.services().webhooks.list_deliveries(account, webhook.id, query);
    let waiting = found(waiting).await?.total.rows;
    let place = format!("{}/{}", call.href(PATH), webhook.id);
    let form = call.form(format!("{place}/delete"), Vec::new(), say.delete(), faults);
    let form = form.dangerous().hidden("version", webhook.version.to_string());
    let text = say.delete_webhook_intro(&grouped(waiting));
    let body = Asked { text, form: Markup::of(&form) };
    let sheet = Sheet::new(say.delete(), &body).wrong_if(!faults.is_empty());
    Ok(call.page(sheet.back(webhook.url.clone(), place)))
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let webhook = webhook(&call).await?;
    let version = match call.read(&DELETION)? {
        Ok(version) => version,
        Err(faults) => return deleting(&call, &webhook, &faults).await,
    };
    let deleting_it = call.services().webhooks.delete(call.ctx(), webhook.id, version);
    match carried_out(deleting_it, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(PATH, "webhook.deleted")),
        Err(faults) => deleting(&call, &webhook, &faults).await,
    }
}

#[cfg(test)]
mod tests {
    use intake::Unreadable;

    use super::*;

    #[test]
    fn a_webhook_is_read_from_its_form() {
        let body = "url=https%3A%2F%2Fe.example%2Fa&events%5Border.paid%5D=true&version=2";
        let new = PUBLIC.read_urlencoded(body.as_bytes()).unwrap();
        assert_eq!((new.events.names(), new.description), (&["order.paid".to_owned()][..], None));
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let faulty = |form: Form<NewSubscription>, body: &str| {
            let Err(Unreadable::Faulty(faults)) = form.read_urlencoded(body.as_bytes()) else {
                panic!("{body}")
            };
            faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
        };
        let body = "url=http%3A%2F%2Fe.example&description=x";
        assert_eq!(faulty(PUBLIC, body), ["url", "events"]);
        assert_eq!(faulty(DEVELOPMENT, body), ["events"]);
        let body = "url=ftp%3A%2F%2Fe.example&events%5Border.create%5D=true";
        assert_eq!(faulty(DEVELOPMENT, body), ["url", "events"]);
    }
}
