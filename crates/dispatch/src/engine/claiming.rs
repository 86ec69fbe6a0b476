//! Claiming: one call at a time for all endpoints that have something due and room for it.

use std::mem;

use kernel::{Timestamp, Written};
use tokio::time::Instant;
use webhooks::{Claim, Deliveries, Unsent, Want};

use super::sweeping::{PAUSE_LONGEST, PAUSE_SHORTEST};
use crate::{
    asked::{Asked, written},
    pause::Pause,
    scheduler::Scheduler,
};

/// The claim under way.
pub(super) struct Claiming {
    wants: Vec<Want>,
    pub(super) asked: Asked<Written<Claim, ()>>,
    pub(super) pause: Pause,
}

/// What came of a claim.
#[derive(Default)]
pub(super) struct Answered {
    /// Whether it brought nothing.
    pub(super) was_empty: bool,
    /// What is to be given back.
    pub(super) unplaced: Vec<Unsent>,
}

impl Claiming {
    pub(super) fn new() -> Self {
        let pause = Pause::new("claiming deliveries", PAUSE_SHORTEST, PAUSE_LONGEST);
        Self { wants: Vec::new(), asked: Asked::nothing(), pause }
    }

    /// Begins to claim what the scheduler wants, unless a claim is under way.
    pub(super) fn begin(
        &mut self,
        scheduler: &mut Scheduler,
        store: &dyn Deliveries,
        now: Timestamp,
        until: Timestamp,
    ) {
        if !self.asked.is_idle() || !self.pause.is_over(Instant::now()) {
            return;
        }
        let wants = scheduler.wants();
        if !wants.is_empty() {
            self.wants.clone_from(&wants);
            self.asked.ask(store.claim(wants, now, until));
        }
    }

    /// Hands what was claimed to the scheduler.
    pub(super) fn answered(
        &mut self,
        answer: Option<Written<Claim, ()>>,
        scheduler: &mut Scheduler,
    ) -> Answered {
        let wants = mem::take(&mut self.wants);
        match written(answer) {
            Ok(claim) => {
                self.pause.succeeded();
                let was_empty = claim.deliveries.is_empty();
                Answered { was_empty, unplaced: scheduler.claimed(&wants, claim) }
            }
            Err(why) => {
                self.pause.failed(&why, Instant::now());
                scheduler.claim_failed(&wants);
                Answered::default()
            }
        }
    }
}
