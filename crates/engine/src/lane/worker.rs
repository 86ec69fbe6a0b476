//! The thread of a lane.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError};
use diesel::result::Error as DieselError;
use kernel::{
    AccountId, Fault,
    threads::{everybody_waits, go_first},
};

use super::{
    Job, LaneParts, QUEUE_MAX, Queued, Tally, Ticket,
    aside::{Aside, Try},
    batch,
    contended::Contended,
    failing::{Sign, can_succeed, is_of_connection, is_of_one_job, reported},
};
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
/// Which part of the time for which a lock may be waited for a batch waits: the lane's other accounts wait with it.
const USUAL_PART: u32 = 10;
/// The same for an account that is probably held up.
const BRIEF_PART: u32 = 40;

/// How a batch is run.
#[derive(Clone, Copy, Default)]
struct Way {
    /// Whether it locks first what it needs, in a transaction.
    is_careful: bool,
    /// Whether it is not worth waiting for a lock.
    is_brief: bool,
}

/// Why a batch was not committed, and what is to be done about it.
enum Undone {
    /// It has waited in vain for what somebody else has locked.
    InVain(DieselError),
    /// Anything else.
    Failed(BatchFailure),
}

/// What a lane's thread works with.
pub(super) struct Worker {
    parts: LaneParts,
    db: Option<Watched>,
    /// Whether the connection is at the moment set not to wait for the disk, on SQLite.
    is_relaxed: bool,
    /// How long the connection waits for a lock at the moment.
    lock_timeout: Option<Duration>,
    /// How long the connection's plans serve.
    plans: Plans,
    memory: Memory,
    tally: Arc<Tally>,
    waiting: Waiting<Ticket>,
    aside: Aside<Ticket>,
    /// Whose turns have been held up by the batch that is run.
    held_up: Vec<u128>,
    contended: Contended,
}

impl Worker {
    pub(super) fn new(parts: LaneParts, tally: Arc<Tally>) -> Self {
        Self {
            parts,
            db: None,
            is_relaxed: false,
            lock_timeout: None,
            plans: Plans::default(),
            memory: Memory::default(),
            tally,
            waiting: Waiting::default(),
            aside: Aside::default(),
            held_up: Vec::new(),
            contended: Contended::default(),
        }
    }

    pub(super) fn work(mut self, queue: &Receiver<Queued>) {
        everybody_waits();
        // The one writer is what everybody waits for.
        if self.parts.connector.is_sqlite() {
            go_first();
        }
        let mut is_open = true;
        while is_open || self.waiting.len() > 0 || !self.aside.is_empty() {
            if self.waiting.len() == 0 {
                is_open = self.rest(queue, is_open);
            }
            while is_open && self.waiting.len() < WAITING_MAX {
                let Ok(queued) = queue.try_recv() else { break };
                is_open = self.take_in(queued);
            }
            // One at most between two batches: others wait for it.
            self.try_again();
            let batch = self.waiting.batch();
            self.taken(&batch);
            self.execute(batch);
        }
    }

