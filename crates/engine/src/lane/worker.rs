//! The thread of a lane.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use crossbeam_channel::Receiver;
use diesel::result::Error as DieselError;
use kernel::{Fault, threads::go_first};

use super::{Job, LaneParts, Queued, Tally, batch};
use crate::{
    db,
    error::{ErrorClass, fault},
    jobs::BatchFailure,
    memory::Memory,
    plans::Plans,
    tx::{Effects, Tx},
    waiting::Waiting,
    watched::Watched,
};

/// Jobs among which turns are taken; more stay in the queue.
const WAITING_MAX: usize = 1_024;
/// How often a batch or job is tried before its callers are told to come back.
const TRIES_MAX: usize = 4;
/// A batch that failed for a reason without a name is tried once more, unless it took longer than this: then it was
/// a time-out, and would be one again. PostgreSQL finds a deadlock after a second.
const TROUBLE_RETRY_WITHIN: Duration = Duration::from_secs(3);

/// What a lane's thread works with.
pub(super) struct Worker {
    parts: LaneParts,
    db: Option<Watched>,
    /// Whether the connection is at the moment set not to wait for the disk, on SQLite.
    is_relaxed: bool,
    /// How long the connection's plans serve.
    plans: Plans,
    memory: Memory,
    tally: Arc<Tally>,
}

impl Worker {
    pub(super) fn new(parts: LaneParts, tally: Arc<Tally>) -> Self {
        let (plans, memory) = (Plans::default(), Memory::default());
        Self { parts, db: None, is_relaxed: false, plans, memory, tally }
    }

    pub(super) fn work(mut self, queue: &Receiver<Queued>) {
        // The one writer is what everybody waits for.
        if self.parts.connector.is_sqlite() {
            go_first();
        }
        let mut waiting = Waiting::default();
        let mut is_open = true;
        while is_open || waiting.len() > 0 {
            if waiting.len() == 0 {
                is_open = queue.recv().is_ok_and(|queued| take_in(&mut waiting, queued));
            }
            while is_open && waiting.len() < WAITING_MAX {
                let Ok(queued) = queue.try_recv() else { break };
                is_open = take_in(&mut waiting, queued);
            }
            let batch = waiting.batch();
            self.tally.waiting.store(waiting.len(), Ordering::Relaxed);
            let behind = batch.iter().filter(|job| job.gives_way()).count();
            self.tally.behind.fetch_sub(behind, Ordering::Relaxed);
            if !batch.is_empty() {
                self.execute(batch);
            }
        }
    }

    fn execute(&mut self, mut batch: Vec<Job>) {
        match self.commit(&mut batch) {
            Ok(()) => batch.into_iter().for_each(Job::answer),
            Err(failure) if batch.len() > 1 && is_of_one_job(&failure) => {
                // Finds the job that the database refuses, and spares its neighbours.
                for job in batch {
                    self.execute(vec![job]);
                }
            }
            Err(failure) => {
                let fault = reported(&failure);
                batch.into_iter().for_each(|job| job.fail(&fault));
            }
        }
    }

    /// Commits the batch, again when another attempt can succeed.
    fn commit(&mut self, batch: &mut [Job]) -> Result<(), BatchFailure> {
        let mut before = None;
        for attempt in 1.. {
            let started = Instant::now();
            let failure = match self.attempt(batch, attempt > 1) {
                Ok(()) => {
                    self.tally.commits.fetch_add(1, Ordering::Relaxed);
                    self.tally.commands.fetch_add(batch.len() as u64, Ordering::Relaxed);
                    let live = batch.iter().filter(|job| !job.gives_way()).count();
                    self.tally.live.fetch_add(live as u64, Ordering::Relaxed);
                    break;
                }
                Err(failure) => failure,
            };
            self.tally.undone.fetch_add(1, Ordering::Relaxed);
            let is_quick = started.elapsed() < TROUBLE_RETRY_WITHIN;
            if self.drops_connection(&failure) {
                self.db = None;
                self.memory = Memory::default();
            }
            let BatchFailure::NotCommitted(error) = &failure else { return Err(failure) };
            let sign = Sign::of(error);
            if attempt == TRIES_MAX || !can_succeed(&sign, before.as_ref(), is_quick) {
                return Err(failure);
            }
            before = Some(sign);
        }
        Ok(())
    }

