//! Making the global invoices of a period: drafts first, which takes hold of its sales, then their stamps.

use std::{sync::Arc, time::Duration};

use invoices::{
    Invoice, InvoiceError, InvoiceId,
    global::{Attempted, Drafted, Fate, GlobalQueue, GlobalRun, attempted, overtaken},
    provider::Rejection,
};
use kernel::{Clock, Ctx, Fault, Refused};
use tasks::{Pause, Progress, Standing, Task, TaskKind, Why, kind::GLOBAL};

use crate::{
    Certification,
    recorded::{gone, recorded, unrecorded},
    tasks::{Hold, Performed, Performing, Work},
};

/// How long the next draft of a run may take to be made.
const DRAFT_TIME: Duration = Duration::from_secs(30);
/// Seconds before each further attempt, together some hours: SAT gives 24 after the end of the period, and the next
/// period waits.
const PAUSES: &[i64] = &[60, 300, 900, 1_800, 3_600, 3_600, 3_600, 3_600];
/// How often a draft is made anew of which somebody else has just invoiced a sale, or cancelled it.
const DRAFTS_MAX: usize = 3;

/// Makes the global invoices that are on record in a queue.
pub struct GlobalInvoicing(Arc<Shared>);

struct Shared {
    queue: Arc<dyn GlobalQueue>,
    certification: Certification<Invoice>,
    clock: Arc<dyn Clock>,
}

impl GlobalInvoicing {
    /// Runs on record in `queue`, whose invoices are stamped as those that somebody asks for.
    pub fn new(
        queue: Arc<dyn GlobalQueue>,
        certification: Certification<Invoice>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self(Arc::new(Shared { queue, certification, clock }))
    }
}

impl Work for GlobalInvoicing {
    fn kind(&self) -> &'static TaskKind {
        &GLOBAL
    }

    fn attempt_time(&self) -> Duration {
        // The claim is held anew between two steps.
        self.0.certification.attempt_time().max(DRAFT_TIME)
    }

    fn perform(&self, task: Task, hold: Hold) -> Performing {
        let shared = Arc::clone(&self.0);
        Box::pin(async move {
            let run = Run { shared: &shared, task: &task, hold: &hold };
            match run.made().await {
                Ok(()) => run.finished(None).await,
                Err(Halt::Lost) => Performed::Recorded,
                Err(Halt::Stopping) => later(0, Why::ProcessStops.alone()),
                Err(Halt::Away(why)) => run.put_off(why).await,
                Err(Halt::Refused(why)) => run.finished(Some(why)).await,
            }
        })
    }
}

fn later(seconds: i64, reason: String) -> Performed {
    Performed::Postponed(Pause { seconds, is_doubtful: false, reason })
}

/// Why a run is not over.
enum Halt {
    /// Another is at it.
    Lost,
    /// The process is about to stop.
    Stopping,
    /// Something outside was away.
    Away(String),
    /// No invoice can be made of its sales, for a reason that its account is told.
    Refused(String),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Away(fault.to_string())
    }
}

impl From<Refused<InvoiceError>> for Halt {
    fn from(refused: Refused<InvoiceError>) -> Self {
        if matches!(refused, Refused::Stale) {
            return Self::Lost;
        }
        match attempted(Err(refused)) {
            Attempted::Later(rejection) => Self::Away(rejection.message),
            Attempted::Refused(rejection) | Attempted::Rejected(rejection) => {
                Self::Refused(rejection.message)
            }
            Attempted::Known(fate) => Self::Refused(overtaken(fate).message),
        }
    }
}

/// One attempt at a run.
struct Run<'a> {
    shared: &'a Shared,
    task: &'a Task,
    hold: &'a Hold,
}

