//! The clock that all processes of this machine share.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Microseconds since 1970.
pub(crate) fn unix_micros() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_micros()).unwrap_or_default()
}

/// From one moment to another; nothing when the clock says the later one came first.
pub(crate) const fn between(from_micros: u64, to_micros: u64) -> Duration {
    Duration::from_micros(to_micros.saturating_sub(from_micros))
}
