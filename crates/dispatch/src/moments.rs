//! Arithmetic with moments.

use std::time::Duration;

use kernel::Timestamp;

/// The moment `later` than `moment`.
pub(crate) fn after(moment: Timestamp, later: Duration) -> Timestamp {
    let micros = i64::try_from(later.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(moment.micros().saturating_add(micros))
}

/// How long it is from one moment to another; nothing when that is over.
pub(crate) fn between(from: Timestamp, to: Timestamp) -> Duration {
    let micros = to.micros().saturating_sub(from.micros());
    Duration::from_micros(u64::try_from(micros).unwrap_or(0))
}

/// The earlier of two moments, if there is any.
pub(crate) fn earlier<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
