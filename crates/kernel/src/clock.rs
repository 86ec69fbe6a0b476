//! Who tells the time: shells take it from here, rules are told it.

use crate::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The time now.
    fn now(&self) -> Timestamp;
}
