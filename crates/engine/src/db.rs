//! One connection type for both databases.

use std::{
    fs::OpenOptions,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use diesel::{
    Connection, ConnectionError, PgConnection, QueryResult, SqliteConnection,
    connection::{AnsiTransactionManager, SimpleConnection, TransactionManager},
};

use crate::{
    Settings, StoreError,
    encrypted::{self, Route},
    outage::Outage,
    silence::Watch,
};

/// A commit that finds so many pages in the log of SQLite carries them over into the file itself.
pub(crate) const LOG_PAGES_MAX: i64 = 16_000;

// The derive writes items without documentation.
#[allow(missing_docs)]
mod multi {
    use diesel::{PgConnection, SqliteConnection};

    /// A connection to either database; diesel compiles one expression for both.
    #[derive(diesel::MultiConnection)]
    pub enum Db {
        Postgres(PgConnection),
        Sqlite(SqliteConnection),
    }
}
pub use multi::Db;

/// Compiles one expression for each database: where diesel cannot run it on [`Db`] itself, and where it must
/// be quick, because on [`Db`] diesel builds the text of a query anew for every call.
#[macro_export]
macro_rules! on {
    ($db:expr, |$conn:ident| $query:expr) => {
        match $db {
            $crate::db::Db::Postgres($conn) => $query,
            $crate::db::Db::Sqlite($conn) => $query,
        }
    };
}
pub use crate::on;

/// The first row of a query, locked until the end of the transaction; on SQLite, where a writer is alone,
/// there is nothing to lock. `$query` ends before its `select`, and is compiled once for each database.
#[macro_export]
macro_rules! first_locked {
    ($db:expr, $row:ty, $query:expr) => {
        match $db {
            $crate::db::Db::Postgres(conn) => {
                $query.select(<$row>::as_select()).for_update().first::<$row>(conn).optional()
            }
            $crate::db::Db::Sqlite(conn) => {
                $query.select(<$row>::as_select()).first::<$row>(conn).optional()
            }
        }
    };
}
pub use crate::first_locked;

/// The rows of a query, as [`first_locked!`] locks one.
#[macro_export]
macro_rules! all_locked {
    ($db:expr, $row:ty, $query:expr) => {
        match $db {
            $crate::db::Db::Postgres(conn) => {
                $query.select(<$row>::as_select()).for_update().load::<$row>(conn)
            }
            $crate::db::Db::Sqlite(conn) => $query.select(<$row>::as_select()).load::<$row>(conn),
        }
    };
}
pub use crate::all_locked;

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A file.
    Sqlite(PathBuf),
    /// A server, by its URL.
    Postgres(String),
}

impl Target {
    /// Reads a URL.
    ///
    /// # Errors
    /// When it is of neither database; the password in it is not repeated.
    pub fn parse(url: &str) -> Result<Self, StoreError> {
        if let Some(path) = url.strip_prefix("sqlite://").filter(|path| !path.is_empty()) {
            return Ok(Self::Sqlite(PathBuf::from(path)));
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(Self::Postgres(url.to_owned()));
        }
        let shown = url.split(':').next().unwrap_or_default();
        Err(StoreError::Url(format!(
            "must start with sqlite:// or postgres://, not with {shown:?}"
        )))
    }
}

/// The name of a PostgreSQL server that is reached without TLS by a URL, though it may be another machine.
#[must_use]
pub fn plain_host(url: &str) -> Option<String> {
    match Target::parse(url) {
        Ok(Target::Postgres(url)) => encrypted::plain_host(&url),
        Ok(Target::Sqlite(_)) | Err(_) => None,
    }
}

/// How a connection is going to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Queries, on SQLite nothing else.
    Read,
    /// Queries by key, or along an index, whose plan depends on no value.
    LookUp,
    /// Durable writes.
    Write,
    /// Writes that a power cut may undo, because they are done again: claims and ends of attempts.
    Relaxed,
}

/// A command finds its rows by key, and so does a look-up. Before a table has been analysed the planner would rather read it whole,
/// which gets slower with every order.
///
/// And each statement has one plan, made once for a connection. Left to itself the server plans `unnest`, `ANY` and `LIMIT` of a
/// parameter anew for every execution, which takes longer than the execution. `plans` says how long it serves.
const BY_KEY_ONLY: &str = "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; \
    SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan";

/// A list is of one account, and an index leads to its rows. Read whole, a table gives those of all others besides: the planner
/// thinks that worth it where it takes few rows for many, the newest of one account among the newest of all.
const BY_INDEX_ONLY: &str = "SET enable_seqscan = off";

/// Documents and the bodies of events are longer than what PostgreSQL leaves uncompressed, and its own way to compress them (pglz)
/// takes longer than writing them. LZ4 takes a small part of that; a server that was built without it goes on as before.
const COMPRESSION: &str = "SELECT set_config(name, 'lz4', false) FROM pg_settings \
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)";

