//! What counts of what is seen of a payment.

use kernel::{Amount, NewEvent, Timestamp};

use crate::{
    CallKind, Conflict, Failure, Flag, Payment, Seen, SeenRefund, SeenState, Status, events,
    payment::{less, plus},
};

/// What comes of something seen: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The payment as it stands now; its version is unchanged if nothing changed.
    pub payment: Payment,
    /// What was received for its order.
    pub received: Option<Amount>,
    /// The refunds that are to be looked at.
    pub refunds: Vec<SeenRefund>,
    /// What is told.
    pub events: Vec<NewEvent>,
}

/// What counts of what is seen of a payment at `now`. It only goes forward: what is older than what is known changes
/// nothing, money is counted once, and money that comes after an end is counted and marked as late.
#[must_use]
pub fn judge(before: &Payment, seen: &Seen, now: Timestamp) -> Judged {
    let mut payment = before.clone();
    let mut events = Vec::new();
    if seen.payment.is_some_and(|id| id != before.id) {
        return ended(before, payment, Amount::ZERO, Vec::new(), events, now);
    }
    if payment.provider_ref.is_none() {
        payment.provider_ref = Some(seen.provider_ref.clone());
    }
    payment.is_outcome_unknown = false;
    if is_another(before, seen) {
        contradict(&mut payment, seen);
        return ended(before, payment, Amount::ZERO, Vec::new(), events, now);
    }
    describe(&mut payment, seen);
    let growth = advance(&mut payment, seen, now);
    if payment.status != before.status {
        events.extend(events::of_status(&payment));
    }
    if growth > Amount::ZERO && before.captured == Amount::ZERO {
        events.push(events::received(&payment));
    }
    ended(before, payment, growth, seen.refunds.clone(), events, now)
}

/// Takes what a provider has shown of a payment as what was asked for, although it is not: it is what was paid.
#[must_use]
pub fn accept(before: &Payment, now: Timestamp) -> Judged {
    let Some(conflict) = before.conflict.clone().filter(|c| c.currency == before.currency) else {
        return ended(before, before.clone(), Amount::ZERO, Vec::new(), Vec::new(), now);
    };
    let amount = conflict.amount;
    let mut payment = Payment { conflict: None, amount, ..before.clone() };
    payment.flags.retain(|flag| *flag != Flag::Conflict);
    let growth = capture(&mut payment, conflict.captured, None, now);
    let mut events = Vec::new();
    if growth > Amount::ZERO && before.captured == Amount::ZERO {
        events.push(events::received(&payment));
    }
    ended(before, payment, growth, Vec::new(), events, now)
}

/// What comes of a call that its provider has refused: a payment that was never made has failed, any other stays.
#[must_use]
pub fn refused(before: &Payment, kind: CallKind, failure: &Failure, now: Timestamp) -> Judged {
    let mut payment = Payment { is_outcome_unknown: false, ..before.clone() };
    payment.failure = Some(failure.clone());
    let mut events = Vec::new();
    if kind == CallKind::Create && payment.status == Status::Pending {
        payment.status = Status::Failed;
        events.extend(events::of_status(&payment));
    }
    ended(before, payment, Amount::ZERO, Vec::new(), events, now)
}

/// What comes of giving up a payment that never reached its provider.
#[must_use]
pub fn given_up(before: &Payment, now: Timestamp) -> Judged {
    let status = if before.status == Status::Pending { Status::Canceled } else { before.status };
    let payment = Payment { status, ..before.clone() };
    let events = events::of_status(&payment).filter(|_| status != before.status);
    ended(before, payment, Amount::ZERO, Vec::new(), events.into_iter().collect(), now)
}

