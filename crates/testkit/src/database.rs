//! A fresh database for each test.

use diesel::{Connection, PgConnection, connection::SimpleConnection};

use crate::{spanish, statements};

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    /// A separate file.
    Sqlite,
    /// A separate schema.
    Postgres,
}

impl DatabaseKind {
    /// Both.
    pub const EVERY: [Self; 2] = [Self::Sqlite, Self::Postgres];

    /// Its name, as files have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// A database that goes away with its test.
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Database {
    pub kind: DatabaseKind,
    /// Where it is.
    pub url: String,
    place: Place,
}

enum Place {
    Folder(#[allow(dead_code, reason = "removed when dropped")] tempfile::TempDir),
    Schema { server: String, name: String },
}

/// Where PostgreSQL is.
///
/// # Panics
/// When nobody says: a test that silently tested nothing would be worse.
pub(crate) fn server_url() -> String {
    std::env::var("TRASTIENDA_TEST_POSTGRES_URL")
        .expect("TRASTIENDA_TEST_POSTGRES_URL is not set: run the tests by `cargo xtask test`, which starts a PostgreSQL")
}

impl Database {
    /// A fresh database with the current schema.
    #[must_use]
    pub fn fresh(kind: DatabaseKind) -> Self {
        statements::record_if_asked();
        let database = Self::empty(kind);
        database.migrate();
        database
    }

    /// A database with this content, as a release wrote it out; not migrated.
    #[must_use]
    pub fn restored(kind: DatabaseKind, dump: &str) -> Self {
        let database = Self::empty(kind);
        database.execute_all(dump);
        if kind == DatabaseKind::Postgres {
            // As the documentation has it after a restore into another cluster, which counts anew.
            database.execute("UPDATE events SET position = 0");
        }
        database
    }

    fn empty(kind: DatabaseKind) -> Self {
        match kind {
            DatabaseKind::Sqlite => {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let url = format!("sqlite://{}/test.db", folder.path().display());
                Self { kind, url, place: Place::Folder(folder) }
            }
            DatabaseKind::Postgres => {
                let (server, name) = (
                    server_url(),
                    format!("t_{}", ulid::Ulid::generate().to_string().to_lowercase()),
                );
                execute(&server, &format!("CREATE SCHEMA {name}"));
                let url =
                    with_options(&server, &format!("-csearch_path%3D{name}{}", spanish::option()));
                Self { kind, url, place: Place::Schema { server, name } }
            }
        }
    }

    /// Applies the migrations that are missing, and names them.
    pub fn migrate(&self) -> Vec<String> {
        store::migrate(&self.settings()).expect("the migrations apply")
    }

    /// The name of its schema on PostgreSQL.
    #[must_use]
    pub fn schema(&self) -> Option<&str> {
        match &self.place {
            Place::Folder(_) => None,
            Place::Schema { name, .. } => Some(name),
        }
    }

    /// Settings of a store on it.
    #[must_use]
    pub fn settings(&self) -> store::Settings {
        store::Settings {
            url: self.url.clone(),
            writers: 2,
            readers: 2,
            master_keys: vec![store::MasterKey::new([7; store::MASTER_KEY_BYTES])],
            ..store::Settings::default()
        }
    }
}

/// A server's URL with settings of the session.
pub(crate) fn with_options(server: &str, options: &str) -> String {
    let separator = if server.contains('?') { '&' } else { '?' };
    format!("{server}{separator}options={options}")
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Place::Schema { server, name } = &self.place {
            execute(server, &format!("DROP SCHEMA {name} CASCADE"));
        }
    }
}

fn execute(server: &str, sql: &str) {
    let mut conn = PgConnection::establish(server)
        .expect("the PostgreSQL of TRASTIENDA_TEST_POSTGRES_URL answers");
    conn.batch_execute(&format!("SET client_min_messages = warning; {sql}"))
        .expect("the schema can be made or dropped");
}

/// Runs a test function, given a [`DatabaseKind`], on both databases.
///
/// ```text
/// testkit::on_both!(an_order_is_placed);
/// fn an_order_is_placed(kind: testkit::DatabaseKind) { … }
/// ```
///
/// After `in_spanish:` the names of those follow that run on a PostgreSQL with messages in Spanish as well.
#[macro_export]
macro_rules! on_both {
    (in_spanish: $($name:ident),+ $(,)?) => {$(
        mod $name {
            #[test]
            fn sqlite() {
                super::$name($crate::DatabaseKind::Sqlite);
            }

            #[test]
            fn postgres() {
                super::$name($crate::DatabaseKind::Postgres);
            }

            #[test]
            fn postgres_in_spanish() {
                $crate::in_spanish(|| super::$name($crate::DatabaseKind::Postgres));
            }
        }
    )+};
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            #[test]
            fn sqlite() {
                super::$name($crate::DatabaseKind::Sqlite);
            }

            #[test]
            fn postgres() {
                super::$name($crate::DatabaseKind::Postgres);
            }
        }
    )+};
}

/// Removes what has served its time, in a walk over all accounts; says how many rows.
///
/// # Panics
/// When the store does not answer.
pub fn clean_up(store: &store::Store, now: kernel::Timestamp) -> u64 {
    let mut removed = 0;
    let mut walk = Some(store::cleanup::Walk::default());
    while let Some(from) = walk {
        let step = store.find_expired(from, now).wait().expect("the store answers");
        let step = step.expect("expired is found");
        let mut left = step.expired;
        while !left.is_empty() {
            let slice = store.clean_up(left, now).wait().expect("the store answers");
            let slice = slice.expect("expired is removed").value;
            removed += slice.removed;
            left = slice.left;
        }
        walk = step.next;
    }
    removed
}
