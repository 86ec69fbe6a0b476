//! The documents of a withholding: XML, PDF and cancellation receipt.

use accounts::Scope;
use invoices::withholding::{Documents, WithholdingId};
use kernel::{Language, message};

use super::{ID, forms};
use crate::{
    answer::Answer,
    call::Call,
    endpoint::{Endpoint, query, taking},
    error::{ApiError, Code},
    reply::{computed, found},
    resources::invoices::{PDF_TYPE, XML_TYPE},
};

const XML: &str = "/withholdings/{id}/xml";
const PDF: &str = "/withholdings/{id}/pdf";
const RECEIPT: &str = "/withholdings/{id}/cancellation-receipt";

pub(super) fn endpoints() -> [Endpoint; 3] {
    [
        Endpoint::get(XML, Scope::Invoices, taking(ID, xml))
            .summary("Download a withholding XML")
            .describes(
                "The stamped document, byte for byte as returned by the provider; while stamping is \
                 in progress, the sealed document. A draft has no XML.",
            )
            .answers_file(&[XML_TYPE], "The XML.")
            .refuses(&[Code::Conflict]),
        Endpoint::get(PDF, Scope::Invoices, taking((ID, query(forms::PDF)), pdf))
            .summary("Download a withholding PDF")
            .describes(
                "The printed representation (representación impresa), with QR code and seals, as PUT \
                 /invoices/cfdi/pdf has it. The PDF of a draft is marked as a draft.",
            )
            .answers_file(&[PDF_TYPE], "The PDF."),
        Endpoint::get(RECEIPT, Scope::Invoices, taking(ID, receipt))
            .summary("Download a cancellation receipt of a withholding")
            .describes("SAT's receipt (acuse) for the cancellation request.")
            .answers_file(&[XML_TYPE], "The receipt, as XML.")
            .refuses(&[Code::Conflict]),
    ]
}

async fn xml(call: Call, id: WithholdingId) -> Result<Answer, ApiError> {
    let documents = documents(&call, id).await?;
    let name = format!("{}.xml", file_stem(&documents, id));
    let xml = documents.xml.ok_or_else(|| {
        let message = message!(
            "the withholding is not sealed yet, so it has no XML; stamp it first",
            "la constancia aún no está sellada y no tiene XML; tímbrela primero"
        );
        ApiError::new(Code::Conflict, message)
    })?;
    Answer::file(XML_TYPE, &name, xml)
}

async fn pdf(
    call: Call,
    (id, wanted): (WithholdingId, Option<Language>),
) -> Result<Answer, ApiError> {
    let documents = documents(&call, id).await?;
    let name = format!("{}.pdf", file_stem(&documents, id));
    let printer = call.services().printer.clone();
    let print = move || printer.withholding_pdf(&documents, wanted);
    let pdf = computed((&call.context, call.account), print).await?;
    let pdf = pdf.map_err(|problem| ApiError::internal(format!("printing: {problem}")))?;
    Answer::file(PDF_TYPE, &name, pdf)
}

async fn receipt(call: Call, id: WithholdingId) -> Result<Answer, ApiError> {
    let documents = documents(&call, id).await?;
    let name = format!("{}-acuse.xml", file_stem(&documents, id));
    let receipt = documents.receipt.ok_or_else(|| {
        let message = message!(
            "there is no receipt: no cancellation of the withholding was asked for, or its receipt has not come yet",
            "no hay acuse: no se ha solicitado cancelar la constancia, o su acuse aún no llega"
        );
        ApiError::new(Code::Conflict, message)
    })?;
    Answer::file(XML_TYPE, &name, receipt)
}

async fn documents(call: &Call, id: WithholdingId) -> Result<Documents, ApiError> {
    found(call.services().withholdings.documents(call.account, id)).await
}

/// What its files are called: by the fiscal folio, as SAT does it, or else by the identifier.
fn file_stem(documents: &Documents, id: WithholdingId) -> String {
    documents.stamp.as_ref().map_or_else(|| id.to_string(), |stamp| stamp.uuid.clone())
}
