//! The use cases of accounts and keys.

use kernel::{AccountId, Fault, Pending, Quantity, Timestamp, Written};

use crate::{Account, ApiKey, ApiKeyId, KeyDigest, Scopes};

/// Why a command about accounts was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountError {
    /// The key was revoked before.
    AlreadyRevoked,
}

/// A key to be put on record.
#[derive(Clone, Debug)]
pub struct CreateApiKey {
    /// The account that it opens.
    pub account: AccountId,
    /// What its owner calls it.
    pub name: String,
    /// Its digest.
    pub digest: KeyDigest,
    /// Its last four characters.
    pub last4: String,
    /// What it may do.
    pub scopes: Scopes,
    /// Requests an hour, when not the service's setting.
    pub rate_per_hour: Option<u32>,
    /// When it stops working by itself.
    pub expires_at: Option<Timestamp>,
}

/// Accounts and keys, each method one transaction.
pub trait Accounts: Send + Sync {
    /// Opens an account.
    fn create_account(
        &self,
        name: String,
        low_stock_threshold: Quantity,
        now: Timestamp,
    ) -> Pending<Written<Account, AccountError>>;

    /// Every account, oldest first.
    fn list_accounts(&self) -> Pending<Result<Vec<Account>, Fault>>;

    /// Puts a key on record; refused as not found when there is no such account.
    fn create_key(
        &self,
        command: CreateApiKey,
        now: Timestamp,
    ) -> Pending<Written<ApiKey, AccountError>>;

    /// The keys of an account, oldest first, revoked ones included.
    fn list_keys(&self, account: AccountId) -> Pending<Result<Vec<ApiKey>, Fault>>;

    /// Revokes a key for good.
    fn revoke_key(&self, id: ApiKeyId, now: Timestamp) -> Pending<Written<ApiKey, AccountError>>;

    /// The key with this digest, live or not.
    fn find_key(&self, digest: KeyDigest) -> Pending<Result<Option<ApiKey>, Fault>>;
}
