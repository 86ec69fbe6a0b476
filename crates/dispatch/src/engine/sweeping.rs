//! Sweeping: asking the store now and then what is due, and advancing replays.

use std::time::Duration;

use kernel::{Fault, Timestamp, Written};
use tokio::time::Instant;
use webhooks::{Deliveries, Due, Schedule};

use crate::{
    asked::{Asked, read, written},
    moments::{between, earlier},
    pause::Pause,
};

/// A sweep takes this part of the time at most: what it looks for is mostly told or remembered, and with tens of thousands
/// of endpoints it keeps the database busy for a while.
const REST: u32 = 50;
/// Between two steps of replays.
const REPLAY_INTERVAL: Duration = Duration::from_millis(50);
pub(super) const PAUSE_SHORTEST: Duration = Duration::from_millis(100);
pub(super) const PAUSE_LONGEST: Duration = Duration::from_secs(2);

/// When the store was asked and will be.
pub(super) struct Sweeping {
    interval: Duration,
    begun: Instant,
    next: Instant,
    pub(super) due: Asked<Result<Vec<Due>, Fault>>,
    pause: Pause,
    pub(super) replays: Asked<Written<u64, ()>>,
    replays_next: Option<Instant>,
    replays_pause: Pause,
    pub(super) made_due: Asked<Written<u64, ()>>,
    /// When to ask for what was scheduled before the clock was set back.
    made_due_next: Option<Instant>,
    made_due_pause: Pause,
}

impl Sweeping {
    pub(super) fn new(interval: Duration) -> Self {
        let now = Instant::now();
        let pause = |what| Pause::new(what, PAUSE_SHORTEST, PAUSE_LONGEST);
        Self {
            interval,
            begun: now,
            next: now,
            due: Asked::nothing(),
            pause: pause("looking up due deliveries"),
            replays: Asked::nothing(),
            replays_next: None,
            replays_pause: pause("advancing replays"),
            made_due: Asked::nothing(),
            // It may have been set back while no dispatcher ran.
            made_due_next: Some(now),
            made_due_pause: pause("making deliveries due after the clock was set back"),
        }
    }

    /// The clock has been set back.
    pub(super) fn set_back(&mut self) {
        self.made_due_next = Some(Instant::now());
    }

    /// Asks what is to be asked now; claims made now end at `until`.
    pub(super) fn begin(
        &mut self,
        store: &dyn Deliveries,
        schedule: &Schedule,
        now: Timestamp,
        until: Timestamp,
    ) {
        let instant = Instant::now();
        if self.made_due.is_idle() && self.made_due_next.is_some_and(|next| next <= instant) {
            self.made_due_next = None;
            self.made_due.ask(store.make_due(schedule.latest(now), now, until));
        }
        if self.due.is_idle() && self.next <= instant {
            self.begun = instant;
            self.due.ask(store.due());
        }
        if self.replays.is_idle() && self.replays_next.is_some_and(|next| next <= instant) {
            self.replays_next = None;
            self.replays.ask(store.advance_replays(now));
        }
    }

    /// When there is something to ask, as far as it is known.
    pub(super) fn next(&self) -> Option<Instant> {
        let sweep = self.due.is_idle().then_some(self.next);
        let replays = self.replays_next.filter(|_| self.replays.is_idle());
        let made_due = self.made_due_next.filter(|_| self.made_due.is_idle());
        earlier(earlier(sweep, replays), made_due)
    }

    /// Takes in what is due.
    pub(super) fn answered(&mut self, answer: Option<Result<Vec<Due>, Fault>>) -> Option<Vec<Due>> {
        let now = Instant::now();
        match read(answer) {
            Ok(due) => {
                self.pause.succeeded();
                let took = now.saturating_duration_since(self.begun);
                self.next = (self.begun + self.interval).max(now + took * REST);
                if self.replays.is_idle() {
                    self.replays_next = Some(now);
                }
                Some(due)
            }
            Err(why) => {
                self.pause.failed(&why, now);
                self.next = self.pause.end(now).unwrap_or(now);
                None
            }
        }
    }

    /// Takes in how many deliveries have been made due: there may be more of them.
    pub(super) fn have_made_due(&mut self, answer: Option<Written<u64, ()>>) {
        let now = Instant::now();
        match written(answer) {
            Ok(made) => {
                self.made_due_pause.succeeded();
                self.made_due_next = (made > 0).then_some(now);
                if made > 0 {
                    tracing::warn!(deliveries = made, "the clock was set back: made them due");
                    self.next = now;
                }
            }
            Err(why) => {
                self.made_due_pause.failed(&why, now);
                self.made_due_next = self.made_due_pause.end(now);
            }
        }
    }

    /// Takes in how far replays have moved.
    pub(super) fn replayed(&mut self, answer: Option<Written<u64, ()>>) {
        let now = Instant::now();
        match written(answer) {
            Ok(opened) => {
                self.replays_pause.succeeded();
                self.replays_next = (opened > 0).then(|| now + REPLAY_INTERVAL);
            }
            Err(why) => {
                self.replays_pause.failed(&why, now);
                self.replays_next = self.replays_pause.end(now);
            }
        }
    }
}

/// How long the first of them has been due.
pub(super) fn lag(due: &[Due], now: Timestamp) -> Duration {
    due.iter().map(|due| due.at).min().map_or(Duration::ZERO, |first| between(first, now))
}
