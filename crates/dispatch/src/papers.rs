//! Making receipts of payments and credit notes of refunds: the draft first, then its stamp where the issuer has it so.

use std::{sync::Arc, time::Duration};

use invoices::{
    Invoice, InvoiceError, InvoiceId,
    global::{Attempted, attempted, overtaken},
    papers::{PaperQueue, Step},
};
use kernel::{Clock, Ctx, Refused, message, reason::Reason};
use tasks::{Pause, Task, TaskKind, kind::PAPER};

use crate::{
    Certification,
    recorded::{gone, recorded, unrecorded},
    tasks::{Hold, Performed, Performing, Work},
};

/// How long a draft may take to be made.
const DRAFT_TIME: Duration = Duration::from_secs(30);
/// Seconds before each further attempt; after the last of them the draft waits for somebody.
const PAUSES: &[i64] = &[5, 30, 120, 600, 1_800, 3_600, 21_600, 43_200];

/// Makes the papers that are on record in a queue.
pub struct Papers(Arc<Shared>);

struct Shared {
    queue: Arc<dyn PaperQueue>,
    certification: Certification<Invoice>,
    clock: Arc<dyn Clock>,
}

impl Papers {
    /// Papers on record in `queue`, which are stamped as invoices that somebody asks for.
    pub fn new(
        queue: Arc<dyn PaperQueue>,
        certification: Certification<Invoice>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self(Arc::new(Shared { queue, certification, clock }))
    }
}

impl Work for Papers {
    fn kind(&self) -> &'static TaskKind {
        &PAPER
    }

    fn attempt_time(&self) -> Duration {
        self.0.certification.attempt_time() + DRAFT_TIME
    }

    fn perform(&self, task: Task, _: Hold) -> Performing {
        let shared = Arc::clone(&self.0);
        Box::pin(async move { shared.made(&task).await })
    }
}

impl Shared {
    async fn made(&self, task: &Task) -> Performed {
        let now = self.clock.now();
        let step = self.queue.step(task, now).await;
        match step.unwrap_or_else(|| Err(gone().into())) {
            Ok(done) => match done.value {
                Step::Stamp(id) => self.stamped(task, id).await,
                Step::Ended | Step::Waits | Step::Lost => Performed::Recorded,
            },
            Err(Refused::Stale) => Performed::Recorded,
            Err(refused) => self.not_drafted(task, refused).await,
        }
    }

    /// What follows where there is no draft.
    async fn not_drafted(&self, task: &Task, refused: Refused<InvoiceError>) -> Performed {
        let problem = match attempted(Err(refused)) {
            Attempted::Later(problem) if !is_last(task) => return later(task, problem.message),
            Attempted::Later(problem)
            | Attempted::Refused(problem)
            | Attempted::Rejected(problem) => problem,
            Attempted::Known(fate) => overtaken(fate),
        };
        tracing::warn!(task = %task.id, code = problem.code, "a fiscal paper could not be drafted");
        let given_up =
            recorded(&task.id, || self.queue.give_up(task, problem.clone(), self.clock.now()));
        ended(task, given_up.await)
    }

    async fn stamped(&self, task: &Task, id: InvoiceId) -> Performed {
        let ctx = Ctx::system(task.account, self.clock.now());
        let answer = self.certification.stamp(ctx, id, None).await;
        if matches!(answer, Err(Refused::Rule(InvoiceError::UnderWay))) {
            // Somebody else stamps this one, or another of the same invoice: papers themselves take turns.
            let why = message!(
                "another call is stamping it, or another document of the same invoice",
                "otra llamada está timbrando este documento u otro de la misma factura"
            );
            return later(task, Reason::OwnWords.in_both(&why));
        }
        let (error, is_told) = match attempted(answer) {
            Attempted::Known(_) => (None, true),
            Attempted::Refused(rejection) => (Some(rejection), false),
            Attempted::Rejected(rejection) => (Some(rejection), true),
            Attempted::Later(rejection) if !is_last(task) => return later(task, rejection.message),
            // The draft was shown with the error by whoever met it.
            Attempted::Later(rejection) => (Some(rejection), true),
        };
        let end = recorded(&task.id, || {
            self.queue.end(task, id, error.clone(), is_told, self.clock.now())
        });
        ended(task, end.await)
    }
}

fn ended(task: &Task, recorded: Result<(), Refused<InvoiceError>>) -> Performed {
    match recorded {
        Ok(()) | Err(Refused::Stale) => Performed::Recorded,
        Err(refused) => later(task, unrecorded(&refused)),
    }
}

/// Whether no further attempt follows.
fn is_last(task: &Task) -> bool {
    usize::try_from(task.attempts).map_or(true, |attempts| attempts >= PAUSES.len())
}

fn later(task: &Task, reason: String) -> Performed {
    let place = usize::try_from(task.attempts).unwrap_or(usize::MAX);
    let seconds = PAUSES.get(place).or(PAUSES.last()).copied().unwrap_or(3_600);
    Performed::Postponed(Pause { seconds, is_doubtful: false, reason })
}
