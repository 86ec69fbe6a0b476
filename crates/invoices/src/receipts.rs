//! What receipts of payments and credit notes take off what is owed of invoices paid in parts.
//!
//! A document that takes the place of another is stamped while the other still counts, so it carries over what the
//! other has taken off: of each invoice, only one of the two is.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cfdi::payments::PaidDocument;
use kernel::{Amount, Refused, Timestamp};

use crate::{
    Debts, Invoice, InvoiceError, InvoiceId, PaidInvoice, Status,
    draft::{Owed, Place},
};

/// What is taken off one invoice.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    /// The sum, in the invoice's currency.
    amount: Amount,
    /// By how many payments.
    payments: u32,
}

/// What documents take off each own invoice: receipts what was paid, credit notes what they are applied to.
fn taken_by<'a>(documents: impl Iterator<Item = &'a Invoice>) -> BTreeMap<InvoiceId, Taken> {
    let mut sums = BTreeMap::<InvoiceId, Taken>::new();
    let mut take = |invoice, amount, payments| {
        let sum = sums.entry(invoice).or_default();
        sum.amount = cfdi::decimal::sum([sum.amount, amount]);
        sum.payments += payments;
    };
    for document in documents {
        for paid in document.draft.payments.iter().flat_map(|payment| &payment.documents) {
            if let PaidInvoice::Own(id) = &paid.invoice {
                take(*id, paid.amount, 1);
            }
        }
        // What a refund gives back was paid before: its credit note leaves as much owed as there was.
        let applied_to = document.applied_to.iter().filter(|_| document.draft.refund.is_none());
        for applied in applied_to {
            take(applied.invoice, applied.amount, 0);
        }
    }
    sums
}

/// What the stamped documents whose place another takes have taken off: it goes over to the new one.
fn carried<'a>(replaced: impl Iterator<Item = &'a Invoice>) -> BTreeMap<InvoiceId, Taken> {
    taken_by(replaced.filter(|document| document.status == Status::Stamped))
}

/// What is owed of the own invoices that a draft's payments pay, as the draft sees it: without what the receipts
/// whose place it takes have paid.
#[must_use]
pub fn owed<'a>(
    paid: &HashMap<InvoiceId, Invoice>,
    replaced: impl Iterator<Item = &'a Invoice>,
) -> HashMap<InvoiceId, Owed> {
    let replaced: Vec<&Invoice> = replaced.collect();
    let carried = carried(replaced.iter().copied());
    let owed = |invoice: &Invoice| {
        let before = carried.get(&invoice.id).copied().unwrap_or_default();
        let without = Invoice {
            balance: invoice.balance.map(|owed| cfdi::decimal::sum([owed, before.amount])),
            installments: invoice.installments.saturating_sub(before.payments),
            ..invoice.clone()
        };
        let owed = without.owed()?;
        let place = place(invoice, &replaced, owed.balance);
        Some(Owed { place, ..owed })
    };
    paid.iter().filter_map(|(id, invoice)| Some((*id, owed(invoice)?))).collect()
}

/// Where the one payment of an invoice stands that is replaced, with what is owed without it. Later receipts tell what
/// was owed after it; what was paid can be paid again, whatever credit notes have lowered since.
fn place(invoice: &Invoice, replaced: &[&Invoice], balance: Amount) -> Option<Place> {
    let stamped = replaced.iter().filter(|receipt| receipt.status == Status::Stamped);
    let mut payments = stamped.flat_map(|receipt| payments_of(receipt, invoice));
    let PaidDocument { installment, balance_before, amount, .. } = *payments.next()?;
    if payments.next().is_some() {
        return None;
    }
    let is_followed = installment < invoice.installments;
    let balance_before = if is_followed { balance_before } else { balance_before.max(balance) };
    let most = balance.max(amount).min(balance_before);
    Some(Place { installment, balance_before, most })
}

/// The own invoices that change with a document that takes the place of others, or on which it depends whether it can
/// be sealed, in the order in which they are to be locked. `lowered` are those that a credit note refers to.
#[must_use]
pub fn touched(
    document: &Invoice,
    replaced: &[Invoice],
    lowered: impl Iterator<Item = InvoiceId>,
) -> BTreeSet<InvoiceId> {
    let taken = taken_by(std::iter::once(document)).into_keys();
    taken.chain(carried(replaced.iter()).into_keys()).chain(lowered).collect()
}

