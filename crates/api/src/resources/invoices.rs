//! `/invoices`: CFDI 4.0 documents from draft to stamp to cancellation.

mod body;
mod examples;
mod forms;
mod mail;
mod papers;
mod verdict;

use accounts::Scope;
use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use invoices::{
    CancelInvoice, CopyInvoice, Fields, InvoiceId, InvoiceQuery, NewInvoice, UpdateInvoice,
};

use crate::{
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    endpoint::{Endpoint, Waits, body, coded_body, plain, query},
    error::{ApiError, Code},
    page::PageOf,
    reply::{answered, found, written},
};
use body::InvoiceBody;
use verdict::VerdictBody;

const ALL: &str = InvoiceBody::PATH;
const ONE: &str = "/invoices/{id}";
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
        Endpoint::get(ALL, Scope::Invoices, query(forms::LIST, list))
            .summary("List invoices")
            .describes("Newest first.")
            .answers::<PageOf<InvoiceBody>>(200, "A page of invoices.", examples::PAGE),
        Endpoint::post(ALL, Scope::Invoices, body(forms::CREATE, create))
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
        Endpoint::get(ONE, Scope::Invoices, plain(show))
            .summary("Get an invoice")
            .describes(
                "While it is a draft its sums are as they would be now; afterwards as it was sealed.",
            )
            .answers::<InvoiceBody>(200, "The invoice.", examples::STAMPED),
        Endpoint::patch(ONE, Scope::Invoices, body(forms::UPDATE, update))
            .summary("Update an invoice")
            .describes(
                "Changes the fields of a draft that are sent; `null` clears one that may be empty. \
                 `items`, `payments`, `related`, `receiver` and `global` are replaced as a whole.",
            )
            .answers::<InvoiceBody>(200, "The invoice afterwards.", examples::DRAFT)
            .refuses(&[Code::InvalidTransition, Code::InProgress, Code::OrderAlreadyInvoiced]),
        Endpoint::delete(ONE, Scope::Invoices, plain(delete))
            .summary("Delete an invoice")
            .describes("Removes a draft. What was stamped is cancelled instead.")
            .answers::<DeletedBody>(200, "What was deleted.", examples::DELETED)
            .refuses(&[Code::InvalidTransition, Code::InProgress]),
    ]
}

/// What can be done with an invoice.
fn actions() -> [Endpoint; 4] {
    [
        Endpoint::post(COPY, Scope::Invoices, body(forms::COPY, copy))
            .summary("Copy an invoice")
            .describes(
                "Makes a draft that says the same. With `replace` it takes the place of a stamped \
                 one (relation `04`): stamp it, then cancel the other with reason `01` and the \
                 `uuid` of this one.",
            )
            .answers::<InvoiceBody>(201, "The new draft.", examples::DRAFT)
            .refuses(&[Code::IssuerMissing, Code::InvalidTransition]),
        Endpoint::post(VALIDATE, Scope::Invoices, plain(validate))
            .translated()
            .summary("Validate an invoice")
            .describes(
                "Everything that the tax authority or a provider would refuse a draft for if it \
                 were stamped now, each with SAT's code, the field and the cure. Nothing is spent.",
            )
            .answers::<VerdictBody>(200, "The verdict.", examples::VERDICT),
        Endpoint::post(STAMP, Scope::Invoices, plain(stamp))
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
            coded_body(forms::CANCEL, forms::CANCEL_CODES, cancel),
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

async fn list(call: Call, query: InvoiceQuery) -> Result<Answer, ApiError> {
    let asked = query.page.clone();
    let page = answered(call.services().invoices.list(call.account, query)).await?;
    Answer::page::<InvoiceBody>(page, &asked)
}

async fn create(call: Call, command: NewInvoice) -> Result<Answer, ApiError> {
    let done = written(call.services().invoices.create(call.ctx()?, command)).await?;
    Answer::created::<InvoiceBody>(done)
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(InvoiceId::parse)?;
    let invoice = found(call.services().invoices.get(call.account, id)).await?;
    Answer::shown::<InvoiceBody>(&call, invoice)
}

async fn update(call: Call, fields: Fields) -> Result<Answer, ApiError> {
    let id = call.id(InvoiceId::parse)?;
    let command = UpdateInvoice { id, version: call.expected_version(), fields };
    let done = written(call.services().invoices.update(call.ctx()?, command)).await?;
    Answer::changed::<InvoiceBody>(done)
}

async fn delete(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(InvoiceId::parse)?;
    let version = call.expected_version();
    let done = written(call.services().invoices.delete(call.ctx()?, id, version)).await?;
    Answer::deleted(&done)
}

async fn copy(call: Call, replaces: bool) -> Result<Answer, ApiError> {
    let id = call.id(InvoiceId::parse)?;
    let command = CopyInvoice { id, replaces };
    let done = written(call.services().invoices.copy(call.ctx()?, command)).await?;
    Answer::created::<InvoiceBody>(done)
}

async fn validate(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(InvoiceId::parse)?;
    // Nothing is done that a key could keep from being done twice, but it must be one.
    let now = call.ctx()?.now;
    let findings = found(call.services().invoices.validate(call.account, id, now)).await?;
    let language = call.language();
    Answer::json(StatusCode::OK, &VerdictBody::new(&findings, language))?
        .with(CONTENT_LANGUAGE, language.tag())
}

async fn stamp(call: Call) -> Result<Answer, ApiError> {
    let id = call.id(InvoiceId::parse)?;
    let language = call.language();
    let stamping = call.services().certifier.stamp(call.ctx()?, id);
    let done = written(stamping).await?;
    Answer::acted::<InvoiceBody, _>(done)?.with(CONTENT_LANGUAGE, language.tag())
}

async fn cancel(call: Call, wanted: forms::WantedCancellation) -> Result<Answer, ApiError> {
    let id = call.id(InvoiceId::parse)?;
    let forms::WantedCancellation { reason, replacement_uuid } = wanted;
    let command = CancelInvoice { id, reason, replacement_uuid };
    let done = written(call.services().certifier.cancel(call.ctx()?, command)).await?;
    Answer::acted::<InvoiceBody, _>(done)
}
