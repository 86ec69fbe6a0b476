//! Stock levels and their ledger.

use catalog::{StockChange, StockKey};
use diesel::prelude::*;
use kernel::{AccountId, Quantity, Timestamp};

use crate::{
    db::Db,
    schema::{
        stock_levels::{self, dsl as level},
        stock_movements,
    },
    tx::Tx,
};

/// The warehouse that every account has from the start: it shares the account's number, so that finding it
/// costs nothing.
pub(crate) fn default_warehouse(account: &str) -> String {
    account.replacen("acc_", "whs_", 1)
}

/// The variant's identifier as a column, empty when none is named.
pub(crate) fn variant_column(key: StockKey) -> String {
    key.variant.map(|id| id.to_string()).unwrap_or_default()
}

#[derive(Insertable)]
#[diesel(table_name = stock_movements, treat_none_as_default_value = false)]
pub(crate) struct MovementRow {
    pub(crate) account_id: String,
    pub(crate) id: String,
    pub(crate) product_id: String,
    pub(crate) variant_id: String,
    pub(crate) warehouse_id: String,
    pub(crate) delta: i64,
    pub(crate) quantity_after: i64,
    pub(crate) reason: &'static str,
    pub(crate) reference: String,
    pub(crate) created_at: i64,
}

kernel::ids! {
    /// A row of the ledger.
    MovementId = "mov";
}

/// Locks the stock of a product until the end of the transaction. SQLite has one writer at a time: nothing
/// to lock.
pub(crate) fn lock_levels(db: &mut Db, account: AccountId, product: &str) -> QueryResult<()> {
    let Db::Postgres(conn) = db else { return Ok(()) };
    let levels: Vec<Quantity> = stock_levels::table
        .filter(level::account_id.eq(account.to_string()))
        .filter(level::product_id.eq(product))
        .order((level::variant_id, level::warehouse_id))
        .select(level::quantity)
        .for_update()
        .load(conn)?;
    drop(levels);
    Ok(())
}

/// Applies changes to the default warehouse and writes the ledger. The level goes by the delta, not to the
/// total; the database refuses to go below zero.
pub(crate) fn apply(
    tx: &mut Tx<'_>,
    account: AccountId,
    now: Timestamp,
    changes: &[StockChange],
) -> QueryResult<()> {
    let account = account.to_string();
    let warehouse = default_warehouse(&account);
    for change in changes {
        let (product, variant) = (change.key.product.to_string(), variant_column(change.key));
        add(tx.db, &account, &product, &variant, &warehouse, change.delta)?;
        let movement = MovementRow {
            account_id: account.clone(),
            id: MovementId::from_u128(tx.ids.next()).to_string(),
            product_id: product,
            variant_id: variant,
            warehouse_id: warehouse.clone(),
            delta: change.delta,
            quantity_after: change.left,
            reason: change.reason.name(),
            reference: change.reference.clone(),
            created_at: now.micros(),
        };
        diesel::insert_into(stock_movements::table).values(&movement).execute(tx.db)?;
    }
    Ok(())
}

fn add(
    db: &mut Db,
    account: &str,
    product: &str,
    variant: &str,
    warehouse: &str,
    delta: i64,
) -> QueryResult<()> {
    let place = stock_levels::table
        .filter(level::account_id.eq(account))
        .filter(level::product_id.eq(product))
        .filter(level::variant_id.eq(variant))
        .filter(level::warehouse_id.eq(warehouse));
    let changed =
        diesel::update(place).set(level::quantity.eq(level::quantity + delta)).execute(db)?;
    if changed == 0 {
        let row = (
            level::account_id.eq(account),
            level::product_id.eq(product),
            level::variant_id.eq(variant),
            level::warehouse_id.eq(warehouse),
            level::quantity.eq(delta),
        );
        diesel::insert_into(stock_levels::table).values(row).execute(db)?;
    }
    Ok(())
}
