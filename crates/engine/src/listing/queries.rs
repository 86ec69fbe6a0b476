//! What the queries of every list have alike, written for the columns of each table.

/// The rows of a boxed query that a page needs, newest first, by the column of their identifiers.
#[macro_export]
macro_rules! newest_first {
    ($db:expr, $row:ty, $id:expr, $page:expr, $query:expr) => {{
        let query = $crate::between!($query, false, $id, $page.cursor.as_ref(), None);
        query
            .offset($page.offset())
            .limit($crate::listing::fetched(&$page))
            .select(<$row>::as_select())
            .load::<$row>($db)
    }};
}
pub use crate::newest_first;

/// Puts a boxed query in order, by its identifiers or by a column and then by them, and leaves what is behind one
/// place and not behind another. `$key` reads the column's value from a [`Cursor`](kernel::page::Cursor).
#[macro_export]
macro_rules! between {
    ($query:expr, $ascending:expr, $id:expr, $behind:expr, $until:expr) => {{
        let (mut query, ascending) = ($query, $ascending);
        let (behind, until): (Option<&kernel::page::Cursor>, Option<&kernel::page::Cursor>) =
            ($behind, $until);
        if let Some(place) = behind {
            let id = place.id.clone();
            query = if ascending { query.filter($id.gt(id)) } else { query.filter($id.lt(id)) };
        }
        if let Some(place) = until {
            let id = place.id.clone();
            query = if ascending { query.filter($id.le(id)) } else { query.filter($id.ge(id)) };
        }
        if ascending { query.order($id.asc()) } else { query.order($id.desc()) }
    }};
    ($query:expr, $ascending:expr, $id:expr, $behind:expr, $until:expr, $column:expr, $key:expr) => {{
        let (mut query, ascending) = ($query, $ascending);
        let (behind, until): (Option<&kernel::page::Cursor>, Option<&kernel::page::Cursor>) =
            ($behind, $until);
        // The first comparison says nothing that the second does not, but an index can be entered by it.
        if let Some((key, id)) = behind.and_then(|place| Some(($key(place)?, place.id.clone()))) {
            query = if ascending {
                query
                    .filter($column.ge(key.clone()))
                    .filter($column.gt(key.clone()).or($column.eq(key).and($id.gt(id))))
            } else {
                query
                    .filter($column.le(key.clone()))
                    .filter($column.lt(key.clone()).or($column.eq(key).and($id.lt(id))))
            };
        }
        if let Some((key, id)) = until.and_then(|place| Some(($key(place)?, place.id.clone()))) {
            query = if ascending {
                query
                    .filter($column.le(key.clone()))
                    .filter($column.lt(key.clone()).or($column.eq(key).and($id.le(id))))
            } else {
                query
                    .filter($column.ge(key.clone()))
                    .filter($column.gt(key.clone()).or($column.eq(key).and($id.ge(id))))
            };
        }
        if ascending {
            query.order(($column.asc(), $id.asc()))
        } else {
            query.order(($column.desc(), $id.desc()))
        }
    }};
}
pub use crate::between;

/// How a [`List`](crate::listing::List) loads and counts the rows of its boxed queries.
#[macro_export]
macro_rules! loads {
    ($row:ty, $dsl:ident) => {
        fn load(
            &self,
            db: &mut $crate::db::Db,
            query: Self::Query,
            offset: i64,
            limit: i64,
        ) -> diesel::QueryResult<Vec<$row>> {
            query.offset(offset).limit(limit).select(<$row>::as_select()).load(db)
        }

        fn load_by_id(
            &self,
            db: &mut $crate::db::Db,
            ids: &[&str],
        ) -> diesel::QueryResult<Vec<$row>> {
            let query = self.every().filter($dsl::id.eq_any(ids.iter().map(ToString::to_string)));
            query.select(<$row>::as_select()).load(db)
        }

        fn count(
            &self,
            db: &mut $crate::db::Db,
            query: Self::Query,
            at_most: i64,
        ) -> diesel::QueryResult<i64> {
            use diesel::sql_types::Integer;
            let rows: Vec<i32> = query.limit(at_most).select(1.into_sql::<Integer>()).load(db)?;
            Ok(i64::try_from(rows.len()).unwrap_or(i64::MAX))
        }

        fn count_all(
            &self,
            db: &mut $crate::db::Db,
            query: Self::Query,
        ) -> diesel::QueryResult<i64> {
            query.count().get_result(db)
        }
    };
}
pub use crate::loads;

