//! What the services answered, as the API answers it.

use kernel::{Done, Fault, Pending, Written, message};

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
    let message =
        message!("nothing in this account has this id", "nada en esta cuenta tiene este id");
    ApiError::new(Code::NotFound, message)
}

/// The caller has seen an older version.
pub(crate) fn stale() -> ApiError {
    let message = message!(
        "the resource has changed since the version in If-Match; read it again",
        "el recurso cambió desde la versión indicada en If-Match; vuelva a leerlo"
    );
    ApiError::new(Code::PreconditionFailed, message)
}

/// Whoever owed the answer is gone.
fn stopped() -> ApiError {
    let message = message!(
        "the service is stopping; try again",
        "el servicio se está deteniendo; intente de nuevo"
    );
    ApiError::unavailable(message, "the store is gone")
}

/// What `work` computes, off the threads that answer requests.
pub(crate) async fn computed<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let outcome = actix_web::web::block(work).await;
    outcome.map_err(|_| ApiError::internal("a computation ended without an outcome"))
}
