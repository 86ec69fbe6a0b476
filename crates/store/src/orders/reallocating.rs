//! Having an order promised from other warehouses: its allocations and the stock of these, in one transaction.

use std::collections::BTreeMap;

use ::orders::{ItemSku, Order, OrderId, ReallocateError, Reallocation, WarehouseId, reallocate};
use diesel::prelude::*;
use inventory::{Move, Reason, warehouse::first_of};
use kernel::{AccountId, Ctx, Quantity, Refused};

use super::{progress, promises, shipments};
use crate::{
    db::Db,
    error::Failure,
    ordering::money,
    schema::{order_allocations as table, order_items},
    stock::{levels::Levels, places},
    tx::Tx,
};

/// Has parts of an order promised from other warehouses.
pub(super) fn reallocate(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: OrderId,
    parts: &[Reallocation],
) -> Result<Order, Failure<ReallocateError>> {
    places::keep(tx, ctx.account)?;
    let before = money::locked(tx, ctx.account, id)?.ok_or(Refused::NotFound)?;
    if !promises::commits(tx.db, ctx.account, id)? {
        return Err(Refused::Rule(ReallocateError::UpgradeUnfinished).into());
    }
    let warehouses: BTreeMap<WarehouseId, bool> = places::all(tx.db, ctx.account)?
        .into_iter()
        .map(|place| (WarehouseId::from_u128(place.id.to_u128()), place.kind.is_sellable()))
        .collect();
    let progress = progress::of(tx.db, ctx.account, &before)?;
    let named = parts.iter().filter_map(|part| before.items.get(part.line));
    let named = named.map(|item| promises::sku(item.sold));
    let mut levels = Levels::locked(tx.db, ctx.account, named)?;
    let available = |sold: ItemSku, warehouse: WarehouseId| {
        levels.level(promises::sku(sold), promises::shelf(warehouse)).available
    };
    let moved = reallocate::reallocate(&before, parts, &progress, &warehouses, available, ctx.now)?;
    for part in parts {
        let item = before.items.get(part.line);
        let quantity = item.map_or(0, |item| part.quantity.quantity(item.decimals));
        relocate(tx.db, ctx.account, id, (part, quantity))?;
    }
    let reference = id.to_string();
    let moves: Vec<Move> = moved
        .promised
        .into_iter()
        .map(|((sold, warehouse), change)| {
            let at = (promises::sku(sold), promises::shelf(warehouse));
            let moved = Move::new(at, -change, Reason::Reallocation, &reference);
            Move { committed_delta: change, ..moved }
        })
        .collect();
    levels.record(tx, ctx.now, &moves)?;
    shipments::save_order(tx, ctx, &moved.order)?;
    Ok(moved.order)
}

/// Changes where a part of a line is promised from.
fn relocate(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
    (part, quantity): (&Reallocation, Quantity),
) -> QueryResult<()> {
    let line = part.line as i64;
    let (own, id) = (account.to_string(), order.to_string());
    let rows = || {
        table::table
            .filter(table::account_id.eq(&own))
            .filter(table::order_id.eq(&id))
            .filter(table::line.eq(line))
    };
    let add = |db: &mut Db, warehouse: &str, quantity: Quantity| -> QueryResult<()> {
        let there = rows().filter(table::warehouse_id.eq(warehouse));
        let more = table::quantity.eq(table::quantity + quantity);
        if diesel::update(there).set(more).execute(db)? > 0 {
            return Ok(());
        }
        let row = (
            table::account_id.eq(&own),
            table::order_id.eq(&id),
            table::line.eq(line),
            table::warehouse_id.eq(warehouse),
            table::quantity.eq(quantity),
        );
        diesel::insert_into(table::table).values(row).execute(db).map(drop)
    };
    if rows().count().get_result::<i64>(db)? == 0 {
        // What has no row is promised from the first warehouse alone.
        let item = order_items::table.find((&own, &id, line));
        let whole = item.select(order_items::quantity - order_items::removed).first(db)?;
        add(db, &first_of(account).to_string(), whole)?;
    }
    promises::reduce(db, account, order, (part.line, promises::shelf(part.from)), quantity)?;
    add(db, &part.to.to_string(), quantity)
}
