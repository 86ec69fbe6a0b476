//! Rows that were refused, as cells of CSV: what is written is read again as it was, to be corrected and sent again.

use std::{borrow::Cow, fmt::Write};

use kernel::spreadsheet::{guarded, unguarded};

use crate::{Cell, Code, Column, Layout, Problem, RowReader, Value, number};

/// The columns that say of a row where it was, what was wrong with it, in words and by codes.
pub const REPORT: [&str; 4] = ["_row", "_column", "_error", CODES];
/// The last of them.
pub(crate) const CODES: &str = "_code";
/// What stands before the digest of a row.
const DIGEST: &str = " #";

/// A cell as it stands in the file of refused rows: nothing in it is a formula. The mark that it gets for that is one more than it had,
/// whatever it holds, and goes when the file is read.
pub(crate) fn marked(cell: &str) -> Cow<'_, str> {
    if is_harmless(cell) { Cow::Borrowed(cell) } else { guarded(cell) }
}

/// A cell of the file of refused rows as it was in the file that they are from.
#[must_use]
pub fn as_it_came(cell: &str) -> &str {
    unguarded(cell)
}

/// Whether a spreadsheet that takes a cell for a formula shows nothing but what it says: a number below zero, or a text in quotation
/// marks, which keep a code from becoming a number.
fn is_harmless(cell: &str) -> bool {
    let is_number = |digits: &str| {
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
    };
    let quoted = cell.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"'));
    quoted.is_some_and(|text| !text.contains('"')) || cell.strip_prefix('-').is_some_and(is_number)
}

/// Whether the row alone, as cells of CSV, does not tell it: the form of its file does, or the rows before it.
const fn is_of_its_file(code: Code) -> bool {
    matches!(
        code,
        Code::DuplicateInFile
            | Code::NotJson
            | Code::RowTooLong
            | Code::UnclosedQuote
            | Code::TooManyCells
            | Code::NestedValue
    )
}