/// How a [`List`](crate::listing::List) with an `account` and `words` is asked for one of them.
#[macro_export]
macro_rules! asks_each_word {
    ($searched:expr) => {
        fn word_count(&self) -> usize {
            self.words().count()
        }

        fn matching_word(&self, db: &$crate::db::Db, place: usize) -> Self::Query {
            let word = self.words().some(|it| it == place);
            let rows = $crate::search::Look::Rows;
            self.range().filter($searched.finds(db, rows, self.account, &word))
        }
    };
}
pub use crate::asks_each_word;

/// How a [`List`](crate::listing::List) with a `sort` of records is bounded where it lists what was changed since a moment, by
/// when it was changed.
#[macro_export]
macro_rules! bounds_changes {
    ($dsl:ident) => {
        fn range(&self) -> Self::Query {
            match self.filter.updated_since {
                Some(since) if self.is_bounded() => {
                    self.every().filter($dsl::updated_at.ge(since.micros()))
                }
                _ => self.every(),
            }
        }

        fn is_bounded(&self) -> bool {
            self.sort.by == kernel::page::RecordSort::UpdatedAt
                && self.filter.updated_since.is_some()
        }
    };
}
pub use crate::bounds_changes;

/// The same where it also lists what was created within some time, in the order of its creation: `$within` leaves these rows of a
/// query by a filter.
#[macro_export]
macro_rules! bounds_times {
    ($dsl:ident, $within:path) => {
        fn range(&self) -> Self::Query {
            match (self.sort.by, self.filter.updated_since) {
                (kernel::page::RecordSort::CreatedAt, _) => $within(self.every(), self.filter),
                (kernel::page::RecordSort::UpdatedAt, Some(since)) => {
                    self.every().filter($dsl::updated_at.ge(since.micros()))
                }
                (kernel::page::RecordSort::UpdatedAt, None) => self.every(),
            }
        }

        fn is_bounded(&self) -> bool {
            match self.sort.by {
                kernel::page::RecordSort::CreatedAt => {
                    self.filter.created_from.is_some() || self.filter.created_to.is_some()
                }
                kernel::page::RecordSort::UpdatedAt => self.filter.updated_since.is_some(),
            }
        }
    };
}
pub use crate::bounds_times;

/// How a [`List`](crate::listing::List) with a `sort` of records puts its rows in order, and tells their places.
#[macro_export]
macro_rules! sorts_records {
    ($row:ty, $dsl:ident) => {
        fn between(
            &self,
            query: Self::Query,
            behind: Option<&kernel::page::Cursor>,
            until: Option<&kernel::page::Cursor>,
        ) -> Self::Query {
            let ascending = self.sort.ascending;
            match self.sort.by {
                kernel::page::RecordSort::CreatedAt => {
                    $crate::between!(query, ascending, $dsl::id, behind, until)
                }
                kernel::page::RecordSort::UpdatedAt => $crate::between!(
                    query,
                    ascending,
                    $dsl::id,
                    behind,
                    until,
                    $dsl::updated_at,
                    $crate::listing::number_key
                ),
            }
        }

        fn places(
            &self,
            db: &mut $crate::db::Db,
            query: Self::Query,
            offset: i64,
            limit: i64,
        ) -> diesel::QueryResult<Vec<kernel::page::Cursor>> {
            let query = query.offset(offset).limit(limit);
            let place = |(id, updated_at): (String, i64)| {
                $crate::listing::by_time(self.sort, &id, updated_at)
            };
            Ok(match self.sort.by {
                kernel::page::RecordSort::CreatedAt => {
                    let ids: Vec<String> = query.select($dsl::id).load(db)?;
                    ids.into_iter().map(|id| place((id, 0))).collect()
                }
                kernel::page::RecordSort::UpdatedAt => {
                    let rows = query.select(($dsl::id, $dsl::updated_at)).load(db)?;
                    rows.into_iter().map(place).collect()
                }
            })
        }

        fn compare(
            &self,
            one: &kernel::page::Cursor,
            other: &kernel::page::Cursor,
        ) -> std::cmp::Ordering {
            $crate::listing::compared(one, other, self.sort.ascending, true)
        }

        fn place(&self, row: &$row) -> kernel::page::Cursor {
            $crate::listing::by_time(self.sort, &row.id, row.updated_at)
        }
    };
}
pub use crate::sorts_records;
