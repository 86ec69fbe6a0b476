//! The merchant to whom everything belongs.

use kernel::{AccountId, Quantity, Timestamp};

/// The stock below which a product counts as low when neither it nor its account says otherwise.
pub const LOW_STOCK_THRESHOLD_DEFAULT: Quantity = 5;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its identifier.
    pub id: AccountId,
    /// The merchant's name, for people.
    pub name: String,
    /// The stock below which a product without a threshold of its own counts as low.
    pub low_stock_threshold: Quantity,
    /// When it was made.
    pub created_at: Timestamp,
}
