//! Who calls a use case, when, and what came of it.

use crate::{AccountId, Timestamp};

/// The circumstances of one call: the rules never read a clock or guess an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ctx {
    /// On whose behalf.
    pub account: AccountId,
    /// When the call came in.
    pub now: Timestamp,
    /// Set when the caller wants a repeat to have no second effect.
    pub idempotency: Option<Idempotency>,
}

/// The caller's promise that two commands are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// The operation the key belongs to, e.g. `POST /orders`.
    pub operation: String,
    /// The key, 1 to 255 printable ASCII characters.
    pub key: String,
    /// A digest of the request, in hexadecimal: the same key with another digest is refused.
    pub digest: String,
}

/// A command carried out, now or by an earlier call with the same idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done<T> {
    /// The outcome, exactly as it was when it was committed.
    pub value: T,
    /// Whether this call only repeats what an earlier one did.
    pub replayed: bool,
}

impl<T> Done<T> {
    /// Carried out by this very call.
    pub const fn now(value: T) -> Self {
        Self { value, replayed: false }
    }
}
