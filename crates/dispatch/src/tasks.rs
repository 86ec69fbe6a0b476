//! The engine of durable tasks: claims what is due, has it done, and records what follows.
//!
//! Each kind of work is a [`Work`]. Everything runs on the engine's own threads and under a claim, so that a client
//! who hangs up stops nothing and two never work on one task. What a crash leaves is taken up again here, by
//! whichever process comes first.

mod attending;
mod gauges;
mod hold;
mod rooms;
mod settings;

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use ::tasks::{End, Pause, Task, TaskKind, TaskQueue, Watcher};
use kernel::{AccountId, Clock, Done, Fault, Gauge, Pending, Refused, Timestamp, Written};
use tokio::{
    runtime::{Builder, Handle, Runtime},
    sync::{Notify, watch},
    time::{sleep, timeout},
};

use crate::recorded::gone;
use gauges::Gauges;
pub use hold::Hold;
use rooms::{Place, Rooms};
pub use settings::TaskSettings;

/// Threads on which work blocks that cannot await.
const BLOCKING_THREADS: usize = 64;
/// Before what is due is looked for again after the store could not be asked.
const FAULT_PAUSE: Duration = Duration::from_secs(5);
/// Between two looks whether all work under way has ended.
const STOP_POLL: Duration = Duration::from_millis(10);

/// A task being worked on.
pub type Performing = Pin<Box<dyn Future<Output = Performed> + Send>>;

/// A kind of work.
pub trait Work: Send + Sync {
    /// Which.
    fn kind(&self) -> &'static TaskKind;

    /// How long one attempt may take; claims last longer.
    fn attempt_time(&self) -> Duration;

    /// Makes one attempt. It may be called again for the same task, at any time and in any process: a task in
    /// doubt may have been done already.
    fn perform(&self, task: Task, hold: Hold) -> Performing;
}

/// What an attempt has led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Performed {
    /// What follows is on record already, in the transaction of its effects.
    Recorded,
    /// Another attempt is to be made after a pause.
    Postponed(Pause),
    /// No attempt was made: it is not its turn.
    PutOff(Pause),
    /// It is over.
    Ended(End),
}

/// How long a caller waits in line.
const PATIENCE: Duration = Duration::from_secs(10);

/// Works on tasks until it is stopped or dropped.
pub struct TaskEngine {
    handle: Handle,
    shared: Arc<Shared>,
    stop: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    settings: TaskSettings,
    queue: Arc<dyn TaskQueue>,
    works: Vec<Arc<dyn Work>>,
    clock: Arc<dyn Clock>,
    rooms: Rooms,
    woken: Notify,
    gauges: Gauges,
    stopped: watch::Receiver<bool>,
}

impl Shared {
    /// The time that the longest attempt of any kind may take.
    fn longest_attempt(&self) -> Duration {
        self.works.iter().map(|work| work.attempt_time()).max().unwrap_or_default()
    }
}

impl Watcher for Shared {
    fn tasks_due(&self) {
        self.woken.notify_one();
    }
}

