//! What is offered, with what the first warehouse has of it: one look-up for each line of a batch, or for many of them. Written
//! out, so that its text is made once.

use diesel::{
    OptionalExtension, QueryResult, RunQueryDsl, SqliteConnection,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{BigInt, Bool, Nullable, Text},
    sqlite::Sqlite,
};
use kernel::Quantity;

/// Of a product: name, SKU, price, currency, status, threshold, whether taxes are inside, taxes, cost and decimals; of the level:
/// quantity, what is elsewhere, and what a unit has cost on average.
pub(super) type OfferColumns = (
    String,
    String,
    i64,
    String,
    String,
    Option<Quantity>,
    bool,
    String,
    Option<i64>,
    i64,
    Option<Quantity>,
    Option<Quantity>,
    Option<i64>,
);

/// The columns by their names.
macro_rules! columns {
    () => {
        "p.name, p.sku, p.price, p.currency, p.status, p.low_stock_threshold, p.tax_included, p.taxes, p.cost, \
         p.quantity_decimals, s.quantity, s.elsewhere, s.average_cost"
    };
}

/// A product that is not deleted, and a level of it or of its variant.
pub(super) struct FindOffer<'a> {
    pub(super) account: &'a str,
    pub(super) product: &'a str,
    pub(super) variant: &'a str,
    pub(super) warehouse: &'a str,
}

impl FindOffer<'_> {
    pub(super) fn find(self, conn: &mut SqliteConnection) -> QueryResult<Option<OfferColumns>> {
        self.get_result(conn).optional()
    }
}

impl QueryId for FindOffer<'_> {
    type QueryId = FindOffer<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for FindOffer<'_> {
    type SqlType = (
        Text,
        Text,
        BigInt,
        Text,
        Text,
        Nullable<BigInt>,
        Bool,
        Text,
        Nullable<BigInt>,
        BigInt,
        Nullable<BigInt>,
        Nullable<BigInt>,
        Nullable<BigInt>,
    );
}

impl RunQueryDsl<SqliteConnection> for FindOffer<'_> {}

impl QueryFragment<Sqlite> for FindOffer<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql(concat!(
            "SELECT ",
            columns!(),
            " FROM products p LEFT JOIN stock_levels s \
             ON s.account_id = p.account_id AND s.product_id = p.id AND s.variant_id = "
        ));
        out.push_bind_param::<Text, _>(self.variant)?;
        out.push_sql(" AND s.warehouse_id = ");
        out.push_bind_param::<Text, _>(self.warehouse)?;
        out.push_sql(" WHERE p.account_id = ");
        out.push_bind_param::<Text, _>(self.account)?;
        out.push_sql(" AND p.id = ");
        out.push_bind_param::<Text, _>(self.product)?;
        out.push_sql(" AND p.deleted_at IS NULL");
        Ok(())
    }
}

/// The same of many products without their variants.
pub(super) struct FindOffers<'a> {
    pub(super) account: &'a str,
    pub(super) warehouse: &'a str,
    /// Their identifiers, as a JSON array.
    pub(super) products: &'a str,
}

impl FindOffers<'_> {
    /// The columns of each that there is, with its place in the array.
    pub(super) fn find(self, conn: &mut SqliteConnection) -> QueryResult<Vec<(i64, OfferColumns)>> {
        self.load(conn)
    }
}

impl QueryId for FindOffers<'_> {
    type QueryId = FindOffers<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for FindOffers<'_> {
    type SqlType = (BigInt, <FindOffer<'static> as Query>::SqlType);
}

impl RunQueryDsl<SqliteConnection> for FindOffers<'_> {}

impl QueryFragment<Sqlite> for FindOffers<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        // By their keys, in the order of the array: a cross join is not turned round.
        out.push_sql(concat!("SELECT w.key, ", columns!(), " FROM json_each("));
        out.push_bind_param::<Text, _>(self.products)?;
        out.push_sql(") w CROSS JOIN products p ON p.account_id = ");
        out.push_bind_param::<Text, _>(self.account)?;
        out.push_sql(
            " AND p.id = w.value LEFT JOIN stock_levels s ON s.account_id = p.account_id AND s.product_id = p.id \
             AND s.variant_id = '' AND s.warehouse_id = ",
        );
        out.push_bind_param::<Text, _>(self.warehouse)?;
        out.push_sql(" WHERE p.deleted_at IS NULL");
        Ok(())
    }
}
