//! Leads: people who might buy.

use kernel::{Amount, Currency, Metadata, NewEvent, Timestamp, search::Terms};
use serde::{Deserialize, Serialize};

use crate::{CustomerId, DealId, LeadError, customer::set, events};

kernel::ids! {
    /// A lead's identifier.
    LeadId = "lead";
}

/// The most characters of a source, company or owner.
pub const LINE_CHARS_MAX: usize = 200;
/// The most characters of notes.
pub const NOTES_CHARS_MAX: usize = 5_000;
/// The most tags of one lead.
pub const TAGS_MAX: usize = 50;
/// The most characters of a tag.
pub const TAG_CHARS_MAX: usize = 50;

/// Where a lead stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeadStatus {
    /// Not contacted yet.
    #[default]
    New,
    /// It has been contacted.
    Contacted,
    /// Worth pursuing a deal.
    Qualified,
    /// It has been converted to a deal.
    Converted,
    /// It will not buy.
    Lost,
}

impl LeadStatus {
    /// Every status.
    pub const EVERY: &'static [Self] =
        &[Self::New, Self::Contacted, Self::Qualified, Self::Converted, Self::Lost];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Contacted => "contacted",
            Self::Qualified => "qualified",
            Self::Converted => "converted",
            Self::Lost => "lost",
        }
    }
}

/// A lead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Lead {
    pub id: LeadId,
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    /// Name of the person or company.
    pub name: String,
    pub email: Option<String>,
    /// E.164 format.
    pub phone: Option<String>,
    /// Company that the lead works for.
    pub company: Option<String>,
    /// Source of the lead, e.g. `web`.
    pub source: Option<String>,
    pub status: LeadStatus,
    /// Estimated value.
    pub estimated_value: Option<Amount>,
    /// Currency of the value.
    pub currency: Currency,
    pub owner: Option<String>,
    pub notes: Option<String>,
    /// Tags for searching and grouping.
    pub tags: Vec<String>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
    pub deal: Option<DealId>,
    pub customer: Option<CustomerId>,
    /// The lead that it has become part of.
    pub merged_into: Option<LeadId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Lead {
    /// The terms under which it is found.
    #[must_use]
    pub fn terms(&self) -> Terms {
        let texts = [
            self.external_id.as_ref(),
            Some(&self.name),
            self.company.as_ref(),
            self.email.as_ref(),
        ];
        let texts = texts.into_iter().flatten().chain(&self.tags);
        let terms = Terms::default().texts(texts.map(String::as_str));
        self.phone.iter().fold(terms, |terms, phone| terms.phone(phone)).metadata(&self.metadata)
    }
}

/// A lead to be added; its fields have been checked one by one.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct NewLead {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<String>,
    /// Name of the person or company.
    pub name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    /// Company that the lead works for.
    pub company: Option<String>,
    /// Source of the lead, e.g. `web`.
    pub source: Option<String>,
    /// Any status except converted.
    pub status: LeadStatus,
    /// Estimated value.
    pub estimated_value: Option<Amount>,
    /// Currency of the value.
    pub currency: Currency,
    pub owner: Option<String>,
    pub notes: Option<String>,
    /// Tags for searching and grouping.
    pub tags: Vec<String>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Metadata,
}

/// What to change of a lead; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct LeadChanges {
    /// The caller's own identifier, unique within the account.
    pub external_id: Option<Option<String>>,
    /// Name of the person or company.
    pub name: Option<String>,
    pub email: Option<Option<String>>,
    pub phone: Option<Option<String>>,
    /// Company that the lead works for.
    pub company: Option<Option<String>>,
    /// Source of the lead, e.g. `web`.
    pub source: Option<Option<String>>,
    pub status: Option<LeadStatus>,
    /// Estimated value.
    pub estimated_value: Option<Option<Amount>>,
    /// Currency of the value.
    pub currency: Option<Currency>,
    pub owner: Option<Option<String>>,
    pub notes: Option<Option<String>>,
    /// Tags for searching and grouping.
    pub tags: Option<Vec<String>>,
    /// Arbitrary key-value pairs of the caller.
    pub metadata: Option<Metadata>,
}

/// Adds a lead.
#[must_use]
pub fn create(command: NewLead, id: LeadId, now: Timestamp) -> (Lead, NewEvent) {
    let NewLead {
        external_id,
        name,
        email,
        phone,
        company,
        source,
        status,
        estimated_value,
        currency,
        owner,
        notes,
        tags,
        metadata,
    } = command;
    let (deal, customer, created_at, updated_at, version) = (None, None, now, now, 1);
    let lead = Lead {
        id,
        external_id,
        name,
        email,
        phone,
        company,
        source,
        status,
        estimated_value,
        currency,
        owner,
        notes,
        tags: each_once(tags),
        metadata,
        deal,
        customer,
        merged_into: None,
        created_at,
        updated_at,
        version,
    };
    let event = events::lead_created(&lead);
    (lead, event)
}

/// Tags, each where it comes first.
fn each_once(tags: Vec<String>) -> Vec<String> {
    let mut once: Vec<String> = Vec::with_capacity(tags.len());
    for tag in tags {
        if !once.contains(&tag) {
            once.push(tag);
        }
    }
    once
}

/// Changes a lead; only a real change makes a new version.
///
/// # Errors
/// [`LeadError::InvalidTransition`]: a lead becomes converted by conversion only, and stays so. [`LeadError::Merged`]: it is
/// part of another one.
pub fn update(before: &Lead, changes: LeadChanges, now: Timestamp) -> Result<Lead, LeadError> {
    if let Some(into) = before.merged_into {
        return Err(LeadError::Merged { lead: before.id, into });
    }
    if let Some(to) = changes.status.filter(|to| *to != before.status)
        && (before.status == LeadStatus::Converted || to == LeadStatus::Converted)
    {
        return Err(LeadError::InvalidTransition { from: before.status, to });
    }
    let mut after = before.clone();
    set(&mut after.external_id, changes.external_id);
    set(&mut after.name, changes.name);
    set(&mut after.email, changes.email);
    set(&mut after.phone, changes.phone);
    set(&mut after.company, changes.company);
    set(&mut after.source, changes.source);
    set(&mut after.status, changes.status);
    set(&mut after.estimated_value, changes.estimated_value);
    set(&mut after.currency, changes.currency);
    set(&mut after.owner, changes.owner);
    set(&mut after.notes, changes.notes);
    set(&mut after.tags, changes.tags.map(each_once));
    set(&mut after.metadata, changes.metadata);
    if after != *before {
        after.updated_at = now;
        after.version += 1;
    }
    Ok(after)
}
