//! Rows about the time from an order's answer to its arrival.

use std::thread;
use std::time::Duration;

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::stage::Measured;
use crate::benchmark::webhooks::round::{Pace, measure};
use crate::benchmark::webhooks::throughput::p99_ms;
use crate::benchmark::webhooks::venue::{Subscriber, Venue};
use crate::limits::ORDERED_PRODUCTS;

const STEADY_RATE: f64 = 300.0;
/// Of all accounts together; each order is delivered to all endpoints of its account.
const ISOLATION_RATE: f64 = 200.0;
const ACCOUNTS: usize = 10;
const ENDPOINTS_EACH: u32 = 5;
const PRODUCTS_EACH: u32 = 20;
/// As long as the service waits for an answer: by then as many requests hang as ever will.
const HANGING: Duration = Duration::from_secs(5);
const LEAD: Duration = Duration::from_millis(500);

/// Orders at a fixed rate.
pub(crate) fn steady(venue: &Venue<'_>) -> anyhow::Result<Vec<Line>> {
    let subscribers = [venue.subscriber(ORDERED_PRODUCTS, 1)?];
    let pace = Pace::Open { rate: STEADY_RATE, lead: LEAD };
    let service = || measure(venue, &subscribers, pace);
    let rounds = Rounds::repeat(&venue.stage.bench.plan, service)?;
    let what = format!("p99 from answer to arrival at {STEADY_RATE} orders/s");
    let line = rounds.absolute_line(&venue.stage, what, (p99_ms, "ms"), Goal::AtMost(20.0))?;
    Ok(vec![line])
}

/// Healthy endpoints beside a hanging and a dripping one, over the same undisturbed.
pub(crate) fn isolation(venue: &Venue<'_>) -> anyhow::Result<Vec<Line>> {
    let subscriber = |_| venue.subscriber(PRODUCTS_EACH, ENDPOINTS_EACH);
    let subscribers = (0..ACCOUNTS).map(subscriber).collect::<anyhow::Result<Vec<_>>>()?;
    let undisturbed = || {
        let pace = Pace::Open { rate: ISOLATION_RATE, lead: LEAD };
        Ok(p99_ms(&measure(venue, &subscribers, pace)?) * 1e3)
    };
    let disturbed = || disturbed(venue, &subscribers);
    let rounds = Rounds::alternate(&venue.stage.bench.plan, disturbed, undisturbed)?;
    let healthy = ENDPOINTS_EACH as usize * ACCOUNTS;
    let what = format!(
        "p99 of {healthy} endpoints beside a hanging and a dripping one at {ISOLATION_RATE} \
         orders/s, over the same without those"
    );
    Ok(vec![rounds.latency_line(&venue.stage, what, Goal::AtMost(2.0))?])
}

fn disturbed(venue: &Venue<'_>, subscribers: &[Subscriber]) -> anyhow::Result<Measured> {
    let mut disturbing = Vec::new();
    for (subscriber, kind) in subscribers.iter().zip(["hang", "drip"]) {
        disturbing.push((subscriber, venue.subscribe(subscriber, kind, "")?));
    }
    let pace = Pace::Open { rate: ISOLATION_RATE, lead: HANGING };
    let measured = measure(venue, subscribers, pace);
    for (subscriber, subscription) in &disturbing {
        venue.unsubscribe(subscriber, subscription)?;
    }
    // What still hangs must not be there when the undisturbed is measured.
    thread::sleep(HANGING);
    measured
}
