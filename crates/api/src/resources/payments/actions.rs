//! What is done with a payment.

use accounts::Scope;
use actix_web::http::header::CONTENT_LANGUAGE;
use kernel::{Amount, Done, FieldFault, PageRequest, Pending, Refused, Written, message};
use payments::{
    NewRefund, Payment, PaymentError, PaymentId, RefundFilter, RefundPayment, RefundQuery,
    sandbox::Deed,
};

use super::{
    ID,
    body::PaymentBody,
    examples,
    failures::{payment_in, refund_in},
    forms::{self, Event, Resolved, Simulated},
};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Waits, card_free, json, query, taking},
    error::{ApiError, Code},
    reply::{answered, found, outcome, written},
    resources::{
        approvals::{Passage, TICKET_EXAMPLE, TicketBody, passage},
        refunds::{self, RefundBody},
    },
};

const CAPTURE: &str = "/payments/{id}/capture";
const CANCEL: &str = "/payments/{id}/cancel";
const SYNC: &str = "/payments/{id}/sync";
const RESOLVE: &str = "/payments/{id}/resolve";
const SIMULATE: &str = "/payments/{id}/simulate";
const REFUNDS: &str = "/payments/{id}/refunds";
/// How often a refund passes its gate while what is left of the payment changes behind it.
const GATE_ROUNDS_MAX: u32 = 3;

pub(super) fn endpoints() -> Vec<Endpoint> {
    with_provider().into_iter().chain(by_hand()).chain(refunding()).collect()
}

/// What the provider is called for.
fn with_provider() -> [Endpoint; 3] {
    [
        Endpoint::post(
            CAPTURE,
            Scope::Payments,
            taking((ID, card_free(json(forms::CAPTURE))), capture),
        )
        .waits_for(Waits::Payment)
        .translated()
            .summary("Capture a payment")
        .describes(
            "Takes what is authorized, or a part of it, once; the rest is released to the payer. The payment is \
             then `paid`.",
        )
        .answers::<PaymentBody>(200, "The payment in the status reached.", examples::PAID)
        .refuses(&[
            Code::InvalidTransition,
            Code::CallInProgress,
            Code::AmountExceedsAuthorized,
            Code::ProviderTimeout,
        ]),
        Endpoint::post(CANCEL, Scope::Payments, taking(ID, cancel))
            .waits_for(Waits::Payment)
            .translated()
            .summary("Cancel a payment")
            .describes(
                "Calls off a payment that is not paid yet; what is authorized is released. A payment that is \
                 `canceled` already is returned unchanged. Money that arrives all the same is never lost: the \
                 payment becomes `paid`, with the flag `late`.",
            )
            .answers::<PaymentBody>(200, "The payment in the status reached.", examples::CANCELED)
            .refuses(&[Code::InvalidTransition, Code::CallInProgress, Code::ProviderTimeout]),
        Endpoint::post(SYNC, Scope::Payments, taking(ID, sync))
            .waits_for(Waits::Payment)
            .translated()
            .summary("Synchronize a payment")
            .describes(
                "Asks the provider now what has become of the payment and its refunds. This also happens by itself, \
                 at intervals and when the provider sends a notification.",
            )
            .answers::<PaymentBody>(200, "The payment as it stands.", examples::PAID)
            .refuses(&[Code::ProviderError, Code::ProviderTimeout]),
    ]
}

/// What somebody decides.
fn by_hand() -> [Endpoint; 2] {
    [
        Endpoint::post(RESOLVE, Scope::Payments, taking((ID, card_free(json(forms::RESOLVE))), resolve))
            .translated()
            .summary("Resolve a payment conflict")
            .describes(
                "Decides about a payment for which the provider shows another amount or currency than was asked \
                 for (`conflict`). Nothing of it is counted before. What is in another currency can only be \
                 rejected.",
            )
            .answers::<PaymentBody>(200, "The payment.", examples::PAID)
            .refuses(&[Code::Conflict]),
        Endpoint::post(
            SIMULATE,
            Scope::Payments,
            taking((ID, card_free(json(forms::SIMULATE))), simulate),
        )
        .waits_for(Waits::Payment)
        .translated()
            .summary("Simulate a payment event")
        .describes(
            "Has something happen to a payment of the embedded provider `sandbox`, in a test account: its payer \
             pays, the bank refuses, its time passes.",
        )
        .answers::<PaymentBody>(200, "The payment as it stands.", examples::PAID)
        .refuses(&[Code::Conflict, Code::ProviderError, Code::ProviderTimeout]),
    ]
}

