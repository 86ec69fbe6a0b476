//! What has become of each line of orders: what of it was shipped or taken off, and where the rest of it lies.

use std::collections::{BTreeMap, HashMap};

use ::orders::{Order, OrderId, Taken, WarehouseId, shipments::LineProgress};
use diesel::{prelude::*, sql_types::BigInt};
use inventory::warehouse::first_of;
use kernel::{AccountId, Measure, Quantity};

use crate::{
    db::{Db, on},
    rows::{corrupt, read},
    schema::{
        order_allocations as allocations, order_items, orders, shipment_items as items, shipments,
    },
    statement::{Bound, Statement},
};

/// A line of an order.
type Line = (String, i64);
/// Units by line and warehouse.
type Units = BTreeMap<(Line, String), Quantity>;

/// What has become of each line of an order, which is locked.
pub(crate) fn of(db: &mut Db, account: AccountId, order: &Order) -> QueryResult<Vec<LineProgress>> {
    let id = order.id.to_string();
    let mut found = of_orders(db, account, std::slice::from_ref(&id))?;
    found.remove(&id).ok_or_else(|| corrupt("an order without lines"))
}

/// Where what is promised to orders and was not shipped yet lies; nothing of those that are not open.
pub(super) fn open(
    db: &mut Db,
    account: AccountId,
    ids: &[OrderId],
) -> QueryResult<BTreeMap<OrderId, Vec<Taken>>> {
    let ids: Vec<String> = orders::table
        .filter(orders::account_id.eq(account.to_string()))
        .filter(orders::id.eq_any(ids.iter().map(ToString::to_string)))
        .filter(orders::status.eq_any(["pending", "paid"]))
        .select(orders::id)
        .load(db)?;
    let mut open = BTreeMap::new();
    for (order, lines) in of_orders(db, account, &ids)? {
        let lines = lines.into_iter().enumerate();
        let parts = lines.flat_map(|(line, progress)| {
            let part = move |(warehouse, quantity)| Taken { line, warehouse, quantity };
            progress.open.into_iter().map(part)
        });
        open.insert(read(&order, OrderId::parse)?, parts.collect());
    }
    Ok(open)
}

fn of_orders(
    db: &mut Db,
    account: AccountId,
    ids: &[String],
) -> QueryResult<HashMap<String, Vec<LineProgress>>> {
    let own = account.to_string();
    let lines: Vec<(String, i64, Quantity, Quantity)> = order_items::table
        .filter(order_items::account_id.eq(&own))
        .filter(order_items::order_id.eq_any(ids))
        .order((order_items::order_id, order_items::line))
        .select((
            order_items::order_id,
            order_items::line,
            order_items::quantity,
            order_items::removed,
        ))
        .load(db)?;
    let allocated: Vec<(String, i64, String, Quantity)> = allocations::table
        .filter(allocations::account_id.eq(&own))
        .filter(allocations::order_id.eq_any(ids))
        .order((allocations::order_id, allocations::line, allocations::warehouse_id))
        .select((
            allocations::order_id,
            allocations::line,
            allocations::warehouse_id,
            allocations::quantity,
        ))
        .load(db)?;
    let mut parts: BTreeMap<Line, Vec<(String, Quantity)>> = BTreeMap::new();
    for (order, line, warehouse, quantity) in allocated {
        parts.entry((order, line)).or_default().push((warehouse, quantity));
    }
    let held = held(db, &own, ids)?;
    let mut shipped: BTreeMap<&Line, Quantity> = BTreeMap::new();
    for ((line, _), quantity) in &held {
        *shipped.entry(line).or_default() += quantity;
    }
    let first = first_of(account).to_string();
    let mut all: HashMap<String, Vec<LineProgress>> = HashMap::new();
    for (order, line, quantity, removed) in lines {
        let key = (order, line);
        // What has no row is promised from the first warehouse alone.
        let parts = parts.remove(&key).unwrap_or_else(|| vec![(first.clone(), quantity - removed)]);
        let shipped = shipped.get(&key).copied().unwrap_or_default();
        let (order, _) = &key;
        let mut open = Vec::new();
        for (warehouse, promised) in parts {
            let at = (key.clone(), warehouse);
            let left = promised - held.get(&at).copied().unwrap_or_default();
            if left > 0 {
                open.push((read(&at.1, WarehouseId::parse)?, left));
            }
        }
        all.entry(order.clone()).or_default().push(LineProgress { open, shipped, removed });
    }
    Ok(all)
}

/// Where what was shipped of an order has left from, by line.
pub(super) fn shipped(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
) -> QueryResult<BTreeMap<usize, Vec<(WarehouseId, Quantity)>>> {
    let mut shipped: BTreeMap<usize, Vec<(WarehouseId, Quantity)>> = BTreeMap::new();
    for (((_, line), warehouse), quantity) in held(db, &account.to_string(), &[order.to_string()])?
    {
        let part = (read(&warehouse, WarehouseId::parse)?, quantity);
        shipped.entry(usize::try_from(line).unwrap_or_default()).or_default().push(part);
    }
    Ok(shipped)
}

/// What live shipments of an order hold, by line. Takes the account and the order.
const SHIPPED: &str = "SELECT i.line, CAST(SUM(i.quantity) AS BIGINT) FROM shipments s \
    JOIN shipment_items i ON i.account_id = s.account_id AND i.shipment_id = s.id \
    WHERE s.account_id = ? AND s.order_id = ? AND s.status <> 'cancelled' GROUP BY i.line";

/// How much of each item of an order is out, wherever it has left from.
pub(super) fn shipped_of(
    db: &mut Db,
    account: AccountId,
    order: &Order,
) -> QueryResult<Vec<Measure>> {
    let values = [Bound::from(account.to_string()), order.id.to_string().into()];
    let sums: Vec<(i64, Quantity)> = on!(db, |conn| {
        Statement::<(BigInt, BigInt)>::new(SHIPPED, values).load::<(i64, Quantity)>(conn)
    })?;
    let sums: HashMap<usize, Quantity> = sums
        .into_iter()
        .filter_map(|(line, quantity)| Some((usize::try_from(line).ok()?, quantity)))
        .collect();
    let items = order.items.iter().enumerate();
    let of = |line| sums.get(&line).copied().unwrap_or_default();
    Ok(items.map(|(line, item)| item.measure(of(line))).collect())
}

/// What live shipments of orders hold.
fn held(db: &mut Db, account: &str, orders: &[String]) -> QueryResult<Units> {
    let of_shipment =
        items::account_id.eq(shipments::account_id).and(items::shipment_id.eq(shipments::id));
    // By order, since one may have a thousand shipments.
    let rows: Vec<(String, i64, String, Quantity)> = shipments::table
        .inner_join(items::table.on(of_shipment))
        .filter(shipments::account_id.eq(account))
        .filter(shipments::order_id.eq_any(orders))
        .filter(shipments::status.ne("cancelled"))
        .select((shipments::order_id, items::line, shipments::warehouse_id, items::quantity))
        .load(db)?;
    let mut held = Units::new();
    for (order, line, warehouse, quantity) in rows {
        *held.entry(((order, line), warehouse)).or_default() += quantity;
    }
    Ok(held)
}
