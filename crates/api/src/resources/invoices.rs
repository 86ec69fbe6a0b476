//! `/invoices`: CFDI 4.0 documents from draft to stamp to cancellation.

mod body;
mod examples;
mod forms;
mod mail;
mod papers;
mod verdict;

use accounts::Scope;
use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use invoices::{CancelInvoice, CopyInvoice, InvoiceId, UpdateInvoice};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, Waits, id, json, taking},
    error::{ApiError, Code},
    page::PageOf,
    reply::{found, written},
};
use body::InvoiceBody;
use verdict::VerdictBody;

const ALL: &str = InvoiceBody::PATH;
const ONE: &str = "/invoices/{id}";
const ID: Segment<InvoiceId> = id(InvoiceId::parse);
const COPY: &str = "/invoices/{id}/copy";
const VALIDATE: &str = "/invoices/{id}/validate";
const STAMP: &str = "/invoices/{id}/timbrar";
const CANCEL: &str = "/invoices/{id}/cancel";

pub(super) fn endpoints() -> Vec<Endpoint> {
    resources().into_iter().chain(actions()).chain(papers::endpoints()).collect()
}

/// The invoices themselves.
fn resources() -> [Endpoint; 5] {
    [
        Endpoint::get(
            ALL,
            Scope::Invoices,
            crud::list::<InvoiceBody, _, _>(forms::LIST, |services, account, query| {
                services.invoices.list(account, query)
            }),
        )
        .summary("List invoices")
        .describes("Newest first.")
        .answers::<PageOf<InvoiceBody>>(200, "A page of invoices.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Invoices,
            crud::create::<InvoiceBody, _, _, _>(forms::CREATE, |services, ctx, command| {
                services.invoices.create(ctx, command)
            }),
        )
        .summary("Create an invoice")
        .describes(
            "Makes a draft: a sale (`I`) or credit note (`E`) of `items` or of an order, a \
                 global invoice of several orders (`orderIds` with `global`), a receipt of \
                 `payments` (`P`), or goods on the move (`T`). What is left out follows from \
                 products, orders, customer and issuer. Nothing is stamped and no credit is spent. \
                 Emits `invoice.created`.",
        )
        .answers::<InvoiceBody>(201, "The invoice, a draft.", examples::DRAFT)
        .refuses(&[Code::IssuerMissing, Code::OrderAlreadyInvoiced]),
        Endpoint::get(
            ONE,
            Scope::Invoices,
            crud::show::<InvoiceBody, _, _>(ID, |services, account, id| {
                services.invoices.get(account, id)
            }),
        )
        .summary("Get an invoice")
        .describes(
            "While it is a draft its sums are as they would be now; afterwards as it was sealed.",
        )
        .answers::<InvoiceBody>(200, "The invoice.", examples::STAMPED),
        Endpoint::patch(
            ONE,
            Scope::Invoices,
            crud::update::<InvoiceBody, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, ctx, (id, version), fields| {
                    services.invoices.update(ctx, UpdateInvoice { id, version, fields })
                },
            ),
        )
        .summary("Update an invoice")
        .describes(
            "Changes the fields of a draft that are sent; `null` clears one that may be empty. \
                 `items`, `payments`, `related`, `receiver` and `global` are replaced as a whole.",
        )
        .answers::<InvoiceBody>(200, "The invoice afterwards.", examples::DRAFT)
        .refuses(&[Code::InvalidTransition, Code::InProgress, Code::OrderAlreadyInvoiced]),
        Endpoint::delete(
            ONE,
            Scope::Invoices,
            crud::delete(ID, |services, ctx, id, version| {
                services.invoices.delete(ctx, id, version)
            }),
        )
        .summary("Delete an invoice")
        .describes("Removes a draft. What was stamped is cancelled instead.")
        .answers::<DeletedBody>(200, "What was deleted.", examples::DELETED)
        .refuses(&[Code::InvalidTransition, Code::InProgress]),
    ]
}

