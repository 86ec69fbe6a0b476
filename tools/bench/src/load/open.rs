//! Open loop: requests become due at a fixed rate, whether or not earlier ones are answered.
//!
//! A latency counts from the moment the request was due, so a server that stalls cannot hide
//! the requests that had to wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time;

use super::{Client, GRACE, Load, Script, Tally};

/// Time for all connections to be open before the first request is due.
const START_DELAY: Duration = Duration::from_millis(50);

/// When each request is due.
#[derive(Clone, Copy, Debug)]
struct Timetable {
    start: Instant,
    rate: f64,
    count: u64,
}

impl Timetable {
    fn due(&self, number: u64) -> Instant {
        self.start + Duration::from_secs_f64(crate::statistics::float(number) / self.rate)
    }
}

/// Sends requests at `rate` per second over the connections that are free.
pub(crate) async fn run<S: Script>(
    load: Load,
    rate: f64,
    script: impl Fn(usize) -> S,
) -> anyhow::Result<Tally> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
    let count = (rate * load.duration.as_secs_f64()) as u64;
    run_timetable(load, rate, count, script).await
}

/// Sends so many requests as fast as they are answered, the load's duration at most.
pub(crate) async fn burst<S: Script>(
    load: Load,
    count: u64,
    script: impl Fn(usize) -> S,
) -> anyhow::Result<Tally> {
    run_timetable(load, f64::INFINITY, count, script).await
}

async fn run_timetable<S: Script>(
    load: Load,
    rate: f64,
    count: u64,
    script: impl Fn(usize) -> S,
) -> anyhow::Result<Tally> {
    let start = Instant::now() + START_DELAY;
    let timetable = Timetable { start, rate, count };
    let permits = Arc::new(Semaphore::new(0));
    let taken = Arc::new(AtomicU64::new(0));
    let mut connections = JoinSet::new();
    for number in 0..load.connections {
        let client = Client::new(load.address, script(number));
        connections.spawn(drive(client, timetable, Arc::clone(&permits), Arc::clone(&taken)));
    }
    let pacer = thread::spawn(move || pace(timetable, &permits, load.connections));
    let mut total = Tally::new()?;
    let collected = time::timeout(load.duration + GRACE, async {
        while let Some(tally) = connections.join_next().await {
            total.absorb(&tally??)?;
        }
        anyhow::Ok(())
    });
    collected.await.context("the server stopped answering")??;
    pacer.join().map_err(|_| anyhow::anyhow!("the pacing thread panicked"))?;
    total.elapsed = load.duration;
    Ok(total)
}

/// Releases one permit as each request becomes due. A thread of its own: the runtime's timer
/// counts in milliseconds, which is as long as the latencies to be measured.
fn pace(timetable: Timetable, permits: &Semaphore, connections: usize) {
    for number in 0..timetable.count {
        let wait = timetable.due(number).saturating_duration_since(Instant::now());
        if !wait.is_zero() {
            thread::sleep(wait);
        }
        permits.add_permits(1);
    }
    // Lets every connection see that nothing is left to send.
    permits.add_permits(connections);
}

async fn drive<S: Script>(
    mut client: Client<S>,
    timetable: Timetable,
    permits: Arc<Semaphore>,
    taken: Arc<AtomicU64>,
) -> anyhow::Result<Tally> {
    let mut tally = Tally::new()?;
    if let Err(fault) = client.connect().await {
        tally.record(Err(fault), Duration::ZERO);
    }
    loop {
        permits.acquire().await?.forget();
        let number = taken.fetch_add(1, Ordering::Relaxed);
        if number >= timetable.count {
            break;
        }
        let outcome = client.step().await;
        let goes_on = client.goes_on(&outcome);
        tally.record(outcome, timetable.due(number).elapsed());
        if !goes_on {
            break;
        }
    }
    Ok(tally)
}
