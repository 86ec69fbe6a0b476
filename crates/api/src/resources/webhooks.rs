//! `/webhooks`: addresses that want to be told of events.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use kernel::{FieldFault, Timestamp, message};
use webhooks::{
    NewSubscription, ReplayCommand, SubscriptionChanges, SubscriptionId, Target, UpdateSubscription,
};

use super::deliveries::DeliveryBody;
use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, id, json, taking},
    error::{ApiError, Code},
    page::PageOf,
    reply::written,
};
use body::{IssuedBody, ReplayBody, WebhookBody};

const ALL: &str = WebhookBody::PATH;
const ONE: &str = "/webhooks/{id}";
const ID: Segment<SubscriptionId> = id(SubscriptionId::parse);
const ROTATE_SECRET: &str = "/webhooks/{id}/rotate-secret";
const ENABLE: &str = "/webhooks/{id}/enable";
const DISABLE: &str = "/webhooks/{id}/disable";
const TEST: &str = "/webhooks/{id}/test";
const REPLAY: &str = "/webhooks/{id}/replay";

pub(super) fn endpoints() -> Vec<Endpoint> {
    resources().into_iter().chain(actions()).collect()
}

/// The webhooks themselves.
fn resources() -> [Endpoint; 5] {
    [
        Endpoint::get(ALL, Scope::Webhooks, crud::list::<WebhookBody, _, _>(forms::LIST, |services, account, query| {
                services.webhooks.list(account, query)
            }))
            .summary("List webhooks")
            .describes("Newest first, without their secrets.")
            .answers::<PageOf<WebhookBody>>(200, "A page of webhooks.", examples::PAGE),
        Endpoint::post(ALL, Scope::Webhooks, taking(json(forms::CREATE), create))
            .summary("Create a webhook")
            .describes(
                "Has every event of these names from now on sent to the URL, as the overview \
                 describes. Keep the `secret` of the answer: it is shown this once, and proves that \
                 a delivery is genuine.",
            )
            .answers::<IssuedBody>(201, "The webhook with its secret.", examples::ISSUED)
            .refuses(&[Code::Conflict]),
        Endpoint::get(ONE, Scope::Webhooks, crud::show::<WebhookBody, _, _>(ID, |services, account, id| {
                services.webhooks.get(account, id)
            }))
            .summary("Get a webhook")
            .describes(
                "Without its secret. The `ETag` also changes as attempts fail and succeed; \
                 `If-Match` heeds its owner's changes only.",
            )
            .answers::<WebhookBody>(200, "The webhook.", examples::WEBHOOK),
        Endpoint::patch(ONE, Scope::Webhooks, taking((ID, json(forms::UPDATE)), update))
            .summary("Update a webhook")
            .describes(
                "Changes the fields that are sent; `null` clears the description. Deliveries that \
                 are waiting go to the new URL, and another URL starts with no failures. `status` \
                 changes by enabling and disabling only.",
            )
            .answers::<WebhookBody>(200, "The webhook afterwards.", examples::WEBHOOK),
        Endpoint::delete(ONE, Scope::Webhooks, crud::delete(ID, |services, ctx, id, version| {
                services.webhooks.delete(ctx, id, version)
            }))
            .summary("Delete a webhook")
            .describes("Removes a webhook; what waits for it is not delivered any more.")
            .answers::<DeletedBody>(200, "What was deleted.", examples::DELETED),
    ]
}

