//! `/webhooks`: endpoints that are notified of events.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use intake::SentBack;
use kernel::{FieldFault, Timestamp, message};
use webhooks::{
    NewSubscription, ReplayCommand, SubscriptionChanges, SubscriptionId, UpdateSubscription,
};

use super::deliveries::DeliveryBody;
use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, changes, id, json, taking},
    error::{ApiError, Code},
    reply::{found, written},
};
use body::{IssuedBody, ReplayBody, WebhookBody};

const ALL: &str = WebhookBody::PATH;
const ONE: &str = "/webhooks/{id}";
const ID: Segment<SubscriptionId> = id(SubscriptionId::PREFIX, SubscriptionId::parse);
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
        Endpoint::get(
            ALL,
            Scope::Webhooks,
            crud::list::<WebhookBody, _, _>(forms::LIST, |services, account, query| {
                services.webhooks.list(account, query)
            }),
        )
        .summary("List webhooks")
        .describes("Newest first, without their secrets.")
        .pages::<WebhookBody>("A page of webhooks.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Webhooks,
            taking(json(forms::CREATE).in_public(forms::CREATE_PUBLIC), create),
        )
        .summary("Create a webhook")
        .describes(
            "Subscribes a URL to the named events, starting now; see the overview for how \
                 deliveries work. Store the `secret` from the response: it is shown only once and \
                 is needed to verify signatures.",
        )
        .answers::<IssuedBody>(201, "The new webhook, with its secret.", examples::ISSUED)
        .refuses(&[Code::Conflict]),
        Endpoint::get(
            ONE,
            Scope::Webhooks,
            crud::show::<WebhookBody, _, _>(ID, |services, account, id| {
                services.webhooks.get(account, id)
            }),
        )
        .summary("Get a webhook")
        .describes(
            "Does not include the secret. The `ETag` also changes as attempts fail and \
                 succeed; `If-Match` only considers changes made through the API.",
        )
        .answers::<WebhookBody>(200, "The webhook.", examples::WEBHOOK),
        Endpoint::patch(
            ONE,
            Scope::Webhooks,
            taking((ID, changes(forms::UPDATE).in_public(forms::UPDATE_PUBLIC)), update),
        )
        .summary("Update a webhook")
        .describes(
            "Changes only the fields that are sent; `null` clears the description. Pending \
                 deliveries go to the new URL, and changing the URL resets the failure count. \
                 `status` can only be changed with the enable and disable endpoints.",
        )
        .answers::<WebhookBody>(200, "The updated webhook.", examples::WEBHOOK),
        Endpoint::delete(
            ONE,
            Scope::Webhooks,
            crud::delete(ID, |services, ctx, id, version| {
                services.webhooks.delete(ctx, id, version)
            }),
        )
        .summary("Delete a webhook")
        .describes("Deletes a webhook and discards its pending deliveries.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED),
    ]
}

/// Actions on a webhook.
fn actions() -> [Endpoint; 5] {
    [
        Endpoint::post(ROTATE_SECRET, Scope::Webhooks, taking(ID, rotate_secret))
            .summary("Rotate a webhook secret")
            .describes(
                "Generates a new secret, which is shown only once. Until \
                 `previousSecretExpiresAt`, each delivery is also signed with the previous secret, \
                 in a separate header, so that receivers can be updated without downtime.",
            )
            .answers::<IssuedBody>(200, "The webhook with its new secret.", examples::ROTATED),
        Endpoint::post(ENABLE, Scope::Webhooks, taking(ID, enable))
            .summary("Enable a webhook")
            .describes(
                "Resumes deliveries to a webhook, starting with those that were pending when it \
                 was disabled, and resets its failure count. Events that occurred while it was \
                 disabled are not sent automatically: replay them. Enabling an enabled webhook has \
                 no effect.",
            )
            .answers::<WebhookBody>(200, "The updated webhook.", examples::WEBHOOK),
        Endpoint::post(DISABLE, Scope::Webhooks, taking(ID, disable))
            .summary("Disable a webhook")
            .describes(
                "Stops deliveries to a webhook. Pending deliveries stay pending. Disabling a \
                 disabled webhook has no effect.",
            )
            .answers::<WebhookBody>(200, "The updated webhook.", examples::DISABLED),
        Endpoint::post(TEST, Scope::Webhooks, taking(ID, test))
            .summary("Test a webhook")
            .describes(
                "Sends a `webhook.test` event, signed and retried like any other, whichever events \
                 the webhook is subscribed to. Read the delivery to see the result.",
            )
            .answers::<DeliveryBody>(200, "The delivery.", examples::TEST)
            .refuses(&[Code::WebhookDisabled]),
        Endpoint::post(REPLAY, Scope::Webhooks, taking((ID, json(forms::REPLAY)), replay))
            .summary("Replay events")
            .describes(
                "Delivers past events again, including those already delivered, at a rate that \
                 does not delay new events. Events keep their ids, so a receiver that tracks \
                 processed ids handles each event once.",
            )
            .answers::<ReplayBody>(200, "The replay.", examples::REPLAY_UNDER_WAY)
            .refuses(&[Code::WebhookDisabled]),
    ]
}

async fn create(call: Call, command: NewSubscription) -> Result<Answer, ApiError> {
    let done = written(call.services().webhooks.create(call.ctx()?, command)).await?;
    Answer::created::<IssuedBody>(done)
}

async fn update(
    call: Call,
    (id, (changes, sent_back)): (SubscriptionId, (SubscriptionChanges, SentBack)),
) -> Result<Answer, ApiError> {
    if !sent_back.is_empty() {
        let webhook = found(call.services().webhooks.get(call.account, id)).await?;
        crud::unchanged(&call, sent_back, &WebhookBody::from(webhook))?;
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

/// Checks what the reader cannot, because it has no clock.
fn judge_since(since: Timestamp, now: Timestamp) -> Result<(), ApiError> {
    if since <= now {
        return Ok(());
    }
    Err(ApiError::of_faults(&[FieldFault::new(
        "since",
        message!("must not be in the future", "no debe estar en el futuro"),
    )]))
}
