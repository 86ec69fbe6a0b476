//! Excel workbooks (Office Open XML), read cell by cell.

use std::io::{Read, Seek};

use calamine::{Data, DataRef, Reader as _, SheetType, SheetVisible, Xlsx, XlsxError};
use zip::ZipArchive;

use crate::{
    COLUMNS_MAX, CellKind, ROW_BYTES_MAX, Refusal, Row, RowProblem, Unsupported,
    WORKBOOK_BYTES_MAX, WORKBOOK_ROWS_MAX,
};

/// The most bytes of all parts that are kept in memory, above all the texts that cells share.
const KEPT_BYTES_MAX: u64 = 64 << 20;
/// The most bytes of all sheets.
const SHEETS_BYTES_MAX: u64 = 1 << 30;
/// The most bytes between two tags; Excel has at most 32,767 characters in a cell.
const TEXT_BYTES_MAX: usize = 1 << 20;
/// The most parts of a workbook.
const PARTS_MAX: usize = 10_000;

/// Calls `each` with the rows of a sheet, the first visible one unless one is named, until that refuses.
pub(crate) fn rows<E: From<Refusal>>(
    mut input: impl Read + Seek,
    sheet: Option<&str>,
    mut each: impl FnMut(&mut Row) -> Result<(), E>,
) -> Result<(), E> {
    refuse_bombs(&mut input)?;
    let mut workbook = Xlsx::new(&mut input).map_err(|error| refusal(&error))?;
    let name = chosen(&workbook, sheet)?;
    let mut cells = workbook.worksheet_cells_reader(&name).map_err(|error| refusal(&error))?;
    let mut row = Row::default();
    let mut rows = 0;
    loop {
        let cell = cells.next_cell().map_err(|error| refusal(&error))?;
        let position = cell.as_ref().map(calamine::Cell::get_position);
        let is_next = position.is_none_or(|(line, _)| u64::from(line) + 1 != row.number);
        if is_next && !row.cells.is_empty() {
            if !row.cells.is_blank() || row.problem.is_some() {
                rows += 1;
                if rows > WORKBOOK_ROWS_MAX + 1 {
                    return Err(Refusal::TooManyRows { most: WORKBOOK_ROWS_MAX }.into());
                }
                each(&mut row)?;
            }
            row.cells.clear();
            row.problem = None;
        }
        let (Some(cell), Some((line, column))) = (cell, position) else { return Ok(()) };
        let number = u64::from(line) + 1;
        if number < row.number {
            return Err(Refusal::Damaged("rows are out of order".to_owned()).into());
        }
        row.number = number;
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        let is_beyond = column >= COLUMNS_MAX && !matches!(cell.get_value(), DataRef::Empty);
        if is_beyond || column < row.cells.len() && row.problem.is_none() {
            return Err(Refusal::TooManyColumns.into());
        }
        if column < COLUMNS_MAX && row.problem.is_none() {
            while row.cells.len() < column {
                row.cells.push("", CellKind::Text);
            }
            let (text, kind) = shown(cell.get_value());
            row.cells.push(&text, kind);
            if row.cells.bytes() > ROW_BYTES_MAX {
                row.cells.clear();
                row.cells.push("", CellKind::Text);
                row.problem = Some(RowProblem::TooLong);
            }
        }
    }
}

/// Looks at how large a workbook is once it is inflated, before anything of it is kept.
fn refuse_bombs(input: &mut (impl Read + Seek)) -> Result<(), Refusal> {
    let length = input.seek(std::io::SeekFrom::End(0))?;
    if length > WORKBOOK_BYTES_MAX {
        return Err(Refusal::WorkbookTooLarge);
    }
    input.rewind()?;
    let damaged = |error: zip::result::ZipError| Refusal::Damaged(error.to_string());
    let mut archive = ZipArchive::new(&mut *input).map_err(damaged)?;
    if archive.len() > PARTS_MAX {
        return Err(Refusal::WorkbookTooLarge);
    }
    let is_workbook = archive
        .file_names()
        .any(|name| name.is_ok_and(|name| name.eq_ignore_ascii_case("xl/workbook.xml")));
    if !is_workbook {
        return Err(Refusal::Unsupported(Unsupported::Archive));
    }
    // A sheet may lie anywhere: its workbook says where. Pictures hardly grow when they are inflated.
    let (mut kept, mut sheets, mut media) = (KEPT_BYTES_MAX, SHEETS_BYTES_MAX, WORKBOOK_BYTES_MAX);
    for place in 0..archive.len() {
        let mut part = archive.by_index(place).map_err(damaged)?;
        let name = part.name().map_err(damaged)?.to_ascii_lowercase();
        if part.is_dir() {
            continue;
        }
        let (left, text_max) = match name.as_str() {
            name if name.starts_with("xl/worksheets/sheet") => (&mut sheets, TEXT_BYTES_MAX),
            name if name.starts_with("xl/media/") => (&mut media, usize::MAX),
            _ => (&mut kept, TEXT_BYTES_MAX),
        };
        *left -= inflated(&mut part, *left, text_max)?;
    }
    drop(archive);
    input.rewind()?;
    Ok(())
}

