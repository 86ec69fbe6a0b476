//! One measurement: orders at some pace, until all of them are delivered.

use std::mem;
use std::time::Duration;

use anyhow::Context;

use crate::benchmark::orders::CONNECTIONS;
use crate::benchmark::stage::Measured;
use crate::benchmark::webhooks::deliveries::join;
use crate::benchmark::webhooks::logged_orders::{Log, LoggedOrders, SharedLog, open};
use crate::benchmark::webhooks::venue::{Subscriber, Venue};
use crate::load::{self, Load, Tally, closed};
use crate::receiver::Arrival;
use crate::wall_clock::between;

/// Longer than the first retry takes. A service that delivers nothing for so long delivers no more.
const PATIENCE: Duration = Duration::from_secs(20);
/// A backlog is a fixed number of orders, however slow the machine.
const BURST_PATIENCE: Duration = Duration::from_secs(90);

/// How orders are placed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// As fast as they are answered, for the time of one measurement.
    Closed,
    /// So many, as fast as they are answered.
    Burst(u64),
    /// At a fixed rate; those of the lead are not measured.
    Open { rate: f64, lead: Duration },
}

/// Places orders over the subscribers by turns and waits for their deliveries. The time of the tally is that
/// from the first request to the last arrival.
pub(crate) fn measure(
    venue: &Venue<'_>,
    subscribers: &[Subscriber],
    pace: Pace,
) -> anyhow::Result<Measured> {
    measure_and(venue, subscribers, pace, || Ok(()))
}

/// The same, with a look at something once the last order is placed.
pub(crate) fn measure_and(
    venue: &Venue<'_>,
    subscribers: &[Subscriber],
    pace: Pace,
    look: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<Measured> {
    venue.stage.account(|| {
        let (log, placed) = place(venue, subscribers, pace)?;
        look()?;
        let arrivals = await_arrivals(venue, &log)?;
        let began = log.began_micros.unwrap_or_default();
        let lead = match pace {
            Pace::Open { lead, .. } => u64::try_from(lead.as_micros())?,
            _ => 0,
        };
        let mut tally = join(&log.answered, &arrivals, began + lead)?;
        take_errors(&mut tally, &placed);
        let last = arrivals.last().map_or(began, |arrival| arrival.unix_micros);
        tally.elapsed = match pace {
            // The rate is that of the timetable; the rest is waiting for the last ones.
            Pace::Open { .. } => venue.stage.bench.plan.duration(),
            _ => between(began, last),
        };
        Ok(tally)
    })
}

/// Places orders, after the receiver has forgotten what was before.
pub(crate) fn place(
    venue: &Venue<'_>,
    subscribers: &[Subscriber],
    pace: Pace,
) -> anyhow::Result<(Log, Tally)> {
    let shared = SharedLog::default();
    let first = subscribers.first().context("nobody subscribes")?;
    let script = |number: usize| {
        let subscriber = subscribers.get(number % subscribers.len()).unwrap_or(first);
        LoggedOrders::new(subscriber, &shared)
    };
    let load = venue.stage.load(CONNECTIONS);
    let placed = venue.stage.bench.runtime.block_on(async {
        venue.receiver.forget().await?;
        match pace {
            Pace::Closed => closed::run(load, script).await,
            Pace::Burst(orders) => {
                let load = Load { duration: BURST_PATIENCE, ..load };
                load::open::burst(load, orders, script).await
            }
            Pace::Open { rate, lead } => {
                let load = Load { duration: load.duration + lead, ..load };
                load::open::run(load, rate, script).await
            }
        }
    })?;
    let log = mem::take(&mut *open(&shared));
    Ok((log, placed))
}

/// Waits until all that was acknowledged has arrived where it should; what arrived.
pub(crate) fn await_arrivals(venue: &Venue<'_>, log: &Log) -> anyhow::Result<Vec<Arrival>> {
    let due: usize = log.answered.iter().map(|order| order.paths.len()).sum();
    venue.stage.bench.runtime.block_on(async {
        venue.receiver.wait_for(due as u64, PATIENCE).await?;
        venue.receiver.arrivals(0).await
    })
}

/// Wrong answers to orders are wrong in the measurement of their deliveries too.
pub(crate) fn take_errors(tally: &mut Tally, placed: &Tally) {
    tally.errors += placed.errors;
    tally.replays += placed.replays;
    tally.faults.extend(placed.faults.iter().cloned());
}