    /// Waits for a job, or until one that stands aside is to be tried again; whether others may follow.
    fn rest(&mut self, queue: &Receiver<Queued>, is_open: bool) -> bool {
        let Some(due) = self.aside.due() else {
            return is_open && queue.recv().is_ok_and(|queued| self.take_in(queued));
        };
        if !is_open {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            return false;
        }
        match queue.recv_deadline(due) {
            Ok(queued) => self.take_in(queued),
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    /// Takes in a job; whether others may follow.
    fn take_in(&mut self, queued: Queued) -> bool {
        match queued {
            Queued::Job(ticket) if self.aside.has(ticket.turn) => {
                if self.aside.len() < QUEUE_MAX {
                    self.aside.add(ticket.turn, ticket.job.weight(), ticket, Instant::now());
                } else {
                    let behind = usize::from(ticket.job.gives_way());
                    self.tally.behind.fetch_sub(behind, Ordering::Relaxed);
                    let why = format!("{QUEUE_MAX} commands wait already for locks of others");
                    ticket.job.fail(&Fault::Unavailable(why));
                }
                true
            }
            Queued::Job(ticket) => {
                self.waiting.add(ticket.turn, ticket.job.weight(), ticket);
                true
            }
            Queued::Close => false,
        }
    }

    /// Notes that these are run now.
    fn taken(&self, batch: &[Ticket]) {
        let behind = batch.iter().filter(|ticket| ticket.job.gives_way()).count();
        self.tally.behind.fetch_sub(behind, Ordering::Relaxed);
        self.note_those_that_wait();
    }

    fn note_those_that_wait(&self) {
        let held_up = self.aside.len();
        self.tally.waiting.store(self.waiting.len() + held_up, Ordering::Relaxed);
        self.tally.held_up.store(held_up, Ordering::Relaxed);
    }

    /// Tries an account again that is held up, if it is time to.
    fn try_again(&mut self) {
        let Some(Try { turn, batch, rest }) = self.aside.take_due(Instant::now()) else { return };
        self.taken(&batch);
        self.run(batch, Way { is_careful: self.contended.has(turn), is_brief: true });
        for (weight, ticket) in self.aside.tried(turn, rest, Instant::now()) {
            self.waiting.add(turn, weight, ticket);
        }
        self.note_those_that_wait();
    }

    fn execute(&mut self, batch: Vec<Ticket>) {
        self.contended.expire(Instant::now());
        let (alone, shared): (Vec<_>, Vec<_>) =
            batch.into_iter().partition(|ticket| self.contended.has(ticket.turn));
        self.run(shared, Way::default());
        for batch in by_turn(alone) {
            self.run(batch, Way { is_careful: true, is_brief: false });
        }
        // Those of accounts that are held up by now go with them, before any others come.
        for turn in std::mem::take(&mut self.held_up) {
            for (weight, ticket) in self.waiting.take_all_of(turn) {
                self.aside.add(turn, weight, ticket, Instant::now());
            }
        }
    }

    /// Runs jobs and answers them, or has them stand aside.
    fn run(&mut self, mut batch: Vec<Ticket>, way: Way) {
        if batch.is_empty() {
            return;
        }
        match self.commit(&mut batch, way) {
            Ok(()) => batch.into_iter().for_each(|ticket| ticket.job.answer()),
            Err(Undone::InVain(error)) => {
                let turns = by_turn(batch);
                let is_one = turns.len() == 1;
                for batch in turns {
                    match is_one {
                        true => self.hold_up(batch, &error),
                        // Finds those that are held up, and spares their neighbours.
                        false => self.run(batch, Way { is_brief: true, ..way }),
                    }
                }
            }
            Err(Undone::Failed(BatchFailure::Overtaken { accounts, .. })) => {
                self.set_apart(batch, &accounts, way);
            }
            Err(Undone::Failed(failure)) if batch.len() > 1 && is_of_one_job(&failure) => {
                // Finds the job that the database refuses, and spares its neighbours.
                for ticket in batch {
                    match self.aside.has(ticket.turn) {
                        // One before it is held up.
                        true => self.stand_aside(ticket),
                        false => self.run(vec![ticket], way),
                    }
                }
            }
            Err(Undone::Failed(failure)) => {
                let fault = reported(&failure);
                batch.into_iter().for_each(|ticket| ticket.job.fail(&fault));
            }
        }
    }

    /// Has the jobs of an account stand aside; those that have waited too long are told so.
    fn hold_up(&mut self, batch: Vec<Ticket>, error: &DieselError) {
        let patience = self.parts.connector.statement_timeout();
        let mut given_up = None;
        for ticket in batch {
            let (turn, now) = (ticket.turn, Instant::now());
            if self.aside.hold_up(turn, now) {
                let account = ticket.account.map(tracing::field::display);
                tracing::warn!(account, %error, "commands wait for what another connection has locked");
                self.held_up.push(turn);
            }
            if now.saturating_duration_since(ticket.since) < patience {
                self.stand_aside(ticket);
            } else {
                let fault = given_up.get_or_insert_with(|| fault(error));
                ticket.job.fail(fault);
            }
        }
        if let Some(fault) = given_up {
            tracing::error!(%fault, "commands were not committed");
        }
        self.note_those_that_wait();
    }

    fn stand_aside(&mut self, ticket: Ticket) {
        let behind = usize::from(ticket.job.gives_way());
        self.tally.behind.fetch_add(behind, Ordering::Relaxed);
        self.aside.add(ticket.turn, ticket.job.weight(), ticket, Instant::now());
    }

    /// Runs the jobs of others than these accounts at once, and has each of these lock first what it needs.
    fn set_apart(&mut self, batch: Vec<Ticket>, accounts: &BTreeSet<AccountId>, way: Way) {
        let is_overtaken =
            |ticket: &Ticket| ticket.account.is_some_and(|own| accounts.contains(&own));
        let (overtaken, others): (Vec<_>, Vec<_>) = batch.into_iter().partition(is_overtaken);
        // That is each time one less.
        self.run(others, Way { is_careful: way.is_careful || overtaken.is_empty(), ..way });
        for batch in by_turn(overtaken) {
            if let Some(Ticket { turn, .. }) = batch.first() {
                self.contended.add(*turn, Instant::now());
                self.tally.overtaken.fetch_add(1, Ordering::Relaxed);
            }
            self.run(batch, Way { is_careful: true, ..way });
        }
    }

    /// Commits the batch, again when another attempt can succeed.
    fn commit(&mut self, batch: &mut [Ticket], way: Way) -> Result<(), Undone> {
        let lock_timeout = self.parts.connector.lock_timeout();
        let lock_timeout = lock_timeout / if way.is_brief { BRIEF_PART } else { USUAL_PART };
        let mut before = None;
        for attempt in 1.. {
            let started = Instant::now();
            let outcome = self.attempt(batch, way.is_careful || attempt > 1, lock_timeout);
            let took = started.elapsed();
            self.tally.pace.took(took, Instant::now());
            let failure = match outcome {
                Ok(()) => {
                    self.tally.commits.fetch_add(1, Ordering::Relaxed);
                    self.tally.commands.fetch_add(batch.len() as u64, Ordering::Relaxed);
                    let live = batch.iter().filter(|ticket| !ticket.job.gives_way()).count();
                    self.tally.live.fetch_add(live as u64, Ordering::Relaxed);
                    break;
                }
                Err(failure) => failure,
            };
            self.tally.undone.fetch_add(1, Ordering::Relaxed);
            if self.drops_connection(&failure) {
                self.db = None;
                self.memory = Memory::default();
            }
            let error = match failure {
                BatchFailure::NotCommitted(error) => error,
                failure => return Err(Undone::Failed(failure)),
            };
            let sign = Sign::of(&error);
            if self.was_in_vain(&sign, took, lock_timeout) {
                return Err(Undone::InVain(error));
            }
            let is_quick = took < TROUBLE_RETRY_WITHIN;
            if attempt == TRIES_MAX || !can_succeed(&sign, before.as_ref(), is_quick) {
                return Err(Undone::Failed(BatchFailure::NotCommitted(error)));
            }
            before = Some(sign);
        }
        Ok(())
    }

    /// Whether an attempt has waited for a lock in vain. The driver tells of SQLSTATE 55P03 that it is none of those that it
    /// has kinds for; what else may be in the way for so long (no memory, no room on the disk) is worth waiting for, too. Whoever
    /// has waited longer than a statement may take has met its time-out, and would again.
    fn was_in_vain(&self, sign: &Sign, took: Duration, lock_timeout: Duration) -> bool {
        let connector = &self.parts.connector;
        !connector.is_sqlite()
            && sign.class() == ErrorClass::Trouble
            && (lock_timeout..connector.statement_timeout()).contains(&took)
    }

    fn drops_connection(&self, failure: &BatchFailure) -> bool {
        match failure {
            BatchFailure::NotCommitted(error) => is_of_connection(error),
            BatchFailure::Overtaken { .. } => false,
            BatchFailure::Unreachable(_)
            | BatchFailure::OutcomeUnknown(_)
            | BatchFailure::Panicked => true,
        }
    }

    fn attempt(
        &mut self,
        batch: &mut [Ticket],
        careful: bool,
        lock_timeout: Duration,
    ) -> Result<(), BatchFailure> {
        let db = match &mut self.db {
            Some(db) => db,
            none => {
                let LaneParts { connector, usage, .. } = &self.parts;
                let opened = connector.outage().attempt(|| Watched::connect(connector, *usage));
                let opened = opened.map_err(BatchFailure::Unreachable)?;
                (self.is_relaxed, self.lock_timeout) = (false, None);
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
        if self.lock_timeout != Some(lock_timeout) {
            db::set_lock_timeout(&mut db, lock_timeout).map_err(BatchFailure::NotCommitted)?;
            self.lock_timeout = Some(lock_timeout);
        }
        let relaxed = batch.iter().all(|ticket| matches!(ticket.job, Job::Relaxed(_)));
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
        let weight = batch.iter().map(|ticket| ticket.job.weight()).sum();
        self.plans.used(weight);
        if let Some(checkpoints) = checkpoints {
            checkpoints.committed(weight);
        }
        Ok(())
    }
}

/// The jobs of each account, in the order in which they came.
fn by_turn(batch: Vec<Ticket>) -> Vec<Vec<Ticket>> {
    let mut turns: Vec<Vec<Ticket>> = Vec::new();
    for ticket in batch {
        let is_own =
            |turn: &&mut Vec<Ticket>| turn.first().is_some_and(|first| first.turn == ticket.turn);
        match turns.iter_mut().find(is_own) {
            Some(turn) => turn.push(ticket),
            None => turns.push(vec![ticket]),
        }
    }
    turns
}
