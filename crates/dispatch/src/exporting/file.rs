//! A file on its way to where it is kept.

use std::{
    io::{self, Write},
    mem,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tasks::{End, JobFiles, PIECE_BYTES, Pause, Piece, Progress, Standing, Why};

use super::Halt;
use crate::tasks::{Hold, Performed};

/// The largest file that is made: 1 GiB.
const BYTES_MAX: u64 = 1 << 30;
/// How long the claim is not held anew while nothing is written.
const HOLD_PAUSE: Duration = Duration::from_secs(5);

/// What has been written and not been kept yet.
#[derive(Clone, Default)]
pub(super) struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    /// The mark of UTF-8.
    pub(super) fn mark(&mut self) {
        self.with(|bytes| bytes.extend("\u{feff}".bytes()));
    }

    fn with<T>(&self, work: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|written| written.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file of which pieces are kept as they become whole.
pub(super) struct File<'a> {
    files: &'a dyn JobFiles,
    hold: Hold,
    held_at: Instant,
    sink: Sink,
    size: u64,
    pieces: u32,
    progress: Progress,
}

impl<'a> File<'a> {
    pub(super) fn new(files: &'a dyn JobFiles, hold: Hold) -> Self {
        let held_at = Instant::now();
        let (sink, progress) = (Sink::default(), Progress::default());
        Self { files, hold, held_at, sink, size: 0, pieces: 0, progress }
    }

    /// Where its bytes are written to.
    pub(super) fn sink(&self) -> Sink {
        self.sink.clone()
    }

    /// How many invoices it is going to hold.
    pub(super) fn expect(&mut self, total: usize) {
        self.progress.total = u64::try_from(total).ok();
    }

    /// How many it holds.
    pub(super) const fn invoices(&self) -> u64 {
        self.progress.done
    }

    /// So many invoices more are written: keeps the pieces that are whole.
    pub(super) async fn done(&mut self, invoices: usize) -> Result<(), Halt> {
        self.progress.done += invoices as u64;
        while let Some(piece) = self.whole_piece() {
            self.keep(piece).await?;
        }
        self.hold_on().await
    }

    /// Holds the claim if that is due.
    pub(super) async fn hold_on(&mut self) -> Result<(), Halt> {
        if self.hold.is_stopping() {
            let reason = Why::ProcessStops.alone();
            let pause = Pause { seconds: 0, is_doubtful: false, reason };
            return Err(Halt::Because(Performed::Postponed(pause)));
        }
        if self.held_at.elapsed() < HOLD_PAUSE {
            return Ok(());
        }
        self.held_at = Instant::now();
        judged(self.hold.progress(self.progress.clone()).await?)
    }

    /// Keeps what is left; says how many bytes and pieces there are.
    pub(super) async fn close(mut self) -> Result<(u64, u32), Halt> {
        while let Some(piece) = self.whole_piece() {
            self.keep(piece).await?;
        }
        let rest = self.sink.with(mem::take);
        if !rest.is_empty() {
            self.keep(rest).await?;
        }
        Ok((self.size, self.pieces))
    }

    fn whole_piece(&self) -> Option<Vec<u8>> {
        self.sink.with(|bytes| {
            (bytes.len() >= PIECE_BYTES).then(|| bytes.drain(..PIECE_BYTES).collect())
        })
    }

    async fn keep(&mut self, bytes: Vec<u8>) -> Result<(), Halt> {
        let size = self.size + bytes.len() as u64;
        if size > BYTES_MAX {
            return Err(Halt::failed(Why::FileTooLarge.alone()));
        }
        let piece = Piece { position: self.pieces, bytes };
        let progress = self.progress.clone();
        let standing = self.hold.append(self.files, piece, progress).await?;
        self.held_at = Instant::now();
        self.size = size;
        self.pieces += 1;
        judged(standing)
    }
}

/// Whether the work goes on.
fn judged(standing: Standing) -> Result<(), Halt> {
    match standing {
        Standing::Held => Ok(()),
        Standing::HeldToStop => {
            let end = End::Cancelled("cancelled while it was running".to_owned());
            Err(Halt::Because(Performed::Ended(end)))
        }
        Standing::Lost => Err(Halt::Because(Performed::Recorded)),
    }
}
