//! When endpoints have something due: by hints, by sweeps of the store, and by attempts made here.

use kernel::Timestamp;
use webhooks::Due;

use super::{Key, Scheduler, drop_expired};

/// An endpoint with nothing to do is remembered for so many sweeps, and what is known of its health with it.
const IDLE_SWEEPS_MAX: u32 = 60;

impl Scheduler {
    /// An endpoint has deliveries that are due.
    pub(crate) fn hint(&mut self, key: Key) {
        self.know(key);
        self.update(key, |queue, _| queue.mark_due());
    }

    /// A delivery to an endpoint is due again at `at`.
    pub(crate) fn retry(&mut self, key: Key, at: Timestamp) {
        self.know(key);
        self.change(key, |queue, timers| queue.retry(key, at, timers));
    }

    /// Lets those be due whose time has come.
    pub(crate) fn wake(&mut self, now: Timestamp) {
        while let Some(&(at, key)) = self.timers.first()
            && at <= now
        {
            if self.update(key, |queue, timers| queue.rang(key, now, timers)).is_none() {
                self.timers.remove(&(at, key));
            }
        }
    }

    /// When the next endpoint is due.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        self.timers.first().map(|(at, _)| *at)
    }

    /// Takes in what the store has due, drops what can no longer be sent before its claim ends, and forgets
    /// endpoints that have been idle for long.
    pub(crate) fn swept(&mut self, due: &[Due], now: Timestamp, sendable: Timestamp) {
        self.sweep += 1;
        let sweep = self.sweep;
        for Due { account, subscription, at } in due {
            let key = (*account, *subscription);
            self.know(key);
            self.update(key, |queue, timers| {
                queue.sweep = sweep;
                let later = Some(*at).filter(|at| *at > now);
                queue.swept(key, later, timers);
                if later.is_none() {
                    queue.mark_due();
                }
            });
        }
        self.tidy(sendable);
    }

    fn tidy(&mut self, sendable: Timestamp) {
        let Self { queues, timers, tallies, sweep, .. } = self;
        let (mut busy, mut expired) = (0, 0);
        queues.retain(|key, queue| {
            if queue.sweep != *sweep {
                queue.swept(*key, None, timers);
            }
            let before = (queue.standing, queue.counts());
            let dropped = drop_expired(queue, *key, sendable, timers);
            if dropped > 0 {
                tallies.change(key.0, before, (queue.standing, queue.counts()));
                expired += dropped;
            }
            busy += usize::from(queue.is_busy());
            queue.idle = if queue.is_idle() { queue.idle + 1 } else { 0 };
            queue.idle < IDLE_SWEEPS_MAX
        });
        self.busy = busy;
        self.expired += expired;
    }
}
