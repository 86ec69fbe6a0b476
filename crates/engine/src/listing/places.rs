//! Where a row stands in the order of a list.

use std::cmp::Ordering;

use kernel::page::{Cursor, RecordSort, Sorting};

/// The rows that a page lies behind cost as much as its own: how far is still quick to skip.
pub const OFFSET_QUICK: i64 = 1_000;

/// The place of a row in a list of records.
pub fn by_time(sort: Sorting<RecordSort>, id: &str, updated_at: i64) -> Cursor {
    let (name, key) = match sort.by {
        RecordSort::CreatedAt => ("createdAt", String::new()),
        RecordSort::UpdatedAt => ("updatedAt", updated_at.to_string()),
    };
    place(name, sort.ascending, key, id)
}

/// The place of a row in a list sorted by a field of this name.
pub fn place(name: &str, ascending: bool, key: String, id: &str) -> Cursor {
    let direction = if ascending { "" } else { "-" };
    Cursor { sort: format!("{direction}{name}"), key, id: id.to_owned() }
}

/// Which of two places comes first, by their keys, which may be numbers, and then by their identifiers.
pub fn compared(one: &Cursor, other: &Cursor, ascending: bool, by_numbers: bool) -> Ordering {
    let keys =
        if by_numbers { number_key(one).cmp(&number_key(other)) } else { one.key.cmp(&other.key) };
    let order = keys.then_with(|| one.id.cmp(&other.id));
    if ascending { order } else { order.reverse() }
}

/// The key of a place, where it is a number.
pub fn number_key(place: &Cursor) -> Option<i64> {
    place.key.parse().ok()
}

/// The place behind a row of a list ordered by identifier alone.
pub fn by_id(id: impl std::fmt::Display) -> Cursor {
    Cursor { sort: "-createdAt".to_owned(), key: String::new(), id: id.to_string() }
}
