//! What the orders of an account have in common: one look-up for each account of a batch. Written out, so that its text is made
//! once.

use diesel::{
    QueryResult, RunQueryDsl, SqliteConnection,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{BigInt, Bool, Nullable, Text},
    sqlite::Sqlite,
};
use kernel::Quantity;

use crate::{
    counters::Counter,
    orders::{COUNTER, LAST_NUMBER},
};

/// Of an account: threshold of low stock, allocation, first warehouse, whether it commits stock, how many price lists it has; of its
/// default issuer: taxes and those of shipping; its counters of orders; whether an import is still to tell something.
pub(super) type AccountColumns = (
    Quantity,
    String,
    Option<String>,
    bool,
    i64,
    Option<String>,
    Option<String>,
    Option<i64>,
    Option<i64>,
    bool,
);

/// An account that orders are of.
pub(super) struct FindAccount<'a>(pub(super) &'a str);

impl FindAccount<'_> {
    pub(super) fn find(self, conn: &mut SqliteConnection) -> QueryResult<AccountColumns> {
        self.get_result(conn)
    }
}

impl QueryId for FindAccount<'_> {
    type QueryId = FindAccount<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for FindAccount<'_> {
    type SqlType = (
        BigInt,
        Text,
        Nullable<Text>,
        Bool,
        BigInt,
        Nullable<Text>,
        Nullable<Text>,
        Nullable<BigInt>,
        Nullable<BigInt>,
        Bool,
    );
}

impl RunQueryDsl<SqliteConnection> for FindAccount<'_> {}

impl QueryFragment<Sqlite> for FindAccount<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql(
            "SELECT a.low_stock_threshold, a.allocation, a.default_warehouse_id, a.commits_stock, a.price_lists, \
             i.default_taxes, i.shipping_taxes",
        );
        for Counter(name) in [COUNTER, LAST_NUMBER] {
            out.push_sql(
                ", (SELECT value FROM counters c WHERE c.account_id = a.id AND c.name = '",
            );
            out.push_sql(name);
            out.push_sql("')");
        }
        out.push_sql(
            ", EXISTS (SELECT 1 FROM backlogs b WHERE b.account_id = a.id) FROM accounts a \
             LEFT JOIN issuers i ON i.account_id = a.id AND i.is_default = 1 WHERE a.id = ",
        );
        out.push_bind_param::<Text, _>(self.0)?;
        Ok(())
    }
}
