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
            .describes("Includes the request body that is sent and the result of each attempt.")
            .answers::<DeliveryDetailBody>(200, "The delivery.", examples::DETAIL),
        Endpoint::post(RETRY, Scope::Webhooks, plain(retry))
            .summary("Retry a delivery")
            .describes(
                "Schedules an immediate attempt. A pending delivery is attempted ahead of \
                 schedule. A delivery that has succeeded or failed is left unchanged; a new \
                 delivery of the same event is created and returned, with `retryOf` set.",
            )
            .answers::<DeliveryBody>(200, "The delivery to be attempted.", examples::RETRIED)
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
