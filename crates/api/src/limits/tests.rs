//! The limits on a clock that the tests move.

use governor::clock::FakeRelativeClock;

use super::*;

fn limit(count: u32, tracked_max: usize) -> (Limit<u32, FakeRelativeClock>, FakeRelativeClock) {
    let clock = FakeRelativeClock::default();
    (Limit::new(count, MINUTE, tracked_max, clock.clone()), clock)
}

#[test]
fn the_allowance_is_exact_and_comes_back_evenly() {
    let (limit, clock) = limit(60, 10);
    for left in (0..60).rev() {
        let allowance = limit.check(&1).unwrap();
        assert_eq!((allowance.limit, allowance.remaining), (60, left));
    }
    let exceeded = limit.check(&1).unwrap_err();
    assert_eq!((exceeded.retry_seconds, exceeded.allowance.reset_seconds), (1, 60));
    assert!(limit.check(&2).is_ok(), "another holder is not affected");

    clock.advance(Duration::from_millis(999));
    assert!(limit.check(&1).is_err());
    clock.advance(Duration::from_millis(1));
    assert!(limit.check(&1).is_ok());
    assert!(limit.check(&1).is_err());
}

#[test]
fn a_rate_that_does_not_divide_its_period_is_never_less() {
    let (limit, clock) = limit(7, 10);
    let used = |limit: &Limit<u32, _>| std::iter::from_fn(|| limit.check(&1).ok()).count();
    assert_eq!(used(&limit), 7);
    clock.advance(MINUTE);
    assert_eq!(used(&limit), 7);
}

#[test]
fn retry_after_is_rounded_up_to_whole_seconds() {
    let (limit, clock) = limit(4, 10);
    while limit.check(&1).is_ok() {}
    clock.advance(Duration::from_millis(1));
    assert_eq!(limit.check(&1).unwrap_err().retry_seconds, 15);
}

#[test]
fn memory_is_bounded_and_those_known_keep_their_own_state() {
    let (limit, clock) = limit(60, 100);
    for holder in 0..100 {
        assert!(limit.check(&holder).is_ok());
    }
    for newcomer in 100..100_000 {
        let _ = limit.check(&newcomer);
    }
    assert_eq!(limit.store.tracked(), 100);
    assert_eq!(limit.check(&5).unwrap().remaining, 58);
    assert!((100_000..101_000).any(|holder| limit.check(&holder).is_err()), "newcomers share");

    clock.advance(MINUTE);
    assert_eq!(limit.check(&100_000).unwrap().remaining, 59, "the idle are forgotten");
    assert_eq!(limit.store.tracked(), 1);
}

#[test]
fn a_rate_of_none_still_answers() {
    let (limit, _) = limit(0, 1);
    assert_eq!(limit.check(&1).unwrap().limit, 1);
}
