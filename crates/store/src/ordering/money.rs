//! What payments, refunds and returns change of an order.

use std::collections::{BTreeMap, HashMap};

use ::orders::{InvoiceId, Order, OrderId};
use diesel::prelude::*;
use engine::Late;
use kernel::{AccountId, Amount, Currency, Timestamp};

use super::rows::{OrderRow, all_with_items, orders_by_key, with_items};
use crate::{
    db::{Db, all_locked, first_locked, on},
    lookups::Key,
    rows::micros,
    schema::orders as table,
    statement::{Bound, Statement, columns, update},
    stored::{OrderTerms, to_text},
    tx::Tx,
};

/// How many orders are read at once.
const ORDERS_READ: usize = 500;

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

/// Orders by account and identifier, locked until the end of the transaction in the order of these: on PostgreSQL, by two statements.
pub(crate) fn all_locked(
    db: &mut Db,
    accounts: &[String],
    ids: &[String],
) -> QueryResult<Vec<(Key, Order)>> {
    let rows = all_locked!(
        db,
        OrderRow,
        table::table
            .filter(table::account_id.eq_any(accounts))
            .filter(table::id.eq_any(ids))
            .order((table::account_id, table::id))
    )?;
    all_with_items(db, rows)?.into_iter().map(|(key, order)| Ok((key, order?))).collect()
}

/// What was withheld as taxes of these orders when they were paid, of goods that have not come back since, by order; of the others
/// nothing.
pub(crate) fn withheld_of(
    db: &mut Db,
    account: AccountId,
    ids: &[String],
) -> QueryResult<HashMap<String, (Currency, Amount)>> {
    let mut found = HashMap::new();
    for some in ids.chunks(ORDERS_READ) {
        let keys: Vec<Key> = some.iter().map(|id| (account.to_string(), id.clone())).collect();
        for ((_, id), order) in orders_by_key(db, &keys)? {
            let order = order?;
            let withheld = order.withheld_kept();
            if withheld > Amount::ZERO {
                found.insert(id, (order.currency, withheld));
            }
        }
    }
    Ok(found)
}

/// Saves what money has changed of an order.
pub(crate) fn save(tx: &mut Tx<'_>, account: AccountId, order: &Order) -> QueryResult<()> {
    let update = MoneyRow::of(account, order).update();
    on!(tx.db, |conn| update.execute(conn)).map(drop)
}

/// Saves what its invoice has changed of an order, by stating what is withheld of it or by being cancelled.
pub(crate) fn save_stated(tx: &mut Tx<'_>, account: AccountId, order: &Order) -> QueryResult<()> {
    save(tx, account, order)?;
    let this = table::table.find((account.to_string(), order.id.to_string()));
    diesel::update(this).set(table::terms.eq(terms(order)?)).execute(tx.db).map(drop)
}

/// What an order was agreed on, as its column has it.
fn terms(order: &Order) -> QueryResult<Option<String>> {
    OrderTerms::of(order).map(|terms| to_text(&terms)).transpose()
}

/// Takes down the credit note of what was never paid of a cancelled order, or that it is gone.
pub(crate) fn note_credited(
    tx: &mut Tx<'_>,
    account: AccountId,
    id: OrderId,
    note: Option<InvoiceId>,
    now: Timestamp,
) -> QueryResult<()> {
    let Some(order) = locked(tx, account, id)? else { return Ok(()) };
    let order = Order { credit_note: note, ..order };
    let this = table::table.find((account.to_string(), id.to_string()));
    let set = (
        table::terms.eq(terms(&order)?),
        table::updated_at.eq(now.micros()),
        table::version.eq(order.version + 1),
    );
    diesel::update(this).set(set).execute(tx.db).map(drop)
}

/// Has it saved together with what other commands of the transaction change, on PostgreSQL.
pub(crate) fn leave(tx: &mut Tx<'_>, account: AccountId, order: &Order) {
    tx.effects.leave(vec![MoneyRow::of(account, order)]);
}

impl Late for MoneyRow {
    fn write(rows: Vec<Self>, tx: &mut Tx<'_>) -> QueryResult<()> {
        // Of an order that was changed several times, the last is what it is.
        let last: BTreeMap<(String, String), Self> =
            rows.into_iter().map(|row| ((row.account_id.clone(), row.id.clone()), row)).collect();
        let rows: Vec<Self> = last.into_values().collect();
        match tx.db {
            Db::Sqlite(conn) => {
                rows.into_iter().try_for_each(|row| row.update().execute(conn).map(drop))
            }
            Db::Postgres(conn) => {
                let columns = columns!(
                    rows,
                    Texts account_id, Texts id, Texts status, OptionalNumbers amount_paid, Numbers amount_refunded,
                    Numbers returned_total, Numbers refund_due, OptionalNumbers paid_at, Numbers updated_at,
                    Numbers version, OptionalNumbers amount_withheld,
                );
                Statement::<()>::new(
                    "UPDATE orders o SET status = w.status, amount_paid = w.amount_paid, \
                     amount_refunded = w.amount_refunded, returned_total = w.returned_total, \
                     refund_due = w.refund_due, paid_at = w.paid_at, updated_at = w.updated_at, version = w.version, \
                     amount_withheld = w.amount_withheld \
                     FROM ? AS w (account_id, id, status, amount_paid, amount_refunded, returned_total, refund_due, \
                     paid_at, updated_at, version, amount_withheld) WHERE o.account_id = w.account_id AND o.id = w.id",
                    [Bound::from(columns)],
                )
                .execute(conn)
                .map(drop)
            }
        }
    }
}

impl MoneyRow {
    fn of(account: AccountId, order: &Order) -> Self {
        Self {
            account_id: account.to_string(),
            id: order.id.to_string(),
            status: order.status.name().to_owned(),
            amount_paid: order.amount_paid.map(Amount::micros),
            amount_refunded: order.amount_refunded.micros(),
            returned_total: order.returned_total.micros(),
            refund_due: order.refund_due.micros(),
            paid_at: micros(order.paid_at),
            updated_at: order.updated_at.micros(),
            version: order.version,
            amount_withheld: order.amount_withheld.map(Amount::micros),
        }
    }

    fn update(self) -> Statement {
        let row = self;
        update!(
            "orders", row as MoneyRow,
            set status, amount_paid, amount_refunded, returned_total, refund_due, paid_at, updated_at, version,
                amount_withheld;
            key account_id, id
        )
    }
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
    amount_withheld: Option<i64>,
}
