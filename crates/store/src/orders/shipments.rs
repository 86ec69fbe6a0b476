//! Shipments as rows, and what they do to the order and its stock.

use std::collections::{BTreeMap, BTreeSet};

use ::orders::{
    Order, OrderId, OrderStatus, WarehouseId,
    shipments::{
        self, Dispatched, NewShipment, ReviseShipment, Shipment, ShipmentError, ShipmentId,
        ShipmentLine, ShipmentStatus, Shipped,
    },
    timeline::ENTRIES_MAX,
};
use diesel::prelude::*;
use inventory::{Move, Reason, Sku};
use kernel::{
    AccountId, Ctx, Decimals, FieldFault, Measure, Page, PageRequest, Quantity, Refused, Timestamp,
};

use super::{blocks, progress, promises, update::customer_terms};
use crate::{
    db::Db,
    error::{Failure, refuse_stale, with_faults},
    events, figures,
    listing::{self, between},
    ordering::{money, rows::OrderRow},
    payments,
    rows::{decimals, micros, read, read_name},
    schema::{shipment_items as items, shipments as table},
    stock::places,
    tx::Tx,
};

type Outcome<T> = Result<T, Failure<ShipmentError>>;

#[derive(Insertable, Queryable, Selectable, AsChangeset)]
#[diesel(table_name = table, primary_key(account_id, id), treat_none_as_null = true, treat_none_as_default_value = false)]
struct ShipmentRow {
    account_id: String,
    id: String,
    order_id: String,
    warehouse_id: String,
    status: String,
    carrier: Option<String>,
    tracking_number: Option<String>,
    tracking_url: Option<String>,
    created_at: i64,
    updated_at: i64,
    delivered_at: Option<i64>,
    cancelled_at: Option<i64>,
    version: i64,
}

impl ShipmentRow {
    fn of(account: AccountId, shipment: &Shipment) -> Self {
        Self {
            account_id: account.to_string(),
            id: shipment.id.to_string(),
            order_id: shipment.order.to_string(),
            warehouse_id: shipment.warehouse.to_string(),
            status: shipment.status.name().to_owned(),
            carrier: shipment.carrier.clone(),
            tracking_number: shipment.tracking_number.clone(),
            tracking_url: shipment.tracking_url.clone(),
            created_at: shipment.created_at.micros(),
            updated_at: shipment.updated_at.micros(),
            delivered_at: micros(shipment.delivered_at),
            cancelled_at: micros(shipment.cancelled_at),
            version: shipment.version,
        }
    }

    fn shipment(self, lines: Vec<ShipmentLine>) -> QueryResult<Shipment> {
        Ok(Shipment {
            id: read(&self.id, ShipmentId::parse)?,
            order: read(&self.order_id, OrderId::parse)?,
            warehouse: read(&self.warehouse_id, WarehouseId::parse)?,
            status: read_name(&self.status, ShipmentStatus::EVERY, ShipmentStatus::name)?,
            lines,
            carrier: self.carrier,
            tracking_number: self.tracking_number,
            tracking_url: self.tracking_url,
            created_at: Timestamp::from_micros(self.created_at),
            updated_at: Timestamp::from_micros(self.updated_at),
            delivered_at: self.delivered_at.map(Timestamp::from_micros),
            cancelled_at: self.cancelled_at.map(Timestamp::from_micros),
            version: self.version,
        })
    }
}

/// One shipment.
pub(super) fn one(
    db: &mut Db,
    account: AccountId,
    id: ShipmentId,
) -> QueryResult<Option<Shipment>> {
    let row = table::table
        .find((account.to_string(), id.to_string()))
        .select(ShipmentRow::as_select())
        .first::<ShipmentRow>(db)
        .optional()?;
    Ok(with_lines(db, account, row.into_iter().collect())?.pop())
}

