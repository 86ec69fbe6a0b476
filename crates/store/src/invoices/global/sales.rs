//! The sales of a period.

use std::collections::HashMap;

use ::invoices::{
    InvoiceId, OrderId,
    global::{Sale, SalePlace},
};
use ::orders::{OrderStatus, number_text};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Currency, Timestamp};

use crate::{
    db::Db,
    ordering::money::withheld_of,
    orders::{MINTED_WITHIN, minted},
    rows::{currency, moment, read, read_name},
    schema::{
        invoice_orders as held,
        orders::{self, dsl},
    },
};

type SaleRow = (
    String,
    i64,
    String,
    i64,
    i64,
    Option<i64>,
    i64,
    String,
    Option<i64>,
    Option<i64>,
    Option<String>,
);

/// Orders with the invoice that each is in.
#[diesel::dsl::auto_type(no_type_alias)]
fn sold(account: AccountId) -> _ {
    let account: String = account.to_string();
    let holder = held::account_id.eq(orders::account_id).and(held::order_id.eq(orders::id));
    orders::table.left_join(held::table.on(holder)).filter(dsl::account_id.eq(account)).select((
        dsl::id,
        dsl::number,
        dsl::status,
        dsl::total,
        dsl::returned_total,
        dsl::amount_paid,
        dsl::amount_refunded,
        dsl::currency,
        dsl::paid_at,
        dsl::amount_withheld,
        held::invoice_id.nullable(),
    ))
}

/// Up to `limit` of those paid from the one moment to before the other, in the order of their payment, behind a place
/// that was reached.
pub(super) fn paid(
    db: &mut Db,
    account: AccountId,
    (from, to): (Timestamp, Timestamp),
    behind: Option<SalePlace>,
    limit: usize,
) -> QueryResult<Vec<Sale>> {
    let mut query = sold(account)
        .filter(dsl::paid_at.ge(from.micros()))
        .filter(dsl::paid_at.lt(to.micros()))
        .into_boxed();
    if let Some(SalePlace { paid_at, order }) = behind {
        let (paid_at, id) = (paid_at.micros(), order.to_string());
        let later = dsl::paid_at.gt(paid_at).or(dsl::paid_at.eq(paid_at).and(dsl::id.gt(id)));
        query = query.filter(dsl::paid_at.ge(paid_at)).filter(later);
    }
    let rows: Vec<SaleRow> = query.order((dsl::paid_at, dsl::id)).limit(whole(limit)).load(db)?;
    sales(db, account, rows)
}

/// Up to `limit` of those placed from the one moment to before the other that are not paid, as they were placed, behind
/// an order that was reached.
pub(super) fn unpaid(
    db: &mut Db,
    account: AccountId,
    (from, to): (Timestamp, Timestamp),
    behind: Option<OrderId>,
    limit: usize,
) -> QueryResult<Vec<Sale>> {
    let mut query = sold(account)
        .filter(dsl::id.ge(minted(from, -MINTED_WITHIN)))
        .filter(dsl::id.lt(minted(to, MINTED_WITHIN)))
        .filter(dsl::created_at.ge(from.micros()))
        .filter(dsl::created_at.lt(to.micros()))
        .filter(dsl::paid_at.is_null())
        .into_boxed();
    if let Some(order) = behind {
        query = query.filter(dsl::id.gt(order.to_string()));
    }
    let rows: Vec<SaleRow> = query.order(dsl::id).limit(whole(limit)).load(db)?;
    sales(db, account, rows)
}

fn whole(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Sales of rows; of which of them taxes were withheld is looked up together.
fn sales(db: &mut Db, account: AccountId, rows: Vec<SaleRow>) -> QueryResult<Vec<Sale>> {
    let may_be_withheld = |(id, .., withheld, invoice): &SaleRow| {
        let is_it = withheld.is_some_and(|withheld| withheld > 0) && invoice.is_none();
        is_it.then(|| id.clone())
    };
    let ids: Vec<String> = rows.iter().filter_map(may_be_withheld).collect();
    let withheld = withheld_of(db, account, &ids)?;
    rows.into_iter().map(|row| sale(row, &withheld)).collect()
}

fn sale(row: SaleRow, withheld: &HashMap<String, (Currency, Amount)>) -> QueryResult<Sale> {
    let (id, number, status, total, returned, paid, refunded, code, paid_at, _, invoice) = row;
    let status = read_name(&status, OrderStatus::EVERY, OrderStatus::name)?;
    let invoice = invoice.as_deref().map(|id| read(id, InvoiceId::parse)).transpose()?;
    Ok(Sale {
        order: read(&id, OrderId::parse)?,
        number: number_text(number),
        paid_at: moment(paid_at),
        total: Amount::from_micros(total.saturating_sub(returned).max(0)),
        is_returned: returned > 0 && returned >= total,
        is_refunded: refunded > 0 && refunded >= paid.unwrap_or(total),
        is_withheld: withheld.contains_key(&id),
        currency: currency(&code)?,
        is_cancelled: status == OrderStatus::Cancelled,
        invoice,
    })
}