/// Opens connections.
#[derive(Clone, Debug)]
pub struct Connector {
    /// Where to.
    pub target: Target,
    /// How, where libpq cannot go by itself.
    route: Option<Arc<Route>>,
    connect_timeout: Duration,
    statement_timeout: Duration,
    lock_timeout: Duration,
    idle_in_transaction_timeout: Duration,
    outage: Arc<Outage>,
    watch: Arc<Watch>,
}

impl Connector {
    /// Opens what the settings name.
    ///
    /// # Errors
    /// When the URL is none.
    pub fn new(settings: &Settings) -> Result<Self, StoreError> {
        let target = Target::parse(&settings.url)?;
        let route = match &target {
            Target::Postgres(url) => Route::of(url, settings.connect_timeout)?.map(Arc::new),
            Target::Sqlite(_) => None,
        };
        Ok(Self {
            target,
            route,
            connect_timeout: settings.connect_timeout,
            statement_timeout: settings.statement_timeout,
            lock_timeout: settings.lock_timeout,
            idle_in_transaction_timeout: settings.idle_in_transaction_timeout,
            outage: Arc::default(),
            watch: Arc::new(Watch::new(settings.statement_timeout.max(settings.connect_timeout))),
        })
    }

    /// What is known of the database being away, by everybody who connects with this and its clones.
    pub(crate) fn outage(&self) -> &Arc<Outage> {
        &self.outage
    }

    /// What watches the connections for silence.
    pub(crate) fn watch(&self) -> &Arc<Watch> {
        &self.watch
    }

    /// How long one statement may take.
    pub(crate) const fn statement_timeout(&self) -> Duration {
        self.statement_timeout
    }

    /// How long a writer waits for what somebody else has locked.
    pub(crate) const fn lock_timeout(&self) -> Duration {
        self.lock_timeout
    }

    /// Whether the database is a SQLite file.
    #[must_use]
    pub fn is_sqlite(&self) -> bool {
        matches!(self.target, Target::Sqlite(_))
    }

    /// Opens a connection.
    ///
    /// # Errors
    /// When the database cannot be reached or refuses.
    pub fn connect(&self, usage: Use) -> Result<Db, ConnectionError> {
        match &self.target {
            Target::Sqlite(path) => {
                keep_private(path);
                self.connect_sqlite(&path.to_string_lossy(), usage)
            }
            Target::Postgres(url) => self.connect_postgres(url, usage),
        }
    }

    fn connect_sqlite(&self, path: &str, usage: Use) -> Result<Db, ConnectionError> {
        let mut conn = SqliteConnection::establish(path)?;
        // What is mapped counts as memory of the process once for each of some ten connections: the beginning of the file is
        // enough, with the tables' upper pages in what little cache there is. The system keeps the rest.
        let (query_only, cache_kib) =
            if matches!(usage, Use::Read | Use::LookUp) { ("ON", 2_048) } else { ("OFF", 8_192) };
        let pragmas = format!(
            "PRAGMA busy_timeout = {}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -{cache_kib}; \
             PRAGMA mmap_size = 4194304; PRAGMA wal_autocheckpoint = {LOG_PAGES_MAX}; PRAGMA query_only = {query_only};",
            self.statement_timeout.as_millis(),
        );
        conn.batch_execute(&pragmas).map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(Db::Sqlite(conn))
    }

    fn connect_postgres(&self, url: &str, usage: Use) -> Result<Db, ConnectionError> {
        let encrypted = self.route.as_ref().map(|route| route.url()).transpose();
        let encrypted = encrypted.map_err(ConnectionError::BadConnection)?;
        let url = encrypted.as_deref().unwrap_or(url);
        let mut conn = PgConnection::establish(&with_timeouts(url, self.connect_timeout))?;
        let timeout = self.statement_timeout.as_millis();
        // What a writer keeps locked others wait for: a node that has stopped within a transaction must not keep it.
        let (lock, idle) = match usage {
            Use::Write | Use::Relaxed => {
                (self.lock_timeout.as_millis(), self.idle_in_transaction_timeout.as_millis())
            }
            Use::Read | Use::LookUp => (timeout, timeout * 3),
        };
        // Our statements are short. Compiling one takes 30 ms and more, and is thought worth it wherever the
        // planner had to take a way that `BY_KEY_ONLY` gives a prohibitive price. Starting other processes to help with
        // one takes as long, and takes them from everybody else.
        let session = format!(
            "SET statement_timeout = {timeout}; SET lock_timeout = {lock}; \
             SET idle_in_transaction_session_timeout = {idle}; SET client_encoding = 'UTF8'; SET jit = off; \
             SET max_parallel_workers_per_gather = 0",
        );
        conn.batch_execute(&session).map_err(ConnectionError::CouldntSetupConfiguration)?;
        if matches!(usage, Use::Write | Use::Relaxed) {
            conn.batch_execute(COMPRESSION).map_err(ConnectionError::CouldntSetupConfiguration)?;
        }
        if usage == Use::Relaxed {
            let relaxed = "SET synchronous_commit = off";
            conn.batch_execute(relaxed).map_err(ConnectionError::CouldntSetupConfiguration)?;
        }
        let plans = if usage == Use::Read { BY_INDEX_ONLY } else { BY_KEY_ONLY };
        conn.batch_execute(plans).map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(Db::Postgres(conn))
    }
}

