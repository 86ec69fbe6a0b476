//! A fresh database for each test.

use diesel::{Connection, PgConnection, connection::SimpleConnection};

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A separate file.
    Sqlite,
    /// A separate schema.
    Postgres,
}

/// A migrated database that goes away with its test.
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Database {
    pub kind: Kind,
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
fn server_url() -> String {
    std::env::var("TRASTIENDA_TEST_POSTGRES_URL")
        .expect("TRASTIENDA_TEST_POSTGRES_URL is not set: run the tests by `cargo xtask test`, which starts a PostgreSQL")
}

impl Database {
    /// A fresh database with the current schema.
    #[must_use]
    pub fn fresh(kind: Kind) -> Self {
        let database = match kind {
            Kind::Sqlite => {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let url = format!("sqlite://{}/test.db", folder.path().display());
                Self { kind, url, place: Place::Folder(folder) }
            }
            Kind::Postgres => {
                let (server, name) = (
                    server_url(),
                    format!("t_{}", ulid::Ulid::generate().to_string().to_lowercase()),
                );
                execute(&server, &format!("CREATE SCHEMA {name}"));
                let separator = if server.contains('?') { '&' } else { '?' };
                let url = format!("{server}{separator}options=-csearch_path%3D{name}");
                Self { kind, url, place: Place::Schema { server, name } }
            }
        };
        store::migrate(&database.settings()).expect("the migrations apply");
        database
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

/// Runs a test function, given a [`Kind`], on both databases.
///
/// ```text
/// testkit::on_both!(an_order_is_placed);
/// fn an_order_is_placed(kind: testkit::Kind) { … }
/// ```
#[macro_export]
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {$(
        mod $name {
            #[test]
            fn sqlite() {
                super::$name($crate::Kind::Sqlite);
            }

            #[test]
            fn postgres() {
                super::$name($crate::Kind::Postgres);
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
        let step = store.find_litter(from, now).wait().expect("the store answers");
        let step = step.expect("litter is found");
        for litter in step.litter {
            loop {
                let slice = store.clean_up(litter.clone(), now).wait().expect("the store answers");
                let slice = slice.expect("litter is removed").value;
                removed += slice;
                if slice == 0 {
                    break;
                }
            }
        }
        walk = step.next;
    }
    removed
}
