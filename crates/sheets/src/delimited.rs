//! Cells between separators: RFC 4180, and what programs write instead of it.
//!
//! A row whose quotation mark is never closed would swallow all that follow. Once it has swallowed too much it is told
//! as one bad row, and reading goes on behind its first line.

use csv_core::{ReadRecordResult, Reader};

use crate::{
    COLUMNS_MAX, CellKind, ROW_BYTES_MAX, Refusal, Row, RowProblem, separator, text::Text,
};

/// Rows without an end that are told one by one; each of them may cost reading a row's most bytes twice.
const RESYNCS_MAX: usize = 1_000;
/// The most cells that a row is looked at; those beyond the header's are only told.
const CELLS_MAX: usize = 4 * COLUMNS_MAX;
/// A byte order mark.
const MARK: &[u8] = "\u{feff}".as_bytes();
/// Characters that are shown of a row that has no end.
const SHOWN_CHARS: usize = 200;

/// The rows of a text.
pub(crate) struct Delimited<'a> {
    text: Text<'a>,
    reader: Reader,
    /// What has been decoded and may still be needed.
    buffer: String,
    /// Where the row under way begins in it.
    start: usize,
    /// Up to where it has been parsed.
    place: usize,
    /// Whether the last row ended with a carriage return, to which a line feed may still belong.
    is_behind_return: bool,
    is_over: bool,
    number: u64,
    resyncs: usize,
    output: Vec<u8>,
    ends: Vec<usize>,
}

/// How a row ended.
enum End {
    Row { bytes: usize, cells: usize },
    Problem(RowProblem),
}

impl<'a> Delimited<'a> {
    /// Rows of `text` from its `skip`-th byte on.
    pub(crate) fn new(text: Text<'a>, separator: u8, skip: usize) -> Result<Self, Refusal> {
        let mut rows = Self {
            text,
            reader: separator::reader(separator),
            buffer: String::new(),
            start: 0,
            place: 0,
            is_behind_return: false,
            is_over: false,
            number: 0,
            resyncs: 0,
            output: vec![0; 4_096],
            ends: vec![0; 64],
        };
        while rows.buffer.len() < skip && rows.load()? {}
        rows.start = skip.min(rows.buffer.len());
        rows.place = rows.start;
        Ok(rows)
    }

    /// Reads the next row that says something; whether there was one.
    pub(crate) fn next(&mut self, row: &mut Row) -> Result<bool, Refusal> {
        loop {
            if !self.skip_empty_lines()? {
                return Ok(false);
            }
            self.number += 1;
            row.number = self.number;
            row.problem = None;
            row.cells.clear();
            match self.parse()? {
                End::Row { bytes, cells } => self.take(row, bytes, cells),
                End::Problem(problem) => {
                    self.resync(row)?;
                    row.problem = Some(problem);
                    return Ok(true);
                }
            }
            self.is_behind_return =
                self.buffer.as_bytes().get(self.place.wrapping_sub(1)) == Some(&b'\r');
            self.start = self.place;
            if !row.cells.is_blank() {
                return Ok(true);
            }
        }
    }

    /// Goes on to where a row begins; whether there is one.
    fn skip_empty_lines(&mut self) -> Result<bool, Refusal> {
        loop {
            match self.buffer.as_bytes().get(self.start).copied() {
                Some(b'\n') if self.is_behind_return => self.is_behind_return = false,
                Some(byte @ (b'\r' | b'\n')) => {
                    self.number += 1;
                    self.is_behind_return = byte == b'\r';
                }
                // The reader leaves a mark out where a row begins, and takes one alone for the end of all rows.
                Some(_) if self.begins_with_mark() => {
                    self.is_behind_return = false;
                    self.start += MARK.len() - 1;
                }
                Some(_) => {
                    self.is_behind_return = false;
                    self.place = self.start;
                    return Ok(true);
                }
                None if self.load()? => continue,
                None => return Ok(false),
            }
            self.start += 1;
            self.place = self.start;
        }
    }

    fn begins_with_mark(&self) -> bool {
        let rest = self.buffer.as_bytes().get(self.start..);
        rest.is_some_and(|rest| rest.starts_with(MARK))
    }

    /// Decodes another piece; whether there was one.
    fn load(&mut self) -> Result<bool, Refusal> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.place -= self.start;
            self.start = 0;
        }
        self.is_over = !self.text.more(&mut self.buffer)?;
        Ok(!self.is_over)
    }

    fn parse(&mut self) -> Result<End, Refusal> {
        self.reader.reset();
        let (mut bytes, mut cells) = (0, 0);
        loop {
            // The reader takes no bytes for the end of the text, wherever in a row a piece of it ends.
            if self.place >= self.buffer.len() && !self.is_over {
                self.load()?;
                continue;
            }
            let input = self.buffer.as_bytes().get(self.place..).unwrap_or_default();
            // A line break behind the text ends its last row, unless that is still within quotation marks.
            let is_last = input.is_empty() && self.is_over;
            let input = if is_last { b"\n" } else { input };
            let output = self.output.get_mut(bytes..).unwrap_or_default();
            let ends = self.ends.get_mut(cells..).unwrap_or_default();
            let (result, read, wrote, ended) = self.reader.read_record(input, output, ends);
            if !is_last {
                self.place += read;
            }
            (bytes, cells) = (bytes + wrote, cells + ended);
            match result {
                ReadRecordResult::Record => return Ok(End::Row { bytes, cells }),
                ReadRecordResult::OutputFull => self.output.resize(self.output.len() * 2, 0),
                ReadRecordResult::OutputEndsFull if self.ends.len() >= CELLS_MAX => {
                    return Ok(End::Problem(RowProblem::TooManyCells));
                }
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                ReadRecordResult::InputEmpty | ReadRecordResult::End if is_last => {
                    return Ok(End::Problem(RowProblem::UnclosedQuote));
                }
                ReadRecordResult::InputEmpty | ReadRecordResult::End => {}
            }
            if self.place - self.start > ROW_BYTES_MAX {
                return Ok(End::Problem(RowProblem::TooLong));
            }
            if matches!(result, ReadRecordResult::InputEmpty) && !is_last {
                self.load()?;
            }
        }
    }

    fn take(&self, row: &mut Row, bytes: usize, cells: usize) {
        // What is between ASCII separators of a text is text.
        let text = self.output.get(..bytes).map(String::from_utf8_lossy).unwrap_or_default();
        let mut start = 0;
        for &end in self.ends.iter().take(cells) {
            row.cells.push(text.get(start..end).unwrap_or_default(), CellKind::Text);
            start = end;
        }
    }

    /// Goes on behind the first line of a row that has no end.
    fn resync(&mut self, row: &mut Row) -> Result<(), Refusal> {
        self.resyncs += 1;
        if self.resyncs > RESYNCS_MAX {
            return Err(Refusal::LostQuotes);
        }
        let line = self.buffer.get(self.start..).unwrap_or_default();
        let line = line.split(['\r', '\n']).next().unwrap_or_default();
        let shown = line.char_indices().nth(SHOWN_CHARS).map_or(line.len(), |(end, _)| end);
        row.cells.push(line.get(..shown).unwrap_or_default(), CellKind::Text);
        loop {
            let rest = self.buffer.as_bytes().get(self.start..).unwrap_or_default();
            if let Some(length) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
                self.is_behind_return = rest.get(length) == Some(&b'\r');
                self.start += length + 1;
                self.place = self.start;
                return Ok(());
            }
            self.start = self.buffer.len();
            self.place = self.start;
            if !self.load()? {
                return Ok(());
            }
        }
    }
}
