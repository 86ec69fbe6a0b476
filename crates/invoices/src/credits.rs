//! Credits: what stamping takes. They are kept as an append-only ledger whose sum is the balance.

use kernel::{Page, PageRequest, Refused, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{InvoiceError, InvoiceId, withholding::WithholdingId};

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
    /// The withholding it is about.
    pub withholding: Option<WithholdingId>,
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

/// A change of the balance, to be entered into the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreditChange {
    /// Why the balance changes.
    pub kind: CreditKind,
    /// By how much what can be spent changes: the amount of the ledger's entry.
    pub available: i64,
    /// By how much what is set aside changes.
    pub reserved: i64,
    /// What is charged for.
    pub charged: Option<Charged>,
    /// A note for people.
    pub note: Option<String>,
}

/// What a stamp is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charged {
    /// An invoice.
    Invoice(InvoiceId),
    /// A withholding.
    Withholding(WithholdingId),
}

/// Gives credits.
#[must_use]
pub fn grant(amount: i64, note: Option<String>) -> CreditChange {
    let kind = CreditKind::Grant;
    CreditChange { kind, available: amount, reserved: 0, charged: None, note }
}

/// Sets aside what a stamp takes.
///
/// # Errors
/// [`InvoiceError::InsufficientCredits`] when there is less.
pub fn reserve(balance: Balance, charged: Charged) -> Result<CreditChange, Refused<InvoiceError>> {
    demand(balance)?;
    Ok(of_stamp(CreditKind::Reserve, -STAMP_COST, STAMP_COST, charged))
}

/// Refuses when there is less than a stamp takes.
///
/// # Errors
/// [`InvoiceError::InsufficientCredits`].
pub fn demand(balance: Balance) -> Result<(), Refused<InvoiceError>> {
    let available = balance.available;
    if available < STAMP_COST {
        return Err(Refused::Rule(InvoiceError::InsufficientCredits { available }));
    }
    Ok(())
}

/// Spends what was set aside for a stamp.
pub(crate) fn commit(charged: Charged) -> CreditChange {
    of_stamp(CreditKind::Commit, 0, -STAMP_COST, charged)
}

/// Gives back what was set aside for a stamp.
pub(crate) fn release(charged: Charged) -> CreditChange {
    of_stamp(CreditKind::Release, STAMP_COST, -STAMP_COST, charged)
}

fn of_stamp(kind: CreditKind, available: i64, reserved: i64, charged: Charged) -> CreditChange {
    CreditChange { kind, available, reserved, charged: Some(charged), note: None }
}

impl Balance {
    /// The balance after a change; `None` where there is not enough for it.
    #[must_use]
    pub fn after(self, change: &CreditChange) -> Option<Self> {
        let available = self.available.checked_add(change.available)?;
        let reserved = self.reserved.checked_add(change.reserved)?;
        (available >= 0 && reserved >= 0).then_some(Self { available, reserved })
    }
}

/// A wanted page of the ledger, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LedgerQuery {
    /// Only this kind.
    pub kind: Option<CreditKind>,
    /// Only about this invoice.
    pub invoice: Option<InvoiceId>,
    /// Only about this withholding.
    pub withholding: Option<WithholdingId>,
    /// Which page.
    pub page: PageRequest,
}

/// A page of the ledger.
pub type Ledger = Page<CreditEntry>;