/// What the column of codes says of a row: the code of all that is wrong with it, each with the field that it is about.
/// If the row alone does not tell that, a digest of its cells follows: as long as nobody changes them it is refused again.
pub fn codes<'p>(
    problems: impl Iterator<Item = (Code, Option<&'p str>)>,
    cells: &[String],
) -> String {
    let (mut said, mut is_of_file) = (String::new(), false);
    for (code, field) in problems {
        is_of_file |= is_of_its_file(code);
        let space = if said.is_empty() { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = match field {
            Some(field) => write!(said, "{space}{}@{field}", code.name()),
            None => write!(said, "{space}{}", code.name()),
        };
    }
    if is_of_file {
        let _ = write!(said, "{DIGEST}{:08x}", digest(cells.iter().map(String::as_str)));
    }
    said
}

/// FNV-1a over cells and what stands between them.
fn digest<'c>(cells: impl Iterator<Item = &'c str>) -> u32 {
    let bytes = cells.flat_map(|cell| cell.bytes().chain(std::iter::once(0xFF)));
    bytes.fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Whether these are the columns of a file of refused rows, or of what somebody has kept of one.
pub(crate) fn is_of_refused(header: &[String]) -> bool {
    header.iter().any(|name| REPORT.contains(&name.trim()))
}

impl Layout {
    /// Whether the column in a place is of the table itself, and not of what an import has said of it.
    #[must_use]
    pub fn is_own(&self, place: usize) -> bool {
        self.header().get(place).is_none_or(|name| !REPORT.contains(&name.trim()))
    }

    /// Whether its table is a file of refused rows, whose cells have [marks](as_it_came).
    #[must_use]
    pub fn is_of_refused(&self) -> bool {
        is_of_refused(self.header())
    }

    /// Where, in a row with more cells than there are columns, those begin that an earlier import has added: what there is too
    /// much of stands before them, so that they are no longer below their names.
    #[must_use]
    pub fn report_begins(&self, row: &[Cell<'_>]) -> Option<usize> {
        let columns = self.header().len();
        let names = self.header().get(columns.checked_sub(REPORT.len())?..)?;
        let are_last = names.iter().map(|name| name.trim()).eq(REPORT);
        let codes = row.last().filter(|_| are_last && row.len() > columns)?.text();
        let first = codes.split([' ', '@']).next().unwrap_or_default();
        Code::named(first).map(|_| row.len() - REPORT.len())
    }
}

impl RowReader {
    /// A cell as one of CSV that reads as it did. What names a product of its own file by a number or a handle names it by its
    /// SKU, for the corrected file does not have that product.
    #[must_use]
    pub fn kept_cell<'a>(
        &self,
        place: usize,
        cell: Cell<'a>,
        sku_of: &dyn Fn(&str) -> Option<String>,
    ) -> Cow<'a, str> {
        match cell {
            Cell::Text(text) => {
                let is_in = |column| self.layout.place(column) == Some(place);
                let alias = match is_in(Column::ParentSku) {
                    true => self.number_in(text.trim()),
                    false => Some(text.trim()).filter(|_| is_in(Column::Handle)),
                };
                match alias.and_then(sku_of) {
                    Some(sku) => Cow::Owned(Value::Code(Cow::Owned(sku)).cell().into_owned()),
                    // What told how it is meant may not be among the rows that are given back.
                    None => self.undoubted(place, text).map_or(Cow::Borrowed(text), Cow::Owned),
                }
            }
            Cell::Nested(text) => Cow::Borrowed(text),
            Cell::Number(text) => {
                let column = self.layout.held_at(place).filter(|column| column.is_numeric());
                let written = column.and_then(|_| number::unlike_thousands(text));
                written.map_or(Cow::Borrowed(text), Cow::Owned)
            }
            Cell::Exact(text) => {
                let value = match self.layout.held_at(place) {
                    Some(column) if column.is_numeric() => return Cow::Borrowed(text),
                    Some(column) if column.is_code() => Value::Code(Cow::Borrowed(text)),
                    _ => Value::Text(Cow::Borrowed(text)),
                };
                Cow::Owned(value.cell().into_owned())
            }
        }
    }

    fn undoubted(&self, place: usize, text: &str) -> Option<String> {
        let column = self.layout.held_at(place).filter(|column| column.is_numeric())?;
        number::undoubted(text, self.mark_of(column))
    }

    /// What an earlier import has found wrong with a row that is as it was, where the row alone does not tell.
    #[must_use]
    pub fn refused_before(&self, row: &[Cell<'_>]) -> Option<Vec<Problem>> {
        let said = self.layout.cell(row, Column::Report)?.text().trim();
        let (codes, known) = said.rsplit_once(DIGEST)?;
        let own = row.iter().enumerate().filter(|(place, _)| self.layout.is_own(*place));
        if known != format!("{:08x}", digest(own.map(|(_, cell)| cell.text()))) {
            return None;
        }
        codes.split(' ').map(|code| self.problem_of(row, code)).collect()
    }

    fn problem_of(&self, row: &[Cell<'_>], said: &str) -> Option<Problem> {
        let (code, field) =
            said.split_once('@').map_or((said, None), |(code, of)| (code, Some(of)));
        let code = Code::named(code)?;
        let column = field.and_then(|field| Column::named(self.layout.kind, field));
        let value = column.and_then(|column| self.layout.cell(row, column)).map_or("", Cell::text);
        Some(match column {
            Some(column) => Problem::of(column, code, value),
            None => Problem::of_row(code),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::{EmptyCells, ImportKind, Mode, Others};

    #[test]
    fn cells_are_no_formulas_unless_they_show_what_they_say() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("'=1+1", "''=1+1"),
            ("+525512345678", "'+525512345678"),
            ("@ana", "'@ana"),
            ("-3", "-3"),
            ("-1,234.5", "-1,234.5"),
            ("-20 °C", "'-20 °C"),
            ("-3+cmd", "'-3+cmd"),
            ("-.5", "'-.5"),
            ("'-3", "''-3"),
            ("=\"0750\"", "=\"0750\""),
            ("=\"\"&A1&\"\"", "'=\"\"&A1&\"\""),
            ("=\"", "'=\""),
            ("#N/A", "'#N/A"),
            ("'tis", "'tis"),
            ("Taza", "Taza"),
        ] {
            assert_eq!((marked(cell).as_ref(), as_it_came(written)), (written, cell));
        }
    }

    proptest! {
        #[test]
        fn what_is_marked_is_read_as_it_came(cell in "['=+@a0\"#,.\t\r-]{0,7}|\\PC{0,9}") {
            let written = marked(&cell);
            prop_assert_eq!(as_it_came(&written), cell.as_str());
            let begins = written.starts_with(['=', '+', '-', '@', '\t', '\r']);
            prop_assert!(!begins || is_harmless(&written));
        }
    }

    fn reader(header: &[&str]) -> RowReader {
        let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
        let layout =
            Layout::of(ImportKind::Products, &header, &BTreeMap::new(), Mode::Upsert).unwrap();
        RowReader::new(layout, Vec::new(), EmptyCells::Keep)
    }

    #[test]
    fn cells_of_programs_read_the_same_as_csv() {
        let reader = reader(&["sku", "name", "price", "notas"]);
        let cases = [
            (0, Cell::Exact("7.5E+12"), "=\"7.5E+12\""),
            (0, Cell::Exact("'=1"), "''=1"),
            (0, Cell::Number("1.234"), "1.234"),
            (1, Cell::Exact("=Suma"), "'=Suma"),
            (1, Cell::Text("=Suma"), "=Suma"),
            (2, Cell::Number("1.234"), "1.2340"),
            (2, Cell::Number("1.5"), "1.5"),
            (2, Cell::Exact("-1,234"), "-1,234"),
            (2, Cell::Nested("{}"), "{}"),
            (3, Cell::Exact("+1"), "'+1"),
            (9, Cell::Text("x"), "x"),
        ];
        for (place, cell, written) in cases {
            assert_eq!(reader.kept_cell(place, cell, &|_| None), written, "{cell:?}");
        }
    }

    #[test]
    fn a_number_of_a_parent_becomes_its_sku() {
        let reader = reader(&["ID", "Type", "SKU", "Name", "Regular price", "Parent"]);
        let sku_of = |id: &str| (id == "9").then(|| "7E+3".to_owned());
        assert_eq!(reader.kept_cell(5, Cell::Text("id: 9"), &sku_of), "=\"7E+3\"");
        assert_eq!(reader.kept_cell(5, Cell::Text("id:8"), &sku_of), "id:8");
        assert_eq!(reader.kept_cell(3, Cell::Text("id:9"), &sku_of), "id:9");
    }

    #[test]
    fn a_handle_of_another_row_becomes_its_sku() {
        let reader = reader(&["Handle", "Title", "Variant SKU", "Image Src"]);
        let sku_of = |handle: &str| (handle == "taza").then(|| "T-1".to_owned());
        assert_eq!(reader.kept_cell(0, Cell::Text("taza"), &sku_of), "T-1");
        assert_eq!(reader.kept_cell(0, Cell::Text("camisa"), &sku_of), "camisa");
        assert_eq!(reader.kept_cell(1, Cell::Text("taza"), &sku_of), "taza");
    }

    #[test]
    fn what_an_import_has_said_stands_behind_cells_that_are_too_many() {
        let reader = reader(&["sku", "name", "_row", "_column", "_error", "_code"]);
        let begins = |row: &[&str]| {
            let row: Vec<Cell<'_>> = row.iter().map(|text| Cell::Text(text)).collect();
            reader.layout().report_begins(&row)
        };
        let code = "too_many_cells #0123abcd";
        assert_eq!(begins(&["A", "Taza", "grande", "2", "", "…", code]), Some(3));
        assert_eq!(
            begins(&["A", "Taza", "grande", "azul", "2", "name", "…", "bad_text@name"]),
            Some(4)
        );
        assert_eq!(begins(&["A", "Taza", "2", "", "…", code]), None, "below their names");
        assert_eq!(begins(&["A", "Taza", "grande", "azul", "", "", "roja"]), None, "a person's");
        let other = self::reader(&["_code", "sku"]);
        assert_eq!(other.layout().report_begins(&[Cell::Text(code); 3]), None);
    }

    #[test]
    fn what_only_its_file_tells_is_told_again_of_a_row_that_nobody_has_changed() {
        let reader = reader(&["sku", "name", "price", "_row", "_column", "_error", "_code"]);
        let own = ["T-1", "Taza", "1"].map(str::to_owned);
        let said = codes([(Code::DuplicateInFile, Some("sku"))].into_iter(), &own);
        let row = |sku, said| {
            let cells = [sku, "Taza", "1", "3", "sku", "…", said].map(Cell::Text);
            match reader.read(&cells, &Others::NONE) {
                Ok(_) => String::new(),
                Err(problems) => problems.iter().map(|problem| problem.code.name()).collect(),
            }
        };
        assert_eq!(row("T-1", &said), "duplicate_in_file");
        assert_eq!(row("T-2", &said), "");
        assert_eq!(row("T-1", "duplicate_in_file@sku"), "");
        assert_eq!(row("T-1", ""), "");
        let plain =
            codes([(Code::BadNumber, Some("price")), (Code::Required, None)].into_iter(), &own);
        assert_eq!(plain, "bad_number@price required");
    }
}
