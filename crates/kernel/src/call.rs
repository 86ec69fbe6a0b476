//! Who calls a use case, when, and what came of it.

use std::sync::Arc;

use crate::{AccountId, Actor, Timestamp, Trace};

/// The circumstances of one call: the rules never read a clock or guess an account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Ctx {
    pub account: AccountId,
    /// When the call was received.
    pub now: Timestamp,
    /// Set if the caller wants repeats to have no further effect.
    pub idempotency: Option<Idempotency>,
    /// On whose behalf, for the audit log.
    pub actor: Actor,
    /// By which request, if by any.
    pub trace: Option<Arc<Trace>>,
}

impl Ctx {
    /// What the service does by itself, without a promise about repeats.
    #[must_use]
    pub const fn system(account: AccountId, now: Timestamp) -> Self {
        Self { account, now, idempotency: None, actor: Actor::System, trace: None }
    }

    /// The same on behalf of somebody.
    #[must_use]
    pub fn by(self, actor: Actor) -> Self {
        Self { actor, ..self }
    }
}

/// The caller's promise that two commands are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// The operation the key belongs to, e.g. `POST /orders`.
    pub operation: String,
    /// The key, 1 to 255 printable ASCII characters.
    pub key: String,
    /// Hexadecimal digest of the request: the same key with a different digest is refused.
    pub digest: String,
}

/// A command carried out, now or by an earlier call with the same idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done<T> {
    /// The outcome, exactly as it was when it was committed.
    pub value: T,
    /// Whether this is the stored outcome of an earlier call.
    pub replayed: bool,
}

impl<T> Done<T> {
    /// Carried out by this very call.
    pub const fn now(value: T) -> Self {
        Self { value, replayed: false }
    }
}
