//! The rows of an import that were refused, put together of what was wrong with them as that is read: they are corrected and sent
//! again.

use std::collections::VecDeque;

use kernel::{Language, spreadsheet::guarded};

use crate::{ErrorPlace, ImportError, REPORT, Understood, codes, corrected::marked};

/// Rows of a table that are told one after the other.
#[derive(Debug)]
pub struct RefusedRows {
    header: Vec<String>,
    /// The names of columns, and the fields that they hold.
    columns: Vec<(String, String)>,
    separator: char,
    behind: Option<ErrorPlace>,
    waiting: VecDeque<ImportError>,
    is_over: bool,
}

impl RefusedRows {
    /// How many errors are read at once.
    pub const READ: usize = 100;

    /// Those of an import whose file was understood so.
    #[must_use]
    pub fn of(understood: Option<Understood>) -> Self {
        let Understood { mut header, columns, separator, .. } = understood.unwrap_or_default();
        // Of a file of refused rows that were refused again.
        header.retain(|name| !REPORT.contains(&name.trim()));
        for name in &mut header {
            *name = marked(name).into_owned();
        }
        // The spreadsheet that has written one with semicolons opens another only so.
        let separator = separator.filter(|separator| *separator == ';').unwrap_or(',');
        let waiting = VecDeque::new();
        Self { header, columns, separator, behind: None, waiting, is_over: false }
    }

    /// What is to stand between their cells.
    #[must_use]
    pub const fn separator(&self) -> char {
        self.separator
    }

    /// What stands above the rows.
    pub fn heading(&self) -> impl Iterator<Item = &str> {
        self.header.iter().map(String::as_str).chain(REPORT)
    }

    /// Behind which place errors are to be read before there is another row; `None` once all have been read.
    #[must_use]
    pub const fn reads_on(&self) -> Option<Option<ErrorPlace>> {
        if self.is_over { None } else { Some(self.behind) }
    }

    /// Takes in the errors that were read there, in their order: fewer than [`Self::READ`] are the last.
    pub fn take_in(&mut self, read: Vec<ImportError>) {
        self.is_over = read.len() < Self::READ;
        self.behind = read.last().map(|last| (last.row, last.place)).or(self.behind);
        self.waiting.extend(read);
    }

    /// The next row of which all errors were read: its own cells, which are read again as they came, then what was wrong with
    /// it.
    pub fn next(&mut self, language: Language) -> Option<Vec<String>> {
        let row = self.waiting.front()?.row;
        let last = self.waiting.back()?.row;
        // A row ends where the next one begins, which may be read with the next.
        if row == last && !self.is_over {
            return None;
        }
        let of_row = self.waiting.iter().take_while(|error| error.row == row).count();
        let errors: Vec<ImportError> = self.waiting.drain(..of_row).collect();
        let mut cells = errors.first().and_then(|first| first.cells.clone()).unwrap_or_default();
        // A row that has too many has them still.
        cells.resize(cells.len().max(self.header.len()), String::new());
        let columns: Vec<&str> =
            errors.iter().filter_map(|error| error.column.as_deref()).collect();
        let texts: Vec<String> = errors
            .iter()
            .map(|error| error.code.message().in_language(language).to_owned())
            .collect();
        let said = errors.iter().map(|error| (error.code, self.field(error)));
        let said = codes(said, &cells);
        cells.iter_mut().for_each(|cell| *cell = marked(cell).into_owned());
        let report = [row.to_string(), columns.join("; "), texts.join("; "), said];
        cells.extend(report.iter().map(|text| guarded(text).into_owned()));
        Some(cells)
    }

    /// The field that an error is about.
    fn field(&self, error: &ImportError) -> Option<&str> {
        let name = error.column.as_deref()?;
        let found = self.columns.iter().find(|(column, _)| column == name);
        found.map(|(_, field)| field.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    fn error(row: u64, place: u32, cells: Option<&[&str]>) -> ImportError {
        ImportError {
            row,
            place,
            column: Some("Precio".to_owned()),
            code: Code::BadNumber,
            value: "x".to_owned(),
            cells: cells.map(|cells| cells.iter().map(|cell| (*cell).to_owned()).collect()),
        }
    }

    #[test]
    fn a_row_is_told_once_all_that_is_wrong_with_it_is_known() {
        let understood = Understood {
            header: ["Clave", "Precio", "_row"].map(String::from).to_vec(),
            columns: vec![("Precio".to_owned(), "price".to_owned())],
            ..Understood::default()
        };
        let with = |separator| Understood { separator, ..Understood::default() };
        for (separator, written) in
            [(None, ','), (Some(','), ','), (Some('\t'), ','), (Some(';'), ';')]
        {
            assert_eq!(RefusedRows::of(Some(with(separator))).separator(), written);
        }
        let mut rows = RefusedRows::of(Some(understood));
        assert_eq!(rows.heading().collect::<Vec<_>>()[..3], ["Clave", "Precio", REPORT[0]]);
        assert_eq!(rows.reads_on(), Some(None));
        let last = u32::try_from(RefusedRows::READ).unwrap();
        let of_one =
            (0..last).map(|place| error(2, place, (place == 0).then_some(&["=1", "x", "y"][..])));
        rows.take_in(of_one.collect());
        assert_eq!(rows.next(Language::English), None);
        assert_eq!(rows.reads_on(), Some(Some((2, last - 1))));
        rows.take_in(vec![error(2, last, None), error(5, 0, Some(&["T-1"]))]);
        assert_eq!(rows.reads_on(), None);
        let first = rows.next(Language::English).unwrap();
        assert_eq!((first.len(), &first[..4]), (7, &["'=1", "x", "y", "2"].map(String::from)[..]));
        let second = rows.next(Language::Spanish).unwrap();
        assert_eq!(second[..3], ["T-1", "", "5"]);
        assert_eq!(second.last().unwrap(), "bad_number@price");
        assert_eq!(rows.next(Language::English), None);
    }
}
