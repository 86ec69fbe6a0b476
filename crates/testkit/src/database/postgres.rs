//! The databases of a PostgreSQL server.

use std::{
    env, thread,
    time::{Duration, Instant},
};

use diesel::{
    Connection, PgConnection, RunQueryDsl,
    connection::{Instrumentation, SimpleConnection},
    sql_query,
};

/// How long sessions that were ended by their clients may take to be gone.
const PATIENCE: Duration = Duration::from_millis(100);

/// Where PostgreSQL is.
///
/// # Panics
/// When nobody says: a test that silently tested nothing would be worse.
pub(crate) fn server_url() -> String {
    env::var("TRASTIENDA_TEST_POSTGRES_URL")
        .expect("TRASTIENDA_TEST_POSTGRES_URL is not set: run the tests by `cargo xtask test`, which starts a PostgreSQL")
}

/// A server's URL with settings of the session.
pub(crate) fn with_options(server: &str, options: &str) -> String {
    let separator = if server.contains('?') { '&' } else { '?' };
    format!("{server}{separator}options={options}")
}

/// The URL of another database of a server.
pub(super) fn url_of(server: &str, name: &str) -> String {
    let (place, settings) = match server.split_once('?') {
        Some((place, settings)) => (place, format!("?{settings}")),
        None => (server, String::new()),
    };
    let (scheme, rest) = place.split_once("://").unwrap_or(("postgres", place));
    let authority = rest.split('/').next().unwrap_or_default();
    format!("{scheme}://{authority}/{name}{settings}")
}

/// Makes and removes the databases of a server.
pub(super) struct Server(PgConnection);

impl Server {
    /// The server of this URL.
    pub(super) fn at(url: &str) -> Self {
        let mut conn = PgConnection::establish(url)
            .expect("the PostgreSQL of TRASTIENDA_TEST_POSTGRES_URL answers");
        // Nobody keeps a record of these statements.
        conn.set_instrumentation(None::<Box<dyn Instrumentation>>);
        Self(conn)
    }

    /// Whether there is a database of that name.
    pub(super) fn has(&mut self, name: &str) -> bool {
        self.found(&format!("SELECT FROM pg_database WHERE datname = '{name}'"))
    }

    /// Makes a database, as a copy of another if one is named.
    pub(super) fn create(&mut self, name: &str, template: Option<&str>) {
        let template = template.map(|name| format!(" TEMPLATE {name}")).unwrap_or_default();
        let made = self.0.batch_execute(&format!("CREATE DATABASE {name}{template}"));
        made.expect("the database is made");
    }

    /// Gives a database another name, unless there is one of that name.
    pub(super) fn rename(&mut self, name: &str, to: &str) {
        let renamed = self.0.batch_execute(&format!("ALTER DATABASE {name} RENAME TO {to}"));
        assert!(renamed.is_ok() || self.has(to), "{renamed:?}");
    }

    /// Removes a database if it is there, and ends what still goes on in it.
    pub(super) fn remove(&mut self, name: &str) {
        // The server notices within a moment that clients have left. Where one is still there, removing sleeps for a
        // tenth of a second before it looks again.
        let sessions = format!("SELECT FROM pg_stat_activity WHERE datname = '{name}'");
        let deadline = Instant::now() + PATIENCE;
        while self.found(&sessions) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let removed = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
        self.0.batch_execute(&removed).expect("the database is removed");
    }

    fn found(&mut self, query: &str) -> bool {
        sql_query(query).execute(&mut self.0).expect("the catalog is read") > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_database_is_reached_as_the_first_one() {
        for (server, other) in [
            ("postgres://postgres@127.0.0.1:5432/postgres", "postgres://postgres@127.0.0.1:5432/t"),
            ("postgresql://u:p@h", "postgresql://u:p@h/t"),
            ("postgres://h/", "postgres://h/t"),
            ("postgres://h/d?sslmode=disable", "postgres://h/t?sslmode=disable"),
            ("postgres:///d?host=/run/postgresql", "postgres:///t?host=/run/postgresql"),
        ] {
            assert_eq!(url_of(server, "t"), other);
        }
    }
}