/// Leaves what a provider has shown of a payment uncounted for good. More money than that is a conflict of its own.
#[must_use]
pub fn reject(before: &Payment, now: Timestamp) -> Judged {
    let mut payment = before.clone();
    payment.flags.retain(|flag| *flag != Flag::Conflict);
    if let Some(conflict) = &mut payment.conflict {
        conflict.is_rejected = true;
    }
    let mut events = Vec::new();
    if payment.status.is_open() {
        payment.status = Status::Canceled;
        events.extend(events::of_status(&payment));
    }
    ended(before, payment, Amount::ZERO, Vec::new(), events, now)
}

fn ended(
    before: &Payment,
    mut payment: Payment,
    growth: Amount,
    refunds: Vec<SeenRefund>,
    events: Vec<NewEvent>,
    now: Timestamp,
) -> Judged {
    if payment != *before {
        payment.changed(now);
    }
    let received = (growth > Amount::ZERO).then_some(growth);
    Judged { payment, received, refunds, events }
}

fn is_another(payment: &Payment, seen: &Seen) -> bool {
    seen.currency != payment.currency || seen.amount != payment.amount
}

/// Notes that the provider shows another amount or currency.
fn contradict(payment: &mut Payment, seen: &Seen) {
    let captured = match seen.state {
        SeenState::Paid { captured, .. } => captured,
        _ => Amount::ZERO,
    };
    let (amount, currency) = (seen.amount, seen.currency);
    let conflict = Conflict { amount, currency, captured, is_rejected: false };
    let is_rejected = payment.conflict.as_ref().is_some_and(|known| {
        known.is_rejected && Conflict { is_rejected: false, ..known.clone() } == conflict
    });
    if !is_rejected {
        payment.conflict = Some(conflict);
        payment.flag(Flag::Conflict);
    }
}

/// Takes over what describes the payment; what is known already stays where nothing newer is shown.
fn describe(payment: &mut Payment, seen: &Seen) {
    fn renew<T: Clone>(known: &mut Option<T>, shown: Option<&T>) {
        if let Some(shown) = shown {
            *known = Some(shown.clone());
        }
    }
    renew(&mut payment.card, seen.card.as_ref());
    if matches!(seen.state, SeenState::Authorized(_) | SeenState::Paid { .. }) {
        renew(&mut payment.installments_chosen, seen.installments_chosen.as_ref());
    }
    renew(&mut payment.tracking_key, seen.tracking_key.as_ref());
    renew(&mut payment.fee, seen.fee.as_ref());
    if payment.status.is_open() {
        renew(&mut payment.instructions, seen.instructions.as_ref());
        renew(&mut payment.expires_at, seen.expires_at.as_ref());
    }
    payment.received = payment.received.max(seen.received);
}

/// Moves the payment to where it is seen, if that is ahead; what was received by that.
fn advance(payment: &mut Payment, seen: &Seen, now: Timestamp) -> Amount {
    match &seen.state {
        SeenState::Paid { captured, at } => return capture(payment, *captured, *at, now),
        SeenState::Authorized(amount) => {
            if is_before_authorized(payment.status) {
                payment.status = Status::Authorized;
                payment.authorized = payment.authorized.max(*amount);
                payment.failure = None;
            }
        }
        SeenState::Processing => {
            if matches!(payment.status, Status::Pending | Status::RequiresAction) {
                payment.status = Status::Processing;
            }
        }
        SeenState::RequiresAction(failure) => {
            if is_before_authorized(payment.status) {
                payment.status = Status::RequiresAction;
                if failure.is_some() {
                    payment.failure.clone_from(failure);
                }
            }
        }
        SeenState::Failed(failure) => {
            if is_before_authorized(payment.status) {
                let growth = end(payment, Status::Failed, now);
                payment.failure = Some(failure.clone()).filter(|_| growth == Amount::ZERO);
                return growth;
            }
        }
        SeenState::Canceled => return end(payment, Status::Canceled, now),
        SeenState::Returned => {
            if payment.status.is_open() {
                payment.received = Amount::ZERO;
                payment.status = Status::Canceled;
            }
        }
        SeenState::Expired => return end(payment, Status::Expired, now),
    }
    Amount::ZERO
}

