//! The row about memory: endpoints that hang, and one that answers far too much.

use std::time::Duration;

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::webhooks::round::{self, Pace};
use crate::benchmark::webhooks::venue::Venue;
use crate::process_usage::memory;
use crate::statistics::{Spread, float};

const ACCOUNTS: u32 = 10;
const HANGING_EACH: u32 = 50;
const PRODUCTS_EACH: u32 = 20;
/// Of all accounts together; each order makes as many deliveries as its account has endpoints.
const RATE: f64 = 50.0;
/// Long enough for all endpoints to hang at once, and to be tried again.
const LEAD: Duration = Duration::from_secs(12);

/// One run on a server started for it, whose peak memory is therefore that of the abuse.
pub(crate) fn measure(venue: &mut Venue<'_>) -> anyhow::Result<Vec<Line>> {
    let options = venue.stage.options.clone();
    venue.stage.restart(&options)?;
    let mut subscribers = Vec::new();
    for number in 0..ACCOUNTS {
        let subscriber = venue.subscriber(PRODUCTS_EACH, 1)?;
        for _ in 0..HANGING_EACH {
            venue.subscribe(&subscriber, "hang", "")?;
        }
        if number == 0 {
            venue.subscribe(&subscriber, "huge", "?mb=20")?;
        }
        subscribers.push(subscriber);
    }
    let measured = round::measure(venue, &subscribers, Pace::Open { rate: RATE, lead: LEAD })?;
    let peak = float(memory(venue.stage.service.pid())?.peak_kib) / 1024.0;
    let hanging = ACCOUNTS * HANGING_EACH;
    let what = format!("memory, peak with {hanging} hanging endpoints and answers of 20 MB");
    let name = venue.stage.database.name();
    let line = Line::absolute(&what, name, Spread::of(&[peak]), "MiB", Goal::AtMost(80.0));
    let tally = &measured.tally;
    if let Some(fault) = tally.faults.first() {
        eprintln!("bench: {what} on {name}: {fault}");
    }
    let latencies = Some([0.5, 0.99, 0.999].map(|share| tally.latency(share)));
    Ok(vec![Line { latencies, errors: tally.errors, replays: tally.replays, ..line }])
}