    fn drops_connection(&self, failure: &BatchFailure) -> bool {
        match failure {
            BatchFailure::NotCommitted(error) => is_of_connection(error),
            BatchFailure::Unreachable(_)
            | BatchFailure::OutcomeUnknown(_)
            | BatchFailure::Panicked => true,
        }
    }

    fn attempt(&mut self, batch: &mut [Job], careful: bool) -> Result<(), BatchFailure> {
        let db = match &mut self.db {
            Some(db) => db,
            none => {
                let LaneParts { connector, usage, .. } = &self.parts;
                let opened = connector.outage().attempt(|| Watched::connect(connector, *usage));
                let opened = opened.map_err(BatchFailure::Unreachable)?;
                self.is_relaxed = false;
                self.plans = Plans::default();
                self.memory = Memory::default();
                none.insert(opened)
            }
        };
        let mut db = db.in_use();
        if self.plans.are_old() {
            db::forget_plans(&mut db).map_err(BatchFailure::NotCommitted)?;
            self.plans.renewed();
        }
        let relaxed = batch.iter().all(|job| matches!(job, Job::Relaxed(_)));
        if relaxed != self.is_relaxed {
            batch::set_relaxed(&mut db, relaxed).map_err(BatchFailure::NotCommitted)?;
            self.is_relaxed = relaxed;
        }
        let LaneParts { ids, retention, after_commit, figures, checkpoints, .. } = &self.parts;
        let (effects, held) = (Effects::default(), BTreeMap::new());
        let mut tx = Tx { db: &mut db, ids, retention: *retention, effects, held };
        let run = catch_unwind(AssertUnwindSafe(|| {
            batch::run(&mut tx, &mut self.memory, batch, careful)
        }));
        run.unwrap_or(Err(BatchFailure::Panicked))?;
        self.memory.used(tx.effects.outdated());
        figures.add(tx.effects.counts());
        after_commit.committed(tx.effects.wakeups());
        let weight = batch.iter().map(Job::weight).sum();
        self.plans.used(weight);
        if let Some(checkpoints) = checkpoints {
            checkpoints.committed(weight);
        }
        Ok(())
    }
}

/// Takes in a job; whether others may follow.
fn take_in(waiting: &mut Waiting<Job>, queued: Queued) -> bool {
    match queued {
        Queued::Job(turn, job) => {
            waiting.add(turn, job.weight(), job);
            true
        }
        Queued::Close => false,
    }
}

/// By what an error is known again.
#[derive(PartialEq, Eq)]
struct Sign {
    class: ErrorClass,
    constraint: Option<String>,
}

impl Sign {
    fn of(error: &DieselError) -> Self {
        let constraint = match error {
            DieselError::DatabaseError(_, information) => {
                information.constraint_name().map(str::to_owned)
            }
            _ => None,
        };
        Self { class: ErrorClass::of(error), constraint }
    }
}

/// Whether another attempt can succeed; `before` is what the last one failed by.
fn can_succeed(sign: &Sign, before: Option<&Sign>, is_quick: bool) -> bool {
    match sign.class {
        ErrorClass::Lost | ErrorClass::Conflict => true,
        // One new connection tells whether it was the old one's fault.
        ErrorClass::ReadOnly => before != Some(sign),
        // Whoever was faster has committed: the rules see its row now. The same again is a defect.
        ErrorClass::Duplicate => before != Some(sign),
        ErrorClass::Trouble => is_quick && before != Some(sign),
        ErrorClass::Defect => false,
    }
}

/// Whether another connection may not have the trouble.
fn is_of_connection(error: &DieselError) -> bool {
    matches!(ErrorClass::of(error), ErrorClass::Lost | ErrorClass::ReadOnly)
}

/// Whether one job of the batch may be at fault, rather than the connection.
fn is_of_one_job(failure: &BatchFailure) -> bool {
    match failure {
        BatchFailure::NotCommitted(error) => !is_of_connection(error),
        BatchFailure::Panicked => true,
        BatchFailure::Unreachable(_) | BatchFailure::OutcomeUnknown(_) => false,
    }
}

fn reported(failure: &BatchFailure) -> Fault {
    let fault = match failure {
        BatchFailure::Unreachable(reason) => Fault::Unavailable(reason.clone()),
        BatchFailure::NotCommitted(error) => fault(error),
        BatchFailure::OutcomeUnknown(error) => {
            Fault::Unavailable(format!("the commit's answer was lost: {error}"))
        }
        BatchFailure::Panicked => Fault::Internal("a command panicked".to_owned()),
    };
    tracing::error!(%fault, "commands were not committed");
    fault
}
