//! Writing: the commands that wait share one durable commit.
//!
//! A lane is a thread with a connection and a queue. It takes every job that waits, runs them in one
//! transaction, commits, and only then answers them. A job that the rules refuse is rolled back to its
//! savepoint and harms no neighbour; when the database itself refuses, the whole batch is undone and its
//! jobs run one by one. While one batch commits the next gathers, so batches grow with the load and a lone
//! command waits for nobody.

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread::JoinHandle,
};

use crossbeam_channel::{Receiver, Sender, TrySendError};
use diesel::{Connection, connection::SimpleConnection, result::Error as DieselError};
use kernel::{Fault, Written, id::IdSource, pending::Answer};

use crate::{
    db::{self, Connector, Db, Use},
    error::{Kind, Stop, fault, kind_of},
    orders::place::{self, PlaceJob},
    webhooks::bell::{Bell, Waiting},
};

/// Commands that share one commit at most.
const BATCH_MAX: usize = 128;
/// Commands that may wait in one lane; beyond it callers are told to come back.
const QUEUE_MAX: usize = 10_000;
/// How often a batch or job is tried before its callers are told to come back.
const TRIES_MAX: usize = 4;

/// A transaction as a command sees it.
pub(crate) struct Tx<'a> {
    pub(crate) db: &'a mut Db,
    pub(crate) ids: &'a IdSource,
    /// Idempotency answers older than this many microseconds no longer count.
    pub(crate) retention: i64,
    /// Events recorded so far.
    pub(crate) events: u64,
    /// Endpoints for which deliveries were opened.
    pub(crate) due: BTreeSet<Waiting>,
}

/// A command waiting to be run.
pub(crate) enum Job {
    /// Orders are placed together by a few statements for all of them.
    Place(Box<PlaceJob>),
    /// Anything else runs by itself under a savepoint.
    Other(Box<dyn Command>),
    /// The same, but a power cut may undo it: it is done again.
    Relaxed(Box<dyn Command>),
}

/// A command that can be run again when its batch was undone.
pub(crate) trait Command: Send {
    /// Runs it and keeps its outcome; an error is the database's, not a refusal.
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), DieselError>;
    /// Gives the kept outcome to the caller.
    fn answer(self: Box<Self>);
    /// Tells the caller what is broken.
    fn fail(self: Box<Self>, fault: Fault);
}

/// A [`Command`] made of a closure.
pub(crate) struct Task<T, E, F> {
    pub(crate) work: F,
    pub(crate) outcome: Option<Written<T, E>>,
    pub(crate) answer: Answer<Written<T, E>>,
}

impl<T, E, F> Command for Task<T, E, F>
where
    T: Send,
    E: Send,
    F: FnMut(&mut Tx<'_>) -> Result<kernel::Done<T>, Stop<E>> + Send,
{
    fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), DieselError> {
        let Self { work, outcome, .. } = self;
        let (ids, retention) = (tx.ids, tx.retention);
        let (mut events, mut due) = (0, BTreeSet::new());
        let result = tx.db.transaction(|db| {
            let mut tx = Tx { db, ids, retention, events: 0, due: BTreeSet::new() };
            let result = work(&mut tx);
            (events, due) = (tx.events, tx.due);
            result
        });
        *outcome = Some(match result {
            Ok(done) => {
                tx.events += events;
                tx.due.append(&mut due);
                Ok(done)
            }
            Err(Stop::Refused(refused)) => Err(refused),
            Err(Stop::Database(error)) => return Err(error),
        });
        Ok(())
    }

    fn answer(self: Box<Self>) {
        if let Some(outcome) = self.outcome {
            self.answer.send(outcome);
        }
    }

    fn fail(self: Box<Self>, fault: Fault) {
        self.answer.send(Err(fault.into()));
    }
}

impl Job {
    fn answer(self) {
        match self {
            Self::Place(job) => job.answer(),
            Self::Other(command) | Self::Relaxed(command) => command.answer(),
        }
    }

    fn fail(self, fault: &Fault) {
        match self {
            Self::Place(job) => job.fail(fault.clone()),
            Self::Other(command) | Self::Relaxed(command) => command.fail(fault.clone()),
        }
    }
}

