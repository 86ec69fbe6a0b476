//! Pages of a list.

/// The most rows that a page holds.
pub const LIMIT_MAX: u32 = 100;
/// The rows of a page when the caller does not say.
pub const LIMIT_DEFAULT: u32 = 20;

/// Which page of a list is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// The page's number, from 1. Ignored beside a cursor.
    pub page: u64,
    /// Rows a page, 1 to [`LIMIT_MAX`].
    pub limit: u32,
    /// Where an earlier page ended; rows added since do not shift it.
    pub cursor: Option<Cursor>,
}

impl Default for PageRequest {
    fn default() -> Self {
        Self { page: 1, limit: LIMIT_DEFAULT, cursor: None }
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
pub struct Cursor {
    /// The sort that the page had; a cursor of one order means nothing in another.
    pub sort: String,
    /// The row's value in that sort, empty when the identifier alone decides.
    pub key: String,
    /// The row's identifier.
    pub id: String,
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// How many rows the whole list has.
    pub total: u64,
    /// Where the next page begins; `None` at the end of the list.
    pub next: Option<Cursor>,
}
