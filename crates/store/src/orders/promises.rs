//! What becomes of the stock that is promised to an order: freed, or taken back.

use std::collections::BTreeMap;

use ::orders::{
    ItemSku, Order, OrderId, ReturnedGoods, WarehouseId, allocate::released, returns::origin,
    shipments::LineProgress, update::Promised,
};
use diesel::prelude::*;
use inventory::{Move, Reason, Sku, warehouse::first_of};
use kernel::{AccountId, Ctx, FieldFault, Quantity, Refused, message};

use super::progress;
use crate::{
    db::Db,
    error::Failure,
    rows::read,
    schema::{order_allocations as table, order_items, orders},
    stock::{
        levels::{Levels, is_sold},
        places,
    },
    tx::Tx,
};

/// What a line is promised from each warehouse.
type Parts = Vec<(inventory::WarehouseId, Quantity)>;

/// The lines of an order that are not promised from the first warehouse alone.
pub(super) struct Allocations {
    account: AccountId,
    lines: BTreeMap<usize, Parts>,
}

impl Allocations {
    /// Those of an order, which is locked.
    pub(super) fn of(db: &mut Db, account: AccountId, order: OrderId) -> QueryResult<Self> {
        let rows: Vec<(i64, String, Quantity)> = table::table
            .filter(table::account_id.eq(account.to_string()))
            .filter(table::order_id.eq(order.to_string()))
            .order((table::line, table::warehouse_id))
            .select((table::line, table::warehouse_id, table::quantity))
            .load(db)?;
        let mut lines: BTreeMap<usize, Parts> = BTreeMap::new();
        for (line, warehouse, quantity) in rows {
            let part = (read(&warehouse, inventory::WarehouseId::parse)?, quantity);
            lines.entry(usize::try_from(line).unwrap_or_default()).or_default().push(part);
        }
        Ok(Self { account, lines })
    }

    /// Where so many units of a line are promised from, which is all that is promised of it.
    pub(super) fn parts(&self, line: usize, quantity: Quantity) -> Parts {
        let parts = self.lines.get(&line).cloned();
        parts.unwrap_or_else(|| vec![(first_of(self.account), quantity)])
    }
}

/// Whether an order commits what is promised to it.
pub(super) fn commits(db: &mut Db, account: AccountId, order: OrderId) -> QueryResult<bool> {
    orders::table.find((account.to_string(), order.to_string())).select(orders::commits).first(db)
}

/// Gives back what a cancelled order was promised, to where it lies.
pub(super) fn free(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    order: OrderId,
    promised: &[Promised],
) -> QueryResult<()> {
    let commits = commits(tx.db, ctx.account, order)?;
    if promised.is_empty() {
        return Ok(());
    }
    let allocations = Allocations::of(tx.db, ctx.account, order)?;
    let mut sums: BTreeMap<(Sku, inventory::WarehouseId), Quantity> = BTreeMap::new();
    for part in promised {
        for (warehouse, quantity) in allocations.parts(part.line, part.quantity) {
            *sums.entry((sku(part.sold), warehouse)).or_default() += quantity;
        }
    }
    let reference = order.to_string();
    let moved = |(at, quantity): ((Sku, inventory::WarehouseId), Quantity)| Move {
        committed_delta: if commits { -quantity } else { 0 },
        ..Move::new(at, quantity, Reason::Cancellation, &reference)
    };
    let mut moves: Vec<Move> = sums.into_iter().map(moved).collect();
    let mut levels = Levels::of_moves(tx.db, ctx.account, &moves)?;
    // Whoever removes something from the catalog has locked its stock.
    for moved in &mut moves {
        if !is_sold(tx.db, ctx.account, moved.sku)? {
            moved.delta = 0;
        }
    }
    moves.retain(|moved| moved.delta != 0 || moved.committed_delta != 0);
    levels.record(tx, ctx.now, &moves).map(drop)
}

/// Takes goods of an order back; tells which lines have no shelf any more.
pub(super) fn take_back(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    (before, reference): (&Order, &str),
    goods: &[ReturnedGoods],
    (were_shipped, progress): (bool, Option<&[LineProgress]>),
) -> Result<Vec<usize>, Failure<::orders::ReturnError>> {
    let allocations = Allocations::of(tx.db, ctx.account, before.id)?;
    let commits = commits(tx.db, ctx.account, before.id)?;
    if were_shipped && goods.iter().any(|part| part.is_restocked) {
        places::keep(tx, ctx.account)?;
    }
    let is_unsaid = |part: &ReturnedGoods| part.is_restocked && part.warehouse.is_none();
    let shipped = match were_shipped && goods.iter().any(is_unsaid) {
        true => progress::shipped(tx.db, ctx.account, before.id)?,
        false => BTreeMap::new(),
    };
    // Whoever removes something from the catalog has locked its stock.
    let skus = goods.iter().map(|part| sku(part.sold));
    let mut levels = Levels::locked(tx.db, ctx.account, skus)?;
    let (mut moves, mut gone) = (Vec::<Move>::new(), Vec::new());
    for (index, part) in goods.iter().enumerate() {
        let is_sold = is_sold(tx.db, ctx.account, sku(part.sold))?;
        if !is_sold {
            gone.push(part.line);
        }
        let is_restocked = part.is_restocked && is_sold;
        if were_shipped {
            let shipped = shipped.get(&part.line).map(Vec::as_slice).unwrap_or_default();
            let promised = named(&allocations.parts(part.line, part.quantity));
            let origin = origin(shipped, &promised).map_or(first_of(ctx.account), shelf);
            let place = destination(tx, ctx, origin, (index, part))?;
            if is_restocked {
                let at = (sku(part.sold), place);
                moves.push(Move::new(at, part.quantity, Reason::Return, reference));
            }
            continue;
        }
        let item = before.items.get(part.line);
        let open = item.map_or(0, |item| item.quantity - item.returned);
        let parts: Parts = match progress.and_then(|lines| lines.get(part.line)) {
            Some(line) => line.open.iter().map(|(place, left)| (shelf(*place), *left)).collect(),
            None => allocations.parts(part.line, open),
        };
        remove(tx.db, ctx.account, before.id, (part.line, part.quantity))?;
        let is_elsewhere =
            |named: inventory::WarehouseId| parts.iter().all(|(warehouse, _)| *warehouse != named);
        if part.warehouse.map(shelf).is_some_and(is_elsewhere) {
            return Err(refused(index, not_promised()));
        }
        for (warehouse, quantity) in released(&named(&parts), part.quantity, part.warehouse) {
            let at = (sku(part.sold), shelf(warehouse));
            if allocations.lines.contains_key(&part.line) {
                reduce(tx.db, ctx.account, before.id, (part.line, at.1), quantity)?;
            }
            let delta = if is_restocked { quantity } else { 0 };
            let moved = Move::new(at, delta, Reason::Return, reference);
            moves.push(Move { committed_delta: if commits { -quantity } else { 0 }, ..moved });
        }
    }
    moves.retain(|moved| moved.delta != 0 || moved.committed_delta != 0);
    levels.record(tx, ctx.now, &moves)?;
    Ok(gone)
}

