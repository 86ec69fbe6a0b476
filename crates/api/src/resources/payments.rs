//! `/payments`: money for orders and for anything else, taken by the merchant or through a provider.

mod actions;
mod body;
mod examples;
mod failures;
mod forms;

use accounts::Scope;
use kernel::Done;
use payments::{PaymentId, PaymentQuery};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{Endpoint, Segment, Waits, card_free, id, json, taking},
    error::{ApiError, Code},
    reply::{answered, found, written},
    view::{View, view, viewed},
};
pub(super) use body::FailureBody;
use body::PaymentBody;
use failures::payment_in;
pub(super) use failures::{problem_in, refund_in};
pub(super) use forms::{installments, invoice, order, payment_form, url};
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
            taking(viewed::<PaymentBody, _>(forms::LIST), list),
        )
        .translated()
            .summary("List payments")
        .describes("Newest first.")
        .pages::<PaymentBody>("A page of payments.", examples::PAGE),
        Endpoint::post(ALL, Scope::Payments, taking(card_free(json(forms::CREATE)), create))
            .waits_for(Waits::Payment)
            .translated()
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
            taking((ID, view::<PaymentBody>()), show),
        )
        .translated()
            .summary("Get a payment")
        .answers::<PaymentBody>(200, "The payment.", examples::PAID),
    ]
}

async fn create(call: Call, new: NewPayment) -> Result<Answer, ApiError> {
    let creating = call.services().collector.create(call.ctx()?, new);
    let Done { value, replayed } = written(creating).await?;
    Answer::created::<PaymentBody>(Done { value: payment_in(value, call.language()), replayed })?
        .told(call.language())
}

async fn list(call: Call, (query, view): (PaymentQuery, View)) -> Result<Answer, ApiError> {
    let (asked, language) = (query.page.clone(), call.language());
    let page = answered(call.services().payments.list(call.account, query)).await?;
    view.page::<PaymentBody>(page.map(|payment| payment_in(payment, language)), &asked)?
        .told(language)
}

async fn show(call: Call, (id, ((), view)): (PaymentId, ((), View))) -> Result<Answer, ApiError> {
    let payment = found(call.services().payments.get(call.account, id)).await?;
    view.one(call.headers(), &PaymentBody::from(payment_in(payment, call.language())))
}
