//! Statements written out: where the databases differ, and where diesel would prepare anew for every call.
//!
//! diesel finds a prepared statement by its text, and these always have the same: lists are bound as one
//! array for each column on PostgreSQL, and bound one row after the other on SQLite.

use std::marker::PhantomData;

use diesel::{
    PgConnection, QueryResult, RunQueryDsl, SqliteConnection,
    pg::Pg,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    result::Error as DieselError,
    sql_types::{Array, BigInt, Bool, Nullable, Text},
    sqlite::Sqlite,
};

/// A column of a batch.
#[allow(missing_docs)]
pub enum Column {
    Texts(Vec<String>),
    OptionalTexts(Vec<Option<String>>),
    Numbers(Vec<i64>),
    OptionalNumbers(Vec<Option<i64>>),
    Flags(Vec<bool>),
}

/// Columns collected from the fields of rows.
#[macro_export]
macro_rules! columns {
    ($rows:expr, $($kind:ident $field:ident),+ $(,)?) => {
        vec![$($crate::statement::Column::$kind($rows.iter().map(|row| row.$field.clone().into()).collect())),+]
    };
}
pub use crate::columns;

/// Binds columns as the arguments of `unnest`, and writes that.
pub fn unnest<'b>(out: &mut AstPass<'_, 'b, Pg>, columns: &'b [Column]) -> QueryResult<()> {
    for (position, column) in columns.iter().enumerate() {
        out.push_sql(if position == 0 { "unnest(" } else { ", " });
        match column {
            Column::Texts(values) => out.push_bind_param::<Array<Text>, _>(values)?,
            Column::OptionalTexts(values) => {
                out.push_bind_param::<Array<Nullable<Text>>, _>(values)?;
            }
            Column::Numbers(values) => out.push_bind_param::<Array<BigInt>, _>(values)?,
            Column::OptionalNumbers(values) => {
                out.push_bind_param::<Array<Nullable<BigInt>>, _>(values)?;
            }
            Column::Flags(values) => out.push_bind_param::<Array<Bool>, _>(values)?,
        }
    }
    out.push_sql(")");
    Ok(())
}

/// Binds columns as so many rows of `VALUES`, at least one, and writes that; rows that the columns do not have are NULL. A few
/// rows cost half of what [`unnest`] does, for which PostgreSQL makes a function scan with a store of its own of every array.
/// Each number of rows is another statement.
pub fn values<'b>(
    out: &mut AstPass<'_, 'b, Pg>,
    columns: &'b [Column],
    rows: usize,
) -> QueryResult<()> {
    for row in 0..rows {
        out.push_sql(if row == 0 { "(VALUES (" } else { "), (" });
        for (position, column) in columns.iter().enumerate() {
            if position > 0 {
                out.push_sql(", ");
            }
            column.bind(out, row)?;
        }
    }
    out.push_sql("))");
    Ok(())
}

impl Column {
    /// How many values it has.
    pub fn len(&self) -> usize {
        match self {
            Self::Texts(values) => values.len(),
            Self::OptionalTexts(values) => values.len(),
            Self::Numbers(values) => values.len(),
            Self::OptionalNumbers(values) => values.len(),
            Self::Flags(values) => values.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Binds its value of a row, or NULL.
    fn bind<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>, row: usize) -> QueryResult<()> {
        match self {
            Self::Texts(values) => match values.get(row) {
                Some(value) => out.push_bind_param::<Text, _>(value),
                None => out.push_bind_param::<Nullable<Text>, _>(&None::<&str>),
            },
            Self::OptionalTexts(values) => match values.get(row) {
                Some(value) => out.push_bind_param::<Nullable<Text>, _>(value),
                None => out.push_bind_param::<Nullable<Text>, _>(&None::<&str>),
            },
            Self::Numbers(values) => match values.get(row) {
                Some(value) => out.push_bind_param::<BigInt, _>(value),
                None => out.push_bind_param::<Nullable<BigInt>, _>(&None::<i64>),
            },
            Self::OptionalNumbers(values) => match values.get(row) {
                Some(value) => out.push_bind_param::<Nullable<BigInt>, _>(value),
                None => out.push_bind_param::<Nullable<BigInt>, _>(&None::<i64>),
            },
            Self::Flags(values) => match values.get(row) {
                Some(value) => out.push_bind_param::<Bool, _>(value),
                None => out.push_bind_param::<Nullable<Bool>, _>(&None::<bool>),
            },
        }
    }
}

/// A value to bind.
#[allow(missing_docs)]
pub enum Bound {
    Text(String),
    OptionalText(Option<String>),
    Number(i64),
    OptionalNumber(Option<i64>),
    /// An `unnest` over these columns, on PostgreSQL only.
    Rows(Vec<Column>),
}

impl From<String> for Bound {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Option<String>> for Bound {
    fn from(text: Option<String>) -> Self {
        Self::OptionalText(text)
    }
}

impl From<i64> for Bound {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<Option<i64>> for Bound {
    fn from(number: Option<i64>) -> Self {
        Self::OptionalNumber(number)
    }
}

impl From<Vec<Column>> for Bound {
    fn from(columns: Vec<Column>) -> Self {
        Self::Rows(columns)
    }
}

/// A statement with `?` for each value; it gives rows of the type `Rows`.
pub struct Statement<Rows = ()> {
    sql: &'static str,
    values: Vec<Bound>,
    rows: PhantomData<Rows>,
}

impl<Rows> Statement<Rows> {
    /// A statement and its values.
    pub fn new(sql: &'static str, values: impl Into<Vec<Bound>>) -> Self {
        let values = values.into();
        debug_assert_eq!(sql.matches('?').count(), values.len(), "values of {sql}");
        Self { sql, values, rows: PhantomData }
    }

