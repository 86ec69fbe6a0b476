//! Returns: the goods, their stock and what is refunded of them, in one transaction.

use ::invoices::papers::is_waiting;
use ::orders::{
    InvoiceId, Order, OrderId, OrderStatus, Return, ReturnError, ReturnId, ReturnItems,
    returns::{self, Earlier},
    shipments::Dispatched,
};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Ctx, Done, Page, PageRequest, Refused, Timestamp};

use super::{progress, promises, shipments};
use crate::ordering::money;
use crate::{
    answers,
    db::Db,
    error::Failure,
    events,
    listing::{self, between},
    payments,
    rows::{corrupt, read},
    schema::{order_items, order_returns as table, orders},
    stored::{from_text, to_text},
    tx::Tx,
    unreadable::readable,
};

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = table, treat_none_as_default_value = false)]
struct ReturnRow {
    account_id: String,
    id: String,
    order_id: String,
    lines: String,
    unshipped: bool,
    shipping: i64,
    amount: i64,
    refund: i64,
    reason: String,
    created_at: i64,
    credit_note_id: Option<String>,
    credit_note_problem: Option<String>,
}

impl ReturnRow {
    fn of(account: AccountId, record: &Return) -> QueryResult<Self> {
        Ok(Self {
            account_id: account.to_string(),
            id: record.id.to_string(),
            order_id: record.order.to_string(),
            lines: to_text(&record.lines)?,
            unshipped: record.is_unshipped,
            shipping: record.shipping.micros(),
            amount: record.amount.micros(),
            refund: record.refund.micros(),
            reason: record.reason.clone(),
            created_at: record.created_at.micros(),
            credit_note_id: record.credit_note.map(|id| id.to_string()),
            credit_note_problem: record.credit_note_problem.clone(),
        })
    }

    fn record(self) -> QueryResult<Return> {
        Ok(Return {
            id: read(&self.id, ReturnId::parse)?,
            order: read(&self.order_id, OrderId::parse)?,
            lines: from_text(&self.lines)?,
            is_unshipped: self.unshipped,
            shipping: Amount::from_micros(self.shipping),
            amount: Amount::from_micros(self.amount),
            refund: Amount::from_micros(self.refund),
            reason: self.reason,
            created_at: Timestamp::from_micros(self.created_at),
            credit_note: self
                .credit_note_id
                .as_deref()
                .map(|id| read(id, InvoiceId::parse))
                .transpose()?,
            credit_note_problem: self.credit_note_problem,
        })
    }
}

/// A return.
pub(crate) fn by_id(db: &mut Db, account: AccountId, id: ReturnId) -> QueryResult<Option<Return>> {
    let row = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq(id.to_string()))
        .select(ReturnRow::as_select())
        .first::<ReturnRow>(db)
        .optional()?;
    row.map(ReturnRow::record).transpose()
}

/// Takes down the credit note of what of a return was never paid, why there is none, or that it is gone.
pub(crate) fn note_credited(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: ReturnId,
    note: Result<Option<InvoiceId>, String>,
) -> QueryResult<()> {
    let this = table::table.find((account.to_string(), id.to_string()));
    let (note, problem) = match note {
        Ok(note) => (note.map(|id| id.to_string()), None),
        Err(problem) => (None, Some(problem)),
    };
    let set = (table::credit_note_id.eq(note), table::credit_note_problem.eq(problem));
    diesel::update(this).set(set).execute(tx.db).map(drop)
}

/// Takes down with which problem the credit note of a return is a draft, or that there is none any more.
pub(crate) fn note_stands(
    tx: &mut Tx<'_>,
    account: AccountId,
    (id, note): (ReturnId, InvoiceId),
    problem: Option<String>,
) -> QueryResult<()> {
    let this = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq(id.to_string()))
        .filter(table::credit_note_id.eq(note.to_string()));
    diesel::update(this).set(table::credit_note_problem.eq(problem)).execute(tx.db).map(drop)
}

/// Shows of a return what the credit note of what of it was never paid waits for, or that it waits no longer.
pub(crate) fn note_waits(
    tx: &mut Tx<'_>,
    account: AccountId,
    record: &Return,
    waits: Option<String>,
) -> QueryResult<()> {
    let is_shown = record.credit_note_problem.as_deref().is_some_and(is_waiting);
    if waits.is_none() && !is_shown {
        return Ok(());
    }
    let this = table::table.find((account.to_string(), record.id.to_string()));
    diesel::update(this).set(table::credit_note_problem.eq(waits)).execute(tx.db).map(drop)
}

/// Shows of all returns of these orders that their credit notes wait no longer.
pub(crate) fn wait_no_more(
    tx: &mut Tx<'_>,
    account: AccountId,
    billed: &[String],
) -> QueryResult<()> {
    let rows: Vec<ReturnRow> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::order_id.eq_any(billed))
        .filter(table::credit_note_problem.is_not_null())
        .order(table::id)
        .select(ReturnRow::as_select())
        .load(tx.db)?;
    rows.into_iter().try_for_each(|row| note_waits(tx, account, &row.record()?, None))
}

