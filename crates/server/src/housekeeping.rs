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
    cleanup::{ExpiredRows, Slice, Slices, Walk},
};

/// From the end of a walk to the next one.
const INTERVAL: Duration = Duration::from_secs(60);
/// How long a node keeps house for all unless it says so again.
const TURN_SECONDS: i64 = 150;
/// A walk that lasts says so again after so long.
const RENEWED_AFTER: Duration = Duration::from_secs(50);
/// Chores in a row of which the look takes too long, or reaches nobody, are nobody's fault but the database's.
const FAULTS_MAX: u32 = 3;
/// A node whose walks fail so often in a row leaves it to another one, and does not want it back for as many minutes.
const FAILED_WALKS_MAX: u32 = 3;
/// So long a node that leaves it to another one tries to say so.
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
        let (mut failed, mut rests) = (0, 0);
        for minute in 0.. {
            match self.minute(minute, rests == 0).await {
                Ok(removed) => {
                    failed = 0;
                    if removed > 0 {
                        tracing::debug!(removed, "expired rows removed");
                    }
                }
                Err(fault) => {
                    failed += 1;
                    tracing::warn!(%fault, "expired rows could not be removed");
                }
            }
            rests = u32::saturating_sub(rests, 1);
            if failed >= FAILED_WALKS_MAX {
                self.leave().await;
                (failed, rests) = (0, FAILED_WALKS_MAX);
            }
            time::sleep(INTERVAL).await;
        }
    }

    async fn minute(&self, minute: u64, may_keep: bool) -> Result<u64, Fault> {
        let keeps_house = may_keep && self.take_turn().await?;
        self.clean_up(Walk::of_minute(minute, keeps_house)).await
    }

    /// Whether this node keeps house from now on, as before or because no other one does.
    async fn take_turn(&self) -> Result<bool, Fault> {
        let now = self.clock.now();
        let taken = self.store.keep_house(self.node, now, now.plus_seconds(TURN_SECONDS)).await;
        let keeps_house = match taken {
            Some(Ok(done)) => done.value,
            Some(Err(Refused::Fault(fault))) => return Err(fault),
            Some(Err(_)) | None => return Err(stopping()),
        };
        self.keeps_house.store(keeps_house, Ordering::Relaxed);
        Ok(keeps_house)
    }

    /// Says again that this node keeps house, if it does and it is time. There is nothing to remove any more where another one has
    /// taken over.
    async fn renew_turn(&self, taken: &mut Instant) -> Result<(), Fault> {
        if !self.keeps_house.load(Ordering::Relaxed) || taken.elapsed() < RENEWED_AFTER {
            return Ok(());
        }
        *taken = Instant::now();
        match self.take_turn().await? {
            true => Ok(()),
            false => Err(Fault::Unavailable("another node has taken over".to_owned())),
        }
    }

    /// Leaves it to another node at once, instead of when the turn ends.
    pub(crate) async fn leave(&self) {
        if self.keeps_house.swap(false, Ordering::Relaxed) {
            let left = async { self.store.leave_house(self.node).await };
            // Otherwise the turn ends by itself.
            drop(time::timeout(FAREWELL, left).await);
        }
    }

    /// Walks over all accounts and removes what has served its time; says how many rows. A chore that cannot be looked for is
    /// left for the next walk.
    async fn clean_up(&self, walk: Walk) -> Result<u64, Fault> {
        let (mut removed, mut faults) = (0, 0);
        let mut taken = Instant::now();
        let mut walk = Some(walk);
        while let Some(from) = walk {
            self.renew_turn(&mut taken).await?;
            let found = self.store.find_expired(from.clone(), self.clock.now()).await;
            walk = match found.unwrap_or_else(|| Err(stopping())) {
                Ok(step) => {
                    faults = 0;
                    removed += self.remove_all(step.expired, &mut taken).await?;
                    step.next
                }
                Err(fault) => {
                    faults += u32::from(matches!(fault, Fault::Unavailable(_)));
                    if faults >= FAULTS_MAX {
                        return Err(fault);
                    }
                    tracing::warn!(%fault, walk = ?from, "what has expired could not be looked for");
                    Some(from.passing_over())
                }
            };
        }
        Ok(removed)
    }

    /// Removes slice after slice and rests after each for as long as it took, so that a writer has half of its time for
    /// others.
    async fn remove_all(
        &self,
        expired: Vec<ExpiredRows>,
        taken: &mut Instant,
    ) -> Result<u64, Fault> {
        let (mut removed, mut slices) = (0, Slices::of(expired));
        while let Some(tried) = slices.take() {
            self.renew_turn(taken).await?;
            let started = Instant::now();
            match self.remove(tried.clone()).await {
                Ok(slice) => {
                    removed += slice.removed;
                    slices.done(slice);
                }
                Err(fault) => slices.failed(tried, fault)?,
            }
            time::sleep(started.elapsed()).await;
        }
        Ok(removed)
    }

    async fn remove(&self, expired: Vec<ExpiredRows>) -> Result<Slice, Fault> {
        match self.store.clean_up(expired, self.clock.now()).await {
            Some(Ok(done)) => Ok(done.value),
            Some(Err(Refused::Fault(fault))) => Err(fault),
            Some(Err(_)) | None => Err(stopping()),
        }
    }
}

fn stopping() -> Fault {
    Fault::Unavailable("the store is shutting down".to_owned())
}
