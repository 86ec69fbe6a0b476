//! A body that is written while it is sent: however long it is, little of it is held.
//!
//! It is written on a thread of its own, which gives way. Each piece waits until the connection has taken the one before:
//! who reads slowly, or not at all, keeps that thread and what it has still to write, and nothing else. In particular not its
//! turns: when its pieces have waited for more than a moment the one at pages is given back, and the one at writing for as long
//! as the next of them waits.

use std::{
    io::{self, BufWriter, ErrorKind, Write},
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{http::header::ContentEncoding, web::Bytes};
use futures_util::{Stream, stream};
use kernel::threads::give_way;
use tokio::{
    runtime::Handle,
    sync::mpsc::{self, Sender, error::TrySendError},
    task::spawn_blocking,
    time::timeout,
};

use crate::{
    error::ApiError,
    json::Json,
    packer::Packer,
    pieces,
    turns::{Shift, Turn},
};

/// What is written of more lines holds much: no more of a page of orders are read at once.
const LINES_LIGHT: usize = 10_000;
/// For how long all of its pieces together may wait to be taken with the turns in hand. Whoever reads on takes them sooner, so that
/// no more pages of an account are held at once than it has turns.
const TAKEN_SOON: Duration = Duration::from_secs(1);

/// What a body is written with.
pub(crate) type Pen = BufWriter<Packer<Outlet>>;

/// Writes a body, until nobody takes it any more.
type ToWrite = Box<dyn FnOnce(&mut Json<Pen>) -> Result<(), ApiError> + Send>;

/// A body that is still to be written.
pub(crate) struct Writing {
    write: ToWrite,
    encoding: Option<ContentEncoding>,
    /// About how many lines of orders it holds.
    lines: usize,
}

/// A piece, or the end, or why neither comes.
type Sent = Result<Option<Bytes>, ApiError>;

impl Writing {
    /// A body that `write` writes, of about so many lines of orders.
    pub(crate) fn new(
        lines: usize,
        write: impl FnOnce(&mut Json<Pen>) -> Result<(), ApiError> + Send + 'static,
    ) -> Self {
        Self { write: Box::new(write), encoding: None, lines }
    }

    /// Whether it holds much until it is written.
    pub(crate) const fn is_heavy(&self) -> bool {
        self.lines > LINES_LIGHT
    }

    /// In this encoding, if any.
    pub(crate) fn packed(self, encoding: Option<ContentEncoding>) -> Self {
        Self { encoding, ..self }
    }

    /// Begins to write, in a turn that is given back while nobody takes it. The places are held until nobody takes or
    /// writes it any more: what waits for slow readers is bounded by them.
    pub(crate) fn pieces(
        self,
        shift: Option<Shift>,
        places: Vec<Turn>,
    ) -> impl Stream<Item = Result<Bytes, ApiError>> + use<> {
        let (sender, receiver) = mpsc::channel(1);
        let places = Arc::new(places);
        let kept = Arc::clone(&places);
        spawn_blocking(move || {
            give_way();
            self.run(&sender, shift);
            drop(kept);
        });
        stream::unfold(Some((receiver, places)), |rest| async move {
            let (mut receiver, places) = rest?;
            match receiver.recv().await {
                Some(Ok(Some(piece))) => Some((Ok(piece), Some((receiver, places)))),
                Some(Ok(None)) => None,
                Some(Err(fault)) => Some((Err(fault), None)),
                None => Some((Err(ApiError::internal("a body was not written to its end")), None)),
            }
        })
    }

    fn run(self, sender: &Sender<Sent>, shift: Option<Shift>) {
        let outlet =
            Outlet { piece: Vec::new(), sender: sender.clone(), shift, patience: TAKEN_SOON };
        let written = match Packer::new(self.encoding, outlet) {
            Err(error) => Err(ApiError::internal(error.to_string())),
            Ok(packer) => {
                let mut json = Json::to(Pen::new(packer));
                let written = (self.write)(&mut json);
                // Which fails where nobody is left to be told.
                written.map(|()| drop(end(json.into_inner())))
            }
        };
        if let Err(fault) = written {
            drop(sender.blocking_send(Err(fault)));
        }
    }
}

/// Hands over what is still held, and says that it is the end.
fn end(pen: Pen) -> io::Result<()> {
    let packer = pen.into_inner().map_err(io::IntoInnerError::into_error)?;
    let mut outlet = packer.finish()?;
    let piece = mem::take(&mut outlet.piece);
    if !piece.is_empty() {
        outlet.hand_over(Some(piece.into()))?;
    }
    outlet.hand_over(None)
}

/// Gathers what is written into pieces, and hands each over when the one before has been taken.
pub(crate) struct Outlet {
    piece: Vec<u8>,
    sender: Sender<Sent>,
    shift: Option<Shift>,
    /// For how long its pieces may still wait to be taken before it rests.
    patience: Duration,
}

impl Outlet {
    fn send(&mut self) -> io::Result<()> {
        let piece = mem::take(&mut self.piece);
        self.hand_over(Some(piece.into()))?;
        if let Some(shift) = &mut self.shift {
            shift.go_on();
        }
        Ok(())
    }

    /// Without the turns, where the piece has to wait for long.
    fn hand_over(&mut self, piece: Option<Bytes>) -> io::Result<()> {
        let gone = || io::Error::from(ErrorKind::BrokenPipe);
        let piece = match self.sender.try_send(Ok(piece)) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Closed(_)) => return Err(gone()),
            Err(TrySendError::Full(piece)) => piece,
        };
        let (sender, patience, began) = (&self.sender, self.patience, Instant::now());
        let room = async { timeout(patience, sender.reserve()).await };
        let room = Handle::current().block_on(room);
        self.patience = patience.saturating_sub(began.elapsed());
        if let Ok(room) = room {
            room.map_err(|_| gone())?.send(piece);
            return Ok(());
        }
        if let Some(shift) = &mut self.shift {
            shift.rest();
        }
        self.sender.blocking_send(piece).map_err(|_| gone())
    }
}

