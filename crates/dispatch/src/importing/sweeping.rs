//! Removing files that nobody needs any more: a crash has left them without an import, or they have waited long enough.

use std::{
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use imports::ImportQueue;
use kernel::threads::give_way;

use super::files::KeptFiles;

/// Between two times, beside those when an import is taken up.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// Looks through the files from time to time, until it is dropped.
pub struct FileSweep {
    _until: Sender<()>,
}

impl FileSweep {
    /// Begins to look through the files of imports that are on record in `queue`.
    pub fn start(queue: &Arc<impl ImportQueue + 'static>, files: &Arc<KeptFiles>) -> Self {
        let (until, ended) = mpsc::channel();
        let (queue, files) = (Arc::downgrade(queue), Arc::clone(files));
        let thread = thread::Builder::new().name("import-files".to_owned()).spawn(move || {
            give_way();
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                let Some(queue) = queue.upgrade() else { return };
                sweep(&*queue, &files);
            }
        });
        if let Err(error) = thread {
            tracing::error!(%error, "files of imports are looked through by imports alone");
        }
        Self { _until: until }
    }
}

/// Removes what is old and of no import. What cannot be looked through is left for the next time.
pub(super) fn sweep(queue: &dyn ImportQueue, files: &KeptFiles) {
    match queue.kept_files().wait() {
        Some(Ok(kept)) => files.sweep(&kept),
        Some(Err(fault)) => tracing::warn!(%fault, "files of imports cannot be looked through"),
        None => {}
    }
}
