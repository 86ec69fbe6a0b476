//! Stamping: what is on record before the first call to a provider, and what follows from each answer, whatever went
//! before.
//!
//! The sealed bytes are kept before the first call, and every call sends the same. So a lost answer costs
//! another call, never another stamp: whoever asks again is shown the stamp that there is.

mod attach;
mod billed;
mod check;
mod reserve;
mod settle;

use cfdi::stamp::Stamp;
use kernel::reason::Reason;

pub use attach::{AttachRefusal, SealedDocument, attach};
pub use billed::Billed;
pub(crate) use check::outdated;
pub use check::{checked, findings, no_certificate, numbered};
pub use reserve::{Reserved, Sealing, Sources, reserve};
pub(crate) use settle::UNKNOWN;
pub use settle::{StampCall, StrayStamp, give_up, settle};

use crate::provider::{Recovery, Rejection, StampOutcome};

/// The code of what the provider did not look at.
pub const NOT_TAKEN: &str = "provider_unavailable";
/// The code of what an operator has given up.
pub const ABANDONED: &str = "abandoned";

/// What follows from an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is stamped: the stamp is to be kept, the credits are spent.
    Stamped {
        /// The stamp.
        stamp: Stamp,
        /// The stamped document.
        xml: String,
    },
    /// It is not stamped and will not be: back to a draft, the credits come back.
    Back(Rejection),
    /// It may be stamped: the provider is to be asked what became of it.
    Recover,
    /// Nobody knows: it is to be tried again later.
    Wait {
        /// What was seen.
        reason: String,
    },
}

/// Reads the answer to a call to stamp. `doubtful` when an earlier call with the same bytes ended without
/// one: then only the provider's own record can say that there is no stamp.
#[must_use]
pub fn interpret(outcome: StampOutcome, seal: &str, doubtful: bool) -> Verdict {
    match outcome {
        StampOutcome::Stamped { xml } => stamped(xml, seal),
        StampOutcome::AlreadyStamped => Verdict::Recover,
        StampOutcome::Rejected(_) if doubtful => Verdict::Recover,
        StampOutcome::Rejected(rejection) => Verdict::Back(rejection),
        StampOutcome::NotTaken { reason } if doubtful => Verdict::Wait { reason },
        StampOutcome::NotTaken { reason } => {
            Verdict::Back(Rejection { code: NOT_TAKEN.to_owned(), message: reason })
        }
        StampOutcome::Unknown { reason } => Verdict::Wait { reason },
    }
}

/// Reads what a provider's record says, after an answer that `rejected` the document or said that it was
/// stamped before (`None`).
#[must_use]
pub fn interpret_recovery(recovery: Recovery, seal: &str, rejected: Option<Rejection>) -> Verdict {
    match (recovery, rejected) {
        (Recovery::Stamped { xml }, _) => stamped(xml, seal),
        (Recovery::NotStamped, Some(rejection)) => Verdict::Back(rejection),
        (Recovery::NotStamped, None) => Verdict::Wait { reason: Reason::Contradiction.alone() },
        (Recovery::Unknown { reason }, _) => Verdict::Wait { reason },
    }
}

/// A stamp counts only if it confirms the very seal that was sent.
fn stamped(xml: String, seal: &str) -> Verdict {
    match Stamp::read(&xml) {
        Ok(stamp) if stamp.issuer_seal == seal => Verdict::Stamped { stamp, xml },
        Ok(_) => Verdict::Wait { reason: Reason::OtherDocument.alone() },
        Err(problem) => Verdict::Wait { reason: Reason::OtherDocument.kept(problem) },
    }
}

/// How long until the next attempt, in seconds, after so many that ended without an answer.
#[must_use]
pub const fn pause_seconds(attempts: u32) -> i64 {
    match attempts {
        0 | 1 => 5,
        2 => 30,
        3 => 120,
        4 => 600,
        5 => 1_800,
        _ => 3_600,
    }
}

/// How long until the authority is asked again what became of a request to cancel, in seconds. The receiver
/// has three business days.
#[must_use]
pub const fn poll_seconds(polls: u32) -> i64 {
    match polls {
        0 | 1 => 30,
        2 => 300,
        3 => 1_800,
        _ => 7_200,
    }
}
