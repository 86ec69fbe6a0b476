//! Credit notes of refunds.

use ::invoices::{
    Invoice, InvoiceId, Status,
    papers::{self, GivenBack, Step},
    provider::Rejection,
};
use ::orders::OrderId;
use ::payments::{Payment, Refund, RefundStatus};
use ::tasks::Task;
use cfdi::document::DocumentType;
use diesel::QueryResult;
use kernel::{AccountId, Amount, Ctx, Refused, Timestamp, message, reason::Reason};

use super::{
    Outcome,
    given_back::{given_back, notes, undone},
    is_to_be_stamped, known, known_paper, locked, made, over, paper_locked,
    replacing::{LeftTo, Waiting, delete_outdated, left_to_other},
    require_room, write,
};
use crate::{db::Db, orders::order_of, payments, tx::Tx};

/// Has what a refund gives back credited, or its credit note taken back where it gives nothing back after all.
pub(super) fn note_step(
    tx: &mut Tx<'_>,
    task: &Task,
    id: ::payments::RefundId,
    now: Timestamp,
) -> Outcome<Step> {
    let account = task.account;
    let seen = payments::refund_by_id(tx.db, account, id)?.ok_or(Refused::NotFound)?;
    if seen.status != RefundStatus::Succeeded {
        return taken_back(tx, task, &seen, now);
    }
    let payment =
        payments::payment_by_id(tx.db, account, seen.payment)?.ok_or(Refused::NotFound)?;
    let invoice = payments::papers::invoice_of(tx.db, account, &payment)?;
    let invoice = locked(tx, account, invoice)?;
    let waits = match left_to_other(tx, task, invoice.as_ref(), now)? {
        Some(LeftTo::Own) => return over(tx, task, now),
        Some(LeftTo::Later(waits)) => Some(waits),
        None => None,
    };
    if invoice.is_some() && waits.is_none() {
        delete_outdated(tx, account, seen.credit_note, now)?;
    }
    let refund = payments::refund_locked(tx, account, id)?.ok_or(Refused::NotFound)?;
    if refund.status != RefundStatus::Succeeded {
        return Err(Refused::Busy.into());
    }
    if let Some(waits) = waits {
        show_wait(tx, account, (refund, &payment, invoice), waits, now)?;
        return over(tx, task, now);
    }
    let refund = payments::papers::note_waits(tx, account, refund, None, now)?;
    if let Some(note) = refund.credit_note {
        let id = InvoiceId::from_u128(note.to_u128());
        return known_paper(tx, task, id, |issuer| issuer.stamps_credit_notes, now);
    }
    let Some(invoice) = invoice else { return over(tx, task, now) };
    let Some((given, notes)) = due(tx.db, account, (&refund, &payment), &invoice)? else {
        return over(tx, task, now);
    };
    let fields = papers::credit_note_fields(&given, &invoice);
    let known = known::load(tx, account, (DocumentType::Credit, &fields), None)?;
    let new = InvoiceId::from_u128(tx.ids.next());
    let created = papers::credit_note(&given, &invoice, &notes, new, &known, now)?;
    let ctx = Ctx::system(account, now);
    let note = write::record(tx, &ctx, created)?;
    require_room(tx, account, None, &note)?;
    let named = ::payments::InvoiceId::from_u128(note.id.to_u128());
    payments::save_refund(tx, account, &refund.credited(Ok(named), now))?;
    made(tx, task, &note, known.issuer.stamps_credit_notes, now)
}

/// What of a refund is to be credited of an invoice, beside these other credit notes.
fn due(
    db: &mut Db,
    account: AccountId,
    (refund, payment): (&Refund, &Payment),
    invoice: &Invoice,
) -> QueryResult<Option<(GivenBack, Vec<Invoice>)>> {
    let order = match refund.order {
        Some(order) => order_of(db, account, OrderId::from_u128(order.to_u128()))?,
        None => None,
    };
    let notes = notes(db, account, refund, invoice)?;
    let of = (refund, payment, order.as_ref());
    let given = given_back(db, account, of, (invoice, &notes))?;
    let amount = undone(db, account, (order.as_ref(), invoice), &notes)?.min(given.amount);
    // What was paid too much was never sold.
    let is_due = amount > Amount::ZERO;
    Ok(is_due.then_some((GivenBack { amount, ..given }, notes)))
}

/// Shows of a refund what its credit note waits for, if one is still to be made or stamped.
fn show_wait(
    tx: &mut Tx<'_>,
    account: AccountId,
    (refund, payment, invoice): (Refund, &Payment, Option<Invoice>),
    waiting: Waiting,
    now: Timestamp,
) -> Outcome<()> {
    let is_awaited = match refund.credit_note {
        Some(note) => {
            let id = InvoiceId::from_u128(note.to_u128());
            is_to_be_stamped(tx.db, account, id, |issuer| issuer.stamps_credit_notes)?
        }
        // One of the two may credit what the other has not billed.
        None => {
            let mut is_due = false;
            for invoice in invoice.iter().chain(&waiting.others) {
                is_due = is_due || due(tx.db, account, (&refund, payment), invoice)?.is_some();
            }
            is_due
        }
    };
    let waits = is_awaited.then_some(waiting.told);
    let _ = payments::papers::note_waits(tx, account, refund, waits, now)?;
    Ok(())
}

/// Takes the credit note of a refund back that has given nothing back after all, while it is a draft.
fn taken_back(tx: &mut Tx<'_>, task: &Task, seen: &Refund, now: Timestamp) -> Outcome<Step> {
    let account = task.account;
    let Some(id) = seen.credit_note.map(|id| InvoiceId::from_u128(id.to_u128())) else {
        if let Some(refund) = payments::refund_locked(tx, account, seen.id)?
            && refund.status != RefundStatus::Succeeded
            && refund.credit_note.is_none()
        {
            // Nothing is to be credited any more, whatever was in the way.
            payments::save_refund(tx, account, &refund.without_credit_note(now))?;
        }
        return over(tx, task, now);
    };
    let note = paper_locked(tx, account, id)?;
    if note.as_ref().is_some_and(|note| note.status == Status::Draft) {
        let ctx = Ctx::system(account, now);
        write::delete(tx, &ctx, id, None)?;
    } else if note.is_some_and(|note| note.status != Status::Cancelled)
        && let Some(refund) = payments::refund_locked(tx, account, seen.id)?
        && refund.status != RefundStatus::Succeeded
    {
        let problem = Rejection {
            code: "refund_failed".to_owned(),
            message: Reason::OwnWords.in_both(&message!(
                "the money came back, so cancel the credit note",
                "el dinero regresó, así que hay que cancelar la nota de crédito"
            )),
        };
        let problem = papers::problem(&problem);
        payments::save_refund(tx, account, &refund.credited(Err(problem), now))?;
    }
    over(tx, task, now)
}
