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
}

impl ByKeys {
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
        Self { table, names: names.to_vec(), keys }
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
            out.push_sql(" = w.");
            out.push_sql(name);
        }
        // Which keeps it apart: it is not joined in another order.
        out.push_sql(" OFFSET 0) k))");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use diesel::debug_query;

    use super::*;

    #[test]
    fn each_key_is_looked_up_apart() {
        let keys = [["a", "1"], ["b", "2"]].map(|key| key.map(str::to_owned));
        let these = ByKeys::new("things", ["account_id", "id"], keys);
        let text = debug_query::<Pg, _>(&these).to_string();
        let (sql, binds) = text.split_once(" -- binds: ").unwrap();
        assert_eq!(
            sql,
            "things.ctid = ANY(ARRAY(SELECT k.ctid FROM unnest($1, $2) AS w (account_id, id) \
             CROSS JOIN LATERAL (SELECT r.ctid FROM things r WHERE r.account_id = w.account_id \
             AND r.id = w.id OFFSET 0) k))"
        );
        assert_eq!(binds, r#"[["a", "b"], ["1", "2"]]"#);
    }
}
