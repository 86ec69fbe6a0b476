//! The inserts that every order needs. Written out: diesel walks through the columns of its own ones several times for
//! every row, which took a tenth of the writer's time.

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

/// Declares an insert: what it is called, its table, the row, and the columns with their types; `;` is followed by a column
/// that the row does not have. The columns that are not named have their defaults.
macro_rules! insert {
    ($(#[$about:meta])* $name:ident, $table:literal, $row:ty:
     $first_type:ty = $first:ident $(, $type:ty = $column:ident)* $(; $own_type:ty = $own:ident: $rust:ty)?) => {
        $(#[$about])*
        pub(super) struct $name<'a>(pub(super) &'a $row $(, pub(super) &'a $rust)?);

        impl QueryId for $name<'_> {
            type QueryId = $name<'static>;
            const HAS_STATIC_QUERY_ID: bool = true;
        }

        impl RunQueryDsl<SqliteConnection> for $name<'_> {}

        impl QueryFragment<Sqlite> for $name<'_> {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                out.push_sql(concat!(
                    "INSERT INTO ", $table, " (", stringify!($first) $(, ", ", stringify!($column))*
                    $(, ", ", stringify!($own))?, ") VALUES ("
                ));
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
