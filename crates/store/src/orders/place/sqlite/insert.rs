//! The inserts that every order needs. Written out: diesel walks through the columns of its own ones several times for
//! every row, which took a tenth of the writer's time.
//!
//! Many rows of one account are inserted by a few statements, since to run one costs about as much as a row. Rows of several
//! accounts are not: SQLite copies each page that a statement of several rows changes, to be able to undo it, and those of one
//! account lie together.

use diesel::{
    QueryResult, RunQueryDsl, SqliteConnection,
    query_builder::{AstPass, QueryFragment, QueryId},
    sql_types::{BigInt, Bool, Nullable, Text},
    sqlite::Sqlite,
};

use crate::{
    answers::AnswerRow,
    events::EventRow,
    ordering::rows::{ItemRow, OrderRow},
    stock::ledger::MovementRow,
};

/// How many rows are inserted at once, where there are as many.
const ROWS: usize = 16;

/// A row that is inserted.
pub(super) trait Row:
    QueryFragment<Sqlite> + QueryId + RunQueryDsl<SqliteConnection> + Copy
{
    /// The insert as far as its values.
    const INTO: &'static str;

    /// Whose row it is.
    fn account(&self) -> &str;

    /// Its values, in parentheses.
    fn values<'b>(&'b self, out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()>;
}

/// Inserts rows in their order.
pub(super) fn insert_all<R: Row>(conn: &mut SqliteConnection, rows: &[R]) -> QueryResult<()> {
    for of_account in rows.chunk_by(|one, other| one.account() == other.account()) {
        let many = of_account.chunks_exact(ROWS);
        let rest = many.remainder();
        for rows in many {
            Many(rows).execute(conn)?;
        }
        for row in rest.iter().copied() {
            row.execute(conn)?;
        }
    }
    Ok(())
}

/// [`ROWS`] rows, never more or fewer: the statement is known by its type.
struct Many<'a, R>(&'a [R]);

impl<R: QueryId> QueryId for Many<'_, R> {
    type QueryId = Many<'static, R::QueryId>;
    const HAS_STATIC_QUERY_ID: bool = R::HAS_STATIC_QUERY_ID;
}

impl<R> RunQueryDsl<SqliteConnection> for Many<'_, R> {}

impl<R: Row> QueryFragment<Sqlite> for Many<'_, R> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql(R::INTO);
        for (place, row) in self.0.iter().enumerate() {
            if place > 0 {
                out.push_sql(", ");
            }
            row.values(out.reborrow())?;
        }
        Ok(())
    }
}

/// Declares an insert: what it is called, its table, the row, and the columns with their types; `;` is followed by a column
/// that the row does not have. The columns that are not named have their defaults.
macro_rules! insert {
    ($(#[$about:meta])* $name:ident, $table:literal, $row:ty:
     $first_type:ty = $first:ident $(, $type:ty = $column:ident)* $(; $own_type:ty = $own:ident: $rust:ty)?) => {
        $(#[$about])*
        #[derive(Clone, Copy)]
        pub(super) struct $name<'a>(pub(super) &'a $row $(, pub(super) &'a $rust)?);

        impl QueryId for $name<'_> {
            type QueryId = $name<'static>;
            const HAS_STATIC_QUERY_ID: bool = true;
        }

        impl RunQueryDsl<SqliteConnection> for $name<'_> {}

        impl QueryFragment<Sqlite> for $name<'_> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                out.push_sql(Self::INTO);
                self.values(out)
            }
        }

        impl Row for $name<'_> {
            const INTO: &'static str = concat!(
                "INSERT INTO ", $table, " (", stringify!($first) $(, ", ", stringify!($column))*
                $(, ", ", stringify!($own))?, ") VALUES "
            );

            fn account(&self) -> &str {
                &self.0.account_id
            }

            fn values<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                out.push_sql("(");
                out.push_bind_param::<$first_type, _>(&self.0.$first)?;
                $(
                    out.push_sql(", ");
                    out.push_bind_param::<$type, _>(&self.0.$column)?;
                )*
                $(
                    out.push_sql(", ");
                    out.push_bind_param::<$own_type, $rust>(self.1)?;
                )?
                out.push_sql(")");
                Ok(())
            }
        }
    };
}

insert! {
    /// An order, and whether it commits its stock.
    InsertOrder, "orders", OrderRow:
    Text = account_id, Text = id, Nullable<Text> = external_id, BigInt = number, Text = status, Text = fulfillment_status,
    Text = customer_id, BigInt = total, Text = currency, BigInt = refund_due, Nullable<Text> = notes, Text = metadata,
    Text = search_text, BigInt = search_version, BigInt = created_at, BigInt = updated_at, BigInt = version,
    Nullable<BigInt> = tax_total, Nullable<Text> = terms; Bool = commits: bool
}
insert! {
    /// An item, and what a unit of it has cost.
    InsertItem, "order_items", ItemRow:
    Text = account_id, Text = order_id, BigInt = line, Text = product_id, Text = variant_id, Text = name, Text = sku,
    BigInt = quantity, BigInt = unit_price, Nullable<Text> = terms; Nullable<BigInt> = unit_cost: Option<i64>
}
insert! {
    /// A movement of stock without a cost or a note.
    InsertMovement, "stock_movements", MovementRow:
    Text = account_id, Text = id, Text = product_id, Text = variant_id, Text = warehouse_id, BigInt = delta,
    BigInt = quantity_after, Text = reason, Text = reference, BigInt = created_at, BigInt = committed_delta
}
insert! {
    /// An event.
    InsertEvent, "events", EventRow:
    Text = account_id, Text = id, Text = name, Text = entity_id, Text = body, BigInt = created_at, BigInt = position
}
insert! {
    /// A kept answer.
    InsertAnswer, "idempotency_answers", AnswerRow:
    Text = account_id, Text = operation, Text = key, Text = digest, Text = answer, BigInt = created_at
}
