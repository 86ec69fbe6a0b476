//! What was wrong with rows.

use ::imports::{Batch, Code, ErrorPlace, ImportError, ImportId, Problem, RawCells};
use diesel::prelude::*;
use kernel::AccountId;

use crate::{
    db::Db,
    rows::read,
    schema::import_errors::{self as table, dsl},
    statement::{Bound, Statement, columns},
    stored::{from_text, to_text},
};

/// The most errors of one row that are kept.
const OF_A_ROW_MAX: usize = 20;

#[derive(Clone, Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
pub(super) struct ErrorRow {
    account_id: String,
    import_id: String,
    pub(super) row_number: i64,
    pub(super) place: i64,
    column_name: Option<String>,
    code: String,
    value: String,
    cells: Option<String>,
}

impl ErrorRow {
    /// Whether the row that it is about was taken all the same.
    pub(super) fn is_warning(&self) -> bool {
        Code::named(&self.code).is_some_and(Code::is_warning)
    }

    pub(super) fn error(self) -> QueryResult<ImportError> {
        Ok(ImportError {
            row: self.row_number.unsigned_abs(),
            place: u32::try_from(self.place).unwrap_or(u32::MAX),
            column: self.column_name,
            code: read(&self.code, Code::named)?,
            value: self.value,
            cells: self.cells.as_deref().map(from_text).transpose()?,
        })
    }
}

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

/// All that was wrong with rows of an import.
pub(super) fn all_of(account: AccountId, id: ImportId) -> Filtered {
    table::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::import_id.eq(id.to_string()))
        .into_boxed()
}

/// At most so many behind a place, without warnings.
pub(super) fn behind(
    db: &mut Db,
    account: AccountId,
    id: ImportId,
    behind: Option<ErrorPlace>,
    limit: usize,
) -> QueryResult<Vec<ImportError>> {
    let mut query = all_of(account, id).filter(dsl::code.ne_all(warnings()));
    if let Some((row, place)) = behind {
        let row = i64::try_from(row).unwrap_or(i64::MAX);
        query = query
            .filter(dsl::row_number.ge(row))
            .filter(dsl::row_number.gt(row).or(dsl::place.gt(i64::from(place))));
    }
    let rows: Vec<ErrorRow> = query
        .order((dsl::row_number, dsl::place))
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(ErrorRow::as_select())
        .load(db)?;
    rows.into_iter().map(ErrorRow::error).collect()
}

/// The numbers of at most so many rows that were refused, behind that of one.
pub(super) fn refused_rows(
    db: &mut Db,
    account: AccountId,
    id: ImportId,
    behind: u64,
    limit: usize,
) -> QueryResult<Vec<u64>> {
    // All that is wrong with a row is a warning, or nothing of it is.
    let rows: Vec<i64> = all_of(account, id)
        .filter(dsl::place.eq(0))
        .filter(dsl::code.ne_all(warnings()))
        .filter(dsl::row_number.gt(i64::try_from(behind).unwrap_or(i64::MAX)))
        .order(dsl::row_number)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select(dsl::row_number)
        .load(db)?;
    Ok(rows.into_iter().map(i64::unsigned_abs).collect())
}

fn warnings() -> impl Iterator<Item = &'static str> {
    Code::EVERY.iter().filter(|code| code.is_warning()).map(|code| code.name())
}

/// What is wrong with a row of a batch, as rows; the cells stand with the first of it, unless it is a warning.
pub(super) fn rows_of(
    batch: &Batch,
    number: u64,
    problems: &[Problem],
    cells: &RawCells,
) -> QueryResult<Vec<ErrorRow>> {
    let names = |problem: &Problem| {
        let field = problem.column?.name();
        let used = batch.columns.iter().find(|(_, of)| of == field);
        // PostgreSQL keeps no NUL, which headers may have.
        Some(used.map_or_else(|| field.to_owned(), |(name, _)| name.replace('\0', "")))
    };
    let mut rows = Vec::new();
    for (place, problem) in problems.iter().take(OF_A_ROW_MAX).enumerate() {
        let has_cells = place == 0 && !problem.code.is_warning();
        rows.push(ErrorRow {
            account_id: batch.account.to_string(),
            import_id: batch.import.to_string(),
            row_number: i64::try_from(number).unwrap_or(i64::MAX),
            place: i64::try_from(place).unwrap_or(i64::MAX),
            column_name: names(problem),
            code: problem.code.name().to_owned(),
            value: problem.value.clone(),
            cells: has_cells.then(|| to_text(&cells.to_vec())).transpose()?,
        });
    }
    Ok(rows)
}

/// How many bytes of cells rows keep.
pub(super) fn kept_bytes(rows: &[ErrorRow]) -> i64 {
    let bytes: usize = rows.iter().filter_map(|row| row.cells.as_ref()).map(String::len).sum();
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

pub(super) fn insert(db: &mut Db, rows: &[ErrorRow]) -> QueryResult<()> {
    match db {
        Db::Sqlite(conn) => {
            for row in rows {
                diesel::insert_into(table::table).values(row).execute(conn)?;
            }
            Ok(())
        }
        Db::Postgres(_) if rows.is_empty() => Ok(()),
        Db::Postgres(conn) => {
            let columns = columns!(
                rows, Texts account_id, Texts import_id, Numbers row_number, Numbers place, OptionalTexts column_name,
                Texts code, Texts value, OptionalTexts cells,
            );
            let insert = Statement::<()>::new(
                "INSERT INTO import_errors (account_id, import_id, row_number, place, column_name, code, value, cells) \
                 SELECT * FROM ? AS w",
                [Bound::from(columns)],
            );
            insert.execute(conn).map(drop)
        }
    }
}
