//! `trastienda tasks attach`.

use std::path::Path;

use anyhow::{Context, bail};
use cfdi::stamp::StampProblem;
use invoices::{
    Certified, Invoice,
    calls::{AttachStamp, StampDesk},
    stamping::AttachRefusal,
    withholding::Withholding,
};
use kernel::{Refused, Timestamp};
use store::Store;
use tasks::{Task, TaskError, TaskState, kind::STAMP, kind::STAMP_WITHHOLDING};

use super::sentence;
use crate::answers::{outcome, waited};

/// Records the stamp in a file as that of what the task stamps, and says what that is now.
pub(super) fn attach(
    store: &Store,
    task: &Task,
    xml: &Path,
    note: String,
    now: Timestamp,
) -> anyhow::Result<String> {
    let id = task.id;
    if task.state != TaskState::Open {
        bail!("{}", sentence(id, TaskError::HasEnded(task.state)));
    }
    let file = xml.display();
    let read = || std::fs::read_to_string(xml).with_context(|| format!("cannot read {file}"));
    match task.kind.as_str() {
        kind if kind == STAMP.name => {
            let invoice: Invoice = attached(store, (task, xml), read()?, note, now)?;
            Ok(told(&invoice, invoice.uuid()))
        }
        kind if kind == STAMP_WITHHOLDING.name => {
            let withholding: Withholding = attached(store, (task, xml), read()?, note, now)?;
            Ok(told(&withholding, withholding.uuid()))
        }
        kind => bail!(
            "the task {id} is of the kind {kind}; only {} and {} take a stamp",
            STAMP.name,
            STAMP_WITHHOLDING.name
        ),
    }
}

fn told<T: Certified>(subject: &T, uuid: Option<&str>) -> String {
    format!("{} {} {}", subject.id(), subject.status().name(), uuid.unwrap_or_default())
}

fn attached<T: Certified>(
    store: &Store,
    (task, xml): (&Task, &Path),
    text: String,
    note: String,
    now: Timestamp,
) -> anyhow::Result<T>
where
    Store: StampDesk<T>,
{
    let subject = T::id_of(&task.subject)
        .with_context(|| format!("the task {} names nothing that is stamped", task.id))?;
    let (account, actor) = (task.account, crate::cli::operator());
    let command = AttachStamp { account, subject, xml: text, actor, note };
    match waited(store.attach(command, now))? {
        Err(Refused::Rule(refusal)) => {
            bail!("{} is not attached: {}", xml.display(), reason::<T>(&refusal, subject))
        }
        answer => outcome(answer, &format!("nothing is {subject}")),
    }
}

fn reason<T: Certified>(refusal: &AttachRefusal, subject: T::Id) -> String {
    match refusal {
        AttachRefusal::NotStamping { status } => {
            format!("{subject} is not being stamped, its status is {}", status.name())
        }
        AttachRefusal::NoStamp(StampProblem::NotADocument) => "it is not a CFDI".to_owned(),
        AttachRefusal::NoStamp(StampProblem::Unstamped) => "it has no stamp".to_owned(),
        AttachRefusal::NoStamp(StampProblem::Incomplete) => "its stamp is incomplete".to_owned(),
        AttachRefusal::AnotherDocument { uuid } => format!(
            "its stamp {uuid} is of another document than the one that was sealed for {subject}"
        ),
    }
}
