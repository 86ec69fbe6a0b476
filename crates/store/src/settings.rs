//! How a store is reached and how it works.

use std::time::Duration;

use engine::MasterKey;

/// Settings of a store.
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
    /// Keys that secrets are sealed with: the first one seals, all of them open. A process without any cannot
    /// make webhooks or deliver to them.
    pub master_keys: Vec<MasterKey>,
    /// How long the secret of a webhook still signs after it was replaced.
    pub secret_overlap: Duration,
    /// How long events and finished deliveries are kept.
    pub event_retention: Duration,
    /// How long it is kept what keys have asked for.
    pub request_retention: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            url: "sqlite://data/trastienda.db".to_owned(),
            connect_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(10),
            lock_timeout: Duration::from_secs(2),
            idle_in_transaction_timeout: Duration::from_secs(2),
            writers: 4,
            readers: 4,
            idempotency_retention: Duration::from_secs(24 * 60 * 60),
            master_keys: Vec::new(),
            secret_overlap: Duration::from_secs(24 * 60 * 60),
            event_retention: Duration::from_secs(30 * 24 * 60 * 60),
            request_retention: Duration::from_secs(30 * 24 * 60 * 60),
        }
    }
}

impl Settings {
    /// What the engine below is set to.
    pub(crate) fn engine(&self) -> engine::Settings {
        engine::Settings {
            url: self.url.clone(),
            connect_timeout: self.connect_timeout,
            statement_timeout: self.statement_timeout,
            lock_timeout: self.lock_timeout,
            idle_in_transaction_timeout: self.idle_in_transaction_timeout,
            writers: self.writers,
            readers: self.readers,
            idempotency_retention: self.idempotency_retention,
            master_keys: self.master_keys.clone(),
        }
    }
}
