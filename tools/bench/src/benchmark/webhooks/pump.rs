//! Rows about the pump: a backlog worked off without any other load.

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::rounds::Rounds;
use crate::benchmark::stage::Measured;
use crate::benchmark::webhooks::deliveries::join;
use crate::benchmark::webhooks::round::{Pace, await_arrivals, place, take_errors};
use crate::benchmark::webhooks::venue::{Subscriber, Venue};
use crate::limits::ORDERED_PRODUCTS;
use crate::service::webhooks::DELIVER;
use crate::wall_clock::between;

/// Deliveries for each second of a measurement.
const BACKLOG_PER_SECOND: u32 = 10_000;
const ENDPOINTS: [u32; 2] = [1, 10];

/// A backlog for one endpoint, and one for several.
pub(crate) fn measure(venue: &mut Venue<'_>) -> anyhow::Result<Vec<Line>> {
    let bench = venue.stage.bench;
    let backlog = BACKLOG_PER_SECOND * bench.plan.seconds;
    let mut lines = Vec::new();
    for endpoints in ENDPOINTS {
        let subscribers = [venue.subscriber(ORDERED_PRODUCTS, endpoints)?];
        let orders = u64::from(backlog / endpoints);
        let receiver = venue.receiver;
        let service = || work_off(venue, &subscribers, orders);
        let limit = || Ok(super::bare_run(bench, receiver)?.rate());
        let rounds = Rounds::alternate(&bench.plan, service, limit)?;
        let what = format!("backlog of {backlog} deliveries, {endpoints} endpoints, no other load");
        let line = rounds.rate_line(&venue.stage, what, Some(Goal::AtLeast(0.5)))?;
        // How long a delivery waited says when its order was placed, and nothing of the pump.
        lines.push(Line { latencies: None, ..line });
    }
    Ok(lines)
}

/// Makes a backlog with deliveries off and works it off with deliveries on.
fn work_off(
    venue: &mut Venue<'_>,
    subscribers: &[Subscriber],
    orders: u64,
) -> anyhow::Result<Measured> {
    let options = venue.stage.options.clone();
    venue.stage.restart(&options.with(DELIVER, "false"))?;
    let (log, placed) = place(venue, subscribers, Pace::Burst(orders))?;
    venue.stage.restart(&options)?;
    venue.stage.account(|| {
        let arrivals = await_arrivals(venue, &log)?;
        let mut tally = join(&log.answered, &arrivals, 0)?;
        take_errors(&mut tally, &placed);
        let ends = arrivals.first().zip(arrivals.last());
        tally.elapsed = ends.map_or_else(Default::default, |(first, last)| {
            between(first.unix_micros, last.unix_micros)
        });
        Ok(tally)
    })
}