/// The shipments of an order, the oldest first.
fn of_order(db: &mut Db, account: AccountId, order: OrderId) -> QueryResult<Vec<Shipment>> {
    let rows = rows_of_order(db, account, order, i64::MAX)?;
    with_lines(db, account, rows)
}

/// A page of the shipments of an order, the oldest first.
pub(super) fn page(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
    page: &PageRequest,
) -> QueryResult<Page<Shipment>> {
    let all = || {
        table::table
            .filter(table::account_id.eq(account.to_string()))
            .filter(table::order_id.eq(order.to_string()))
            .into_boxed()
    };
    let total = listing::total(page, || all().count().get_result(db))?;
    let rows = between!(all(), true, table::id, page.cursor.as_ref(), None)
        .offset(page.offset())
        .limit(listing::fetched(page))
        .select(ShipmentRow::as_select())
        .load::<ShipmentRow>(db)?;
    let behind = |row: &ShipmentRow| listing::place("createdAt", true, String::new(), &row.id);
    listing::page_of(rows, page, total, behind, |rows| with_lines(db, account, rows))
}

/// The oldest shipments of an order, as many as its timeline has entries, without what lies in them: that may be hundreds of lines
/// of each.
pub(super) fn heads_of_order(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
) -> QueryResult<Vec<Shipment>> {
    let at_most = i64::try_from(ENTRIES_MAX).unwrap_or(i64::MAX);
    let rows = rows_of_order(db, account, order, at_most)?.into_iter();
    rows.map(|row| row.shipment(Vec::new())).collect()
}

fn rows_of_order(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
    at_most: i64,
) -> QueryResult<Vec<ShipmentRow>> {
    table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::order_id.eq(order.to_string()))
        .order(table::id)
        .limit(at_most)
        .select(ShipmentRow::as_select())
        .load(db)
}

fn with_lines(
    db: &mut Db,
    account: AccountId,
    rows: Vec<ShipmentRow>,
) -> QueryResult<Vec<Shipment>> {
    let lines: Vec<(String, i64, Quantity, i64)> = items::table
        .filter(items::account_id.eq(account.to_string()))
        .filter(items::shipment_id.eq_any(rows.iter().map(|row| row.id.clone())))
        .order((items::shipment_id, items::line))
        .select((items::shipment_id, items::line, items::quantity, items::quantity_decimals))
        .load(db)?;
    let mut by_shipment: BTreeMap<String, Vec<ShipmentLine>> = BTreeMap::new();
    for (shipment, line, quantity, kept) in lines {
        let quantity = Measure::of(quantity, decimals(kept)?);
        let line = usize::try_from(line).unwrap_or_default();
        by_shipment.entry(shipment).or_default().push(ShipmentLine { line, quantity });
    }
    let read = |row: ShipmentRow| {
        let own = by_shipment.remove(&row.id).unwrap_or_default();
        row.shipment(own)
    };
    rows.into_iter().map(read).collect()
}

/// Records a shipment of an order.
fn insert(db: &mut Db, account: AccountId, order: &Order, shipment: &Shipment) -> QueryResult<()> {
    diesel::insert_into(table::table).values(&ShipmentRow::of(account, shipment)).execute(db)?;
    for part in &shipment.lines {
        let item = order.items.get(part.line);
        let kept = item.map_or(Decimals::Zero, |item| item.decimals);
        let row = (
            items::account_id.eq(account.to_string()),
            items::shipment_id.eq(shipment.id.to_string()),
            items::line.eq(part.line as i64),
            items::quantity.eq(part.quantity.quantity(kept)),
            items::quantity_decimals.eq(i64::from(kept.count())),
        );
        diesel::insert_into(items::table).values(row).execute(db)?;
    }
    Ok(())
}

fn save(db: &mut Db, account: AccountId, shipment: &Shipment) -> QueryResult<()> {
    let this = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq(shipment.id.to_string()));
    diesel::update(this).set(&ShipmentRow::of(account, shipment)).execute(db).map(drop)
}

