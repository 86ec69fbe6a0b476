//! What the store wants done every minute.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use actix_web::rt::time;
use api::Clock;
use kernel::{Fault, Refused, id::IdSource};
use store::{
    Store,
    cleanup::{ExpiredRows, Slice, Walk},
};

const INTERVAL: Duration = Duration::from_secs(60);
/// How long a node keeps house for all unless it says so again.
const TURN_SECONDS: i64 = 150;
/// So long a node that stops tries to leave it to another one.
const FAREWELL: Duration = Duration::from_secs(1);

/// Keeps house for all nodes of the database, or looks on while another one does.
pub(crate) struct Housekeeping {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    /// The number of this node.
    node: u128,
    keeps_house: AtomicBool,
}

impl Housekeeping {
    pub(crate) fn new(store: Arc<Store>, clock: Arc<dyn Clock>) -> Self {
        let node = IdSource::default().next();
        Self { store, clock, node, keeps_house: AtomicBool::new(false) }
    }

    /// Goes on until the service stops.
    pub(crate) async fn run(self: Arc<Self>) {
        let mut minutes = time::interval(INTERVAL);
        for minute in 0.. {
            minutes.tick().await;
            match self.minute(minute).await {
                Ok(0) => {}
                Ok(removed) => tracing::debug!(removed, "expired rows removed"),
                Err(fault) => tracing::warn!(%fault, "expired rows could not be removed"),
            }
        }
    }

    async fn minute(&self, minute: u64) -> Result<u64, Fault> {
        let now = self.clock.now();
        let taken = self.store.keep_house(self.node, now, now.plus_seconds(TURN_SECONDS)).await;
        let keeps_house = match taken {
            Some(Ok(done)) => done.value,
            Some(Err(Refused::Fault(fault))) => return Err(fault),
            Some(Err(_)) | None => return Err(stopping()),
        };
        self.keeps_house.store(keeps_house, Ordering::Relaxed);
        clean_up(&self.store, self.clock.as_ref(), Walk::of_minute(minute, keeps_house)).await
    }

    /// Leaves it to another node at once, instead of when the turn ends.
    pub(crate) async fn leave(&self) {
        if self.keeps_house.load(Ordering::Relaxed) {
            let left = async { self.store.leave_house(self.node).await };
            // Otherwise the turn ends by itself.
            drop(time::timeout(FAREWELL, left).await);
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
