//! The PDF of a quote, as its customer gets it.

use accounts::{Right, Scope};
use actix_web::{http::header::CONTENT_DISPOSITION, web::Bytes};
use quotes::PrintedQuote;

use super::{READ, quote};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    page::Page,
    reply::answered,
};

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("quotes/{id}/pdf", READ, pdf)]
}

async fn pdf(call: Call<Member>) -> Result<Answer, Failure> {
    let (services, account) = (call.services(), call.account());
    let quote = quote(&call).await?;
    let issuer = answered(services.issuers.issuer(account, None)).await?;
    let own = &call.who.entry.account;
    let merchant = issuer.map_or_else(|| own.name.clone(), |issuer| issuer.legal_name);
    let customer = match call.may(Right::read(Scope::Customers)) {
        true => {
            let id = crm::CustomerId::from_u128(quote.customer.to_u128());
            answered(services.customers.get(account, id)).await?
        }
        false => None,
    };
    let customer = customer.map(|customer| customer.legal_name.unwrap_or(customer.name));
    let name = format!("{}.pdf", quote.number_text());
    let names = (merchant, customer.unwrap_or_default());
    let how = (own.test_of.is_some(), call.language);
    let printed = PrintedQuote::of(quote, names, how, call.now());
    let printer = services.quote_printer.clone();
    let pdf = call.computed(move || printer.quote_pdf(&printed)).await?;
    let pdf = pdf.map_err(|why| Failure::Internal(format!("printing: {why}")))?;
    let disposition = format!("attachment; filename=\"{name}\"");
    Ok(Answer::file("application/pdf", Bytes::from(pdf)).with(CONTENT_DISPOSITION, &disposition))
}
