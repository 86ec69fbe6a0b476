//! Sending mail to people: again until the mail server has taken it.

use std::{sync::Arc, time::Duration};

use accounts::{Mail, MailId, MailQueue, Mails, NewMail, PeopleError};
use invoices::email::{Attempted, attempted};
use kernel::{
    AccountId, Clock, Ctx, Fault, Page, PageRequest, Pending, Written,
    mail::{Email, Mailer},
};
use tasks::{End, Pause, Task, TaskKind, Why, kind::MAIL};

use crate::{
    recorded::{gone, recorded},
    tasks::{Hold, Performed, Performing, Work},
};

/// Seconds before a mail is read again that could not be.
const UNREAD_PAUSE: i64 = 60;

/// Sends mail to people: what the engine of tasks is given to do, and what serves callers with it.
#[derive(Clone)]
pub struct PeopleMail(Arc<Shared>);

struct Shared {
    /// How long a mail server may take for one mail.
    timeout: Duration,
    queue: Arc<dyn MailQueue>,
    /// None where no mail server is set: then mail is kept.
    mailer: Option<Arc<dyn Mailer>>,
    clock: Arc<dyn Clock>,
}

impl PeopleMail {
    /// Mail on record in `queue`, handed to `mailer`, which may take `timeout` for each.
    pub fn new(
        mailer: Option<(Arc<dyn Mailer>, Duration)>,
        queue: Arc<dyn MailQueue>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let (mailer, timeout) = mailer.unzip();
        let timeout = timeout.unwrap_or_default();
        Self(Arc::new(Shared { timeout, queue, mailer, clock }))
    }

    /// The kind of work that this is, where it can be done.
    #[must_use]
    pub fn work(&self) -> Option<Arc<dyn Work>> {
        let mailer = Arc::clone(self.0.mailer.as_ref()?);
        Some(Arc::new(Handing { mailer, shared: Arc::clone(&self.0) }))
    }
}

/// Handing over one mail, as the engine does it.
struct Handing {
    mailer: Arc<dyn Mailer>,
    shared: Arc<Shared>,
}

impl Work for Handing {
    fn kind(&self) -> &'static TaskKind {
        &MAIL
    }

    fn attempt_time(&self) -> Duration {
        // It is read and recorded, too.
        self.shared.timeout.saturating_add(Duration::from_secs(10))
    }

    fn perform(&self, task: Task, _: Hold) -> Performing {
        let (mailer, shared) = (Arc::clone(&self.mailer), Arc::clone(&self.shared));
        Box::pin(async move {
            let (id, email) = match composed(&shared, &task).await {
                Ok(composed) => composed,
                Err(performed) => return performed,
            };
            match attempted(mailer.send(email).await, task.attempts) {
                Attempted::Sent => shared.ended(&task, id, Ok(())).await,
                Attempted::Again(pause) => Performed::Postponed(pause),
                Attempted::GivenUp(End::Failed(reason)) => {
                    shared.ended(&task, id, Err(reason)).await
                }
                Attempted::GivenUp(end) => Performed::Ended(end),
            }
        })
    }
}

impl Shared {
    /// Records with the mail what became of it. If that cannot be, the mail server is asked again under the same name.
    async fn ended(&self, task: &Task, id: MailId, outcome: Result<(), String>) -> Performed {
        let noted = recorded(&task.id, || {
            self.queue.handed_over(task.account, id, outcome.clone(), self.clock.now())
        });
        let noted = noted.await;
        match (noted, outcome) {
            (Ok(()), Ok(())) => Performed::Ended(End::Succeeded("{}".to_owned())),
            (Ok(()), Err(reason)) => Performed::Ended(End::Failed(reason)),
            (Err(refused), _) => later(format!("{refused:?}"), true),
        }
    }
}

/// The mail that a task is about, under the same name in every attempt.
async fn composed(shared: &Shared, task: &Task) -> Result<(MailId, Email), Performed> {
    let failed = |why: String| Performed::Ended(End::Failed(why));
    let id = MailId::parse(&task.subject);
    let id = id.ok_or_else(|| failed(Why::Internal.kept("the task names no mail")))?;
    let mail = shared.queue.mail(task.account, id).await.unwrap_or_else(|| Err(gone()));
    let mail = mail.map_err(|fault: Fault| later(fault.to_string(), false))?;
    let Mail { recipient, subject, text, .. } = mail.ok_or_else(|| failed(Why::Gone.alone()))?;
    // It was taken before, and its task was not ended.
    let text = text.ok_or_else(|| Performed::Ended(End::Succeeded("{}".to_owned())))?;
    let email =
        Email { id: task.id.to_string(), to: vec![recipient], subject, text, attachments: vec![] };
    Ok((id, email))
}

fn later(reason: String, is_doubtful: bool) -> Performed {
    Performed::Postponed(Pause { seconds: UNREAD_PAUSE, is_doubtful, reason })
}

impl Mails for PeopleMail {
    fn has_mail_server(&self) -> bool {
        self.0.mailer.is_some()
    }

    fn post(&self, ctx: Ctx, mail: NewMail) -> Pending<Written<Mail, PeopleError>> {
        self.0.queue.keep(ctx, mail, self.has_mail_server())
    }

    fn mails(&self, account: AccountId, page: PageRequest) -> Pending<Result<Page<Mail>, Fault>> {
        self.0.queue.mails(account, page)
    }

    fn mail(&self, account: AccountId, id: MailId) -> Pending<Result<Option<Mail>, Fault>> {
        self.0.queue.mail(account, id)
    }

    fn forget(&self, ctx: Ctx, id: MailId) -> Pending<Written<MailId, PeopleError>> {
        self.0.queue.forget(ctx, id)
    }
}
