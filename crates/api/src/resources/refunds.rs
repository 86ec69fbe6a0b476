//! `/refunds`: money given back.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use payments::{RefundId, RefundQuery};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{Endpoint, Segment, id, taking},
    error::ApiError,
    reply::{answered, found},
    resources::payments::refund_in,
    view::{View, view, viewed},
};
pub(super) use body::RefundBody;
pub(super) use examples::{PAGE, REFUND};
pub(super) use forms::OF_PAYMENT;

const ALL: &str = RefundBody::PATH;
const ONE: &str = "/refunds/{id}";
const ID: Segment<RefundId> = id(RefundId::PREFIX, RefundId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, Scope::Payments, taking(viewed::<RefundBody, _>(forms::LIST), list))
            .translated()
            .summary("List refunds")
            .describes("Newest first.")
            .pages::<RefundBody>("A page of refunds.", PAGE),
        Endpoint::get(ONE, Scope::Payments, taking((ID, view::<RefundBody>()), show))
            .translated()
            .summary("Get a refund")
            .answers::<RefundBody>(200, "The refund.", REFUND),
    ]
}

async fn list(call: Call, (query, view): (RefundQuery, View)) -> Result<Answer, ApiError> {
    let (asked, language) = (query.page.clone(), call.language());
    let page = answered(call.services().payments.refunds(call.account, query)).await?;
    view.page::<RefundBody>(page.map(|refund| refund_in(refund, language)), &asked)?.told(language)
}

async fn show(call: Call, (id, ((), view)): (RefundId, ((), View))) -> Result<Answer, ApiError> {
    let refund = found(call.services().payments.refund(call.account, id)).await?;
    let refund = refund_in(refund, call.language());
    view.one(call.headers(), &RefundBody::from(refund))
}
