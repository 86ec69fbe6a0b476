//! Branches: the places that an account sells at, each with its place of issue and series.

use cfdi::document::DocumentType;
use kernel::{Refused, Timestamp, text::folded};
use serde::{Deserialize, Serialize};

use crate::{Fields, Invoice, InvoiceError, IssuerId};

kernel::ids! {
    /// A branch's identifier.
    BranchId = "brn";
}

/// The most branches of an account.
pub const BRANCHES_MAX: usize = 1_000;

/// A place that an account sells at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Its identifier.
    pub id: BranchId,
    /// What it is called.
    pub name: String,
    /// Whose it is; of every issuer where it names none.
    pub issuer: Option<IssuerId>,
    /// The postal code of where it issues.
    pub place_of_issue: String,
    /// Its own series of each kind of document, instead of the issuer's.
    pub series: BranchSeries,
    /// Its postal address, line by line; printed.
    pub address: Vec<String>,
    /// Its telephone number (E.164); printed.
    pub phone: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts its changes.
    pub version: i64,
}

/// The series of a branch; the issuer's where it has none of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchSeries {
    /// Of sales.
    pub income: Option<String>,
    /// Of credit notes.
    pub credit: Option<String>,
    /// Of receipts of payment.
    pub payment: Option<String>,
    /// Of goods on the move.
    pub transfer: Option<String>,
}

impl BranchSeries {
    /// The series of that kind.
    #[must_use]
    pub fn of(&self, kind: DocumentType) -> Option<&str> {
        let series = match kind {
            DocumentType::Income => &self.income,
            DocumentType::Credit => &self.credit,
            DocumentType::Payment => &self.payment,
            DocumentType::Transfer => &self.transfer,
        };
        series.as_deref()
    }
}

/// A branch to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBranch {
    /// What it is called.
    pub name: String,
    /// Whose it is.
    pub issuer: Option<IssuerId>,
    /// The postal code of where it issues.
    pub place_of_issue: String,
    /// Its own series.
    pub series: BranchSeries,
    /// Its postal address.
    pub address: Vec<String>,
    /// Its telephone number.
    pub phone: Option<String>,
}

/// Changes of a branch; what is `None` stays as it is, `Some(None)` clears.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchChanges {
    /// What it is called.
    pub name: Option<String>,
    /// Whose it is.
    pub issuer: Option<Option<IssuerId>>,
    /// The postal code of where it issues.
    pub place_of_issue: Option<String>,
    /// Its own series, all of them.
    pub series: Option<BranchSeries>,
    /// Its postal address.
    pub address: Option<Vec<String>>,
    /// Its telephone number.
    pub phone: Option<Option<String>>,
}

/// A branch to be changed.
#[derive(Clone, Debug)]
pub struct UpdateBranch {
    /// Which.
    pub id: BranchId,
    /// The version that the caller has seen, when a newer one must not be overwritten.
    pub version: Option<i64>,
    /// What to change.
    pub changes: BranchChanges,
}

/// A new branch beside those that the account has.
///
/// # Errors
/// [`InvoiceError::TooManyBranches`], [`InvoiceError::DuplicateBranch`].
pub fn create(
    command: NewBranch,
    known: &[Branch],
    id: BranchId,
    now: Timestamp,
) -> Result<Branch, Refused<InvoiceError>> {
    if known.len() >= BRANCHES_MAX {
        return Err(Refused::Rule(InvoiceError::TooManyBranches));
    }
    refuse_taken(&command.name, known, id)?;
    let NewBranch { name, issuer, place_of_issue, series, address, phone } = command;
    Ok(Branch {
        id,
        name,
        issuer,
        place_of_issue,
        series,
        address,
        phone,
        created_at: now,
        updated_at: now,
        version: 1,
    })
}

/// A branch with some fields changed. Drafts that name it stay as they are. One that has shared its name with another since
/// before that was refused may keep it.
///
/// # Errors
/// [`InvoiceError::DuplicateBranch`], where the name changes.
pub fn update(
    before: Branch,
    known: &[Branch],
    changes: BranchChanges,
    now: Timestamp,
) -> Result<Branch, Refused<InvoiceError>> {
    let BranchChanges { name, issuer, place_of_issue, series, address, phone } = changes;
    if let Some(name) = name.as_ref().filter(|name| folded(name) != folded(&before.name)) {
        refuse_taken(name, known, before.id)?;
    }
    Ok(Branch {
        name: name.unwrap_or(before.name),
        issuer: issuer.unwrap_or(before.issuer),
        place_of_issue: place_of_issue.unwrap_or(before.place_of_issue),
        series: series.unwrap_or(before.series),
        address: address.unwrap_or(before.address),
        phone: phone.unwrap_or(before.phone),
        updated_at: now,
        version: before.version + 1,
        ..before
    })
}

/// The branch that a new receipt or credit note is issued at where its fields tell of none: that of the first own invoice
/// that it refers to. Other documents refer to what was sold elsewhere as well.
#[must_use]
pub fn of_paper<'a>(
    kind: DocumentType,
    fields: &Fields,
    mut referred: impl Iterator<Item = &'a Invoice>,
) -> Option<BranchId> {
    let is_paper = matches!(kind, DocumentType::Credit | DocumentType::Payment);
    match fields.branch {
        None if is_paper => referred.next()?.draft.branch,
        _ => None,
    }
}

/// Refuses a name that another one has, whatever its case and accents.
fn refuse_taken(name: &str, known: &[Branch], id: BranchId) -> Result<(), Refused<InvoiceError>> {
    let name = folded(name);
    match known.iter().find(|other| other.id != id && folded(&other.name) == name) {
        Some(other) => Err(Refused::Rule(InvoiceError::DuplicateBranch { holder: other.id })),
        None => Ok(()),
    }
}
