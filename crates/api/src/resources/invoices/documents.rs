//! The documents of an invoice: XML, PDF and cancellation receipt, and sending them by email.

use accounts::Scope;
use actix_web::http::StatusCode;
use invoices::{Documents, EmailInvoice, Emailed, InvoiceError, InvoiceId, email::file_stem};
use kernel::{AccountId, Done, Language, message};

use super::{ID, body::AddendaBody, examples, forms, sent::SentBody};
use crate::{
    answer::{Answer, DeletedBody},
    call::Call,
    context::Context,
    endpoint::{Endpoint, Waits, json, query, taking},
    error::{ApiError, Code},
    reply::{computed, found, written},
    resources::jobs::{self, JobBody},
};

const XML: &str = "/invoices/{id}/xml";
const PDF: &str = "/invoices/{id}/pdf";
const RECEIPT: &str = "/invoices/{id}/cancellation-receipt";
const ADDENDA: &str = "/invoices/{id}/addenda";
const EMAIL: &str = "/invoices/{id}/email";

pub(crate) const XML_TYPE: &str = "application/xml";
pub(crate) const PDF_TYPE: &str = "application/pdf";

pub(super) fn endpoints() -> [Endpoint; 7] {
    [
        Endpoint::get(XML, Scope::Invoices, taking(ID, xml))
            .summary("Download an invoice XML")
            .describes(
                "The stamped document, byte for byte as returned by the provider, with its addenda \
                 if one was set; while stamping is in progress, the sealed document. A draft has no \
                 XML.",
            )
            .answers_file(&[XML_TYPE], "The XML.")
            .refuses(&[Code::Conflict]),
        Endpoint::get(PDF, Scope::Invoices, taking((ID, query(forms::PDF)), pdf))
            .summary("Download an invoice PDF")
            .describes(
                "The printed representation (representación impresa), with QR code and seals, as \
                 PUT /invoices/cfdi/pdf has it. The PDF of a draft is marked as a draft.",
            )
            .answers_file(&[PDF_TYPE], "The PDF."),
        Endpoint::get(RECEIPT, Scope::Invoices, taking(ID, receipt))
            .summary("Download a cancellation receipt")
            .describes("SAT's receipt (acuse) for the cancellation request.")
            .answers_file(&[XML_TYPE], "The receipt, as XML.")
            .refuses(&[Code::Conflict]),
        Endpoint::get(ADDENDA, Scope::Invoices, taking(ID, addenda))
            .summary("Get an addenda")
            .describes("What was appended to the XML of an invoice for its buyer.")
            .answers::<AddendaBody>(200, "The addenda.", examples::ADDENDA),
        Endpoint::post(ADDENDA, Scope::Invoices, taking((ID, json(forms::ADDENDA)), set_addenda))
            .summary("Set an addenda")
            .describes(
                "Appends to the XML of a stamped invoice what its buyer wants to find there: elements \
                 that go into `cfdi:Addenda`, in the place of those of before. The addenda is no part of \
                 what was sealed and stamped: it can be set until the invoice is cancelled, also after it was sent.",
            )
            .answers::<AddendaBody>(200, "The addenda.", examples::ADDENDA)
            .refuses(&[Code::InvalidTransition]),
        Endpoint::delete(ADDENDA, Scope::Invoices, taking(ID, remove_addenda))
            .summary("Remove an addenda")
            .answers::<DeletedBody>(200, "Confirmation of the removal.", examples::DELETED)
            .refuses(&[Code::InvalidTransition]),
        Endpoint::post(EMAIL, Scope::Invoices, taking((ID, json(forms::EMAIL)), email))
            .waits_for(Waits::Mail)
            .summary("Email an invoice")
            .describes(
                "Emails the XML and PDF of a stamped invoice, to the customer unless `to` names \
                 other recipients. 200 means that the mail server has accepted the email. If the \
                 server cannot be reached, the answer is 202 with a job that tries again for a \
                 day, always under the same `Message-ID`. A 502 means that the server refused the \
                 email for good.",
            )
            .answers::<SentBody>(200, "The email that was sent.", examples::SENT)
            .or_accepts::<JobBody>("The job that goes on trying.", jobs::QUEUED_EXAMPLE)
            .refuses(&[Code::Conflict, Code::ProviderError, Code::ProviderTimeout]),
    ]
}