/// Makes the file of a new database, which its owner alone may read, as its copies. SQLite gives its log the same mode; it makes
/// the file itself, or says why it cannot, where this did not succeed.
fn keep_private(path: &Path) {
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}

/// libpq waits for ever unless it is told otherwise: give up connecting in time, and notice a peer that is
/// gone within seconds. What the URL says itself stands.
fn with_timeouts(url: &str, connect_timeout: Duration) -> String {
    let wanted = [
        ("connect_timeout", connect_timeout.as_secs().max(2).to_string()),
        ("keepalives_idle", "5".to_owned()),
        ("keepalives_interval", "2".to_owned()),
        ("keepalives_count", "2".to_owned()),
        ("tcp_user_timeout", "8000".to_owned()),
    ];
    let mut url = url.to_owned();
    for (name, value) in wanted {
        if !url.contains(name) {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.push_str(&format!("{name}={value}"));
        }
    }
    url
}

/// Lets the server plan every statement of the connection anew, by the sizes that the tables have now.
pub(crate) fn forget_plans(db: &mut Db) -> QueryResult<()> {
    match db {
        Db::Postgres(conn) => conn.batch_execute("DISCARD PLANS"),
        // Statements are planned by what `ANALYZE` has found, not by what is there.
        Db::Sqlite(_) => Ok(()),
    }
}

/// Has the statements of the connection wait no longer for what somebody else has locked. On SQLite a writer is alone.
pub(crate) fn set_lock_timeout(db: &mut Db, timeout: Duration) -> QueryResult<()> {
    match db {
        // None at all would be for ever.
        Db::Postgres(conn) => {
            conn.batch_execute(&format!("SET lock_timeout = {}", timeout.as_millis().max(1)))
        }
        Db::Sqlite(_) => Ok(()),
    }
}

/// Begins a transaction that may write. On SQLite it takes the write lock at once: a transaction that
/// takes it later fails when another has written meanwhile.
pub fn begin(db: &mut Db) -> QueryResult<()> {
    match db {
        Db::Postgres(conn) => AnsiTransactionManager::begin_transaction(conn),
        Db::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE"),
    }
}

/// The same together with a first statement that has no values: it is not waited for by itself.
///
/// # Errors
/// Those of either; then nothing is begun.
pub fn begin_then(db: &mut Db, first: &str) -> QueryResult<()> {
    let begun = match db {
        Db::Postgres(conn) => {
            AnsiTransactionManager::begin_transaction_sql(conn, &format!("BEGIN; {first}"))
        }
        Db::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(
            conn,
            &format!("BEGIN IMMEDIATE; {first}"),
        ),
    };
    if begun.is_err() {
        // The transaction manager knows of none. The beginning may have succeeded; where it has not, there is nothing to undo.
        drop(db.batch_execute("ROLLBACK"));
    }
    begun
}

/// Commits the transaction.
///
/// # Errors
/// Those of the database.
pub fn commit(db: &mut Db) -> QueryResult<()> {
    on!(db, |conn| AnsiTransactionManager::commit_transaction(conn))
}

/// Rolls the transaction back.
///
/// # Errors
/// Those of the database.
pub fn rollback(db: &mut Db) -> QueryResult<()> {
    on!(db, |conn| AnsiTransactionManager::rollback_transaction(conn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_urls() {
        assert_eq!(
            Target::parse("sqlite:///a/b.db").unwrap(),
            Target::Sqlite(PathBuf::from("/a/b.db"))
        );
        assert!(matches!(Target::parse("postgresql://h/d").unwrap(), Target::Postgres(_)));
        for wrong in ["", "sqlite://", "mysql://u:secret@h/d", "data.db"] {
            let refused = Target::parse(wrong).unwrap_err().to_string();
            assert!(!refused.contains("secret"), "{refused}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_is_for_its_owner_alone() {
        use std::{fs, os::unix::fs::PermissionsExt};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.db");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        keep_private(&path);
        assert_eq!(mode(), 0o600);
        // One that is there stays as it is.
        fs::write(&path, "goods").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        keep_private(&path);
        assert_eq!((mode(), fs::read(&path).unwrap().as_slice()), (0o640, &b"goods"[..]));
    }

    #[test]
    fn keeps_time_outs_that_the_url_names() {
        let url = with_timeouts("postgres://h/d?connect_timeout=9", Duration::from_secs(5));
        assert!(url.starts_with("postgres://h/d?connect_timeout=9&keepalives_idle=5"), "{url}");
    }
}
