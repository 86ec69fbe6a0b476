//! Copying SQLite's log back into the database, beside the writer instead of in the middle of a commit.
//!
//! Left to itself SQLite does this in whatever commit finds the log long enough, and everybody in that commit
//! waits for it. A thread that does it all the time leaves the writer little to do when it starts the log
//! anew, which it must do itself once in a while because the log never ends while it is being written to.

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread::JoinHandle,
    time::Duration,
};

use diesel::connection::SimpleConnection;

use crate::db::{Connector, Db, Use, on};

/// Pause between two rounds: short enough that one copies a few hundred pages.
const INTERVAL: Duration = Duration::from_millis(50);

/// The thread; dropping it ends it.
pub(crate) struct Checkpointer {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts it, where there is a log to copy.
    pub(crate) fn start(connector: &Connector) -> std::io::Result<Option<Self>> {
        if !connector.is_sqlite() {
            return Ok(None);
        }
        let connector = connector.clone();
        let (stop, stopped) = channel();
        let work = move || work(&connector, &stopped);
        let thread = std::thread::Builder::new().name("checkpoint".to_owned()).spawn(work)?;
        Ok(Some(Self { stop: Some(stop), thread: Some(thread) }))
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the checkpoint thread ended by a panic");
        }
    }
}

fn work(connector: &Connector, stopped: &Receiver<()>) {
    let mut db = None;
    while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if let Err(error) = checkpoint(connector, &mut db) {
            // Nothing is lost: the log keeps what it holds, and the writer copies it in the end.
            tracing::warn!(%error, "the log could not be copied back");
            db = None;
        }
    }
}

/// Copies what no reader needs any more, without making anybody wait.
fn checkpoint(
    connector: &Connector,
    db: &mut Option<Db>,
) -> Result<(), Box<dyn std::error::Error>> {
    let db = match db {
        Some(db) => db,
        none => none.insert(connector.connect(Use::Write)?),
    };
    on!(db, |conn| conn.batch_execute("PRAGMA wal_checkpoint(PASSIVE)"))?;
    Ok(())
}