/// Where shipped goods come back to: where they are said to, or where they came from, or the default warehouse.
fn destination(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    origin: inventory::WarehouseId,
    (index, part): (usize, &ReturnedGoods),
) -> Result<inventory::WarehouseId, Failure<::orders::ReturnError>> {
    if part.warehouse.is_none() && origin == first_of(ctx.account) {
        return Ok(origin);
    }
    let known = places::all(tx.db, ctx.account)?;
    let is_known = |id: inventory::WarehouseId| known.iter().any(|place| place.id == id);
    match part.warehouse.map(shelf) {
        Some(named) if is_known(named) => Ok(named),
        Some(_) => Err(refused(index, unknown_warehouse())),
        None if is_known(origin) => Ok(origin),
        None => Ok(places::settings(tx.db, ctx.account)?.default_warehouse),
    }
}

pub(super) fn record(tx: &mut Tx<'_>, ctx: &Ctx, mut moves: Vec<Move>) -> QueryResult<()> {
    moves.retain(|moved| moved.delta != 0 || moved.committed_delta != 0);
    if moves.is_empty() {
        return Ok(());
    }
    let mut levels = Levels::of_moves(tx.db, ctx.account, &moves)?;
    levels.record(tx, ctx.now, &moves).map(drop)
}

/// Keeps count of what of a line will never be shipped.
fn remove(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
    (line, quantity): (usize, Quantity),
) -> QueryResult<()> {
    let this = order_items::table
        .filter(order_items::account_id.eq(account.to_string()))
        .filter(order_items::order_id.eq(order.to_string()))
        .filter(order_items::line.eq(line as i64));
    diesel::update(this)
        .set(order_items::removed.eq(order_items::removed + quantity))
        .execute(db)
        .map(drop)
}

/// Lowers what a line is promised from a warehouse.
pub(super) fn reduce(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
    (line, warehouse): (usize, inventory::WarehouseId),
    quantity: Quantity,
) -> QueryResult<()> {
    let this = || {
        table::table
            .filter(table::account_id.eq(account.to_string()))
            .filter(table::order_id.eq(order.to_string()))
            .filter(table::line.eq(line as i64))
            .filter(table::warehouse_id.eq(warehouse.to_string()))
    };
    if diesel::delete(this().filter(table::quantity.eq(quantity))).execute(db)? == 0 {
        diesel::update(this()).set(table::quantity.eq(table::quantity - quantity)).execute(db)?;
    }
    Ok(())
}

/// What an item sells, as the inventory names it.
pub(super) fn sku(sold: ItemSku) -> Sku {
    Sku::named(
        inventory::ProductId::from_u128(sold.product.to_u128()),
        sold.variant.map(|id| inventory::VariantId::from_u128(id.to_u128())),
    )
}

/// Parts of a line as orders name their warehouses.
fn named(parts: &[(inventory::WarehouseId, Quantity)]) -> Vec<(WarehouseId, Quantity)> {
    parts.iter().map(|(id, part)| (WarehouseId::from_u128(id.to_u128()), *part)).collect()
}

/// A warehouse as the inventory names it.
pub(super) const fn shelf(warehouse: WarehouseId) -> inventory::WarehouseId {
    inventory::WarehouseId::from_u128(warehouse.to_u128())
}

fn refused(index: usize, problem: kernel::Message) -> Failure<::orders::ReturnError> {
    let field = format!("items[{index}].warehouseId");
    Refused::Invalid(vec![FieldFault::new(field, problem)]).into()
}

pub(super) fn unknown_warehouse() -> kernel::Message {
    message!("names no warehouse of this account", "no corresponde a ningún almacén de esta cuenta")
}

fn not_promised() -> kernel::Message {
    message!(
        "names a warehouse from which nothing of this line is promised; what was not shipped stays where it lies",
        "nombra un almacén en el que no hay nada apartado de esta partida; lo que no se envió se queda donde está"
    )
}
