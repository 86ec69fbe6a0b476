//! The row about order events that follow those of an import to the same endpoint.

use std::slice;
use std::time::Duration;

use anyhow::ensure;

use crate::benchmark::imports::{self, ROWS_MAX};
use crate::benchmark::line::{Goal, Line};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::table::grouped;
use crate::benchmark::webhooks::round::{Pace, measure_and};
use crate::benchmark::webhooks::throughput::p99_ms;
use crate::benchmark::webhooks::venue::Venue;
use crate::statistics::float;

const EVENTS: [&str; 2] = ["order.created", "product.created"];
/// How the endpoint answers: after 5 ms.
const ENDPOINT: (&str, &str) = ("slow", "?ms=5");
const PACE: Pace = Pace::Open { rate: 100.0, lead: Duration::from_millis(500) };
const GOAL_MS: f64 = 2_000.0;

/// Orders that are placed once an import has ended. Some of its events must still be on their way when the last order is
/// placed. Each round has an endpoint of its own, so that nothing is left of the one before.
pub(crate) fn measure(venue: &Venue<'_>, rows: u64) -> anyhow::Result<Line> {
    let (kind, query) = ENDPOINT;
    let (mut round, mut rows) = (0, rows);
    let behind = || loop {
        round += 1;
        let mut subscriber = venue.own();
        let subscription = venue.subscribe_to(&subscriber, kind, query, &EVENTS)?;
        subscriber.paths = [subscription.path.clone().into_boxed_str()].into();
        let before = arrived(venue)?;
        imports::imported(&venue.stage, &format!("B{round}-"), rows)?;
        let mut left = 0;
        let measured = measure_and(venue, slice::from_ref(&subscriber), PACE, || {
            left = rows.saturating_sub(arrived(venue)? - before);
            Ok(())
        })?;
        venue.unsubscribe(&subscriber, &subscription)?;
        if left > 0 {
            eprintln!("bench: {left} events of the import were left behind the last order");
            return Ok(measured);
        }
        ensure!(rows < ROWS_MAX, "events of {rows} rows arrive before the orders are placed");
        rows = (rows * 2).min(ROWS_MAX);
        eprintln!(
            "bench: the events arrived before the orders were placed; again with {rows} rows"
        );
    };
    let rounds = Rounds::repeat(&venue.stage.bench.plan, behind)?;
    let what = format!(
        "p99 from answer to arrival of orders behind an import of {} products, at an endpoint that takes 5 ms",
        grouped(float(rows))
    );
    rounds.absolute_line(&venue.stage, what, (p99_ms, "ms"), Goal::AtMost(GOAL_MS))
}

/// How many events of products have arrived since the start.
fn arrived(venue: &Venue<'_>) -> anyhow::Result<u64> {
    venue.stage.bench.runtime.block_on(venue.receiver.others())
}
