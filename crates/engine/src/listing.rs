//! What all lists share: patterns, cursors, pages.

use diesel::QueryResult;
use kernel::{Page, PageRequest, page::Cursor};

use crate::{lookups::Key, unreadable::readable};

/// The rows of a boxed query that a page needs, newest first, by the column of their identifiers.
#[macro_export]
macro_rules! newest_first {
    ($db:expr, $row:ty, $id:expr, $page:expr, $query:expr) => {{
        let mut query = $query;
        if let Some(cursor) = &$page.cursor {
            query = query.filter($id.lt(cursor.id.clone()));
        }
        query
            .order($id.desc())
            .offset($page.offset())
            .limit($crate::listing::fetched(&$page))
            .select(<$row>::as_select())
            .load::<$row>($db)
    }};
}
pub use crate::newest_first;

/// The pattern that finds folded text anywhere in a column of folded text; `\` escapes.
pub fn containing(search: &str) -> String {
    let folded = kernel::text::folded(search);
    let mut pattern = String::with_capacity(folded.len() + 2);
    pattern.push('%');
    for c in folded.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// How many rows to fetch: one more than the page holds tells whether another follows.
pub fn fetched(page: &PageRequest) -> i64 {
    i64::from(page.limit) + 1
}

/// A page of the rows fetched; `behind` names the place behind a row, `read` gives what can be read of the
/// rows. One that cannot be read keeps its place: the page is shorter by it, and the next begins where it
/// would.
pub fn page_of<R, T>(
    mut rows: Vec<R>,
    page: &PageRequest,
    total: i64,
    behind: impl Fn(&R) -> Cursor,
    read: impl FnOnce(Vec<R>) -> QueryResult<Vec<T>>,
) -> QueryResult<Page<T>> {
    let limit = page.limit as usize;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(behind);
    Ok(Page { items: read(rows)?, total: u64::try_from(total).unwrap_or_default(), next })
}

/// A page of rows fetched by [`newest_first!`], each with its key and what it is read as; `kind` names them in the log.
pub fn newest_page<R, T>(
    rows: Vec<R>,
    page: &PageRequest,
    total: i64,
    kind: &'static str,
    key: impl Fn(&R) -> Key,
    read: impl Fn(R) -> QueryResult<T>,
) -> QueryResult<Page<T>> {
    let all = |rows: Vec<R>| readable(kind, rows.into_iter().map(|row| (key(&row), read(row))));
    page_of(rows, page, total, |row| by_id(key(row).1), all)
}

/// The place behind a row of a list ordered by identifier alone.
pub fn by_id(id: impl std::fmt::Display) -> Cursor {
    Cursor { sort: "-createdAt".to_owned(), key: String::new(), id: id.to_string() }
}

/// The rows that a page lies behind cost as much as its own: how far is still quick to skip.
pub const OFFSET_QUICK: i64 = 1_000;
