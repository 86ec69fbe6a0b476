//! What the beginning of a file shows, before anybody has said what its columns hold.

use crate::{Column, ImportKind, Layout};

/// The most rows that are shown of a file.
pub const SAMPLES_MAX: usize = 3;
/// The most characters that are shown of a cell.
pub const SAMPLE_CHARS_MAX: usize = 40;

/// A column of a file, before it is known what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeekedColumn {
    /// Its name in the first row.
    pub name: String,
    /// What it is taken for by that name.
    pub guess: Option<Column>,
    /// What stands there in the first rows; a long cell ends in an ellipsis.
    pub samples: Vec<String>,
}

/// The beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peek {
    /// Its columns, in their order.
    pub columns: Vec<PeekedColumn>,
    /// How its characters are written.
    pub encoding: Option<String>,
    /// What stands between its cells.
    pub separator: Option<char>,
}

impl Peek {
    /// A file with this header and these first rows.
    #[must_use]
    pub fn of(kind: ImportKind, header: &[String], rows: &[Vec<String>]) -> Self {
        let guesses = Layout::guessed(kind, header);
        let column = |(place, (name, guess)): (usize, (&String, Option<Column>))| PeekedColumn {
            name: name.clone(),
            guess,
            samples: rows.iter().filter_map(|row| row.get(place)).map(|cell| short(cell)).collect(),
        };
        let columns = header.iter().zip(guesses).enumerate().map(column).collect();
        Self { columns, encoding: None, separator: None }
    }

    /// The names of the columns.
    #[must_use]
    pub fn header(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Whether the column in a place can be told apart by its name: it has one, and no column before it has the same.
    #[must_use]
    pub fn is_named(&self, place: usize) -> bool {
        let Some(column) = self.columns.get(place) else { return false };
        let mut before = self.columns.iter().take(place);
        !column.name.is_empty() && !before.any(|other| other.name == column.name)
    }
}

/// A cell as it is shown, on one line.
fn short(cell: &str) -> String {
    let mut characters = cell.trim().chars();
    let beginning = characters.by_ref().take(SAMPLE_CHARS_MAX);
    let mut shown: String = beginning.map(|one| if one.is_control() { ' ' } else { one }).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_shown_with_what_stands_there() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let header: Vec<String> = names(&["Clave", "Notas", "Clave", ""]);
        let long = "a".repeat(SAMPLE_CHARS_MAX + 1);
        let rows: [Vec<String>; 2] = [names(&["T-1", "una\notra"]), names(&["T-2", &long])];
        let peek = Peek::of(ImportKind::Products, &header, &rows);
        assert_eq!(peek.header(), header);
        let [sku, notes, ..] = peek.columns.as_slice() else { panic!("{peek:?}") };
        assert_eq!(
            (sku.guess, sku.samples.as_slice()),
            (Some(Column::Sku), &["T-1", "T-2"].map(String::from)[..])
        );
        assert_eq!((notes.guess, notes.samples[0].as_str()), (None, "una otra"));
        assert!(notes.samples[1].ends_with("a…"));
        let named: Vec<bool> = (0..5).map(|place| peek.is_named(place)).collect();
        assert_eq!(named, [true, true, false, false, false]);
    }
}
