//! Accounts and the API keys that open them.
//!
//! A key is shown once, when it is made; only a digest of it is kept. What a key may do is the set of
//! its [scopes](Scope).

pub mod account;
pub mod key;
pub mod scope;
pub mod service;

pub use account::Account;
pub use key::{ApiKey, ApiKeyId, KeyDigest, NewApiKey};
pub use scope::{Scope, Scopes};
pub use service::{AccountError, Accounts, KeyWatcher};
