//! What a receipt applies to its invoice.

use cfdi::decimal;
use kernel::Amount;

use crate::{Invoice, InvoiceId, PaidInvoice, PaymentId};

/// What a payment has brought of which there is no receipt yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brought {
    /// The payment.
    pub payment: PaymentId,
    /// What came.
    pub amount: Amount,
    /// What of it was given back.
    pub given_back: Amount,
}

/// What the receipt of a payment applies to an invoice: what of it was kept, and no more than is open of the invoice.
/// `brought` are all that have no receipt yet, in the order in which they came. `None` where all was given back.
///
/// What was given back counts only as far as more came than is open: beyond that it was sold, and a credit note tells of it.
/// Orders give back what came last, so it is looked for there first.
#[must_use]
pub fn applied(own: PaymentId, brought: &[Brought], open: Amount) -> Option<Amount> {
    let open = open.max(Amount::ZERO);
    let came = decimal::sum(brought.iter().map(|one| one.amount));
    let mut excess = decimal::less(came, open).max(Amount::ZERO);
    for one in brought.iter().rev() {
        let given_back = one.given_back.min(one.amount).min(excess);
        if one.payment == own {
            let kept = decimal::less(one.amount, given_back);
            return (kept > Amount::ZERO).then(|| kept.min(open));
        }
        excess = decimal::less(excess, given_back);
    }
    None
}

/// What a receipt pays of one of the account's invoices.
#[must_use]
pub fn pays(receipt: &Invoice, invoice: InvoiceId) -> Amount {
    let documents = receipt.draft.payments.iter().flat_map(|payment| &payment.documents);
    let is_of_it = |paid: &PaidInvoice| matches!(paid, PaidInvoice::Own(id) if *id == invoice);
    decimal::sum(documents.filter(|paid| is_of_it(&paid.invoice)).map(|paid| paid.amount))
}

/// Whether so much is owed of an invoice as the draft of a receipt pays. Of one that takes the place of another that is told
/// when it is stamped.
#[must_use]
pub fn fits(draft: &Invoice, invoice: &Invoice) -> bool {
    let owed = invoice.outstanding().unwrap_or_default();
    draft.draft.replaces().next().is_some() || pays(draft, invoice.id) <= owed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(units: i64) -> Amount {
        Amount::from_micros(units * 1_000_000)
    }

    /// What is applied of payments whose receipts are stamped in this order, each of what came and what of it was given back.
    fn stamped(owed: i64, payments: &[(i64, i64)], order: &[usize]) -> Vec<Option<i64>> {
        let brought = |(number, (amount, given_back)): (usize, &(i64, i64))| Brought {
            payment: PaymentId::from_u128(number as u128),
            amount: units(*amount),
            given_back: units(*given_back),
        };
        let mut left: Vec<Brought> = payments.iter().enumerate().map(brought).collect();
        let mut open = units(owed);
        let mut shares = vec![None; payments.len()];
        for number in order {
            let own = PaymentId::from_u128(*number as u128);
            let share = applied(own, &left, open);
            shares[*number] = share.map(|share| share.micros() / 1_000_000);
            if let Some(share) = share {
                open = decimal::less(open, share);
            }
            left.retain(|one| one.payment != own);
        }
        shares
    }

    /// The receipts of these payments, in the order in which they came.
    #[track_caller]
    fn are_applied(owed: i64, payments: &[(i64, i64)], wanted: &[Option<i64>]) {
        let order: Vec<usize> = (0..payments.len()).collect();
        assert_eq!(stamped(owed, payments, &order), wanted);
    }

    #[test]
    fn each_receipt_applies_what_was_kept() {
        are_applied(1_000, &[(600, 0)], &[Some(600)]);
        are_applied(800, &[(1_000, 200)], &[Some(800)]);
        are_applied(800, &[(1_000, 0)], &[Some(800)]);
        are_applied(0, &[(500, 500)], &[None]);
        // Of several, the last are given back first.
        are_applied(900, &[(600, 0), (400, 100)], &[Some(600), Some(300)]);
        are_applied(800, &[(500, 0), (350, 50), (150, 150)], &[Some(500), Some(300), None]);
        are_applied(800, &[(500, 200), (350, 0), (150, 0)], &[Some(300), Some(350), Some(150)]);
    }

    #[test]
    fn what_is_credited_when_it_is_given_back_was_paid_before() {
        // Goods that came back after the invoice are in it.
        are_applied(1_000, &[(600, 0), (400, 100)], &[Some(600), Some(400)]);
        are_applied(1_000, &[(600, 0), (400, 400)], &[Some(600), Some(400)]);
        are_applied(800, &[(200, 200)], &[Some(200)]);
    }

    #[test]
    fn what_was_paid_too_much_is_left_out() {
        are_applied(1_000, &[(600, 0), (600, 0)], &[Some(600), Some(400)]);
        are_applied(1_000, &[(600, 0), (600, 50)], &[Some(600), Some(400)]);
        are_applied(500, &[(500, 0), (500, 0)], &[Some(500), Some(0)]);
    }

    #[test]
    fn what_was_given_back_is_in_no_receipt_whatever_is_stamped_first() {
        let payments = [(500, 0), (350, 50), (150, 150)];
        for order in [[2, 1, 0], [1, 2, 0], [0, 2, 1]] {
            assert_eq!(stamped(800, &payments, &order), [Some(500), Some(300), None], "{order:?}");
        }
        // What was paid too much is taken off whatever is stamped last.
        assert_eq!(stamped(1_000, &[(600, 0), (600, 0)], &[1, 0]), [Some(400), Some(600)]);
    }
}
