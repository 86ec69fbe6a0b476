//! Against a server of its own, where one is installed.

use std::{
    cell::Cell,
    num::NonZeroU32,
    thread,
    time::{Duration, Instant},
};

use governor::{
    RateLimiter,
    clock::{Clock, FakeRelativeClock},
    middleware::StateInformationMiddleware,
};
use kernel::rate::{Quota, SharedCounter, Verdict};
use proptest::{collection::vec, prop_assert_eq, proptest};
use testkit::Valkey;
use tokio::runtime::{Builder, Runtime};

use super::{Address, Counter, Settings, link, scripts};

/// So long that nothing which is asked for comes back meanwhile.
const HOUR: Duration = Duration::from_secs(3_600);
/// A request waits for as long, unless a test wants it to give up.
const PATIENT: Duration = Duration::from_secs(30);

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn counter(url: &str, patience: Duration) -> Counter {
    let address = Address::parse(url).unwrap();
    let prefix = "shop".to_owned();
    Counter::start(Settings { address, prefix, patience, ca_file: None }).unwrap()
}

fn figure(counter: &Counter, name: &str) -> f64 {
    counter.gauges().into_iter().find(|gauge| gauge.name == name).unwrap().value
}

#[track_caller]
fn wait_until(what: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !what() {
        assert!(Instant::now() < deadline, "it does not come about");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_server_decides_as_a_node_does_by_itself() {
    let Some(valkey) = Valkey::start() else { return };
    let runtime = runtime();
    let address = Address::parse(&valkey.url()).unwrap();
    let connection = runtime.block_on(link::connect(&address, None)).unwrap();
    let holders = Cell::new(0_u32);
    // The server forgets by its own clock, which a test does not move: what it keeps must outlast the test.
    let minutes = 60_000_000_u64;
    proptest!(|(
        at_once in 1_u32..9,
        interval in minutes..10 * minutes,
        gaps in vec(0..30 * minutes, 1..40),
    )| {
        holders.set(holders.get() + 1);
        let name = format!("holder {}", holders.get());
        let clock = FakeRelativeClock::default();
        let quota = Quota { at_once, interval: Duration::from_micros(interval) };
        let same = governor::Quota::with_period(quota.interval).unwrap();
        let same = same.allow_burst(NonZeroU32::new(at_once).unwrap());
        let alone = RateLimiter::direct_with_clock(same, clock.clone())
            .with_middleware::<StateInformationMiddleware>();
        let mut now = 1_800_000_000_000_000;
        for gap in gaps {
            clock.advance(Duration::from_micros(gap));
            now += gap;
            let here = match alone.check() {
                Ok(state) => Verdict::Allowed { remaining: state.remaining_burst_capacity() },
                Err(until) => Verdict::Refused { wait: until.wait_time_from(clock.now()) },
            };
            let mut asked = connection.clone();
            let there = runtime.block_on(scripts::count(&mut asked, &name, (quota, 0), Some(now)));
            prop_assert_eq!(there.unwrap(), here);
        }
    });
}

#[test]
fn a_clock_that_is_set_back_locks_nobody_out() {
    let Some(valkey) = Valkey::start() else { return };
    let address = Address::parse(&valkey.url()).unwrap();
    let quota = Quota { at_once: 2, interval: HOUR };
    runtime().block_on(async {
        let mut connection = link::connect(&address, None).await.unwrap();
        let hour = 3_600_000_000;
        let mut now = 1_800_000_000_000_000;
        let ahead = scripts::count(&mut connection, "a", (quota, 0), Some(now)).await.unwrap();
        assert_eq!(ahead, Verdict::Allowed { remaining: 1 });
        now -= 1_000 * hour;
        let back = scripts::count(&mut connection, "a", (quota, 0), Some(now)).await.unwrap();
        assert_eq!(back, Verdict::Refused { wait: HOUR });
    });
}

#[test]
fn what_was_let_through_before_is_counted_with_the_next_request() {
    let Some(valkey) = Valkey::start() else { return };
    let address = Address::parse(&valkey.url()).unwrap();
    let quota = Quota { at_once: 10, interval: HOUR };
    runtime().block_on(async {
        let mut connection = link::connect(&address, None).await.unwrap();
        for (untold, remaining) in [(0, 9), (3, 5), (20, 0)] {
            let counted = scripts::count(&mut connection, "a", (quota, untold), None).await;
            assert_eq!(counted.unwrap(), Verdict::Allowed { remaining });
        }
        let beyond = scripts::count(&mut connection, "a", (quota, 0), None).await.unwrap();
        assert!(matches!(beyond, Verdict::Refused { wait } if wait <= HOUR), "{beyond:?}");
    });
}

#[test]
fn a_silent_server_is_waited_for_once() {
    let Some(valkey) = Valkey::start() else { return };
    let counter = counter(&valkey.url(), Duration::from_millis(100));
    let quota = Quota { at_once: 1, interval: HOUR };
    wait_until(|| figure(&counter, "limiter_shared") > 0.0);
    valkey.pause();
    runtime().block_on(async {
        for number in 0..100 {
            let counted = counter.count(&format!("holder {number}"), quota, 0).await;
            assert!(matches!(counted, None | Some(Verdict::Unanswered)), "{counted:?}");
        }
    });
    assert_eq!(figure(&counter, "limiter_alone_total"), 100.0);
    assert!(figure(&counter, "limiter_unanswered_total") <= 1.0);
    valkey.resume();
    wait_until(|| figure(&counter, "limiter_shared") > 0.0);
}

#[test]
fn nodes_know_how_many_they_are_and_remember_it() {
    let Some(mut valkey) = Valkey::start() else { return };
    let [first, second] = [(); 2].map(|()| counter(&valkey.url(), PATIENT));
    wait_until(|| first.nodes() == 2 && second.nodes() == 2);
    drop(second);
    wait_until(|| first.nodes() == 1);
    let third = counter(&valkey.url(), PATIENT);
    wait_until(|| first.nodes() == 2 && third.nodes() == 2);
    valkey.kill();
    let quota = Quota { at_once: 1, interval: HOUR };
    wait_until(|| runtime().block_on(first.count("a", quota, 0)).is_none());
    assert_eq!((first.nodes(), figure(&first, "limiter_shared")), (2, 0.0));
}

#[test]
fn a_server_asks_for_its_password() {
    let Some(valkey) = Valkey::with_password("s3cr3t") else { return };
    let quota = Quota { at_once: 1, interval: HOUR };
    let let_in = counter(&valkey.url(), PATIENT);
    wait_until(|| figure(&let_in, "limiter_shared") > 0.0);
    let counted = runtime().block_on(let_in.count("a", quota, 0));
    assert_eq!(counted, Some(Verdict::Allowed { remaining: 0 }));
    let kept_out = counter(&valkey.url().replace("s3cr3t", "wrong"), PATIENT);
    assert_eq!(runtime().block_on(kept_out.count("a", quota, 0)), None);
}