/// The returns of an order, the oldest first.
pub(crate) fn of_order(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
) -> QueryResult<Vec<Return>> {
    let rows: Vec<ReturnRow> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::order_id.eq(order.to_string()))
        .order(table::id)
        .select(ReturnRow::as_select())
        .load(db)?;
    rows.into_iter().map(ReturnRow::record).collect()
}

/// A page of the returns of an order, the oldest first.
pub(super) fn page(
    db: &mut Db,
    account: AccountId,
    order: OrderId,
    page: &PageRequest,
) -> QueryResult<Page<Return>> {
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
        .select(ReturnRow::as_select())
        .load::<ReturnRow>(db)?;
    let behind = |row: &ReturnRow| listing::place("createdAt", true, String::new(), &row.id);
    let key = |row: &ReturnRow| (account.to_string(), row.id.clone());
    listing::page_of(rows, page, total, behind, |rows| {
        readable("return", rows.into_iter().map(|row| (key(&row), row.record())))
    })
}

/// Whether the account has an order.
pub(super) fn is_order(db: &mut Db, account: AccountId, order: OrderId) -> QueryResult<bool> {
    let this = orders::table
        .filter(orders::account_id.eq(account.to_string()))
        .filter(orders::id.eq(order.to_string()));
    Ok(this.count().get_result::<i64>(db)? > 0)
}

pub(crate) fn return_items(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    ReturnItems { order: id, new }: &ReturnItems,
) -> Result<Done<Return>, Failure<ReturnError>> {
    let (account, id) = (ctx.account, *id);
    let kept: Option<Done<ReturnId>> = answers::kept_answer(tx, ctx)?;
    if let Some(Done { value: kept, .. }) = kept {
        let made = by_id(tx.db, account, kept)?;
        return Ok(Done { value: made.ok_or(Refused::AnswerUnreadable)?, replayed: true });
    }
    let before = money::locked(tx, account, id)?.ok_or(Refused::NotFound)?;
    let earlier = of_order(tx.db, account, id)?;
    let count = earlier.len();
    let shipping = earlier.iter().map(|made| made.shipping.micros()).sum();
    let new_id = ReturnId::from_u128(tx.ids.next());
    let held = payments::held(tx, account, id, ctx.now)?;
    let is_paid_in_part = before.paid_at.is_none() && before.amount_paid() > Amount::ZERO;
    let withholds = is_paid_in_part && payments::withholds(tx.db, account, &before)?;
    let is_out = matches!(before.status, OrderStatus::Shipped | OrderStatus::Delivered);
    let dispatched = match is_out {
        true => Dispatched::default(),
        false => shipments::dispatched(tx.db, account, &before)?,
    };
    let progress = match dispatched.is_any {
        true => Some(progress::of(tx.db, account, &before)?),
        false => None,
    };
    let earlier = Earlier {
        count,
        progress,
        tracking_number: dispatched.tracking_number,
        shipping: Amount::from_micros(shipping),
        refund_pending: held.pending,
        refundable: held.refundable,
        withholds,
    };
    let mut returned = returns::take_back(&before, new, &earlier, new_id, ctx.now)?;
    let reference = new_id.to_string();
    let (goods, were_shipped) = (&returned.goods, returned.were_shipped);
    let unshipped = (were_shipped, earlier.progress.as_deref());
    let gone = promises::take_back(tx, ctx, (&before, &reference), goods, unshipped)?;
    for line in &mut returned.record.lines {
        line.is_restocked &= !gone.contains(&line.line.saturating_sub(1));
    }
    let row = ReturnRow::of(account, &returned.record)?;
    diesel::insert_into(table::table).values(&row).execute(tx.db)?;
    save_lines(tx, account, &before, &returned.order)?;
    if returned.order.fulfillment_status != before.fulfillment_status {
        shipments::save_order(tx, ctx, &returned.order)?;
    }
    money::save(tx, account, &returned.order)?;
    events::append(tx, account, ctx.now, returned.events)?;
    payments::call_off_settled(tx, account, &returned.order, None, ctx.now)?;
    payments::papers::never_paid(tx, account, id, reference, ctx.now)?;
    if let Some(amount) = returned.to_refund {
        let why = payments::Why {
            origin: ::payments::Origin::Return,
            reason: Some(returned.record.reason.clone()),
            note: Some(new_id.to_string()),
        };
        payments::refund_order(tx, account, returned.order, amount, &why, ctx.now)?;
    }
    answers::keep(tx, ctx, &new_id)?;
    Ok(Done::now(returned.record))
}

/// Saves how many units of each item have come back.
fn save_lines(
    tx: &mut Tx<'_>,
    account: AccountId,
    before: &Order,
    after: &Order,
) -> QueryResult<()> {
    let id = after.id.to_string();
    for ((before, after), line) in before.items.iter().zip(&after.items).zip(0_i64..) {
        if before.returned == after.returned {
            continue;
        }
        let this = order_items::table
            .filter(order_items::account_id.eq(account.to_string()))
            .filter(order_items::order_id.eq(&id))
            .filter(order_items::line.eq(line));
        let this = this.filter(order_items::quantity.ge(after.returned));
        if diesel::update(this).set(order_items::returned.eq(after.returned)).execute(tx.db)? != 1 {
            return Err(corrupt("an item of which more came back than was sold"));
        }
    }
    Ok(())
}
