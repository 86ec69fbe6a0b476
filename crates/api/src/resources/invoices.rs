//! `/invoices`: CFDI 4.0 documents, from draft to stamp to cancellation.

mod body;
mod documents;
mod examples;
mod exports;
mod forms;
mod receiver;
mod sent;
mod sums;
mod told;
mod verdict;

use accounts::Scope;
use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use invoices::{
    CancelInvoice, Certifier, CopyInvoice, Invoice, InvoiceId, NewInvoice, UpdateInvoice,
    Validation,
};
use kernel::{AccountId, Done, Fault, FieldFault, Message, Pending, message};

use super::stamped_at_once::{Stampable, stamped_at_once};
use crate::{
    Services,
    answer::{Answer, DeletedBody, Resource},
    call::Call,
    crud,
    endpoint::{Endpoint, Segment, Waits, id, json, query, taking},
    error::{ApiError, Code},
    etag::ETag,
    reply::{found, written},
    resources::approvals::{Passage, TICKET_EXAMPLE, TicketBody, passage},
};
pub(super) use body::{InvoiceBody, InvoiceIssuerBody, LastErrorBody, StampBody};
pub(crate) use documents::{PDF_TYPE, XML_TYPE, print};
pub(super) use examples::{RECEIVER_VERDICT, VERDICT};
pub(super) use forms::{
    CANCEL_CODES, WantedCancellation, branch, customer, read_cancellation, read_language,
};
pub(super) use sent::SentBody;
pub(super) use told::{cancellation_in, error_in, rejection_in};
pub(super) use verdict::VerdictBody;

const ALL: &str = InvoiceBody::PATH;
const ONE: &str = "/invoices/{id}";
const ID: Segment<InvoiceId> = id(InvoiceId::PREFIX, InvoiceId::parse);
const COPY: &str = "/invoices/{id}/copy";
const VALIDATE: &str = "/invoices/{id}/validate";
const STAMP: &str = "/invoices/{id}/timbrar";
const CANCEL: &str = "/invoices/{id}/cancel";

/// What can become of a request to stamp.
const STAMP_REFUSALS: &[Code] = &[
    Code::InsufficientCredits,
    Code::CertificateMissing,
    Code::ProviderMissing,
    Code::InvoiceInvalid,
    Code::InvalidTransition,
    Code::InProgress,
    Code::IssuerMissing,
    Code::OrderAlreadyInvoiced,
    Code::RejectedByProvider,
    Code::ProviderError,
    Code::ProviderTimeout,
];

pub(super) fn endpoints() -> Vec<Endpoint> {
    let own = resources().into_iter().chain(actions()).chain(documents::endpoints());
    own.chain([receiver::endpoint(), exports::endpoint(), sums::endpoint()]).collect()
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
        .translated()
        .summary("List invoices")
        .describes("Newest first.")
        .pages::<InvoiceBody>("A page of invoices.", examples::PAGE),
        Endpoint::post(
            ALL,
            Scope::Invoices,
            taking((query(forms::STAMPING), json(forms::CREATE)), create),
        )
        .translated()
        .waits_for(Waits::Stamp)
        .summary("Create an invoice")
        .describes(
            "Creates a draft: an income invoice (`I`) or credit note (`E`) for `items` or an \
                 order, a global invoice for several orders (`orderIds` with `global`), a payment \
                 receipt (`P`) for `payments`, or a transfer of goods (`T`). Omitted fields are \
                 filled in from the products, orders, customer and issuer. Nothing is stamped and \
                 no credits are spent, unless `stamp` is set: then the invoice is stamped as well, \
                 as by POST /invoices/{id}/timbrar, and what the SAT rules reject or no credits \
                 pay for is not even created. Emits `invoice.created`.",
        )
        .answers::<InvoiceBody>(
            201,
            "The new invoice, with status `draft`, or `stamped`.",
            examples::DRAFT,
        )
        .or_accepts::<InvoiceBody>(
            "The invoice whose stamping the provider has not answered yet: read it again.",
            examples::STAMPING,
        )
        .refuses(STAMP_REFUSALS),
        Endpoint::get(
            ONE,
            Scope::Invoices,
            crud::show::<InvoiceBody, _, _>(ID, |services, account, id| {
                services.invoices.get(account, id)
            }),
        )
        .translated()
        .summary("Get an invoice")
        .describes(
            "The totals of a draft are calculated as of now; once it is sealed, they are those \
                 of the sealed document.",
        )
        .answers::<InvoiceBody>(200, "The invoice.", examples::STAMPED),
        Endpoint::patch(
            ONE,
            Scope::Invoices,
            crud::update::<InvoiceBody, _, _, _, _, _>(
                ID,
                forms::UPDATE,
                |services, account, id| services.invoices.get(account, id),
                |services, ctx, (id, tag), fields| {
                    services.invoices.update(
                        ctx,
                        UpdateInvoice { id, version: tag.map(ETag::of_version), fields },
                    )
                },
            ),
        )
        .translated()
        .summary("Update an invoice")
        .describes(
            "Changes only the fields that are sent, while the invoice is a draft; `null` \
                 clears an optional field. `items`, `payments`, `related`, `receiver` and `global` \
                 are each replaced as a whole.",
        )
        .answers::<InvoiceBody>(200, "The updated invoice.", examples::DRAFT)
        .refuses(&[Code::InvalidTransition, Code::InProgress, Code::OrderAlreadyInvoiced]),
        Endpoint::delete(
            ONE,
            Scope::Invoices,
            crud::delete(ID, |services, ctx, id, version| {
                services.invoices.delete(ctx, id, version)
            }),
        )
        .summary("Delete an invoice")
        .describes("Deletes a draft. A stamped invoice must be cancelled instead.")
        .answers::<DeletedBody>(200, "Confirmation of the deletion.", examples::DELETED)
        .refuses(&[Code::InvalidTransition, Code::InProgress]),
    ]
}

