//! What is done to a charge, by us, by its payer or by a bank.

use kernel::{Amount, Timestamp};

use super::{
    Charge, ChargeRefund, ChargeState, Plan,
    charge::{SOON, failure},
};
use crate::{Failure, Method, RefundId, RefundStatus};

/// What is done to a charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// We take so much of what is authorized.
    Capture(Amount),
    /// We call it off.
    Cancel,
    /// We give so much back, or, without a refund of ours, the merchant does so on the provider's own pages.
    Refund {
        /// The refund of ours.
        refund: Option<RefundId>,
        /// How much.
        amount: Amount,
    },
    /// The payer pays: all of it if no amount is named.
    Pay(Option<Amount>),
    /// The payer pays by card in so many of the monthly installments that are offered.
    PayIn(u8),
    /// The payer confirms, and the bank refuses.
    Decline,
    /// The bank begins to work on it.
    Process,
    /// Its time passes.
    Expire,
}

/// Why nothing is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied(pub Failure);

fn denied(code: &str, message: &str) -> Denied {
    Denied(failure(code, message, false))
}

/// Does something to a charge. What was done before is not done twice: the same refund, a capture of what is captured.
///
/// # Errors
/// Why it cannot be done.
pub fn apply(before: &Charge, deed: &Deed, now: Timestamp) -> Result<Charge, Denied> {
    refuse_fractions(before, deed)?;
    let charge = before.as_of(now);
    let version = charge.version;
    let seen = charge.clone();
    let after = match deed {
        Deed::Capture(amount) => capture(charge, *amount, now)?,
        Deed::Cancel => cancel(charge, now)?,
        Deed::Refund { refund, amount } => give_back(charge, *refund, *amount, now)?,
        Deed::Pay(amount) => pay(charge, *amount, now)?,
        Deed::PayIn(months) if !charge.installments.contains(months) => {
            return Err(denied("not_offered", "So many installments are not offered."));
        }
        Deed::PayIn(months) => {
            Charge { installments_chosen: Some(*months), ..pay(charge, None, now)? }
        }
        Deed::Decline => {
            let charge = waiting(charge)?;
            let failure = failure("card_declined", "The bank has declined it.", true);
            let state = match charge.method {
                Method::Card => ChargeState::Failed,
                _ => charge.state,
            };
            Charge { state, failure: Some(failure), ..charge }
        }
        Deed::Process => Charge {
            state: ChargeState::Processing,
            next_at: Some(now.plus_seconds(SOON)),
            ..waiting(charge)?
        },
        Deed::Expire => {
            let is_open =
                matches!(charge.state, ChargeState::RequiresAction | ChargeState::Authorized);
            if !is_open {
                return Err(denied("not_open", "Only what waits for its payer expires."));
            }
            Charge { expires_at: Some(now), ..charge }.ended(ChargeState::Expired, now)
        }
    };
    let is_same = after == seen;
    Ok(Charge { version: version + i64::from(!is_same), ..after })
}

/// Amounts are above zero and have the decimals of their currency.
fn refuse_fractions(charge: &Charge, deed: &Deed) -> Result<(), Denied> {
    let amount = match deed {
        Deed::Capture(amount) | Deed::Refund { amount, .. } | Deed::Pay(Some(amount)) => *amount,
        Deed::Pay(None)
        | Deed::PayIn(_)
        | Deed::Cancel
        | Deed::Decline
        | Deed::Process
        | Deed::Expire => {
            return Ok(());
        }
    };
    match amount > Amount::ZERO && amount.fits(charge.currency.decimals()) {
        true => Ok(()),
        false => Err(denied("invalid_amount", "The amount is not one of the currency.")),
    }
}

fn waiting(charge: Charge) -> Result<Charge, Denied> {
    match charge.state {
        ChargeState::RequiresAction | ChargeState::Processing => Ok(charge),
        _ => Err(denied("not_open", "The payment does not wait for its payer.")),
    }
}

fn capture(charge: Charge, amount: Amount, now: Timestamp) -> Result<Charge, Denied> {
    match charge.state {
        ChargeState::Paid => Ok(charge),
        ChargeState::Authorized if Plan::of(charge.amount) == Plan::CaptureFails => {
            Err(denied("capture_failed", "The bank does not pay what it had set aside."))
        }
        ChargeState::Authorized if amount <= charge.authorized => Ok(Charge {
            state: ChargeState::Paid,
            received: amount,
            captured: amount,
            paid_at: Some(now),
            next_at: None,
            ..charge
        }),
        ChargeState::Authorized => {
            Err(denied("amount_too_large", "More is captured than is authorized."))
        }
        _ => Err(denied("not_authorized", "Nothing is authorized.")),
    }
}

fn cancel(charge: Charge, now: Timestamp) -> Result<Charge, Denied> {
    match charge.state {
        ChargeState::Canceled => Ok(charge),
        ChargeState::RequiresAction | ChargeState::Processing | ChargeState::Authorized => {
            Ok(charge.ended(ChargeState::Canceled, now))
        }
        _ => Err(denied("not_cancelable", "The payment is over.")),
    }
}

