//! What payments and refunds show of their papers: stamped, a draft with a problem, or gone.

use ::invoices::{Invoice, papers::is_waiting};
use ::payments::{InvoiceId, Payment, PaymentId, Refund, RefundId, RefundStatus, Status};
use diesel::prelude::*;
use kernel::{AccountId, Timestamp};

use super::paid_of;
use crate::{
    payments::{refunds, rows},
    rows::read,
    schema::refunds as table,
    tx::Tx,
};

/// Whether what is shown is that the paper waits for one of two invoices to be cancelled.
fn waits_for_other(problem: Option<&str>) -> bool {
    problem.is_some_and(is_waiting)
}

/// Shows of a payment, which is locked, what its receipt waits for, or that it waits no longer.
pub(crate) fn receipt_waits(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: Payment,
    waits: Option<String>,
    now: Timestamp,
) -> QueryResult<Payment> {
    let is_shown = waits_for_other(payment.receipt_problem.as_deref());
    let after = match (waits, payment.receipt) {
        (None, _) if !is_shown => return Ok(payment),
        (Some(waits), _) => payment.receipted(Err(waits), now),
        (None, Some(receipt)) => payment.receipted(Ok(receipt), now),
        (None, None) => payment.without_receipt(now),
    };
    rows::save(tx, account, &after)?;
    Ok(after)
}

/// The same of a refund and its credit note.
pub(crate) fn note_waits(
    tx: &mut Tx<'_>,
    account: AccountId,
    refund: Refund,
    waits: Option<String>,
    now: Timestamp,
) -> QueryResult<Refund> {
    let is_shown = waits_for_other(refund.credit_note_problem.as_deref());
    let after = match (waits, refund.credit_note) {
        (None, _) if !is_shown => return Ok(refund),
        (Some(waits), _) => refund.credited(Err(waits), now),
        (None, Some(note)) => refund.credited(Ok(note), now),
        (None, None) => refund.without_credit_note(now),
    };
    refunds::save(tx, account, &after)?;
    Ok(after)
}

/// Shows of the payments and refunds of an invoice that their papers wait for nothing any more.
pub(crate) fn wait_no_more(
    tx: &mut Tx<'_>,
    account: AccountId,
    invoice: &Invoice,
    now: Timestamp,
) -> QueryResult<()> {
    let paid = paid_of(tx.db, account, invoice)?;
    let ids: Vec<String> = paid.iter().map(|payment| payment.id.to_string()).collect();
    let given_back: Vec<(String, Option<String>)> = table::table
        .filter(table::account_id.eq(account.to_string()))
        .filter(table::payment_id.eq_any(ids))
        .filter(table::credit_note_problem.is_not_null())
        .order(table::id)
        .select((table::id, table::credit_note_problem))
        .load(tx.db)?;
    for seen in paid.iter().filter(|seen| waits_for_other(seen.receipt_problem.as_deref())) {
        if let Some(payment) = rows::locked_if_any(tx, account, seen.id)? {
            let _ = receipt_waits(tx, account, payment, None, now)?;
        }
    }
    for (id, _) in given_back.iter().filter(|(_, problem)| waits_for_other(problem.as_deref())) {
        if let Some(refund) = refunds::locked(tx, account, read(id, RefundId::parse)?)? {
            let _ = note_waits(tx, account, refund, None, now)?;
        }
    }
    Ok(())
}

/// The receipt of a payment is stamped, or a draft with a problem that keeps it so.
pub(crate) fn receipt_stands(
    tx: &mut Tx<'_>,
    account: AccountId,
    (payment, receipt): (PaymentId, InvoiceId),
    problem: Option<String>,
    now: Timestamp,
) -> QueryResult<()> {
    let is_known =
        |payment: &Payment| payment.receipt != Some(receipt) || payment.receipt_problem == problem;
    // Most are stamped without a problem, and nothing is to be locked.
    if rows::by_id(tx.db, account, payment)?.is_none_or(|seen| is_known(&seen)) {
        return Ok(());
    }
    let Some(payment) = rows::locked_if_any(tx, account, payment)? else { return Ok(()) };
    if is_known(&payment) {
        return Ok(());
    }
    let stands = match problem {
        Some(problem) => Err(problem),
        None => Ok(receipt),
    };
    rows::save(tx, account, &payment.receipted(stands, now))
}

/// The credit note of a refund is stamped, or a draft with a problem that keeps it so.
pub(crate) fn note_stands(
    tx: &mut Tx<'_>,
    account: AccountId,
    (refund, note): (RefundId, InvoiceId),
    problem: Option<String>,
    now: Timestamp,
) -> QueryResult<()> {
    let is_known =
        |refund: &Refund| refund.credit_note != Some(note) || refund.credit_note_problem == problem;
    if refunds::by_id(tx.db, account, refund)?.is_none_or(|seen| is_known(&seen)) {
        return Ok(());
    }
    let Some(refund) = refunds::locked(tx, account, refund)? else { return Ok(()) };
    if is_known(&refund) {
        return Ok(());
    }
    let stands = match problem {
        Some(problem) => Err(problem),
        None => Ok(note),
    };
    refunds::save(tx, account, &refund.credited(stands, now))
}

/// What is known of a paper that is gone: deleted, or cancelled.
pub(crate) struct Gone {
    /// The paper.
    pub(crate) paper: InvoiceId,
    /// What has taken its place.
    pub(crate) successor: Option<InvoiceId>,
    /// What it waits for, if it is to be made anew.
    pub(crate) waits: Option<String>,
}

/// A receipt is gone.
pub(crate) fn receipt_gone(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: PaymentId,
    gone: &Gone,
    now: Timestamp,
) -> QueryResult<()> {
    let Some(payment) = rows::locked_if_any(tx, account, payment)? else { return Ok(()) };
    if payment.receipt != Some(gone.paper) {
        return Ok(());
    }
    let waits = gone.waits.clone().filter(|_| payment.status == Status::Paid);
    let after = match (gone.successor, waits) {
        (Some(id), _) => payment.receipted(Ok(id), now),
        (None, Some(waits)) => payment.without_receipt(now).receipted(Err(waits), now),
        (None, None) => payment.without_receipt(now),
    };
    rows::save(tx, account, &after)
}

/// A credit note is gone.
pub(crate) fn note_gone(
    tx: &mut Tx<'_>,
    account: AccountId,
    refund: RefundId,
    gone: &Gone,
    now: Timestamp,
) -> QueryResult<()> {
    let Some(refund) = refunds::locked(tx, account, refund)? else { return Ok(()) };
    if refund.credit_note != Some(gone.paper) {
        return Ok(());
    }
    let waits = gone.waits.clone().filter(|_| refund.status == RefundStatus::Succeeded);
    let after = match (gone.successor, waits) {
        (Some(id), _) => refund.credited(Ok(id), now),
        (None, Some(waits)) => refund.without_credit_note(now).credited(Err(waits), now),
        (None, None) => refund.without_credit_note(now),
    };
    refunds::save(tx, account, &after)
}
