//! Asking for the cancellations of invoices that were approved.

use std::{sync::Arc, time::Duration};

use invoices::{ApprovedCancellations, CancelInvoice, Invoice, InvoiceError, approved::retried};
use kernel::{Clock, Ctx, Fault, Refused};
use tasks::{Pause, Task, TaskKind, kind::CANCEL_APPROVED};

use crate::{
    Certification,
    recorded::{gone, recorded},
    tasks::{Hold, Performed, Performing, Work},
};

/// Seconds before what could not be read or recorded is tried again.
const FAULT_PAUSE: i64 = 60;

/// Asks for cancellations as whoever asked for the approval would have.
pub struct ApprovedCancelling(Arc<Shared>);

struct Shared {
    queue: Arc<dyn ApprovedCancellations>,
    certification: Certification<Invoice>,
    clock: Arc<dyn Clock>,
}

impl ApprovedCancelling {
    /// Cancellations on record in `queue`, through the providers of `certification`.
    pub fn new(
        queue: Arc<dyn ApprovedCancellations>,
        certification: Certification<Invoice>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self(Arc::new(Shared { queue, certification, clock }))
    }
}

impl Work for ApprovedCancelling {
    fn kind(&self) -> &'static TaskKind {
        &CANCEL_APPROVED
    }

    fn attempt_time(&self) -> Duration {
        self.0.certification.attempt_time()
    }

    fn perform(&self, task: Task, _: Hold) -> Performing {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let command = shared.queue.approved(&task).await.unwrap_or_else(|| Err(gone()));
            match command {
                Ok(Some(command)) => asked(&shared, &task, command).await,
                Ok(None) => Performed::Ended(tasks::End::Cancelled("it is settled".to_owned())),
                Err(fault) => later(&fault),
            }
        })
    }
}

/// Asks once. What was asked for before and is under way, or done, is the answer to asking again.
async fn asked(shared: &Shared, task: &Task, command: CancelInvoice) -> Performed {
    let ctx = Ctx::system(task.account, shared.clock.now());
    let outcome = shared.certification.cancel(ctx, command).await.map(|done| done.value);
    if let Err(refused) = &outcome
        && let Some(pause) = retried(refused, task.attempts)
    {
        return Performed::Postponed(pause);
    }
    match settled(shared, task, outcome).await {
        Ok(()) => Performed::Recorded,
        Err(Refused::Fault(fault)) => later(&fault),
        // The claim has passed to another.
        Err(_) => Performed::Recorded,
    }
}

async fn settled(
    shared: &Shared,
    task: &Task,
    outcome: Result<Invoice, Refused<InvoiceError>>,
) -> Result<(), Refused<()>> {
    recorded(&task.id, || shared.queue.settle(task, outcome.clone(), shared.clock.now())).await
}

fn later(fault: &Fault) -> Performed {
    let reason = fault.to_string();
    Performed::Postponed(Pause { seconds: FAULT_PAUSE, is_doubtful: false, reason })
}
