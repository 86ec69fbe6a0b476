//! Refunds: money given back. What a refund asks for is set aside in its payment before anybody is called, so that all
//! refunds together never exceed what was captured.

use kernel::{Amount, Currency, NewEvent, Timestamp};

use crate::{
    CallFault, CallId, Failure, Flag, InvoiceId, OrderId, Payment, PaymentId, ProviderKind,
    SeenRefund,
    calls::{Call, CallKind, Follow},
    events,
    payment::{less, named, plus},
    provider::{Capabilities, Refunding},
};

kernel::ids! {
    /// A refund's identifier.
    RefundId = "rfd";
}

/// The most characters of a reason or note.
pub const REASON_CHARS_MAX: usize = 500;

named! {
    /// Where a refund stands.
    RefundStatus {
        /// The provider has not answered yet.
        Pending = "pending",
        /// It works on it.
        Processing = "processing",
        /// The payer has something to do to get the money.
        RequiresAction = "requires_action",
        /// The money has been given back.
        Succeeded = "succeeded",
        /// It could not be given back.
        Failed = "failed",
        /// It was called off.
        Canceled = "canceled",
    }
}

named! {
    /// Who wanted a refund.
    Origin {
        /// Whoever asked for it.
        Api = "api",
        /// A return of goods.
        Return = "return",
        /// The cancellation of an order.
        Cancellation = "cancellation",
        /// It was made at the provider.
        External = "external",
    }
}

/// A refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// Its identifier.
    pub id: RefundId,
    /// The payment that is given back.
    pub payment: PaymentId,
    /// The order of that payment.
    pub order: Option<OrderId>,
    /// How much.
    pub amount: Amount,
    /// The currency of the payment.
    pub currency: Currency,
    /// Where it stands.
    pub status: RefundStatus,
    /// Who wanted it.
    pub origin: Origin,
    /// Whether the merchant gives the money back, and the provider is not called.
    pub is_manual: bool,
    /// Its identifier at the provider.
    pub provider_ref: Option<String>,
    /// Why, as the payer may be told.
    pub reason: Option<String>,
    /// For the merchant.
    pub note: Option<String>,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// The credit note (CFDI of type E) that was made of it.
    pub credit_note: Option<InvoiceId>,
    /// Why no credit note could be made of it, or what is to be done about the one that was.
    pub credit_note_problem: Option<String>,
    /// The call to the provider.
    pub call: Call,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When the money was given back.
    pub succeeded_at: Option<Timestamp>,
    /// Number of changes, starting at 1.
    pub version: i64,
}

impl Refund {
    /// The same refund, with its credit note, or with why it has none.
    #[must_use]
    pub fn credited(mut self, note: Result<InvoiceId, String>, now: Timestamp) -> Self {
        let (note, problem) = match note {
            Ok(id) => (Some(id), None),
            Err(problem) => (self.credit_note, Some(problem)),
        };
        if (&self.credit_note, &self.credit_note_problem) != (&note, &problem) {
            (self.credit_note, self.credit_note_problem) = (note, problem);
            self.changed(now);
        }
        self
    }

    /// The same refund, whose credit note was deleted.
    #[must_use]
    pub fn without_credit_note(mut self, now: Timestamp) -> Self {
        (self.credit_note, self.credit_note_problem) = (None, None);
        self.changed(now);
        self
    }

    fn changed(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.version += 1;
    }
}

/// A refund that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRefund {
    /// How much; everything that is left if absent.
    pub amount: Option<Amount>,
    /// Whether the merchant gives the money back.
    pub is_manual: bool,
    /// Who wants it.
    pub origin: Origin,
    /// Why, as the payer may be told.
    pub reason: Option<String>,
    /// For the merchant.
    pub note: Option<String>,
}

/// A refund of a payment, to be made when somebody says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundPayment {
    /// The payment.
    pub payment: PaymentId,
    /// The refund.
    pub new: NewRefund,
}

/// Why nothing is refunded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefundRefusal {
    /// The amount is not above zero, or has more decimals than its currency.
    Amount {
        /// The most decimals that it may have.
        decimals: u32,
    },
    /// More is asked for than is left.
    Exceeds {
        /// What is left.
        refundable: Amount,
    },
    /// The provider does not give this method back, or not in part, or not any more.
    NotRefundable {
        /// Why.
        cause: Unrefundable,
    },
}

/// Why a provider does not give something back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrefundable {
    /// Nothing that is paid by this method.
    Method,
    /// Only all of it.
    Part,
    /// It is too long ago.
    Age {
        /// For how many days it gives back.
        days: i64,
    },
}

