//! What all lists share: their order, cursors, pages and totals.
//!
//! A filter that few rows match is answered from its index; one that many match is answered soonest by reading the
//! rows in the order of the list until the page is full. Nobody can know which it is without looking: a [`List`] is
//! read for a few thousand rows, and if that has not filled the page, its matches are few enough for the index.

mod places;
mod queries;

use std::{cmp::Ordering, collections::HashMap};

use diesel::QueryResult;
use kernel::{
    Page, PageRequest,
    page::{Count, Cursor, Total},
};

use crate::{
    db::Db,
    lookups::Key,
    search::{Look, WordSet},
    unreadable::readable,
};

pub use places::{OFFSET_QUICK, by_id, by_time, compared, number_key, place};
pub use queries::{
    asks_each_word, between, bounds_changes, bounds_times, loads, newest_first, sorts_records,
};

/// Rows that are read in the order of a list before its indexes are asked.
const NEAR_ROWS: i64 = 5_000;
/// How many of them are enough to see that next to none match.
const NEAREST_ROWS: i64 = 1_000;
/// Matches among the nearest rows from which on it is worth reading on.
const NEAREST_MATCHES: usize = 3;
/// Matches among the near rows from which on a total is extrapolated instead of counted. Half of what a list of a million with
/// as many matches as are counted has there: by chance some have fewer near their beginning than elsewhere, and would be counted
/// up to the bound, which takes a quarter of a second.
const DENSE_MATCHES: i64 = 25;
/// The nearest rows that are asked for each word of a search.
const SAMPLED_ROWS: i64 = 1_000;
/// Matches among them from which on a word is one of many.
const SAMPLED_MATCHES: i64 = 10;
/// The longest list whose matches are always counted, and the most matches that are counted of a longer one.
pub const COUNTED_MAX: i64 = 10_000;
/// The most rows that are counted of a range; of a longer one it is assumed that it is all of its list.
const SIZED_MAX: i64 = 100_000;

/// A list with its order and its filters.
pub trait List {
    /// A query for its rows.
    type Query;
    /// A row.
    type Row;

    /// Every row of the list, unfiltered.
    fn every(&self) -> Self::Query;

    /// A query for the rows among which places are found: all of the list, or what a filter by its order leaves of it, perhaps
    /// with others that an index cannot tell from them.
    fn range(&self) -> Self::Query {
        self.every()
    }

    /// Whether a filter by the order of the list bounds its [range](Self::range).
    fn is_bounded(&self) -> bool {
        false
    }

    /// About how many rows a bounded range has.
    ///
    /// # Errors
    /// Those of the database.
    fn range_size(&self, db: &mut Db) -> QueryResult<i64> {
        counted_range(db, self)
    }

    /// The rows that match; `look` says where words are looked for.
    fn matching(&self, db: &Db, look: Look) -> Self::Query;

    /// In order, those behind one place and not behind another.
    fn between(
        &self,
        query: Self::Query,
        behind: Option<&Cursor>,
        until: Option<&Cursor>,
    ) -> Self::Query;

    /// Loads some of the rows.
    ///
    /// # Errors
    /// Those of the database.
    fn load(
        &self,
        db: &mut Db,
        query: Self::Query,
        offset: i64,
        limit: i64,
    ) -> QueryResult<Vec<Self::Row>>;

    /// Counts the rows, up to a number.
    ///
    /// # Errors
    /// Those of the database.
    fn count(&self, db: &mut Db, query: Self::Query, at_most: i64) -> QueryResult<i64>;

    /// Counts all of the rows.
    ///
    /// # Errors
    /// Those of the database.
    fn count_all(&self, db: &mut Db, query: Self::Query) -> QueryResult<i64>;

    /// How many words are looked for: none in a list that is not [searched](asks_each_word!).
    fn word_count(&self) -> usize {
        0
    }

    /// The rows that have one of the words, by its place, whatever else is asked of them.
    fn matching_word(&self, _db: &Db, _place: usize) -> Self::Query {
        self.every()
    }

    /// Loads the rows with these identifiers, in any order.
    ///
    /// # Errors
    /// Those of the database.
    fn load_by_id(&self, db: &mut Db, ids: &[&str]) -> QueryResult<Vec<Self::Row>>;

    /// The places of some of the rows.
    ///
    /// # Errors
    /// Those of the database.
    fn places(
        &self,
        db: &mut Db,
        query: Self::Query,
        offset: i64,
        limit: i64,
    ) -> QueryResult<Vec<Cursor>>;

