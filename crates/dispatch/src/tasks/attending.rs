//! Tasks whose caller waits for the first attempt.

use std::{sync::Arc, time::Duration};

use kernel::{AccountId, Done, Fault, Pending, Refused, Timestamp, Written};
use tasks::{Task, TaskId, TaskKind};
use tokio::time::{Instant, sleep};

use super::{Shared, TaskSettings, Work, perform};
use crate::recorded::gone;

/// Between two looks whether the attempt of another has ended.
const LOOK_PAUSE: Duration = Duration::from_millis(100);

/// The task that `open` puts on record, after an attempt; of a repeated request, after that of the first.
pub(super) async fn attended<E>(
    shared: &Arc<Shared>,
    kind: &TaskKind,
    open: impl FnOnce(Timestamp) -> Pending<Written<Task, E>>,
) -> Written<Task, E> {
    let work = work_of(shared, kind)?;
    let until = TaskSettings::claim_until(work.attempt_time(), shared.clock.now());
    let Done { value: task, replayed } = open(until).await.unwrap_or_else(|| Err(gone().into()))?;
    attempted(shared, &*work, task, replayed).await
}

/// What `open` puts on record, after an attempt at the task that it has opened, if any; of a repeated request, after that
/// of the first.
pub(super) async fn attended_if<B, E>(
    shared: &Arc<Shared>,
    kind: &TaskKind,
    open: impl FnOnce(Timestamp) -> Pending<Written<B, E>>,
    task_of: fn(&B) -> Option<Task>,
) -> Written<B, E> {
    let work = work_of(shared, kind)?;
    let until = TaskSettings::claim_until(work.attempt_time(), shared.clock.now());
    let Done { value, replayed } = open(until).await.unwrap_or_else(|| Err(gone().into()))?;
    if let Some(task) = task_of(&value) {
        let _: Done<Task> = attempted(shared, &*work, task, replayed).await?;
    }
    Ok(Done { value, replayed })
}

fn work_of<E>(shared: &Shared, kind: &TaskKind) -> Result<Arc<dyn Work>, Refused<E>> {
    let work = shared.works.iter().find(|work| work.kind().name == kind.name);
    work.map(Arc::clone).ok_or_else(|| unknown(kind))
}

/// A task after an attempt; of a repeated request, after that of the first.
async fn attempted<E>(
    shared: &Arc<Shared>,
    work: &dyn Work,
    task: Task,
    replayed: bool,
) -> Written<Task, E> {
    let (account, id) = (task.account, task.id);
    if !replayed {
        perform(shared, work, task).await?;
        return Ok(Done::now(found(shared, account, id).await?));
    }
    let deadline = Instant::now() + TaskSettings::claim_time(work.attempt_time());
    let mut seen = task;
    while seen.is_held(shared.clock.now()) && Instant::now() < deadline {
        sleep(LOOK_PAUSE).await;
        seen = found(shared, account, id).await?;
    }
    Ok(Done { value: seen, replayed: true })
}

async fn found<E>(shared: &Shared, account: AccountId, id: TaskId) -> Result<Task, Refused<E>> {
    let found = shared.queue.find(account, id).await.unwrap_or_else(|| Err(gone()))?;
    found.ok_or_else(|| Refused::Fault(Fault::Internal(format!("the task {id} is gone"))))
}

fn unknown<E>(kind: &TaskKind) -> Refused<E> {
    Refused::Fault(Fault::Internal(format!("no work of the kind {} is done here", kind.name)))
}
