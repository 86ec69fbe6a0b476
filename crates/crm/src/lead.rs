//! Leads: people who might buy.

use kernel::{Amount, Currency, NewEvent, Timestamp};
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
    /// Nobody has spoken to it.
    #[default]
    New,
    /// Somebody has.
    Contacted,
    /// It is worth a deal.
    Qualified,
    /// It has become one.
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
pub struct Lead {
    /// Its identifier.
    pub id: LeadId,
    /// Who it is.
    pub name: String,
    /// Its e-mail address.
    pub email: Option<String>,
    /// Its telephone number, E.164.
    pub phone: Option<String>,
    /// For whom it works.
    pub company: Option<String>,
    /// Where it came from, e.g. `web`.
    pub source: Option<String>,
    /// Where it stands.
    pub status: LeadStatus,
    /// What it may bring.
    pub estimated_value: Option<Amount>,
    /// The currency of that.
    pub currency: Currency,
    /// Who looks after it.
    pub owner: Option<String>,
    /// For people.
    pub notes: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The deal that it became.
    pub deal: Option<DealId>,
    /// The customer that it became.
    pub customer: Option<CustomerId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts its changes, from 1.
    pub version: i64,
}

/// A lead to be added; its fields have been checked one by one.
#[derive(Clone, Debug)]
pub struct NewLead {
    /// Who it is.
    pub name: String,
    /// Its e-mail address.
    pub email: Option<String>,
    /// Its telephone number.
    pub phone: Option<String>,
    /// For whom it works.
    pub company: Option<String>,
    /// Where it came from.
    pub source: Option<String>,
    /// Where it stands; not converted.
    pub status: LeadStatus,
    /// What it may bring.
    pub estimated_value: Option<Amount>,
    /// The currency of that.
    pub currency: Currency,
    /// Who looks after it.
    pub owner: Option<String>,
    /// For people.
    pub notes: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
}

/// What to change of a lead; what is absent stays, and an inner `None` clears.
#[derive(Clone, Debug, Default)]
pub struct LeadChanges {
    /// Who it is.
    pub name: Option<String>,
    /// Its e-mail address.
    pub email: Option<Option<String>>,
    /// Its telephone number.
    pub phone: Option<Option<String>>,
    /// For whom it works.
    pub company: Option<Option<String>>,
    /// Where it came from.
    pub source: Option<Option<String>>,
    /// Where it stands.
    pub status: Option<LeadStatus>,
    /// What it may bring.
    pub estimated_value: Option<Option<Amount>>,
    /// The currency of that.
    pub currency: Option<Currency>,
    /// Who looks after it.
    pub owner: Option<Option<String>>,
    /// For people.
    pub notes: Option<Option<String>>,
    /// Words to find it by.
    pub tags: Option<Vec<String>>,
}

/// Adds a lead.
#[must_use]
pub fn create(command: NewLead, id: LeadId, now: Timestamp) -> (Lead, NewEvent) {
    let NewLead {
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
    } = command;
    let (deal, customer, created_at, updated_at, version) = (None, None, now, now, 1);
    let lead = Lead {
        id,
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
        deal,
        customer,
        created_at,
        updated_at,
        version,
    };
    let event = events::lead_created(&lead);
    (lead, event)
}

/// Changes a lead; only a real change makes a new version.
///
/// # Errors
/// [`LeadError::InvalidTransition`]: a lead becomes converted by conversion only, and stays so.
pub fn update(before: &Lead, changes: LeadChanges, now: Timestamp) -> Result<Lead, LeadError> {
    if let Some(to) = changes.status.filter(|to| *to != before.status)
        && (before.status == LeadStatus::Converted || to == LeadStatus::Converted)
    {
        return Err(LeadError::InvalidTransition { from: before.status, to });
    }
    let mut after = before.clone();
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
    set(&mut after.tags, changes.tags);
    if after != *before {
        after.updated_at = now;
        after.version += 1;
    }
    Ok(after)
}
