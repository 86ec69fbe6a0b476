//! Sending invoices by email: for whoever asks, and again until the mail server has taken them.

use std::{sync::Arc, time::Duration};

use invoices::{
    EmailInvoice, EmailQueue, Emailed, Emails, InvoiceError, InvoiceId, Invoices, Printer,
    SentEmail,
    email::{self, Attempted},
    testers::Testers,
};
use kernel::{
    Clock, Ctx, Done, Fault, Pending, Refused, Written,
    mail::{Email, Mailer},
};
use tasks::{End, Pause, Task, TaskKind, TaskState, Why, kind::EMAIL, why};
use tokio::task::spawn_blocking;

use crate::{
    recorded::gone,
    tasks::{Hold, Performed, Performing, TaskEngine, Work},
};

/// Seconds before an email is composed again whose documents could not be read.
const UNREAD_PAUSE: i64 = 60;

/// Sends invoices by email: what the engine is given to do, and what serves callers with it.
#[derive(Clone)]
pub struct Emailing(Arc<Shared>);

struct Shared {
    /// How long a mail server may take for one email.
    timeout: Duration,
    queue: Arc<dyn EmailQueue>,
    invoices: Arc<dyn Invoices>,
    printer: Arc<dyn Printer>,
    /// None where no mail server is set: then tasks are left to processes that have one.
    mailer: Option<Arc<dyn Mailer>>,
    /// Whom test accounts may send mail to.
    testers: Testers,
    clock: Arc<dyn Clock>,
}

impl Emailing {
    /// Emails on record in `queue`, handed to `mailer`, which may take `timeout` for each; of test accounts only those
    /// are put on record that go to `testers`.
    pub fn new(
        mailer: Option<(Arc<dyn Mailer>, Duration)>,
        testers: Testers,
        queue: Arc<dyn EmailQueue>,
        invoices: Arc<dyn Invoices>,
        printer: Arc<dyn Printer>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let (mailer, timeout) = mailer.unzip();
        let timeout = timeout.unwrap_or_default();
        Self(Arc::new(Shared { timeout, queue, invoices, printer, mailer, testers, clock }))
    }

    /// The kind of work that this is, where it can be done.
    #[must_use]
    pub fn work(&self) -> Option<Arc<dyn Work>> {
        let mailer = Arc::clone(self.0.mailer.as_ref()?);
        Some(Arc::new(Sending { mailer, shared: Arc::clone(&self.0) }))
    }

    /// Whom test accounts may send mail to, where mail can be sent.
    pub(crate) fn testers(&self) -> Result<&Testers, InvoiceError> {
        match self.0.mailer {
            Some(_) => Ok(&self.0.testers),
            None => Err(InvoiceError::NoMailServer),
        }
    }

    /// Serves callers on the engine that does this work.
    #[must_use]
    pub fn on(&self, engine: Arc<TaskEngine>) -> EmailDesk {
        EmailDesk { engine, shared: Arc::clone(&self.0) }
    }
}

/// Handing over one email, as the engine does it.
struct Sending {
    mailer: Arc<dyn Mailer>,
    shared: Arc<Shared>,
}

impl Work for Sending {
    fn kind(&self) -> &'static TaskKind {
        &EMAIL
    }

    fn attempt_time(&self) -> Duration {
        // Composing takes a moment, too.
        self.shared.timeout.saturating_add(Duration::from_secs(5))
    }

    fn perform(&self, task: Task, _: Hold) -> Performing {
        let (mailer, shared) = (Arc::clone(&self.mailer), Arc::clone(&self.shared));
        Box::pin(async move {
            let attempts = task.attempts;
            let (invoice, email) = match compose(&shared, task).await {
                Ok(composed) => composed,
                Err(performed) => return performed,
            };
            match email::attempted(mailer.send(email.clone()).await, attempts) {
                Attempted::Sent => {
                    let sent = email::sent(invoice, &email, shared.clock.now());
                    match shared.queue.outcome(&sent) {
                        Ok(outcome) => Performed::Ended(End::Succeeded(outcome)),
                        Err(fault) => Performed::Ended(End::Failed(fault.to_string())),
                    }
                }
                Attempted::Again(pause) => {
                    let reason = Why::EmailNotTaken.kept(&pause.reason);
                    Performed::Postponed(Pause { reason, ..pause })
                }
                Attempted::GivenUp(End::Failed(reason)) => {
                    Performed::Ended(End::Failed(Why::EmailNotTaken.kept(reason)))
                }
                Attempted::GivenUp(end) => Performed::Ended(end),
            }
        })
    }
}

