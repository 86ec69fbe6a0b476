//! Rows of several keys on PostgreSQL, each found by a look-up of its own, whatever the planner believes of their table.
//!
//! Asked for by `= ANY`, it may look for one part of the keys and read all rows that have it; joined with the keys, it may
//! begin with the rows. It did, on tables that were empty when the plan was made, for as long as the plan served.

use diesel::{
    QueryResult,
    expression::{AppearsOnTable, Expression, ValidGrouping, is_aggregate},
    pg::Pg,
    query_builder::{AstPass, QueryFragment, QueryId},
    query_source::QuerySource,
    sql_types::Bool,
};

use crate::statement::{Column, unnest};

/// The condition that a row of a table has one of some keys.
pub struct ByKeys {
    table: &'static str,
    names: Vec<&'static str>,
    keys: Vec<Column>,
    /// The column by which the only row of a key is told from others of its account.
    row: Option<&'static str>,
}

impl ByKeys {
    /// Of a table whose rows are each known by account and identifier, and these. Of an empty table, an index that has something
    /// else between the two is thought as cheap as the primary key, and then all of an account's entries in it are read: so what
    /// is asked for is the first row in the order of the identifiers, which that index does not give.
    pub fn of_rows(table: &'static str, keys: impl IntoIterator<Item = [String; 2]>) -> Self {
        Self { row: Some("id"), ..Self::new(table, ["account_id", "id"], keys) }
    }

    /// Of a table, the columns that make a key, and the keys.
    pub fn new<const N: usize>(
        table: &'static str,
        names: [&'static str; N],
        keys: impl IntoIterator<Item = [String; N]>,
    ) -> Self {
        let mut columns: [Vec<String>; N] = std::array::from_fn(|_| Vec::new());
        for key in keys {
            for (column, part) in columns.iter_mut().zip(key) {
                column.push(part);
            }
        }
        let keys = columns.into_iter().map(Column::Texts).collect();
        Self { table, names: names.to_vec(), keys, row: None }
    }
}

impl Expression for ByKeys {
    type SqlType = Bool;
}

impl ValidGrouping<()> for ByKeys {
    type IsAggregate = is_aggregate::No;
}

impl QueryId for ByKeys {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<S: QuerySource> AppearsOnTable<S> for ByKeys {}

impl QueryFragment<Pg> for ByKeys {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(self.table);
        out.push_sql(".ctid = ANY(ARRAY(SELECT k.ctid FROM ");
        unnest(&mut out, &self.keys)?;
        out.push_sql(" AS w (");
        out.push_sql(&self.names.join(", "));
        out.push_sql(") CROSS JOIN LATERAL (SELECT r.ctid FROM ");
        out.push_sql(self.table);
        out.push_sql(" r WHERE ");
        for (position, name) in self.names.iter().enumerate() {
            out.push_sql(if position == 0 { "r." } else { " AND r." });
            out.push_sql(name);
            if self.row == Some(*name) {
                out.push_sql(" >= w.");
                out.push_sql(name);
                out.push_sql(" AND r.");
                out.push_sql(name);
                out.push_sql(" <= w.");
            } else {
                out.push_sql(" = w.");
            }
            out.push_sql(name);
        }
        // Either keeps it apart: it is not joined in another order.
        match self.row {
            Some(name) => {
                out.push_sql(" ORDER BY r.");
                out.push_sql(name);
                out.push_sql(" LIMIT 1) k))");
            }
            None => out.push_sql(" OFFSET 0) k))"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use diesel::debug_query;

    use super::*;

    #[test]
    fn each_key_is_looked_up_apart() {
        let keys = || [["a", "1"], ["b", "2"]].map(|key| key.map(str::to_owned));
        for (these, name, asked) in [
            (
                ByKeys::new("things", ["account_id", "place"], keys()),
                "place",
                "r.place = w.place OFFSET 0",
            ),
            (
                ByKeys::of_rows("things", keys()),
                "id",
                "r.id >= w.id AND r.id <= w.id ORDER BY r.id LIMIT 1",
            ),
        ] {
            let text = debug_query::<Pg, _>(&these).to_string();
            let (sql, binds) = text.split_once(" -- binds: ").unwrap();
            let expected = format!(
                "things.ctid = ANY(ARRAY(SELECT k.ctid FROM unnest($1, $2) AS w (account_id, {name}) \
                 CROSS JOIN LATERAL (SELECT r.ctid FROM things r WHERE r.account_id = w.account_id \
                 AND {asked}) k))"
            );
            assert_eq!(sql, expected);
            assert_eq!(binds, r#"[["a", "b"], ["1", "2"]]"#);
        }
    }
}
