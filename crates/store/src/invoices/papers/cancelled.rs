//! Credit notes of what was never paid of orders that are cancelled.

use ::invoices::{
    InvoiceId,
    papers::{self, Bought, CameBack, GivenBack, Step},
};
use ::orders::{Order, OrderId, OrderStatus};
use ::tasks::Task;
use kernel::{AccountId, Amount, Refused, Timestamp};

use super::{
    Outcome,
    given_back::{left_by_taxes, notes_of_order},
    goods::waived,
    known_paper, locked, over,
    replacing::{delete_outdated, left_to_other},
    rows,
};
use crate::{
    orders::{note_order_credited, order_of},
    tx::Tx,
};

/// Has credited what was left of a cancelled order and was never paid, as if all of it had come back. What was paid is credited
/// when it is given back.
pub(super) fn cancelled_step(
    tx: &mut Tx<'_>,
    task: &Task,
    id: OrderId,
    now: Timestamp,
) -> Outcome<Step> {
    let account = task.account;
    let billed = ::invoices::OrderId::from_u128(id.to_u128());
    let invoice = rows::of_order(tx.db, account, billed)?;
    let invoice = locked(tx, account, invoice)?;
    if left_to_other(tx, task, invoice.as_ref(), now)?.is_some() {
        return over(tx, task, now);
    }
    let note = found(tx, account, id)?.credit_note;
    let note = note.map(|note| ::payments::InvoiceId::from_u128(note.to_u128()));
    delete_outdated(tx, account, note, now)?;
    let order = found(tx, account, id)?;
    if let Some(note) = order.credit_note {
        let id = InvoiceId::from_u128(note.to_u128());
        return known_paper(tx, task, id, |issuer| issuer.stamps_credit_notes, now);
    }
    let is_due = order.status == OrderStatus::Cancelled;
    let Some(invoice) = invoice.filter(|invoice| is_due && invoice.balance.is_some()) else {
        return over(tx, task, now);
    };
    let notes = notes_of_order(tx.db, account, id, &invoice)?;
    let bought = Bought { asked: Amount::ZERO, kept: Vec::new(), paid: order.amount_paid() };
    let left = left_by_taxes(&order);
    let rest = CameBack { worth: order.amount_charged_net(), returned: left.clone() };
    let amount = papers::unpaid(&invoice, &notes, &bought, &rest);
    let given = GivenBack::cancelled(billed, amount, order.currency, left);
    waived(
        tx,
        task,
        (&given, &invoice, &notes),
        |tx, note| note_order_credited(tx, account, id, Some(note), now),
        now,
    )
}

fn found(tx: &mut Tx<'_>, account: AccountId, id: OrderId) -> Outcome<Order> {
    Ok(order_of(tx.db, account, id)?.ok_or(Refused::NotFound)?)
}
