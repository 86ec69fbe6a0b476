//! Which payments of an order a refund is made of.

use kernel::{Amount, Timestamp};

use super::asking::unrefundable;
use crate::{Payment, PaymentId, ProviderKind, payment::less};

/// Divides what an order is owed over its payments: the newest first, those that the provider gives back before those
/// that the merchant has to. What they do not hold is left out.
#[must_use]
pub fn spread(
    payments: &[Payment],
    owed: Amount,
    now: Timestamp,
) -> Vec<(PaymentId, Amount, bool)> {
    let mut order: Vec<(bool, &Payment)> = payments
        .iter()
        .filter(|payment| payment.refundable() > Amount::ZERO)
        .map(|payment| (is_manual(payment, owed, now), payment))
        .collect();
    order.sort_by_key(|(manual, payment)| {
        (*manual, std::cmp::Reverse(payment.paid_at), std::cmp::Reverse(payment.id))
    });
    let (mut left, mut parts) = (owed, Vec::new());
    for (_, payment) in order {
        let amount = payment.refundable().min(left);
        if amount > Amount::ZERO {
            parts.push((payment.id, amount, is_manual(payment, amount, now)));
            left = less(left, amount);
        }
    }
    parts
}

fn is_manual(payment: &Payment, amount: Amount, now: Timestamp) -> bool {
    payment.provider == ProviderKind::Manual
        || unrefundable(payment, amount.min(payment.refundable()), now).is_some()
}
