//! The merchant to whom everything belongs.

use kernel::{AccountId, Message, Mode, Quantity, Timestamp};

/// The stock below which a product counts as low when neither it nor its account says otherwise.
pub const LOW_STOCK_THRESHOLD_DEFAULT: Quantity = 5;

/// The most characters of an account's name.
pub const ACCOUNT_NAME_CHARS_MAX: usize = 200;

/// The name as it is kept.
///
/// # Errors
/// A clause that follows the field's name.
pub fn name(text: &str) -> Result<String, Message> {
    kernel::text::line(text, ACCOUNT_NAME_CHARS_MAX)
}

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
    /// The live account that this is the test account of; none if it is live itself.
    pub test_of: Option<AccountId>,
}

impl Account {
    /// What it is for.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        Mode::of(self.test_of.is_some())
    }

    /// The test account of this live one: like it as it is now, with nothing in it.
    #[must_use]
    pub fn test_account(&self, id: AccountId, now: Timestamp) -> Self {
        Self { id, created_at: now, test_of: Some(self.id), ..self.clone() }
    }
}
