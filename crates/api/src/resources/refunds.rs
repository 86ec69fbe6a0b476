//! `/refunds`: money given back.

mod body;
mod examples;
mod forms;

use accounts::Scope;
use payments::RefundId;

use crate::{
    answer::Resource,
    crud,
    endpoint::{Endpoint, Segment, id},
};
pub(super) use body::RefundBody;
pub(super) use examples::{PAGE, REFUND};
pub(super) use forms::OF_PAYMENT;

const ALL: &str = RefundBody::PATH;
const ONE: &str = "/refunds/{id}";
const ID: Segment<RefundId> = id(RefundId::PREFIX, RefundId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            ALL,
            Scope::Payments,
            crud::list::<RefundBody, _, _>(forms::LIST, |services, account, query| {
                services.payments.refunds(account, query)
            }),
        )
        .summary("List refunds")
        .describes("Newest first.")
        .pages::<RefundBody>("A page of refunds.", PAGE),
        Endpoint::get(
            ONE,
            Scope::Payments,
            crud::show::<RefundBody, _, _>(ID, |services, account, id| {
                services.payments.refund(account, id)
            }),
        )
        .summary("Get a refund")
        .answers::<RefundBody>(200, "The refund.", REFUND),
    ]
}
