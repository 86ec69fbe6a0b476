//! Which invoice holds which order: an order is invoiced once.
//!
//! A draft that is to take another's place may name the other's orders; they stay the other's until the draft is
//! stamped, and return to it when that fails, or once it is cancelled while the other is still there.

use std::collections::{BTreeMap, BTreeSet};

use kernel::Refused;

use crate::{Draft, Invoice, InvoiceError, InvoiceId, OrderId, Status};

/// The invoice that holds an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The invoice.
    pub invoice: InvoiceId,
    /// Its fiscal folio, once it is stamped.
    pub uuid: Option<String>,
}

/// The holders of orders, of those that are held.
pub type Holders = BTreeMap<OrderId, Holder>;

/// An order that changes hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HolderChange {
    /// The order.
    pub order: OrderId,
    /// Who held it; nobody when it was free.
    pub from: Option<InvoiceId>,
    /// Who holds it now; nobody when it is to be invoiced again.
    pub to: Option<InvoiceId>,
}

/// What a draft takes hold of, and what it held before and names no more. Orders of the invoice whose place it is
/// to take stay where they are.
///
/// # Errors
/// [`InvoiceError::OrderInvoiced`] when another invoice holds one of its orders.
pub fn claim(
    id: InvoiceId,
    draft: &Draft,
    holders: &Holders,
) -> Result<Vec<HolderChange>, Refused<InvoiceError>> {
    let mut changes = Vec::new();
    for order in wanted(draft) {
        match holders.get(&order) {
            None => changes.push(HolderChange { order, from: None, to: Some(id) }),
            Some(holder) => refuse_foreign(id, draft, order, holder)?,
        }
    }
    let dropped = held_by(id, holders).filter(|order| !draft.orders.contains(order));
    changes.extend(dropped.map(|order| HolderChange { order, from: Some(id), to: None }));
    Ok(changes)
}

/// What an invoice takes hold of that is going to be stamped: all of its orders, those of the invoice whose place
/// it takes among them.
///
/// # Errors
/// [`InvoiceError::OrderInvoiced`] when a third invoice holds one of its orders.
pub fn seize(
    id: InvoiceId,
    draft: &Draft,
    holders: &Holders,
) -> Result<Vec<HolderChange>, Refused<InvoiceError>> {
    let mut changes = Vec::new();
    for order in wanted(draft) {
        let holder = holders.get(&order);
        if let Some(holder) = holder {
            refuse_foreign(id, draft, order, holder)?;
        }
        let from = holder.map(|holder| holder.invoice);
        if from != Some(id) {
            changes.push(HolderChange { order, from, to: Some(id) });
        }
    }
    Ok(changes)
}

/// What returns to the stamped invoices whose place an invoice was to take or had taken, because it is not stamped.
#[must_use]
pub fn give_back(invoice: &Invoice, replaced: &[Invoice], holders: &Holders) -> Vec<HolderChange> {
    let mut changes = BTreeMap::new();
    for other in replaced.iter().filter(|other| other.status == Status::Stamped) {
        for order in &other.draft.orders {
            if holders.get(order).is_some_and(|holder| holder.invoice == invoice.id) {
                let change =
                    HolderChange { order: *order, from: Some(invoice.id), to: Some(other.id) };
                changes.entry(*order).or_insert(change);
            }
        }
    }
    changes.into_values().collect()
}

/// What becomes of the orders of an invoice that is cancelled: those of stamped invoices whose place it had taken are theirs
/// again, and the others are free to be invoiced again.
#[must_use]
pub fn leave(invoice: &Invoice, replaced: &[Invoice], holders: &Holders) -> Vec<HolderChange> {
    let mut changes = give_back(invoice, replaced, holders);
    let freed = release(invoice.id, holders).into_iter();
    let is_left = |change: &HolderChange| changes.iter().all(|other| other.order != change.order);
    let freed: Vec<HolderChange> = freed.filter(is_left).collect();
    changes.extend(freed);
    changes
}

/// Frees all orders of an invoice, to be invoiced again.
#[must_use]
pub fn release(id: InvoiceId, holders: &Holders) -> Vec<HolderChange> {
    held_by(id, holders).map(|order| HolderChange { order, from: Some(id), to: None }).collect()
}

fn wanted(draft: &Draft) -> BTreeSet<OrderId> {
    draft.orders.iter().copied().collect()
}

fn held_by(id: InvoiceId, holders: &Holders) -> impl Iterator<Item = OrderId> {
    let own = holders.iter().filter(move |(_, holder)| holder.invoice == id);
    own.map(|(order, _)| *order)
}

/// Another invoice gives an order up only to a draft that is to take its place.
fn refuse_foreign(
    id: InvoiceId,
    draft: &Draft,
    order: OrderId,
    holder: &Holder,
) -> Result<(), Refused<InvoiceError>> {
    let is_replaced = holder
        .uuid
        .as_ref()
        .is_some_and(|uuid| draft.replaces().any(|other| other.eq_ignore_ascii_case(uuid)));
    if holder.invoice == id || is_replaced {
        return Ok(());
    }
    Err(Refused::Rule(InvoiceError::OrderInvoiced { order, invoice: holder.invoice }))
}
