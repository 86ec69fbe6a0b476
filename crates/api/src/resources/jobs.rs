//! `/jobs`: work that outlives the request that asks for it.

mod body;
mod examples;
mod file;
mod forms;

use accounts::Scope;
use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use kernel::{Done, Page};
use tasks::{JobQuery, KINDS, Task, TaskId};

use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{ANY_KEY, Endpoint, Segment, id, query, taking},
    error::{ApiError, Code},
    page::PageOf,
    reply::{answered, found, not_found, written},
};
pub(super) use body::JobBody;
use body::JobResultBody;
pub(super) use examples::{
    EXPORTING as EXPORTING_EXAMPLE, GLOBAL as GLOBAL_EXAMPLE, QUEUED as QUEUED_EXAMPLE,
};

const ALL: &str = JobBody::PATH;
const ONE: &str = "/jobs/{id}";
const CANCEL: &str = "/jobs/{id}/cancel";
const FILE: &str = "/jobs/{id}/file";
const EMAIL: &str = tasks::kind::EMAIL.name;
const EXPORT: &str = tasks::kind::EXPORT.name;
const GLOBAL: &str = tasks::kind::GLOBAL.name;
const ID: Segment<TaskId> = id(TaskId::PREFIX, TaskId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, ANY_KEY, taking(query(forms::LIST), list))
            .summary("List jobs")
            .describes(
                "Work that goes on after the request that started it, newest first: its status, \
                 progress and result. Ended jobs are kept as long as events.",
            )
            .translated()
            .pages::<JobBody>("A page of jobs.", examples::PAGE),
        Endpoint::get(ONE, ANY_KEY, taking(ID, show))
            .summary("Get a job")
            .describes("Poll it until `endedAt` is set.")
            .translated()
            .answers::<JobBody>(200, "The job.", examples::SUCCEEDED),
        Endpoint::post(CANCEL, ANY_KEY, taking(ID, cancel))
            .summary("Cancel a job")
            .describes(
                "Cancels a job for which `cancellable` is true: immediately while it is `queued`; \
                 a `running` one stops at its next step, if that does not complete it.",
            )
            .translated()
            .answers::<JobBody>(200, "The job.", examples::CANCELLED)
            .refuses(&[Code::Conflict, Code::InvalidTransition]),
        Endpoint::get(FILE, ANY_KEY, taking(ID, file::download))
            .summary("Download the file of a job")
            .describes(
                "The file that a job has made: of `invoices.export` a ZIP archive or CSV. It is kept for 7 days \
                 from the request for it; `result.expiresAt` says until when.",
            )
            .answers_file(&[file::ZIP_TYPE, file::CSV_TYPE], "The file.")
            .refuses(&[Code::Conflict]),
    ]
}

async fn list(call: Call, wanted: forms::WantedJobs) -> Result<Answer, ApiError> {
    let forms::WantedJobs { kind, status, subject, page: asked } = wanted;
    let kinds = KINDS.iter().filter(|known| may_see(&call, known.name));
    let kinds = kinds.filter(|known| kind.is_none_or(|kind| kind == **known));
    let kinds = kinds.map(|kind| kind.name).collect();
    let query = JobQuery { kinds, status, now: call.now, subject, page: asked.clone() };
    let page = answered(call.services().jobs.list(call.account, query)).await?;
    let items = page.items.into_iter().map(|task| body(&call, task));
    let items: Result<Vec<JobBody>, ApiError> = items.collect();
    let page = Page { items: items?, total: page.total, next: page.next };
    told(&call, Answer::json(StatusCode::OK, &PageOf::<JobBody>::new(page, &asked))?)
}

/// With the language that reasons are told in.
fn told(call: &Call, answer: Answer) -> Result<Answer, ApiError> {
    answer.with(CONTENT_LANGUAGE, call.language().tag())
}

async fn show(call: Call, id: TaskId) -> Result<Answer, ApiError> {
    let shown = body(&call, visible(&call, id).await?)?;
    let tag = shown.etag();
    told(&call, Answer::tagged(call.headers(), &shown, tag)?)
}

async fn cancel(call: Call, id: TaskId) -> Result<Answer, ApiError> {
    let _ = visible(&call, id).await?;
    let done = written(call.services().jobs.cancel(call.ctx()?, id)).await?;
    let Done { value, replayed } = done;
    told(&call, Answer::acted::<JobBody, _>(Done { value: body(&call, value)?, replayed })?)
}

/// A job of the account, if the key covers what it does.
async fn visible(call: &Call, id: TaskId) -> Result<Task, ApiError> {
    let task = found(call.services().jobs.get(call.account, id)).await?;
    match scope_of(&task.kind) {
        Some(scope) => call.authorize(scope)?,
        None if !call.may_do_everything() => return Err(not_found()),
        None => {}
    }
    Ok(task)
}

fn may_see(call: &Call, kind: &str) -> bool {
    scope_of(kind).map_or_else(|| call.may_do_everything(), |scope| call.may(scope))
}

/// The scope whose name a kind of work begins with.
fn scope_of(kind: &str) -> Option<Scope> {
    let (name, _) = kind.split_once('.')?;
    Scope::EVERY.iter().copied().find(|scope| scope.name() == name)
}

fn body(call: &Call, task: Task) -> Result<JobBody, ApiError> {
    let services = call.services();
    let result = match task.kind.as_str() {
        EMAIL => services.emails.sent(&task)?.map(JobResultBody::from),
        EXPORT => services.exports.exported(&task)?.map(JobResultBody::from),
        GLOBAL => {
            let run = services.global_invoices.made(&task)?;
            run.map(|run| JobResultBody::of_run(run, call.language()))
        }
        _ => None,
    };
    JobBody::new(task, result, (call.now, call.language()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_work_has_a_scope() {
        for kind in KINDS {
            let has_scope = scope_of(kind.name).is_some();
            assert!(has_scope || *kind == tasks::kind::MAIL, "{}", kind.name);
        }
        assert_eq!(scope_of("horoscopes.cast"), None);
    }
}
