//! Rows about rates: orders created and delivered.

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::orders::CONNECTIONS;
use crate::benchmark::rounds::Rounds;
use crate::benchmark::stage::Measured;
use crate::benchmark::webhooks::round::{Pace, measure};
use crate::benchmark::webhooks::venue::Venue;
use crate::limits::ORDERED_PRODUCTS;

const ENDPOINTS: u32 = 50;
/// Deliveries for each second of a measurement: what the goal asks for.
const DELIVERIES_PER_SECOND: u32 = 13_000;

/// Orders with one endpoint.
pub(crate) fn one(venue: &Venue<'_>) -> anyhow::Result<Vec<Line>> {
    let subscribers = [venue.subscriber(ORDERED_PRODUCTS, 1)?];
    let service = || measure(venue, &subscribers, Pace::Closed);
    let rounds = Rounds::alternate(&venue.stage.bench.plan, service, || venue.bare_rate())?;
    let what = |what: &str| format!("{what}, 1 endpoint, {CONNECTIONS} connections");
    let stage = &venue.stage;
    Ok(vec![
        rounds.rate_line(stage, what("orders created and delivered"), None)?,
        rounds.absolute_line(
            stage,
            what("the same a second"),
            (|round: &Measured| round.tally.rate(), "/s"),
            Goal::AtLeast(3_000.0),
        )?,
        rounds.absolute_line(
            stage,
            what("p99 from answer to arrival"),
            (p99_ms, "ms"),
            Goal::AtMost(100.0),
        )?,
    ])
}

/// Deliveries of orders that many endpoints want.
pub(crate) fn fifty(venue: &Venue<'_>) -> anyhow::Result<Vec<Line>> {
    let subscribers = [venue.subscriber(ORDERED_PRODUCTS, ENDPOINTS)?];
    let orders = u64::from(DELIVERIES_PER_SECOND * venue.stage.bench.plan.seconds / ENDPOINTS);
    let service = || measure(venue, &subscribers, Pace::Burst(orders));
    let rounds = Rounds::alternate(&venue.stage.bench.plan, service, || venue.bare_rate())?;
    let what = format!("deliveries of {orders} orders to {ENDPOINTS} endpoints each");
    let stage = &venue.stage;
    Ok(vec![
        rounds.rate_line(stage, what, None)?,
        rounds.absolute_line(
            stage,
            "the same a second".to_owned(),
            (|round: &Measured| round.tally.rate(), "/s"),
            Goal::AtLeast(f64::from(DELIVERIES_PER_SECOND)),
        )?,
    ])
}

/// The latency of the slowest hundredth.
pub(crate) fn p99_ms(round: &Measured) -> f64 {
    round.tally.latency(0.99).as_secs_f64() * 1e3
}
