//! What payments and refunds show of their papers: stamped, a draft with a problem, or gone.

use ::payments::{InvoiceId, Payment, PaymentId, Refund, RefundId};
use diesel::QueryResult;
use kernel::{AccountId, Timestamp};

use crate::{
    payments::{refunds, rows},
    tx::Tx,
};

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

/// A receipt is gone: deleted, or cancelled; `successor` has taken its place if one has.
pub(crate) fn receipt_gone(
    tx: &mut Tx<'_>,
    account: AccountId,
    payment: PaymentId,
    (gone, successor): (InvoiceId, Option<InvoiceId>),
    now: Timestamp,
) -> QueryResult<()> {
    let Some(payment) = rows::locked_if_any(tx, account, payment)? else { return Ok(()) };
    if payment.receipt != Some(gone) {
        return Ok(());
    }
    let after = match successor {
        Some(id) => payment.receipted(Ok(id), now),
        None => payment.without_receipt(now),
    };
    rows::save(tx, account, &after)
}

/// A credit note is gone.
pub(crate) fn note_gone(
    tx: &mut Tx<'_>,
    account: AccountId,
    refund: RefundId,
    (gone, successor): (InvoiceId, Option<InvoiceId>),
    now: Timestamp,
) -> QueryResult<()> {
    let Some(refund) = refunds::locked(tx, account, refund)? else { return Ok(()) };
    if refund.credit_note != Some(gone) {
        return Ok(());
    }
    let after = match successor {
        Some(id) => refund.credited(Ok(id), now),
        None => refund.without_credit_note(now),
    };
    refunds::save(tx, account, &after)
}
