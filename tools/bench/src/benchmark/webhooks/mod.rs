//! Rows about webhooks: from an order's answer to its arrival at the receiver.

mod abuse;
mod behind_import;
mod deliveries;
mod latency;
mod logged_orders;
mod pump;
mod round;
mod throughput;
mod venue;

use crate::arguments::Row;
use crate::benchmark::Bench;
use crate::benchmark::line::{Goal, Line};
use crate::benchmark::orders::CONNECTIONS;
use crate::database;
use crate::limits::{ORDERED_PRODUCTS, bare_posts};
use crate::load::Tally;
use crate::receiver::Receiver;
use crate::statistics::median;

use venue::Venue;

/// Of the account that every stage has, which no row uses that has accounts of its own.
const UNUSED_PRODUCTS: u32 = 2;

/// The rows that were asked for, on all databases.
pub(crate) fn measure(bench: &Bench<'_>) -> anyhow::Result<Vec<Line>> {
    let receiver = Receiver::start()?;
    let mut lines = Vec::new();
    if bench.plan.webhook_rows.contains(&Row::WebhooksLimit) {
        eprintln!("bench: WebhooksLimit");
        lines.push(limit(bench, &receiver)?);
    }
    let on_databases = |row: &Row| *row != Row::WebhooksLimit;
    if !bench.plan.webhook_rows.iter().any(on_databases) {
        return Ok(lines);
    }
    // Databases of their own: the deliveries would be a load on the other rows.
    let surroundings = &bench.options.surroundings;
    for database in &database::prepare(surroundings, bench.directory, "webhooks")? {
        let mut venue = Venue::set(bench, database, &receiver, "webhooks", UNUSED_PRODUCTS)?;
        for row in bench.plan.webhook_rows.iter().copied().filter(on_databases) {
            eprintln!("bench: {row:?} on {}", database.name());
            lines.extend(measure_row(&mut venue, row)?);
        }
    }
    Ok(lines)
}

/// Orders behind imports of so many rows at the same endpoint, on all databases.
pub(crate) fn measure_behind_imports(bench: &Bench<'_>, rows: u64) -> anyhow::Result<Vec<Line>> {
    let receiver = Receiver::start()?;
    let mut lines = Vec::new();
    for database in &database::prepare(&bench.options.surroundings, bench.directory, "behind")? {
        eprintln!("bench: order events behind an import on {}", database.name());
        let venue = Venue::set(bench, database, &receiver, "behind", ORDERED_PRODUCTS)?;
        lines.push(behind_import::measure(&venue, rows)?);
    }
    Ok(lines)
}

fn measure_row(venue: &mut Venue<'_>, row: Row) -> anyhow::Result<Vec<Line>> {
    match row {
        Row::WebhooksOne => throughput::one(venue),
        Row::WebhooksFifty => throughput::fifty(venue),
        Row::WebhooksPump => pump::measure(venue),
        Row::WebhooksLatency => latency::steady(venue),
        Row::WebhooksIsolation => latency::isolation(venue),
        Row::WebhooksAbuse => abuse::measure(venue),
        _ => Ok(Vec::new()),
    }
}

/// The limit by itself, which the rows below measure again beside their own rounds.
fn limit(bench: &Bench<'_>, receiver: &Receiver) -> anyhow::Result<Line> {
    bare_run(bench, receiver)?;
    let (mut rates, mut all) = (Vec::new(), Tally::new()?);
    for _ in 0..bench.plan.rounds {
        let tally = bare_run(bench, receiver)?;
        rates.push(tally.rate());
        all.absorb(&tally)?;
    }
    let what = format!("bare hyper client posting deliveries, {CONNECTIONS} connections");
    Ok(Line {
        rate: median(&rates),
        latencies: Some([0.5, 0.99, 0.999].map(|share| all.latency(share))),
        goal: None,
        ..Line::absolute(&what, "–", None, "", Goal::AtLeast(0.0))
    })
}

fn bare_run(bench: &Bench<'_>, receiver: &Receiver) -> anyhow::Result<Tally> {
    bare_posts::run(receiver, CONNECTIONS, bench.plan.duration())
}
