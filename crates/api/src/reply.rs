//! What the services answered, as the API answers it.

use actix_web::http::header::{CONTENT_LANGUAGE, HeaderValue};
use cfdi::rules::Language;
use invoices::InvoiceError;
use kernel::{Done, Fault, Pending, Refused, Written};

use crate::{
    error::{ApiError, Code},
    language,
    refusals::findings,
};

/// An answer that there always is.
pub(crate) async fn answered<T>(pending: Pending<Result<T, Fault>>) -> Result<T, ApiError> {
    Ok(pending.await.ok_or_else(stopped)??)
}

/// A resource that may not be there.
pub(crate) async fn found<T>(pending: Pending<Result<Option<T>, Fault>>) -> Result<T, ApiError> {
    answered(pending).await?.ok_or_else(not_found)
}

/// The outcome of a command.
pub(crate) async fn written<T, E: Into<ApiError>>(
    pending: Pending<Written<T, E>>,
) -> Result<Done<T>, ApiError> {
    Ok(pending.await.ok_or_else(stopped)??)
}

/// The outcome of a command that the rules of the tax authority judge, in the caller's language.
pub(crate) async fn certified<T>(
    pending: Pending<Written<T, InvoiceError>>,
    language: Language,
) -> Result<Done<T>, ApiError> {
    match pending.await.ok_or_else(stopped)? {
        Err(Refused::Rule(InvoiceError::Findings(list))) => {
            let tag = HeaderValue::from_static(language::tag(language));
            Err(findings(&list, language).with(CONTENT_LANGUAGE, tag))
        }
        outcome => Ok(outcome?),
    }
}

/// There is no such resource, or it is another account's: nobody learns which.
pub(crate) fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "nothing in this account has this id")
}

/// Whoever owed the answer is gone.
fn stopped() -> ApiError {
    ApiError::unavailable("the service is stopping; try again", "the store is gone")
}

/// What `work` computes, off the threads that answer requests.
pub(crate) async fn computed<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let outcome = actix_web::web::block(work).await;
    outcome.map_err(|_| ApiError::internal("a computation ended without an outcome"))
}
