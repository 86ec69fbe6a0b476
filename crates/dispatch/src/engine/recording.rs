//! Recording what became of claimed deliveries: attempts that have ended, and those given back unsent.

use std::{collections::VecDeque, mem, time::Duration};

use kernel::{Timestamp, Written};
use tokio::time::Instant;
use webhooks::{Deliveries, Ended, Next, SubscriptionId, Unsent};

use crate::{
    asked::{Asked, written},
    pause::Pause,
    scheduler::Scheduler,
};

/// Attempts recorded together at most.
const BATCH_MAX: usize = 256;
/// Deliveries given back together at most.
const RETURN_MAX: usize = 1_000;
const PAUSE_SHORTEST: Duration = Duration::from_millis(50);
const PAUSE_LONGEST: Duration = Duration::from_secs(1);

/// An ended attempt, and when its claim ends.
struct Record {
    ended: Ended,
    until: Timestamp,
}

/// Attempts to be recorded.
pub(super) struct Recording {
    waiting: VecDeque<Record>,
    under_way: Vec<Record>,
    batch: usize,
    pub(super) asked: Asked<Written<Vec<SubscriptionId>, ()>>,
    pub(super) pause: Pause,
}

impl Recording {
    pub(super) fn new() -> Self {
        Self {
            waiting: VecDeque::new(),
            under_way: Vec::new(),
            batch: BATCH_MAX,
            asked: Asked::nothing(),
            pause: Pause::new("recording attempts", PAUSE_SHORTEST, PAUSE_LONGEST),
        }
    }

    /// Attempts that are not recorded yet.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + self.under_way.len()
    }

    pub(super) fn push(&mut self, ended: Ended, until: Timestamp) {
        self.waiting.push_back(Record { ended, until });
    }

    /// Begins to record what waits, unless that is under way.
    pub(super) fn begin(&mut self, store: &dyn Deliveries, failures_max: u32, now: Timestamp) {
        if self.waiting.is_empty() || !self.asked.is_idle() || !self.pause.is_over(Instant::now()) {
            return;
        }
        let size = self.waiting.len().min(self.batch);
        self.under_way = self.waiting.drain(..size).collect();
        let ended = self.under_way.iter().map(|record| record.ended.clone()).collect();
        self.asked.ask(store.complete(ended, failures_max, now));
    }

    /// Takes in the answer; gives what is to be given back of endpoints that were disabled, or `None` when
    /// nothing was recorded.
    pub(super) fn answered(
        &mut self,
        answer: Option<Written<Vec<SubscriptionId>, ()>>,
        scheduler: &mut Scheduler,
        now: Timestamp,
    ) -> Option<Vec<Unsent>> {
        let records = mem::take(&mut self.under_way);
        match written(answer) {
            Ok(disabled) => {
                self.pause.succeeded();
                self.batch = (self.batch * 2).min(BATCH_MAX);
                for Record { ended, .. } in records {
                    if let Next::Again(at) = ended.next {
                        scheduler.retry((ended.account, ended.subscription), at);
                    }
                }
                Some(
                    disabled.into_iter().flat_map(|endpoint| forget(endpoint, scheduler)).collect(),
                )
            }
            Err(why) => {
                self.pause.failed(&why, Instant::now());
                // One attempt that the store cannot take must not hold up the others.
                self.batch = (records.len() / 2).max(1);
                let count = records.len();
                let (kept, over): (Vec<_>, Vec<_>) =
                    records.into_iter().partition(|record| record.until > now);
                if !over.is_empty() {
                    let lost = count - kept.len();
                    tracing::error!(lost, why, "attempts were not recorded and will be repeated");
                }
                for Record { ended, .. } in over {
                    scheduler.retry((ended.account, ended.subscription), now);
                }
                self.waiting.extend(kept);
                None
            }
        }
    }
}

fn forget(endpoint: SubscriptionId, scheduler: &mut Scheduler) -> Vec<Unsent> {
    tracing::warn!(%endpoint, "disabled an endpoint after too many consecutive failures");
    scheduler.silence(endpoint)
}

/// Claimed deliveries to be given back.
pub(super) struct Returning {
    unsent: Vec<Unsent>,
    pub(super) asked: Asked<Written<(), ()>>,
}

impl Returning {
    pub(super) const fn new() -> Self {
        Self { unsent: Vec::new(), asked: Asked::nothing() }
    }

    pub(super) fn push(&mut self, unsent: Vec<Unsent>) {
        self.unsent.extend(unsent);
    }

    /// Whether nothing is left to give back.
    pub(super) const fn is_done(&self) -> bool {
        self.unsent.is_empty() && self.asked.is_idle()
    }

    /// Begins to give back what there is, unless that is under way; says how many.
    pub(super) fn begin(&mut self, store: &dyn Deliveries) -> usize {
        if self.unsent.is_empty() || !self.asked.is_idle() {
            return 0;
        }
        let size = self.unsent.len().min(RETURN_MAX);
        let unsent: Vec<_> = self.unsent.drain(..size).collect();
        self.asked.ask(store.release(unsent));
        size
    }
}

/// Takes in the answer to giving back. A failure loses nothing but time: the claims end by themselves.
pub(super) fn returned(answer: Option<Written<(), ()>>) {
    if let Err(why) = written(answer) {
        tracing::warn!(
            why,
            "unsent deliveries were not released and stay claimed until their claim expires"
        );
    }
}