/// What can be done with an invoice.
fn actions() -> [Endpoint; 4] {
    [
        Endpoint::post(COPY, Scope::Invoices, taking((ID, json(forms::COPY)), copy))
            .summary("Copy an invoice")
            .describes(
                "Makes a draft that says the same. With `replace` it takes the place of a stamped \
                 one (relation `04`): stamp it, then cancel the other with reason `01` and the \
                 `uuid` of this one.",
            )
            .answers::<InvoiceBody>(201, "The new draft.", examples::DRAFT)
            .refuses(&[Code::IssuerMissing, Code::InvalidTransition]),
        Endpoint::post(VALIDATE, Scope::Invoices, taking(ID, validate))
            .translated()
            .summary("Validate an invoice")
            .describes(
                "Everything that the tax authority or a provider would refuse a draft for if it \
                 were stamped now, each with SAT's code, the field and the cure. Nothing is spent.",
            )
            .answers::<VerdictBody>(200, "The verdict.", examples::VERDICT),
        Endpoint::post(STAMP, Scope::Invoices, taking(ID, stamp))
            .translated()
            .waits_for(Waits::Provider)
            .summary("Stamp an invoice")
            .describes(
                "Seals a draft and has it stamped (timbrado) as CFDI 4.0, for 10 credits. The \
                 sealed document is kept before the provider is called and every repetition sends \
                 the same bytes: whatever is lost on the way, there is one stamp and one charge. A \
                 stamped invoice is answered as it is. After 502 nothing was stamped or charged; \
                 after 504 it is being found out: read the invoice or repeat the call.",
            )
            .answers::<InvoiceBody>(200, "The invoice with its stamp.", examples::STAMPED)
            .refuses(&[
                Code::InsufficientCredits,
                Code::CertificateMissing,
                Code::InvoiceInvalid,
                Code::InvalidTransition,
                Code::InProgress,
                Code::IssuerMissing,
                Code::OrderAlreadyInvoiced,
                Code::RejectedByProvider,
                Code::ProviderError,
                Code::ProviderTimeout,
            ]),
        Endpoint::post(
            CANCEL,
            Scope::Invoices,
            taking((ID, json(forms::CANCEL).coded(forms::CANCEL_CODES)), cancel),
        )
        .waits_for(Waits::Provider)
        .summary("Cancel an invoice")
        .describes(
            "Asks SAT to cancel a stamped invoice, for one of the reasons of GET \
                 /invoices/cfdi/cancellation-motivos. `01` needs `replacementUuid`, the others \
                 forbid it. Where the receiver is to accept, `cancellation.status` stays \
                 `requested` until it has answered or three business days have passed; the service \
                 keeps asking. Repeating the call with the same reason answers how it stands.",
        )
        .answers::<InvoiceBody>(200, "The invoice with its cancellation.", examples::CANCELLED)
        .refuses(&[
            Code::InvalidCancellationReason,
            Code::CertificateMissing,
            Code::Conflict,
            Code::InvalidTransition,
            Code::InProgress,
            Code::RejectedByProvider,
            Code::RelatedDocuments,
            Code::ProviderError,
            Code::ProviderTimeout,
        ]),
    ]
}

async fn copy(call: Call, (id, replaces): (InvoiceId, bool)) -> Result<Answer, ApiError> {
    let command = CopyInvoice { id, replaces };
    let done = written(call.services().invoices.copy(call.ctx()?, command)).await?;
    Answer::created::<InvoiceBody>(done)
}

async fn validate(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    // Nothing is done that a key could keep from being done twice, but it must be one.
    let now = call.ctx()?.now;
    let findings = found(call.services().invoices.validate(call.account, id, now)).await?;
    let language = call.language();
    Answer::json(StatusCode::OK, &VerdictBody::new(&findings, language))?
        .with(CONTENT_LANGUAGE, language.tag())
}

async fn stamp(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let language = call.language();
    let stamping = call.services().certifier.stamp(call.ctx()?, id);
    let done = written(stamping).await?;
    Answer::acted::<InvoiceBody, _>(done)?.with(CONTENT_LANGUAGE, language.tag())
}

async fn cancel(
    call: Call,
    (id, wanted): (InvoiceId, forms::WantedCancellation),
) -> Result<Answer, ApiError> {
    let forms::WantedCancellation { reason, replacement_uuid } = wanted;
    let command = CancelInvoice { id, reason, replacement_uuid };
    let done = written(call.services().certifier.cancel(call.ctx()?, command)).await?;
    Answer::acted::<InvoiceBody, _>(done)
}
