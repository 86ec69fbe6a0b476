//! What the services answered, as the API answers it.

use kernel::{Done, Fault, Pending, Written};

use crate::error::{ApiError, Code};

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

/// There is no such resource, or it is another account's: nobody learns which.
pub(crate) fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "nothing in this account has this id")
}

/// Whoever owed the answer is gone.
fn stopped() -> ApiError {
    ApiError::unavailable("the service is stopping; try again", "the store is gone")
}
