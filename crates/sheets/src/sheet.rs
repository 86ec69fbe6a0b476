//! A file as a table: a header and rows.

use std::io::{Read, Seek};

use crate::{
    COLUMNS_MAX, CellKind, Encoding, FILE_BYTES_MAX, Kind, ROWS_MAX, Refusal, Row, RowProblem,
    Unsupported,
    delimited::Delimited,
    encoding::{self, Decoding},
    json_lines::{Columns, Lines},
    separator::{self, FIRST_ROWS, header_among},
    survey::{HEAD_BYTES, survey},
    text::{Inflated, Text},
    workbook,
};

/// How much of a file is looked at before its rows are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Its beginning: enough to tell a wrong file while whoever sent it waits.
    Head,
    /// All of it, on which its encoding depends.
    Whole,
}

/// What its sender says of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How its characters are written, unless they tell.
    pub encoding: Option<Encoding>,
    /// The sheet of a workbook that is read, instead of the first visible one.
    pub sheet: Option<String>,
}

/// A table in a file.
#[derive(Debug)]
pub struct Sheet<R> {
    input: R,
    is_compressed: bool,
    form: Form,
    header: Vec<String>,
}

/// How the rows are written.
#[derive(Debug)]
enum Form {
    Delimited { encoding: Encoding, separator: u8, skip: usize, above: usize },
    JsonLines { encoding: Encoding, columns: Columns },
    Workbook { sheet: Option<String>, above: usize },
}

/// The first rows that say something, of which one is the header.
#[derive(Default)]
struct FirstRows {
    names: Vec<Result<Vec<String>, Refusal>>,
    /// How many names of each row are known.
    known: Vec<usize>,
}

impl FirstRows {
    /// Looks at the next one; whether the header may stand below it.
    fn look_at(&mut self, row: &Row, is_known: &dyn Fn(&str) -> bool) -> bool {
        let names = header(row);
        let known = |names: &Vec<String>| names.iter().filter(|name| is_known(name)).count();
        self.known.push(names.as_ref().map_or(0, known));
        self.names.push(names);
        let is_first = self.known.first().is_some_and(|known| *known > 1);
        !is_first && self.known.len() < FIRST_ROWS && header_among(&self.known) == 0
    }

    /// The names of the columns, and how many rows stand above them.
    fn header(self) -> Result<(Vec<String>, usize), Refusal> {
        let above = header_among(&self.known);
        let names = self.names.into_iter().nth(above).unwrap_or(Err(Refusal::Empty));
        names.map(|names| (names, above))
    }
}