async fn xml(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let Documents { invoice, xml, .. } = documents(&call, id).await?;
    let xml = xml.ok_or_else(|| {
        let message = message!(
            "the invoice is not sealed yet, so it has no XML; stamp it first",
            "la factura aún no está sellada y no tiene XML; tímbrela primero"
        );
        ApiError::new(Code::Conflict, message)
    })?;
    Answer::file(XML_TYPE, &format!("{}.xml", file_stem(&invoice)), xml)
}

async fn pdf(call: Call, (id, wanted): (InvoiceId, Option<Language>)) -> Result<Answer, ApiError> {
    let documents = documents(&call, id).await?;
    let name = format!("{}.pdf", file_stem(&documents.invoice));
    let (_, pdf) = print((&call.context, call.account), documents, wanted).await?;
    Answer::file(PDF_TYPE, &name, pdf)
}

async fn receipt(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let Documents { invoice, receipt, .. } = documents(&call, id).await?;
    let receipt = receipt.ok_or_else(|| {
        let message = match invoice.cancellation {
            Some(_) => message!(
                "the receipt of the cancellation has not come yet; try again later",
                "el acuse de cancelación aún no llega; intente más tarde"
            ),
            None => message!(
                "no cancellation of the invoice was asked for, so there is no receipt",
                "no se ha solicitado cancelar la factura, por lo que no hay acuse"
            ),
        };
        ApiError::new(Code::Conflict, message)
    })?;
    Answer::file(XML_TYPE, &format!("{}-acuse.xml", file_stem(&invoice)), receipt)
}

async fn addenda(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let Documents { addenda, .. } = documents(&call, id).await?;
    Answer::json(StatusCode::OK, &AddendaBody { invoice_id: id, xml: addenda })
}

async fn set_addenda(call: Call, (id, xml): (InvoiceId, String)) -> Result<Answer, ApiError> {
    let invoices = &call.services().invoices;
    let done = written(invoices.set_addenda(call.ctx()?, id, Some(xml.clone()))).await?;
    let shown = AddendaBody { invoice_id: id, xml: Some(xml) };
    Answer::acted::<AddendaBody, _>(Done { value: shown, replayed: done.replayed })
}

async fn remove_addenda(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let done = written(call.services().invoices.set_addenda(call.ctx()?, id, None)).await?;
    Answer::deleted(&Done { value: id, replayed: done.replayed })
}

async fn email(
    call: Call,
    (id, wanted): (InvoiceId, forms::WantedMail),
) -> Result<Answer, ApiError> {
    if !call.services().emails.has_mail_server() {
        let _ = found(call.services().invoices.get(call.account, id)).await?;
        return Err(InvoiceError::NoMailServer.into());
    }
    let forms::WantedMail { to, subject, message } = wanted;
    let command = EmailInvoice { id, to, subject, message };
    let done = written(call.services().emails.email(call.ctx()?, command)).await?;
    match done.value {
        Emailed::Sent(sent) => {
            Answer::acted::<SentBody, _>(Done { value: sent, replayed: done.replayed })
        }
        Emailed::Queued(task) => {
            let job = JobBody::new(*task, None, (call.now, call.language()))?;
            Answer::accepted(&Done { value: job, replayed: done.replayed })
        }
    }
}

async fn documents(call: &Call, id: InvoiceId) -> Result<Documents, ApiError> {
    found(call.services().invoices.documents(call.account, id)).await
}

/// The documents, and their PDF, made when it is the account's turn.
pub(crate) async fn print(
    (context, account): (&Context, AccountId),
    documents: Documents,
    wanted: Option<Language>,
) -> Result<(Documents, Vec<u8>), ApiError> {
    let printer = context.services.printer.clone();
    let (documents, pdf) = computed((context, account), move || {
        let pdf = printer.pdf(&documents, wanted);
        (documents, pdf)
    })
    .await?;
    Ok((documents, pdf.map_err(|problem| ApiError::internal(format!("printing: {problem}")))?))
}
