//! Keeps every domain on SQLite or PostgreSQL. With `engine` below it, the only crate that knows SQL.
//!
//! A [`Store`] implements the service traits of the domains. Reads run on the engine's readers; writes are queued
//! to one of its lanes, whose thread runs all that wait as one transaction, so that they share one durable
//! commit, and answers each only after it. A command loads what its rule needs, calls the domain's pure
//! function, and records the outcome: rows, stock, ledger, events and the idempotency answer together.

mod accounts;
mod answers;
mod approvals;
mod audit;
mod bulk;
mod catalog;
mod crm;
mod domains;
mod endpoints;
mod examination;
mod figures;
mod gauges;
mod groups;
mod hashing;
mod house;
mod imports;
mod invoices;
mod invoicing;
mod links;
mod long_pages;
mod migrations;
mod notifier;
mod open;
mod ordering;
mod orders;
mod outbox;
mod payments;
mod quotes;
mod request_log;
mod requests;
mod schema;
mod searched;
mod settings;
mod stock;
mod store;
mod stored;
mod tasks;
mod terms;
mod to_do;
mod under_way;
mod upgrade;
mod waiting;
mod webhooks;

// The engine's modules by their own names.
use engine::{
    counters, db, error, listing, lookups, readers, rows, search, secrets, statement, tx,
    unreadable, vault,
};

use outbox::events;

pub use self::approvals::{ApprovalDesk, Wording};
pub use engine::{MASTER_KEY_BYTES, MasterKey, StoreError, cleanup, plain_host};
pub use examination::{Finding, STOCK_AUDITS, Verdict, examine};
pub use migrations::{back_up, holds_secrets, migrate, require_migrated, restore};
pub use settings::Settings;
pub use store::Store;
pub use upgrade::{Finished, finish_upgrade};
