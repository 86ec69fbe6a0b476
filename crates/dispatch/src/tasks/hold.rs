//! A worker's hold on its task.

use std::{sync::Arc, time::Duration};

use kernel::{Fault, Pending, Refused, Timestamp, Written};
use tasks::{JobFiles, Piece, Progress, Standing, Task};

use super::{Performed, Shared, TaskSettings};
use crate::recorded::{gone, recorded};

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
        let (now, until) = self.extended();
        let answer = self.shared.queue.progress(&self.task, progress, now, until).await;
        answer.unwrap_or_else(|| Err(gone().into())).map(|done| done.value).map_err(fault)
    }

    /// The same, with a piece of the file that the task makes.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn append(
        &self,
        files: &dyn JobFiles,
        piece: Piece,
        progress: Progress,
    ) -> Result<Standing, Fault> {
        let (now, until) = self.extended();
        let answer = files.append(&self.task, piece, progress, now, until).await;
        answer.unwrap_or_else(|| Err(gone().into())).map(|done| done.value).map_err(fault)
    }

    /// The same with whatever else is recorded under the claim, at a moment and until when it holds from then on.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub(crate) async fn record_under(
        &self,
        record: impl FnOnce(&Task, Timestamp, Timestamp) -> Pending<Written<Standing, ()>>,
    ) -> Result<Standing, Fault> {
        let (now, until) = self.extended();
        let answer = record(&self.task, now, until).await;
        answer.unwrap_or_else(|| Err(gone().into())).map(|done| done.value).map_err(fault)
    }

    /// Whether others than its account wait for such work, and nothing but room for it.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn others_wait(&self) -> Result<bool, Fault> {
        let Shared { rooms, queue, clock, .. } = &*self.shared;
        // Where there is room for them they are taken up without that of this one.
        let Some(want) = rooms.want(&self.task.kind).filter(|want| want.room == 0) else {
            return Ok(false);
        };
        let answer = queue.others_wait(&self.task, want, clock.now()).await;
        answer.unwrap_or_else(|| Err(gone()))
    }

    /// Whether the process is about to stop: what takes long should be given back.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        *self.shared.stopped.borrow()
    }

    /// The time, and until when the claim holds from now on.
    fn extended(&self) -> (Timestamp, Timestamp) {
        let now = self.shared.clock.now();
        (now, TaskSettings::claim_until(self.attempt_time, now))
    }

    /// Records what an attempt has led to, trying again while the database is away.
    pub(super) async fn record(&self, performed: &Performed) -> Result<Standing, Fault> {
        let (queue, clock) = (&self.shared.queue, &self.shared.clock);
        let outcome = match performed {
            Performed::Recorded => return Ok(Standing::Held),
            Performed::Postponed(pause) => {
                recorded(&self.task.id, || queue.postpone(&self.task, pause.clone(), clock.now()))
                    .await
            }
            Performed::PutOff(pause) => {
                recorded(&self.task.id, || queue.put_off(&self.task, pause.clone(), clock.now()))
                    .await
            }
            Performed::Ended(end) => {
                recorded(&self.task.id, || queue.end(&self.task, end.clone(), clock.now())).await
            }
        };
        outcome.map_err(fault)
    }
}

/// A queue refuses nothing: what is no fault is that it has gone.
fn fault(refused: Refused<()>) -> Fault {
    match refused {
        Refused::Fault(fault) => fault,
        _ => gone(),
    }
}
