//! Withholding certificates: what a business withholds of others' taxes, certified to them.
//!
//! They live as invoices do: a draft is made and changed by [`drafting`] from [`Fields`], becomes a document by
//! [`build()`], and is stamped and cancelled through a provider, with the verdicts, the credits and the engine that
//! invoices have. Nothing else depends on one: no order, no balance, no series.

mod build;
pub mod cancel;
mod documents;
pub mod draft;
pub mod drafting;
mod events;
mod fields;
mod service;
mod settled;
pub mod stamping;

use cfdi::{rules::Finding, withholding as document};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};
use tasks::{
    TaskKind,
    kind::{CANCEL_WITHHOLDING, STAMP_WITHHOLDING},
};

use crate::{Cancellation, Certified, InvoiceError, LastError, Stamped, Status};
pub use build::build;
pub use cancel::CancelWithholding;
pub use documents::Documents;
pub use draft::{Draft, DraftTotals};
pub use fields::Fields;
pub use service::{
    NewWithholding, UpdateWithholding, WithholdingFilter, WithholdingQuery, Withholdings,
};
pub use settled::Settled;

kernel::ids! {
    /// A withholding's identifier.
    WithholdingId = "wth";
}

/// A withholding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Withholding {
    /// Its identifier.
    pub id: WithholdingId,
    /// Its status.
    pub status: Status,
    /// What its maker decided.
    pub draft: Draft,
    /// What follows from it: while a draft as it would be now, later as it was sealed.
    pub document: document::Withholding,
    /// Its stamp.
    pub stamp: Option<Stamped>,
    /// Its cancellation, when one was asked for.
    pub cancellation: Option<Cancellation>,
    /// Why the last attempt to stamp it failed.
    pub last_error: Option<LastError>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts its changes.
    pub version: i64,
}

/// Why a command about withholdings was refused, where the words of invoices do not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// Only a draft can be changed, deleted or stamped.
    NotDraft {
        /// Its status.
        status: Status,
    },
    /// Only a stamped one can be cancelled.
    NotStamped {
        /// Its status.
        status: Status,
    },
    /// The rules of the tax authority refuse it.
    Findings(Vec<Finding>),
    /// Another was sealed with the same contents, in the same second: to a provider they are one document.
    Repeated {
        /// That one.
        id: WithholdingId,
    },
    /// What is to take its place is no stamped withholding that says so (relation `04`).
    BadReplacement,
}

impl Withholding {
    /// Counts a change. A clock that was set back does not set back when it was last changed.
    pub(crate) fn touch(&mut self, now: Timestamp) {
        self.updated_at = self.updated_at.max(now);
        self.version += 1;
    }

    /// Its fiscal folio.
    #[must_use]
    pub fn uuid(&self) -> Option<&str> {
        self.stamp.as_ref().map(|stamped| stamped.stamp.uuid.as_str())
    }

    /// The RFC of its receiver, who has none abroad.
    #[must_use]
    pub fn receiver_rfc(&self) -> Option<&str> {
        match &self.draft.receiver {
            document::Receiver::National(receiver) => Some(&receiver.rfc),
            document::Receiver::Foreign(_) => None,
        }
    }
}

impl Certified for Withholding {
    type Cancel = CancelWithholding;
    type Id = WithholdingId;

    const CANCEL: &'static TaskKind = &CANCEL_WITHHOLDING;
    const KINDS: &'static [&'static TaskKind] = &[&STAMP_WITHHOLDING, &CANCEL_WITHHOLDING];
    const STAMP: &'static TaskKind = &STAMP_WITHHOLDING;

    fn id_of(subject: &str) -> Option<WithholdingId> {
        WithholdingId::parse(subject)
    }

    fn id(&self) -> WithholdingId {
        self.id
    }

    fn status(&self) -> Status {
        self.status
    }

    fn cancellation(&self) -> Option<&Cancellation> {
        self.cancellation.as_ref()
    }
}

impl From<Refusal> for InvoiceError {
    fn from(refusal: Refusal) -> Self {
        Self::Withholding(refusal)
    }
}