/// What a lane has done so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) commits: AtomicU64,
    pub(crate) commands: AtomicU64,
    pub(crate) undone: AtomicU64,
    pub(crate) events: AtomicU64,
}

/// The sending end of a lane.
pub(crate) struct Lane {
    queue: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    pub(crate) tally: Arc<Tally>,
}

impl Lane {
    pub(crate) fn start(name: String, parts: Parts) -> std::io::Result<Self> {
        let (queue, jobs) = crossbeam_channel::bounded(QUEUE_MAX);
        let tally = Arc::new(Tally::default());
        let worker = Worker { parts, db: None, is_relaxed: false, tally: Arc::clone(&tally) };
        let thread = std::thread::Builder::new().name(name).spawn(move || worker.work(&jobs))?;
        Ok(Self { queue: Some(queue), thread: Some(thread), tally })
    }

    /// Queues a job; when there is no room its caller is told to come back.
    pub(crate) fn submit(&self, job: Job) {
        let Some(queue) = &self.queue else { return };
        match queue.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(job)) => {
                job.fail(&Fault::Unavailable(format!("{QUEUE_MAX} commands wait already")));
            }
            Err(TrySendError::Disconnected(job)) => {
                job.fail(&Fault::Unavailable("the writer has stopped".to_owned()));
            }
        }
    }

    /// Jobs that wait.
    pub(crate) fn depth(&self) -> usize {
        self.queue.as_ref().map_or(0, Sender::len)
    }
}

impl Drop for Lane {
    /// Lets the thread finish what waits.
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("a writer thread ended by a panic");
        }
    }
}

/// Why a batch was not committed.
pub(crate) enum Undone {
    /// No connection could be opened.
    Unreachable(diesel::ConnectionError),
    /// Nothing of it happened, for this reason.
    Before(DieselError),
    /// The commit's own answer was lost: it may have happened.
    Unknown(DieselError),
    /// The code panicked; nothing of it happened.
    Panicked,
}

/// What a lane works with.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) connector: Connector,
    pub(crate) usage: Use,
    pub(crate) ids: Arc<IdSource>,
    pub(crate) retention: i64,
    pub(crate) bell: Arc<Bell>,
}

struct Worker {
    parts: Parts,
    db: Option<Db>,
    /// Whether the connection is at the moment set not to wait for the disk, on SQLite.
    is_relaxed: bool,
    tally: Arc<Tally>,
}

impl Worker {
    fn work(mut self, jobs: &Receiver<Job>) {
        while let Ok(first) = jobs.recv() {
            let mut batch = vec![first];
            batch.extend(jobs.try_iter().take(BATCH_MAX - 1));
            self.execute(batch);
        }
    }

    fn execute(&mut self, mut batch: Vec<Job>) {
        let tried = self.tried(&mut batch);
        match tried {
            Ok(()) => batch.into_iter().for_each(Job::answer),
            Err(Undone::Before(error)) if batch.len() > 1 && kind_of(&error) != Kind::Lost => {
                self.execute_each(batch);
            }
            Err(Undone::Panicked) if batch.len() > 1 => self.execute_each(batch),
            Err(undone) => {
                let fault = reported(&undone);
                batch.into_iter().for_each(|job| job.fail(&fault));
            }
        }
    }

    /// Finds the job that the database refuses, and spares its neighbours.
    fn execute_each(&mut self, batch: Vec<Job>) {
        for job in batch {
            self.execute(vec![job]);
        }
    }

    /// Commits the batch, again when another attempt can succeed.
    fn tried(&mut self, batch: &mut [Job]) -> Result<(), Undone> {
        let mut tries = 0;
        loop {
            tries += 1;
            let undone = match self.committed(batch, tries > 1) {
                Ok(()) => {
                    self.tally.commits.fetch_add(1, Ordering::Relaxed);
                    self.tally.commands.fetch_add(batch.len() as u64, Ordering::Relaxed);
                    return Ok(());
                }
                Err(undone) => undone,
            };
            self.tally.undone.fetch_add(1, Ordering::Relaxed);
            let again = match &undone {
                Undone::Before(error) => match kind_of(error) {
                    Kind::Lost => {
                        self.db = None;
                        true
                    }
                    Kind::Conflict => true,
                    Kind::Busy | Kind::Other => false,
                },
                Undone::Unreachable(_) | Undone::Unknown(_) | Undone::Panicked => {
                    self.db = None;
                    false
                }
            };
            if !again || tries == TRIES_MAX {
                return Err(undone);
            }
        }
    }

