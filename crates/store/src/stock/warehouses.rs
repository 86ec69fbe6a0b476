//! Adding, changing and removing warehouses.

use ::accounts::{
    Act, Action,
    audit::{Fields, present},
};
use diesel::prelude::*;
use inventory::{
    NewWarehouse, StockError, UpdateWarehouse, Warehouse, WarehouseId,
    warehouse::{self, first_of},
};
use kernel::{AccountId, Ctx, Measure, Refused};

use super::{
    Outcome, counts, ledger,
    places::{self, WarehouseRow},
    transfers,
    units::Units,
};
use crate::{
    audit,
    db::{Db, all_locked, on},
    error::refuse_stale,
    schema::{stock_levels as levels, warehouses as table},
    tx::Tx,
};

/// Adds a warehouse.
pub(super) fn create(tx: &mut Tx<'_>, ctx: &Ctx, new: &NewWarehouse) -> Outcome<Warehouse> {
    places::lock(tx, ctx.account)?;
    if !places::commits(tx.db, ctx.account)? {
        return Err(Refused::Rule(StockError::UpgradeUnfinished).into());
    }
    let known = places::all(tx.db, ctx.account)?.len();
    let id = WarehouseId::from_u128(tx.ids.next());
    let made = warehouse::create(new.clone(), id, known, ctx.now)?;
    save(tx.db, ctx.account, &made)?;
    let act = Act::new(Action::WarehouseCreated, &made.id);
    audit::record(tx, ctx, &act.with_all(&Fields::new(), &told(&made)))?;
    Ok(made)
}

/// Changes a warehouse.
pub(super) fn update(tx: &mut Tx<'_>, ctx: &Ctx, command: &UpdateWarehouse) -> Outcome<Warehouse> {
    let before = locked(tx, ctx.account, command.id, command.version)?;
    let after = warehouse::update(&before, command.changes.clone(), ctx.now);
    if after.version != before.version {
        save(tx.db, ctx.account, &after)?;
        let act = Act::new(Action::WarehouseChanged, &after.id);
        audit::record(tx, ctx, &act.with_all(&told(&before), &told(&after)))?;
    }
    Ok(after)
}

/// Removes a warehouse with nothing in it. Orders that took from it keep its identifier.
pub(super) fn delete(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: WarehouseId,
    version: Option<i64>,
) -> Outcome<WarehouseId> {
    let warehouse = locked(tx, ctx.account, id, version)?;
    if id == first_of(ctx.account) {
        return Err(Refused::Rule(StockError::FirstWarehouse).into());
    }
    if places::settings(tx.db, ctx.account)?.default_warehouse == id {
        return Err(Refused::Rule(StockError::DefaultWarehouse).into());
    }
    if transfers::is_awaited(tx.db, ctx.account, id)? {
        return Err(Refused::Rule(StockError::WarehouseInTransfer).into());
    }
    if let Some(count) = counts::open_in(tx.db, ctx.account, id)? {
        return Err(Refused::Rule(StockError::WarehouseInCount { count }).into());
    }
    let own = || {
        levels::table
            .filter(levels::account_id.eq(ctx.account.to_string()))
            .filter(levels::warehouse_id.eq(id.to_string()))
    };
    let held: Vec<HeldRow> = all_locked!(
        tx.db,
        HeldRow,
        levels::table
            .filter(levels::account_id.eq(ctx.account.to_string()))
            .filter(levels::warehouse_id.eq(id.to_string()))
            .order((levels::product_id, levels::variant_id))
    )?;
    if held.iter().any(|row| row.quantity + row.committed > 0) {
        let units = Units::of_rows(tx.db, ctx.account, held.iter().map(|row| &row.product_id))?;
        let mut on_hand = Measure::ZERO;
        for row in &held {
            let sku = units.counted(ledger::sku(&row.product_id, "")?);
            on_hand += sku.measure(row.quantity + row.committed);
        }
        return Err(Refused::Rule(StockError::WarehouseHoldsStock { on_hand }).into());
    }
    diesel::delete(own()).execute(tx.db)?;
    diesel::delete(
        table::table
            .filter(table::account_id.eq(ctx.account.to_string()))
            .filter(table::id.eq(id.to_string())),
    )
    .execute(tx.db)?;
    let act = Act::new(Action::WarehouseDeleted, &id);
    audit::record(tx, ctx, &act.with_all(&told(&warehouse), &Fields::new()))?;
    Ok(id)
}

/// A warehouse as the audit log tells it: every part by the name that the API gives it.
fn told(warehouse: &Warehouse) -> Fields {
    let parts = [
        ("name", Some(warehouse.name.clone())),
        ("kind", Some(warehouse.kind.name().to_owned())),
        ("priority", Some(warehouse.priority.to_string())),
    ];
    let address = warehouse.address.iter().flat_map(|address| {
        [
            ("address.street", Some(address.street.clone())),
            ("address.neighborhood", address.neighborhood.clone()),
            ("address.city", address.city.clone()),
            ("address.state", address.state.clone()),
            ("address.zip", address.zip.clone()),
            ("address.country", Some(address.country.clone())),
            ("address.phone", address.phone.clone()),
        ]
    });
    present(parts.into_iter().chain(address))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = levels)]
struct HeldRow {
    product_id: String,
    quantity: i64,
    committed: i64,
}

fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: WarehouseId,
    version: Option<i64>,
) -> Outcome<Warehouse> {
    places::lock(tx, account)?;
    let known = places::one(tx.db, account, id)?.ok_or(Refused::NotFound)?;
    refuse_stale(version, known.version)?;
    Ok(known)
}

fn save(db: &mut Db, account: AccountId, warehouse: &Warehouse) -> QueryResult<()> {
    let row = WarehouseRow::of(account, warehouse)?;
    on!(db, |conn| diesel::insert_into(table::table)
        .values(&row)
        .on_conflict((table::account_id, table::id))
        .do_update()
        .set(&row)
        .execute(conn))
    .map(drop)
}
