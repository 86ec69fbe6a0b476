//! Lists of imports, newest first, and of what was wrong with their rows, in the order of the file.

use ::imports::{Import, ImportError, ImportId, ImportQuery};
use diesel::prelude::*;
use kernel::{AccountId, Page, PageRequest, page::Cursor};

use super::{
    errors::{ErrorRow, all_of},
    rows::ImportRow,
};
use crate::{
    db::Db,
    listing::{self, newest_first},
    schema::{
        import_errors::dsl as error,
        imports::{self as table, dsl},
    },
};

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

pub(super) fn imports(
    db: &mut Db,
    account: AccountId,
    query: &ImportQuery,
) -> QueryResult<Page<Import>> {
    let all = || -> Filtered {
        let mut imports = dsl::imports
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::kind.eq(query.kind.name()))
            .into_boxed();
        if let Some(state) = query.state {
            imports = imports.filter(dsl::state.eq(state.name()));
        }
        imports
    };
    let total = listing::total(&query.page, || all().count().get_result(db))?;
    let rows = newest_first!(db, ImportRow, dsl::id, query.page, all())?;
    let key = |row: &ImportRow| (row.account_id.clone(), row.id.clone());
    listing::newest_page(rows, &query.page, total, "import", key, ImportRow::import)
}

/// The sort order of a list of errors.
const SORT: &str = "row";

pub(super) fn errors(
    db: &mut Db,
    account: AccountId,
    id: ImportId,
    page: &PageRequest,
) -> QueryResult<Page<ImportError>> {
    let total = listing::total(page, || all_of(account, id).count().get_result(db))?;
    let mut query = all_of(account, id);
    if let Some((row, place)) = page.cursor.as_ref().and_then(place) {
        query = query
            .filter(error::row_number.ge(row))
            .filter(error::row_number.gt(row).or(error::place.gt(place)));
    }
    let mut rows: Vec<ErrorRow> = query
        .order((error::row_number, error::place))
        .offset(page.offset())
        .limit(listing::fetched(page))
        .select(ErrorRow::as_select())
        .load(db)?;
    let has_more = rows.len() > page.limit as usize;
    rows.truncate(page.limit as usize);
    let next = rows.last().filter(|_| has_more).map(|last| Cursor {
        sort: SORT.to_owned(),
        key: last.row_number.to_string(),
        id: last.place.to_string(),
    });
    let items = rows.into_iter().map(ErrorRow::error).collect::<QueryResult<_>>()?;
    Ok(Page { items, total, next })
}

/// Where a page begins.
fn place(cursor: &Cursor) -> Option<(i64, i64)> {
    Some((cursor.key.parse().ok()?, cursor.id.parse().ok()?))
}