    /// Which of two places comes first.
    fn compare(&self, one: &Cursor, other: &Cursor) -> Ordering;

    /// The place of a row in the order of the list.
    fn place(&self, row: &Self::Row) -> Cursor;
}

/// How the rows that match are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matches {
    /// By words.
    Words,
    /// By a range of something else than the order of the list.
    Range,
    /// By an index that gives them in order.
    Key,
}

/// Whether it matters how many rows a list has unfiltered: what an index gives in order is read without, and so is what nobody
/// wants the total of.
#[must_use]
pub const fn needs_size(page: &PageRequest, matches: Matches) -> bool {
    !matches!((page.count, matches), (Count::Nothing, Matches::Key))
}

/// How many rows a list without a counter has unfiltered, as far as [`find`] needs it: what a key finds is found without, and the
/// total of a search is estimated by it.
///
/// # Errors
/// Those of the database.
pub fn counted_size<L: List>(
    db: &mut Db,
    list: &L,
    page: &PageRequest,
    matches: Matches,
) -> QueryResult<i64> {
    match (page.count, matches) {
        (Count::Nothing, _) | (_, Matches::Key) => Ok(i64::MAX),
        (_, Matches::Words) => list.count_all(db, list.every()),
        (_, Matches::Range) => list.count(db, list.every(), COUNTED_MAX + 1),
    }
}

/// The rows of a page of a filtered list, one more than the page holds, and the total, if that is wanted. `size` is how many
/// rows the list has unfiltered.
///
/// # Errors
/// Those of the database.
pub fn find<L: List>(
    db: &mut Db,
    list: &L,
    page: &PageRequest,
    size: i64,
    matches: Matches,
) -> QueryResult<(Vec<L::Row>, Total)> {
    let (behind, limit) = (page.cursor.as_ref(), fetched(page));
    let look = Look::Index(WordSet::ALL);
    if matches == Matches::Key {
        let every = list.between(list.matching(db, look), behind, None);
        let rows = list.load(db, every, page.offset(), limit)?;
        return Ok((rows, total_of(db, list, page.count, size, matches)?));
    }
    let Some(rows) = near_rows(db, list, page, size)? else {
        return find_few(db, list, page, matches);
    };
    Ok((rows, total_of(db, list, page.count, size, matches)?))
}

/// The total of a filtered list, as its pages tell it; `size` is how many rows the list has unfiltered.
///
/// # Errors
/// Those of the database.
pub fn total_found<L: List>(
    db: &mut Db,
    list: &L,
    size: i64,
    matches: Matches,
) -> QueryResult<Total> {
    total_of(db, list, Count::Usual, size, matches)
}

/// How many rows match, as far as it is asked for.
fn total_of<L: List>(
    db: &mut Db,
    list: &L,
    count: Count,
    size: i64,
    matches: Matches,
) -> QueryResult<Total> {
    match (count, matches) {
        (Count::Nothing, _) => Ok(Total::about(0)),
        (Count::Usual, Matches::Words) => of_words(db, list, size),
        (Count::Usual, _) => counted(db, list, size, Look::Index(WordSet::ALL)),
        (Count::Every, Matches::Words) if searched_size(db, list, size)? <= COUNTED_MAX => {
            every(db, list, Look::Rows)
        }
        (Count::Every, _) => {
            let look = Look::Index(rare_words(db, list)?);
            every(db, list, look)
        }
    }
}

fn every<L: List>(db: &mut Db, list: &L, look: Look) -> QueryResult<Total> {
    let every = list.matching(db, look);
    list.count_all(db, every).map(exactly)
}

