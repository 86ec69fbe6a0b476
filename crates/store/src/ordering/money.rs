//! What payments, refunds and returns change of an order.

use ::orders::{Order, OrderId};
use diesel::prelude::*;
use kernel::AccountId;

use super::rows::{OrderRow, with_items};
use crate::{
    db::{first_locked, on},
    rows::micros,
    schema::orders as table,
    statement::update,
    tx::Tx,
};

/// The order, locked until the end of the transaction.
pub(crate) fn locked(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: OrderId,
) -> QueryResult<Option<Order>> {
    let row = first_locked!(
        tx.db,
        OrderRow,
        table::table
            .filter(table::account_id.eq(account.to_string()))
            .filter(table::id.eq(id.to_string()))
    )?;
    row.map(|row| with_items(tx.db, row)).transpose()
}

/// Saves what money has changed of an order.
pub(crate) fn save(tx: &mut Tx<'_>, account: AccountId, order: &Order) -> QueryResult<()> {
    let row = MoneyRow {
        account_id: account.to_string(),
        id: order.id.to_string(),
        status: order.status.name().to_owned(),
        amount_paid: order.amount_paid.map(kernel::Amount::micros),
        amount_refunded: order.amount_refunded.micros(),
        returned_total: order.returned_total.micros(),
        refund_due: order.refund_due.micros(),
        paid_at: micros(order.paid_at),
        updated_at: order.updated_at.micros(),
        version: order.version,
    };
    let update = update!(
        "orders", row as MoneyRow,
        set status, amount_paid, amount_refunded, returned_total, refund_due, paid_at, updated_at, version;
        key account_id, id
    );
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}

/// The columns of an order that money changes.
struct MoneyRow {
    account_id: String,
    id: String,
    status: String,
    amount_paid: Option<i64>,
    amount_refunded: i64,
    returned_total: i64,
    refund_due: i64,
    paid_at: Option<i64>,
    updated_at: i64,
    version: i64,
}