/// What is given back.
fn refunding() -> [Endpoint; 2] {
    [
        Endpoint::get(REFUNDS, Scope::Payments, taking((ID, query(refunds::OF_PAYMENT)), list))
            .translated()
            .summary("List refunds of a payment")
            .describes("Newest first.")
            .pages::<RefundBody>("A page of refunds.", refunds::PAGE),
        Endpoint::post(
            REFUNDS,
            Scope::Payments,
            taking((ID, card_free(json(forms::REFUND))), refund),
        )
        .waits_for(Waits::Payment)
        .translated()
            .summary("Refund a payment")
        .describes(
            "Gives back what was captured, or a part of it. The amount is set aside before the provider is called, \
             so that all refunds together never exceed what was captured. With `manual` the provider is not \
             called: you give the money back yourself, and it is recorded. Emits `refund.succeeded` or \
             `refund.failed`. Once it has succeeded, a credit note is drafted of what was invoiced (`creditNoteId`). \
             Cancelling a paid order with `refund` refunds its payments.",
        )
        .answers::<RefundBody>(201, "The new refund, in the status reached.", refunds::REFUND)
        .or_accepts::<TicketBody>(
            "Rules want the refund to be approved: it is made once it is.",
            TICKET_EXAMPLE,
        )
        .refuses(&[
            Code::InvalidTransition,
            Code::RefundExceedsRefundable,
            Code::MethodNotRefundable,
            Code::ProviderTimeout,
        ]),
    ]
}

async fn acted(
    call: &Call,
    acting: Pending<Written<Payment, PaymentError>>,
) -> Result<Answer, ApiError> {
    let Done { value, replayed } = written(acting).await?;
    Answer::acted::<PaymentBody, _>(Done { value: payment_in(value, call.language()), replayed })?
        .with(CONTENT_LANGUAGE, call.language().tag())
}

async fn capture(
    call: Call,
    (id, amount): (PaymentId, Option<Amount>),
) -> Result<Answer, ApiError> {
    acted(&call, call.services().collector.capture(call.ctx()?, id, amount)).await
}

async fn cancel(call: Call, id: PaymentId) -> Result<Answer, ApiError> {
    acted(&call, call.services().collector.cancel(call.ctx()?, id)).await
}

async fn sync(call: Call, id: PaymentId) -> Result<Answer, ApiError> {
    acted(&call, call.services().collector.sync(call.ctx()?, id)).await
}

async fn resolve(call: Call, (id, resolved): (PaymentId, Resolved)) -> Result<Answer, ApiError> {
    let Resolved { resolution, note } = resolved;
    acted(&call, call.services().payments.resolve(call.ctx()?, id, resolution, note)).await
}

async fn simulate(call: Call, (id, simulated): (PaymentId, Simulated)) -> Result<Answer, ApiError> {
    let Simulated { event, amount, installments } = simulated;
    let payment = found(call.services().payments.get(call.account, id)).await?;
    let decimals = payment.currency.decimals();
    if amount.is_some_and(|amount| !amount.fits(decimals)) {
        let problem = message!(
            "must have at most {decimals} decimals in {currency}",
            "debe tener a lo más {decimals} decimales en {currency}",
            currency = payment.currency
        );
        return Err(ApiError::of_faults(&[FieldFault::new("amount", problem)]));
    }
    let deed = match event {
        Event::Pay => installments.map_or(Deed::Pay(amount), Deed::PayIn),
        Event::Decline => Deed::Decline,
        Event::Process => Deed::Process,
        Event::Expire => Deed::Expire,
        Event::Refund => {
            // Of nothing that is left nothing is refunded: that is for the sandbox to say.
            let left = Some(payment.refundable()).filter(|left| *left > Amount::ZERO);
            let amount = amount.or(left).unwrap_or(payment.captured);
            Deed::Refund { refund: None, amount }
        }
    };
    acted(&call, call.services().collector.simulate(call.ctx()?, id, deed)).await
}

async fn list(call: Call, (id, asked): (PaymentId, PageRequest)) -> Result<Answer, ApiError> {
    let _ = found(call.services().payments.get(call.account, id)).await?;
    let filter = RefundFilter { payment: Some(id), ..RefundFilter::default() };
    let query = RefundQuery { filter, page: asked.clone() };
    let page = answered(call.services().payments.refunds(call.account, query)).await?;
    let language = call.language();
    let page = page.map(|refund| refund_in(refund, language));
    Answer::page::<RefundBody>(page, &asked)?.with(CONTENT_LANGUAGE, language.tag())
}

async fn refund(call: Call, (id, new): (PaymentId, NewRefund)) -> Result<Answer, ApiError> {
    let command = RefundPayment { payment: id, new };
    let services = call.services();
    let mut rounds = 0;
    let done = loop {
        rounds += 1;
        match passage(&call, &*services.refunding_gate, &command).await?? {
            Passage::Waits(answer) => return Ok(answer),
            Passage::Done(done) => break done,
            Passage::Free => {}
        }
        let refunding = services.collector.refund(call.ctx()?, id, command.new.clone());
        match outcome(refunding).await? {
            // More is left now than when it passed its gate.
            Err(Refused::Rule(PaymentError::NeedsApproval)) if rounds < GATE_ROUNDS_MAX => {}
            made => break made?,
        }
    };
    let Done { value, replayed } = done;
    Answer::created::<RefundBody>(Done { value: refund_in(value, call.language()), replayed })?
        .told(call.language())
}
