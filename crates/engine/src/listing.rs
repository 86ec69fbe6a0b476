//! What all lists share: patterns, cursors, pages.

use kernel::{Page, PageRequest, page::Cursor};

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

/// A page of the rows fetched; `cursor` names the place behind a row.
pub fn page_of<T>(
    mut items: Vec<T>,
    page: &PageRequest,
    total: i64,
    cursor: impl Fn(&T) -> Cursor,
) -> Page<T> {
    let limit = page.limit as usize;
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more).map(cursor);
    Page { items, total: u64::try_from(total).unwrap_or_default(), next }
}

/// The place behind a row of a list ordered by identifier alone.
pub fn by_id(id: impl std::fmt::Display) -> Cursor {
    Cursor { sort: "-createdAt".to_owned(), key: String::new(), id: id.to_string() }
}

/// The rows that a page lies behind cost as much as its own: how far is still quick to skip.
pub const OFFSET_QUICK: i64 = 1_000;
