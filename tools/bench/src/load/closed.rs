//! Closed loop: each connection sends its next request when the last one is answered.

use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::task::JoinSet;
use tokio::time;

use super::{Client, GRACE, Load, Script, Tally};

/// Time for all connections to be open before the first request is counted.
const START_DELAY: Duration = Duration::from_millis(30);

/// Runs one script per connection until the time is over. Answers after it are not counted.
pub(crate) async fn run<S: Script>(
    load: Load,
    script: impl Fn(usize) -> S,
) -> anyhow::Result<Tally> {
    let start = Instant::now() + START_DELAY;
    let end = start + load.duration;
    let mut connections = JoinSet::new();
    for number in 0..load.connections {
        connections.spawn(drive(Client::new(load.address, script(number)), start, end));
    }
    let mut total = Tally::new()?;
    let collected = time::timeout(load.duration + GRACE, async {
        while let Some(tally) = connections.join_next().await {
            total.absorb(&tally??)?;
        }
        anyhow::Ok(())
    });
    collected.await.context("the server stopped answering")??;
    total.elapsed = load.duration;
    Ok(total)
}

async fn drive<S: Script>(
    mut client: Client<S>,
    start: Instant,
    end: Instant,
) -> anyhow::Result<Tally> {
    let mut tally = Tally::new()?;
    if let Err(fault) = client.connect().await {
        tally.record(Err(fault), Duration::ZERO);
    }
    time::sleep_until(start.into()).await;
    loop {
        let began = Instant::now();
        if began >= end {
            break;
        }
        let outcome = client.step().await;
        let goes_on = client.goes_on(&outcome);
        let answered = Instant::now();
        if answered <= end {
            tally.record(outcome, answered - began);
        }
        if !goes_on {
            break;
        }
    }
    Ok(tally)
}