/// How many bytes a part has, of which so many at most may stand between two tags.
fn inflated(part: &mut impl Read, most: u64, text_max: usize) -> Result<u64, Refusal> {
    let (mut size, mut between_tags) = (0, 0);
    let mut piece = vec![0; 64 * 1024];
    loop {
        let read = part.read(&mut piece).map_err(|error| Refusal::Damaged(error.to_string()))?;
        let Some(bytes) = piece.get(..read).filter(|bytes| !bytes.is_empty()) else {
            return Ok(size);
        };
        size += read as u64;
        for span in bytes.split_inclusive(|byte| *byte == b'<') {
            between_tags += span.len();
            if between_tags > text_max {
                return Err(Refusal::WorkbookTooLarge);
            }
            if span.ends_with(b"<") {
                between_tags = 0;
            }
        }
        if size > most {
            return Err(Refusal::WorkbookTooLarge);
        }
    }
}

fn chosen<RS: Read + Seek>(workbook: &Xlsx<RS>, wanted: Option<&str>) -> Result<String, Refusal> {
    let sheets = || {
        let sheets = workbook.sheets_metadata().iter();
        sheets.filter(|sheet| sheet.typ == SheetType::WorkSheet)
    };
    let found = match wanted {
        Some(name) => sheets().find(|sheet| sheet.name.trim() == name.trim()),
        None => sheets().find(|sheet| sheet.visible == SheetVisible::Visible),
    };
    let names = || sheets().map(|sheet| sheet.name.clone()).collect();
    found.map(|sheet| sheet.name.clone()).ok_or_else(|| Refusal::NoSuchSheet { sheets: names() })
}

fn refusal(error: &XlsxError) -> Refusal {
    match error {
        XlsxError::Password => Refusal::Unsupported(Unsupported::Archive),
        _ => Refusal::Damaged(error.to_string()),
    }
}

/// A cell as people see it.
fn shown(value: &DataRef<'_>) -> (String, CellKind) {
    let text = |text: &str| (text.to_owned(), CellKind::Text);
    match value {
        DataRef::Empty => text(""),
        DataRef::Int(number) => (number.to_string(), CellKind::Number),
        DataRef::Float(number) => (decimal(*number), CellKind::Number),
        DataRef::String(string) | DataRef::DateTimeIso(string) | DataRef::DurationIso(string) => {
            text(string)
        }
        DataRef::SharedString(string) => text(string),
        DataRef::Bool(is_true) => text(if *is_true { "true" } else { "false" }),
        DataRef::DateTime(moment) => {
            let (year, month, day, ..) = moment.to_ymd_hms_milli();
            (format!("{year:04}-{month:02}-{day:02}"), CellKind::Text)
        }
        DataRef::Error(error) => text(&Data::Error(error.clone()).to_string()),
    }
}

/// A number with the 15 digits that Excel keeps and shows: its sums are binary underneath.
fn decimal(number: f64) -> String {
    if !number.is_finite() {
        return "#NUM!".to_owned();
    }
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    format!("{rounded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_excel_shows() {
        let cases = [
            (19.99, "19.99"),
            (0.1 + 0.2, "0.3"),
            (7_501_031_311_309.0, "7501031311309"),
            (1e21, "1000000000000000000000"),
            (0.000_001, "0.000001"),
            (-3.0, "-3"),
            (f64::NAN, "#NUM!"),
        ];
        for (number, text) in cases {
            assert_eq!(decimal(number), text);
        }
    }
}
