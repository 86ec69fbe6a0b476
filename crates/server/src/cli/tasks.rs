//! `trastienda tasks`.

mod attach;
mod command;

use anyhow::{anyhow, bail};
use api::{Clock, SystemClock};
use kernel::{Pending, Refused, Timestamp, Written};
use store::Store;
use tasks::{AuditEntry, OpenTasks, Task, TaskError, TaskId, TaskOffice, TaskState};

pub use command::TasksCommand;

use super::{open, operator};
use crate::{
    answers::{outcome, read, waited},
    output,
    settings::Settings,
};

pub(super) fn run(command: TasksCommand, settings: &Settings) -> anyhow::Result<()> {
    let store = open::existing(settings)?;
    let now = SystemClock.now();
    match command {
        TasksCommand::List { account, kind, attempts_min, limit } => {
            let kind = kind.map(str::to_owned);
            let wanted = OpenTasks { account, kind, attempts_min, limit };
            for task in read(store.open_tasks(wanted))? {
                output::say(line(&task, now));
            }
        }
        TasksCommand::Show { task } => show(&store, task, now)?,
        TasksCommand::Retry { task } => {
            let retried = changed(task, store.retry(task, operator(), now))?;
            output::say(line(&retried, now));
        }
        TasksCommand::Abandon { task, note } => {
            let abandoned = changed(task, store.abandon(task, operator(), note, now))?;
            output::say(line(&abandoned, now));
        }
        TasksCommand::Attach { task, xml, note } => {
            let task = found(&store, task)?;
            let stamped = attach::attach(&store, &task, &xml, note, now)?;
            output::say(format!("{}  {stamped}", task.id));
        }
    }
    Ok(())
}

fn missing(id: TaskId) -> String {
    format!("no task {id}; see `trastienda tasks list`")
}

fn found(store: &Store, id: TaskId) -> anyhow::Result<Task> {
    read(store.find_task(id))?.ok_or_else(|| anyhow!(missing(id)))
}

fn changed(id: TaskId, pending: Pending<Written<Task, TaskError>>) -> anyhow::Result<Task> {
    match waited(pending)? {
        Err(Refused::Rule(error)) => bail!("{}", sentence(id, error)),
        answer => outcome(answer, &missing(id)),
    }
}

fn sentence(id: TaskId, error: TaskError) -> String {
    match error {
        TaskError::HasEnded(state) => format!("the task {id} has ended: it has {}", ending(state)),
        TaskError::IsRunning => format!("a worker is at the task {id}; try again in a minute"),
        TaskError::NotCancellable => format!("the task {id} cannot be cancelled"),
        TaskError::MustBeFinished => format!(
            "the task {id} cannot be abandoned: the tax authority may have received the request \
             to cancel the invoice; use `trastienda tasks retry {id}`"
        ),
    }
}

const fn ending(state: TaskState) -> &'static str {
    match state {
        TaskState::Open => "not been done",
        TaskState::Succeeded => "succeeded",
        TaskState::Failed => "failed",
        TaskState::Cancelled => "been cancelled",
    }
}

fn show(store: &Store, id: TaskId, now: Timestamp) -> anyhow::Result<()> {
    let task = found(store, id)?;
    let entries = read(store.audit_of(task.account, id.to_string()))?;
    output::say(line(&task, now));
    output::say(format!("  created {}  updated {}", task.created_at, task.updated_at));
    if task.is_doubtful {
        output::say("  an attempt may have had an effect that is not on record");
    }
    for AuditEntry { id, actor, action, note, at, .. } in entries {
        output::say(format!("{id}  {at}  {actor}  {action}  {}", one_line(&note)));
    }
    Ok(())
}

/// A task on one line.
fn line(task: &Task, now: Timestamp) -> String {
    let moment = match (task.due_at, task.ended_at) {
        (Some(due), _) => format!("due {due}"),
        (None, Some(ended)) => format!("ended {ended}"),
        (None, None) => "-".to_owned(),
    };
    let (id, account, kind, subject) = (task.id, task.account, &task.kind, &task.subject);
    let (status, attempts) = (task.status(now).name(), task.attempts);
    let outcome = one_line(task.outcome.as_deref().unwrap_or("-"));
    format!(
        "{id}  {account}  {kind}  {subject}  {status}  attempts {attempts}  {moment}  {outcome}"
    )
}

/// Words from outside may have line breaks in them.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
