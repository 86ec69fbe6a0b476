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

/// Whether a server has a database.
pub(super) fn has(server: &str, name: &str) -> bool {
    let found = sql_query(format!("SELECT FROM pg_database WHERE datname = '{name}'"));
    found.execute(&mut connected(server)).expect("the databases are listed") > 0
}

/// Makes a database, as a copy of another if one is named.
pub(super) fn create(server: &str, name: &str, template: Option<&str>) {
    let template = template.map(|name| format!(" TEMPLATE {name}")).unwrap_or_default();
    let made = connected(server).batch_execute(&format!("CREATE DATABASE {name}{template}"));
    made.expect("the database is made");
}

/// Gives a database another name, unless there is one of that name.
pub(super) fn rename(server: &str, name: &str, to: &str) {
    let renamed = connected(server).batch_execute(&format!("ALTER DATABASE {name} RENAME TO {to}"));
    assert!(renamed.is_ok() || has(server, to), "{renamed:?}");
}

/// Removes a database if it is there, and ends what still goes on in it.
pub(super) fn remove(server: &str, name: &str) {
    let mut conn = connected(server);
    // The server notices within a moment that clients have left. Where one is still there, removing sleeps for a
    // tenth of a second before it looks again.
    let sessions = format!("SELECT FROM pg_stat_activity WHERE datname = '{name}'");
    let deadline = Instant::now() + PATIENCE;
    while sql_query(&sessions).execute(&mut conn).expect("the sessions are listed") > 0
        && Instant::now() < deadline
    {
        thread::sleep(Duration::from_millis(2));
    }
    let removed = conn.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
    removed.expect("the database is removed");
}

fn connected(server: &str) -> PgConnection {
    let mut conn = PgConnection::establish(server)
        .expect("the PostgreSQL of TRASTIENDA_TEST_POSTGRES_URL answers");
    // Nobody keeps a record of these statements.
    conn.set_instrumentation(None::<Box<dyn Instrumentation>>);
    conn
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