/// Reading ends early, without a fault.
enum Stop {
    Here,
    Refused(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl<R: Read + Seek> Sheet<R> {
    /// Looks at a file. `is_known` says whether a text is the name of a column that somebody waits for, which tells
    /// separators apart.
    ///
    /// # Errors
    /// Why it cannot be read as a table.
    pub fn open(
        mut input: R,
        options: &Options,
        extent: Extent,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Refusal> {
        if input.seek(std::io::SeekFrom::End(0))? > FILE_BYTES_MAX {
            return Err(Refusal::TooLarge);
        }
        input.rewind()?;
        let mut first = vec![0; 4_096];
        let read = Inflated::new(&mut input, false).read(&mut first)?;
        first.truncate(read);
        input.rewind()?;
        match Kind::of(&first).map_err(Refusal::Unsupported)? {
            Kind::Workbook => Self::open_workbook(input, options, is_known),
            Kind::Gzip => Self::open_text(input, true, options, extent, is_known),
            Kind::JsonLines | Kind::Delimited => {
                Self::open_text(input, false, options, extent, is_known)
            }
        }
    }

    /// The names of its columns, as they stand there.
    #[must_use]
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// How its characters are written; a workbook says it itself.
    #[must_use]
    pub const fn encoding(&self) -> Option<Encoding> {
        match &self.form {
            Form::Delimited { encoding, .. } | Form::JsonLines { encoding, .. } => Some(*encoding),
            Form::Workbook { .. } => None,
        }
    }

    /// What stands between its cells.
    #[must_use]
    pub const fn separator(&self) -> Option<char> {
        match &self.form {
            Form::Delimited { separator, .. } => Some(*separator as char),
            Form::JsonLines { .. } | Form::Workbook { .. } => None,
        }
    }

    /// Calls `each` with every row that says something, in their order, until that refuses. Every row has as many cells
    /// as there are columns, unless something is wrong with its form.
    ///
    /// # Errors
    /// Why reading cannot go on, and what `each` refuses with.
    pub fn rows<E: From<Refusal>>(
        &mut self,
        mut each: impl FnMut(&Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let width = self.header.len();
        let mut rows = 0;
        self.all(|row| {
            rows += 1;
            if rows > ROWS_MAX {
                return Err(Refusal::TooManyRows { most: ROWS_MAX }.into());
            }
            if row.problem.is_none() && row.cells.fit(width) {
                row.problem = Some(RowProblem::TooManyCells);
            }
            each(row)
        })
    }

    /// The rows below the header, as they are. What stands above it is left out.
    fn all<E: From<Refusal>>(
        &mut self,
        mut each: impl FnMut(&mut Row) -> Result<(), E>,
    ) -> Result<(), E> {
        self.input.rewind().map_err(Refusal::from)?;
        let input = &mut self.input;
        let mut row = Row::default();
        match &self.form {
            Form::Delimited { encoding, separator, skip, above } => {
                let text = text(input, self.is_compressed, *encoding);
                let mut rows = Delimited::new(text, *separator, *skip)?;
                let mut places = 0..=*above;
                while rows.next(&mut row)? {
                    if places.next().is_none() {
                        each(&mut row)?;
                    }
                }
                Ok(())
            }
            Form::JsonLines { encoding, columns } => {
                let mut lines = Lines::new(text(input, self.is_compressed, *encoding));
                while lines.next(columns, &mut row)? {
                    each(&mut row)?;
                }
                Ok(())
            }
            Form::Workbook { sheet, above } => {
                let mut places = 0..=*above;
                workbook::rows(input, sheet.as_deref(), |row| match places.next() {
                    Some(_) => Ok(()),
                    None => each(row),
                })
            }
        }
    }

    fn open_text(
        mut input: R,
        is_compressed: bool,
        options: &Options,
        extent: Extent,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Refusal> {
        let survey = survey(Inflated::new(&mut input, is_compressed), options.encoding, extent)?;
        let encoding = survey.encoding;
        let kind = match Kind::of(&survey.head).map_err(Refusal::Unsupported)? {
            Kind::Gzip | Kind::Workbook => {
                return Err(Refusal::Unsupported(Unsupported::Archive));
            }
            kind => kind,
        };
        input.rewind()?;
        if kind == Kind::JsonLines {
            let columns = match extent {
                Extent::Whole => Lines::new(text(&mut input, is_compressed, encoding)).columns()?,
                Extent::Head => {
                    let head = survey.head.as_slice();
                    Lines::new(text(&mut &*head, false, encoding)).columns()?
                }
            };
            let header = columns.names().to_vec();
            let form = Form::JsonLines { encoding, columns };
            return Ok(Self { input, is_compressed, form, header });
        }
        let mut head = encoding::lossy(encoding, &survey.head);
        // A character that is cut off at the end of the head is no part of it.
        if survey.head.len() == HEAD_BYTES {
            head.truncate(head.trim_end_matches('\u{FFFD}').len());
        }
        let named = separator::named(&head);
        let (separator, skip) = named.unwrap_or_else(|| (separator::likeliest(&head, is_known), 0));
        let mut rows = Delimited::new(text(&mut input, is_compressed, encoding), separator, skip)?;
        let (mut row, mut first) = (Row::default(), FirstRows::default());
        while rows.next(&mut row)? && first.look_at(&row, is_known) {}
        let (header, above) = first.header()?;
        drop(rows);
        let form = Form::Delimited { encoding, separator, skip, above };
        Ok(Self { input, is_compressed, form, header })
    }

    fn open_workbook(
        mut input: R,
        options: &Options,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Refusal> {
        let sheet = options.sheet.clone();
        let mut first = FirstRows::default();
        let read = workbook::rows(&mut input, sheet.as_deref(), |row| {
            if first.look_at(row, is_known) { Ok(()) } else { Err(Stop::Here) }
        });
        match read {
            Err(Stop::Refused(refusal)) => Err(refusal),
            Ok(()) | Err(Stop::Here) => {
                let (header, above) = first.header()?;
                let form = Form::Workbook { sheet, above };
                Ok(Self { input, is_compressed: false, form, header })
            }
        }
    }
}

fn text<'a>(input: &'a mut (impl Read + 'a), is_compressed: bool, encoding: Encoding) -> Text<'a> {
    Text::new(Inflated::new(input, is_compressed), Decoding::of(encoding))
}

/// The names of the columns that a row has; what is blank behind the last of them is no column.
fn header(row: &Row) -> Result<Vec<String>, Refusal> {
    match row.problem {
        Some(RowProblem::TooManyCells) => return Err(Refusal::TooManyColumns),
        Some(_) => return Err(Refusal::HeaderTooLong),
        None => {}
    }
    let mut names: Vec<String> = row
        .cells
        .iter()
        .filter(|cell| cell.kind != CellKind::Nested)
        .map(|cell| cell.text.trim().to_owned())
        .collect();
    while names.last().is_some_and(String::is_empty) {
        names.pop();
    }
    if names.len() > COLUMNS_MAX { Err(Refusal::TooManyColumns) } else { Ok(names) }
}
