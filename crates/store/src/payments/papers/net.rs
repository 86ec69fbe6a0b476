//! Orders of which nothing is left to be paid but what is withheld of them: they are paid once it is known that it is withheld.

use std::collections::BTreeSet;

use ::invoices::Invoice;
use ::orders::{
    Order, OrderId,
    paying::{self, Received},
};
use diesel::QueryResult;
use kernel::{AccountId, Amount, Timestamp};

use crate::{
    events,
    lookups::Key,
    ordering::{
        money,
        rows::{order_by_id, orders_by_key},
    },
    payments::{money::call_off_settled, owed},
    tx::Tx,
};

/// An order as paid, if all of it was but what is withheld.
fn completed(order: &Order, now: Timestamp) -> Option<Received> {
    let received = paying::receive(order, Amount::ZERO, true, now);
    Some(received).filter(|received| received.completes && order.amount_paid() > Amount::ZERO)
}

fn states_withheld(invoice: &Invoice) -> bool {
    invoice.totals().total_withheld.is_some_and(|withheld| withheld > Amount::ZERO)
}

/// Marks orders as paid of which nothing is left to be paid but what their invoices state as withheld: nothing had told before that
/// whoever pays them withholds it. Those of invoices that are stamped together are locked together, in their order.
pub(crate) fn complete_net(
    tx: &mut Tx<'_>,
    invoices: &[(AccountId, &Invoice)],
    now: Timestamp,
) -> QueryResult<()> {
    let mut found = BTreeSet::new();
    for (account, invoice) in invoices.iter().filter(|(_, invoice)| states_withheld(invoice)) {
        for id in &invoice.draft.orders {
            let order = order_by_id(tx.db, &account.to_string(), &id.to_string())?;
            if order.is_some_and(|order| completed(&order, now).is_some()) {
                found.insert((*account, OrderId::from_u128(id.to_u128())));
            }
        }
    }
    complete(tx, found, now)
}

/// Marks the orders of an invoice that is a draft again as paid of which nothing is left to be paid but what their customers
/// withhold: what was paid meanwhile was counted as if all of it were owed.
pub(crate) fn invoice_refused(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    if invoice.draft.orders.is_empty() || states_withheld(invoice) {
        return Ok(());
    }
    let ids = invoice.draft.orders.iter();
    let keys: Vec<Key> = ids.map(|id| (account.to_string(), id.to_string())).collect();
    let mut found = BTreeSet::new();
    for order in orders_by_key(tx.db, &keys)?.into_values() {
        let order = order?;
        if completed(&order, now).is_some() && owed::withholds(tx.db, account, &order)? {
            found.insert((account, order.id));
        }
    }
    complete(tx, found, now)
}

/// Marks those of these orders as paid that still are to be: they are locked only where something is to be done.
fn complete(
    tx: &mut Tx<'_>,
    found: BTreeSet<(AccountId, OrderId)>,
    now: Timestamp,
) -> QueryResult<()> {
    let mut paid = Vec::new();
    for (account, id) in found {
        let order = money::locked(tx, account, id)?;
        let received = order.and_then(|order| completed(&order, now));
        paid.extend(received.map(|received| (account, received)));
    }
    for (account, received) in paid {
        money::save(tx, account, &received.order)?;
        events::append(tx, account, now, received.events)?;
        call_off_settled(tx, account, &received.order, None, now)?;
    }
    Ok(())
}