/// What its shipments say of an order.
pub(super) fn dispatched(
    db: &mut Db,
    account: AccountId,
    order: &Order,
) -> QueryResult<Dispatched> {
    let mut rows: Vec<(String, Option<String>)> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::order_id.eq(order.id.to_string()))
        .order(table::id.desc())
        .select((table::status, table::tracking_number))
        .load(db)?;
    let count = rows.len();
    rows.retain(|(status, _)| status != ShipmentStatus::Cancelled.name());
    let is_any = !rows.is_empty();
    let tracking_number = rows.into_iter().find_map(|(_, number)| number);
    Ok(Dispatched { count, is_any, tracking_number })
}

/// Ships goods of an order.
pub(super) fn ship(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    order: OrderId,
    new: &NewShipment,
) -> Outcome<Shipment> {
    let before = money::locked(tx, ctx.account, order)?.ok_or(Refused::NotFound)?;
    if !promises::commits(tx.db, ctx.account, order)? {
        return Err(Refused::Rule(ShipmentError::UpgradeUnfinished).into());
    }
    let unknown = match new.warehouse {
        Some(named) if places::one(tx.db, ctx.account, promises::shelf(named))?.is_none() => {
            vec![FieldFault::new("warehouseId", promises::unknown_warehouse())]
        }
        _ => Vec::new(),
    };
    let progress = progress::of(tx.db, ctx.account, &before)?;
    let id = ShipmentId::from_u128(tx.ids.next());
    let earlier = dispatched(tx.db, ctx.account, &before)?;
    let shipped: Outcome<Shipped> =
        shipments::ship(&before, new, &progress, &earlier, id, ctx.now).map_err(Failure::from);
    let shipped = with_faults(unknown, shipped)?;
    insert(tx.db, ctx.account, &before, &shipped.shipment)?;
    carry_out(tx, ctx, &before, shipped, Reason::Shipment)
}

/// Takes a shipment back that did not leave.
pub(super) fn cancel(tx: &mut Tx<'_>, ctx: &Ctx, id: ShipmentId) -> Outcome<Shipment> {
    places::keep(tx, ctx.account)?;
    let known = one(tx.db, ctx.account, id)?.ok_or(Refused::NotFound)?;
    // Whoever changes shipments has locked their order.
    let before = money::locked(tx, ctx.account, known.order)?.ok_or(Refused::NotFound)?;
    let known = one(tx.db, ctx.account, id)?.ok_or(Refused::NotFound)?;
    if places::one(tx.db, ctx.account, promises::shelf(known.warehouse))?.is_none() {
        return Err(Refused::Rule(ShipmentError::WarehouseGone).into());
    }
    let progress = progress::of(tx.db, ctx.account, &before)?;
    let back = shipments::cancel(&before, &known, &progress, ctx.now)?;
    save(tx.db, ctx.account, &back.shipment)?;
    carry_out(tx, ctx, &before, back, Reason::ShipmentCancelled)
}