/// What can be done with a webhook.
fn actions() -> [Endpoint; 5] {
    [
        Endpoint::post(ROTATE_SECRET, Scope::Webhooks, taking(ID, rotate_secret))
            .summary("Rotate the secret of a webhook")
            .describes(
                "Gives a webhook a new secret, shown this once. Until `previousSecretExpiresAt` \
                 each delivery is signed with the old one as well, in a header of its own, so that \
                 receivers can be changed without a gap.",
            )
            .answers::<IssuedBody>(200, "The webhook with its new secret.", examples::ROTATED),
        Endpoint::post(ENABLE, Scope::Webhooks, taking(ID, enable))
            .summary("Enable a webhook")
            .describes(
                "Delivers to a webhook again, first what was waiting when it was disabled, with \
                 its row of failures forgotten. Events since then are not made up for by \
                 themselves: replay them. Enabling an enabled one changes nothing.",
            )
            .answers::<WebhookBody>(200, "The webhook afterwards.", examples::WEBHOOK),
        Endpoint::post(DISABLE, Scope::Webhooks, taking(ID, disable))
            .summary("Disable a webhook")
            .describes(
                "Stops delivering to a webhook. What is waiting stays waiting. Disabling a \
                 disabled one changes nothing.",
            )
            .answers::<WebhookBody>(200, "The webhook afterwards.", examples::DISABLED),
        Endpoint::post(TEST, Scope::Webhooks, taking(ID, test))
            .summary("Test a webhook")
            .describes(
                "Sends an event `webhook.test`, signed and repeated like any other, whatever \
                 events the webhook names. Read the delivery to see what came of it.",
            )
            .answers::<DeliveryBody>(200, "The delivery under way.", examples::TEST)
            .refuses(&[Code::WebhookDisabled]),
        Endpoint::post(REPLAY, Scope::Webhooks, taking((ID, json(forms::REPLAY)), replay))
            .summary("Replay events to a webhook")
            .describes(
                "Delivers events of the past again, those already delivered included, little by \
                 little so that new ones do not wait. They keep their ids: a receiver that knows \
                 the ids that it has seen takes each event once.",
            )
            .answers::<ReplayBody>(200, "What is being replayed.", examples::REPLAY_UNDER_WAY)
            .refuses(&[Code::WebhookDisabled]),
    ]
}

async fn create(call: Call, command: NewSubscription) -> Result<Answer, ApiError> {
    judge_url(&call, &command.url)?;
    let done = written(call.services().webhooks.create(call.ctx()?, command)).await?;
    Answer::created::<IssuedBody>(done)
}

async fn update(
    call: Call,
    (id, changes): (SubscriptionId, SubscriptionChanges),
) -> Result<Answer, ApiError> {
    if let Some(url) = &changes.url {
        judge_url(&call, url)?;
    }
    let command = UpdateSubscription { id, version: call.expected_version(), changes };
    let done = written(call.services().webhooks.update(call.ctx()?, command)).await?;
    Answer::changed::<WebhookBody>(done)
}

async fn rotate_secret(call: Call, id: SubscriptionId) -> Result<Answer, ApiError> {
    let done = written(call.services().webhooks.rotate_secret(call.ctx()?, id)).await?;
    Answer::acted::<IssuedBody, _>(done)
}

async fn enable(call: Call, id: SubscriptionId) -> Result<Answer, ApiError> {
    let done = written(call.services().webhooks.enable(call.ctx()?, id)).await?;
    Answer::acted::<WebhookBody, _>(done)
}

async fn disable(call: Call, id: SubscriptionId) -> Result<Answer, ApiError> {
    let done = written(call.services().webhooks.disable(call.ctx()?, id)).await?;
    Answer::acted::<WebhookBody, _>(done)
}

async fn test(call: Call, id: SubscriptionId) -> Result<Answer, ApiError> {
    let done = written(call.services().webhooks.test(call.ctx()?, id)).await?;
    Answer::acted::<DeliveryBody, _>(done)
}

async fn replay(
    call: Call,
    (subscription, wanted): (SubscriptionId, forms::WantedReplay),
) -> Result<Answer, ApiError> {
    let forms::WantedReplay { since, until, events } = wanted;
    judge_since(since, call.now)?;
    let command = ReplayCommand { subscription, since, until, events };
    let done = written(call.services().webhooks.replay(call.ctx()?, command)).await?;
    Answer::acted::<ReplayBody, _>(done)
}

/// Judges what the reader could not, for it does not know which endpoints may be reached.
fn judge_url(call: &Call, url: &str) -> Result<(), ApiError> {
    let outcome = Target::parse(url, call.api.settings.reach).map(drop);
    outcome.map_err(|problem| ApiError::of_faults(&[FieldFault::new("url", problem)]))
}

/// Judges what the reader could not, for it does not know the time.
fn judge_since(since: Timestamp, now: Timestamp) -> Result<(), ApiError> {
    if since <= now {
        return Ok(());
    }
    Err(ApiError::of_faults(&[FieldFault::new(
        "since",
        message!("must not be in the future", "no debe estar en el futuro"),
    )]))
}