impl Write for Outlet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.is_empty() {
            self.piece.reserve_exact(pieces::BYTES);
        }
        let room = pieces::BYTES - self.piece.len();
        let taken = bytes.get(..room).unwrap_or(bytes);
        self.piece.extend_from_slice(taken);
        if self.piece.len() == pieces::BYTES {
            self.send()?;
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::Read,
        sync::mpsc::{Receiver, channel},
    };

    use actix_web::rt::System;
    use flate2::read::GzDecoder;
    use futures_util::StreamExt;
    use kernel::AccountId;

    use super::*;
    use crate::turns::Turns;

    const PATIENCE: Duration = Duration::from_secs(60);
    const ROW: &[u8] = br#"{"name":"Taza","price":19.9},"#;
    const ROWS: usize = 20_000;

    fn rows(json: &mut Json<Pen>) -> Result<(), ApiError> {
        (0..ROWS).try_for_each(|_| json.push(ROW))
    }

    /// All that is sent of a body, and whether it comes to its end.
    fn sent(writing: Writing) -> (Vec<u8>, bool) {
        System::new().block_on(async {
            let mut pieces = Box::pin(writing.pieces(None, Vec::new()));
            let mut all = Vec::new();
            while let Some(piece) = pieces.next().await {
                let Ok(piece) = piece else { return (all, false) };
                assert!(!piece.is_empty() && piece.len() <= pieces::BYTES);
                all.extend_from_slice(&piece);
            }
            (all, true)
        })
    }

    #[test]
    fn the_pieces_are_what_was_written_in_every_encoding() {
        let whole = ROW.repeat(ROWS);
        assert_eq!(sent(Writing::new(ROWS, rows)), (whole.clone(), true));
        assert_eq!(sent(Writing::new(0, |_| Ok(()))), (Vec::new(), true));
        let exact = |json: &mut Json<Pen>| json.push(&[b' '; pieces::BYTES]);
        assert_eq!(sent(Writing::new(1, exact)), (vec![b' '; pieces::BYTES], true));
        for encoding in [ContentEncoding::Gzip, ContentEncoding::Brotli, ContentEncoding::Zstd] {
            let (packed, is_whole) = sent(Writing::new(ROWS, rows).packed(Some(encoding)));
            assert!(is_whole && packed.len() < whole.len() / 50, "{encoding:?}");
            let mut unpacked = Vec::new();
            match encoding {
                ContentEncoding::Gzip => {
                    GzDecoder::new(&*packed).read_to_end(&mut unpacked).map(drop).unwrap();
                }
                ContentEncoding::Brotli => {
                    let mut reader = brotli::Decompressor::new(&*packed, 4_096);
                    reader.read_to_end(&mut unpacked).map(drop).unwrap();
                }
                _ => unpacked = zstd::stream::decode_all(&*packed).unwrap(),
            }
            assert!(unpacked == whole, "{encoding:?}");
        }
    }

    #[test]
    fn a_fault_and_a_panic_are_no_ends() {
        let fails = |json: &mut Json<Pen>| -> Result<(), ApiError> {
            rows(json)?;
            Err(ApiError::internal("a row is lost"))
        };
        let panics = |json: &mut Json<Pen>| -> Result<(), ApiError> {
            rows(json)?;
            panic!("a row that cannot be written")
        };
        for encoding in [None, Some(ContentEncoding::Gzip), Some(ContentEncoding::Brotli)] {
            assert!(!sent(Writing::new(1, fails).packed(encoding)).1, "{encoding:?}");
            assert!(!sent(Writing::new(1, panics).packed(encoding)).1, "{encoding:?}");
        }
    }

    /// Writes for ever, and tells of each row.
    fn endless() -> (Writing, Receiver<()>) {
        let (tell, told) = channel();
        let write = move |json: &mut Json<Pen>| -> Result<(), ApiError> {
            loop {
                json.push(ROW)?;
                let _ = tell.send(());
            }
        };
        (Writing::new(1, write), told)
    }

    #[test]
    fn nothing_is_written_for_who_takes_nothing_and_it_ends_for_who_is_gone() {
        System::new().block_on(async {
            let (writing, told) = endless();
            let mut pieces = Box::pin(writing.pieces(None, Vec::new()));
            let first = pieces.next().await.unwrap().unwrap();
            assert_eq!(first.len(), pieces::BYTES);
            drop(pieces);
            // Its rows come to an end because it does.
            let written = told.iter().count() * ROW.len();
            // What was taken, what waits to be, what was to wait next, and what is in the pen.
            assert!(written < 4 * pieces::BYTES, "{written}");
        });
    }
    #[test]
    fn who_takes_nothing_leaves_the_turn_to_the_next_and_goes_on_when_it_is_taken() {
        System::new().block_on(async {
            let turns = Arc::new(Turns::at_computing());
            let account = AccountId::from_u128(1);
            let (writing, _told) = endless();
            let shift = turns.begin(account).await;
            let mut unread = Box::pin(writing.pieces(Some(shift), Vec::new()));
            let _ = unread.next().await.unwrap().unwrap();
            for _ in 0..2 {
                let (writing, _told) = endless();
                let shift =
                    timeout(PATIENCE, turns.begin(account)).await.expect("the turn is free");
                let mut other = Box::pin(writing.pieces(Some(shift), Vec::new()));
                for _ in 0..9 {
                    assert!(other.next().await.unwrap().is_ok());
                }
            }
            for _ in 0..9 {
                assert!(unread.next().await.unwrap().is_ok());
            }
        });
    }
}
