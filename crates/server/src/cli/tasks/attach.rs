//! `trastienda tasks attach`.

use std::path::Path;

use anyhow::{Context, bail};
use cfdi::stamp::StampProblem;
use invoices::{
    Invoice, InvoiceId,
    calls::{AttachStamp, StampDesk},
    stamping::AttachRefusal,
};
use kernel::{Refused, Timestamp};
use store::Store;
use tasks::{Task, TaskError, TaskState, kind::STAMP};

use super::{actor, sentence};
use crate::answers::{outcome, waited};

/// Records the stamp in a file as that of the task's invoice.
pub(super) fn attach(
    store: &Store,
    task: &Task,
    xml: &Path,
    note: String,
    now: Timestamp,
) -> anyhow::Result<Invoice> {
    let id = task.id;
    if task.kind != STAMP.name {
        bail!("the task {id} is of the kind {}; only {} takes a stamp", task.kind, STAMP.name);
    }
    if task.state != TaskState::Open {
        bail!("{}", sentence(id, TaskError::HasEnded(task.state)));
    }
    let invoice = InvoiceId::parse(&task.subject)
        .with_context(|| format!("the task {id} names no invoice"))?;
    let file = xml.display();
    let text = std::fs::read_to_string(xml).with_context(|| format!("cannot read {file}"))?;
    let (account, actor) = (task.account, actor());
    let command = AttachStamp { account, subject: invoice, xml: text, actor, note };
    match waited(store.attach(command, now))? {
        Err(Refused::Rule(refusal)) => {
            bail!("{file} is not attached: {}", reason(&refusal, invoice))
        }
        answer => outcome(answer, &format!("no invoice {invoice}")),
    }
}

fn reason(refusal: &AttachRefusal, invoice: InvoiceId) -> String {
    match refusal {
        AttachRefusal::NotStamping { status } => {
            format!("the invoice {invoice} is not being stamped, its status is {}", status.name())
        }
        AttachRefusal::NoStamp(StampProblem::NotADocument) => "it is no CFDI".to_owned(),
        AttachRefusal::NoStamp(StampProblem::Unstamped) => "it has no stamp".to_owned(),
        AttachRefusal::NoStamp(StampProblem::Incomplete) => "its stamp is incomplete".to_owned(),
        AttachRefusal::AnotherDocument { uuid } => format!(
            "its stamp {uuid} is of another document than the one that was sealed for {invoice}"
        ),
    }
}
