//! Receipts of deductible donations: the complement *Donatarias* 1.1.

use serde::{Deserialize, Serialize};
use time::Date;

use crate::document::day;

/// The authorization to receive deductible donations under which a receipt is issued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Donation {
    /// The number of SAT's letter that grants or renews it.
    pub authorization_number: String,
    /// The date of that letter.
    #[serde(with = "day")]
    pub authorized_on: Date,
    /// The sentence that says that it is a donation.
    pub legend: String,
}
