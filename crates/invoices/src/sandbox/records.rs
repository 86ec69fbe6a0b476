//! What the sandbox keeps of the documents it stamped.

use std::sync::Arc;

use cfdi::{csd::Csd, stamp::Stamp};
use kernel::{AccountId, Fault, Pending, Timestamp, Written};
use serde::{Deserialize, Serialize};

/// A document that the sandbox stamped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxRecord {
    /// The issuer's seal: what makes it that document.
    pub seal: String,
    /// The stamp.
    pub stamp: Stamp,
    /// Whether the receiver is asked before it is cancelled.
    pub needs_acceptance: bool,
    /// When its cancellation was asked for.
    pub cancel_requested_at: Option<Timestamp>,
}

/// Keeps them.
pub trait SandboxRecords: Send + Sync {
    /// What the sandbox seals its stamps with. It may have to be made first, which takes a while: not to be
    /// called where that would keep others waiting.
    ///
    /// # Errors
    /// When it cannot be had.
    fn identity(&self, now: Timestamp) -> Result<Arc<Csd>, Fault>;

    /// Keeps a record unless there is one of the same seal; gives the one that is kept.
    fn keep(
        &self,
        account: AccountId,
        record: SandboxRecord,
        now: Timestamp,
    ) -> Pending<Written<SandboxRecord, ()>>;

    /// The record of that seal.
    fn by_seal(
        &self,
        account: AccountId,
        seal: &str,
    ) -> Pending<Result<Option<SandboxRecord>, Fault>>;

    /// The record of that fiscal folio.
    fn by_uuid(
        &self,
        account: AccountId,
        uuid: &str,
    ) -> Pending<Result<Option<SandboxRecord>, Fault>>;

    /// Notes that a cancellation is asked for; whether it was the first time, `None` where there is no such
    /// document.
    fn request_cancel(
        &self,
        account: AccountId,
        uuid: &str,
        now: Timestamp,
    ) -> Pending<Written<Option<bool>, ()>>;
}
