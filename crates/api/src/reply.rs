//! What the services answered, as the API answers it.

use tokio::time::timeout;

use crate::{
    aside,
    context::Context,
    error::{ApiError, Code},
    turns::{Turn, Turns, busy},
};
use kernel::{AccountId, Done, Fault, Pending, Written, message, threads::give_way};

/// The characters of an identifier behind its prefix.
const ULID_CHARS: usize = 26;

/// An answer that there always is.
pub(crate) async fn answered<T>(pending: Pending<Result<T, Fault>>) -> Result<T, ApiError> {
    Ok(pending.await.ok_or_else(stopped)??)
}

/// The same, on a thread that may wait for it.
pub(crate) fn awaited<T>(pending: Pending<Result<T, Fault>>) -> Result<T, ApiError> {
    Ok(pending.wait().ok_or_else(stopped)??)
}

/// A resource that may not be there.
pub(crate) async fn found<T>(pending: Pending<Result<Option<T>, Fault>>) -> Result<T, ApiError> {
    answered(pending).await?.ok_or_else(not_found)
}

/// The outcome of a command.
pub(crate) async fn written<T, E: Into<ApiError>>(
    pending: Pending<Written<T, E>>,
) -> Result<Done<T>, ApiError> {
    Ok(outcome(pending).await??)
}

/// The same, for whoever has more to say of a refusal.
pub(crate) async fn outcome<T, E>(
    pending: Pending<Written<T, E>>,
) -> Result<Written<T, E>, ApiError> {
    pending.await.ok_or_else(stopped)
}

/// There is no such resource, or it is another account's: nobody learns which.
pub(crate) fn not_found() -> ApiError {
    let message =
        message!("nothing in this account has this id", "en esta cuenta no hay nada con este id");
    ApiError::new(Code::NotFound, message)
}

/// What stands in a path is no identifier that begins with `prefix`.
pub(crate) fn not_an_id(text: &str, prefix: &str) -> ApiError {
    let is_id = |(start, rest): &(&str, &str)| {
        let is_word = start.chars().all(|c| c.is_ascii_lowercase());
        *start != prefix && is_word && start.len() < 8 && rest.len() == ULID_CHARS
    };
    let message = match text.split_once('_').filter(is_id) {
        Some((other, _)) => message!(
            "this path takes an id that begins with \"{prefix}_\", and this one begins with \"{other}_\"",
            "esta ruta recibe un id que comienza con \"{prefix}_\" y este comienza con \"{other}_\""
        ),
        None => message!(
            "nothing has this id; ids here are \"{prefix}_\" and {ULID_CHARS} more characters",
            "no hay nada con este id; aquí los id son \"{prefix}_\" y {ULID_CHARS} caracteres más"
        ),
    };
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

/// What `work` computes, off the threads that answer requests and that write, when it is the account's turn: whoever
/// sends much to compute waits, and so does the memory that it takes.
pub(crate) async fn computed<T: Send + 'static>(
    (context, account): (&Context, AccountId),
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let turn = in_turn(&context.computing, (context, account)).await?;
    // The turn is held for as long as it computes, also when nobody waits for it any more.
    let outcome = actix_web::web::block(move || {
        give_way();
        let value = work();
        drop(turn);
        value
    });
    outcome.await.map_err(|_| ApiError::internal("a computation ended without an outcome"))
}

/// What `work` reads of a large body, on threads of their own. It takes milliseconds, and waits for no certificates and pictures
/// of other accounts, which may take seconds.
pub(crate) async fn read_aside<T: Send + 'static>(
    (context, account): (&Context, AccountId),
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let turn = in_turn(&context.reading, (context, account)).await?;
    let outcome = aside::run(move || {
        let value = work();
        drop(turn);
        value
    });
    outcome.await.ok_or_else(|| ApiError::internal("a body was read without an outcome"))
}

async fn in_turn(
    turns: &Turns,
    (context, account): (&Context, AccountId),
) -> Result<Turn, ApiError> {
    // Shorter than the request may take: whoever waits for itself is told so.
    let patience = context.settings.request_timeout / 2;
    let turn = timeout(patience, turns.take(account)).await;
    turn.map_err(|_| busy())?.ok_or_else(stopped)
}
