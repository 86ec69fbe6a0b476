//! The PDF of a quote.

use actix_web::http::header::ACCEPT_LANGUAGE;
use kernel::{AccountId, Language};
use quotes::{PrintedQuote, Quote};

use crate::{
    answer::Answer,
    call::Call,
    context::Context,
    error::ApiError,
    reply::{answered, computed, found},
    resources::PDF_TYPE,
};

/// The PDF of a quote, made when it is the account's turn.
pub(crate) async fn print_quote(
    (context, account): (&Context, AccountId),
    printed: PrintedQuote,
) -> Result<Vec<u8>, ApiError> {
    let printer = context.services.quote_printer.clone();
    let pdf = computed((context, account), move || printer.quote_pdf(&printed)).await?;
    pdf.map_err(|problem| ApiError::internal(format!("printing: {problem}")))
}

/// The language of a PDF: Spanish unless another one is asked for, as its readers are in Mexico.
fn reader(call: &Call) -> Language {
    match call.headers().contains_key(ACCEPT_LANGUAGE) {
        true => call.language(),
        false => Language::Spanish,
    }
}

/// The PDF for the merchant.
pub(super) async fn pdf(call: &Call, quote: Quote) -> Result<Answer, ApiError> {
    let services = call.services();
    let issuer = answered(services.issuers.issuer(call.account, None)).await?;
    let account = found(services.accounts.account(call.account)).await?;
    let sandbox = account.test_of.is_some();
    let merchant = issuer.map_or(account.name, |issuer| issuer.legal_name);
    let id = crm::CustomerId::from_u128(quote.customer.to_u128());
    let customer = answered(services.customers.get(call.account, id)).await?;
    let customer = customer.map(|customer| customer.legal_name.unwrap_or(customer.name));
    let name = format!("{}.pdf", quote.number_text());
    let names = (merchant, customer.unwrap_or_default());
    let printed = PrintedQuote::of(quote, names, (sandbox, reader(call)), call.now);
    let pdf = print_quote((&call.context, call.account), printed).await?;
    Answer::file(PDF_TYPE, &name, pdf)
}
