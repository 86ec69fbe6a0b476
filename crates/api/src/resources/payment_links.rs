//! `/payment-links`: pages where somebody pays, to be sent in a message or shown as a code.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use kernel::{Done, Timestamp};
use payments::{
    PaymentLink, PaymentLinkId,
    link::{LinkChanges, LinkQuery, NewLink},
};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud::unchanged,
    endpoint::{Endpoint, Segment, card_free, changes, id, json, taking},
    error::{ApiError, Code},
    reply::{answered, found, written},
    view::{View, view, viewed},
};
use body::{LinkBody, Shown};
use intake::SentBack;

const ALL: &str = LinkBody::PATH;
const ONE: &str = "/payment-links/{id}";
const DEACTIVATE: &str = "/payment-links/{id}/deactivate";
const ID: Segment<PaymentLinkId> = id(PaymentLinkId::PREFIX, PaymentLinkId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Payments, taking(viewed::<LinkBody, _>(forms::LIST), list))
            .summary("List payment links")
            .describes("Newest first.")
            .pages::<LinkBody>("A page of payment links.", examples::PAGE),
        Endpoint::post(ALL, Scope::Payments, taking(card_free(json(forms::CREATE)), create))
            .summary("Create a payment link")
            .describes(
                "A page in Spanish or English where a payer chooses among the allowed methods and pays: for an order \
                 or a stamped invoice what is due when they begin, or an amount that you set, or one that they choose within bounds. Whoever \
                 begins to pay takes one of `maxPayments` until they have paid or given up, so that two cannot both pay. \
                 A link for an order or invoice closes by itself when nothing is due any more.",
            )
            .answers::<LinkBody>(201, "The new payment link.", examples::LINK)
            .refuses(&[
                Code::OrderCancelled,
                Code::InvoiceCancelled,
                Code::Conflict,
                Code::ProviderNotConfigured,
            ]),
        Endpoint::get(ONE, Scope::Payments, taking((ID, view::<LinkBody>()), show))
            .summary("Get a payment link")
            .answers::<LinkBody>(200, "The payment link.", examples::LINK),
        Endpoint::patch(
            ONE,
            Scope::Payments,
            taking((ID, card_free(changes(forms::UPDATE))), update),
        )
        .summary("Update a payment link")
        .describes(
            "Changes only the fields that are sent. What it asks for is not changed: create another one. A link that has \
             expired is active again with a later `expiresAt`.",
        )
        .answers::<LinkBody>(200, "The updated payment link.", examples::LINK)
        .refuses(&[Code::InvalidTransition]),
        Endpoint::post(DEACTIVATE, Scope::Payments, taking(ID, deactivate))
            .summary("Deactivate a payment link")
            .describes(
                "Nobody begins to pay by it any more; who has begun may go on. A link that is closed already is returned \
                 unchanged.",
            )
            .answers::<LinkBody>(200, "The payment link.", examples::INACTIVE),
    ]
}

/// A link as this caller is shown it.
fn shown(call: &Call, link: PaymentLink) -> Shown {
    Shown { link, base: call.public_url(), now: call.now }
}

async fn list(call: Call, (query, view): (LinkQuery, View)) -> Result<Answer, ApiError> {
    let query = at(query, call.now);
    let asked = query.page.clone();
    let page = answered(call.services().payment_links.list(call.account, query)).await?;
    view.page::<LinkBody>(page.map(|link| shown(&call, link)), &asked)
}

/// Whether a link has expired is told at the moment of the call.
fn at(mut query: LinkQuery, now: Timestamp) -> LinkQuery {
    if let Some((_, at)) = &mut query.filter.status {
        *at = now;
    }
    query
}

async fn create(call: Call, new: NewLink) -> Result<Answer, ApiError> {
    let Done { value, replayed } =
        written(call.services().payment_links.create(call.ctx()?, new)).await?;
    Answer::created::<LinkBody>(Done { value: shown(&call, value), replayed })
}

async fn show(
    call: Call,
    (id, ((), view)): (PaymentLinkId, ((), View)),
) -> Result<Answer, ApiError> {
    let link = found(call.services().payment_links.get(call.account, id)).await?;
    view.one(call.headers(), &LinkBody::from(shown(&call, link)))
}

async fn update(
    call: Call,
    (id, (changes, sent_back)): (PaymentLinkId, (LinkChanges, SentBack)),
) -> Result<Answer, ApiError> {
    if !sent_back.is_empty() {
        let link = found(call.services().payment_links.get(call.account, id)).await?;
        unchanged(&call, sent_back, &LinkBody::from(shown(&call, link)))?;
    }
    let version = call.expected_version();
    let updating = call.services().payment_links.update(call.ctx()?, id, version, changes);
    let Done { value, replayed } = written(updating).await?;
    Answer::changed::<LinkBody>(Done { value: shown(&call, value), replayed })
}

async fn deactivate(call: Call, id: PaymentLinkId) -> Result<Answer, ApiError> {
    let done = written(call.services().payment_links.deactivate(call.ctx()?, id)).await?;
    let Done { value, replayed } = done;
    Answer::acted::<LinkBody, _>(Done { value: shown(&call, value), replayed })
}
