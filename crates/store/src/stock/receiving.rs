//! Goods that come from suppliers, and what they cost.

use diesel::prelude::*;
use inventory::{
    NewReceipt, Receipt, ReceiptId, ReceiptStatus,
    receipt::{self, Received},
};
use kernel::{AccountId, Ctx, Page, PageRequest, Refused, Timestamp};

use super::{
    Outcome,
    adjusting::{named_lines, refuse_gone},
    costs,
    levels::{Levels, tell_low},
    places,
};
use crate::{
    db::{Db, first_locked},
    figures,
    listing::{self, newest_first},
    rows::{micros, read, read_name},
    schema::stock_receipts as table,
    stored::{from_text, to_text},
    tx::Tx,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct ReceiptRow {
    account_id: String,
    id: String,
    status: String,
    supplier: Option<String>,
    reference: Option<String>,
    note: Option<String>,
    received_at: Option<i64>,
    lines: String,
    units: i64,
    created_at: i64,
    cancelled_at: Option<i64>,
}

impl ReceiptRow {
    fn of(account: AccountId, receipt: &Receipt) -> QueryResult<Self> {
        Ok(Self {
            account_id: account.to_string(),
            id: receipt.id.to_string(),
            status: receipt.status.name().to_owned(),
            supplier: receipt.supplier.clone(),
            reference: receipt.reference.clone(),
            note: receipt.note.clone(),
            received_at: micros(receipt.received_at),
            lines: to_text(&receipt.lines)?,
            units: receipt.lines.iter().map(|line| line.quantity.quantity(line.sku.decimals)).sum(),
            created_at: receipt.created_at.micros(),
            cancelled_at: micros(receipt.cancelled_at),
        })
    }

    fn receipt(self) -> QueryResult<Receipt> {
        Ok(Receipt {
            id: read(&self.id, ReceiptId::parse)?,
            status: read_name(&self.status, ReceiptStatus::EVERY, ReceiptStatus::name)?,
            supplier: self.supplier,
            reference: self.reference,
            note: self.note,
            received_at: self.received_at.map(Timestamp::from_micros),
            lines: from_text(&self.lines)?,
            created_at: Timestamp::from_micros(self.created_at),
            cancelled_at: self.cancelled_at.map(Timestamp::from_micros),
        })
    }
}

/// One receipt.
pub(super) fn one(db: &mut Db, account: AccountId, id: ReceiptId) -> QueryResult<Option<Receipt>> {
    let row = table::table
        .find((account.to_string(), id.to_string()))
        .select(ReceiptRow::as_select())
        .first::<ReceiptRow>(db)
        .optional()?;
    row.map(ReceiptRow::receipt).transpose()
}

/// A page of receipts, newest first.
pub(super) fn all(
    db: &mut Db,
    account: AccountId,
    page: &PageRequest,
) -> QueryResult<Page<Receipt>> {
    let all = || table::table.filter(table::account_id.eq(account.to_string())).into_boxed();
    let total = listing::total(page, || all().count().get_result(db))?;
    let rows = newest_first!(db, ReceiptRow, table::id, page, all())?;
    let key = |row: &ReceiptRow| (account.to_string(), row.id.clone());
    listing::newest_page(rows, page, total, "receipt", key, ReceiptRow::receipt)
}

/// Receives goods: all lines, or none.
pub(super) fn receive(tx: &mut Tx<'_>, ctx: &Ctx, new: &NewReceipt) -> Outcome<Receipt> {
    places::keep(tx, ctx.account)?;
    let wanted = || new.lines.iter().map(|line| (&line.named, line.warehouse));
    let lines = named_lines(tx, ctx, wanted())?;
    let mut levels = Levels::locked(tx.db, ctx.account, lines.iter().map(|(sku, _)| *sku))?;
    refuse_gone(tx, ctx, wanted())?;
    let currencies = costs::currencies(tx.db, ctx.account, lines.iter().map(|(sku, _)| *sku))?;
    let id = ReceiptId::from_u128(tx.ids.next());
    let received = receipt::receive(
        new,
        &lines,
        |sku, warehouse| levels.level(sku, warehouse),
        |sku| levels.valued(sku, currencies.of(sku)),
        id,
        ctx.now,
    )?;
    let row = ReceiptRow::of(ctx.account, &received.record)?;
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    tx.effects.count(figures::STOCK_RECEIVED, 1);
    carry_out(tx, ctx, &mut levels, received)
}

/// Takes received goods out of stock again.
pub(super) fn cancel(tx: &mut Tx<'_>, ctx: &Ctx, id: ReceiptId) -> Outcome<Receipt> {
    let this = || {
        table::table
            .filter(table::account_id.eq(ctx.account.to_string()))
            .filter(table::id.eq(id.to_string()))
    };
    let row = first_locked!(tx.db, ReceiptRow, this())?.ok_or(Refused::NotFound)?;
    let before = row.receipt()?;
    let skus = || before.lines.iter().map(|line| line.sku);
    let mut levels = Levels::locked(tx.db, ctx.account, skus())?;
    let currencies = costs::currencies(tx.db, ctx.account, skus())?;
    let undone = receipt::cancel(
        &before,
        |sku, warehouse| levels.level(sku, warehouse),
        |sku| levels.valued(sku, currencies.of(sku)),
        ctx.now,
    )?;
    diesel::update(this())
        .set((
            table::status.eq(undone.record.status.name()),
            table::cancelled_at.eq(micros(undone.record.cancelled_at)),
        ))
        .execute(tx.db)?;
    carry_out(tx, ctx, &mut levels, undone)
}

fn carry_out(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    levels: &mut Levels,
    received: Received,
) -> Outcome<Receipt> {
    let totals = levels.record(tx, ctx.now, &received.moves)?;
    let reference = received.record.id.to_string();
    costs::change(tx, ctx, levels, &reference, &received.costs)?;
    tell_low(tx, ctx.account, ctx.now, &totals)?;
    Ok(received.record)
}
