//! Levels and rows of the ledger, however many, written at once.

use diesel::prelude::*;
use inventory::Sku;
use kernel::Quantity;

use super::LevelRow;
use crate::{
    db::Db,
    rows::corrupt,
    schema::{
        stock_levels::{self, dsl},
        stock_movements,
    },
    statement::{Bound, Column, Statement, columns},
    stock::ledger::{MovementRow, variant_column},
};

/// How a level changes by all that moves at once.
pub(super) struct LevelChange {
    product_id: String,
    variant_id: String,
    warehouse_id: String,
    pub(super) delta: Quantity,
    pub(super) committed_delta: Quantity,
    pub(super) elsewhere_delta: Quantity,
    /// How often what is on hand changed.
    pub(super) changes: i64,
    pub(super) corrections: i64,
}

impl LevelChange {
    /// Of a level that stays as it is so far.
    pub(super) fn of(sku: Sku, place: &str) -> Self {
        Self {
            product_id: sku.product.to_string(),
            variant_id: variant_column(sku),
            warehouse_id: place.to_owned(),
            delta: 0,
            committed_delta: 0,
            elsewhere_delta: 0,
            changes: 0,
            corrections: 0,
        }
    }
}

const CHANGE_ONE: &str = "UPDATE stock_levels SET quantity = quantity + ?, committed = committed + ?, elsewhere = elsewhere + ?, \
    changes = changes + ?, corrections = corrections + ?, is_low = (quantity + ? + elsewhere + ? < low_below) IS TRUE \
    WHERE account_id = ? AND product_id = ? AND variant_id = ? AND warehouse_id = ?";

const CHANGE_ALL: &str = "UPDATE stock_levels s SET quantity = s.quantity + w.delta, committed = s.committed + w.committed, \
    elsewhere = s.elsewhere + w.elsewhere, changes = s.changes + w.changes, corrections = s.corrections + w.corrections, \
    is_low = (s.quantity + w.delta + s.elsewhere + w.elsewhere < s.low_below) IS TRUE \
    FROM ? AS w (product, variant, place, delta, committed, elsewhere, changes, corrections) \
    WHERE s.account_id = ? AND s.product_id = w.product AND s.variant_id = w.variant AND s.warehouse_id = w.place";

/// Moves levels, each named once; the database refuses to go below zero.
pub(super) fn change_levels(
    db: &mut Db,
    account: &str,
    changes: Vec<LevelChange>,
) -> QueryResult<()> {
    let wanted = changes.len();
    let changed = match db {
        _ if changes.is_empty() => 0,
        Db::Postgres(conn) => {
            let rows = columns!(
                changes, Texts product_id, Texts variant_id, Texts warehouse_id, Numbers delta,
                Numbers committed_delta, Numbers elsewhere_delta, Numbers changes, Numbers corrections,
            );
            let values = [Bound::from(rows), account.to_owned().into()];
            Statement::<()>::new(CHANGE_ALL, values).execute(conn)?
        }
        Db::Sqlite(conn) => {
            let mut changed = 0;
            for change in changes {
                let values = [
                    change.delta.into(),
                    change.committed_delta.into(),
                    change.elsewhere_delta.into(),
                    change.changes.into(),
                    change.corrections.into(),
                    change.delta.into(),
                    change.elsewhere_delta.into(),
                    account.to_owned().into(),
                    change.product_id.into(),
                    change.variant_id.into(),
                    change.warehouse_id.into(),
                ];
                changed += Statement::<()>::new(CHANGE_ONE, values).execute(conn)?;
            }
            changed
        }
    };
    if changed == wanted { Ok(()) } else { Err(corrupt("a level that was not there to be moved")) }
}

/// Makes levels, unless somebody else has.
pub(super) fn add_levels(db: &mut Db, account: &str, rows: &[&LevelRow]) -> QueryResult<()> {
    match db {
        _ if rows.is_empty() => Ok(()),
        Db::Postgres(conn) => {
            let sql = "INSERT INTO stock_levels (account_id, product_id, variant_id, warehouse_id, quantity, sellable) \
                       SELECT * FROM ? AS w ON CONFLICT DO NOTHING";
            let mut all = vec![Column::Texts(vec![account.to_owned(); rows.len()])];
            all.extend(columns!(
                rows, Texts product_id, Texts variant_id, Texts warehouse_id, Numbers quantity, Flags sellable,
            ));
            Statement::<()>::new(sql, [Bound::from(all)]).execute(conn).map(drop)
        }
        Db::Sqlite(conn) => {
            for row in rows {
                let row = (
                    dsl::account_id.eq(account),
                    dsl::product_id.eq(&row.product_id),
                    dsl::variant_id.eq(&row.variant_id),
                    dsl::warehouse_id.eq(&row.warehouse_id),
                    dsl::quantity.eq(row.quantity),
                    dsl::sellable.eq(row.sellable),
                );
                diesel::insert_into(stock_levels::table)
                    .values(row)
                    .on_conflict_do_nothing()
                    .execute(conn)?;
            }
            Ok(())
        }
    }
}

/// Writes rows of the ledger.
pub(super) fn add_movements(db: &mut Db, rows: &[MovementRow]) -> QueryResult<()> {
    match db {
        _ if rows.is_empty() => Ok(()),
        Db::Postgres(conn) => {
            let sql = "INSERT INTO stock_movements (account_id, id, product_id, variant_id, warehouse_id, delta, \
                       quantity_after, reason, reference, created_at, committed_delta, unit_cost, note) SELECT * FROM ? AS w";
            let all = columns!(
                rows, Texts account_id, Texts id, Texts product_id, Texts variant_id, Texts warehouse_id,
                Numbers delta, Numbers quantity_after, Texts reason, Texts reference, Numbers created_at,
                Numbers committed_delta, OptionalNumbers unit_cost, OptionalTexts note,
            );
            Statement::<()>::new(sql, [Bound::from(all)]).execute(conn).map(drop)
        }
        Db::Sqlite(conn) => {
            for row in rows {
                diesel::insert_into(stock_movements::table).values(row).execute(conn)?;
            }
            Ok(())
        }
    }
}