    fn committed(&mut self, batch: &mut [Job], careful: bool) -> Result<(), Undone> {
        let db = match &mut self.db {
            Some(db) => db,
            none => {
                let Parts { connector, usage, .. } = &self.parts;
                let opened = connector.connect(*usage).map_err(Undone::Unreachable)?;
                self.is_relaxed = false;
                none.insert(opened)
            }
        };
        let relaxed = batch.iter().all(|job| matches!(job, Job::Relaxed(_)));
        if relaxed != self.is_relaxed {
            set_relaxed(db, relaxed).map_err(Undone::Before)?;
            self.is_relaxed = relaxed;
        }
        let Parts { ids, retention, bell, .. } = &self.parts;
        let mut tx = Tx { db, ids, retention: *retention, events: 0, due: BTreeSet::new() };
        let run = catch_unwind(AssertUnwindSafe(|| run(&mut tx, batch, careful)));
        run.unwrap_or(Err(Undone::Panicked))?;
        self.tally.events.fetch_add(tx.events, Ordering::Relaxed);
        bell.ring(&tx.due);
        Ok(())
    }
}

/// On SQLite a batch that may be undone by a power cut does not wait for the disk; the next one that may not
/// waits for both. On PostgreSQL the connection decides.
fn set_relaxed(db: &mut Db, relaxed: bool) -> Result<(), DieselError> {
    match db {
        Db::Sqlite(conn) if relaxed => conn.batch_execute("PRAGMA synchronous = NORMAL"),
        Db::Sqlite(conn) => conn.batch_execute("PRAGMA synchronous = FULL"),
        Db::Postgres(_) => Ok(()),
    }
}

/// Runs a batch: orders together, the others one after the other.
fn run(tx: &mut Tx<'_>, batch: &mut [Job], careful: bool) -> Result<(), Undone> {
    if matches!(tx.db, Db::Postgres(_))
        && !careful
        && batch.iter().all(|job| matches!(job, Job::Place(_)))
    {
        // One data-modifying statement is a transaction of its own: no BEGIN and COMMIT to wait for.
        return place::run_at_once(tx, place_jobs(batch));
    }
    db::begin(tx.db).map_err(Undone::Before)?;
    let ran = run_in_tx(tx, batch);
    if let Err(error) = ran {
        // A connection that cannot roll back is lost, which the next use of it finds out.
        let _ = db::rollback(tx.db);
        return Err(Undone::Before(error));
    }
    match db::commit(tx.db) {
        Ok(()) => Ok(()),
        Err(error) if kind_of(&error) == Kind::Lost => Err(Undone::Unknown(error)),
        Err(error) => {
            let _ = db::rollback(tx.db);
            Err(Undone::Before(error))
        }
    }
}

fn run_in_tx(tx: &mut Tx<'_>, batch: &mut [Job]) -> Result<(), DieselError> {
    place::run_in_tx(tx, place_jobs(batch))?;
    for job in batch {
        if let Job::Other(command) | Job::Relaxed(command) = job {
            command.run(tx)?;
        }
    }
    Ok(())
}

fn place_jobs(batch: &mut [Job]) -> Vec<&mut PlaceJob> {
    let places = batch.iter_mut().filter_map(|job| match job {
        Job::Place(job) => Some(&mut **job),
        Job::Other(_) | Job::Relaxed(_) => None,
    });
    places.collect()
}

fn reported(undone: &Undone) -> Fault {
    let fault = match undone {
        Undone::Unreachable(error) => Fault::Unavailable(error.to_string()),
        Undone::Before(error) => fault(error),
        Undone::Unknown(error) => {
            Fault::Unavailable(format!("the commit's answer was lost: {error}"))
        }
        Undone::Panicked => Fault::Internal("a command panicked".to_owned()),
    };
    tracing::error!(%fault, "commands were not committed");
    fault
}
