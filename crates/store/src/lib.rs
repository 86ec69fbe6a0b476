//! Keeps every domain on SQLite or PostgreSQL. The only crate that knows SQL.
//!
//! A [`Store`] implements the service traits of the domains. Reads run on `readers`; writes are queued
//! to a `lane`, whose thread runs all that wait as one transaction, so that they share one durable
//! commit, and answers each only after it. A command loads what its rule needs, calls the domain's pure
//! function, and records the outcome: rows, stock, ledger, events and the idempotency answer together.

mod accounts;
mod answers;
mod counters;
mod customers;
mod db;
mod error;
mod events;
mod gauges;
mod housekeeping;
mod invoices;
mod lane;
mod leads;
mod listing;
mod lookups;
mod migrations;
mod orders;
mod products;
mod readers;
mod rows;
mod schema;
mod secrets;
mod settings;
mod statement;
mod stock;
mod store;
mod stored;
mod unreadable;
mod vault;
mod webhooks;

pub use error::StoreError;
pub use migrations::{holds_secrets, migrate};
pub use settings::Settings;
pub use store::Store;
pub use vault::{MASTER_KEY_BYTES, MasterKey};
