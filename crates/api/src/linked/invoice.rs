//! An invoice for who holds a link to it: a page, the PDF and the XML.

use actix_web::http::{StatusCode, header::CACHE_CONTROL};
use cfdi::{decimal::digits, document::DocumentType, stamp::verification_url};
use invoices::{Documents, InvoiceId, Status, email::file_stem, provider::ProviderKind};
use kernel::AccountId;
use links::{LinkKind, Token};
use pages::{InvoicePage, Money};

use super::{followed, nothing, page, reader, unless_gone};
use crate::{
    answer::Answer,
    call::Call,
    error::ApiError,
    reply::found,
    resources::{PDF_TYPE, XML_TYPE, path_of_link, print},
};

pub(super) async fn show(call: Call<()>, token: Option<Token>) -> Result<Answer, ApiError> {
    let address = token.as_ref().map(|token| path_of_link(LinkKind::Invoice, token));
    let Some((_, Documents { invoice, .. })) = documents(&call, token).await? else {
        return nothing(&call);
    };
    let language = reader(call.headers());
    let (document, Some(stamped)) = (&invoice.document, &invoice.stamp) else {
        return nothing(&call);
    };
    let number = [document.series.as_deref(), document.folio.as_deref()];
    let number: Vec<&str> = number.into_iter().flatten().collect();
    let decimals = document.currency.map_or(2, kernel::Currency::decimals);
    let currency = document.currency.as_ref().map_or("MXN", |currency| currency.code());
    let total = Money { digits: digits(invoice.amount(), decimals), currency: currency.to_owned() };
    let html = InvoicePage {
        language,
        sandbox: stamped.provider == ProviderKind::Sandbox,
        kind: document.kind.code(),
        number: &number.join(" "),
        issuer: &document.issuer.legal_name,
        receiver: &document.receiver.legal_name,
        issued_at: document.issued_at,
        // Nothing is paid by the invoice of goods on the road.
        total: (document.kind != DocumentType::Transfer).then_some(total),
        uuid: &stamped.stamp.uuid,
        cancelled: invoice.status == Status::Cancelled,
        verification_url: &verification_url(document, &stamped.stamp),
        address: address.as_deref().unwrap_or_default(),
    }
    .html();
    page(StatusCode::OK, html, language)
}

pub(super) async fn pdf(call: Call<()>, token: Option<Token>) -> Result<Answer, ApiError> {
    let Some((account, documents)) = documents(&call, token).await? else {
        return nothing(&call);
    };
    let name = format!("{}.pdf", file_stem(&documents.invoice));
    let (_, pdf) = print((&call.context, account), documents, None).await?;
    Answer::file(PDF_TYPE, &name, pdf)?.with(CACHE_CONTROL, "no-store")
}

pub(super) async fn xml(call: Call<()>, token: Option<Token>) -> Result<Answer, ApiError> {
    match documents(&call, token).await? {
        Some((_, Documents { invoice, xml: Some(xml), .. })) => {
            let name = format!("{}.xml", file_stem(&invoice));
            Answer::file(XML_TYPE, &name, xml)?.with(CACHE_CONTROL, "no-store")
        }
        _ => nothing(&call),
    }
}

/// The documents that a token leads to, with their account.
async fn documents(
    call: &Call<()>,
    token: Option<Token>,
) -> Result<Option<(AccountId, Documents)>, ApiError> {
    let Some((account, subject)) = followed(call, token, LinkKind::Invoice).await? else {
        return Ok(None);
    };
    let Some(id) = InvoiceId::parse(&subject) else { return Ok(None) };
    let documents = unless_gone(found(call.services().invoices.documents(account, id)).await)?;
    Ok(documents.map(|documents| (account, documents)))
}
