//! A text that is decoded as it is read.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::{INFLATED_BYTES_MAX, Refusal, encoding::Decoding};

/// Bytes that are read at once.
const PIECE_BYTES: usize = 64 * 1024;

/// The bytes of a file as they are once it is inflated, up to the most that is read.
pub(crate) struct Inflated<'a> {
    bytes: Box<dyn Read + 'a>,
    is_compressed: bool,
    left: u64,
}

impl<'a> Inflated<'a> {
    pub(crate) fn new(bytes: impl Read + 'a, is_compressed: bool) -> Self {
        let bytes: Box<dyn Read> =
            if is_compressed { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
        Self { bytes, is_compressed, left: INFLATED_BYTES_MAX }
    }

    /// Fills as much of `buffer` as there is; how much that is, 0 at the end.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Refusal> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.bytes.read(rest) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // The library tells of bad compression by these kinds; a disk has others.
                Err(error) if self.is_compressed && is_bad_data(&error) => {
                    return Err(Refusal::Damaged(error.to_string()));
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.left = self.left.checked_sub(filled as u64).ok_or(Refusal::TooLarge)?;
        Ok(filled)
    }
}

fn is_bad_data(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// The characters of a file.
pub(crate) struct Text<'a> {
    bytes: Inflated<'a>,
    decoding: Decoding,
    piece: Box<[u8]>,
    is_over: bool,
}

impl<'a> Text<'a> {
    pub(crate) fn new(bytes: Inflated<'a>, decoding: Decoding) -> Self {
        let piece = vec![0; PIECE_BYTES].into_boxed_slice();
        Self { bytes, decoding, piece, is_over: false }
    }

    /// Adds the next piece to `out`; whether there was one.
    pub(crate) fn more(&mut self, out: &mut String) -> Result<bool, Refusal> {
        if self.is_over {
            return Ok(false);
        }
        let read = self.bytes.read(&mut self.piece)?;
        self.is_over = read < self.piece.len();
        let bytes = self.piece.get(..read).unwrap_or_default();
        let decoded = self.decoding.decode(bytes, self.is_over, out);
        decoded.map_err(|_| Refusal::UnknownEncoding)?;
        Ok(true)
    }
}