/// Takes what a receipt pays, or a credit note is applied to, off what is owed, if what is owed is still what the
/// receipt says. Of the invoices in `receipted` another document is being stamped, so that nobody knows what will be
/// owed. Answers the invoices that change.
///
/// # Errors
/// [`InvoiceError::UnderWay`] while another receipt or credit note of the same invoice is being stamped;
/// [`Refused::Stale`] when what is owed has changed since it was `seen`.
pub fn pay(
    document: &Invoice,
    replaced: &[Invoice],
    owing: &[Invoice],
    receipted: &BTreeSet<InvoiceId>,
    seen: &Debts,
    now: Timestamp,
) -> Result<Vec<Invoice>, Refused<InvoiceError>> {
    let taken = taken_by(std::iter::once(document));
    let carried = carried(replaced.iter());
    let mut changed = Vec::new();
    for invoice in owing {
        if receipted.contains(&invoice.id) {
            return Err(Refused::Rule(InvoiceError::UnderWay));
        }
        let own = taken.get(&invoice.id).copied().unwrap_or_default();
        let before = carried.get(&invoice.id).copied().unwrap_or_default();
        changed.extend(reduced(invoice, own, before, seen, now)?);
    }
    Ok(changed)
}

fn reduced(
    invoice: &Invoice,
    own: Taken,
    before: Taken,
    seen: &Debts,
    now: Timestamp,
) -> Result<Option<Invoice>, Refused<InvoiceError>> {
    let mut after = invoice.clone();
    after.balance = invoice.balance.map(|owed| cfdi::decimal::sum([owed, before.amount]));
    after.installments = invoice.installments.saturating_sub(before.payments);
    let is_as_seen = seen.owed.get(&invoice.id).is_some_and(|seen| {
        Some(seen.balance) == after.outstanding() && seen.installments == after.installments
    });
    if own.payments > 0 && !is_as_seen {
        return Err(Refused::Stale);
    }
    // Nothing is owed of what was paid in one go.
    let Some(balance) = after.balance else { return Ok(None) };
    after.balance = Some(cfdi::decimal::less(balance, own.amount));
    after.installments += own.payments;
    after.touch(now);
    Ok(Some(after))
}

/// Gives back what a receipt or credit note took off that was not stamped, or is cancelled; what it carried over from
/// stamped documents goes back to those. Answers the invoices that change.
#[must_use]
pub fn unpay(
    document: &Invoice,
    replaced: &[Invoice],
    owing: &[Invoice],
    now: Timestamp,
) -> Vec<Invoice> {
    let taken = taken_by(std::iter::once(document));
    let carried = carried(replaced.iter());
    let restored = |invoice: &Invoice| {
        let mut after = invoice.clone();
        let own = taken.get(&invoice.id).copied().unwrap_or_default();
        let before = carried.get(&invoice.id).copied().unwrap_or_default();
        let balance = cfdi::decimal::sum([invoice.balance?, own.amount]);
        after.balance = Some(cfdi::decimal::less(balance, before.amount));
        // The numbers of later receipts stay taken.
        if last_installment(document, invoice) == Some(invoice.installments) {
            after.installments =
                invoice.installments.saturating_sub(own.payments) + before.payments;
        }
        after.touch(now);
        Some(after)
    };
    owing.iter().filter_map(restored).collect()
}

/// The last number that a receipt gives a payment of an invoice.
fn last_installment(receipt: &Invoice, invoice: &Invoice) -> Option<u32> {
    payments_of(receipt, invoice).map(|paid| paid.installment).max()
}

/// What a receipt pays of an invoice.
fn payments_of<'a>(
    receipt: &'a Invoice,
    invoice: &'a Invoice,
) -> impl Iterator<Item = &'a PaidDocument> {
    let documents = receipt.document.payments.iter().flat_map(|payment| &payment.documents);
    documents.filter(move |paid| invoice.uuid() == Some(paid.uuid.as_str()))
}