const fn is_before_authorized(status: Status) -> bool {
    matches!(status, Status::Pending | Status::RequiresAction | Status::Processing)
}

/// Ends a payment from which nothing more is expected. What has arrived of it by then is what was paid.
fn end(payment: &mut Payment, status: Status, now: Timestamp) -> Amount {
    if !payment.status.is_open() {
        return Amount::ZERO;
    }
    if payment.received > Amount::ZERO {
        let received = payment.received;
        return capture(payment, received, None, now);
    }
    payment.status = status;
    Amount::ZERO
}

/// Counts what was captured in all; what of it is new.
fn capture(
    payment: &mut Payment,
    captured: Amount,
    at: Option<Timestamp>,
    now: Timestamp,
) -> Amount {
    let growth = less(captured, payment.captured);
    if growth == Amount::ZERO {
        return growth;
    }
    if payment.status.is_unpaid_end() {
        payment.flag(Flag::Late);
    }
    payment.captured = plus(payment.captured, growth);
    payment.authorized = payment.authorized.max(payment.captured);
    payment.received = payment.received.max(payment.captured);
    if payment.captured > payment.amount {
        payment.flag(Flag::Excess);
    }
    if payment.captured < payment.amount && payment.is_captured_at_once {
        payment.flag(Flag::Short);
    } else {
        payment.flags.retain(|flag| *flag != Flag::Short);
    }
    payment.status = Status::Paid;
    payment.failure = None;
    payment.paid_at = payment.paid_at.or(at).or(Some(now));
    growth
}

#[cfg(test)]
mod tests {
    use kernel::Currency;
    use proptest::{prelude::*, sample::Index};

    use super::*;
    use crate::{Method, PaymentId, ProviderKind, open::tests::opened};

    fn amount(units: i64) -> Amount {
        Amount::from_micros(units * 1_000_000)
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn payment() -> Payment {
        opened(ProviderKind::Sandbox, Method::Spei, amount(100))
    }

    fn seen(state: SeenState) -> Seen {
        Seen {
            provider_ref: "sbx_1".to_owned(),
            payment: None,
            amount: amount(100),
            currency: Currency::MXN,
            state,
            received: Amount::ZERO,
            instructions: None,
            expires_at: None,
            card: None,
            installments_chosen: None,
            tracking_key: None,
            fee: None,
            refunds: Vec::new(),
        }
    }

    fn paid(units: i64) -> Seen {
        seen(SeenState::Paid { captured: amount(units), at: None })
    }

    fn failure() -> Failure {
        Failure { code: "card_declined".to_owned(), message: String::new(), is_retryable: true }
    }

    fn names(judged: &Judged) -> Vec<&'static str> {
        judged.events.iter().map(|event| event.name).collect()
    }

    /// Every state in which a payment may be.
    fn in_status(status: Status) -> Payment {
        let captured = if status == Status::Paid { amount(100) } else { Amount::ZERO };
        let authorized = if status == Status::Authorized { amount(100) } else { captured };
        let paid_at = (status == Status::Paid).then_some(at(1));
        Payment { status, captured, received: captured, authorized, paid_at, ..payment() }
    }

    #[test]
    fn what_never_reached_its_provider_is_given_up() {
        let judged = given_up(&in_status(Status::Pending), at(9));
        assert_eq!((judged.payment.status, judged.received), (Status::Canceled, None));
        let names: Vec<_> = judged.events.iter().map(|event| event.name).collect();
        assert_eq!(names, ["payment.canceled"]);
        let waiting = in_status(Status::RequiresAction);
        assert_eq!(given_up(&waiting, at(9)).payment, waiting);
    }

