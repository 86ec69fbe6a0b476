//! Credits: what stamping takes. They are kept as an append-only ledger whose sum is the balance.

use kernel::{Page, PageRequest, Timestamp};
use serde::{Deserialize, Serialize};

use crate::InvoiceId;

kernel::ids! {
    /// The identifier of an entry of the ledger.
    CreditEntryId = "cre";
}

/// What one stamp takes.
pub const STAMP_COST: i64 = 10;
/// The most credits of one grant.
pub const GRANT_MAX: i64 = 1_000_000_000;

/// Why the balance changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CreditKind {
    /// Credits are given.
    Grant,
    /// Credits are set aside before a provider is called.
    Reserve,
    /// What was set aside is spent; the balance stays.
    Commit,
    /// What was set aside comes back.
    Release,
}

impl CreditKind {
    /// Every kind.
    pub const EVERY: &'static [Self] = &[Self::Grant, Self::Reserve, Self::Commit, Self::Release];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grant => "grant",
            Self::Reserve => "reserve",
            Self::Commit => "commit",
            Self::Release => "release",
        }
    }
}

/// One entry of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditEntry {
    /// Its identifier.
    pub id: CreditEntryId,
    /// Why the balance changes.
    pub kind: CreditKind,
    /// By how much; nothing when spent credits had been set aside.
    pub amount: i64,
    /// The invoice it is about.
    pub invoice: Option<InvoiceId>,
    /// A note for people.
    pub note: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

/// What an account has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// What can be spent.
    pub available: i64,
    /// What is set aside for stamps under way.
    pub reserved: i64,
}

/// A wanted page of the ledger, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerQuery {
    /// Only this kind.
    pub kind: Option<CreditKind>,
    /// Only about this invoice.
    pub invoice: Option<InvoiceId>,
    /// Which page.
    pub page: PageRequest,
}

/// A page of the ledger.
pub type Ledger = Page<CreditEntry>;