/// Changes a shipment.
pub(super) fn revise(tx: &mut Tx<'_>, ctx: &Ctx, command: &ReviseShipment) -> Outcome<Shipment> {
    let known = one(tx.db, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    // Whoever changes shipments has locked their order.
    money::locked(tx, ctx.account, known.order)?.ok_or(Refused::NotFound)?;
    let before = one(tx.db, ctx.account, command.id)?.ok_or(Refused::NotFound)?;
    refuse_stale(command.version, before.version)?;
    let changes = command.changes.clone();
    let (after, told) = shipments::revise(&before, changes, ctx.now)?;
    if after.version != before.version {
        save(tx.db, ctx.account, &after)?;
        events::append(tx, ctx.account, ctx.now, told)?;
        if after.status != before.status && after.status == ShipmentStatus::Delivered {
            tx.effects.count(figures::SHIPMENTS_DELIVERED, 1);
        }
    }
    Ok(after)
}

/// Ships what is left of an order that has just become `shipped`.
pub(super) fn ship_rest(tx: &mut Tx<'_>, ctx: &Ctx, order: &Order) -> QueryResult<()> {
    if !promises::commits(tx.db, ctx.account, order.id)? {
        return Ok(());
    }
    let progress = progress::of(tx.db, ctx.account, order)?;
    let id = || ShipmentId::from_u128(tx.ids.next());
    let rest = shipments::rest(order, &progress, id, ctx.now);
    for shipment in &rest {
        insert(tx.db, ctx.account, order, shipment)?;
    }
    let told = rest.iter().map(::orders::events::shipment_created).collect();
    events::append(tx, ctx.account, ctx.now, told)?;
    tx.effects.count(figures::SHIPMENTS_CREATED, rest.len() as u64);
    promises::record(tx, ctx, moves(order, &rest, Reason::Shipment))
}

/// Has the shipments of a delivered order delivered.
pub(super) fn deliver_all(tx: &mut Tx<'_>, ctx: &Ctx, order: OrderId) -> QueryResult<()> {
    let mut told = Vec::new();
    for shipment in of_order(tx.db, ctx.account, order)? {
        if shipment.status == ShipmentStatus::Shipped {
            let (delivered, event) = shipments::deliver(&shipment, ctx.now);
            save(tx.db, ctx.account, &delivered)?;
            told.push(event);
        }
    }
    tx.effects.count(figures::SHIPMENTS_DELIVERED, told.len() as u64);
    events::append(tx, ctx.account, ctx.now, told)
}

fn carry_out(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    before: &Order,
    Shipped { order, shipment, events: told }: Shipped,
    reason: Reason,
) -> Outcome<Shipment> {
    save_order(tx, ctx, &order)?;
    let moves = moves(&order, std::slice::from_ref(&shipment), reason);
    promises::record(tx, ctx, moves)?;
    events::append(tx, ctx.account, ctx.now, told)?;
    let figure = match reason == Reason::Shipment {
        true => figures::SHIPMENTS_CREATED,
        false => figures::SHIPMENTS_CANCELLED,
    };
    tx.effects.count(figure, 1);
    if order.status != before.status && order.status == OrderStatus::Shipped {
        payments::call_off_settled(tx, ctx.account, &order, None, ctx.now)?;
    }
    Ok(shipment)
}

/// Saves an order of which something was shipped.
pub(super) fn save_order(tx: &mut Tx<'_>, ctx: &Ctx, order: &Order) -> QueryResult<()> {
    let account = ctx.account.to_string();
    let terms = customer_terms(tx, &account, &order.customer.to_string())?;
    OrderRow::of(&account, order, &terms)?.save(tx.db)?;
    blocks::extend(tx, &account, order.number, &order.own_terms())
}

/// What shipments move: what they take off the shelves is promised no longer, what comes back is again.
fn moves(order: &Order, shipments: &[Shipment], reason: Reason) -> Vec<Move> {
    let sign = if reason == Reason::Shipment { -1 } else { 1 };
    let mut sums: BTreeMap<(Sku, inventory::WarehouseId), Quantity> = BTreeMap::new();
    for shipment in shipments {
        for part in &shipment.lines {
            let Some(item) = order.items.get(part.line) else { continue };
            let at = (promises::sku(item.sold), promises::shelf(shipment.warehouse));
            *sums.entry(at).or_default() += part.kept(order);
        }
    }
    let reference = order.id.to_string();
    let ids: BTreeSet<String> = shipments.iter().map(|shipment| shipment.id.to_string()).collect();
    let note = ids.into_iter().next().filter(|_| shipments.len() == 1);
    let moved = |(at, quantity): (_, Quantity)| Move {
        committed_delta: sign * quantity,
        note: note.clone(),
        ..Move::new(at, 0, reason, &reference)
    };
    sums.into_iter().map(moved).collect()
}
