//! Jobs: work that goes on after the request that asked for it.

use ::bulk::{Stopped, is_bulk};
use accounts::{Access, Area, Right, Scope};
use actix_web::web::Bytes;
use askama::Template;
use futures_util::stream;
use invoices::export::{Content, ExportedInvoices};
use kernel::{FieldFault, Language, Timestamp, message};
use tasks::{JobQuery, KINDS, Status, Task, TaskError, TaskId, TaskKind, TaskState, why};

use super::bulk;
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, BrokenOff, Table},
    failure::Failure,
    format::moment,
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{ButtonForm, Empty, Filters, Moment, Pager, Pill, Progress, Tone},
    reply::{answered, carried_out, found, whole},
    texts::Say,
};

/// Every role may look at orders; of jobs each sees those of what it may look at.
const READ: Right = Right::read(Scope::Orders);
/// What can be cancelled is work on invoices.
const CANCEL: Right = Right::write(Scope::Invoices);
const PATH: &str = "jobs";
/// What is to be done within so many seconds is waited for.
const SOON_SECONDS: i64 = 60;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show)
            .listed(Group::Develop, "list-checks", Say::jobs)
            .key("j")
            .list(),
        Page::get("jobs.csv", READ, table),
        Page::get("jobs/{id}/file", READ, file),
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
    filters: Filters,
    /// Whether any of them goes on now: a script looks again by itself.
    has_open: bool,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    /// What its kind is called.
    name: String,
    /// Its kind, for those who use the API.
    kind: String,
    /// Where it is shown, if it has a page of its own.
    href: Option<String>,
    /// Where the file is that it has made.
    file: Option<String>,
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
    let seen = seen(&call);
    let chosen = chosen(&call, &seen);
    let query = asked(&call, &seen);
    let status = query.status;
    let listed = answered(call.services().jobs.list(call.account(), query)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &listed);
    let line = |task: Task| {
        let status = task.status(call.now());
        let is_open = !matches!(status, Status::Ended(_));
        Line {
            status: status_pill(say, status),
            progress: progress(&task),
            attempts: task.attempts,
            started: moment(task.created_at, zone, call.language),
            cancel: (is_open && is_cancellable(&call, &task)).then(|| {
                let place = format!("{}/{}/cancel", call.href(PATH), task.id);
                call.button(place, say.job_cancel())
            }),
            file: made(&call, &task).map(|_| format!("{}/{}/file", call.href(PATH), task.id)),
            href: is_bulk(&task.kind).then(|| format!("{}/{}", call.href(bulk::PATH), task.id)),
            error: error(&task, call.now(), call.language),
            name: kind_name(say, &task.kind).map_or_else(|| task.kind.clone(), str::to_owned),
            kind: task.kind,
            subject: task.subject,
        }
    };
    let total = list::counted(say, listed.total);
    let has_open = listed.items.iter().any(|task| is_soon(task, call.now()));
    let lines: Vec<_> = listed.items.into_iter().map(line).collect();
    let is_filtered = chosen.is_some() || status.is_some();
    let empty = lines.is_empty().then(|| match is_filtered {
        true => Empty::unmatched(say, call.href(PATH)),
        false => Empty::new(say.no_jobs()),
    });
    let kinds: Vec<_> =
        seen.iter().map(|kind| (*kind, kind_name(say, kind).unwrap_or(*kind))).collect();
    let statuses: Vec<_> =
        Status::EVERY.iter().map(|one| (one.name(), status_name(say, *one))).collect();
    let filters = Filters::without_words(say, call.href(PATH), &call.query, total)
        .choice(&call.query, ("kind", say.job_kind()), &kinds)
        .choice(&call.query, ("status", say.state()), &statuses);
    let body = Listed { say, filters, has_open, lines, empty, pager };
    let sheet = Sheet::new(say.jobs(), &body);
    Ok(call.page(if has_open { sheet.again(Progress::SECONDS) } else { sheet }))
}

/// Whether something happens to a job before long. Some wait for days.
fn is_soon(task: &Task, now: Timestamp) -> bool {
    let soon = now.plus_seconds(SOON_SECONDS);
    task.is_held(now) || task.due_at.is_some_and(|due| due <= soon)
}

/// The file that a job has made, as long as it is kept.
fn made(call: &Call<Member>, task: &Task) -> Option<ExportedInvoices> {
    let made = call.services().exports.exported(task).ok().flatten();
    made.filter(|made| made.expires_at > call.now())
}

/// Sends a file piece by piece, each read when the one before was taken.
async fn file(call: Call<Member>) -> Result<Answer, Failure> {
    let id = TaskId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let task = found(call.services().jobs.get(call.account(), id)).await?;
    if !may_look(&call, &task.kind) {
        return Err(Failure::Nothing);
    }
    let made = made(&call, &task).ok_or(Failure::Nothing)?;
    let ExportedInvoices { name, content, pieces: count, .. } = made;
    let kind = match content {
        Content::XmlAndPdf | Content::Xml | Content::Pdf => "application/zip",
        Content::Csv => "text/csv; charset=utf-8",
    };
    let pieces = stream::unfold((call, 0), move |(call, position)| async move {
        if position >= count {
            return None;
        }
        let piece = found(call.services().files.piece(call.account(), id, position)).await;
        let piece = piece.map(Bytes::from).map_err(|failure| {
            failure.log(call.request_id());
            BrokenOff
        });
        Some((piece, (call, position + 1)))
    });
    Ok(Answer::file_in_pieces(kind, &name, pieces))
}

/// The kinds of work that the member may look at.
fn seen(call: &Call<Member>) -> Vec<&'static str> {
    let kinds = KINDS.iter().map(|kind| kind.name);
    kinds.filter(|kind| may(call, kind, Access::Read)).collect()
}

