//! Working off files of rows, batch by batch.
//!
//! A file is read once into a spool, without any writer; from there its rows are worked off in the order of the spool.
//! How many of them are done is on record with what has come of them, so that whoever takes an import up again goes on
//! where it was: it finds the spool, or makes it anew from the file.

mod batches;
mod files;
mod holding;
mod made;
mod pace;
mod scan;
mod seen;
mod sweeping;

use std::{
    io,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use imports::{
    Applied, BATCH_ROWS_MAX, Batch, BatchRow, Begun, Code, ERRORS_MAX, FILE_MISSING, Import,
    ImportFailure, ImportKind, ImportQueue, ImportState, OnError, Problem, Verdict,
};
use kernel::{Clock, Fault, Pending, Refused, Timestamp, Written, message, threads::give_way};
use tasks::{
    End, Progress, Standing, Task, TaskKind, Why,
    kind::{IMPORT_CUSTOMERS, IMPORT_PRODUCTS, IMPORT_STOCK},
};
use tokio::runtime::Handle;

use crate::{
    halt::{paused, postponed},
    recorded::gone,
    tasks::{Hold, Performed, Performing, Work},
};
use batches::Batches;
pub use files::KeptFiles;
use holding::Holding;
use made::Made;
use pace::Pace;
pub use sweeping::FileSweep;
use sweeping::sweep;

/// Between two times that the claim is held, if nothing has gone wrong.
const STEP_TIME: Duration = Duration::from_secs(30);
/// Seconds for which an import keeps the imports of other accounts waiting. Whoever goes on with it reads over what is done.
const TURN_SECONDS: i64 = 15;
/// Between two looks whether there are such.
const TURN_LOOK: Duration = Duration::from_millis(250);
/// Seconds until it is looked whether another import of the account has ended.
const WAIT_SECONDS: i64 = 2;
/// Seconds before each further attempt after something was away; the last of them before all that follow.
const PAUSES: &[i64] = &[2, 5, 15, 60, 300, 900, 1_800];
/// How often a file is looked for once more that is not there: its folder may be on a disk that comes back, or within the
/// reach of another process.
const MISSING_ATTEMPTS: u32 = 4;

/// Works off the imports of a kind that are on record in a queue.
pub struct Importing {
    kind: ImportKind,
    shared: Arc<Shared>,
}

struct Shared {
    queue: Arc<dyn ImportQueue>,
    files: Arc<KeptFiles>,
    clock: Arc<dyn Clock>,
}

impl Importing {
    /// Imports of every kind that are on record in `queue`, whose files are in `files`.
    pub fn of_every_kind(
        queue: &Arc<impl ImportQueue + 'static>,
        files: &Arc<KeptFiles>,
        clock: &Arc<dyn Clock>,
    ) -> Vec<Arc<dyn Work>> {
        let (queue, files, clock) = (Arc::clone(queue), Arc::clone(files), Arc::clone(clock));
        let shared = Arc::new(Shared { queue, files, clock });
        let of = |kind: &ImportKind| -> Arc<dyn Work> {
            Arc::new(Self { kind: *kind, shared: Arc::clone(&shared) })
        };
        ImportKind::EVERY.iter().map(of).collect()
    }
}

impl Work for Importing {
    fn kind(&self) -> &'static TaskKind {
        match self.kind {
            ImportKind::Products => &IMPORT_PRODUCTS,
            ImportKind::Customers => &IMPORT_CUSTOMERS,
            ImportKind::Stock => &IMPORT_STOCK,
        }
    }

    fn attempt_time(&self) -> Duration {
        STEP_TIME
    }

    fn perform(&self, task: Task, hold: Hold) -> Performing {
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let (answer, done) = Pending::channel();
            let attempts = task.attempts;
            let handle = Handle::current();
            let thread = thread::Builder::new().name("import".to_owned()).spawn(move || {
                give_way();
                let step = Step { shared: &shared, task: &task, hold: &hold, handle: &handle };
                answer.send(step.performed());
            });
            let failed = |why: &str| after(&Fault::Internal(why.to_owned()), attempts);
            match thread {
                Err(_) => failed("no thread to import on"),
                Ok(_) => done.await.unwrap_or_else(|| failed("importing panicked")),
            }
        })
    }
}