/// Actions on an invoice.
fn actions() -> [Endpoint; 4] {
    [
        Endpoint::post(COPY, Scope::Invoices, taking((ID, json(forms::COPY)), copy))
            .translated()
            .summary("Copy an invoice")
            .describes(
                "Creates a draft with the same contents. With `replace`, the copy replaces a \
                 stamped invoice (relation `04`): stamp the copy, then cancel the original with \
                 reason `01` and the copy's `uuid`.",
            )
            .answers::<InvoiceBody>(201, "The new draft.", examples::DRAFT)
            .refuses(&[Code::IssuerMissing, Code::InvalidTransition]),
        Endpoint::post(VALIDATE, Scope::Invoices, taking(ID, validate))
            .translated()
            .summary("Validate an invoice")
            .describes(
                "Lists everything for which SAT or the provider would reject the draft if it were \
                 stamped now, each with the SAT code, the field and how to fix it. No credits are \
                 spent.",
            )
            .answers::<VerdictBody>(200, "The result of the validation.", examples::VERDICT),
        Endpoint::post(STAMP, Scope::Invoices, taking(ID, stamp))
            .translated()
            .conditional()
            .waits_for(Waits::Provider)
            .summary("Stamp an invoice")
            .describes(
                "Seals a draft and has it stamped (timbrado) as a CFDI 4.0, for 10 credits. The \
                 sealed document is saved before the provider is called, and every retry sends the \
                 same bytes: whatever is lost in transit, there is only one stamp and one charge. \
                 An invoice that is already stamped is returned unchanged. With `If-Match`, a draft \
                 that has been changed since is not stamped, and one that was stamped after such a \
                 change is not returned; what attempts to stamp it change does not count. A 502 \
                 means that nothing was stamped or charged. After a 504 the outcome is not known yet \
                 and the service is determining it: read the invoice or repeat the request.",
            )
            .answers::<InvoiceBody>(200, "The invoice with its stamp.", examples::STAMPED)
            .refuses(STAMP_REFUSALS),
        Endpoint::post(
            CANCEL,
            Scope::Invoices,
            taking((ID, json(forms::CANCEL).coded(forms::CANCEL_CODES)), cancel),
        )
        .translated()
        .waits_for(Waits::Provider)
        .summary("Cancel an invoice")
        .describes(
            "Asks SAT to cancel a stamped invoice for one of the reasons listed by GET \
                 /invoices/cfdi/cancellation-motivos. Reason `01` requires `replacementUuid`; the \
                 others do not allow it. If the receiver has to accept, `cancellation.status` \
                 stays `requested` until they respond or three business days have passed; the \
                 service polls SAT for the decision. Repeating the request with the same reason \
                 returns the current status.",
        )
        .answers::<InvoiceBody>(200, "The invoice with its cancellation.", examples::CANCELLED)
        .or_accepts::<TicketBody>(
            "Rules want the cancellation to be approved: SAT is asked once it is.",
            TICKET_EXAMPLE,
        )
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

async fn create(
    call: Call,
    (by_query, forms::Wanted { kind, fields, stamp }): (Option<bool>, forms::Wanted),
) -> Result<Answer, ApiError> {
    let is_to_stamp = stamps(by_query, stamp)?;
    let command = NewInvoice { kind, fields, is_to_stamp };
    let language = call.language();
    let mut ctx = call.ctx()?;
    if let (Some(true), Some(idempotency)) = (by_query, &mut ctx.idempotency) {
        // The digest is that of the body.
        idempotency.digest.push_str("?stamp=true");
    }
    let done = written(call.services().invoices.create(ctx.clone(), command)).await?;
    let answer = match is_to_stamp {
        true => stamped_at_once::<InvoiceBody>(&call, ctx, done).await?,
        false => Answer::created::<InvoiceBody>(done)?,
    };
    answer.told(language)
}

/// Whether an invoice is to be stamped at once, of which query and body may both speak.
fn stamps(by_query: Option<bool>, by_body: Option<bool>) -> Result<bool, ApiError> {
    match (by_query, by_body) {
        (Some(query), Some(body)) if query != body => {
            let problem = message!(
                "is {query} in the query and {body} in the body: leave one of them out",
                "es {query} en la consulta y {body} en el cuerpo: omita uno de los dos"
            );
            Err(ApiError::of_faults(&[FieldFault::new("stamp", problem)]))
        }
        (query, body) => Ok(query.or(body).unwrap_or_default()),
    }
}

impl Stampable for InvoiceBody {
    fn certifier(services: &Services) -> &dyn Certifier<Invoice> {
        &*services.certifier
    }

    fn get(
        services: &Services,
        account: AccountId,
        id: InvoiceId,
    ) -> Pending<Result<Option<Invoice>, Fault>> {
        services.invoices.get(account, id)
    }

    fn still_a_draft() -> Message {
        message!(
            "the draft at Location has been created, but not stamped yet: too many invoices of this account are being \
             stamped; POST to its /timbrar, or repeat the request with the same Idempotency-Key",
            "se creó el borrador indicado en Location, pero aún no se timbra: se están timbrando demasiadas facturas de \
             esta cuenta; use POST en su /timbrar, o repita la solicitud con la misma Idempotency-Key"
        )
    }
}

async fn copy(call: Call, (id, replaces): (InvoiceId, bool)) -> Result<Answer, ApiError> {
    let command = CopyInvoice { id, replaces };
    let done = written(call.services().invoices.copy(call.ctx()?, command)).await?;
    Answer::created::<InvoiceBody>(done)?.told(call.language())
}

async fn validate(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    // Nothing is done that a key could keep from being done twice, but it must be one.
    let now = call.ctx()?.now;
    let Validation { findings, warnings } =
        found(call.services().invoices.validate(call.account, id, now)).await?;
    let language = call.language();
    Answer::json(StatusCode::OK, &VerdictBody::new(&findings, &warnings, language))?
        .with(CONTENT_LANGUAGE, language.tag())
}

async fn stamp(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let language = call.language();
    let (ctx, version) = (call.ctx()?, call.expected_version());
    let stamping = call.services().certifier.stamp(ctx, id, version);
    let Done { value, replayed } = written(stamping).await?;
    let value = InvoiceBody::in_language(value, language);
    Answer::acted::<InvoiceBody, _>(Done { value, replayed })?.told(language)
}

async fn cancel(
    call: Call,
    (id, wanted): (InvoiceId, forms::WantedCancellation),
) -> Result<Answer, ApiError> {
    let forms::WantedCancellation { reason, replacement_uuid } = wanted;
    let command = CancelInvoice { id, reason, replacement_uuid };
    let done = match passage(&call, &*call.services().cancelling_gate, &command).await?? {
        Passage::Waits(answer) => return Ok(answer),
        Passage::Done(done) => done,
        Passage::Free => written(call.services().certifier.cancel(call.ctx()?, command)).await?,
    };
    let value = InvoiceBody::in_language(done.value, call.language());
    Answer::acted::<InvoiceBody, _>(Done { value, replayed: done.replayed })?
        .with(CONTENT_LANGUAGE, call.language().tag())
}
