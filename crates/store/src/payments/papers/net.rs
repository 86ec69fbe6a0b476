//! Orders of which nothing is left to be paid but what is withheld of them: they are paid once it is known that it is withheld.

use std::collections::{BTreeMap, BTreeSet};

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
    ordering::{money, rows::orders_by_key},
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
    let stating = invoices.iter().filter(|(_, invoice)| states_withheld(invoice));
    let found = completable(tx, stating, now)?;
    let found = found.into_iter().map(|(account, order)| (account, order.id));
    complete(tx, found.collect(), now)
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
    let mut found = BTreeSet::new();
    for (account, order) in completable(tx, [&(account, invoice)], now)? {
        if owed::withholds(tx.db, account, &order)? {
            found.insert((account, order.id));
        }
    }
    complete(tx, found, now)
}

/// The orders of these invoices of which nothing is left to be paid but what is withheld, as they are seen.
fn completable<'a>(
    tx: &mut Tx<'_>,
    invoices: impl IntoIterator<Item = &'a (AccountId, &'a Invoice)>,
    now: Timestamp,
) -> QueryResult<Vec<(AccountId, Order)>> {
    let of = |(account, invoice): &'a (AccountId, &'a Invoice)| {
        let orders = invoice.draft.orders.iter();
        orders.map(move |id| ((account.to_string(), id.to_string()), *account))
    };
    let billed: BTreeMap<Key, AccountId> = invoices.into_iter().flat_map(of).collect();
    if billed.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<Key> = billed.keys().cloned().collect();
    let mut found = Vec::new();
    for (key, order) in orders_by_key(tx.db, &keys)? {
        let order = order?;
        if let Some(account) = billed.get(&key)
            && completed(&order, now).is_some()
        {
            found.push((*account, order));
        }
    }
    Ok(found)
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
