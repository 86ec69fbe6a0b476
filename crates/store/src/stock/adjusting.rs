//! Stock that people correct by hand.

use diesel::prelude::*;
use inventory::{
    Adjustment, AdjustmentId, Cause, NewAdjustment, Sku, WarehouseId,
    adjustment::{Named, adjust as judge},
};
use kernel::{AccountId, Ctx, FieldFault, Message, Page, PageRequest, Refused, Timestamp, message};

use super::{
    Outcome,
    levels::{Levels, tell_low},
    naming, places,
};
use crate::{
    db::Db,
    figures,
    listing::{self, newest_first},
    rows::{read, read_name},
    schema::stock_adjustments as table,
    stored::{from_text, to_text},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct AdjustmentRow {
    account_id: String,
    id: String,
    reason: String,
    note: Option<String>,
    reference: Option<String>,
    lines: String,
    created_at: i64,
}

impl AdjustmentRow {
    fn of(account: AccountId, adjustment: &Adjustment) -> QueryResult<Self> {
        Ok(Self {
            account_id: account.to_string(),
            id: adjustment.id.to_string(),
            reason: adjustment.cause.name().to_owned(),
            note: adjustment.note.clone(),
            reference: adjustment.reference.clone(),
            lines: to_text(&adjustment.lines)?,
            created_at: adjustment.created_at.micros(),
        })
    }

    fn adjustment(self) -> QueryResult<Adjustment> {
        Ok(Adjustment {
            id: read(&self.id, AdjustmentId::parse)?,
            cause: read_name(&self.reason, Cause::EVERY, Cause::name)?,
            note: self.note,
            reference: self.reference,
            lines: from_text(&self.lines)?,
            created_at: Timestamp::from_micros(self.created_at),
        })
    }
}

/// One adjustment.
pub(super) fn one(
    db: &mut Db,
    account: AccountId,
    id: AdjustmentId,
) -> QueryResult<Option<Adjustment>> {
    let row = table::table
        .find((account.to_string(), id.to_string()))
        .select(AdjustmentRow::as_select())
        .first::<AdjustmentRow>(db)
        .optional()?;
    row.map(AdjustmentRow::adjustment).transpose()
}

/// A page of adjustments, newest first.
pub(super) fn all(
    db: &mut Db,
    account: AccountId,
    page: &PageRequest,
) -> QueryResult<Page<Adjustment>> {
    let all = || table::table.filter(table::account_id.eq(account.to_string())).into_boxed();
    let total = listing::total(page, || all().count().get_result(db))?;
    let rows = newest_first!(db, AdjustmentRow, table::id, page, all())?;
    let key = |row: &AdjustmentRow| (account.to_string(), row.id.clone());
    listing::newest_page(rows, page, total, "adjustment", key, AdjustmentRow::adjustment)
}

/// Locks what an adjustment names until the end of the transaction.
pub(crate) fn hold(tx: &mut Tx<'_>, ctx: &Ctx, new: &NewAdjustment) -> Outcome<()> {
    places::keep(tx, ctx.account)?;
    let wanted = new.lines.iter().map(|line| (&line.named, line.warehouse));
    let lines = named_lines(tx, ctx, wanted)?;
    Ok(Levels::locked(tx.db, ctx.account, lines.iter().map(|(sku, _)| *sku)).map(drop)?)
}

/// Corrects stock: all lines, or none.
pub(crate) fn adjust(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    id: AdjustmentId,
    new: &NewAdjustment,
) -> Outcome<Adjustment> {
    places::keep(tx, ctx.account)?;
    let wanted = || new.lines.iter().map(|line| (&line.named, line.warehouse));
    // Nobody changes the decimals of a product while warehouses are kept.
    let lines = named_lines(tx, ctx, wanted())?;
    let mut levels = Levels::locked(tx.db, ctx.account, lines.iter().map(|(sku, _)| *sku))?;
    refuse_gone(tx, ctx, wanted())?;
    let level = |sku, warehouse| levels.level(sku, warehouse);
    let adjusted = judge(new, &lines, level, id, ctx.now)?;
    let row = AdjustmentRow::of(ctx.account, &adjusted.record)?;
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    let totals = levels.record(tx, ctx.now, &adjusted.moves)?;
    tell_low(tx, ctx.account, ctx.now, &totals)?;
    tx.effects.count(figures::STOCK_ADJUSTED, 1);
    Ok(adjusted.record)
}

/// What lines name, and where; the default warehouse where they do not say.
pub(super) fn named_lines<'a>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    wanted: impl Iterator<Item = (&'a Named, Option<WarehouseId>)>,
) -> Outcome<Vec<(Sku, WarehouseId)>> {
    let known = places::all(tx.db, ctx.account)?;
    let default = places::settings(tx.db, ctx.account)?.default_warehouse;
    let wanted: Vec<_> = wanted.collect();
    let found = naming::found(tx.db, ctx.account, wanted.iter().map(|(named, _)| *named))?;
    let missing =
        wanted.iter().map(|(named, _)| *named).filter(|named| !found.contains_key(*named));
    let shared = naming::shared(tx.db, ctx.account, missing)?;
    let (mut faults, mut lines) = (Vec::new(), Vec::new());
    for (index, (named, warehouse)) in wanted.into_iter().enumerate() {
        let mut refuse = |field: &str, problem: Message| {
            faults.push(FieldFault::new(format!("items[{index}].{field}"), problem));
        };
        if let Some(id) = warehouse
            && known.iter().all(|place| place.id != id)
        {
            refuse("warehouseId", unknown_warehouse());
        }
        match found.get(named) {
            Some(sku) => lines.push((*sku, warehouse.unwrap_or(default))),
            None => {
                let (field, problem) = unknown(named);
                let shared = shared.get(named).map(|holders| naming::shared_by(holders));
                refuse(field, shared.unwrap_or(problem));
            }
        }
    }
    if faults.is_empty() { Ok(lines) } else { Err(Refused::Invalid(faults).into()) }
}

/// Refuses what was removed from the catalog while its levels were waited for: only who has locked them may.
pub(super) fn refuse_gone<'a>(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    wanted: impl Iterator<Item = (&'a Named, Option<WarehouseId>)>,
) -> Outcome<()> {
    match tx.db {
        Db::Sqlite(_) => Ok(()),
        Db::Postgres(_) => named_lines(tx, ctx, wanted).map(drop),
    }
}

fn unknown(named: &Named) -> (&'static str, Message) {
    match named {
        Named::Id(Sku { variant: Some(_), .. }) => (
            "variantId",
            message!(
                "names no variant of this product",
                "no corresponde a ninguna variante de este producto"
            ),
        ),
        Named::Id(_) => (
            "productId",
            message!(
                "names no product of this account",
                "no corresponde a ningún producto de esta cuenta"
            ),
        ),
        Named::Code(_) => {
            ("sku", message!("is the SKU of no product", "no es el SKU de ningún producto"))
        }
        Named::Ean(_) => {
            ("ean", message!("is the EAN of no product", "no es el EAN de ningún producto"))
        }
    }
}

/// What is said of a warehouse that an account does not have.
pub(super) fn unknown_warehouse() -> Message {
    message!("names no warehouse of this account", "no corresponde a ningún almacén de esta cuenta")
}
