//! Telling other processes of deliveries: by a thread of its own, after the commit.

use std::{
    collections::BTreeSet,
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};

use super::{DELIVERIES_CHANNEL, Waiting, notify, spawn};
use crate::db::{Connector, Db, Use};

/// PostgreSQL refuses longer payloads.
const PAYLOAD_BYTES_MAX: usize = 7_900;
/// Announcements that wait; more are not told one by one.
const QUEUE_MAX: usize = 10_000;
/// The connection may have gone since the last announcement.
const TRIES: usize = 2;
/// How long what cannot be told waits to be told again.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Says that any endpoint may have deliveries.
pub(super) const ANY: &str = "";

/// Announces deliveries.
pub(super) struct Announcer {
    queue: Sender<Vec<Waiting>>,
    /// Whether some found no place in the queue.
    overflown: Arc<AtomicBool>,
}

impl Announcer {
    /// Starts it, where there are other processes: until it is dropped.
    pub(super) fn start(connector: &Connector) -> Option<Self> {
        if connector.is_sqlite() {
            return None;
        }
        let (queue, announcements) = crossbeam_channel::bounded(QUEUE_MAX);
        let (connector, overflown) = (connector.clone(), Arc::new(AtomicBool::new(false)));
        let announcing =
            Announcing { connector, announcements, overflown: Arc::clone(&overflown), db: None };
        spawn("deliveries-told", move || announcing.run())?;
        Some(Self { queue, overflown })
    }

    /// Has these endpoints announced.
    pub(super) fn announce(&self, due: Vec<Waiting>) {
        if self.queue.try_send(due).is_err() {
            self.overflown.store(true, Relaxed);
        }
    }
}

/// What the thread works with.
struct Announcing {
    connector: Connector,
    announcements: Receiver<Vec<Waiting>>,
    overflown: Arc<AtomicBool>,
    db: Option<Db>,
}

impl Announcing {
    /// Announces what waits, together. What cannot be told is told with what follows, or after a while.
    fn run(mut self) {
        while let Ok(first) = self.announcements.recv() {
            let mut due: BTreeSet<Waiting> = first.into_iter().collect();
            due.extend(self.announcements.try_iter().flatten());
            while !self.tell_or_reconnect(&due) {
                if !self.gather(&mut due, Instant::now() + RETRY_PAUSE) {
                    return;
                }
            }
        }
    }

    /// Takes in what comes until a moment; whether there is anybody from whom anything can come.
    fn gather(&self, due: &mut BTreeSet<Waiting>, until: Instant) -> bool {
        loop {
            match self.announcements.recv_deadline(until) {
                Ok(more) => due.extend(more),
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    fn tell_or_reconnect(&mut self, due: &BTreeSet<Waiting>) -> bool {
        let mut payloads = payloads(due);
        if self.overflown.swap(false, Relaxed) {
            payloads.push(ANY.to_owned());
        }
        for _ in 0..TRIES {
            if self.tell(&payloads) {
                return true;
            }
            self.db = None;
        }
        if payloads.last().is_some_and(|payload| payload == ANY) {
            self.overflown.store(true, Relaxed);
        }
        false
    }

    /// Over a connection that is opened if there is none.
    fn tell(&mut self, payloads: &[String]) -> bool {
        if self.db.is_none() {
            self.db = self.connector.connect(Use::Relaxed).ok();
        }
        let Some(Db::Postgres(conn)) = &mut self.db else { return false };
        payloads.iter().all(|payload| notify(conn, DELIVERIES_CHANNEL, payload.clone()).is_ok())
    }
}

fn payloads(due: &BTreeSet<Waiting>) -> Vec<String> {
    let (mut payloads, mut payload) = (Vec::new(), String::new());
    for (account, subscription) in due {
        let line = format!("{account} {subscription}\n");
        if payload.len() + line.len() > PAYLOAD_BYTES_MAX {
            payloads.push(mem::take(&mut payload));
        }
        payload.push_str(&line);
    }
    payloads.push(payload);
    payloads
}

#[cfg(test)]
mod tests {
    use kernel::AccountId;
    use webhooks::SubscriptionId;

    use super::{super::heard, *};

    #[test]
    fn what_is_told_is_heard() {
        for count in [1, 10, 1_000] {
            let waiting = |n| (AccountId::from_u128(n), SubscriptionId::from_u128(n));
            let due: BTreeSet<Waiting> = (0..count).map(waiting).collect();
            let told = payloads(&due);
            assert!(told.iter().all(|payload| payload.len() <= PAYLOAD_BYTES_MAX));
            assert!(told.iter().all(|payload| payload != ANY));
            let heard: Vec<_> = told.iter().flat_map(|payload| heard(payload)).collect();
            assert_eq!(heard, due.into_iter().collect::<Vec<_>>());
        }
    }
}
