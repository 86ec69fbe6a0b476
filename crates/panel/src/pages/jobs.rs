//! Jobs: work that goes on after the request that asked for it.

use ::bulk::is_bulk;
use accounts::{Access, Area, Right, Scope};
use askama::Template;
use kernel::{FieldFault, message};
use tasks::{JobQuery, KINDS, Status, Task, TaskError, TaskId, TaskKind, TaskState};

use super::bulk;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::moment,
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{ButtonForm, Empty, Moment, Pager, Pill, Tone},
    reply::{answered, carried_out, found, whole},
    texts::Say,
};

/// Every role may look at orders; of jobs each sees those of what it may look at.
const READ: Right = Right::read(Scope::Orders);
/// What can be cancelled is work on invoices.
const CANCEL: Right = Right::write(Scope::Invoices);
const PATH: &str = "jobs";

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show).listed(Group::Develop, "list-checks", Say::jobs).key("j"),
        Page::post("jobs/{id}/cancel", CANCEL, cancel),
    ]
}

/// The scope whose name a kind of work begins with.
fn scope_of(kind: &str) -> Option<Scope> {
    let (name, _) = kind.split_once('.')?;
    Scope::EVERY.iter().copied().find(|scope| scope.name() == name)
}

fn may(call: &Call<Member>, kind: &str, access: Access) -> bool {
    scope_of(kind).is_some_and(|scope| call.may(Right::of(Area::Scope(scope), access)))
}

/// Whether the member may look at work of a kind.
pub(super) fn may_look(call: &Call<Member>, kind: &str) -> bool {
    may(call, kind, Access::Read)
}

#[derive(Template)]
#[template(path = "jobs/list.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    path: String,
    kinds: Vec<(&'static str, bool)>,
    statuses: Vec<(&'static str, &'static str, bool)>,
    is_filtered: bool,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    kind: String,
    /// Where it is shown, if it has a page of its own.
    href: Option<String>,
    subject: String,
    status: Pill,
    progress: Option<String>,
    attempts: u32,
    error: Option<String>,
    started: Moment,
    /// Cancels it, if it can be.
    cancel: Option<ButtonForm>,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let asked = |name: &str| call.query.filled(name);
    let seen = KINDS.iter().map(|kind| kind.name).filter(|kind| may(&call, kind, Access::Read));
    let seen: Vec<&'static str> = seen.collect();
    let chosen = seen.iter().copied().find(|kind| Some(*kind) == asked("kind"));
    let status = Status::EVERY.iter().copied().find(|one| Some(one.name()) == asked("status"));
    let query = JobQuery {
        kinds: chosen.map_or_else(|| seen.clone(), |kind| vec![kind]),
        status,
        now: call.now(),
        subject: None,
        page: list::asked(&call.query),
    };
    let listed = answered(call.services().jobs.list(call.account(), query)).await?;
    let zone = call.zone().await?;
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let line = |task: Task| {
        let status = task.status(call.now());
        let is_open = !matches!(status, Status::Ended(_));
        let has_failed = status == Status::Ended(TaskState::Failed);
        Line {
            status: status_pill(say, status),
            progress: progress(&task),
            attempts: task.attempts,
            started: moment(task.created_at, zone, call.language),
            cancel: (is_open && is_cancellable(&call, &task)).then(|| {
                let place = format!("{}/{}/cancel", call.href(PATH), task.id);
                call.button(place, say.job_cancel())
            }),
            href: is_bulk(&task.kind).then(|| format!("{}/{}", call.href(bulk::PATH), task.id)),
            error: task.outcome.filter(|_| is_open || has_failed),
            kind: task.kind,
            subject: task.subject,
        }
    };
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let is_filtered = chosen.is_some() || status.is_some();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::new(say.no_matches()).action(say.clear_filters(), call.href(PATH)),
        false => Empty::new(say.no_jobs()),
    });
    let of_status = |one: &Status| (one.name(), status_name(say, *one), status == Some(*one));
    let body = Listed {
        say,
        path: call.href(PATH),
        kinds: seen.iter().map(|kind| (*kind, chosen == Some(*kind))).collect(),
        statuses: Status::EVERY.iter().map(of_status).collect(),
        is_filtered,
        lines,
        empty,
        pager,
    };
    Ok(call.page(Sheet::new(say.jobs(), &body)))
}

fn is_cancellable(call: &Call<Member>, task: &Task) -> bool {
    let kind = TaskKind::named(&task.kind);
    kind.is_some_and(|kind| kind.is_cancellable && may(call, kind.name, Access::Write))
        && !task.is_cancel_requested
}

/// How far it has come, where that is known.
fn progress(task: &Task) -> Option<String> {
    let total = task.progress.total?;
    Some(format!("{} / {total}", task.progress.done))
}

const fn status_name(say: Say, status: Status) -> &'static str {
    match status {
        Status::Queued => say.job_queued(),
        Status::Running => say.job_running(),
        Status::Ended(TaskState::Succeeded) => say.job_succeeded(),
        Status::Ended(TaskState::Failed) => say.job_failed(),
        Status::Ended(_) => say.job_cancelled(),
    }
}

pub(super) fn status_pill(say: Say, status: Status) -> Pill {
    let tone = match status {
        Status::Queued | Status::Running => Tone::Waiting,
        Status::Ended(TaskState::Succeeded) => Tone::Good,
        Status::Ended(TaskState::Failed) => Tone::Bad,
        Status::Ended(_) => Tone::Plain,
    };
    Pill::new(tone, status_name(say, status))
}

/// What a bulk action is called, by the name of its act.
pub(super) fn action_name(say: Say, action: &str) -> &'static str {
    match action {
        "orders.ship" => say.ship_orders(),
        "orders.pay" => say.pay_orders(),
        "orders.cancel" => say.cancel_orders(),
        "orders.invoice" => say.invoice_orders(),
        _ => say.bulk_action(),
    }
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let id = TaskId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let task = found(call.services().jobs.get(call.account(), id)).await?;
    if !may(&call, &task.kind, Access::Write) {
        return Err(Failure::Nothing);
    }
    cancelled(&call, id, PATH).await
}

/// Cancels a job that the member may cancel, and leads to a page of the account.
pub(super) async fn cancelled(
    call: &Call<Member>,
    id: TaskId,
    page: &str,
) -> Result<Answer, Failure> {
    let cancelling = call.services().jobs.cancel(call.ctx(), id);
    match carried_out(cancelling, |error| told(&error)).await? {
        Ok(_) => Ok(call.done_at(page, "job.cancelled")),
        Err(faults) => {
            let sentence = faults.into_iter().next().map(|fault| fault.problem);
            Err(sentence.map_or(Failure::Nothing, Failure::Malformed))
        }
    }
}

/// Why a job goes on.
fn told(error: &TaskError) -> FieldFault {
    whole(match error {
        TaskError::HasEnded(_) => {
            message!("The job has ended already.", "El trabajo ya terminó.")
        }
        TaskError::IsRunning => message!(
            "The job is being worked on. Try again in a moment.",
            "El trabajo está en curso. Intenta de nuevo en un momento."
        ),
        TaskError::NotCancellable | TaskError::MustBeFinished => {
            message!("This job can only be finished.", "Este trabajo solo se puede terminar.")
        }
    })
}
