//! What receipts of payments take off what is owed of invoices paid in parts.
//!
//! A receipt that takes the place of another is stamped while the other still counts, so it carries over what the
//! other has paid: of each invoice, only one of the two is taken off.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kernel::{Amount, Refused, Timestamp};

use crate::{Debts, Draft, Invoice, InvoiceError, InvoiceId, PaidInvoice, Status};

/// What is paid of one invoice.
#[derive(Clone, Copy, Debug, Default)]
struct Paid {
    /// The sum, in the invoice's currency.
    amount: Amount,
    /// By how many payments.
    count: u32,
}

/// What drafts pay of each own invoice.
fn paid_by<'a>(drafts: impl Iterator<Item = &'a Draft>) -> BTreeMap<InvoiceId, Paid> {
    let mut sums = BTreeMap::<InvoiceId, Paid>::new();
    for document in drafts.flat_map(|draft| &draft.payments).flat_map(|payment| &payment.documents)
    {
        if let PaidInvoice::Own(id) = &document.invoice {
            let sum = sums.entry(*id).or_default();
            sum.amount = cfdi::decimal::sum([sum.amount, document.amount]);
            sum.count += 1;
        }
    }
    sums
}

/// What the stamped receipts whose place another takes have paid: it goes over to the new one.
fn carried<'a>(replaced: impl Iterator<Item = &'a Invoice>) -> BTreeMap<InvoiceId, Paid> {
    let stamped = replaced.filter(|receipt| receipt.status == Status::Stamped);
    paid_by(stamped.map(|receipt| &receipt.draft))
}

/// What is owed of the own invoices that a draft's payments pay, as the draft sees it: without what the receipts
/// whose place it takes have paid.
#[must_use]
pub fn debts<'a>(
    paid: &HashMap<InvoiceId, Invoice>,
    replaced: impl Iterator<Item = &'a Invoice>,
) -> Debts {
    let owed = paid.iter().filter_map(|(id, invoice)| Some((*id, invoice.owed()?)));
    let mut debts: Debts = owed.collect();
    for (id, before) in carried(replaced) {
        if let Some(owed) = debts.get_mut(&id) {
            owed.balance = cfdi::decimal::sum([owed.balance, before.amount]);
            owed.installments = owed.installments.saturating_sub(before.count);
        }
    }
    debts
}

/// The own invoices whose balance changes with a receipt that takes the place of others, in the order in which
/// they are to be locked.
#[must_use]
pub fn touched(receipt: &Draft, replaced: &[Invoice]) -> BTreeSet<InvoiceId> {
    let paid = paid_by(std::iter::once(receipt));
    paid.into_keys().chain(carried(replaced.iter()).into_keys()).collect()
}

/// Takes what a receipt pays off what is owed, if what is owed is still what the receipt says. Of the invoices in
/// `receipted` another receipt is being stamped, so that nobody knows what will be owed.
///
/// # Errors
/// [`InvoiceError::UnderWay`] while another receipt of the same invoice is being stamped; [`Refused::Stale`] when
/// what is owed has changed since it was `seen`.
pub fn pay(
    receipt: &Invoice,
    replaced: &[Invoice],
    owing: &[Invoice],
    receipted: &BTreeSet<InvoiceId>,
    seen: &Debts,
    now: Timestamp,
) -> Result<Vec<Invoice>, Refused<InvoiceError>> {
    let paid = paid_by(std::iter::once(&receipt.draft));
    let carried = carried(replaced.iter());
    let pay = |invoice: &Invoice| {
        if receipted.contains(&invoice.id) {
            return Err(Refused::Rule(InvoiceError::UnderWay));
        }
        let own = paid.get(&invoice.id).copied().unwrap_or_default();
        let before = carried.get(&invoice.id).copied().unwrap_or_default();
        reduce(invoice, own, before, seen, now)
    };
    owing.iter().map(pay).collect()
}

fn reduce(
    invoice: &Invoice,
    own: Paid,
    before: Paid,
    seen: &Debts,
    now: Timestamp,
) -> Result<Invoice, Refused<InvoiceError>> {
    let balance = invoice.balance.map(|owed| cfdi::decimal::sum([owed, before.amount]));
    let installments = invoice.installments.saturating_sub(before.count);
    let is_as_seen = seen
        .get(&invoice.id)
        .is_some_and(|seen| Some(seen.balance) == balance && seen.installments == installments);
    if own.count > 0 && !is_as_seen {
        return Err(Refused::Stale);
    }
    let mut after = invoice.clone();
    after.balance = balance.map(|owed| less(owed, own.amount));
    after.installments = installments + own.count;
    after.touch(now);
    Ok(after)
}

/// Gives back what a receipt took off that was not stamped, or is cancelled; what it carried over from stamped
/// receipts goes back to those.
#[must_use]
pub fn unpay(
    receipt: &Invoice,
    replaced: &[Invoice],
    owing: &[Invoice],
    now: Timestamp,
) -> Vec<Invoice> {
    let paid = paid_by(std::iter::once(&receipt.draft));
    let carried = carried(replaced.iter());
    let unpaid = |invoice: &Invoice| {
        let mut invoice = invoice.clone();
        let own = paid.get(&invoice.id).copied().unwrap_or_default();
        let before = carried.get(&invoice.id).copied().unwrap_or_default();
        let balance = invoice.balance.map(|owed| cfdi::decimal::sum([owed, own.amount]));
        invoice.balance = balance.map(|owed| less(owed, before.amount));
        // The numbers of later receipts stay taken.
        if last_installment(receipt, &invoice) == Some(invoice.installments) {
            invoice.installments = invoice.installments.saturating_sub(own.count) + before.count;
        }
        invoice.touch(now);
        invoice
    };
    owing.iter().map(unpaid).collect()
}

/// What is left of what is owed: nothing where more is paid. Receipts may add up to more when a replacement is
/// cancelled before the one whose place it took, and others have paid meanwhile.
fn less(owed: Amount, paid: Amount) -> Amount {
    cfdi::decimal::less(owed, paid).max(Amount::ZERO)
}

/// The last number that a receipt gives a payment of an invoice.
fn last_installment(receipt: &Invoice, invoice: &Invoice) -> Option<u32> {
    let documents = receipt.document.payments.iter().flat_map(|payment| &payment.documents);
    let own = documents.filter(|paid| invoice.uuid() == Some(paid.uuid.as_str()));
    own.map(|paid| paid.installment).max()
}
