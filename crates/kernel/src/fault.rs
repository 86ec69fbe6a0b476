//! The two ways a use case fails: the rules refuse it, or something outside is broken.

use crate::field::FieldFault;

/// Something outside the rules is broken; nothing was changed, or what was changed is unknown and a
/// repeat with the same idempotency key finds out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The database is unreachable or overloaded; retrying later may help. The text is for logs.
    Unavailable(String),
    /// A defect of this program or of its data. The text is for logs.
    Internal(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unavailable(why) => write!(f, "unavailable: {why}"),
            Self::Internal(why) => write!(f, "internal: {why}"),
        }
    }
}

impl std::error::Error for Fault {}

/// Why the rules of a domain refuse a command, as a pure function says it; [`Refused`] is what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal<E> {
    /// Fields that are wrong.
    Invalid(Vec<FieldFault>),
    /// A rule of the domain forbids it.
    Rule(E),
}

/// Why a command was not carried out. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused<E> {
    /// A rule of the domain forbids it.
    Rule(E),
    /// The command references missing things or has invalid fields.
    Invalid(Vec<FieldFault>),
    /// There is no such resource in this account.
    NotFound,
    /// The resource has changed since the version given by the caller.
    Stale,
    /// The idempotency key was used with another request.
    KeyReused,
    /// The command was already carried out under its idempotency key, but the stored answer cannot be
    /// read here, as when a newer release has written it.
    AnswerUnreadable,
    /// The account has as much of this kind under way, and waiting for it, as it may have.
    Busy,
    /// A failure unrelated to the command, see [`Fault`].
    Fault(Fault),
}

impl<E> Refused<E> {
    /// The same with the rule of a command that this one is part of.
    pub fn map<F>(self, rule: impl FnOnce(E) -> F) -> Refused<F> {
        match self {
            Self::Rule(error) => Refused::Rule(rule(error)),
            Self::Invalid(faults) => Refused::Invalid(faults),
            Self::NotFound => Refused::NotFound,
            Self::Stale => Refused::Stale,
            Self::KeyReused => Refused::KeyReused,
            Self::AnswerUnreadable => Refused::AnswerUnreadable,
            Self::Busy => Refused::Busy,
            Self::Fault(fault) => Refused::Fault(fault),
        }
    }
}

impl<E> From<Refusal<E>> for Refused<E> {
    fn from(refusal: Refusal<E>) -> Self {
        match refusal {
            Refusal::Invalid(faults) => Self::Invalid(faults),
            Refusal::Rule(error) => Self::Rule(error),
        }
    }
}

impl<E> From<Fault> for Refused<E> {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What a writing use case answers.
pub type Written<T, E> = Result<crate::Done<T>, Refused<E>>;