impl Run<'_> {
    /// Makes what is left to be made.
    async fn made(&self) -> Result<(), Halt> {
        let run = self.drafted().await?;
        let mut away = None;
        for id in run.to_stamp() {
            self.hold_on(&run).await?;
            let Some(rejection) = self.stamped(id).await? else { continue };
            if self.is_last() {
                // The draft was shown with the error by whoever met it.
                self.settle(id, (Fate::Draft, Some(rejection)), true).await?;
            } else {
                away = Some(rejection.message);
            }
        }
        away.map_or(Ok(()), |why| Err(Halt::Away(why)))
    }

    /// Makes drafts until all sales are in one.
    async fn drafted(&self) -> Result<GlobalRun, Halt> {
        let mut tries = 0;
        loop {
            let now = self.shared.clock.now();
            let drafted = self.shared.queue.draft_next(self.task, now).await;
            match drafted.unwrap_or_else(|| Err(gone().into())) {
                Ok(done) => match done.value {
                    Drafted::Made(run) => self.hold_on(&run).await?,
                    Drafted::All(run) => return Ok(run),
                    Drafted::Lost => return Err(Halt::Lost),
                },
                // A sale has just changed; the next look leaves it out.
                Err(Refused::Rule(InvoiceError::OrderInvoiced { .. }) | Refused::Invalid(_))
                    if tries < DRAFTS_MAX =>
                {
                    tries += 1;
                }
                Err(refused) => return Err(refused.into()),
            }
        }
    }

    /// Stamps an invoice; the error if something was away that may be back later.
    async fn stamped(&self, id: InvoiceId) -> Result<Option<Rejection>, Halt> {
        let ctx = Ctx::system(self.task.account, self.shared.clock.now());
        let (outcome, is_told) =
            match attempted(self.shared.certification.stamp(ctx, id, None).await) {
                Attempted::Known(fate) => ((fate, None), true),
                Attempted::Refused(rejection) => ((Fate::Draft, Some(rejection)), false),
                Attempted::Rejected(rejection) => ((Fate::Draft, Some(rejection)), true),
                Attempted::Later(rejection) => return Ok(Some(rejection)),
            };
        self.settle(id, outcome, is_told).await.map(|()| None)
    }

    async fn settle(
        &self,
        id: InvoiceId,
        outcome: (Fate, Option<Rejection>),
        is_told: bool,
    ) -> Result<(), Halt> {
        let settled = recorded(&self.task.id, || {
            let now = self.shared.clock.now();
            self.shared.queue.settle(self.task, id, outcome.clone(), is_told, now)
        });
        Ok(settled.await?)
    }

    /// Whether no further attempt follows.
    fn is_last(&self) -> bool {
        usize::try_from(self.task.attempts).map_or(true, |attempts| attempts >= PAUSES.len())
    }

    async fn hold_on(&self, run: &GlobalRun) -> Result<(), Halt> {
        if self.hold.is_stopping() {
            return Err(Halt::Stopping);
        }
        let tickets = run.invoices.iter().map(|made| made.tickets).sum::<usize>();
        let done = u64::try_from(tickets).unwrap_or(u64::MAX);
        match self.hold.progress(Progress { done, total: None, message: None }).await? {
            Standing::Held | Standing::HeldToStop => Ok(()),
            Standing::Lost => Err(Halt::Lost),
        }
    }

    /// Has another attempt made, unless there were enough.
    async fn put_off(&self, reason: String) -> Performed {
        let place = usize::try_from(self.task.attempts).unwrap_or(usize::MAX);
        match PAUSES.get(place) {
            Some(seconds) => later(*seconds, reason),
            None => self.finished(Some(reason)).await,
        }
    }

    /// Ends the run, which opens the next one.
    async fn finished(&self, failure: Option<String>) -> Performed {
        if let Some(why) = &failure {
            tracing::error!(task = %self.task.id, why, "global invoices could not be made");
        }
        let ended = recorded(&self.task.id, || {
            let now = self.shared.clock.now();
            self.shared.queue.finish(self.task, failure.clone(), now)
        });
        match ended.await {
            Ok(()) | Err(Refused::Stale) => Performed::Recorded,
            Err(refused) => later(60, unrecorded(&refused)),
        }
    }
}
