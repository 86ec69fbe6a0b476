//! What the store wants done every minute.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::rt::time;
use api::Clock;
use kernel::{Fault, Refused};
use store::{
    Store,
    cleanup::{ExpiredRows, Slice, Walk},
};

const INTERVAL: Duration = Duration::from_secs(60);

/// Keeps house until the service stops.
pub(crate) async fn run(store: Arc<Store>, clock: Arc<dyn Clock>) {
    let mut minutes = time::interval(INTERVAL);
    for minute in 0.. {
        minutes.tick().await;
        match clean_up(&store, clock.as_ref(), Walk::of_minute(minute, true)).await {
            Ok(0) => {}
            Ok(removed) => tracing::debug!(removed, "expired rows removed"),
            Err(fault) => tracing::warn!(%fault, "expired rows could not be removed"),
        }
    }
}

/// Walks over all accounts and removes what has served its time; says how many rows.
async fn clean_up(store: &Store, clock: &dyn Clock, walk: Walk) -> Result<u64, Fault> {
    let mut removed = 0;
    let mut walk = Some(walk);
    while let Some(from) = walk {
        let found = store.find_expired(from, clock.now()).await;
        let step = found.unwrap_or_else(|| Err(stopping()))?;
        removed += remove_all(store, clock, step.expired).await?;
        walk = step.next;
    }
    Ok(removed)
}

/// Removes slice after slice and rests after each for as long as it took, so that a writer has half of its time for
/// others. A place from which nothing can be removed is left for the next time, and keeps no other from its turn.
async fn remove_all(
    store: &Store,
    clock: &dyn Clock,
    mut left: Vec<ExpiredRows>,
) -> Result<u64, Fault> {
    let (mut removed, mut at_once) = (0, usize::MAX);
    while !left.is_empty() {
        let started = Instant::now();
        let rest = left.split_off(at_once.min(left.len()));
        match remove(store, clock, left.clone()).await {
            Ok(slice) => {
                removed += slice.removed;
                (left, at_once) = (slice.left, usize::MAX);
            }
            // One of them is at fault.
            Err(Fault::Internal(_)) if left.len() > 1 => at_once = 1,
            Err(fault @ Fault::Internal(_)) => {
                tracing::warn!(%fault, place = ?left, "expired rows of a place could not be removed");
                left.clear();
                at_once = usize::MAX;
            }
            Err(fault) => return Err(fault),
        }
        left.extend(rest);
        time::sleep(started.elapsed()).await;
    }
    Ok(removed)
}

async fn remove(
    store: &Store,
    clock: &dyn Clock,
    expired: Vec<ExpiredRows>,
) -> Result<Slice, Fault> {
    match store.clean_up(expired, clock.now()).await {
        Some(Ok(done)) => Ok(done.value),
        Some(Err(Refused::Fault(fault))) => Err(fault),
        Some(Err(_)) | None => Err(stopping()),
    }
}

fn stopping() -> Fault {
    Fault::Unavailable("the store is shutting down".to_owned())
}