/// What follows from a fault after so many attempts. It is not given up: its file is kept, and whoever waits can cancel it.
fn after(fault: &Fault, attempts: u32) -> Performed {
    postponed(fault, attempts, PAUSES)
}

/// Why an import does not go on.
enum Halt {
    /// Something outside was away.
    Fault(Fault),
    /// The file is at fault.
    Failed(ImportFailure),
    /// The file is not where this process looks.
    Missing(io::Error),
    /// What follows is known.
    Because(Performed),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// The time that an import has while others wait.
struct Turn {
    began: Timestamp,
    looked_at: Option<Instant>,
}

/// What a queue has answered.
fn written<T, E>(answer: Pending<Written<T, E>>) -> Result<T, Halt> {
    match answer.wait() {
        Some(Ok(done)) => Ok(done.value),
        Some(Err(Refused::Fault(fault))) => Err(fault.into()),
        Some(Err(_)) | None => Err(gone().into()),
    }
}

/// One attempt.
struct Step<'a> {
    shared: &'a Shared,
    task: &'a Task,
    hold: &'a Hold,
    handle: &'a Handle,
}

impl Step<'_> {
    fn performed(&self) -> Performed {
        match self.worked() {
            Ok(performed) | Err(Halt::Because(performed)) => performed,
            Err(Halt::Fault(fault)) => after(&fault, self.task.attempts),
            // It is caught where the import is known.
            Err(Halt::Failed(failure)) => Performed::Ended(End::Failed(told(&failure))),
            Err(Halt::Missing(error)) => {
                after(&Fault::Unavailable(error.to_string()), self.task.attempts)
            }
        }
    }

    fn worked(&self) -> Result<Performed, Halt> {
        sweep(&*self.shared.queue, &self.shared.files);
        let now = self.shared.clock.now();
        let import = match written(self.shared.queue.begin(self.task, now))? {
            Begun::Running(import) => import,
            Begun::Wait => {
                let reason = Why::AnotherImport.alone();
                return Ok(Performed::PutOff(paused(WAIT_SECONDS, reason)));
            }
            Begun::Over(import) => return Ok(self.over(&import)),
        };
        match self.imported(&import) {
            Ok(()) => self.finish(&import, None),
            Err(Halt::Failed(failure)) => self.finish(&import, Some(failure)),
            Err(Halt::Missing(error)) => self.missed(&import, &error),
            Err(halt) => Err(halt),
        }
    }

    /// The file is looked for a few times more, then the import has failed. Other attempts that came to nothing do not count.
    fn missed(&self, import: &Import, error: &io::Error) -> Result<Performed, Halt> {
        let misses = written(self.shared.queue.file_missed(self.task.account, import.id))?;
        if misses <= MISSING_ATTEMPTS {
            return Ok(after(&Fault::Unavailable(error.to_string()), misses.saturating_sub(1)));
        }
        let path = self.shared.files.path(&import.file.name);
        tracing::error!(
            import = %import.id, account = %self.task.account, path = %path.display(), %error,
            "the file of an import is gone; every process on the database needs the same files_dir"
        );
        self.finish(import, Some(missing()))
    }

    /// Nothing more is done about an import: its files go, and its job ends as it has.
    fn over(&self, import: &Import) -> Performed {
        self.shared.files.forget(&import.file.name);
        let reason = import.failure.as_ref().map(told);
        Performed::Ended(match import.state {
            ImportState::Canceled => End::Cancelled("canceled".to_owned()),
            ImportState::Failed => End::Failed(reason.unwrap_or_default()),
            ImportState::Queued
            | ImportState::Running
            | ImportState::Completed
            | ImportState::CompletedWithErrors => End::Succeeded("{}".to_owned()),
        })
    }

    fn finish(&self, import: &Import, failure: Option<ImportFailure>) -> Result<Performed, Halt> {
        let now = self.shared.clock.now();
        let finishing = self.shared.queue.finish(self.task.account, import.id, failure, now);
        let ended = written(finishing)?;
        Ok(self.over(ended.as_ref().unwrap_or(import)))
    }

    fn imported(&self, import: &Import) -> Result<(), Halt> {
        // Whoever was at it before may have died between the last row and the end.
        let counts = &import.counts;
        if import.options.on_error == OnError::Abort && counts.failed > 0 {
            return Err(Halt::Failed(aborted()));
        }
        if counts.failed > ERRORS_MAX {
            return Err(Halt::Failed(too_many_errors()));
        }
        let mut batches = self.batches(import)?;
        let made = self.skip_done(import, &mut batches)?;
        if import.options.on_error == OnError::Abort && import.counts.processed == 0 {
            self.refuse_bad_rows(import)?;
        }
        let (mut pace, mut holding) = (Pace::default(), Holding::begin(self));
        let mut turn = Turn { began: self.shared.clock.now(), looked_at: None };
        // What others have had done so far, with what this import does beside its rows.
        let (mut traffic, mut own) = (self.shared.queue.traffic(self.task.account), 0);
        let mut from = import.counts.processed;
        loop {
            if self.hold.is_stopping() {
                let reason = Why::ProcessStops.alone();
                return Err(Halt::Because(Performed::PutOff(paused(0, reason))));
            }
            let rows = batches.next(pace.rows())?;
            if rows.is_empty() {
                return batches.must_be_over(from);
            }
            let count = rows.len();
            let started = Instant::now();
            let from_here = (from, pace.expects_unchanged());
            let applied = self.applied(import, &mut batches, from_here, rows, &made)?;
            pace.note(&applied.verdicts);
            let now = self.shared.queue.traffic(self.task.account);
            let is_crowded = now.is_crowded_since(traffic, own);
            (traffic, own) = (now, 0);
            let took = (started.elapsed(), Instant::now());
            thread::sleep(pace.after(took, count, is_crowded));
            from = applied.counts.processed;
            if applied.is_full {
                return Err(Halt::Failed(too_many_errors()));
            }
            if import.options.on_error == OnError::Abort && applied.counts.failed > 0 {
                return Err(Halt::Failed(aborted()));
            }
            let progress = || Progress { done: from, total: batches.total(), message: None };
            own += u64::from(holding.keep(progress)?);
            if self.is_over(&mut turn)? {
                let reason = Why::OthersTurn.alone();
                return Err(Halt::Because(Performed::PutOff(paused(0, reason))));
            }
        }
    }

    /// Whether the import has had its turn and others wait for theirs.
    fn is_over(&self, turn: &mut Turn) -> Result<bool, Halt> {
        let is_long = turn.began.plus_seconds(TURN_SECONDS) <= self.shared.clock.now();
        if !is_long || turn.looked_at.is_some_and(|at| at.elapsed() < TURN_LOOK) {
            return Ok(false);
        }
        turn.looked_at = Some(Instant::now());
        // Giving way is a courtesy: what cannot be asked stops no import.
        Ok(self.handle.block_on(self.hold.others_wait()).unwrap_or_default())
    }

    /// Holds the claim.
    fn hold_on(&self, progress: Progress) -> Result<(), Halt> {
        match self.handle.block_on(self.hold.progress(progress))? {
            Standing::Held | Standing::HeldToStop => Ok(()),
            // Somebody else has it, and records what follows.
            Standing::Lost => Err(Halt::Because(Performed::Recorded)),
        }
    }

    /// Works off rows, behind so many, which are expected to change nothing or not; those that the database refuses are found
    /// by halving.
    fn applied(
        &self,
        import: &Import,
        batches: &mut Batches,
        (from, expects_unchanged): (u64, bool),
        rows: Vec<BatchRow>,
        made: &Made,
    ) -> Result<Applied, Halt> {
        let rows = Arc::new(rows);
        let batch = Batch {
            account: self.task.account,
            import: import.id,
            kind: import.kind,
            options: Arc::clone(batches.options()),
            columns: Arc::clone(batches.columns()),
            from,
            expects_unchanged,
            rows: Arc::clone(&rows),
            made: Arc::clone(&made.skus),
            categories: Arc::clone(&made.categories),
            now: self.shared.clock.now(),
        };
        let applying = self.shared.queue.apply(batch);
        batches.read_ahead(rows.len());
        match applying.wait() {
            Some(Ok(done)) => {
                let verdicts = rows.iter().zip(&done.value.verdicts);
                let created = verdicts.filter(|(_, it)| **it == Some(Verdict::Created));
                created.for_each(|(row, _)| made.add(row));
                Ok(done.value)
            }
            Some(Err(Refused::Fault(Fault::Internal(why)))) => {
                tracing::warn!(import = %import.id, from, rows = rows.len(), why, "the database refuses rows");
                self.halved(import, batches, from, Arc::unwrap_or_clone(rows), made)
            }
            Some(Err(Refused::Rule(_))) => Err(Halt::Because(self.stopped()?)),
            Some(Err(Refused::Fault(fault))) => Err(fault.into()),
            Some(Err(_)) | None => Err(gone().into()),
        }
    }

    fn halved(
        &self,
        import: &Import,
        batches: &mut Batches,
        from: u64,
        mut rows: Vec<BatchRow>,
        made: &Made,
    ) -> Result<Applied, Halt> {
        if let [row] = rows.as_mut_slice() {
            if row.wanted.is_err() {
                return Err(Fault::Internal(
                    "what is wrong with a row cannot be recorded".to_owned(),
                )
                .into());
            }
            row.wanted = Err(vec![Problem::of_row(Code::Refused)]);
            return self.applied(import, batches, (from, false), rows, made);
        }
        let rest = rows.split_off(rows.len() / 2);
        let first = self.applied(import, batches, (from, false), rows, made)?;
        let is_aborted = import.options.on_error == OnError::Abort && first.counts.failed > 0;
        if first.is_full || is_aborted {
            return Ok(first);
        }
        self.applied(import, batches, (first.counts.processed, false), rest, made)
    }

    /// The import has ended, or somebody else works on it.
    fn stopped(&self) -> Result<Performed, Halt> {
        let now = self.shared.clock.now();
        match written(self.shared.queue.begin(self.task, now))? {
            Begun::Over(import) => Ok(self.over(&import)),
            Begun::Running(_) | Begun::Wait => {
                let reason = Why::OthersTurn.alone();
                Ok(Performed::Postponed(paused(WAIT_SECONDS, reason)))
            }
        }
    }

    /// Refuses a file of which some row cannot be read, before anything of it is written.
    fn refuse_bad_rows(&self, import: &Import) -> Result<(), Halt> {
        let (mut batches, mut holding) = (self.batches(import)?, Holding::begin(self));
        loop {
            let rows = batches.next(BATCH_ROWS_MAX)?;
            if rows.is_empty() {
                return Ok(());
            }
            if let Some(bad) = rows.iter().position(|row| row.wanted.is_err()) {
                let bad = rows.into_iter().skip(bad).take(1).collect();
                // It is told, and alone: no row before it is done.
                self.applied(import, &mut batches, (0, false), bad, &Made::default())?;
                return Err(Halt::Failed(aborted()));
            }
            let _ = holding.keep(Progress::default)?;
        }
    }
}

/// Why an import has failed, as its task keeps it.
fn told(failure: &ImportFailure) -> String {
    Why::of_import(&failure.english, &failure.spanish)
}

fn missing() -> ImportFailure {
    let text = message!(
        "the file that was sent is no longer there: send it again",
        "el archivo que se envió ya no está disponible: enviarlo de nuevo"
    );
    ImportFailure::new(FILE_MISSING, &text)
}

fn too_many_errors() -> ImportFailure {
    let text = message!(
        "more was wrong with the rows than is kept: correct the file, or map its columns, and send it again",
        "hay más errores en las filas de los que se conservan: corregir el archivo o el mapping y enviarlo de nuevo"
    );
    ImportFailure::new("too_many_errors", &text)
}

fn aborted() -> ImportFailure {
    let text = message!(
        "a row was refused, and onError=abort stops there",
        "se rechazó una fila y onError=abort detiene la importación"
    );
    ImportFailure::new("aborted", &text)
}
