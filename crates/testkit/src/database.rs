//! A fresh database for each test.

mod postgres;
mod template;

use std::{
    fs,
    path::Path,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use postgres::{Server, url_of};
pub(crate) use postgres::{server_url, with_options};

use crate::{spanish, statements};

/// A small part of it is longer than any statement may take.
const LOCK_TIMEOUT: Duration = Duration::from_secs(3_600);

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseKind {
    /// A separate file.
    Sqlite,
    /// A separate database of a server.
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
    /// How long services on it wait for what somebody else has locked: until the time of a statement is over, unless a test
    /// says otherwise. Most have things happen in an order by what they lock.
    pub lock_timeout: Duration,
    place: Place,
}

enum Place {
    Folder(#[allow(dead_code, reason = "removed when dropped")] tempfile::TempDir),
    /// The server is kept for the end: a new connection takes it longer than most queries.
    Server {
        server: Box<Mutex<Server>>,
        name: String,
    },
}

impl Database {
    /// A fresh database with the current schema.
    #[must_use]
    pub fn fresh(kind: DatabaseKind) -> Self {
        statements::watch();
        match kind {
            DatabaseKind::Sqlite => {
                let database = Self::empty(kind);
                match (template::file(), database.file()) {
                    (Some(from), Some(to)) => {
                        fs::copy(from, to).expect("the database is copied");
                    }
                    _ => drop(database.migrate()),
                }
                database
            }
            DatabaseKind::Postgres => {
                let mut server = Server::at(&server_url());
                let template = template::on(&mut server);
                Self::on(server, Some(&template))
            }
        }
    }

    /// A database with this content, as a release wrote it out; not migrated.
    #[must_use]
    pub fn restored(kind: DatabaseKind, dump: &str) -> Self {
        let database = Self::empty(kind);
        database.execute_all(dump);
        database
    }

    fn empty(kind: DatabaseKind) -> Self {
        match kind {
            DatabaseKind::Sqlite => {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let url = format!("sqlite://{}/test.db", folder.path().display());
                Self { kind, url, lock_timeout: LOCK_TIMEOUT, place: Place::Folder(folder) }
            }
            DatabaseKind::Postgres => Self::on(Server::at(&server_url()), None),
        }
    }

    /// One of a server, as a copy of another there.
    fn on(mut server: Server, template: Option<&str>) -> Self {
        let name = format!("t_{}", ulid::Ulid::generate().to_string().to_lowercase());
        server.create(&name, template);
        // The service sets this itself; what tests ask a database is not worth compiling either.
        let options = format!("-cjit%3Doff{}", spanish::option());
        let url = with_options(&url_of(&server_url(), &name), &options);
        let place = Place::Server { server: Box::new(Mutex::new(server)), name };
        Self { kind: DatabaseKind::Postgres, url, lock_timeout: LOCK_TIMEOUT, place }
    }

    /// Applies the migrations that are missing, and names them.
    pub fn migrate(&self) -> Vec<String> {
        store::migrate(&self.settings()).expect("the migrations apply")
    }

    /// Where it is on SQLite.
    fn file(&self) -> Option<&Path> {
        self.url.strip_prefix("sqlite://").map(Path::new)
    }

    /// How many statements were run on it, where it is a file.
    pub(crate) fn statements(&self) -> Option<u64> {
        self.file().map(|file| statements::run_on(&file.to_string_lossy()))
    }

    /// Its name on a server of PostgreSQL.
    fn name(&self) -> Option<&str> {
        match &self.place {
            Place::Folder(_) => None,
            Place::Server { name, .. } => Some(name),
        }
    }

    /// Settings of a store on it.
    #[must_use]
    pub fn settings(&self) -> store::Settings {
        store::Settings {
            url: self.url.clone(),
            lock_timeout: self.lock_timeout,
            writers: 2,
            readers: 2,
            master_keys: vec![store::MasterKey::new([7; store::MASTER_KEY_BYTES])],
            ..store::Settings::default()
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Place::Server { server, name } = &mut self.place {
            server.get_mut().unwrap_or_else(PoisonError::into_inner).remove(name);
        }
    }
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