/// What comes of a refund: all of it is recorded together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundStep {
    /// The payment.
    pub payment: Payment,
    /// The refund.
    pub refund: Refund,
    /// What the order has lost by it; below zero what has come back to it.
    pub given_back: Amount,
    /// What is told.
    pub events: Vec<NewEvent>,
}

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
fn set_aside(
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

fn unrefundable(payment: &Payment, amount: Amount, now: Timestamp) -> Option<Unrefundable> {
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
fn moved(mut after: RefundStep, to: RefundStatus, now: Timestamp) -> RefundStep {
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
        (Failed | Canceled, Succeeded) if payment.refundable() >= amount => {
            payment.refunded = plus(payment.refunded, amount);
            payment.changed(now);
            refund.status = to;
            refund.succeeded_at = Some(now);
            refund.failure = None;
            after.given_back = amount;
            after.events.extend(events::of_refund(refund));
        }
        (Failed | Canceled, Succeeded) => payment.flag(Flag::Conflict),
        (Succeeded | Failed | Canceled, _) => {}
        (_, Succeeded) => {
            payment.refund_pending = less(payment.refund_pending, amount);
            payment.refunded = plus(payment.refunded, amount);
            payment.changed(now);
            refund.status = to;
            refund.succeeded_at = Some(now);
            refund.failure = None;
            after.given_back = amount;
            after.events.extend(events::of_refund(refund));
        }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Method, Status, open::tests::opened};

    const NOW: Timestamp = Timestamp::from_micros(7);

    fn amount(units: i64) -> Amount {
        Amount::from_micros(units * 1_000_000)
    }

    #[test]
    fn what_waits_to_be_approved_is_set_aside_and_let_go() {
        let payment = opened(ProviderKind::Manual, Method::Cash, amount(100));
        let held = hold(&payment, amount(60), NOW).unwrap();
        assert_eq!((held.refundable(), held.version), (amount(40), payment.version + 1));
        assert_eq!(hold(&held, amount(41), NOW), None);
        assert_eq!(hold(&held, Amount::ZERO, NOW), None);
        assert_eq!(let_go(&held, amount(60), NOW).refundable(), amount(100));
    }

    fn paid(provider: ProviderKind, method: Method, units: i64) -> Payment {
        let payment = opened(provider, method, amount(units));
        Payment {
            status: Status::Paid,
            authorized: amount(units),
            captured: amount(units),
            paid_at: Some(Timestamp::from_micros(1)),
            ..payment
        }
    }

    fn of(units: Option<i64>) -> NewRefund {
        NewRefund {
            amount: units.map(amount),
            is_manual: false,
            origin: Origin::Api,
            reason: None,
            note: None,
        }
    }

    fn ids(number: u128) -> (RefundId, CallId) {
        (RefundId::from_u128(number), CallId::from_u128(number))
    }

    fn seen(refund: Option<RefundId>, units: i64, status: RefundStatus) -> SeenRefund {
        SeenRefund {
            provider_ref: "re_1".to_owned(),
            refund,
            amount: amount(units),
            status,
            failure: None,
        }
    }

    #[test]
    fn no_more_is_given_back_than_was_captured() {
        let card = paid(ProviderKind::Sandbox, Method::Card, 100);
        let first = reserve(&card, &of(Some(60)), ids(1), NOW).unwrap();
        let refused = reserve(&first.payment, &of(Some(41)), ids(2), NOW);
        assert_eq!(refused, Err(RefundRefusal::Exceeds { refundable: amount(40) }));
        let rest = reserve(&first.payment, &of(None), ids(2), NOW).unwrap();
        assert_eq!(rest.refund.amount, amount(40));
        let none = reserve(&rest.payment, &of(None), ids(3), NOW);
        assert_eq!(none, Err(RefundRefusal::Exceeds { refundable: Amount::ZERO }));
    }

    #[test]
    fn a_refund_that_says_nothing_of_itself_is_known_by_its_amount() {
        let card = paid(ProviderKind::Conekta, Method::Card, 100);
        let ours = reserve(&card, &of(Some(30)), ids(1), NOW).unwrap().refund;
        let unnamed = |name: &str, units| SeenRefund {
            provider_ref: name.to_owned(),
            ..seen(None, units, RefundStatus::Succeeded)
        };
        let (other, same) = (unnamed("re_2", 40), unnamed("re_3", 30));
        let all = [other.clone(), same.clone()];
        assert_eq!(shown(&ours, &[], &all), Some(&same));
        assert_eq!(shown(&ours, &[], &[other]), None);
        // One that is on record already is not another.
        let known = Refund { provider_ref: Some("re_3".to_owned()), ..ours.clone() };
        assert_eq!(shown(&ours, &[known], &all), None);
        let named = seen(Some(ours.id), 30, RefundStatus::Processing);
        assert_eq!(shown(&ours, &[], &[same, named.clone()]), Some(&named));
    }

    #[test]
    fn a_refund_that_fails_frees_what_it_held_even_after_it_had_succeeded() {
        let card = paid(ProviderKind::Sandbox, Method::Card, 100);
        let reserved = reserve(&card, &of(Some(60)), ids(1), NOW).unwrap();
        let done = settle(
            &reserved.payment,
            &reserved.refund,
            &seen(None, 60, RefundStatus::Succeeded),
            NOW,
        );
        assert_eq!((done.payment.refunded, done.given_back), (amount(60), amount(60)));
        let failed =
            settle(&done.payment, &done.refund, &seen(None, 60, RefundStatus::Failed), NOW);
        assert_eq!((failed.payment.refunded, failed.given_back), (Amount::ZERO, amount(-60)));
        assert_eq!(failed.payment.refundable(), amount(100));
        let again =
            settle(&failed.payment, &failed.refund, &seen(None, 60, RefundStatus::Failed), NOW);
        assert_eq!((again.given_back, again.events.len()), (Amount::ZERO, 0));
    }

    #[test]
    fn what_a_provider_does_not_give_back_the_merchant_may() {
        let oxxo = paid(ProviderKind::Sandbox, Method::Oxxo, 100);
        let cause = Unrefundable::Method;
        let refused = reserve(&oxxo, &of(None), ids(1), NOW);
        assert_eq!(refused, Err(RefundRefusal::NotRefundable { cause }));
        let by_hand = NewRefund { is_manual: true, ..of(None) };
        let recorded = reserve(&oxxo, &by_hand, ids(1), NOW).unwrap();
        assert_eq!(recorded.refund.status, RefundStatus::Succeeded);
        assert_eq!((recorded.given_back, recorded.payment.refunded), (amount(100), amount(100)));
    }

    #[test]
    fn a_refund_made_at_the_provider_waits_while_ours_may_be_it() {
        let card = paid(ProviderKind::Sandbox, Method::Card, 100);
        let made = seen(None, 60, RefundStatus::Succeeded);
        let taken = external(&card, &made, ids(1), NOW).unwrap();
        assert_eq!((taken.refund.origin, taken.given_back), (Origin::External, amount(60)));
        let ours = reserve(&card, &of(Some(60)), ids(1), NOW).unwrap();
        assert_eq!(external(&ours.payment, &made, ids(2), NOW), None);
    }

    #[test]
    fn an_order_is_refunded_from_its_newest_payments_and_those_by_hand_last() {
        let at = |number, seconds, payment: Payment| Payment {
            id: PaymentId::from_u128(number),
            paid_at: Some(Timestamp::from_micros(seconds)),
            ..payment
        };
        let payments = [
            at(1, 1, paid(ProviderKind::Sandbox, Method::Card, 50)),
            at(2, 2, paid(ProviderKind::Sandbox, Method::Card, 30)),
            at(3, 3, paid(ProviderKind::Manual, Method::Cash, 20)),
        ];
        let parts = |owed| {
            let parts = spread(&payments, amount(owed), NOW).into_iter();
            parts.map(|(id, a, m)| (id.to_u128(), a.micros() / 1_000_000, m)).collect::<Vec<_>>()
        };
        assert_eq!(parts(60), [(2, 30, false), (1, 30, false)]);
        assert_eq!(parts(100), [(2, 30, false), (1, 50, false), (3, 20, true)]);
        assert_eq!(parts(101), parts(100));
    }

    #[test]
    fn amounts_are_of_the_currency() {
        let card = paid(ProviderKind::Sandbox, Method::Card, 100);
        for micros in [0, -1_000_000, 1_001] {
            let new = NewRefund { amount: Some(Amount::from_micros(micros)), ..of(None) };
            let refused = reserve(&card, &new, ids(1), NOW);
            assert_eq!(refused, Err(RefundRefusal::Amount { decimals: 2 }), "{micros}");
        }
    }

    proptest! {
        /// Whatever becomes of refunds, what is refunded and set aside never exceeds what was captured, and the order has
        /// lost what the payment has.
        #[test]
        fn refunds_stay_within_what_was_captured(
            steps in prop::collection::vec((0_usize..6, 1_i64..60, 0_usize..6), 1..24)
        ) {
            let mut payment = paid(ProviderKind::Sandbox, Method::Card, 100);
            let (mut refunds, mut lost): (Vec<Refund>, i64) = (Vec::new(), 0);
            for (number, (which, units, status)) in steps.into_iter().enumerate() {
                let status = RefundStatus::EVERY.get(status).copied().unwrap();
                let step = match refunds.get(which) {
                    Some(refund) => Some(settle(&payment, refund, &seen(None, units, status), NOW)),
                    None => reserve(&payment, &of(Some(units)), ids(number as u128), NOW).ok(),
                };
                let Some(step) = step else { continue };
                lost += step.given_back.micros();
                match refunds.get_mut(which) {
                    Some(refund) => *refund = step.refund,
                    None => refunds.push(step.refund),
                }
                payment = step.payment;
                prop_assert!(plus(payment.refunded, payment.refund_pending) <= payment.captured);
                prop_assert_eq!(payment.refunded.micros(), lost);
            }
            let sum = |wanted: fn(RefundStatus) -> bool| refunds.iter()
                .filter(|refund| wanted(refund.status)).map(|refund| refund.amount.micros()).sum::<i64>();
            prop_assert_eq!(sum(|status| status == RefundStatus::Succeeded), payment.refunded.micros());
            prop_assert_eq!(
                sum(|status| matches!(status, RefundStatus::Pending | RefundStatus::Processing | RefundStatus::RequiresAction)),
                payment.refund_pending.micros()
            );
        }
    }
}