    #[test]
    fn where_payments_go() {
        use Status::{Authorized, Canceled, Expired, Failed, Paid, Pending, Processing};
        let requires = Status::RequiresAction;
        let targets = [
            (seen(SeenState::RequiresAction(None)), requires),
            (seen(SeenState::Processing), Processing),
            (seen(SeenState::Authorized(amount(100))), Authorized),
            (paid(100), Paid),
            (seen(SeenState::Failed(failure())), Failed),
            (seen(SeenState::Canceled), Canceled),
            (seen(SeenState::Expired), Expired),
        ];
        // By the present status, whether each target is reached.
        let table: &[(Status, [bool; 7])] = &[
            (Pending, [true, true, true, true, true, true, true]),
            (requires, [true, true, true, true, true, true, true]),
            (Processing, [true, true, true, true, true, true, true]),
            (Authorized, [false, false, true, true, false, true, true]),
            (Paid, [false, false, false, true, false, false, false]),
            (Failed, [false, false, false, true, true, false, false]),
            (Canceled, [false, false, false, true, false, true, false]),
            (Expired, [false, false, false, true, false, false, true]),
        ];
        for (from, reached) in table {
            for ((seen, to), reached) in targets.iter().zip(reached) {
                let status = judge(&in_status(*from), seen, at(9)).payment.status;
                let expected = if *reached { *to } else { *from };
                assert_eq!(status, expected, "{from:?} seen {to:?}");
            }
        }
    }

    #[test]
    fn money_is_counted_and_told_once() {
        let first = judge(&payment(), &paid(100), at(9));
        assert_eq!((first.received, names(&first)), (Some(amount(100)), vec!["payment.received"]));
        let again = judge(&first.payment, &paid(100), at(10));
        assert_eq!((again.received, names(&again)), (None, vec![]));
        assert_eq!(again.payment, first.payment);
    }

    #[test]
    fn money_after_the_end_is_late_and_never_lost() {
        for end in [Status::Failed, Status::Canceled, Status::Expired] {
            let judged = judge(&in_status(end), &paid(100), at(9));
            assert_eq!(judged.received, Some(amount(100)), "{end:?}");
            assert_eq!(judged.payment.flags, [Flag::Late], "{end:?}");
        }
    }

    #[test]
    fn another_amount_or_currency_counts_for_nothing_until_somebody_says_so() {
        let other = Seen { amount: amount(90), ..paid(90) };
        let judged = judge(&payment(), &other, at(9));
        assert_eq!((judged.received, names(&judged)), (None, vec![]));
        assert_eq!(judged.payment.flags, [Flag::Conflict]);
        assert_eq!(judged.payment.status, Status::Pending);
        let accepted = accept(&judged.payment, at(10));
        assert_eq!(accepted.received, Some(amount(90)));
        assert_eq!(names(&accepted), ["payment.received"]);
        assert_eq!((accepted.payment.flags.len(), accepted.payment.amount), (0, amount(90)));
        // It stays resolved, whatever is shown again.
        assert_eq!(judge(&accepted.payment, &other, at(11)).payment, accepted.payment);
        let rejected = reject(&judged.payment, at(10));
        assert_eq!((rejected.received, rejected.payment.status), (None, Status::Canceled));
        assert_eq!(names(&rejected), ["payment.canceled"]);
        assert_eq!(judge(&rejected.payment, &other, at(11)).payment, rejected.payment);
        let more = Seen { amount: amount(90), ..paid(95) };
        assert_eq!(judge(&rejected.payment, &more, at(12)).payment.flags, [Flag::Conflict]);

        let foreign = Seen { currency: Currency::parse("USD").unwrap(), ..paid(100) };
        let judged = judge(&payment(), &foreign, at(9));
        assert_eq!((judged.received, accept(&judged.payment, at(10)).received), (None, None));
    }

    #[test]
    fn what_went_back_to_the_payer_counts_for_nothing() {
        let part = Seen { received: amount(40), ..seen(SeenState::RequiresAction(None)) };
        let waiting = judge(&payment(), &part, at(1)).payment;
        let ended = judge(&waiting, &seen(SeenState::Returned), at(2));
        assert_eq!((ended.received, ended.payment.status), (None, Status::Canceled));
        assert_eq!(ended.payment.received, Amount::ZERO);
        assert_eq!(names(&ended), ["payment.canceled"]);
    }

