//! A body that is written while it is sent: however long it is, little of it is held.
//!
//! It is written on a thread of its own, which gives way. Each piece waits until the connection has taken the one before:
//! who reads slowly, or not at all, keeps that thread and what it has still to write, and nothing else.

use std::{
    io::{self, BufWriter, ErrorKind, Write},
    mem,
};

use actix_web::{http::header::ContentEncoding, web::Bytes};
use futures_util::{Stream, stream};
use kernel::threads::give_way;
use tokio::{
    sync::mpsc::{self, Sender},
    task::spawn_blocking,
};

use crate::{error::ApiError, json::Json, packer::Packer, pieces, turns::Turn};

/// What a body is written with.
pub(crate) type Pen = BufWriter<Packer<Outlet>>;

/// Writes a body, until nobody takes it any more.
type ToWrite = Box<dyn FnOnce(&mut Json<Pen>) -> Result<(), ApiError> + Send>;

/// A body that is still to be written.
pub(crate) struct Writing {
    write: ToWrite,
    encoding: Option<ContentEncoding>,
}

/// A piece, or the end, or why neither comes.
type Sent = Result<Option<Bytes>, ApiError>;

impl Writing {
    /// A body that `write` writes.
    pub(crate) fn new(
        write: impl FnOnce(&mut Json<Pen>) -> Result<(), ApiError> + Send + 'static,
    ) -> Self {
        Self { write: Box::new(write), encoding: None }
    }

    /// In this encoding, if any.
    pub(crate) fn packed(self, encoding: Option<ContentEncoding>) -> Self {
        Self { encoding, ..self }
    }

    /// Begins to write, in a turn that is held until all of it is written. The other one, at pages, is held until it is taken:
    /// what waits for a slow reader is bounded by it.
    pub(crate) fn pieces(
        self,
        writing: Option<Turn>,
        page: Option<Turn>,
    ) -> impl Stream<Item = Result<Bytes, ApiError>> + use<> {
        let (sender, receiver) = mpsc::channel(1);
        spawn_blocking(move || {
            give_way();
            self.run(&sender);
            drop(writing);
        });
        stream::unfold(Some((receiver, page)), |rest| async move {
            let (mut receiver, page) = rest?;
            match receiver.recv().await {
                Some(Ok(Some(piece))) => Some((Ok(piece), Some((receiver, page)))),
                Some(Ok(None)) => None,
                Some(Err(fault)) => Some((Err(fault), None)),
                None => Some((Err(ApiError::internal("a body was not written to its end")), None)),
            }
        })
    }

    fn run(self, sender: &Sender<Sent>) {
        let outlet = Outlet { piece: Vec::new(), sender: sender.clone() };
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
    if !outlet.piece.is_empty() {
        outlet.send()?;
    }
    outlet.hand_over(None)
}

/// Gathers what is written into pieces, and hands each over when the one before has been taken.
pub(crate) struct Outlet {
    piece: Vec<u8>,
    sender: Sender<Sent>,
}

impl Outlet {
    fn send(&mut self) -> io::Result<()> {
        let piece = mem::take(&mut self.piece);
        self.hand_over(Some(piece.into()))
    }

    fn hand_over(&self, piece: Option<Bytes>) -> io::Result<()> {
        self.sender.blocking_send(Ok(piece)).map_err(|_| ErrorKind::BrokenPipe.into())
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

    use super::*;

    const ROW: &[u8] = br#"{"name":"Taza","price":19.9},"#;
    const ROWS: usize = 20_000;

    fn rows(json: &mut Json<Pen>) -> Result<(), ApiError> {
        (0..ROWS).try_for_each(|_| json.push(ROW))
    }

    /// All that is sent of a body, and whether it comes to its end.
    fn sent(writing: Writing) -> (Vec<u8>, bool) {
        System::new().block_on(async {
            let mut pieces = Box::pin(writing.pieces(None, None));
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
        assert_eq!(sent(Writing::new(rows)), (whole.clone(), true));
        assert_eq!(sent(Writing::new(|_| Ok(()))), (Vec::new(), true));
        let exact = |json: &mut Json<Pen>| json.push(&[b' '; pieces::BYTES]);
        assert_eq!(sent(Writing::new(exact)), (vec![b' '; pieces::BYTES], true));
        for encoding in [ContentEncoding::Gzip, ContentEncoding::Brotli, ContentEncoding::Zstd] {
            let (packed, is_whole) = sent(Writing::new(rows).packed(Some(encoding)));
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
            assert!(!sent(Writing::new(fails).packed(encoding)).1, "{encoding:?}");
            assert!(!sent(Writing::new(panics).packed(encoding)).1, "{encoding:?}");
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
        (Writing::new(write), told)
    }

    #[test]
    fn nothing_is_written_for_who_takes_nothing_and_it_ends_for_who_is_gone() {
        System::new().block_on(async {
            let (writing, told) = endless();
            let mut pieces = Box::pin(writing.pieces(None, None));
            let first = pieces.next().await.unwrap().unwrap();
            assert_eq!(first.len(), pieces::BYTES);
            drop(pieces);
            // Its rows come to an end because it does.
            let written = told.iter().count() * ROW.len();
            // What was taken, what waits to be, what was to wait next, and what is in the pen.
            assert!(written < 4 * pieces::BYTES, "{written}");
        });
    }
}
