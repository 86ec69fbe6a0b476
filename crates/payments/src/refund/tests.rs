//! Worked examples and properties of refunds.

use proptest::prelude::*;

use super::*;
use crate::{CallId, Method, ProviderKind, SeenRefund, Status, open::tests::opened, payment::plus};

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
    let done =
        settle(&reserved.payment, &reserved.refund, &seen(None, 60, RefundStatus::Succeeded), NOW);
    assert_eq!((done.payment.refunded, done.given_back), (amount(60), amount(60)));
    let failed = settle(&done.payment, &done.refund, &seen(None, 60, RefundStatus::Failed), NOW);
    assert_eq!((failed.payment.refunded, failed.given_back), (Amount::ZERO, amount(-60)));
    assert_eq!(failed.payment.refundable(), amount(100));
    let again = settle(&failed.payment, &failed.refund, &seen(None, 60, RefundStatus::Failed), NOW);
    assert_eq!((again.given_back, again.events.len()), (Amount::ZERO, 0));
}

#[test]
fn a_refund_given_up_too_early_counts_while_there_is_room() {
    let card = paid(ProviderKind::Sandbox, Method::Card, 100);
    let reserved = reserve(&card, &of(Some(60)), ids(1), NOW).unwrap();
    let failed =
        settle(&reserved.payment, &reserved.refund, &seen(None, 60, RefundStatus::Failed), NOW);
    let beside = |units| {
        let other = reserve(&failed.payment, &of(Some(units)), ids(2), NOW).unwrap();
        settle(&other.payment, &failed.refund, &seen(None, 60, RefundStatus::Succeeded), NOW)
    };
    let late = beside(40);
    assert_eq!((late.refund.status, late.given_back), (RefundStatus::Succeeded, amount(60)));
    assert_eq!((late.payment.refunded, late.payment.refund_pending), (amount(60), amount(40)));
    let late = beside(41);
    assert_eq!((late.refund.status, late.given_back), (RefundStatus::Failed, Amount::ZERO));
    assert_eq!((late.payment.refunded, late.payment.refund_pending), (Amount::ZERO, amount(41)));
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
