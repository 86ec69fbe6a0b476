//! Recording what work has led to, also while the database is away for a moment.

use std::time::Duration;

use kernel::{Fault, Pending, Refused, Written, message, reason::Reason};
use tokio::time::sleep;

/// How often an end is recorded anew while the database is away; then it is found out again later.
const RECORDS_MAX: u32 = 5;
/// Between two of these.
const RECORD_PAUSE: Duration = Duration::from_secs(1);

/// What comes of a record, made again while the database is away. `subject` is named in the log.
pub(crate) async fn recorded<T, E>(
    subject: &impl std::fmt::Display,
    record: impl Fn() -> Pending<Written<T, E>>,
) -> Result<T, Refused<E>> {
    for attempt in 1.. {
        match record().await {
            Some(Ok(done)) => return Ok(done.value),
            Some(Err(Refused::Fault(Fault::Unavailable(reason)))) if attempt < RECORDS_MAX => {
                tracing::warn!(%subject, reason, "the outcome is not recorded yet");
                sleep(RECORD_PAUSE).await;
            }
            Some(Err(refused)) => return Err(refused),
            None => break,
        }
    }
    Err(Refused::Fault(gone()))
}

/// Why a task goes on of which everything else is done, as it is kept.
pub(crate) fn unrecorded<E: std::fmt::Debug>(refused: &Refused<E>) -> String {
    Reason::OwnWords.in_both(&message!(
        "its end could not be recorded: {refused:?}",
        "no se pudo registrar su fin: {refused:?}"
    ))
}

/// The store ended before it answered.
pub(crate) fn gone() -> Fault {
    Fault::Unavailable("the store is shutting down".to_owned())
}
