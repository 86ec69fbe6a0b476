//! One endpoint: what is under way to it, what waits for it, and how much it is trusted with.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    sync::Arc,
};

use kernel::Timestamp;
use webhooks::{ClaimId, Claimed, Endpoint};

use super::{Key, tallies::Counts};
use crate::moments::earlier;

/// Exchanges under way at once to an endpoint that nothing is known of.
const WINDOW_FIRST: usize = 8;

/// What is known of an endpoint's health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its last exchange succeeded.
    Trusted,
    /// None has ended yet.
    New,
    /// Its last exchange failed.
    Suspect,
}

impl Standing {
    pub(super) const EVERY: [Self; 3] = [Self::Trusted, Self::New, Self::Suspect];
}

/// A claimed delivery that is not sent yet.
pub(super) struct Waiting {
    pub(super) claim: ClaimId,
    pub(super) until: Timestamp,
    pub(super) delivery: Claimed,
}

/// One endpoint.
pub(super) struct Queue {
    /// As the newest claim has it.
    pub(super) endpoint: Option<Arc<Endpoint>>,
    pub(super) standing: Standing,
    /// Exchanges that may be under way at once.
    pub(super) window: usize,
    pub(super) in_flight: usize,
    /// Claimed and not sent, the oldest claim in front.
    pub(super) waiting: VecDeque<Waiting>,
    /// What the deliveries under way are about: others about the same wait for them.
    pub(super) entities: HashSet<String>,
    /// Whether the store is believed to have deliveries that are due.
    pub(super) due: bool,
    /// How many are wanted by the claim under way.
    pub(super) asked: usize,
    /// Whether more came while the claim was under way.
    pub(super) hinted: bool,
    /// When an attempt recorded here is due again, the earliest.
    retry_at: Option<Timestamp>,
    /// When the store has something due, as of the last sweep.
    swept_at: Option<Timestamp>,
    /// The earlier of the two, as the timers have it.
    timer: Option<Timestamp>,
    /// The last sweep that named it.
    pub(super) sweep: u64,
    /// Sweeps since it had anything to do.
    pub(super) idle: u32,
}

impl Queue {
    pub(super) fn new(window_max: usize) -> Self {
        Self {
            endpoint: None,
            standing: Standing::New,
            window: WINDOW_FIRST.min(window_max),
            in_flight: 0,
            waiting: VecDeque::new(),
            entities: HashSet::new(),
            due: false,
            asked: 0,
            hinted: false,
            retry_at: None,
            swept_at: None,
            timer: None,
            sweep: 0,
            idle: 0,
        }
    }

    pub(super) fn counts(&self) -> Counts {
        Counts { in_flight: self.in_flight, waiting: self.waiting.len(), asked: self.asked }
    }

    /// How many more deliveries it may have here. An endpoint in good health has two windows' worth at hand
    /// while one is under way, so that it never waits for the store.
    pub(super) fn room(&self) -> usize {
        let windows = if self.standing == Standing::Trusted { 3 } else { 1 };
        (self.window * windows).saturating_sub(self.counts().held())
    }

    /// Whether a claim should name it: not for every single delivery that ends.
    pub(super) fn wants_more(&self) -> bool {
        self.due && self.asked == 0 && self.room() >= (self.window / 2).max(1)
    }

    /// Whether it has something to send and room under way.
    pub(super) fn may_send(&self) -> bool {
        !self.waiting.is_empty() && self.in_flight < self.window
    }

    /// Takes out the first delivery about something that no delivery under way is about.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let free = |waiting: &Waiting| !self.entities.contains(&waiting.delivery.entity);
        let place = self.waiting.iter().position(free)?;
        self.waiting.remove(place)
    }

    /// Deliveries are due now.
    pub(super) fn mark_due(&mut self) {
        self.due = true;
        self.hinted |= self.asked > 0;
    }

    /// An exchange has succeeded.
    pub(super) fn succeeded(&mut self, window_max: usize) {
        self.standing = Standing::Trusted;
        self.window = (self.window + 1).min(window_max);
    }

    /// An exchange has failed.
    pub(super) fn failed(&mut self) {
        self.standing = Standing::Suspect;
        self.window = (self.window / 2).max(1);
    }

    /// A delivery is due again at `at`.
    pub(super) fn retry(&mut self, key: Key, at: Timestamp, timers: &mut Timers) {
        self.retry_at = earlier(self.retry_at, Some(at));
        self.set_timer(key, timers);
    }

    /// The store has something due at `at`, or nothing.
    pub(super) fn swept(&mut self, key: Key, at: Option<Timestamp>, timers: &mut Timers) {
        self.swept_at = at;
        self.set_timer(key, timers);
    }

    /// The time that the timer was set to has come.
    pub(super) fn rang(&mut self, key: Key, now: Timestamp, timers: &mut Timers) {
        self.mark_due();
        self.retry_at = self.retry_at.filter(|at| *at > now);
        self.swept_at = self.swept_at.filter(|at| *at > now);
        self.set_timer(key, timers);
    }

    /// Nothing of it is to be sent any more.
    pub(super) fn silence(&mut self, key: Key, timers: &mut Timers) {
        (self.due, self.hinted, self.retry_at, self.swept_at) = (false, false, None, None);
        self.set_timer(key, timers);
    }

    fn set_timer(&mut self, key: Key, timers: &mut Timers) {
        let timer = earlier(self.retry_at, self.swept_at);
        if timer == self.timer {
            return;
        }
        if let Some(old) = self.timer {
            timers.remove(&(old, key));
        }
        if let Some(new) = timer {
            timers.insert((new, key));
        }
        self.timer = timer;
    }

    /// Whether there is something to do for it now.
    pub(super) fn is_busy(&self) -> bool {
        self.due || self.counts() != Counts::default()
    }

    /// Whether there is nothing to do for it, as far as is known.
    pub(super) fn is_idle(&self) -> bool {
        !self.is_busy() && self.timer.is_none()
    }
}

/// When endpoints are due, the earliest in front.
pub(super) type Timers = BTreeSet<(Timestamp, Key)>;
