//! How a store is reached and how it works.

use std::time::Duration;

/// Settings of a store.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `sqlite://PATH` or `postgres://…`.
    pub url: String,
    /// How long to wait for a connection.
    pub connect_timeout: Duration,
    /// How long one statement may take.
    pub statement_timeout: Duration,
    /// Writing threads on PostgreSQL, each with a connection of its own; the commands of one account always
    /// take the same one. SQLite has one.
    pub writers: usize,
    /// Reading threads and their connections.
    pub readers: usize,
    /// How long the answer of a command is kept for repeats with its idempotency key.
    pub idempotency_retention: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            url: "sqlite://data/trastienda.db".to_owned(),
            connect_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(10),
            writers: 4,
            readers: 4,
            idempotency_retention: Duration::from_secs(24 * 60 * 60),
        }
    }
}
