//! The documents of an invoice: XML, PDF and cancellation receipt, and sending them by email.

use accounts::Scope;
use invoices::{Documents, EmailInvoice, Emailed, InvoiceError, InvoiceId, email::file_stem};
use kernel::{Done, message};

use super::{ID, examples, forms, sent::SentBody};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, Waits, json, taking},
    error::{ApiError, Code},
    reply::{computed, found, written},
    resources::jobs::{self, JobBody},
};

const XML: &str = "/invoices/{id}/xml";
const PDF: &str = "/invoices/{id}/pdf";
const RECEIPT: &str = "/invoices/{id}/cancellation-receipt";
const EMAIL: &str = "/invoices/{id}/email";

const XML_TYPE: &str = "application/xml";
const PDF_TYPE: &str = "application/pdf";

pub(super) fn endpoints() -> [Endpoint; 4] {
    [
        Endpoint::get(XML, Scope::Invoices, taking(ID, xml))
            .summary("Download an invoice XML")
            .describes(
                "The stamped document, byte for byte as returned by the provider; while stamping \
                 is in progress, the sealed document. A draft has no XML.",
            )
            .answers_file(XML_TYPE, "The XML.")
            .refuses(&[Code::Conflict]),
        Endpoint::get(PDF, Scope::Invoices, taking(ID, pdf))
            .summary("Download an invoice PDF")
            .describes(
                "The printed representation (representación impresa), with QR code and seals. The \
                 PDF of a draft is marked as a draft.",
            )
            .answers_file(PDF_TYPE, "The PDF."),
        Endpoint::get(RECEIPT, Scope::Invoices, taking(ID, receipt))
            .summary("Download a cancellation receipt")
            .describes("SAT's receipt (acuse) for the cancellation request.")
            .answers_file(XML_TYPE, "The receipt, as XML.")
            .refuses(&[Code::Conflict]),
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

async fn pdf(call: Call, id: InvoiceId) -> Result<Answer, ApiError> {
    let documents = documents(&call, id).await?;
    let name = format!("{}.pdf", file_stem(&documents.invoice));
    let (_, pdf) = printed(&call, documents).await?;
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
            let job = JobBody::new(*task, None, call.now)?;
            Answer::accepted(&Done { value: job, replayed: done.replayed })
        }
    }
}

async fn documents(call: &Call, id: InvoiceId) -> Result<Documents, ApiError> {
    found(call.services().invoices.documents(call.account, id)).await
}

/// The documents, read again, and their PDF.
async fn printed(call: &Call, documents: Documents) -> Result<(Documents, Vec<u8>), ApiError> {
    let printer = call.services().printer.clone();
    let (documents, pdf) = computed((&call.context, call.account), move || {
        let pdf = printer.pdf(&documents);
        (documents, pdf)
    })
    .await?;
    Ok((documents, pdf.map_err(|problem| ApiError::internal(format!("printing: {problem}")))?))
}
