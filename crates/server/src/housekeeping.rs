//! What the store wants done every minute.

use std::{sync::Arc, time::Duration};

use actix_web::rt::time;
use api::Clock;
use store::Store;

const INTERVAL: Duration = Duration::from_secs(60);
/// Between two batches, so that nobody waits behind a long clean-up.
const BREATH: Duration = Duration::from_millis(50);

/// Keeps house until the service stops.
pub(crate) async fn run(store: Arc<Store>, clock: Arc<dyn Clock>) {
    let mut minutes = time::interval(INTERVAL);
    loop {
        minutes.tick().await;
        delete_expired(&store, clock.as_ref()).await;
    }
}

async fn delete_expired(store: &Store, clock: &dyn Clock) {
    loop {
        match store.housekeep(clock.now()).await {
            Some(Ok(deleted)) if deleted.value > 0 => {
                tracing::debug!(deleted = deleted.value, "deleted expired idempotency keys");
                time::sleep(BREATH).await;
            }
            Some(Err(refused)) => {
                return tracing::warn!(?refused, "cannot delete expired idempotency keys");
            }
            Some(Ok(_)) | None => return,
        }
    }
}