    /// The text would lose what stands behind the first `?` without a value.
    fn miscounted(&self) -> DieselError {
        let values = self.values.len();
        DieselError::QueryBuilderError(format!("{values} values for: {}", self.sql).into())
    }
}

/// The update that saves a row under its key. All of its fields are named, so that none is forgotten. What is set `by` an
/// expression has one `?` for the field's value. diesel would prepare an update of its own anew for every call.
#[macro_export]
macro_rules! update {
    (
        $table:literal, $row:ident as $type:ident,
        set $field:ident $(, $more:ident)* $(; set $special:ident by $sql:literal)?;
        key $key:ident $(, $keys:ident)*
    ) => {{
        let $type { $field $(, $more)* $(, $special)?, $key $(, $keys)* } = $row;
        $crate::statement::Statement::<()>::new(
            concat!(
                "UPDATE ", $table, " SET ", stringify!($field), " = ?" $(, ", ", stringify!($more), " = ?")*
                $(, ", ", stringify!($special), " = ", $sql)?,
                " WHERE ", stringify!($key), " = ?" $(, " AND ", stringify!($keys), " = ?")*
            ),
            [
                $crate::statement::Bound::from($field) $(, $more.into())* $(, $special.into())?,
                $key.into() $(, $keys.into())*
            ],
        )
    }};
}
pub use crate::update;

impl<Rows> QueryId for Statement<Rows> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Rows> Query for Statement<Rows> {
    type SqlType = Rows;
}

impl<Rows> RunQueryDsl<SqliteConnection> for Statement<Rows> {}
impl<Rows> RunQueryDsl<PgConnection> for Statement<Rows> {}

/// Writes a statement for one database; `$lists` binds the columns of a list there.
macro_rules! fragment_on {
    ($backend:ty, $lists:expr) => {
        impl<Rows> QueryFragment<$backend> for Statement<Rows> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, $backend>) -> QueryResult<()> {
                let (mut parts, mut values) = (self.sql.split('?'), self.values.iter());
                out.push_sql(parts.next().unwrap_or_default());
                for part in parts {
                    match values.next().ok_or_else(|| self.miscounted())? {
                        Bound::Text(text) => out.push_bind_param::<Text, _>(text)?,
                        Bound::OptionalText(text) => {
                            out.push_bind_param::<Nullable<Text>, _>(text)?;
                        }
                        Bound::Number(number) => out.push_bind_param::<BigInt, _>(number)?,
                        Bound::OptionalNumber(number) => {
                            out.push_bind_param::<Nullable<BigInt>, _>(number)?;
                        }
                        Bound::Rows(columns) => $lists(&mut out, columns)?,
                    }
                    out.push_sql(part);
                }
                values.next().map_or(Ok(()), |_| Err(self.miscounted()))
            }
        }
    };
}

fragment_on!(Pg, unnest);
fragment_on!(Sqlite, no_lists);

/// SQLite has no arrays.
fn no_lists<'b>(_: &mut AstPass<'_, 'b, Sqlite>, _: &'b [Column]) -> QueryResult<()> {
    Err(DieselError::QueryBuilderError("SQLite binds no lists".into()))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use diesel::{Connection, debug_query, sql_query};

    use super::*;

    /// Not by `new`, which would panic where statements are debugged.
    fn statement(sql: &'static str, values: Vec<Bound>) -> Statement {
        Statement { sql, values, rows: PhantomData }
    }

    fn run(sql: &'static str, values: Vec<Bound>) -> QueryResult<usize> {
        let mut conn = SqliteConnection::establish(":memory:").unwrap();
        sql_query("CREATE TABLE t (a, b)").execute(&mut conn).unwrap();
        statement(sql, values).execute(&mut conn)
    }

    #[test]
    fn a_statement_has_one_value_for_each_mark() {
        let sql = "INSERT INTO t (a, b) VALUES (?, ?)";
        assert_eq!(run(sql, vec![Bound::Number(1), Bound::Text("x".to_owned())]), Ok(1));
        for count in [0, 1, 3] {
            let values = || (0..count).map(Bound::Number).collect();
            let refused = run(sql, values()).unwrap_err();
            assert!(matches!(refused, DieselError::QueryBuilderError(_)), "{count}: {refused}");
            let on_postgres = statement(sql, values());
            assert!(write!(String::new(), "{}", debug_query::<Pg, _>(&on_postgres)).is_err());
        }
    }

    #[test]
    fn lists_are_refused_on_sqlite() {
        let rows = || vec![Bound::Rows(vec![Column::Numbers(vec![1, 2])])];
        let refused = run("INSERT INTO t (a) SELECT * FROM ?", rows()).unwrap_err();
        assert!(matches!(refused, DieselError::QueryBuilderError(_)), "{refused}");
    }
}
