//! How a database is reached and worked with.

use std::time::Duration;

use crate::MasterKey;

/// Settings of an engine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `sqlite://PATH` or `postgres://…`.
    pub url: String,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// How long one statement may take.
    pub statement_timeout: Duration,
    /// How long a writer waits for what somebody else has locked, on PostgreSQL. Commands that share a connection give
    /// way to each other sooner, and are tried again.
    pub lock_timeout: Duration,
    /// After how long the server ends a transaction of a writer from which nothing comes, on PostgreSQL.
    pub idle_in_transaction_timeout: Duration,
    /// Writing threads on PostgreSQL, each with a connection of its own; the commands of one account always
    /// take the same one. SQLite has one.
    pub writers: usize,
    /// Reading threads and their connections.
    pub readers: usize,
    /// How long the answer of a command is kept for repeats with its idempotency key.
    pub idempotency_retention: Duration,
    /// Keys that secrets are sealed with: the first one seals, all of them open.
    pub master_keys: Vec<MasterKey>,
}