impl TaskEngine {
    /// Begins to work on what is due in `queue`.
    ///
    /// # Errors
    /// When the system has no threads or no runtime to give.
    pub fn start(
        settings: TaskSettings,
        queue: Arc<dyn TaskQueue>,
        works: Vec<Arc<dyn Work>>,
        clock: Arc<dyn Clock>,
    ) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let rooms = Rooms::of(works.iter().map(|work| *work.kind()));
        let (woken, gauges) = (Notify::new(), Gauges::default());
        let shared = Shared {
            settings,
            queue,
            works,
            clock,
            rooms,
            woken,
            gauges,
            stopped: stopped.clone(),
        };
        let shared = Arc::new(shared);
        shared.queue.watch(shared.clone());
        let (tell_handle, handle) = mpsc::channel();
        let sweeping = Arc::clone(&shared);
        let thread = thread::Builder::new().name("tasks".to_owned()).spawn(move || {
            // A runtime is made and dropped here, because neither is allowed inside another.
            match runtime() {
                Ok(runtime) => {
                    drop(tell_handle.send(Ok(runtime.handle().clone())));
                    runtime.block_on(sweep(&sweeping, stopped));
                    runtime.shutdown_timeout(Duration::from_millis(500));
                }
                Err(error) => drop(tell_handle.send(Err(error))),
            }
        })?;
        let ended = |_| io::Error::other("the engine of tasks ended before it began");
        let handle = handle.recv().map_err(ended)??;
        Ok(Self { handle, shared, stop, thread: Mutex::new(Some(thread)) })
    }

    /// Does work of a kind for a caller who waits for it, within the room that the kind has; whoever stops waiting
    /// stops nothing. Callers beyond their account's share wait for it in line, and are refused with
    /// [`Refused::Busy`] when the line is long or slow.
    pub fn serve<T, E, F>(
        &self,
        kind: &'static TaskKind,
        account: AccountId,
        work: F,
    ) -> Pending<Result<T, Refused<E>>>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: Future<Output = Result<T, Refused<E>>> + Send + 'static,
    {
        let refused =
            |why: &str| Pending::ready(Err(Refused::Fault(Fault::Unavailable(why.to_owned()))));
        if *self.stop.borrow() {
            return refused("the service is shutting down");
        }
        let Some(place) = self.shared.rooms.line_up(kind, account) else {
            return Pending::ready(Err(Refused::Busy));
        };
        let (answer, pending) = Pending::channel();
        self.handle.spawn(async move {
            // Held for the whole of it, so that a stop can wait for all.
            let outcome = match place.admitted(PATIENCE).await {
                true => work.await,
                false => Err(Refused::Busy),
            };
            answer.send(outcome);
            drop(place);
        });
        pending
    }

    /// Does work that needs no room, since it calls nobody; whoever stops waiting stops nothing.
    pub fn run<T, F>(&self, work: F) -> Pending<T>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let (answer, pending) = Pending::channel();
        self.handle.spawn(async move { answer.send(work.await) });
        pending
    }

    /// As [`attend`](Self::attend), for what may need no task: `open` puts it on record, `task_of` names the task that it
    /// has opened, if any, and `conclude` says what the caller is told after an attempt at that.
    pub(crate) fn attend_if<B, T, E, O, C, F>(
        &self,
        kind: &'static TaskKind,
        account: AccountId,
        open: O,
        task_of: fn(&B) -> Option<Task>,
        conclude: C,
    ) -> Pending<Result<T, Refused<E>>>
    where
        B: Send + 'static,
        T: Send + 'static,
        E: Send + 'static,
        O: FnOnce(Timestamp) -> Pending<Written<B, E>> + Send + 'static,
        C: FnOnce(Done<B>) -> F + Send + 'static,
        F: Future<Output = Result<T, Refused<E>>> + Send + 'static,
    {
        let shared = Arc::clone(&self.shared);
        self.serve(kind, account, async move {
            conclude(attending::attended_if(&shared, kind, open, task_of).await?).await
        })
    }

    /// Has a task attempted at once for a caller who waits for it. `open` puts it on record under a claim that ends at
    /// the moment given, and `conclude` says what the caller is told of the task after that attempt; of a repeated
    /// request, after the attempt of the first.
    pub fn attend<T, E, O, C>(
        &self,
        kind: &'static TaskKind,
        account: AccountId,
        open: O,
        conclude: C,
    ) -> Pending<Result<T, Refused<E>>>
    where
        T: Send + 'static,
        E: Send + 'static,
        O: FnOnce(Timestamp) -> Pending<Written<Task, E>> + Send + 'static,
        C: FnOnce(Done<Task>) -> Result<T, Refused<E>> + Send + 'static,
    {
        let shared = Arc::clone(&self.shared);
        self.serve(kind, account, async move {
            conclude(attending::attended(&shared, kind, open).await?)
        })
    }

    /// Figures for monitoring.
    #[must_use]
    pub fn gauges(&self) -> Vec<Gauge> {
        self.shared.gauges.read(self.shared.rooms.in_flight())
    }

    /// Takes up nothing more, serves nobody who asks from now on, and waits for the work under way, as long as it
    /// may take.
    pub fn stop(&self) {
        self.stop.send_replace(true);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the thread of tasks ended by a panic");
        }
    }
}

