//! `/payments`: money for orders and for anything else, taken by the merchant or through a provider.

mod actions;
mod body;
mod examples;
mod forms;

use accounts::Scope;
use payments::PaymentId;

use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, Waits, card_free, id, json, taking},
    error::{ApiError, Code},
    reply::written,
};
pub(super) use body::FailureBody;
use body::PaymentBody;
pub(super) use forms::{invoice, order, payment_form, url};
use payments::NewPayment;

const ALL: &str = PaymentBody::PATH;
const ONE: &str = "/payments/{id}";
pub(super) const ID: Segment<PaymentId> = id(PaymentId::PREFIX, PaymentId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    resources().into_iter().chain(actions::endpoints()).collect()
}

/// The payments themselves.
fn resources() -> [Endpoint; 3] {
    [
        Endpoint::get(
            ALL,
            Scope::Payments,
            crud::list::<PaymentBody, _, _>(forms::LIST, |services, account, query| {
                services.payments.list(account, query)
            }),
        )
        .summary("List payments")
        .describes("Newest first.")
        .pages::<PaymentBody>("A page of payments.", examples::PAGE),
        Endpoint::post(ALL, Scope::Payments, taking(card_free(json(forms::CREATE)), create))
            .waits_for(Waits::Payment)
            .summary("Create a payment")
            .describes(
                "Records money that you have taken (cash, a transfer to your account, a check), or asks a \
                 payment provider for it. Through a provider the payment is on record before the provider is \
                 called, and the answer shows the status that it has reached: `paid`, `requires_action` with \
                 `instructions` for the payer, or `pending` with the outcome `unknown` while the provider has \
                 not answered; the same request is then repeated to it until it has, and nothing is charged \
                 twice. Emits `payment.received` once the money is there; a payment in full marks its order \
                 `paid`. What is received of an invoice paid in parts (PPD), or of the order that it bills, drafts a receipt \
                 (`receiptId`). Card numbers are refused: the payer types them at the provider.",
            )
            .answers::<PaymentBody>(201, "The new payment.", examples::PAID)
            .refuses(&[
                Code::OrderCancelled,
                Code::InvoiceCancelled,
                Code::AmountExceedsDue,
                Code::ProviderNotConfigured,
                Code::ProviderTimeout,
            ]),
        Endpoint::get(
            ONE,
            Scope::Payments,
            crud::show::<PaymentBody, _, _>(ID, |services, account, id| {
                services.payments.get(account, id)
            }),
        )
        .summary("Get a payment")
        .answers::<PaymentBody>(200, "The payment.", examples::PAID),
    ]
}

async fn create(call: Call, new: NewPayment) -> Result<Answer, ApiError> {
    let creating = call.services().collector.create(call.ctx()?, new);
    Answer::created::<PaymentBody>(written(creating).await?)
}