/// The rows of a page that is filled by the rows near its beginning; `None` when they do not fill it, though others may
/// follow. Who reads page after page wants most rows of the list as a rule: then no more than the page are looked at.
fn near_rows<L: List>(
    db: &mut Db,
    list: &L,
    page: &PageRequest,
    size: i64,
) -> QueryResult<Option<Vec<L::Row>>> {
    let (behind, limit) = (page.cursor.as_ref(), fetched(page));
    let own = (page.count == Count::Nothing).then_some(limit);
    for near in own.into_iter().chain([NEAREST_ROWS, NEAR_ROWS]) {
        let end = if size > NEAR_ROWS { near_end(db, list, behind, near)? } else { None };
        let rows = list.between(list.matching(db, Look::Rows), behind, end.as_ref());
        let rows = list.load(db, rows, page.offset(), limit)?;
        if end.is_none() || i64::try_from(rows.len()) == Ok(limit) {
            return Ok(Some(rows));
        }
        if near >= NEAREST_ROWS && page.offset() == 0 && rows.len() < NEAREST_MATCHES {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Rows of which the near ones have shown that they are few: all of their places are read from the index.
fn find_few<L: List>(
    db: &mut Db,
    list: &L,
    page: &PageRequest,
    matches: Matches,
) -> QueryResult<(Vec<L::Row>, Total)> {
    let (behind, limit) = (page.cursor.as_ref(), fetched(page));
    let look = Look::Index(rare_words(db, list)?);
    let matching = list.matching(db, look);
    let mut places = list.places(db, matching, 0, COUNTED_MAX + 1)?;
    let total = i64::try_from(places.len()).unwrap_or(i64::MAX);
    if total > COUNTED_MAX {
        // Many after all, but none near the beginning.
        let every = list.between(list.matching(db, look), behind, None);
        let rows = list.load(db, every, page.offset(), limit)?;
        let total = match page.count {
            Count::Every => total_of(db, list, page.count, i64::MAX, matches)?,
            Count::Usual | Count::Nothing => Total { is_exact: false, ..exactly(COUNTED_MAX) },
        };
        return Ok((rows, total));
    }
    places.sort_unstable_by(|a, b| list.compare(a, b));
    let wanted = places.iter().filter(|place| {
        behind.is_none_or(|behind| list.compare(place, behind) == Ordering::Greater)
    });
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let wanted = wanted.skip(skipped).take(usize::try_from(limit).unwrap_or_default());
    let ids: Vec<&str> = wanted.map(|place| place.id.as_str()).collect();
    let mut rows: HashMap<String, L::Row> = HashMap::new();
    for row in list.load_by_id(db, &ids)? {
        rows.insert(list.place(&row).id, row);
    }
    Ok((ids.into_iter().filter_map(|id| rows.remove(id)).collect(), exactly(total)))
}

/// The words that few of the nearest rows have, if not all are such: an index takes long for a word of many, and rows
/// that it gives are quickly asked for the others.
fn rare_words<L: List>(db: &mut Db, list: &L) -> QueryResult<WordSet> {
    let words = list.word_count();
    if words < 2 {
        return Ok(WordSet::ALL);
    }
    let end = near_end(db, list, None, SAMPLED_ROWS)?;
    let mut counts = Vec::with_capacity(words);
    for place in 0..words {
        let near = list.between(list.matching_word(db, place), None, end.as_ref());
        counts.push(list.count(db, near, SAMPLED_ROWS)?);
    }
    let is_rare = |place: usize| counts.get(place).is_some_and(|count| *count < SAMPLED_MATCHES);
    Ok(WordSet::of(words, is_rare))
}

/// How many rows the range of a list has, if they are soon counted: of a longer one nothing is known.
///
/// # Errors
/// Those of the database.
pub fn counted_range<L: List + ?Sized>(db: &mut Db, list: &L) -> QueryResult<i64> {
    let counted = list.count(db, list.range(), SIZED_MAX)?;
    Ok(if counted < SIZED_MAX { counted } else { i64::MAX })
}

/// About how many rows of a list of this size are searched.
fn searched_size<L: List>(db: &mut Db, list: &L, size: i64) -> QueryResult<i64> {
    if list.is_bounded() { Ok(list.range_size(db)?.min(size)) } else { Ok(size) }
}

fn of_words<L: List>(db: &mut Db, list: &L, size: i64) -> QueryResult<Total> {
    let searched = searched_size(db, list, size)?;
    if searched > COUNTED_MAX {
        let end = near_end(db, list, None, NEAR_ROWS)?;
        let near = list.between(list.matching(db, Look::Rows), None, end.as_ref());
        let near = list.count(db, near, NEAR_ROWS)?;
        if end.is_none() {
            return Ok(exactly(near));
        }
        if near >= DENSE_MATCHES {
            let rows = near.saturating_mul(searched) / NEAR_ROWS;
            return Ok(Total { is_exact: false, ..exactly(rows) });
        }
        let look = Look::Index(rare_words(db, list)?);
        return counted(db, list, size, look);
    }
    counted(db, list, size, Look::Rows)
}

fn counted<L: List>(db: &mut Db, list: &L, size: i64, look: Look) -> QueryResult<Total> {
    let every = list.matching(db, look);
    let rows = list.count(db, every, size.clamp(1, COUNTED_MAX + 1))?;
    Ok(Total { is_exact: rows <= COUNTED_MAX, ..exactly(rows.min(COUNTED_MAX)) })
}

/// The rows of a page of the whole list, one more than the page holds.
///
/// # Errors
/// Those of the database.
pub fn all<L: List>(db: &mut Db, list: &L, page: &PageRequest) -> QueryResult<Vec<L::Row>> {
    let every = list.between(list.every(), page.cursor.as_ref(), None);
    list.load(db, every, page.offset(), fetched(page))
}

/// The same of a list of which nearly every row matches.
///
/// # Errors
/// Those of the database.
pub fn matching<L: List>(db: &mut Db, list: &L, page: &PageRequest) -> QueryResult<Vec<L::Row>> {
    let matching = list.matching(db, Look::Rows);
    let every = list.between(matching, page.cursor.as_ref(), None);
    list.load(db, every, page.offset(), fetched(page))
}

/// The last of the rows near a place; `None` when the list ends before.
fn near_end<L: List>(
    db: &mut Db,
    list: &L,
    behind: Option<&Cursor>,
    rows: i64,
) -> QueryResult<Option<Cursor>> {
    let range = list.between(list.range(), behind, None);
    Ok(list.places(db, range, rows - 1, 1)?.pop())
}

/// How many rows to fetch: one more than the page holds tells whether another follows.
pub fn fetched(page: &PageRequest) -> i64 {
    i64::from(page.limit) + 1
}

/// A page of the rows fetched; `behind` names the place behind a row, `read` gives what can be read of the
/// rows. One that cannot be read keeps its place: the page is shorter by it, and the next begins where it
/// would.
///
/// # Errors
/// Those of `read`.
pub fn page_of<R, T>(
    mut rows: Vec<R>,
    page: &PageRequest,
    total: Total,
    behind: impl Fn(&R) -> Cursor,
    read: impl FnOnce(Vec<R>) -> QueryResult<Vec<T>>,
) -> QueryResult<Page<T>> {
    let limit = page.limit as usize;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(behind);
    Ok(Page { items: read(rows)?, total, next })
}

/// A page of rows fetched by [`newest_first!`], each with its key and what it is read as; `kind` names them in the log.
///
/// # Errors
/// Those of the database.
pub fn newest_page<R, T>(
    rows: Vec<R>,
    page: &PageRequest,
    total: Total,
    kind: &'static str,
    key: impl Fn(&R) -> Key,
    read: impl Fn(R) -> QueryResult<T>,
) -> QueryResult<Page<T>> {
    let all = |rows: Vec<R>| readable(kind, rows.into_iter().map(|row| (key(&row), read(row))));
    page_of(rows, page, total, |row| by_id(key(row).1), all)
}

/// The total of a page, unless it is not asked for: `count` counts all rows.
///
/// # Errors
/// Those of `count`.
pub fn total(page: &PageRequest, count: impl FnOnce() -> QueryResult<i64>) -> QueryResult<Total> {
    match page.count {
        Count::Nothing => Ok(Total::about(0)),
        Count::Usual | Count::Every => count().map(exactly),
    }
}

/// The total of a page of a list that may be long, unless it is not asked for: usually of the rows of which `some` loads so many
/// at most, and of all that `count` counts where every one is to be counted.
///
/// # Errors
/// Those of `some` and `count`.
pub fn bounded_total<T>(
    db: &mut Db,
    page: &PageRequest,
    some: impl FnOnce(&mut Db, i64) -> QueryResult<Vec<T>>,
    count: impl FnOnce(&mut Db) -> QueryResult<i64>,
) -> QueryResult<Total> {
    match page.count {
        Count::Usual => {
            let at_most = counted_at_most(page.count);
            let rows = some(db, at_most)?.len();
            Ok(counted_of(i64::try_from(rows).unwrap_or(i64::MAX), at_most))
        }
        Count::Every | Count::Nothing => total(page, || count(db)),
    }
}

/// How many rows at most are to be counted of a page's list.
#[must_use]
pub const fn counted_at_most(count: Count) -> i64 {
    match count {
        Count::Nothing => 0,
        Count::Usual => COUNTED_MAX + 1,
        Count::Every => i64::MAX,
    }
}

/// The total of a list of which so many rows were counted, of so many at most.
#[must_use]
pub fn counted_of(rows: i64, at_most: i64) -> Total {
    let is_exact = rows < at_most;
    Total { is_exact, ..exactly(if is_exact { rows } else { rows.min(COUNTED_MAX) }) }
}

/// A total that was counted.
pub fn exactly(rows: i64) -> Total {
    Total::exact(u64::try_from(rows).unwrap_or_default())
}
