//! A worker's hold on its task.

use std::{sync::Arc, time::Duration};

use kernel::{Done, Fault, Pending, Refused, Written};
use tasks::{Progress, Standing, Task};
use tokio::time::sleep;

use super::{Performed, Shared, TaskSettings};

/// How often an end is recorded anew while the database is away; then it is found out again later.
const RECORDS_MAX: u32 = 5;
/// Between two of these.
const RECORD_PAUSE: Duration = Duration::from_secs(1);

/// Lets work that takes long say how far it has come, and learn whether it is still wanted.
#[derive(Clone)]
pub struct Hold {
    shared: Arc<Shared>,
    task: Task,
    attempt_time: Duration,
}

impl Hold {
    pub(super) fn new(shared: &Arc<Shared>, task: &Task, attempt_time: Duration) -> Self {
        Self { shared: Arc::clone(shared), task: task.clone(), attempt_time }
    }

    /// Records how far the task has come, and holds the claim for another attempt's time. Unless it is
    /// [held](Standing::Held) after that, the work should end.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn progress(&self, progress: Progress) -> Result<Standing, Fault> {
        let now = self.shared.clock.now();
        let until = TaskSettings::claim_until(self.attempt_time, now);
        answer(self.shared.queue.progress(&self.task, progress, now, until)).await
    }

    /// Records what an attempt has led to, trying again while the database is away.
    pub(super) async fn record(&self, performed: Performed) -> Result<Standing, Fault> {
        let mut attempt = 0;
        loop {
            let (now, queue) = (self.shared.clock.now(), &self.shared.queue);
            let recorded = match &performed {
                Performed::Recorded => return Ok(Standing::Held),
                Performed::Postponed(pause) => queue.postpone(&self.task, pause.clone(), now),
                Performed::Ended(end) => queue.end(&self.task, end.clone(), now),
            };
            attempt += 1;
            match answer(recorded).await {
                Err(Fault::Unavailable(_)) if attempt < RECORDS_MAX => sleep(RECORD_PAUSE).await,
                outcome => return outcome,
            }
        }
    }
}

async fn answer(pending: Pending<Written<Standing, ()>>) -> Result<Standing, Fault> {
    match pending.await {
        Some(Ok(Done { value, .. })) => Ok(value),
        Some(Err(Refused::Fault(fault))) => Err(fault),
        Some(Err(_)) | None => Err(Fault::Unavailable("the store is shutting down".to_owned())),
    }
}
