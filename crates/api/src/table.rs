//! Tables as they are sent: CSV (RFC 4180) for spreadsheets, or one JSON object a line for programs.

use std::borrow::Cow;

use imports::Value;

use crate::error::ApiError;

pub(crate) const CSV_TYPE: &str = "text/csv; charset=utf-8";
pub(crate) const JSON_LINES_TYPE: &str = "application/x-ndjson";
/// Excel reads UTF-8 as such only behind this mark.
pub(crate) const MARK: &str = "\u{feff}";

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Csv,
    JsonLines,
}

impl Format {
    pub(crate) const EVERY: &'static [Self] = &[Self::Csv, Self::JsonLines];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::JsonLines => "jsonl",
        }
    }

    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => CSV_TYPE,
            Self::JsonLines => JSON_LINES_TYPE,
        }
    }

    /// What stands before the rows.
    pub(crate) fn heading(self, columns: &[&str]) -> Vec<u8> {
        let mut out = Vec::new();
        if self == Self::Csv {
            out.extend(MARK.bytes());
            write_row(&mut out, columns.iter().copied());
        }
        out
    }

    /// Adds a row.
    pub(crate) fn row(
        self,
        out: &mut Vec<u8>,
        columns: &[&str],
        values: &[Value<'_>],
    ) -> Result<(), ApiError> {
        match self {
            Self::Csv => {
                write_row(out, values.iter().map(Value::cell));
                Ok(())
            }
            Self::JsonLines => write_object(out, columns, values)
                .map_err(|error| ApiError::internal(format!("a row: {error}"))),
        }
    }
}

fn write_object(
    out: &mut Vec<u8>,
    columns: &[&str],
    values: &[Value<'_>],
) -> serde_json::Result<()> {
    for (place, (name, value)) in columns.iter().zip(values).enumerate() {
        out.push(if place == 0 { b'{' } else { b',' });
        serde_json::to_writer(&mut *out, name)?;
        out.push(b':');
        match value {
            Value::None => out.extend(b"null"),
            Value::Text(text) | Value::Code(text) => serde_json::to_writer(&mut *out, text)?,
            Value::Number(number) => out.extend(number.bytes()),
            Value::Flag(is_so) => serde_json::to_writer(&mut *out, is_so)?,
        }
    }
    out.extend(b"}\n");
    Ok(())
}

/// Adds a row of CSV.
fn write_row<'a>(out: &mut Vec<u8>, cells: impl Iterator<Item = impl Into<Cow<'a, str>>>) {
    write_separated(out, ',', cells);
}

/// Adds a row of CSV whose cells are separated so.
pub(crate) fn write_separated<'a>(
    out: &mut Vec<u8>,
    separator: char,
    cells: impl Iterator<Item = impl Into<Cow<'a, str>>>,
) {
    let mut between = [0; 4];
    let between = separator.encode_utf8(&mut between).as_bytes();
    for (place, cell) in cells.enumerate() {
        let cell: Cow<'_, str> = cell.into();
        if place > 0 {
            out.extend(between);
        }
        if cell.contains(['"', ',', ';', '\r', '\n', '\t']) {
            out.push(b'"');
            out.extend(cell.replace('"', "\"\"").bytes());
            out.push(b'"');
        } else {
            out.extend(cell.bytes());
        }
    }
    out.extend(b"\r\n");
}