    #[test]
    fn short_transfers_add_up_and_count_at_the_end() {
        let part = Seen { received: amount(40), ..seen(SeenState::RequiresAction(None)) };
        let waiting = judge(&payment(), &part, at(1));
        assert_eq!((waiting.received, waiting.payment.received), (None, amount(40)));
        let ended = judge(&waiting.payment, &seen(SeenState::Expired), at(2));
        assert_eq!((ended.received, ended.payment.status), (Some(amount(40)), Status::Paid));
        assert_eq!(ended.payment.flags, [Flag::Short]);
        let rest = judge(&ended.payment, &paid(100), at(3));
        assert_eq!((rest.received, rest.payment.flags.len()), (Some(amount(60)), 0));
        assert_eq!(names(&rest), [""; 0]);
    }

    #[test]
    fn what_has_arrived_of_a_payment_that_is_called_off_is_counted() {
        let part = Seen { received: amount(40), ..seen(SeenState::RequiresAction(None)) };
        let waiting = judge(&payment(), &part, at(1)).payment;
        for end in [SeenState::Canceled, SeenState::Failed(failure()), SeenState::Expired] {
            let ended = judge(&waiting, &seen(end), at(2));
            assert_eq!((ended.received, ended.payment.status), (Some(amount(40)), Status::Paid));
        }
    }

    #[test]
    fn what_is_shown_of_another_payment_counts_for_nothing() {
        let other = Seen { payment: Some(PaymentId::from_u128(2)), ..paid(100) };
        assert_eq!(judge(&payment(), &other, at(1)).payment, payment());
    }

    #[test]
    fn what_is_paid_too_much_is_kept_and_marked() {
        let judged = judge(&payment(), &paid(150), at(1));
        assert_eq!(
            (judged.received, judged.payment.flags),
            (Some(amount(150)), vec![Flag::Excess])
        );
    }

    fn states() -> impl Strategy<Value = Seen> {
        prop_oneof![
            Just(seen(SeenState::RequiresAction(None))),
            Just(seen(SeenState::RequiresAction(Some(failure())))),
            Just(seen(SeenState::Processing)),
            Just(seen(SeenState::Authorized(amount(100)))),
            Just(seen(SeenState::Failed(failure()))),
            Just(seen(SeenState::Canceled)),
            Just(seen(SeenState::Returned)),
            Just(seen(SeenState::Expired)),
            (1_i64..=100).prop_map(paid),
        ]
    }

    proptest! {
        /// Whatever is seen, in whichever order and however often, the same money is counted, once.
        #[test]
        fn any_order_counts_the_same_money(
            seen in prop::collection::vec(states(), 1..8),
            order in prop::collection::vec(any::<Index>(), 0..12),
        ) {
            let most = seen.iter().filter_map(|seen| match seen.state {
                SeenState::Paid { captured, .. } => Some(captured),
                _ => None,
            }).max();
            let shuffled = order.iter().map(|index| index.get(&seen)).chain(seen.iter().rev());
            let (mut payment, mut received, mut told) = (payment(), 0, 0);
            for seen in shuffled {
                let judged = judge(&payment, seen, at(1));
                received += judged.received.map_or(0, Amount::micros);
                told += judged.events.iter().filter(|e| e.name == "payment.received").count();
                payment = judged.payment;
                prop_assert!(payment.captured <= payment.authorized);
                prop_assert_eq!(payment.captured.micros(), received);
            }
            prop_assert_eq!(payment.captured, most.unwrap_or_default());
            prop_assert_eq!(told, usize::from(most.is_some()));
            prop_assert_eq!(payment.status == Status::Paid, most.is_some());
        }
    }
}
