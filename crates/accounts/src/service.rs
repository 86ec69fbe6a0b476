//! The use cases of accounts and keys.

use std::sync::Arc;

use kernel::{AccountId, Fault, Pending, Quantity, Timestamp, Written};

use crate::{Account, ApiKey, ApiKeyId, KeyDigest, Scopes};

/// Why a command about accounts was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountError {
    /// The key is already revoked.
    AlreadyRevoked,
}

/// A key to be put on record.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct CreateApiKey {
    pub account: AccountId,
    pub name: String,
    pub digest: KeyDigest,
    /// Its last four characters.
    pub last4: String,
    pub scopes: Scopes,
    /// Whether its holder may approve what others ask for, within its scopes.
    pub may_approve: bool,
    /// Requests per hour, if different from the service's setting.
    pub rate_per_hour: Option<u32>,
    /// When the key expires.
    pub expires_at: Option<Timestamp>,
}

/// Is told of keys that were changed or revoked, once that is committed.
pub trait KeyWatcher: Send + Sync {
    /// What was read of this key before does not hold any more.
    fn key_changed(&self, id: ApiKeyId);

    /// Changes may have gone unheard: what was read of any key before may not hold any more.
    fn changes_missed(&self);
}

/// Accounts and keys, each method one transaction.
pub trait Accounts: Send + Sync {
    /// Opens a live account.
    fn create_account(
        &self,
        name: String,
        low_stock_threshold: Quantity,
        now: Timestamp,
    ) -> Pending<Written<Account, AccountError>>;

    /// The test account of a live one, opened if there is none yet; a test account is its own. Refused as not found
    /// when there is no such account.
    fn test_account(
        &self,
        live: AccountId,
        now: Timestamp,
    ) -> Pending<Written<Account, AccountError>>;

    /// An account.
    fn account(&self, id: AccountId) -> Pending<Result<Option<Account>, Fault>>;

    /// Whether there is any account.
    fn has_accounts(&self) -> Pending<Result<bool, Fault>>;

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

    /// Notes that a request came with a key, to the hour. Nobody need wait for it.
    fn key_used(&self, key: &ApiKey, now: Timestamp) -> Pending<Written<(), ()>>;

    /// Revokes a key for good.
    fn revoke_key(&self, id: ApiKeyId, now: Timestamp) -> Pending<Written<ApiKey, AccountError>>;

    /// The key with this digest, live or not.
    fn find_key(&self, digest: KeyDigest) -> Pending<Result<Option<ApiKey>, Fault>>;

    /// Tells `watcher`, as long as it is there, of keys that are changed or revoked: by this process, and by others where
    /// they can be heard of.
    fn watch_keys(&self, watcher: &Arc<dyn KeyWatcher>);
}
