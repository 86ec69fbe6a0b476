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
pub enum DealStatus {
    /// Under way.
    Open,
    /// Won.
    Won,
    /// Lost.
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
pub struct Deal {
    /// Its identifier.
    pub id: DealId,
    /// What it is about.
    pub title: String,
    /// What it may bring.
    pub value: Amount,
    /// The currency of the value.
    pub currency: Currency,
    /// Where it stands.
    pub status: DealStatus,
    /// With whom.
    pub customer: CustomerId,
    /// The lead that it came from.
    pub lead: LeadId,
    /// Who looks after it.
    pub owner: Option<String>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts its changes, from 1.
    pub version: i64,
}
