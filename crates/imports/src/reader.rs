//! Reading the rows of a table: cells as text, numbers and codes, with all that is wrong with them.

use catalog::{Ean, product};
use kernel::{Amount, Measure, Message, quantity::QUANTITY_MAX, spreadsheet::is_sheet_error, text};

use crate::{
    Cell, Code, Column, DecimalMark, EmptyCells, ImportKind, Layout, Problem, Wanted, code,
    customer, number, stock,
};

/// Reads the rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowReader {
    pub(crate) layout: Layout,
    /// The mark of each column that holds numbers.
    marks: Vec<(Column, DecimalMark)>,
    empty: EmptyCells,
}

/// What tells a row from the others of its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowKey {
    /// The column that has it.
    pub column: Column,
    /// What stands there, as rows are compared by it.
    pub text: String,
    /// Where, if the same is told apart by places.
    pub place: Option<String>,
}

/// What other rows of a file say, for those that need it.
#[derive(Clone, Copy)]
pub struct Others<'o> {
    /// Which SKU a product of WooCommerce has that is named by its number.
    pub sku_of: &'o dyn Fn(&str) -> Option<String>,
    /// The least price of the variations of a product of WooCommerce, by its SKU: it has none of its own.
    pub least_price: &'o dyn Fn(&str) -> Option<Amount>,
}

impl Others<'static> {
    /// They say nothing.
    pub const NONE: Self = Self { sku_of: &|_| None, least_price: &|_| None };
}

/// What a cell says of a field: nothing, that it is to be cleared, or a value.
pub(crate) type Said<T> = Option<Option<T>>;

/// A row while it is read.
pub(crate) struct Reading<'r, 'a> {
    pub(crate) reader: &'r RowReader,
    pub(crate) row: &'r [Cell<'a>],
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<Problem>,
}

impl RowReader {
    /// Of tables with these columns, whose numbers have these marks.
    #[must_use]
    pub const fn new(layout: Layout, marks: Vec<(Column, DecimalMark)>, empty: EmptyCells) -> Self {
        Self { layout, marks, empty }
    }

    /// The decimal mark of a column.
    pub(crate) fn mark_of(&self, column: Column) -> DecimalMark {
        let found = self.marks.iter().find(|(of, _)| *of == column);
        found.map_or(DecimalMark::Point, |(_, mark)| *mark)
    }

