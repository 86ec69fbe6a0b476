//! Whole files, through the public interface.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails here"
)]

mod files;
mod properties;
mod workbooks;

use std::io::Cursor;

use sheets::{Extent, Options, Refusal, Row, Sheet};

/// Names of columns that somebody waits for.
fn is_known(name: &str) -> bool {
    ["sku", "name", "nombre", "precio", "price"].contains(&name.to_lowercase().as_str())
}

/// A file as a table: its header and rows.
fn table_with(bytes: &[u8], options: &Options) -> Result<(Vec<String>, Vec<Row>), Refusal> {
    let mut sheet = Sheet::open(Cursor::new(bytes), options, Extent::Whole, &is_known)?;
    let mut rows = Vec::new();
    sheet.rows(|row| {
        rows.push(row.clone());
        Ok::<_, Refusal>(())
    })?;
    Ok((sheet.header().to_vec(), rows))
}

fn table(bytes: &[u8]) -> Result<(Vec<String>, Vec<Row>), Refusal> {
    table_with(bytes, &Options::default())
}

/// A row's number and cells, the cells separated by bars.
fn shown(row: &Row) -> String {
    let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text).collect();
    let problem = row.problem.map_or("", sheets::RowProblem::code);
    format!("{} {}{problem}", row.number, cells.join("|"))
}

fn check(bytes: &[u8], header: &str, rows: &[&str]) {
    let (names, found) = table(bytes).unwrap();
    assert_eq!(names.join("|"), header);
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), rows);
}

fn code(bytes: &[u8]) -> &'static str {
    table(bytes).map_or_else(|refusal| refusal.code(), |_| "a table")
}
