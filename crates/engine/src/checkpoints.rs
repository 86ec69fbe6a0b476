//! Carrying what is committed from SQLite's log into its file, on a thread of its own.
//!
//! SQLite does it at the end of the commit that fills the log, and that commit's callers wait for it: ten milliseconds
//! and more. Done from another connection, it leaves the writer alone. The log begins anew only once all of it has been
//! carried over while nothing is written, so that under a load without pauses a commit still has to do the last of it, and
//! to see the whole file to the disk. So the file is seen to the disk here, too, after each step, whatever SQLite itself
//! would do: that commit then finds little to wait for.

use std::{
    fs::File,
    mem::ManuallyDrop,
    sync::atomic::{AtomicU64, Ordering},
    thread::{self, JoinHandle},
};

use crossbeam_channel::{Receiver, Sender, bounded};
use diesel::{
    QueryResult, QueryableByName, RunQueryDsl, SqliteConnection, sql_query, sql_types::BigInt,
};

use crate::db::{Connector, Db, Target, Use};

/// Commands whose changes are carried over together, by their weight. One writes some pages.
const WEIGHT: u64 = 500;
/// From so many on, short of [`LOG_PAGES_MAX`](crate::db::LOG_PAGES_MAX), what follows is carried over at once, so that
/// little is left for the commit that fills the log.
const LOG_PAGES_MANY: i64 = 12_000;

/// Tells the thread of what is committed. It ends when nobody can tell it more.
pub(crate) struct Checkpoints {
    weight: AtomicU64,
    wake: Sender<()>,
}

/// What `PRAGMA wal_checkpoint` says.
#[derive(QueryableByName)]
struct Carried {
    /// Pages in the log; -1 when another connection is at it.
    #[diesel(sql_type = BigInt)]
    log: i64,
    /// How many of them are in the file too.
    #[diesel(sql_type = BigInt)]
    checkpointed: i64,
}

impl Checkpoints {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(crate) fn start(connector: Connector) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (wake, woken) = bounded(1);
        let thread = thread::Builder::new().name("checkpoints".to_owned());
        let thread = thread.spawn(move || work(&connector, &woken))?;
        Ok((Self { weight: AtomicU64::new(0), wake }, thread))
    }

    /// Commands of this weight have been committed.
    pub(crate) fn committed(&self, weight: u64) {
        if self.weight.fetch_add(weight, Ordering::Relaxed) + weight >= WEIGHT {
            self.weight.store(0, Ordering::Relaxed);
            // Whoever is awake already finds these too.
            let _ = self.wake.try_send(());
        }
    }
}

fn work(connector: &Connector, woken: &Receiver<()>) {
    let file = open(connector);
    let mut db = None;
    while woken.recv().is_ok() {
        if db.is_none() {
            db = connector.connect(Use::Write).ok();
        }
        let Some(Db::Sqlite(conn)) = &mut db else { continue };
        if let Err(error) = carry_over(conn) {
            // The commit that fills the log does it then.
            tracing::warn!(%error, "cannot carry the log over into the database file");
            db = None;
        }
        // Nobody depends on it: SQLite sees to it itself before it begins the log anew.
        if let Some(Err(error)) = file.as_ref().map(|file| file.sync_data()) {
            tracing::warn!(%error, "cannot see the database file to the disk");
        }
    }
}

/// The file of the database, which must not be closed: with any of its descriptors the system would drop all locks that the
/// process has on it, those of SQLite too.
fn open(connector: &Connector) -> Option<ManuallyDrop<File>> {
    let Target::Sqlite(path) = &connector.target else { return None };
    File::open(path).ok().map(ManuallyDrop::new)
}

fn carry_over(conn: &mut SqliteConnection) -> QueryResult<()> {
    let mut before = -1;
    loop {
        let said: Carried = sql_query("PRAGMA wal_checkpoint(PASSIVE)").get_result(conn)?;
        // A reader that began long ago, as a backup, keeps what it sees in the log: it cannot be waited for.
        let is_stuck = said.checkpointed <= before;
        if said.log < LOG_PAGES_MANY || said.checkpointed == said.log || is_stuck {
            return Ok(());
        }
        before = said.checkpointed;
    }
}
