//! Deals: what may be sold to whom. Here only as far as the conversion of a lead opens one.

use kernel::{Amount, Currency, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{CustomerId, LeadId};

kernel::ids! {
    /// A deal's identifier.
    DealId = "deal";
}

/// The most characters of a deal's title.
pub const TITLE_CHARS_MAX: usize = 200;

/// Where a deal stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum DealStatus {
    /// In progress.
    Open,
    Won,
    Lost,
}

impl DealStatus {
    /// Every status.
    pub const EVERY: &'static [Self] = &[Self::Open, Self::Won, Self::Lost];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Won => "won",
            Self::Lost => "lost",
        }
    }
}

/// A deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Deal {
    pub id: DealId,
    pub title: String,
    /// Estimated value.
    pub value: Amount,
    /// The currency of the value.
    pub currency: Currency,
    pub status: DealStatus,
    pub customer: CustomerId,
    pub lead: LeadId,
    pub owner: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Number of changes, starting at 1.
    pub version: i64,
}