impl Drop for TaskEngine {
    /// As [`TaskEngine::stop`].
    fn drop(&mut self) {
        self.stop();
    }
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_name("tasks-worker")
        .enable_all()
        .build()
}

/// Takes up what is due until it is told to stop, then waits for what is under way.
async fn sweep(shared: &Arc<Shared>, mut stopped: watch::Receiver<bool>) {
    while !*stopped.borrow() {
        let pause = match take_up(shared).await {
            Ok(Taken::AllThereWas) => shared.settings.sweep_interval,
            Ok(Taken::AllThereWasRoomFor) => continue,
            Err(fault) => {
                tracing::warn!(%fault, "tasks that are due cannot be looked for");
                FAULT_PAUSE
            }
        };
        tokio::select! {
            () = sleep(pause) => {}
            () = shared.woken.notified() => {}
            changed = stopped.changed() => if changed.is_err() { break },
        }
    }
    let all_ended = async {
        while shared.rooms.in_flight() > 0 {
            sleep(STOP_POLL).await;
        }
    };
    let limit = TaskSettings::claim_time(shared.longest_attempt());
    if timeout(limit, all_ended).await.is_err() {
        tracing::warn!("work was cut short; it is taken up at the next start");
    }
}

/// How much of what is due was taken up.
enum Taken {
    AllThereWas,
    /// More may be due.
    AllThereWasRoomFor,
}

async fn take_up(shared: &Arc<Shared>) -> Result<Taken, Fault> {
    let now = shared.clock.now();
    let wants = shared.rooms.wants();
    if wants.is_empty() {
        return Ok(Taken::AllThereWas);
    }
    let kinds = wants.iter().map(|want| want.kind).collect();
    if !shared.queue.has_due(kinds, now).await.unwrap_or_else(|| Err(gone()))? {
        return Ok(Taken::AllThereWas);
    }
    let until = TaskSettings::claim_until(shared.longest_attempt(), now);
    let tasks = match shared.queue.claim(wants, now, until).await {
        Some(Ok(done)) => done.value,
        Some(Err(Refused::Fault(fault))) => return Err(fault),
        Some(Err(_)) | None => return Err(gone()),
    };
    let taken = if tasks.is_empty() { Taken::AllThereWas } else { Taken::AllThereWasRoomFor };
    for task in tasks {
        let work = shared.works.iter().find(|work| work.kind().name == task.kind);
        if let Some(work) = work
            && let Some(place) = shared.rooms.place(work.kind(), task.account)
        {
            shared.gauges.count_taken_up();
            tokio::spawn(attempt(Arc::clone(shared), Arc::clone(work), task, place));
        }
    }
    Ok(taken)
}

/// One attempt at a task that was taken up.
async fn attempt(shared: Arc<Shared>, work: Arc<dyn Work>, task: Task, place: Place) {
    let (id, kind) = (task.id, work.kind().name);
    if let Err(fault) = perform(&shared, &*work, task).await {
        // The claim runs out, and the task is in doubt from then on.
        tracing::warn!(task = %id, kind, %fault, "what came of a task is not on record");
    }
    drop(place);
}

/// One attempt at a claimed task, and its record.
async fn perform(shared: &Arc<Shared>, work: &dyn Work, task: Task) -> Result<(), Fault> {
    let (id, kind, attempts) = (task.id, work.kind().name, task.attempts + 1);
    let hold = Hold::new(shared, &task, work.attempt_time());
    let performed = work.perform(task, hold.clone()).await;
    match &performed {
        Performed::Postponed(pause) => {
            tracing::warn!(task = %id, kind, attempts, reason = pause.reason, "a task is not done yet");
        }
        Performed::PutOff(pause) => {
            tracing::debug!(task = %id, kind, reason = pause.reason, "a task waits for its turn");
        }
        Performed::Ended(End::Failed(reason)) => {
            // Often whoever asked for it is at fault: what is the service's is told as an error where it is found.
            tracing::warn!(task = %id, kind, attempts, reason, "a task has failed");
        }
        Performed::Ended(_) | Performed::Recorded => {
            tracing::info!(task = %id, kind, attempts, "a task was taken up");
        }
    }
    shared.gauges.count(&performed);
    hold.record(&performed).await.map(drop)
}
