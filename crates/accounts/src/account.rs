//! The merchant to whom everything belongs.

use kernel::{AccountId, Quantity, Timestamp};

/// The stock below which a product counts as low when neither it nor its account says otherwise.
pub const LOW_STOCK_THRESHOLD_DEFAULT: Quantity = 5;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Account {
    pub id: AccountId,
    /// Display name of the merchant.
    pub name: String,
    /// Stock level below which products without a threshold of their own count as low.
    pub low_stock_threshold: Quantity,
    pub created_at: Timestamp,
}
