//! Asking for a refund: what may be given back, and what is set aside for it.

use kernel::{Amount, Timestamp};

use super::{
    NewRefund, Refund, RefundId, RefundRefusal, RefundStatus, RefundStep, Unrefundable,
    following::moved,
};
use crate::{
    CallId, Payment, ProviderKind,
    calls::{Call, CallKind},
    payment::{less, plus},
    provider::{Capabilities, Refunding},
};

/// Asks for a refund of a payment. One that the merchant gives back has succeeded at once.
///
/// # Errors
/// [`RefundRefusal`]; nothing is set aside then.
pub fn reserve(
    payment: &Payment,
    new: &NewRefund,
    (id, call): (RefundId, CallId),
    now: Timestamp,
) -> Result<RefundStep, RefundRefusal> {
    let refundable = payment.refundable();
    let amount = new.amount.unwrap_or(refundable);
    let decimals = payment.currency.decimals();
    if new.amount.is_some_and(|a| a <= Amount::ZERO || !a.fits(decimals)) {
        return Err(RefundRefusal::Amount { decimals });
    }
    if amount > refundable || amount == Amount::ZERO {
        return Err(RefundRefusal::Exceeds { refundable });
    }
    let is_manual = new.is_manual || payment.provider == ProviderKind::Manual;
    if !is_manual && let Some(cause) = unrefundable(payment, amount, now) {
        return Err(RefundRefusal::NotRefundable { cause });
    }
    let new = NewRefund { is_manual, ..new.clone() };
    let reserved = set_aside(payment, &new, amount, (id, call), now);
    match is_manual {
        true => Ok(moved(reserved, RefundStatus::Succeeded, now)),
        false => Ok(reserved),
    }
}

/// A payment of which so much is set aside for a refund that waits to be approved; `None` where it has not so much left.
#[must_use]
pub fn hold(payment: &Payment, amount: Amount, now: Timestamp) -> Option<Payment> {
    let is_there = amount > Amount::ZERO && amount <= payment.refundable();
    is_there.then(|| {
        let mut held = payment.clone();
        held.refund_pending = plus(held.refund_pending, amount);
        held.changed(now);
        held
    })
}

/// A payment of which so much is not set aside any more.
#[must_use]
pub fn let_go(payment: &Payment, amount: Amount, now: Timestamp) -> Payment {
    let mut free = payment.clone();
    free.refund_pending = less(free.refund_pending, amount);
    free.changed(now);
    free
}

/// A refund of so much, which its payment has set aside.
pub(super) fn set_aside(
    payment: &Payment,
    new: &NewRefund,
    amount: Amount,
    (id, call): (RefundId, CallId),
    now: Timestamp,
) -> RefundStep {
    let refund = Refund {
        id,
        payment: payment.id,
        order: payment.order,
        amount,
        currency: payment.currency,
        status: RefundStatus::Pending,
        origin: new.origin,
        is_manual: new.is_manual,
        provider_ref: None,
        reason: new.reason.clone(),
        note: new.note.clone(),
        failure: None,
        credit_note: None,
        credit_note_problem: None,
        call: Call::open(call, payment.id, CallKind::Refund, Some(amount), now),
        created_at: now,
        updated_at: now,
        succeeded_at: None,
        version: 1,
    };
    let mut payment = payment.clone();
    payment.refund_pending = plus(payment.refund_pending, amount);
    payment.changed(now);
    RefundStep { payment, refund, given_back: Amount::ZERO, events: Vec::new() }
}

pub(super) fn unrefundable(
    payment: &Payment,
    amount: Amount,
    now: Timestamp,
) -> Option<Unrefundable> {
    let capabilities = payment.provider.capabilities(payment.method, payment.currency);
    let Some(Capabilities { refunding, refund_days, .. }) = capabilities else {
        return Some(Unrefundable::Method);
    };
    let is_too_old = |days: i64| {
        payment.paid_at.is_some_and(|paid| now > paid.plus_seconds(days.saturating_mul(86_400)))
    };
    match (refunding, refund_days) {
        (Refunding::None, _) => Some(Unrefundable::Method),
        (Refunding::Full, _) if amount < payment.captured => Some(Unrefundable::Part),
        (_, Some(days)) if is_too_old(days) => Some(Unrefundable::Age { days }),
        _ => None,
    }
}
