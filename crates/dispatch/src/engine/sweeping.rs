//! Sweeping: asking the store now and then what is due, and advancing replays.

use std::{mem, time::Duration};

use kernel::{Fault, Timestamp, Written};
use tokio::time::Instant;
use webhooks::{Deliveries, Due, Schedule};

use crate::{
    asked::{Asked, read, written},
    moments::{between, earlier},
    pause::Pause,
};

/// A sweep takes this part of the time at most. What it looks for is mostly told, or remembered from the last one, and with
/// tens of thousands of endpoints it keeps the database busy for a while.
const REST: u32 = 200;
/// After this time there is another one, however long it takes.
const REST_LONGEST: Duration = Duration::from_secs(60);
/// A sweep that takes longer than twice the last one and this has met with something that will not last.
const JOLT: Duration = Duration::from_millis(5);
/// Between two steps of replays.
const REPLAY_INTERVAL: Duration = Duration::from_millis(50);
pub(super) const PAUSE_SHORTEST: Duration = Duration::from_millis(100);
pub(super) const PAUSE_LONGEST: Duration = Duration::from_secs(2);

/// When the store was asked and will be.
pub(super) struct Sweeping {
    interval: Duration,
    begun: Instant,
    /// How long a sweep takes.
    takes: Duration,
    next: Instant,
    /// Whether something may have happened behind the sweep under way.
    again: bool,
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
            takes: Duration::ZERO,
            next: now,
            again: false,
            due: Asked::nothing(),
            pause: pause("looking up due deliveries"),
            replays: Asked::nothing(),
            replays_next: Some(now),
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

    /// Something may be due that nobody told of.
    pub(super) fn look(&mut self) {
        self.next = Instant::now();
        self.again = !self.due.is_idle();
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
                self.takes = takes(self.takes, now.saturating_duration_since(self.begun));
                self.next = (self.begun + self.interval).max(now + rest(self.takes));
                if mem::take(&mut self.again) {
                    self.next = now;
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
                let interval = if opened > 0 { REPLAY_INTERVAL } else { self.interval };
                self.replays_next = Some(now + interval);
            }
            Err(why) => {
                self.replays_pause.failed(&why, now);
                self.replays_next = Some(self.replays_pause.end(now).unwrap_or(now));
            }
        }
    }
}

/// How long sweeps take, as the last one took so long and those before it `took_before`.
fn takes(took_before: Duration, took: Duration) -> Duration {
    took.min(took_before.saturating_mul(2).saturating_add(JOLT))
}

/// How long there is no other sweep after one, if they take so long.
fn rest(takes: Duration) -> Duration {
    takes.saturating_mul(REST).min(REST_LONGEST)
}

/// How long the first of them has been due.
pub(super) fn lag(due: &[Due], now: Timestamp) -> Duration {
    due.iter().map(|due| due.at).min().map_or(Duration::ZERO, |first| between(first, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn millis(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn sweeps_keep_the_database_busy_for_little_of_the_time() {
        for (takes, rests) in [
            (Duration::ZERO, Duration::ZERO),
            (millis(1), millis(200)),
            (millis(250), Duration::from_secs(50)),
            (millis(400), REST_LONGEST),
            (Duration::MAX, REST_LONGEST),
        ] {
            assert_eq!(rest(takes), rests, "{takes:?}");
        }
    }

    #[test]
    fn one_slow_sweep_among_quick_ones_keeps_nobody_waiting() {
        let quick = takes(Duration::ZERO, millis(2));
        assert!(rest(takes(quick, millis(900))) < Duration::from_secs(2));
        let slow = (0..10).fold(quick, |before, _| takes(before, millis(250)));
        assert_eq!((slow, takes(slow, millis(2))), (millis(250), millis(2)));
    }
}
