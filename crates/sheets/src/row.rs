//! A row and its cells.

use kernel::{Message, message};

use crate::ROW_BYTES_MAX;

/// How a cell was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellKind {
    /// As text, which a person may have typed in any form.
    #[default]
    Text,
    /// As a number: plain digits with a decimal point, or as JSON writes it.
    Number,
    /// As a JSON array or object, which no cell can hold.
    Nested,
    /// As text that a program has written: nothing in it is a habit of spreadsheets.
    Exact,
}

/// A cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// What it says.
    pub text: &'a str,
    /// How it was written.
    pub kind: CellKind,
}

/// The cells of one row, in one piece of memory that the next row uses again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells {
    text: String,
    ends: Vec<(usize, CellKind)>,
}

impl Cells {
    /// Adds one behind the others.
    pub fn push(&mut self, text: &str, kind: CellKind) {
        self.text.push_str(text);
        self.ends.push((self.text.len(), kind));
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes they have.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Whether none of them says anything.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The cell in a place, counted from 0.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<Cell<'_>> {
        let &(end, kind) = self.ends.get(place)?;
        let start = place.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = start.map_or(0, |&(start, _)| start);
        Some(Cell { text: self.text.get(start..end)?, kind })
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Cell<'_>> {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// Makes them as many as there are columns, unless more of them than that say something: then they stay as they are,
    /// for whoever corrects them.
    pub(crate) fn fit(&mut self, columns: usize) -> bool {
        while self.len() < columns {
            self.push("", CellKind::Text);
        }
        let beyond = (columns..self.len()).filter_map(|place| self.get(place));
        if beyond.into_iter().any(|cell| !cell.text.trim().is_empty()) {
            return true;
        }
        self.ends.truncate(columns);
        self.text.truncate(self.ends.last().map_or(0, |&(end, _)| end));
        false
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}

/// What is wrong with the form of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowProblem {
    /// It has more bytes than a row may have: a quotation mark was lost, or a line break.
    TooLong,
    /// A quotation mark is never closed.
    UnclosedQuote,
    /// It has more cells than the header has columns.
    TooManyCells,
    /// It is no JSON object, or one with the same name twice.
    NotJson,
}

impl RowProblem {
    /// Every problem.
    pub const EVERY: [Self; 4] =
        [Self::TooLong, Self::UnclosedQuote, Self::TooManyCells, Self::NotJson];

    /// Its code, stable for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLong => "row_too_long",
            Self::UnclosedQuote => "unclosed_quote",
            Self::TooManyCells => "too_many_cells",
            Self::NotJson => "not_json",
        }
    }

    /// What to do about it, as a sentence without its full stop.
    #[must_use]
    pub fn message(self) -> Message {
        match self {
            Self::TooLong => message!(
                "the row has more than {ROW_BYTES_MAX} bytes; is a quotation mark (\") missing?",
                "la fila tiene más de {ROW_BYTES_MAX} bytes; ¿falta una comilla (\")?"
            ),
            Self::UnclosedQuote => message!(
                "a quotation mark (\") is opened and never closed",
                "una comilla (\") se abre y no se cierra"
            ),
            Self::TooManyCells => message!(
                "the row has more cells than there are columns; is a cell with the separator in it not quoted?",
                "la fila tiene más celdas que columnas; ¿hay una celda con el separador sin comillas?"
            ),
            Self::NotJson => message!(
                "the line is not a JSON object, or has the same name twice",
                "la línea no es un objeto JSON o tiene dos veces el mismo nombre"
            ),
        }
    }
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its number as a spreadsheet shows it: the header is 1, empty rows count.
    pub number: u64,
    /// What it says, a cell for each column.
    pub cells: Cells,
    /// What is wrong with its form.
    pub problem: Option<RowProblem>,
}