    /// Which column holds what.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What a row wants.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn read(&self, row: &[Cell<'_>], others: &Others<'_>) -> Result<Wanted, Vec<Problem>> {
        if let Some(problems) = self.refused_before(row) {
            return Err(problems);
        }
        let mut reading = self.reading(row);
        let wanted = match self.layout.kind {
            ImportKind::Products => reading.product_row(others).map(Wanted::Product),
            ImportKind::Customers => reading.customer_row().map(Wanted::Customer),
            ImportKind::Stock => reading.stock_row().map(Wanted::Stock),
        };
        let Reading { problems, warnings, .. } = reading;
        match wanted {
            Some(wanted) if problems.is_empty() => Ok(wanted.warned(warnings)),
            _ if problems.is_empty() => Err(vec![Problem::of_row(Code::Required)]),
            _ => Err(problems),
        }
    }

    /// What tells the row from the others of its file.
    #[must_use]
    pub fn own_key(&self, row: &[Cell<'_>]) -> Option<RowKey> {
        match self.layout.kind {
            ImportKind::Products => {
                let said =
                    self.first_code(row, &[Column::Sku, Column::ExternalId, Column::VariantId]);
                said.or_else(|| {
                    let text = self.stand_in(row)?;
                    Some(RowKey { column: Column::Sku, text, place: None })
                })
            }
            ImportKind::Customers => customer::own_key(self, row),
            ImportKind::Stock => stock::own_key(self, row),
        }
    }

    pub(crate) const fn reading<'r, 'a>(&'r self, row: &'r [Cell<'a>]) -> Reading<'r, 'a> {
        Reading { reader: self, row, problems: Vec::new(), warnings: Vec::new() }
    }

    /// The first of these columns that says something.
    pub(crate) fn first_code(&self, row: &[Cell<'_>], columns: &[Column]) -> Option<RowKey> {
        columns.iter().find_map(|column| {
            let cell = self.layout.cell(row, *column).filter(|cell| !cell.is_blank())?;
            let text = match column {
                Column::Sku | Column::ParentSku | Column::Handle => code::sku(cell),
                _ => code::code(cell),
            };
            Some(RowKey { column: *column, text: text.ok()?, place: None })
        })
    }
}

impl<'a> Reading<'_, 'a> {
    /// The cell of a column that says something that can be read.
    pub(crate) fn cell(&mut self, column: Column) -> Said<Cell<'a>> {
        let cell = self.reader.layout.cell(self.row, column)?;
        if cell.is_blank() {
            return (self.reader.empty == EmptyCells::Clear).then_some(None);
        }
        let text = cell.text();
        if matches!(cell, Cell::Nested(_)) {
            self.refuse(column, Code::NestedValue, text);
            return None;
        }
        if matches!(cell, Cell::Text(_)) && is_sheet_error(text) {
            self.refuse(column, Code::SpreadsheetError, text);
            return None;
        }
        Some(Some(cell))
    }

    /// A field's value, or nothing and a problem.
    pub(crate) fn said<T>(
        &mut self,
        column: Column,
        read: impl FnOnce(&mut Self, Cell<'a>) -> Result<T, Code>,
    ) -> Said<T> {
        let Some(cell) = self.cell(column)? else { return Some(None) };
        match read(self, cell) {
            Ok(value) => Some(Some(value)),
            Err(code) => {
                self.refuse(column, code, cell.text());
                None
            }
        }
    }

    pub(crate) fn refuse(&mut self, column: Column, code: Code, value: &str) {
        self.problems.push(Problem::of(column, code, value));
    }

    pub(crate) fn line(&mut self, column: Column, chars_max: usize) -> Said<String> {
        self.said(column, |_, cell| line(cell.plain(), chars_max))
    }

    pub(crate) fn sku(&mut self, column: Column) -> Option<String> {
        self.said(column, |_, cell| line(&code::sku(cell)?, product::SKU_CHARS_MAX)).flatten()
    }

    pub(crate) fn external_id(&mut self) -> Said<String> {
        let chars_max = text::EXTERNAL_ID_CHARS_MAX;
        self.said(Column::ExternalId, |_, cell| line(&code::code(cell)?, chars_max))
    }

    pub(crate) fn ean(&mut self) -> Said<Ean> {
        self.said(Column::Ean, |reading, cell| {
            let (ean, is_padded) = code::ean(cell)?;
            if is_padded {
                let warning = Problem::of(Column::Ean, Code::EanZerosAdded, cell.text());
                reading.warnings.push(warning);
            }
            Ok(ean)
        })
    }

    pub(crate) fn number(&self, column: Column, cell: Cell<'_>) -> Result<Amount, Code> {
        let plain = number::plain(cell, self.reader.mark_of(column))?;
        Amount::parse(&plain).map_err(|_| fault_of_number(&plain))
    }

    pub(crate) fn word<T>(
        &mut self,
        column: Column,
        fault: Code,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.said(column, |_, cell| read(cell.text().trim()).ok_or(fault)).flatten()
    }

    pub(crate) fn checked(
        &mut self,
        column: Column,
        fault: Code,
        check: impl FnOnce(&str) -> Result<String, Message>,
    ) -> Said<String> {
        self.said(column, |_, cell| check(&code::code(cell)?).map_err(|_| fault))
    }
}

/// A quantity of at least so many units; which decimals it may have, those judge who know what it is of.
pub(crate) fn measure(number: Amount, least: i64) -> Result<Measure, Code> {
    let measure = Measure::read(number).map_err(|_| Code::NotWhole)?;
    let is_possible = Measure::whole(least) <= measure && measure <= Measure::whole(QUANTITY_MAX);
    is_possible.then_some(measure).ok_or(Code::OutOfRange)
}

/// A line of text.
pub(crate) fn line(text: &str, chars_max: usize) -> Result<String, Code> {
    text::line(text, chars_max).map_err(|_| fault_of_text(text, chars_max))
}

pub(crate) fn fault_of_text(text: &str, chars_max: usize) -> Code {
    if text.chars().count() > chars_max { Code::TooLong } else { Code::BadText }
}

pub(crate) fn fault_of_number(plain: &str) -> Code {
    let fraction = plain.split_once('.').map_or("", |(_, fraction)| fraction);
    let is_too_fine = fraction.trim_end_matches('0').len() > 6;
    if is_too_fine { Code::TooManyDecimals } else { Code::OutOfRange }
}
