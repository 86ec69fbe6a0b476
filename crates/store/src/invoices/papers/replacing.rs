//! What becomes of payments and papers when an invoice takes the place of another.

use ::invoices::{Invoice, InvoiceId, Status, credit_notes};
use ::tasks::Task;
use cfdi::document::DocumentType;
use diesel::QueryResult;
use kernel::{AccountId, Ctx, Refused, Timestamp};

use super::{Outcome, paper_locked, rows, write};
use crate::{
    db::Db,
    invoices::{around, relations},
    payments,
    tx::Tx,
};

/// The living documents that take the place of another, the one that its cancellation names first: a sale may be replaced by
/// several.
pub(in crate::invoices) fn successors(
    db: &mut Db,
    account: AccountId,
    document: &Invoice,
) -> QueryResult<Vec<Invoice>> {
    let Some(uuid) = document.uuid() else { return Ok(Vec::new()) };
    let asked = document.cancellation.as_ref();
    let named = asked.and_then(|asked| asked.replacement_uuid.as_deref());
    let is_named = |other: &Invoice| {
        named.zip(other.uuid()).is_some_and(|(named, own)| named.eq_ignore_ascii_case(own))
    };
    let referrers = relations::with_successors(db, account, uuid)?.into_iter();
    let living = referrers.filter(|other| other.is_active() && other.replaces());
    let mut living: Vec<Invoice> = living.map(|other| other.invoice).collect();
    living.sort_by_key(|other| !is_named(other));
    Ok(living)
}

/// Has the payments of a cancelled sale pay the one that has taken its place: whichever of the two was stamped or cancelled
/// last.
pub(super) fn hand_over(
    tx: &mut Tx<'_>,
    account: AccountId,
    (cancelled, successor): (&Invoice, &Invoice),
    now: Timestamp,
) -> QueryResult<()> {
    let is_over = cancelled.status == Status::Cancelled && successor.status == Status::Stamped;
    if !is_over || !is_sale(cancelled) || !is_sale(successor) {
        return Ok(());
    }
    payments::papers::handed_over(tx, account, (cancelled, successor), now)?;
    payments::settle_invoice(tx, account, successor, None, now)?;
    payments::papers::note_receipt_due(tx, account, successor)
}

/// Has the papers made of the sales that a cancelled one had taken the place of and that are still there, unless another takes
/// it.
pub(super) fn taken_up_again(
    tx: &mut Tx<'_>,
    account: AccountId,
    cancelled: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    for standing in around::standing(tx.db, account, &cancelled.draft)? {
        if is_sale(&standing) {
            payments::papers::replacement_cancelled(tx, account, &standing, now)?;
        }
    }
    Ok(())
}

/// Whether the paper of an invoice, which is locked, is left to another task: to that of its own invoice, or to the one that it
/// gets once one of two invoices is cancelled of which one has taken the place of the other. It is made of the one that stays,
/// whichever that is, with those that are made anew and in their order.
pub(super) fn is_left_to_other(
    tx: &mut Tx<'_>,
    task: &Task,
    invoice: Option<&Invoice>,
    now: Timestamp,
) -> Outcome<bool> {
    let Some(invoice) = invoice else { return Ok(false) };
    if payments::papers::left_to_own(tx, task, invoice, now)? {
        return Ok(true);
    }
    if !is_sale(invoice) {
        return Ok(false);
    }
    let mut others = successors(tx.db, task.account, invoice)?;
    others.retain(is_sale);
    if others.iter().any(|other| other.status == Status::Stamping) {
        // Nobody knows yet whether it takes the place.
        return Err(Refused::Busy.into());
    }
    let standing = around::standing(tx.db, task.account, &invoice.draft)?;
    Ok(others.iter().chain(&standing).any(is_sale))
}

fn is_sale(invoice: &Invoice) -> bool {
    invoice.draft.kind == DocumentType::Income
}

/// Deletes the draft of a paper that refers to a cancelled invoice: it is made anew for the one that has taken its place.
pub(super) fn delete_outdated(
    tx: &mut Tx<'_>,
    account: AccountId,
    paper: Option<::payments::InvoiceId>,
    now: Timestamp,
) -> Outcome<()> {
    let Some(id) = paper.map(|id| InvoiceId::from_u128(id.to_u128())) else { return Ok(()) };
    let paper = rows::by_id(tx.db, account, id)?;
    let Some(paper) = paper.filter(|paper| paper.status == Status::Draft) else { return Ok(()) };
    let mut named = Vec::new();
    for paid in paper.draft.paid_invoices() {
        named.extend(rows::by_id(tx.db, account, paid)?);
    }
    for uuid in credit_notes::lowered(&paper.draft) {
        named.extend(rows::by_uuid(tx.db, account, uuid)?);
    }
    if !named.iter().any(|invoice| invoice.status == Status::Cancelled) {
        return Ok(());
    }
    // Its stamping may have begun since it was read.
    let paper = paper_locked(tx, account, id)?;
    if paper.is_some_and(|paper| paper.status == Status::Draft) {
        write::delete(tx, &Ctx::system(account, now), id, None)?;
    }
    Ok(())
}
