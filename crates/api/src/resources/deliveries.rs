//! Deliveries: one event on its way to one webhook.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use webhooks::{DeliveryId, DeliveryQuery, SubscriptionId};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, plain, query},
    error::{ApiError, Code},
    page::PageOf,
    reply::{found, written},
};
pub(super) use body::DeliveryBody;
use body::DeliveryDetailBody;
pub(super) use examples::delivery;

const OF_ONE_WEBHOOK: &str = "/webhooks/{id}/deliveries";
const ONE: &str = "/webhooks/deliveries/{id}";
const RETRY: &str = "/webhooks/deliveries/{id}/retry";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(OF_ONE_WEBHOOK, Scope::Webhooks, query(forms::LIST, list))
            .summary("List deliveries of a webhook")
            .describes("Newest first.")
            .answers::<PageOf<DeliveryBody>>(200, "A page of deliveries.", examples::PAGE),
        Endpoint::get(ONE, Scope::Webhooks, plain(show))
            .summary("Get a delivery")
            .describes("With the body that is sent and what came of each attempt.")
            .answers::<DeliveryDetailBody>(200, "The delivery.", examples::DETAIL),
        Endpoint::post(RETRY, Scope::Webhooks, plain(retry))
            .summary("Retry a delivery")
            .describes(
                "Attempts a delivery now. One that is still waiting is attempted ahead of its \
                 time; one that is delivered or has failed stays as it is, and a new one of the \
                 same event, with `retryOf`, is answered.",
            )
            .answers::<DeliveryBody>(200, "The delivery that is attempted.", examples::RETRIED)
            .refuses(&[Code::Conflict, Code::EventGone, Code::WebhookDisabled]),
    ]
}

async fn list(call: Call, query: DeliveryQuery) -> Result<Answer, ApiError> {
    let id = call.id(SubscriptionId::parse)?;
    let asked = query.page.clone();
    let page = found(call.services().webhooks.list_deliveries(call.account, id, query)).await?;
    Answer::page::<DeliveryBody>(page, &asked)
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(DeliveryId::parse)?;
    let delivery = found(call.services().webhooks.get_delivery(call.account, id)).await?;
    Answer::shown::<DeliveryDetailBody>(&call, delivery)
}

async fn retry(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(DeliveryId::parse)?;
    let done = written(call.services().webhooks.retry_delivery(call.ctx()?, id)).await?;
    Answer::acted::<DeliveryBody, _>(done)
}
