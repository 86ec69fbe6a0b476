//! What the store wants done every minute.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::rt::time;
use api::Clock;
use kernel::Fault;
use store::{
    Store,
    cleanup::{ExpiredRows, SLICE_ROWS, Walk},
};

const INTERVAL: Duration = Duration::from_secs(60);

/// Keeps house until the service stops.
pub(crate) async fn run(store: Arc<Store>, clock: Arc<dyn Clock>) {
    let mut minutes = time::interval(INTERVAL);
    loop {
        minutes.tick().await;
        match clean_up(&store, clock.as_ref()).await {
            Ok(0) => {}
            Ok(removed) => tracing::debug!(removed, "expired rows removed"),
            Err(fault) => tracing::warn!(%fault, "expired rows could not be removed"),
        }
    }
}

/// Walks over all accounts and removes what has served its time; says how many rows.
async fn clean_up(store: &Store, clock: &dyn Clock) -> Result<u64, Fault> {
    let mut removed = 0;
    let mut walk = Some(Walk::default());
    while let Some(from) = walk {
        let found = store.find_expired(from, clock.now()).await;
        let step = found.unwrap_or_else(|| Err(stopping()))?;
        for expired in step.expired {
            removed += remove(store, clock, expired).await?;
        }
        walk = step.next;
    }
    Ok(removed)
}

/// Removes slice after slice and rests after each for as long as it took, so that the writer has half of its time
/// for others.
async fn remove(store: &Store, clock: &dyn Clock, expired: ExpiredRows) -> Result<u64, Fault> {
    let mut removed = 0;
    loop {
        let started = Instant::now();
        let done = store.clean_up(expired.clone(), clock.now()).await;
        let slice = match done {
            Some(Ok(done)) => done.value,
            Some(Err(kernel::Refused::Fault(fault))) => return Err(fault),
            Some(Err(_)) | None => return Err(stopping()),
        };
        removed += slice;
        if slice < SLICE_ROWS.unsigned_abs() {
            return Ok(removed);
        }
        time::sleep(started.elapsed()).await;
    }
}

fn stopping() -> Fault {
    Fault::Unavailable("the store is shutting down".to_owned())
}