fn give_back(
    mut charge: Charge,
    refund: Option<RefundId>,
    amount: Amount,
    now: Timestamp,
) -> Result<Charge, Denied> {
    if refund.is_some() && charge.refunds.iter().any(|made| made.refund == refund) {
        return Ok(charge);
    }
    let plan = Plan::of(charge.amount);
    if charge.state != ChargeState::Paid || charge.method == Method::Oxxo {
        return Err(denied("not_refundable", "The payment cannot be refunded."));
    }
    if plan == Plan::RefundFails {
        return Err(denied("refund_failed", "The bank refuses to take the money."));
    }
    if amount.micros() > charge.captured.micros() - charge.refunded() {
        return Err(denied("amount_too_large", "More is refunded than is left."));
    }
    let status = match plan {
        Plan::RefundSlow => RefundStatus::Processing,
        _ => RefundStatus::Succeeded,
    };
    let number = charge.refunds.len() + 1;
    let id = format!("{}_r{number}", charge.id);
    charge.refunds.push(ChargeRefund { id, refund, amount, status, failure: None });
    if matches!(plan, Plan::RefundSlow | Plan::RefundReturns) {
        charge.next_at = Some(now.plus_seconds(SOON));
    }
    Ok(charge)
}

fn pay(charge: Charge, amount: Option<Amount>, now: Timestamp) -> Result<Charge, Denied> {
    let is_payable = match charge.state {
        ChargeState::RequiresAction | ChargeState::Processing => true,
        // A transfer can come at any time, also after the end.
        ChargeState::Expired | ChargeState::Canceled | ChargeState::Paid => {
            charge.method != Method::Card
        }
        ChargeState::Authorized | ChargeState::Failed => false,
    };
    if !is_payable {
        return Err(denied("not_open", "The payment does not wait for its payer."));
    }
    if charge.method == Method::Card {
        return Ok(charge.paid_by_card(now));
    }
    let all = charge.amount;
    let more = amount.unwrap_or(match Plan::of(all) {
        Plan::Short => Amount::from_micros(all.micros() / 2 / 10_000 * 10_000),
        Plan::Excess => Amount::from_micros(all.micros().saturating_mul(2)),
        _ => Amount::from_micros((all.micros() - charge.received.micros()).max(0)),
    });
    let is_over = matches!(charge.state, ChargeState::Expired | ChargeState::Canceled);
    let paid = charge.paid(more, now);
    // What comes after the end is booked as it comes.
    Ok(match is_over && paid.captured < paid.received {
        true => Charge {
            state: ChargeState::Paid,
            captured: paid.received,
            authorized: paid.authorized.max(paid.received),
            paid_at: Some(now),
            ..paid
        },
        false => paid,
    })
}

#[cfg(test)]
mod tests {
    use kernel::AccountId;
    use proptest::prelude::*;

    use super::*;
    use crate::{
        CallId, Payment, ProviderKind,
        gateway::Asked,
        judge,
        open::tests::{amount_of, opened},
    };

    const NOW: Timestamp = Timestamp::from_micros(0);

    fn charge(method: Method, units: i64) -> (Payment, Charge) {
        let payment = opened(ProviderKind::Sandbox, method, amount_of(units));
        let account = AccountId::from_u128(1);
        let call = CallId::from_u128(1);
        let asked = Asked { account, payment: payment.clone(), call, tries: 0, now: NOW };
        (payment, Charge::made(&asked))
    }

    #[test]
    fn what_has_arrived_of_a_transfer_that_ends_is_paid() {
        for end in [Deed::Cancel, Deed::Expire] {
            let (_, made) = charge(Method::Spei, 100);
            let part = apply(&made, &Deed::Pay(Some(amount_of(40))), NOW).unwrap();
            assert_eq!((part.state, part.received), (ChargeState::RequiresAction, amount_of(40)));
            let ended = apply(&part, &end, NOW).unwrap();
            assert_eq!(
                (ended.state, ended.captured),
                (ChargeState::Paid, amount_of(40)),
                "{end:?}"
            );
            let back = Deed::Refund { refund: None, amount: amount_of(40) };
            assert!(apply(&ended, &back, NOW).is_ok());
        }
    }

    #[test]
    fn amounts_are_those_of_the_currency() {
        let (_, made) = charge(Method::Spei, 100);
        for micros in [0, -1_000_000, 1_001] {
            let denied = apply(&made, &Deed::Pay(Some(Amount::from_micros(micros))), NOW);
            assert_eq!(denied.unwrap_err().0.code, "invalid_amount", "{micros}");
        }
    }

    proptest! {
        /// Whatever happens to a transfer, and whenever it is looked at, our books agree with those of the sandbox.
        #[test]
        fn our_books_agree_with_its(
            deeds in prop::collection::vec((0_usize..6, 1_i64..150, any::<bool>()), 1..16)
        ) {
            let (mut payment, mut charge) = charge(Method::Spei, 100);
            let mut now = NOW;
            for (deed, units, is_seen) in deeds {
                now = now.plus_seconds(1);
                let deed = match deed {
                    0 => Deed::Pay(Some(amount_of(units))),
                    1 => Deed::Pay(None),
                    2 => Deed::Cancel,
                    3 => Deed::Expire,
                    4 => Deed::Process,
                    _ => Deed::Decline,
                };
                if let Ok(after) = apply(&charge, &deed, now) {
                    charge = after;
                }
                if is_seen {
                    payment = judge(&payment, &charge.as_of(now).seen(), now).payment;
                }
            }
            let settled = charge.as_of(now.plus_seconds(30 * 86_400));
            payment = judge(&payment, &settled.seen(), now).payment;
            prop_assert_eq!(payment.captured, settled.captured);
        }
    }
}
