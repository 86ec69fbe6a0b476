//! What the imports' endpoints read.

use imports::{
    Column, DecimalMark, ENCODINGS, EmptyCells, ImportId, ImportKind, ImportOptions, ImportQuery,
    ImportState, Mode, OnError,
};
use intake::{
    Check, Fields, Form,
    checks::{flag, line, one_of, text},
};
use kernel::{Message, PageRequest, message, page::Cursor};

use crate::page::{page_request, page_request_of};

/// How a file of a kind is to be imported.
pub(super) const fn options(kind: ImportKind) -> Form<ImportOptions> {
    match kind {
        ImportKind::Products => Form::query(|fields| read_options(fields, ImportKind::Products)),
        ImportKind::Customers => Form::query(|fields| read_options(fields, ImportKind::Customers)),
        ImportKind::Stock => Form::query(|fields| read_options(fields, ImportKind::Stock)),
    }
}

/// Which imports of a kind are listed.
pub(super) const fn list(kind: ImportKind) -> Form<ImportQuery> {
    match kind {
        ImportKind::Products => Form::query(|fields| read_list(fields, ImportKind::Products)),
        ImportKind::Customers => Form::query(|fields| read_list(fields, ImportKind::Customers)),
        ImportKind::Stock => Form::query(|fields| read_list(fields, ImportKind::Stock)),
    }
}

pub(super) const ERRORS: Form<PageRequest> =
    Form::query(|fields| Some(page_request(fields, "row", is_row)));

/// What leaves a column alone.
const NOTHING: &str = "none";
/// The most characters of a sheet's name (Excel has 31).
const SHEET_CHARS_MAX: usize = 100;

fn read_options(fields: &mut Fields<'_>, kind: ImportKind) -> Option<ImportOptions> {
    let mode = one_of(Mode::EVERY, Mode::name).about(
        "`upsert`, the default, creates what is not there and changes what is; `create` and `update` refuse the other.",
    );
    let on_error = one_of(OnError::EVERY, OnError::name).about(
        "`skip`, the default, goes on behind rows that are refused; `abort` stops at the first, and writes nothing if a \
         row of the file cannot be read.",
    );
    let about = "`true` writes nothing and says what would become of the rows; the first of them are shown as `preview`.";
    let dry_run = flag().about(about);
    let empty_cells = one_of(EmptyCells::EVERY, EmptyCells::name)
        .about("`keep`, the default, leaves fields alone whose cells are empty; `clear` clears those that can be.");
    let decimal = one_of(DecimalMark::EVERY, DecimalMark::name).about(
        "Decimal mark of all numbers, `.` or `,`; needed only where the file does not tell.",
    );
    let encoding = one_of(ENCODINGS, |name| name)
        .about("How the characters are written; needed only for `cp850` and `macintosh`.");
    let sheet =
        line(SHEET_CHARS_MAX).about("Sheet of a workbook; by default the first visible one.");
    let column = text(move |name: &str| column(kind, name)).about(
        "What a column holds, by its name in the file: `mapping[P. Mayoreo]=price`, or `none` to leave it alone. It comes \
         before what the name of the column says.",
    );
    // Stock is of what is there, and a count cannot be cleared.
    let is_stock = kind == ImportKind::Stock;
    let mode = if is_stock { None } else { fields.change("mode", mode) };
    let empty_cells = if is_stock { None } else { fields.change("emptyCells", empty_cells) };
    Some(ImportOptions {
        mode: mode.unwrap_or_default(),
        on_error: fields.change("onError", on_error).unwrap_or_default(),
        dry_run: fields.change("dryRun", dry_run).unwrap_or_default(),
        empty_cells: empty_cells.unwrap_or_default(),
        decimal: fields.change("decimal", decimal),
        encoding: fields.change("encoding", encoding).map(str::to_owned),
        sheet: fields.change("sheet", sheet),
        mapping: fields.entries("mapping", "mapping[column]", column).into_iter().collect(),
    })
}

/// Whether this is the place of a refused row: its number, and which of the row's problems it is.
fn is_row(cursor: &Cursor) -> bool {
    [&cursor.key, &cursor.id].iter().all(|number| number.parse::<i64>().is_ok())
}

/// The field that a column holds.
fn column(kind: ImportKind, name: &str) -> Result<Option<String>, Message> {
    if name == NOTHING {
        return Ok(None);
    }
    let found = Column::named(kind, name).map(|column| Some(column.name().to_owned()));
    found.ok_or_else(|| {
        let names: Vec<&str> = Column::fields(kind).iter().map(|column| column.name()).collect();
        let names = names.join(", ");
        message!("must be one of {names}, none", "debe ser uno de {names}, none")
    })
}

fn read_list(fields: &mut Fields<'_>, kind: ImportKind) -> Option<ImportQuery> {
    let status = one_of(ImportState::EVERY, ImportState::name).about("Filter by status.");
    Some(ImportQuery {
        kind,
        state: fields.change("status", status),
        page: page_request_of(fields, "-createdAt", ImportId::PREFIX),
    })
}