/// The one of them that the query asks for.
fn chosen(call: &Call<Member>, seen: &[&'static str]) -> Option<&'static str> {
    list::named(&call.query, "kind", seen, |kind| kind)
}

/// Which jobs are asked for. What cannot be read of the query is left out.
fn asked(call: &Call<Member>, seen: &[&'static str]) -> JobQuery {
    JobQuery {
        kinds: chosen(call, seen).map_or_else(|| seen.to_vec(), |kind| vec![kind]),
        status: list::named(&call.query, "status", Status::EVERY, Status::name),
        now: call.now(),
        subject: None,
        page: list::asked(&call.query),
    }
}

/// What stands in its way, or has; what came of one that succeeded is no error.
fn error(task: &Task, now: Timestamp, language: Language) -> Option<String> {
    let is_told = match task.status(now) {
        Status::Queued | Status::Running => true,
        Status::Ended(state) => state == TaskState::Failed,
    };
    let kept = task.outcome.as_ref().filter(|_| is_told)?;
    let stopped = Stopped::of_outcome(kept).map(|why| why.reason().message);
    let told = stopped.or_else(|| why::told(kept));
    Some(told.map_or_else(|| kept.clone(), |told| told.in_language(language).to_owned()))
}

async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, now, language) = (call.say(), call.zone(), call.now(), call.language);
    let query = asked(&call, &seen(&call));
    let table = Table::new(move |services, account, page| {
        services.jobs.list(account, JobQuery { page, ..query.clone() })
    })
    .column(say.identifier(), |task: &Task| task.id.to_string())
    .column(say.job_kind(), move |task| {
        kind_name(say, &task.kind).map_or_else(|| task.kind.clone(), str::to_owned)
    })
    .column(say.resource(), |task| task.subject.clone())
    .column(say.state(), move |task| status_name(say, task.status(now)).to_owned())
    .optional(say.job_progress(), progress)
    .column(say.attempts(), |task| task.attempts.to_string())
    .optional(say.reason(), move |task| error(task, now, language))
    .moment(say.date(), zone, |task| task.created_at)
    .moment(say.ended(), zone, |task| task.ended_at);
    csv::sent(&call, "jobs.csv", table)
}

fn is_cancellable(call: &Call<Member>, task: &Task) -> bool {
    let kind = TaskKind::named(&task.kind);
    // A bulk action is cancelled on its own page, by what it does.
    let may_be = |kind: &TaskKind| kind.is_cancellable && !is_bulk(kind.name);
    kind.is_some_and(|kind| may_be(kind) && may(call, kind.name, Access::Write))
        && !task.is_cancel_requested
}

/// How far it has come, where that is known.
fn progress(task: &Task) -> Option<String> {
    let total = task.progress.total?;
    Some(format!("{} / {total}", task.progress.done))
}

pub(super) const fn status_name(say: Say, status: Status) -> &'static str {
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

/// What a kind of work is called; none where another release has opened it.
fn kind_name(say: Say, kind: &str) -> Option<&'static str> {
    Some(match kind {
        "invoices.stamp" => say.job_of_stamp(),
        "invoices.cancel" => say.job_of_cancel_invoice(),
        "invoices.cancel_approved" => say.job_of_cancel_approved(),
        "invoices.follow" => say.job_of_follow(),
        "invoices.stamp_withholding" => say.job_of_stamp_withholding(),
        "invoices.cancel_withholding" => say.job_of_cancel_withholding(),
        "invoices.email" => say.job_of_email(),
        "invoices.export" => say.job_of_export(),
        "products.import" => say.job_of_import_products(),
        "customers.import" => say.job_of_import_customers(),
        "warehouses.import" => say.job_of_import_stock(),
        "invoices.global" => say.job_of_global(),
        "payments.call" => say.job_of_payment_call(),
        "payments.refund" => say.job_of_refund(),
        "payments.check" => say.job_of_payment_check(),
        "payments.notification" => say.job_of_payment_notice(),
        "payments.sandbox" => say.job_of_sandbox_news(),
        "payments.paper" => say.job_of_paper(),
        "account.mail" => say.job_of_mail(),
        "orders.bulk" => say.job_of_bulk_orders(),
        "invoices.bulk" => say.job_of_bulk_invoices(),
        "webhooks.bulk" => say.job_of_bulk_deliveries(),
        _ => return None,
    })
}

/// What a bulk action is called, by the name of its act.
pub(super) fn action_name(say: Say, action: &str) -> &'static str {
    known_action(say, action).unwrap_or(say.bulk_action())
}

/// The same of one that is known.
pub(super) fn known_action(say: Say, action: &str) -> Option<&'static str> {
    Some(match action {
        "orders.ship" => say.ship_orders(),
        "orders.pay" => say.pay_orders(),
        "orders.cancel" => say.cancel_orders(),
        "orders.invoice" => say.invoice_orders(),
        "invoices.stamp" => say.stamp_invoices(),
        "invoices.email" => say.email_invoices(),
        "deliveries.resend" => say.resend_deliveries(),
        _ => return None,
    })
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
            message!("This job cannot be cancelled.", "Este trabajo no se puede cancelar.")
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_of_work_has_a_name_of_its_own() {
        for language in Language::EVERY {
            let name = |kind: &TaskKind| {
                kind_name(Say(language), kind.name).unwrap_or_else(|| panic!("{}", kind.name))
            };
            let names: BTreeSet<_> = KINDS.iter().map(name).collect();
            assert_eq!(names.len(), KINDS.len());
        }
        assert_eq!(kind_name(Say(Language::English), "invoices.unheard_of"), None);
    }
}
