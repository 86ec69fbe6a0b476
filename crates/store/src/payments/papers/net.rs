//! What is withheld of orders as their invoices state it: once these are stamped, the rest pays the orders.

use std::collections::BTreeMap;

use ::invoices::{Invoice, Status, withheld};
use ::orders::{
    Order, OrderId,
    paying::{self, Received},
    withheld::{Invoiced, restate},
};
use diesel::QueryResult;
use kernel::{AccountId, Amount, NewEvent, Timestamp};

use crate::{
    events, invoicing,
    lookups::Key,
    ordering::{money, rows::orders_by_key},
    payments::{money::call_off_settled, owed},
    tx::Tx,
};

/// What is known of an order from an invoice.
#[derive(Clone, Copy)]
enum Told {
    /// What its stamped invoice asks for and states as withheld; that none does where there is nothing.
    States(Option<Invoiced>),
    /// Whoever pays it withholds what it bears.
    Withholds,
}

/// An order that is changed by what is told of it.
struct Changed {
    order: Order,
    events: Vec<NewEvent>,
    /// Whether that pays it.
    is_completed: bool,
}

impl Told {
    /// What a stamped invoice tells of its orders, if anything: one that states nothing only says so after another.
    fn by(invoice: &Invoice) -> Option<Self> {
        let is_stated = states_withheld(invoice);
        match withheld::decided(&invoice.draft) {
            Some(_) if is_stated => Some(Self::States(Some(invoiced(invoice)))),
            Some(_) if invoice.draft.replaces().next().is_some() => Some(Self::States(None)),
            _ => is_stated.then_some(Self::Withholds),
        }
    }

    /// The order as it is then, if it is changed.
    fn changed(self, before: &Order, now: Timestamp) -> Option<Changed> {
        let restated = match &self {
            Self::States(invoiced) => restate(before, invoiced.as_ref(), now),
            Self::Withholds => None,
        };
        let is_withheld = !matches!(self, Self::States(None));
        let received = match is_withheld {
            true => completed(restated.as_ref().unwrap_or(before), now),
            false => None,
        };
        match received {
            Some(Received { order, events, .. }) => {
                Some(Changed { order, events, is_completed: true })
            }
            None => {
                restated.map(|order| Changed { order, events: Vec::new(), is_completed: false })
            }
        }
    }
}

/// An order as paid, if all of it was but what is withheld.
fn completed(order: &Order, now: Timestamp) -> Option<Received> {
    let received = paying::receive(order, Amount::ZERO, true, now);
    Some(received).filter(|received| received.completes && order.amount_paid() > Amount::ZERO)
}

fn states_withheld(invoice: &Invoice) -> bool {
    invoice.totals().total_withheld.is_some_and(|withheld| withheld > Amount::ZERO)
}

fn invoiced(invoice: &Invoice) -> Invoiced {
    let totals = invoice.totals();
    Invoiced {
        currency: invoice.draft.currency,
        gross: totals.before_withholding(),
        withheld: totals.total_withheld.unwrap_or_default(),
    }
}

/// Has what stamped invoices state as withheld of their orders be so, and marks those of them as paid of which nothing else is left
/// to be paid. Those of invoices that are stamped together are locked together, in their order.
pub(crate) fn decide_withheld(
    tx: &mut Tx<'_>,
    invoices: &[(AccountId, &Invoice)],
    now: Timestamp,
) -> QueryResult<()> {
    let mut told = BTreeMap::new();
    for (account, invoice) in invoices {
        if let Some(by_it) = Told::by(invoice) {
            told.extend(billed(*account, invoice).map(|key| (key, (*account, by_it))));
        }
    }
    let found = changing(tx, &told, now)?;
    change(tx, found.into_iter().map(|(account, order, told)| ((account, order.id), told)), now)
}

/// Has what is withheld of the order of a cancelled invoice be what the one states that holds it now, if any does.
pub(crate) fn redecide_withheld(
    tx: &mut Tx<'_>,
    account: AccountId,
    cancelled: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    let Some(order) = withheld::decided(&cancelled.draft) else { return Ok(()) };
    if Told::by(cancelled).is_none() {
        return Ok(());
    }
    let holder = invoicing::of_order(tx.db, account, order)?;
    let holder = holder.filter(|holder| holder.status == Status::Stamped);
    let told = holder.as_ref().and_then(Told::by).filter(|told| matches!(told, Told::States(_)));
    let told = told.unwrap_or(Told::States(None));
    let id = OrderId::from_u128(order.to_u128());
    change(tx, [((account, id), told)], now)
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
    let told: BTreeMap<Key, (AccountId, Told)> =
        billed(account, invoice).map(|key| (key, (account, Told::Withholds))).collect();
    let mut found = Vec::new();
    for (account, order, told) in changing(tx, &told, now)? {
        if owed::withholds(tx.db, account, &order)? {
            found.push(((account, order.id), told));
        }
    }
    change(tx, found, now)
}

/// The keys of the orders of an invoice.
fn billed(account: AccountId, invoice: &Invoice) -> impl Iterator<Item = Key> {
    invoice.draft.orders.iter().map(move |id| (account.to_string(), id.to_string()))
}

/// Those of these orders that are changed by what is told of them, as they are seen.
fn changing(
    tx: &mut Tx<'_>,
    told: &BTreeMap<Key, (AccountId, Told)>,
    now: Timestamp,
) -> QueryResult<Vec<(AccountId, Order, Told)>> {
    if told.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<Key> = told.keys().cloned().collect();
    let mut found = Vec::new();
    for (key, order) in orders_by_key(tx.db, &keys)? {
        let order = order?;
        if let Some((account, told)) = told.get(&key)
            && told.changed(&order, now).is_some()
        {
            found.push((*account, order, *told));
        }
    }
    Ok(found)
}

/// Changes those of these orders that still are to be: they are locked only where something is to be done.
fn change(
    tx: &mut Tx<'_>,
    found: impl IntoIterator<Item = ((AccountId, OrderId), Told)>,
    now: Timestamp,
) -> QueryResult<()> {
    let found: BTreeMap<(AccountId, OrderId), Told> = found.into_iter().collect();
    let mut changed = Vec::new();
    for ((account, id), told) in found {
        let order = money::locked(tx, account, id)?;
        let change = order.and_then(|order| told.changed(&order, now));
        changed.extend(change.map(|change| (account, change)));
    }
    for (account, Changed { order, events, is_completed }) in changed {
        money::save_stated(tx, account, &order)?;
        events::append(tx, account, now, events)?;
        if is_completed {
            call_off_settled(tx, account, &order, None, now)?;
        }
    }
    Ok(())
}
