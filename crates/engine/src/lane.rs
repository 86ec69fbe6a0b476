//! Writing: the commands that wait share one durable commit.
//!
//! A lane is a thread with a connection and a queue. It takes the jobs that wait, by turns of their accounts, runs
//! them in one transaction, commits, and only then answers them. A job that the rules refuse is rolled back to its
//! savepoint and harms no neighbour; when the database itself refuses, the whole batch is undone and its
//! jobs run one by one. Where it has waited in vain for what somebody else has locked, those of each account are run
//! apart, and those of the one that is held up stand aside while the lane goes on. While one batch commits the next
//! gathers, so batches grow with the load and a lone command waits for nobody.

mod aside;
mod batch;
mod contended;
mod failing;
mod pace;
mod worker;

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread::JoinHandle,
    time::Instant,
};

use crossbeam_channel::{Sender, TrySendError};
use kernel::{AccountId, Fault, id::IdSource};

use crate::{
    checkpoints::Checkpoints,
    command::Command,
    db::{Connector, Use},
    figures::Figures,
    jobs::Together,
    tx::Wakeup,
};
use pace::Pace;
use worker::Worker;

/// Commands that may wait in one lane; beyond it callers are told to come back.
const QUEUE_MAX: usize = 10_000;

/// What follows a commit.
pub trait AfterCommit: Send + Sync {
    /// Wakes those who have work now.
    fn committed(&self, wakeups: &BTreeSet<Wakeup>);
}

/// Something waiting to be run.
pub(crate) enum Job {
    /// Executed together with others of its kind.
    Together(Box<dyn Together>),
    /// Runs by itself under a savepoint.
    Alone(Box<dyn Command>),
    /// The same, but a power cut may undo it: it is done again.
    Relaxed(Box<dyn Command>),
}

impl Job {
    /// What it weighs beside others, see [`Together::weight`].
    fn weight(&self) -> u64 {
        match self {
            Self::Together(job) => job.weight(),
            Self::Alone(_) | Self::Relaxed(_) => 1,
        }
    }

    /// Whether nobody is in a hurry for it: a part of a large work, or what may be done again.
    fn gives_way(&self) -> bool {
        match self {
            Self::Together(_) => false,
            Self::Alone(command) => command.gives_way(),
            Self::Relaxed(_) => true,
        }
    }

    fn answer(self) {
        match self {
            Self::Together(job) => job.answer(),
            Self::Alone(command) | Self::Relaxed(command) => command.answer(),
        }
    }

    fn fail(self, fault: &Fault) {
        match self {
            Self::Together(job) => job.fail(fault.clone()),
            Self::Alone(command) | Self::Relaxed(command) => command.fail(fault.clone()),
        }
    }
}

/// A job that waits.
struct Ticket {
    /// Whose turn it is.
    turn: u128,
    /// The account, if it is of one.
    account: Option<AccountId>,
    since: Instant,
    job: Job,
}

/// What stands in a lane's queue.
enum Queued {
    /// A job.
    Job(Ticket),
    /// The last one: what is queued behind it is not run.
    Close,
}

/// What a lane has done so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) commits: AtomicU64,
    pub(crate) commands: AtomicU64,
    /// Commands among them that do not give way.
    pub(crate) live: AtomicU64,
    pub(crate) undone: AtomicU64,
    /// Jobs that were taken from the queue and are not run yet.
    pub(crate) waiting: AtomicUsize,
    /// Jobs among them that stand aside.
    pub(crate) held_up: AtomicUsize,
    /// Accounts in which another node was faster, each time that it was.
    pub(crate) overtaken: AtomicU64,
    /// Jobs that give way, in the queue or taken from it and not run yet.
    pub(crate) behind: AtomicUsize,
    /// How long its batches take, those that are undone among them.
    pub(crate) pace: Pace,
}

/// What a lane works with.
#[derive(Clone)]
pub(crate) struct LaneParts {
    pub(crate) connector: Connector,
    pub(crate) usage: Use,
    pub(crate) ids: Arc<IdSource>,
    pub(crate) retention: i64,
    pub(crate) after_commit: Arc<dyn AfterCommit>,
    pub(crate) figures: Arc<Figures>,
    /// What follows commits on SQLite.
    pub(crate) checkpoints: Option<Arc<Checkpoints>>,
}

/// The sending end of a lane.
pub(crate) struct Lane {
    queue: Sender<Queued>,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// Jobs of nobody so far, if each has a turn of its own.
    of_nobody: Option<AtomicU64>,
    pub(crate) tally: Arc<Tally>,
}

impl Lane {
    pub(crate) fn start(name: String, parts: LaneParts) -> std::io::Result<Self> {
        let (queue, jobs) = crossbeam_channel::bounded(QUEUE_MAX);
        let tally = Arc::new(Tally::default());
        // Where one writer does everything, what is done for nobody takes turns with accounts as one of them.
        let of_nobody = (!parts.connector.is_sqlite()).then(AtomicU64::default);
        let worker = Worker::new(parts, Arc::clone(&tally));
        let thread = std::thread::Builder::new().name(name).spawn(move || worker.work(&jobs))?;
        Ok(Self { queue, thread: Mutex::new(Some(thread)), of_nobody, tally })
    }

    /// Queues a job; when there is no room its caller is told to come back. Jobs of one account are run in the
    /// order in which they come, those of others by turns. One of nobody stands for itself: where it is held up, the
    /// others are not.
    pub(crate) fn submit(&self, account: Option<AccountId>, job: Job) {
        let own = || self.of_nobody.as_ref().map(|number| number.fetch_add(1, Ordering::Relaxed));
        let turn = account.map(AccountId::to_u128);
        let turn = turn.unwrap_or_else(|| own().unwrap_or_default().into());
        let ticket = Ticket { turn, account, since: Instant::now(), job };
        let behind = usize::from(ticket.job.gives_way());
        self.tally.behind.fetch_add(behind, Ordering::Relaxed);
        let (queued, why) = match self.queue.try_send(Queued::Job(ticket)) {
            Ok(()) => return,
            Err(TrySendError::Full(queued)) => {
                (queued, format!("{QUEUE_MAX} commands wait already"))
            }
            Err(TrySendError::Disconnected(queued)) => {
                (queued, "the writer has stopped".to_owned())
            }
        };
        self.tally.behind.fetch_sub(behind, Ordering::Relaxed);
        if let Queued::Job(ticket) = queued {
            ticket.job.fail(&Fault::Unavailable(why));
        }
    }

    /// Jobs that wait.
    pub(crate) fn depth(&self) -> usize {
        self.queue.len() + self.tally.waiting.load(Ordering::Relaxed)
    }

    /// Jobs that wait and those that are committed, but such that give way.
    pub(crate) fn traffic(&self) -> (usize, u64) {
        let behind = self.tally.behind.load(Ordering::Relaxed);
        (self.depth().saturating_sub(behind), self.tally.live.load(Ordering::Relaxed))
    }

    /// Lets the thread finish what waits, and waits for it. What is submitted from now on is refused.
    pub(crate) fn close(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else { return };
        // Only a thread that has ended already takes no more.
        drop(self.queue.send(Queued::Close));
        if thread.join().is_err() {
            tracing::error!("a writer thread ended by a panic");
        }
    }
}

impl Drop for Lane {
    /// As [`Lane::close`].
    fn drop(&mut self) {
        self.close();
    }
}