/// The email that a task asks for, under the same name in every attempt.
async fn compose(shared: &Shared, task: Task) -> Result<(InvoiceId, Email), Performed> {
    let failed = |why: String| Performed::Ended(End::Failed(why));
    let not_printed = |problem: &dyn std::fmt::Display| failed(Why::NotPrinted.kept(problem));
    let invoice = InvoiceId::parse(&task.subject)
        .ok_or_else(|| failed(Why::Internal.kept("the task names no invoice")))?;
    let request = shared.queue.request(&task).map_err(|fault| later(&fault))?;
    let documents = shared.invoices.documents(task.account, invoice).await;
    let documents = documents.unwrap_or_else(|| Err(gone())).map_err(|fault| later(&fault))?;
    let documents = documents.ok_or_else(|| failed(Why::Gone.alone()))?;
    let printer = Arc::clone(&shared.printer);
    let printed = spawn_blocking(move || {
        let pdf = printer.pdf(&documents, None);
        (documents, pdf)
    });
    let (documents, pdf) = printed.await.map_err(|_| not_printed(&"printing panicked"))?;
    let pdf = pdf.map_err(|problem| not_printed(&problem))?;
    Ok((invoice, email::compose(&task.id.to_string(), &request, documents, pdf)))
}

fn later(fault: &Fault) -> Performed {
    let reason = fault.to_string();
    Performed::Postponed(Pause { seconds: UNREAD_PAUSE, is_doubtful: false, reason })
}

/// Sends invoices by email for callers who wait for it.
pub struct EmailDesk {
    engine: Arc<TaskEngine>,
    shared: Arc<Shared>,
}

impl Emails for EmailDesk {
    fn has_mail_server(&self) -> bool {
        self.shared.mailer.is_some()
    }

    fn email(&self, ctx: Ctx, command: EmailInvoice) -> Pending<Written<Emailed, InvoiceError>> {
        if !self.has_mail_server() {
            return Pending::ready(Err(Refused::Rule(InvoiceError::NoMailServer)));
        }
        let (account, shared) = (ctx.account, Arc::clone(&self.shared));
        let opening = Arc::clone(&self.shared);
        let open = move |until| opening.queue.open(ctx, command, &opening.testers, until);
        self.engine.attend(&EMAIL, account, open, move |done| {
            let Done { value, replayed } = done;
            emailed(&*shared.queue, value).map(|value| Done { value, replayed })
        })
    }

    fn sent(&self, task: &Task) -> Result<Option<SentEmail>, Fault> {
        self.shared.queue.sent(task)
    }
}

/// What a caller is told of an email's task after an attempt.
fn emailed(queue: &dyn EmailQueue, task: Task) -> Result<Emailed, Refused<InvoiceError>> {
    if let Some(sent) = queue.sent(&task)? {
        return Ok(Emailed::Sent(sent));
    }
    match task.state {
        TaskState::Failed | TaskState::Cancelled => {
            let reason = task.outcome.as_deref().map(why::detail).unwrap_or_default().to_owned();
            Err(Refused::Rule(InvoiceError::EmailRefused { reason }))
        }
        TaskState::Open | TaskState::Succeeded => Ok(Emailed::Queued(Box::new(task))),
    }
}
