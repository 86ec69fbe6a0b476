//! When a payment is asked after, in case that nobody tells of it.

use kernel::{Amount, Timestamp, digest};

use crate::{Method, Payment, ProviderKind, Status};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Seconds more than the end, however early a question is spread.
const SLACK: i64 = 5;

/// In how many seconds a payment is to be asked after; `None` when nothing is expected of it any more.
///
/// Cards are settled in minutes. What is paid at a counter or by transfer may arrive at any time until it expires, and
/// for some time after: money that comes too late is not to be lost.
#[must_use]
pub fn next(payment: &Payment, now: Timestamp) -> Option<i64> {
    let age = seconds(payment.created_at, now);
    let since = seconds(payment.updated_at, now);
    let is_slow = matches!(payment.method, Method::Oxxo | Method::Spei | Method::Codi);
    match payment.status {
        Status::Pending => Some(ladder(age, &[2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR])),
        Status::RequiresAction if is_slow => Some(until_expiry(payment, now)),
        Status::RequiresAction => {
            let step = ladder(age, &[2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR]);
            let end = payment.expires_at.filter(|_| payment.link.is_some());
            Some(match end.map(|end| seconds(now, end)) {
                Some(left) if left >= 0 => step.min(left + SLACK),
                _ => step,
            })
        }
        Status::Processing => Some(ladder(since, &[MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR])),
        Status::Authorized => Some(match payment.expires_at.map(|end| seconds(now, end)) {
            Some(left) if left > 0 && left <= DAY + HOUR => (left - HOUR).max(5 * MINUTE),
            _ => DAY,
        }),
        Status::Expired if is_slow => after_expiry(payment, now),
        Status::Paid => of_refunds(payment, since),
        Status::Expired | Status::Failed | Status::Canceled => None,
    }
}

/// Whether somebody has begun to pay by a link and not gone on: their slot is for somebody else. What is paid at a
/// counter is told the next day, and its provider ends it.
#[must_use]
pub fn is_abandoned(payment: &Payment, now: Timestamp) -> bool {
    let is_over = payment.expires_at.is_some_and(|end| end <= now);
    payment.link.is_some()
        && payment.method != Method::Oxxo
        && payment.status == Status::RequiresAction
        && is_over
}

/// Refunds under way are settled in hours or days, and a bank may send back what was refunded for some time.
fn of_refunds(payment: &Payment, since: i64) -> Option<i64> {
    let nothing = Amount::ZERO;
    let is_expected = payment.refund_pending > nothing || payment.refunded > nothing;
    let is_watched = is_expected && payment.provider != ProviderKind::Manual && since < 60 * DAY;
    is_watched.then(|| match payment.refund_pending > nothing {
        true => ladder(since, &[HOUR, 6 * HOUR, DAY]),
        false => DAY,
    })
}

/// So many seconds, a tenth more or less: what was asked for together is not to be asked after together.
#[must_use]
pub fn spread(seconds: i64, payment: &Payment) -> i64 {
    let number = digest::of_text(&payment.id.to_string()) % 201;
    let share = i64::try_from(number).unwrap_or_default() - 100;
    seconds + seconds * share / 1_000
}

/// Seconds from one moment to another.
fn seconds(from: Timestamp, to: Timestamp) -> i64 {
    to.micros().saturating_sub(from.micros()) / 1_000_000
}

/// The first step that is longer than what has passed, the last one from then on.
fn ladder(passed: i64, steps: &[i64]) -> i64 {
    let step = steps.iter().find(|step| passed < **step);
    step.or(steps.last()).copied().unwrap_or(HOUR)
}

/// Hourly, and five minutes after the end.
fn until_expiry(payment: &Payment, now: Timestamp) -> i64 {
    match payment.expires_at.map(|end| seconds(now, end) + 5 * MINUTE) {
        Some(left) if left > 0 => left.min(HOUR),
        Some(_) => HOUR,
        None => 6 * HOUR,
    }
}

/// An hour after the end, then daily for a week, then weekly to the sixtieth day.
fn after_expiry(payment: &Payment, now: Timestamp) -> Option<i64> {
    let passed = seconds(payment.expires_at.unwrap_or(payment.updated_at), now);
    match passed {
        ..HOUR => Some(HOUR),
        HOUR..604_800 => Some(DAY),
        604_800..5_184_000 => Some(7 * DAY),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::tests::opened;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn payment(method: Method, status: Status, expires: Option<i64>) -> Payment {
        let payment = opened(ProviderKind::Sandbox, method, Amount::from_micros(50_000_000));
        Payment { status, expires_at: expires.map(at), ..payment }
    }

    #[test]
    fn how_often_payments_are_asked_after() {
        for (method, status, expires, now, wait) in [
            (Method::Card, Status::RequiresAction, None, 1, Some(120)),
            (Method::Card, Status::RequiresAction, None, 130, Some(600)),
            (Method::Card, Status::RequiresAction, None, 90_000, Some(21_600)),
            (Method::Oxxo, Status::RequiresAction, Some(10_000), 1, Some(3_600)),
            (Method::Oxxo, Status::RequiresAction, Some(10_000), 9_900, Some(400)),
            (Method::Oxxo, Status::Expired, Some(10_000), 10_300, Some(3_600)),
            (Method::Spei, Status::Expired, Some(0), 86_400, Some(86_400)),
            (Method::Spei, Status::Expired, Some(0), 10 * 86_400, Some(604_800)),
            (Method::Spei, Status::Expired, Some(0), 61 * 86_400, None),
            (Method::Card, Status::Expired, Some(0), 86_400, None),
            (Method::Card, Status::Processing, None, 1, Some(60)),
            (Method::Card, Status::Authorized, Some(7_200), 0, Some(3_600)),
            (Method::Card, Status::Paid, None, 1, None),
        ] {
            let got = next(&payment(method, status, expires), at(now));
            assert_eq!(got, wait, "{method:?} {status:?} {expires:?} {now}");
        }
    }
}
