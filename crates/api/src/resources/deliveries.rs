//! Deliveries: one event on its way to one webhook.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use actix_web::http::header::CONTENT_LANGUAGE;
use webhooks::{DeliveryId, DeliveryQuery, SubscriptionId};

use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Segment, id, query, taking},
    error::{ApiError, Code},
    reply::{found, written},
    view::{View, view},
};
pub(super) use body::DeliveryBody;
use body::{DeliveryDetailBody, Shown};
pub(super) use examples::delivery;

const OF_ONE_WEBHOOK: &str = "/webhooks/{id}/deliveries";
const ONE: &str = "/webhooks/deliveries/{id}";
const WEBHOOK: Segment<SubscriptionId> = id(SubscriptionId::PREFIX, SubscriptionId::parse);
const ID: Segment<DeliveryId> = id(DeliveryId::PREFIX, DeliveryId::parse);
const RETRY: &str = "/webhooks/deliveries/{id}/retry";

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(OF_ONE_WEBHOOK, Scope::Webhooks, taking((WEBHOOK, query(forms::LIST)), list))
            .summary("List webhook deliveries")
            .describes("Newest first.")
            .pages::<DeliveryBody>("A page of deliveries.", examples::PAGE),
        Endpoint::get(ONE, Scope::Webhooks, taking((ID, view::<DeliveryDetailBody>()), show))
            .summary("Get a delivery")
            .describes("Includes the request body that is sent and the result of each attempt.")
            .translated()
            .answers::<DeliveryDetailBody>(200, "The delivery.", examples::DETAIL),
        Endpoint::post(RETRY, Scope::Webhooks, taking(ID, retry))
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

async fn list(
    call: Call,
    (id, query): (SubscriptionId, DeliveryQuery),
) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = found(call.services().webhooks.list_deliveries(call.account, id, query)).await?;
    Answer::page::<DeliveryBody>(page, &asked)
}

async fn show(call: Call, (id, ((), view)): (DeliveryId, ((), View))) -> Result<Answer, ApiError> {
    let detail = found(call.services().webhooks.get_delivery(call.account, id)).await?;
    let shown = DeliveryDetailBody::from(Shown { detail, language: call.language() });
    view.one(call.headers(), &shown)?.with(CONTENT_LANGUAGE, call.language().tag())
}

async fn retry(call: Call, id: DeliveryId) -> Result<Answer, ApiError> {
    let done = written(call.services().webhooks.retry_delivery(call.ctx()?, id)).await?;
    Answer::acted::<DeliveryBody, _>(done)
}
