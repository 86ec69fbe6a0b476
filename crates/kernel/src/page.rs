//! Pages of a list.

/// The most rows that a page holds.
pub const LIMIT_MAX: u32 = 100;
/// The rows of a page when the caller does not say.
pub const LIMIT_DEFAULT: u32 = 20;

/// How the rows of the whole list are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Count {
    /// As far as it is quick.
    #[default]
    Usual,
    /// Every one, however long it takes.
    Every,
    /// Not at all.
    Nothing,
}

/// Which page of a list is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// Page number, starting at 1. Ignored if there is a cursor.
    pub page: u64,
    /// Page size, 1 to [`LIMIT_MAX`].
    pub limit: u32,
    /// End of a previous page; rows added since do not shift it.
    pub cursor: Option<Cursor>,
    /// How the total is found out.
    pub count: Count,
    /// Which list it is of, as whoever asks tells lists apart. Nothing follows from it but what the next cursor says.
    pub list: u32,
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { page: 1, limit: LIMIT_DEFAULT, cursor: None, count: Count::Usual, list: 0 }
    }
}

impl PageRequest {
    /// How many rows lie before the page.
    #[must_use]
    pub fn offset(&self) -> i64 {
        if self.cursor.is_some() {
            return 0;
        }
        i64::try_from(self.page.saturating_sub(1).saturating_mul(u64::from(self.limit)))
            .unwrap_or(i64::MAX)
    }
}

/// The place behind the last row of a page: the sort key of that row and its identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Cursor {
    /// Sort order of the list; a cursor is only valid for the same order.
    pub sort: String,
    /// The row's sort key, empty if the list is sorted by identifier alone.
    pub key: String,
    pub id: String,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Page<T> {
    pub items: Vec<T>,
    /// How many rows the whole list has.
    pub total: Total,
    /// Start of the next page; `None` at the end of the list.
    pub next: Option<Cursor>,
}

impl<T> Page<T> {
    /// The same page, each item as something else.
    pub fn map<U>(self, with: impl FnMut(T) -> U) -> Page<U> {
        let Self { items, total, next } = self;
        Page { items: items.into_iter().map(with).collect(), total, next }
    }
}

/// How many rows a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    /// The rows counted, or about how many there are.
    pub rows: u64,
    /// Whether all were counted. A filter that very many rows match is not worth the wait.
    pub is_exact: bool,
}

impl Total {
    /// A total that was counted.
    #[must_use]
    pub const fn exact(rows: u64) -> Self {
        Self { rows, is_exact: true }
    }

    /// A total that is not known better than this.
    #[must_use]
    pub const fn about(rows: u64) -> Self {
        Self { rows, is_exact: false }
    }
}

/// In which order records are listed that are sorted by their times alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum RecordSort {
    #[default]
    CreatedAt,
    UpdatedAt,
}

/// A sort order with its direction, by default the newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Sorting<K> {
    pub by: K,
    /// Ascending instead of descending order.
    pub ascending: bool,
}
