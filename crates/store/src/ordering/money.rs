//! What payments, refunds and returns change of an order.

use ::orders::{Order, OrderId};
use diesel::prelude::*;
use kernel::AccountId;

use super::rows::{OrderRow, with_items};
use crate::{db::first_locked, rows::micros, schema::orders as table, tx::Tx};

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
    let this = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::id.eq(order.id.to_string()));
    let columns = (
        table::status.eq(order.status.name()),
        table::amount_paid.eq(order.amount_paid.map(kernel::Amount::micros)),
        table::amount_refunded.eq(order.amount_refunded.micros()),
        table::returned_total.eq(order.returned_total.micros()),
        table::refund_due.eq(order.refund_due.micros()),
        table::paid_at.eq(micros(order.paid_at)),
        table::updated_at.eq(order.updated_at.micros()),
        table::version.eq(order.version),
    );
    diesel::update(this).set(columns).execute(tx.db).map(drop)
}
