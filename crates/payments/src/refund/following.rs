//! What becomes of a refund: what its provider shows and answers, and how the money moves with it.

use kernel::{Amount, Timestamp};

use super::{NewRefund, Origin, Refund, RefundId, RefundStatus, RefundStep, asking::set_aside};
use crate::{
    CallFault, CallId, Flag, Payment, SeenRefund,
    calls::{Call, Follow},
    events,
    payment::{less, plus},
};

/// What a provider that was asked for a payment shows of a refund whose call may have had an effect: the one that says so, or
/// one of the same amount that is none of those `known`. Not every provider lets a refund say whose it is.
#[must_use]
pub fn shown<'a>(
    refund: &Refund,
    known: &[Refund],
    seen: &'a [SeenRefund],
) -> Option<&'a SeenRefund> {
    let is_known = |seen: &SeenRefund| {
        known.iter().any(|known| known.provider_ref.as_deref() == Some(&seen.provider_ref))
    };
    let may_be = |seen: &&SeenRefund| {
        seen.refund.is_none() && seen.amount == refund.amount && !is_known(seen)
    };
    let named = seen.iter().find(|seen| seen.refund == Some(refund.id));
    named.or_else(|| seen.iter().find(may_be))
}

/// What follows from what is seen of a refund. It goes forward only, but for one that fails after it had succeeded.
#[must_use]
pub fn settle(payment: &Payment, refund: &Refund, seen: &SeenRefund, now: Timestamp) -> RefundStep {
    let mut after = unchanged(payment, refund);
    after.refund.provider_ref.get_or_insert_with(|| seen.provider_ref.clone());
    after.refund.call = match refund.call.outcome {
        crate::CallOutcome::Open => refund.call.done(now),
        _ => refund.call.clone(),
    };
    if seen.failure.is_some() {
        after.refund.failure.clone_from(&seen.failure);
    }
    moved(after, seen.status, now)
}

/// What follows when a call for a refund has failed.
#[must_use]
pub fn failed(
    payment: &Payment,
    refund: &Refund,
    fault: &CallFault,
    now: Timestamp,
) -> (RefundStep, Follow) {
    followed(payment, refund, refund.call.failed(fault, now), now)
}

/// What follows when the provider, asked for the payment, does not know of a refund whose call may have had an effect.
#[must_use]
pub fn absent(payment: &Payment, refund: &Refund, now: Timestamp) -> (RefundStep, Follow) {
    followed(payment, refund, refund.call.absent(now), now)
}

/// A refund whose call is followed so: one that is refused has failed.
fn followed(
    payment: &Payment,
    refund: &Refund,
    (call, follow): (Call, Follow),
    now: Timestamp,
) -> (RefundStep, Follow) {
    let mut after = unchanged(payment, refund);
    after.refund.call = call;
    match &follow {
        Follow::Again { .. } => (after, follow),
        Follow::Refused(failure) => {
            after.refund.failure = Some(failure.clone());
            (moved(after, RefundStatus::Failed, now), follow)
        }
    }
}

/// A refund that was made at the provider. `None` while there is no room for it: refunds of ours that are under way may
/// be this very one.
#[must_use]
pub fn external(
    payment: &Payment,
    seen: &SeenRefund,
    (id, call): (RefundId, CallId),
    now: Timestamp,
) -> Option<RefundStep> {
    if seen.amount > payment.refundable() || seen.amount <= Amount::ZERO {
        return None;
    }
    let new = NewRefund {
        amount: Some(seen.amount),
        is_manual: false,
        origin: Origin::External,
        reason: None,
        note: None,
    };
    let mut reserved = set_aside(payment, &new, seen.amount, (id, call), now);
    let refund = &mut reserved.refund;
    refund.call = refund.call.done(now);
    refund.provider_ref = Some(seen.provider_ref.clone());
    refund.failure.clone_from(&seen.failure);
    Some(moved(reserved, seen.status, now))
}

fn unchanged(payment: &Payment, refund: &Refund) -> RefundStep {
    RefundStep {
        payment: payment.clone(),
        refund: refund.clone(),
        given_back: Amount::ZERO,
        events: Vec::new(),
    }
}

/// Moves a refund to a status, and the money with it.
pub(super) fn moved(mut after: RefundStep, to: RefundStatus, now: Timestamp) -> RefundStep {
    use RefundStatus::{Canceled, Failed, Succeeded};
    let (from, amount) = (after.refund.status, after.refund.amount);
    after.refund.updated_at = now;
    after.refund.version += 1;
    let (payment, refund) = (&mut after.payment, &mut after.refund);
    match (from, to) {
        // Over, but for a bank that sends the money back.
        (Succeeded, Failed | Canceled) => {
            payment.refunded = less(payment.refunded, amount);
            payment.changed(now);
            refund.status = to;
            refund.succeeded_at = None;
            after.given_back = Amount::from_micros(-amount.micros());
            after.events.extend(events::of_refund(refund));
        }
        // Given up too early: the money is gone, if there is still room for it.
        (Failed | Canceled, Succeeded) if payment.refundable() < amount => {
            payment.flag(Flag::Conflict);
        }
        (_, Succeeded) if from != Succeeded => {
            // What was given up is not set aside any more.
            if !matches!(from, Failed | Canceled) {
                payment.refund_pending = less(payment.refund_pending, amount);
            }
            payment.refunded = plus(payment.refunded, amount);
            payment.changed(now);
            refund.status = to;
            refund.succeeded_at = Some(now);
            refund.failure = None;
            after.given_back = amount;
            after.events.extend(events::of_refund(refund));
        }
        (Succeeded | Failed | Canceled, _) => {}
        (_, Failed | Canceled) => {
            payment.refund_pending = less(payment.refund_pending, amount);
            payment.changed(now);
            refund.status = to;
            after.events.extend(events::of_refund(refund));
        }
        _ => refund.status = to,
    }
    after
}
