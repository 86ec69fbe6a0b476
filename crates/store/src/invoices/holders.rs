//! Which invoice holds which order, as rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ::invoices::{Holder, HolderChange, Holders, InvoiceId, OrderId};
use diesel::prelude::*;
use kernel::AccountId;

use crate::{
    db::{Db, on},
    rows::read,
    schema::{
        invoice_orders::{self, dsl},
        invoices,
    },
    statement::{Bound, Statement},
    tx::Tx,
};

/// Takes the account and the invoice.
const REMEMBER: &str = "INSERT INTO former_invoices (account_id, order_id, invoice_id) \
    SELECT h.account_id, h.order_id, h.invoice_id FROM invoice_orders h CROSS JOIN invoices i \
    WHERE h.account_id = ? AND h.invoice_id = ? AND i.account_id = h.account_id AND i.id = h.invoice_id \
    AND i.uuid IS NOT NULL ON CONFLICT DO NOTHING";

#[derive(Insertable)]
#[diesel(table_name = invoice_orders, treat_none_as_default_value = false)]
struct OrderRow {
    account_id: String,
    order_id: String,
    invoice_id: String,
}

/// Who holds these orders, locked until the end of the transaction: nobody takes them over meanwhile.
pub(super) fn load(
    tx: &mut Tx<'_>,
    account: AccountId,
    orders: impl IntoIterator<Item = OrderId>,
) -> QueryResult<Holders> {
    let orders: BTreeSet<String> = orders.into_iter().map(|id| id.to_string()).collect();
    if orders.is_empty() {
        return Ok(Holders::new());
    }
    let rows: Vec<(String, String)> = match &mut *tx.db {
        Db::Postgres(conn) => links(account, orders)
            .select((dsl::order_id, dsl::invoice_id))
            .order(dsl::order_id)
            .for_update()
            .load(conn)?,
        Db::Sqlite(conn) => {
            links(account, orders).select((dsl::order_id, dsl::invoice_id)).load(conn)?
        }
    };
    with_uuids(tx.db, account, rows)
}

/// The same as they are seen.
pub(super) fn seen(
    db: &mut Db,
    account: AccountId,
    orders: impl IntoIterator<Item = OrderId>,
) -> QueryResult<Holders> {
    let orders: BTreeSet<String> = orders.into_iter().map(|id| id.to_string()).collect();
    if orders.is_empty() {
        return Ok(Holders::new());
    }
    let rows: Vec<(String, String)> =
        links(account, orders).select((dsl::order_id, dsl::invoice_id)).load(db)?;
    with_uuids(db, account, rows)
}

fn with_uuids(
    db: &mut Db,
    account: AccountId,
    rows: Vec<(String, String)>,
) -> QueryResult<Holders> {
    let uuids = uuids(db, account, rows.iter().map(|(_, invoice)| invoice.clone()))?;
    let holder = |(order, invoice): (String, String)| {
        let uuid = uuids.get(&invoice).cloned().flatten();
        let holder = Holder { invoice: read(&invoice, InvoiceId::parse)?, uuid };
        Ok((read(&order, OrderId::parse)?, holder))
    };
    rows.into_iter().map(holder).collect()
}

fn uuids(
    db: &mut Db,
    account: AccountId,
    ids: impl Iterator<Item = String>,
) -> QueryResult<HashMap<String, Option<String>>> {
    let ids: BTreeSet<String> = ids.collect();
    let rows: Vec<(String, Option<String>)> = invoices::table
        .filter(invoices::account_id.eq(account.to_string()))
        .filter(invoices::id.eq_any(ids))
        .select((invoices::id, invoices::uuid))
        .load(db)?;
    Ok(rows.into_iter().collect())
}

#[diesel::dsl::auto_type(no_type_alias)]
fn links(account: AccountId, orders: BTreeSet<String>) -> _ {
    let account: String = account.to_string();
    invoice_orders::table.filter(dsl::account_id.eq(account)).filter(dsl::order_id.eq_any(orders))
}

/// Records that orders change hands.
pub(super) fn apply(
    tx: &mut Tx<'_>,
    account: AccountId,
    changes: &[HolderChange],
) -> QueryResult<()> {
    let left: BTreeSet<InvoiceId> = changes.iter().filter_map(|change| change.from).collect();
    for invoice in left {
        remember(tx, account, invoice)?;
    }
    let (mut taken, mut freed) = (Vec::new(), BTreeSet::new());
    let mut moved = BTreeMap::<InvoiceId, BTreeSet<String>>::new();
    for change in changes {
        let order_id = change.order.to_string();
        match (change.from, change.to) {
            (None, Some(to)) => taken.push(OrderRow {
                account_id: account.to_string(),
                order_id,
                invoice_id: to.to_string(),
            }),
            (Some(_), Some(to)) => drop(moved.entry(to).or_default().insert(order_id)),
            (_, None) => drop(freed.insert(order_id)),
        }
    }
    if !taken.is_empty() {
        on!(tx.db, |conn| diesel::insert_into(invoice_orders::table).values(&taken).execute(conn))?;
    }
    for (to, orders) in moved {
        let own = links(account, orders);
        diesel::update(own).set(dsl::invoice_id.eq(to.to_string())).execute(tx.db)?;
    }
    if !freed.is_empty() {
        diesel::delete(links(account, freed)).execute(tx.db)?;
    }
    Ok(())
}

/// Remembers by which invoice its orders were billed, before it loses any of them: their histories tell of it further on. Nothing
/// was billed by a draft.
fn remember(tx: &mut Tx<'_>, account: AccountId, invoice: InvoiceId) -> QueryResult<()> {
    let values: [Bound; 2] = [account.to_string().into(), invoice.to_string().into()];
    on!(tx.db, |conn| Statement::<()>::new(REMEMBER, values).execute(conn)).map(drop)
}
