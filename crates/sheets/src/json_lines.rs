//! One JSON object a line: its names are the columns.

use std::{collections::HashMap, fmt};

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::{COLUMNS_MAX, CellKind, ROW_BYTES_MAX, Refusal, Row, RowProblem, text::Text};

/// Characters that are shown of a line that is no object.
const SHOWN_CHARS: usize = 200;

/// The columns of a file of JSON Lines, in the order in which they first appear.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    names: Vec<String>,
    places: HashMap<String, usize>,
    bytes: usize,
}

impl Columns {
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    fn take_in(&mut self, name: &str) -> Result<(), Refusal> {
        if self.places.contains_key(name) {
            return Ok(());
        }
        if self.names.len() == COLUMNS_MAX {
            return Err(Refusal::TooManyColumns);
        }
        self.bytes += name.len();
        if self.bytes > ROW_BYTES_MAX {
            return Err(Refusal::NamesTooLong);
        }
        self.places.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        Ok(())
    }
}

/// The lines of a text.
pub(crate) struct Lines<'a> {
    text: Text<'a>,
    buffer: String,
    start: usize,
    number: u64,
}

/// A line, or the beginning of one that is too long.
enum Line<'a> {
    Whole(&'a str),
    TooLong(&'a str),
}

impl<'a> Lines<'a> {
    pub(crate) const fn new(text: Text<'a>) -> Self {
        Self { text, buffer: String::new(), start: 0, number: 0 }
    }

    /// The names of all objects. What is cut off at the end of a head is left alone.
    pub(crate) fn columns(mut self) -> Result<Columns, Refusal> {
        let mut columns = Columns::default();
        while let Some(line) = self.next_line()? {
            let Line::Whole(line) = line else { continue };
            for (name, _) in members(line).unwrap_or_default() {
                columns.take_in(&name)?;
            }
        }
        Ok(columns)
    }

    /// Reads the next row, a cell for each column; whether there was one.
    pub(crate) fn next(&mut self, columns: &Columns, row: &mut Row) -> Result<bool, Refusal> {
        row.cells.clear();
        row.problem = None;
        let read = match self.next_line()? {
            None => return Ok(false),
            Some(Line::TooLong(line)) => Err((RowProblem::TooLong, line)),
            Some(Line::Whole(line)) => members(line).ok_or((RowProblem::NotJson, line)),
        };
        match read {
            Ok(members) => fill(row, columns, &members),
            Err((problem, line)) => {
                let shown: String = line.chars().take(SHOWN_CHARS).collect();
                row.cells.push(&shown, CellKind::Text);
                row.problem = Some(problem);
            }
        }
        row.number = self.number;
        Ok(true)
    }

    /// The next line that says something.
    fn next_line(&mut self) -> Result<Option<Line<'_>>, Refusal> {
        loop {
            let Some((start, end)) = self.range()? else { return Ok(None) };
            self.number += 1;
            if end - start > ROW_BYTES_MAX {
                let end = self.buffer.floor_char_boundary(start + ROW_BYTES_MAX);
                return Ok(Some(Line::TooLong(self.buffer.get(start..end).unwrap_or_default())));
            }
            if self.buffer.get(start..end).is_some_and(|line| !line.trim().is_empty()) {
                let line = self.buffer.get(start..end).unwrap_or_default();
                return Ok(Some(Line::Whole(line.trim())));
            }
        }
    }

    /// Where the next line lies in the buffer. Of one that is too long its beginning does.
    fn range(&mut self) -> Result<Option<(usize, usize)>, Refusal> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let mut looked_at = 0;
        let mut kept = None;
        loop {
            let found = self.buffer.as_bytes().get(looked_at..).unwrap_or_default();
            if let Some(length) = found.iter().position(|byte| *byte == b'\n') {
                let end = looked_at + length;
                self.start = end + 1;
                return Ok(Some((0, kept.unwrap_or(end))));
            }
            // What is beyond the most that is shown need not be kept until the line ends.
            if self.buffer.len() > 2 * ROW_BYTES_MAX {
                let end = self.buffer.floor_char_boundary(ROW_BYTES_MAX + 8);
                self.buffer.truncate(end);
                kept = Some(end);
            }
            looked_at = self.buffer.len();
            if !self.text.more(&mut self.buffer)? {
                self.start = self.buffer.len();
                let end = kept.unwrap_or(self.buffer.len());
                return Ok((end > 0).then_some((0, end)));
            }
        }
    }
}

fn fill(row: &mut Row, columns: &Columns, members: &[(String, Box<RawValue>)]) {
    let mut values: Vec<Option<&str>> = vec![None; columns.names.len()];
    for (name, value) in members {
        let place = columns.places.get(name).and_then(|place| values.get_mut(*place));
        if let Some(place) = place {
            *place = Some(value.get());
        }
    }
    for value in values {
        let value = value.unwrap_or("null");
        match value.as_bytes().first() {
            Some(b'"') => {
                let text: String = serde_json::from_str(value).unwrap_or_default();
                row.cells.push(&text, CellKind::Exact);
            }
            Some(b'{' | b'[') => row.cells.push(value, CellKind::Nested),
            Some(b'-' | b'0'..=b'9') => row.cells.push(value, CellKind::Number),
            _ if value == "null" => row.cells.push("", CellKind::Text),
            _ => row.cells.push(value, CellKind::Text),
        }
    }
}

/// The members of an object, in their order; `None` if it is none, or has a name twice.
fn members(line: &str) -> Option<Vec<(String, Box<RawValue>)>> {
    struct Members;
    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, Box<RawValue>)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }
    let mut json = serde_json::Deserializer::from_str(line);
    let members = json.deserialize_map(Members).ok()?;
    json.end().ok()?;
    let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    let is_unique = names.windows(2).all(|pair| pair.first() != pair.last());
    is_unique.then_some(members)
}
