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
    settled::Around,
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
            installments: numbered_before(invoice, replaced.iter().copied()),
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
    let mut payments = carried_payments(replaced.iter().copied(), invoice);
    let PaidDocument { installment, balance_before, amount, .. } = *payments.next()?;
    if payments.next().is_some() {
        return None;
    }
    let is_followed = installment < invoice.installments;
    let balance_before = if is_followed { balance_before } else { balance_before.max(balance) };
    let most = balance.max(amount).min(balance_before);
    Some(Place { installment, balance_before, most })
}

/// The number behind which the payments stand that take the place of others: theirs are free again, unless they are
/// several and later receipts follow some of them.
fn numbered_before<'a>(invoice: &'a Invoice, replaced: impl Iterator<Item = &'a Invoice>) -> u32 {
    let payments = carried_payments(replaced, invoice);
    let numbers: BTreeSet<u32> = payments.map(|paid| paid.installment).collect();
    let count = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
    let before = invoice.installments.saturating_sub(count);
    let are_last = numbers.first().is_none_or(|first| *first == before + 1);
    // A single one has a place of its own.
    if count == 1 || are_last { before } else { invoice.installments }
}

/// What the stamped documents whose place another takes have paid of an invoice.
fn carried_payments<'a>(
    replaced: impl Iterator<Item = &'a Invoice>,
    invoice: &'a Invoice,
) -> impl Iterator<Item = &'a PaidDocument> {
    let stamped = replaced.filter(|receipt| receipt.status == Status::Stamped);
    stamped.flat_map(move |receipt| payments_of(receipt, invoice))
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
    around: &Around,
    receipted: &BTreeSet<InvoiceId>,
    seen: &Debts,
    now: Timestamp,
) -> Result<Vec<Invoice>, Refused<InvoiceError>> {
    let taken = taken_by(std::iter::once(document));
    let carried = carried(around.replaced.iter());
    let others = counting(&around.receipts, document.draft.replaces());
    let mut changed = Vec::new();
    for invoice in &around.owing {
        if receipted.contains(&invoice.id) {
            return Err(Refused::Rule(InvoiceError::UnderWay));
        }
        let own = taken.get(&invoice.id).copied().unwrap_or_default();
        let before = carried.get(&invoice.id).copied().unwrap_or_default();
        let numbered = numbered_before(invoice, around.replaced.iter());
        let Some(mut after) = reduced(invoice, (own, before), numbered, seen)? else { continue };
        after.installments = match before.payments {
            0 => numbered + own.payments,
            _ => last_installment(others.iter().copied().chain([document]), invoice),
        };
        after.touch(now);
        changed.push(after);
    }
    Ok(changed)
}

fn reduced(
    invoice: &Invoice,
    (own, before): (Taken, Taken),
    numbered: u32,
    seen: &Debts,
) -> Result<Option<Invoice>, Refused<InvoiceError>> {
    let mut after = invoice.clone();
    after.balance = invoice.balance.map(|owed| cfdi::decimal::sum([owed, before.amount]));
    let is_as_seen = seen.owed.get(&invoice.id).is_some_and(|seen| {
        Some(seen.balance) == after.outstanding() && seen.installments == numbered
    });
    if own.payments > 0 && !is_as_seen {
        return Err(Refused::Stale);
    }
    // Nothing is owed of what was paid in one go.
    let Some(balance) = after.balance else { return Ok(None) };
    after.balance = Some(cfdi::decimal::less(balance, own.amount));
    Ok(Some(after))
}

/// Gives back what a receipt or credit note took off that was not stamped, or is cancelled; what it carried over from
/// stamped documents goes back to those. The next payment is numbered after those that are left: the numbers of later
/// receipts stay taken, and no number is left out behind them. Answers the invoices that change.
#[must_use]
pub fn unpay(document: &Invoice, around: &Around, now: Timestamp) -> Vec<Invoice> {
    let taken = taken_by(std::iter::once(document));
    let carried = carried(around.replaced.iter());
    let others = counting(&around.receipts, std::iter::empty());
    let restored = |invoice: &Invoice| {
        let mut after = invoice.clone();
        let own = taken.get(&invoice.id).copied().unwrap_or_default();
        let before = carried.get(&invoice.id).copied().unwrap_or_default();
        let balance = cfdi::decimal::sum([invoice.balance?, own.amount]);
        after.balance = Some(cfdi::decimal::less(balance, before.amount));
        if own.payments + before.payments > 0 {
            after.installments = last_installment(others.iter().copied(), invoice);
        }
        after.touch(now);
        Some(after)
    };
    around.owing.iter().filter_map(restored).collect()
}

/// The receipts that count when those with the folios `replaced` do not, as those whose place another of them takes.
fn counting<'a>(
    receipts: &'a [Invoice],
    replaced: impl Iterator<Item = &'a str>,
) -> Vec<&'a Invoice> {
    let replaced = replaced.chain(receipts.iter().flat_map(|receipt| receipt.draft.replaces()));
    let replaced: BTreeSet<String> = replaced.map(str::to_ascii_uppercase).collect();
    let is_replaced = |receipt: &Invoice| {
        receipt.uuid().is_some_and(|uuid| replaced.contains(&uuid.to_ascii_uppercase()))
    };
    receipts.iter().filter(|receipt| !is_replaced(receipt)).collect()
}

/// The last number that receipts give a payment of an invoice; 0 if none pays it.
fn last_installment<'a>(receipts: impl Iterator<Item = &'a Invoice>, invoice: &'a Invoice) -> u32 {
    let payments = receipts.flat_map(|receipt| payments_of(receipt, invoice));
    payments.map(|paid| paid.installment).max().unwrap_or(0)
}

/// What a receipt pays of an invoice.
fn payments_of<'a>(
    receipt: &'a Invoice,
    invoice: &'a Invoice,
) -> impl Iterator<Item = &'a PaidDocument> {
    let documents = receipt.document.payments.iter().flat_map(|payment| &payment.documents);
    documents.filter(move |paid| invoice.uuid() == Some(paid.uuid.as_str()))
}
