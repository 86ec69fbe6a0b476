//! A database that takes statements and never answers.
//!
//! A server that is stopped, a proxy that hangs or a firewall that swallows may still acknowledge what it is sent. Then
//! nothing that libpq or TCP can be told ends the wait: libpq waits for an answer without end, and so would everybody
//! behind it. So a thread of its own watches how long each connection has been waiting. Once one has waited longer than
//! any statement may take, the connections to the database are cut, all of them: whoever waits is told that they are
//! lost, as when the server restarts, and connects again.

mod sockets;

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use diesel::connection::InstrumentationEvent;

/// How often is looked whether somebody waits too long; time is counted in these.
const TICK: Duration = Duration::from_millis(500);
/// A server that is alive ends a statement itself when its time is up; that it has done so must arrive within this.
const GRACE: Duration = Duration::from_secs(2);

/// Watches the connections to one database.
#[derive(Debug)]
pub(crate) struct Watch {
    /// Ticks that a connection may wait for one answer.
    ticks_max: u64,
    /// Ticks so far; never 0, which means that a connection waits for nothing.
    now: AtomicU64,
    waiting_since: Mutex<Vec<Weak<AtomicU64>>>,
    /// Where the database has been found so far.
    peers: Mutex<BTreeSet<SocketAddr>>,
    /// Statements that were sent to it, but for those that begin and end transactions.
    statements: AtomicI64,
}

impl Watch {
    /// Watches nothing yet; a statement may take `statement_timeout`.
    pub(crate) fn new(statement_timeout: Duration) -> Self {
        let ticks_max = (statement_timeout + GRACE).as_millis().div_ceil(TICK.as_millis());
        Self {
            ticks_max: u64::try_from(ticks_max).unwrap_or(u64::MAX),
            now: AtomicU64::new(1),
            waiting_since: Mutex::default(),
            peers: Mutex::default(),
            statements: AtomicI64::new(0),
        }
    }

    /// Statements that were sent so far, but for those that begin and end transactions.
    pub(crate) fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed).unsigned_abs()
    }

    /// Starts the thread. It ends soon after nobody else has a share in the watch.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(crate) fn start(self: &Arc<Self>) -> std::io::Result<JoinHandle<()>> {
        let watch = Arc::downgrade(self);
        thread::Builder::new().name("silence".to_owned()).spawn(move || {
            while let Some(watch) = watch.upgrade() {
                if watch.tick() {
                    watch.cut();
                }
                drop(watch);
                thread::sleep(TICK);
            }
        })
    }

    /// Counts a tick; says whether a connection waits too long.
    fn tick(&self) -> bool {
        let now = self.now.fetch_add(1, Ordering::Relaxed) + 1;
        let mut is_silent = false;
        locked(&self.waiting_since).retain(|since| {
            let Some(since) = since.upgrade() else { return false };
            let began = since.load(Ordering::Relaxed);
            if began != 0 && now - began > self.ticks_max {
                // Whoever still waits when the time is up once more is cut once more.
                since.store(now, Ordering::Relaxed);
                is_silent = true;
            }
            true
        });
        is_silent
    }

    fn cut(&self) {
        let cut = sockets::cut(&locked(&self.peers));
        tracing::error!(
            cut,
            "the database takes statements and does not answer: its connections are cut"
        );
    }

    /// Notes where the database is at present, for when it falls silent.
    pub(crate) fn look_up(&self, url: &str) {
        locked(&self.peers).extend(sockets::addresses(url));
    }

    /// A pulse for a new connection.
    pub(crate) fn pulse(self: &Arc<Self>) -> Pulse {
        let since = Arc::new(AtomicU64::new(0));
        locked(&self.waiting_since).push(Arc::downgrade(&since));
        Pulse { since, watch: Arc::clone(self) }
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the watch since when a connection waits.
#[derive(Clone, Debug)]
pub(crate) struct Pulse {
    since: Arc<AtomicU64>,
    watch: Arc<Watch>,
}

impl Pulse {
    /// The wait begins.
    pub(crate) fn begin(&self) {
        self.since.store(self.watch.now.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// The wait is over.
    pub(crate) fn end(&self) {
        self.since.store(0, Ordering::Relaxed);
    }

    /// Hears what its connection does. Each statement has its own time; diesel does not tell the end of every one.
    pub(crate) fn hear(&self, event: &InstrumentationEvent<'_>) {
        let counts = match event {
            InstrumentationEvent::StartQuery { .. } => 1,
            // Told beside the statement that does it.
            InstrumentationEvent::BeginTransaction { .. }
            | InstrumentationEvent::CommitTransaction { .. }
            | InstrumentationEvent::RollbackTransaction { .. } => -1,
            _ => return,
        };
        self.watch.statements.fetch_add(counts, Ordering::Relaxed);
        if counts > 0 && self.since.load(Ordering::Relaxed) != 0 {
            self.begin();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_longer_than_a_statement_may_take_has_met_silence() {
        let watch = Arc::new(Watch::new(Duration::from_secs(1)));
        let (pulse, idle) = (watch.pulse(), watch.pulse());
        pulse.begin();
        // A second, the grace, and what is left of the tick in which it began.
        assert!((0..6).all(|_| !watch.tick()));
        pulse.begin();
        assert!((0..6).all(|_| !watch.tick()));
        assert!(watch.tick());
        assert!((0..6).all(|_| !watch.tick()), "it has been cut just now");
        assert!(watch.tick());
        pulse.end();
        assert!((0..20).all(|_| !watch.tick()));
        drop((pulse, idle));
        assert!(!watch.tick());
        assert!(locked(&watch.waiting_since).is_empty());
    }
}
