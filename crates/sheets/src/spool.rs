//! Rows on their way from a file to where they are wanted: written once, read from any place on.
//!
//! A spool is for the program that has written it; its form may change with every release.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use crate::{CellKind, ROW_BYTES_MAX, Row, RowProblem};

/// What a spool begins with: another form has another.
const MARK: &[u8; 8] = b"spool\0\0\x01";
/// Bytes that are written or read at once.
const PIECE_BYTES: usize = 64 * 1024;
/// The most bytes of a row in a spool: its texts, and what says where they end.
const BYTES_MAX: usize = 8 * ROW_BYTES_MAX;

/// Writes rows.
#[derive(Debug)]
pub struct SpoolWriter<W: Write> {
    out: BufWriter<W>,
    row: Vec<u8>,
}

/// Reads rows.
#[derive(Debug)]
pub struct SpoolReader<R: Read> {
    input: BufReader<R>,
    position: u64,
    row: Vec<u8>,
}

/// A row as it was written, with a note of whoever wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spooled {
    /// The row.
    pub row: Row,
    /// The note.
    pub note: u8,
}

impl<W: Write> SpoolWriter<W> {
    /// Begins a spool.
    ///
    /// # Errors
    /// Those of writing.
    pub fn begin(out: W) -> io::Result<Self> {
        let mut spool = Self { out: BufWriter::with_capacity(PIECE_BYTES, out), row: Vec::new() };
        spool.out.write_all(MARK)?;
        Ok(spool)
    }

    /// Adds a row with a note.
    ///
    /// # Errors
    /// Those of writing.
    pub fn add(&mut self, row: &Row, note: u8) -> io::Result<()> {
        self.row.clear();
        number(&mut self.row, row.number);
        let problem = row.problem.map_or(0, |problem| {
            RowProblem::EVERY.iter().position(|one| *one == problem).map_or(0, |place| place + 1)
        });
        self.row.extend([note, u8::try_from(problem).unwrap_or(0)]);
        number(&mut self.row, row.cells.len() as u64);
        for cell in row.cells.iter() {
            number(&mut self.row, (cell.text.len() as u64) << 2 | cell.kind as u64);
            self.row.extend(cell.text.as_bytes());
        }
        let length = u32::try_from(self.row.len()).map_err(io::Error::other)?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.write_all(&self.row)
    }

    /// Ends it.
    ///
    /// # Errors
    /// Those of writing.
    pub fn end(self) -> io::Result<W> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// A number in as few bytes as it takes, seven bits in each (LEB128).
fn number(out: &mut Vec<u8>, mut value: u64) {
    loop {
        let low = u8::try_from(value & 0x7F).unwrap_or(0);
        value >>= 7;
        if value == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

impl<R: Read + Seek> SpoolReader<R> {
    /// Reads from a place on, as [`position`](Self::position) tells it; 0 is the beginning.
    ///
    /// # Errors
    /// Those of reading, and what is no spool.
    pub fn at(mut input: R, position: u64) -> io::Result<Self> {
        let mut mark = [0; MARK.len()];
        input.read_exact(&mut mark)?;
        if mark != *MARK {
            return Err(broken());
        }
        let position = position.max(MARK.len() as u64);
        input.seek(SeekFrom::Start(position))?;
        Ok(Self { input: BufReader::with_capacity(PIECE_BYTES, input), position, row: Vec::new() })
    }

    /// Where the next row begins.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Reads the next row; whether there was one.
    ///
    /// # Errors
    /// Those of reading, and what was not written by a [`SpoolWriter`].
    pub fn next(&mut self, spooled: &mut Spooled) -> io::Result<bool> {
        if self.input.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let mut length = [0; 4];
        self.input.read_exact(&mut length)?;
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        if length > BYTES_MAX {
            return Err(broken());
        }
        self.row.resize(length, 0);
        self.input.read_exact(&mut self.row)?;
        self.position += 4 + length as u64;
        read(&self.row, spooled).ok_or_else(broken)?;
        Ok(true)
    }
}

fn broken() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "no spool of this release")
}

fn read(bytes: &[u8], spooled: &mut Spooled) -> Option<()> {
    let mut bytes = bytes;
    let row = &mut spooled.row;
    row.cells.clear();
    row.number = take_number(&mut bytes)?;
    let (head, rest) = bytes.split_at_checked(2)?;
    bytes = rest;
    spooled.note = *head.first()?;
    row.problem = match usize::from(*head.last()?).checked_sub(1) {
        None => None,
        Some(place) => Some(*RowProblem::EVERY.get(place)?),
    };
    for _ in 0..take_number(&mut bytes)? {
        let length = take_number(&mut bytes)?;
        let kind = match length & 3 {
            0 => CellKind::Text,
            1 => CellKind::Number,
            2 => CellKind::Nested,
            _ => CellKind::Exact,
        };
        let (text, rest) = bytes.split_at_checked(usize::try_from(length >> 2).ok()?)?;
        row.cells.push(std::str::from_utf8(text).ok()?, kind);
        bytes = rest;
    }
    bytes.is_empty().then_some(())
}

fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7F) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
