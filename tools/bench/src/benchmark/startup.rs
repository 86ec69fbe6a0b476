//! Rows about the process itself: its cold start and its memory.

use std::thread;
use std::time::Duration;

use crate::benchmark::line::{Goal, Line};
use crate::benchmark::stage::Stage;
use crate::process_usage::memory;
use crate::service::Service;
use crate::statistics::{Spread, float};

/// What a server may still do after its first readiness.
const SETTLING: Duration = Duration::from_millis(500);

/// Stops the loaded server and starts it anew on its database, once per round.
pub(crate) fn measure(stage: Stage<'_>) -> anyhow::Result<Vec<Line>> {
    let Stage { bench, database, options, mut service, .. } = stage;
    let peak = mib(memory(service.pid())?.peak_kib);
    service.stop()?;
    let mut starts = Vec::new();
    let mut idle = Vec::new();
    for _ in 0..bench.plan.rounds {
        let mut service = Service::start(&options)?;
        starts.push(service.ready_after().as_secs_f64() * 1e3);
        thread::sleep(SETTLING);
        idle.push(mib(memory(service.pid())?.resident_kib));
        service.stop()?;
    }
    let line = |what, values: &[f64], unit, goal| {
        Line::absolute(what, database.name(), Spread::of(values), unit, Goal::AtMost(goal))
    };
    Ok(vec![
        line("cold start on a migrated database", &starts, "ms", 100.0),
        line("memory, idle after its start", &idle, "MiB", 30.0),
        line("memory, peak under the load above", &[peak], "MiB", 150.0),
    ])
}

fn mib(kib: u64) -> f64 {
    float(kib) / 1024.0
}
