//! Waiting until nothing is left to be delivered.

use std::time::{Duration, Instant};

use tokio::time;

use super::cycle::Subject;
use super::promise::DeliveryPromise;
use crate::service::ApiClient;
use crate::service::webhooks::deliveries;

/// Longer than any wait of the schedule and any lease of a worker that died.
const PATIENCE: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Waits while anything is waiting to be delivered; false when nothing has arrived for long and yet
/// something waits.
pub(crate) async fn wait(subject: &Subject<'_>, client: &mut ApiClient) -> anyhow::Result<bool> {
    let (mut seen, mut since) = (0, Instant::now());
    loop {
        let mut waiting = 0;
        for subscription in &subject.subscriptions {
            waiting += deliveries(client, subscription, "attempting").await?;
        }
        if waiting == 0 {
            return Ok(true);
        }
        let accepted = subject.receiver.accepted().await?;
        if accepted > seen {
            (seen, since) = (accepted, Instant::now());
        }
        if since.elapsed() > PATIENCE {
            return Ok(false);
        }
        time::sleep(POLL_INTERVAL).await;
    }
}

/// Compares what the API says of all deliveries with how many orders there are.
pub(crate) async fn verify(
    subject: &mut Subject<'_>,
    client: &mut ApiClient,
    orders: u64,
) -> anyhow::Result<()> {
    for subscription in &subject.subscriptions {
        for (state, expected) in [("attempting", 0), ("failed", 0), ("delivered", orders)] {
            let found = deliveries(client, subscription, state).await?;
            let right = found == expected;
            subject.verdict.check(DeliveryPromise::StateIsDelivered, right, || {
                format!("{}: {found} deliveries {state}, not {expected}", subscription.path)
            });
        }
    }
    Ok(())
}
