//! The papers of an invoice: XML, PDF, and the receipt of its cancellation.

use std::sync::Arc;

use actix_web::{http::header::CONTENT_DISPOSITION, web::Bytes};
use invoices::{Documents, InvoiceId, email::file_stem};

use super::READ;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    page::Page,
    reply::found,
};

const XML: &str = "application/xml";
const PDF: &str = "application/pdf";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("invoices/{id}/xml", READ, xml),
        Page::get("invoices/{id}/pdf", READ, pdf),
        Page::get("invoices/{id}/receipt", READ, receipt),
    ]
}

async fn documents(call: &Call<Member>) -> Result<Documents, Failure> {
    let id = InvoiceId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().invoices.documents(call.account(), id)).await
}

fn file(kind: &'static str, name: &str, bytes: impl Into<Bytes>) -> Answer {
    let disposition = format!("attachment; filename=\"{name}\"");
    Answer::file(kind, bytes.into()).with(CONTENT_DISPOSITION, &disposition)
}

async fn xml(call: Call<Member>) -> Result<Answer, Failure> {
    let Documents { invoice, xml, .. } = documents(&call).await?;
    let xml = xml.ok_or(Failure::Nothing)?;
    Ok(file(XML, &format!("{}.xml", file_stem(&invoice)), xml))
}

async fn pdf(call: Call<Member>) -> Result<Answer, Failure> {
    let documents = documents(&call).await?;
    let name = format!("{}.pdf", file_stem(&documents.invoice));
    let printer = Arc::clone(&call.services().printer);
    let printed = call.computed(move || printer.pdf(&documents, None)).await?;
    let printed = printed.map_err(|why| Failure::Internal(format!("printing: {why}")))?;
    Ok(file(PDF, &name, printed))
}

async fn receipt(call: Call<Member>) -> Result<Answer, Failure> {
    let Documents { invoice, receipt, .. } = documents(&call).await?;
    let receipt = receipt.ok_or(Failure::Nothing)?;
    Ok(file(XML, &format!("{}-acuse.xml", file_stem(&invoice)), receipt))
}
