//! How the API shows a job.

use std::fmt::Display;

use bulk::Stopped;
use invoices::{SentEmail, export::ExportedInvoices, global::GlobalRun};
use kernel::{Language, Timestamp};
use serde::Serialize;
use tasks::{
    Progress, Status, Task, TaskId, TaskKind, TaskState,
    kind::{
        BULK_INVOICES, CANCEL_WITHHOLDING, EXPORT, GLOBAL, IMPORT_CUSTOMERS, IMPORT_PRODUCTS,
        IMPORT_STOCK, STAMP_WITHHOLDING,
    },
    why,
};
use utoipa::ToSchema;

use crate::{
    BASE_PATH,
    answer::Resource,
    error::ApiError,
    etag::ETag,
    resources::{global_invoices::GlobalRunBody, invoices::SentBody, shapes},
};

/// Work that goes on after the request that started it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Job)]
pub(in crate::resources) struct JobBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H")]
    id: TaskId,
    /// What is done: a scope and an action.
    #[schema(example = "invoices.email")]
    kind: String,
    /// `queued` until a worker takes it up and while it waits for another attempt, `running`, then `succeeded`,
    /// `failed` or `cancelled`.
    #[schema(value_type = shapes::JobStatus)]
    status: &'static str,
    /// What the job is about: the identifier of a resource, or days, `from/to`: of `invoices.export` those of issue, of
    /// `invoices.global` those of the sales; of bulk actions what is done about each.
    #[schema(example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    subject: String,
    /// How far it has come.
    progress: ProgressBody,
    /// Attempts that have ended.
    attempts: u32,
    /// What the request would have been answered with if it had waited; `null` until the job has succeeded, and for jobs
    /// whose result is their subject. Of `invoices.global` there also when it has failed: what was made before.
    result: Option<JobResultBody>,
    /// Why the job failed, or why its last attempt was not enough.
    last_error: Option<String>,
    /// Whether it can be cancelled now.
    cancellable: bool,
    /// Whether it has been asked to stop.
    cancel_requested: bool,
    /// Paths of the job and of its subject.
    links: LinksBody,
    /// When the job was started.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    /// When the next attempt is due; `null` once it has ended.
    #[schema(value_type = Option<shapes::Timestamp>)]
    next_attempt_at: Option<Timestamp>,
    /// When it ended.
    #[schema(value_type = Option<shapes::Timestamp>)]
    ended_at: Option<Timestamp>,
    #[serde(skip)]
    is_spanish: bool,
}

/// What has come of a job, by its kind.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = JobResult)]
pub(in crate::resources) enum JobResultBody {
    /// Of `invoices.email`.
    Sent(SentBody),
    /// Of `invoices.export`.
    Exported(ExportedBody),
    /// Of `invoices.global`.
    Global(GlobalRunBody),
}

/// A file of invoices.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ExportedInvoices)]
pub(in crate::resources) struct ExportedBody {
    /// Name of the file.
    #[schema(example = "facturas-2026-01.zip")]
    file_name: String,
    /// What it holds.
    #[schema(value_type = shapes::ExportContent)]
    content: &'static str,
    /// Number of invoices in it.
    invoices: u64,
    /// Size of the file in bytes.
    size: u64,
    /// When the file is removed.
    #[schema(value_type = shapes::Timestamp)]
    expires_at: Timestamp,
}

impl From<SentEmail> for JobResultBody {
    fn from(sent: SentEmail) -> Self {
        Self::Sent(sent.into())
    }
}

impl JobResultBody {
    /// Global invoices, with what became of them in a language.
    pub(in crate::resources) fn of_run(run: GlobalRun, language: Language) -> Self {
        Self::Global(GlobalRunBody::new(run, language))
    }
}

impl From<ExportedInvoices> for JobResultBody {
    fn from(exported: ExportedInvoices) -> Self {
        let ExportedInvoices { name, content, invoices, size, expires_at, .. } = exported;
        Self::Exported(ExportedBody {
            file_name: name,
            content: content.name(),
            invoices,
            size,
            expires_at: expires_at.to_millis(),
        })
    }
}

/// How far a job has come.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = JobProgress)]
struct ProgressBody {
    /// Parts that are done.
    done: u64,
    /// Parts in all; `null` while that is unknown.
    total: Option<u64>,
    /// What is being done.
    message: Option<String>,
}

/// Where a job and what it is about are found.
#[derive(Serialize, ToSchema)]
#[schema(as = JobLinks)]
struct LinksBody {
    /// Path of the job.
    #[serde(rename = "self")]
    #[schema(example = "/api/v1/jobs/tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H")]
    own: String,
    /// Path of its subject; `null` where that is no resource.
    #[schema(example = "/api/v1/invoices/inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    subject: Option<String>,
    /// Path of the file that it has made.
    #[schema(example = "/api/v1/jobs/tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H/file")]
    file: Option<String>,
}

impl JobBody {
    /// A job as it is at a moment and in a language, with what has come of it, where that is more than its subject.
    pub(in crate::resources) fn new(
        task: Task,
        result: Option<JobResultBody>,
        (now, language): (Timestamp, Language),
    ) -> Result<Self, ApiError> {
        let status = task.status(now);
        let is_cancellable = TaskKind::named(&task.kind).is_some_and(|kind| kind.is_cancellable);
        let Progress { done, total, message } = task.progress;
        let subject = subject_path(&task.kind, &task.subject);
        let own = format!("{BASE_PATH}{}/{}", Self::PATH, task.id);
        let has_file = matches!(result, Some(JobResultBody::Exported(_)));
        let file = has_file.then(|| format!("{own}/file"));
        let links = LinksBody { own, subject, file };
        Ok(Self {
            id: task.id,
            kind: task.kind,
            status: status.name(),
            subject: task.subject,
            progress: ProgressBody { done, total, message },
            attempts: task.attempts,
            result,
            last_error: task
                .outcome
                .filter(|_| task.state != TaskState::Succeeded)
                .map(|kept| told(kept, language)),
            is_spanish: language == Language::Spanish,
            cancellable: is_cancellable && !matches!(status, Status::Ended(_)),
            cancel_requested: task.is_cancel_requested,
            links,
            created_at: task.created_at.to_millis(),
            updated_at: task.updated_at.to_millis(),
            next_attempt_at: task.due_at.map(Timestamp::to_millis),
            ended_at: task.ended_at.map(Timestamp::to_millis),
        })
    }
}

/// Why a job does not go on, of what its task keeps.
fn told(kept: String, language: Language) -> String {
    let stopped = Stopped::of_outcome(&kept).map(|why| why.reason().message);
    match stopped.or_else(|| why::told(&kept)) {
        Some(told) => told.in_language(language).to_owned(),
        None => kept,
    }
}

/// Where the subject of a kind of work is found, if it is a resource.
fn subject_path(kind: &str, subject: &str) -> Option<String> {
    if [EXPORT.name, GLOBAL.name, BULK_INVOICES.name].contains(&kind) {
        return None;
    }
    let withholdings = [STAMP_WITHHOLDING.name, CANCEL_WITHHOLDING.name];
    let resources = match TaskKind::named(kind)?.scope() {
        _ if withholdings.contains(&kind) => "/withholdings",
        _ if kind == IMPORT_PRODUCTS.name => "/products/imports",
        _ if kind == IMPORT_CUSTOMERS.name => "/customers/imports",
        _ if kind == IMPORT_STOCK.name => "/stock/imports",
        "invoices" => "/invoices",
        _ => return None,
    };
    Some(format!("{BASE_PATH}{resources}/{subject}"))
}

impl Resource for JobBody {
    type Thing = Self;

    const PATH: &'static str = "/jobs";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        let moving =
            [self.updated_at.micros(), i64::from(self.attempts), i64::from(self.is_spanish)];
        let status = self.status.bytes().map(i64::from);
        ETag::version_and(1, moving.into_iter().chain(status))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tasks::{Claim, ClaimId, End, NewTask, Payload, Why, kind};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(1_770_000_000_000_000).plus_seconds(seconds)
    }

    fn task() -> Task {
        let new = NewTask {
            kind: kind::EMAIL.name,
            subject: "inv_00000000000000000000000007".to_owned(),
            exclusive_key: None,
            payload: Payload::none(),
            due_at: at(0),
            claim: Some(Claim { id: ClaimId::from_u128(1), until: at(30) }),
        };
        Task::open(kernel::AccountId::from_u128(1), TaskId::from_u128(9), new, at(0))
    }

    fn shown(task: Task, seconds: i64) -> serde_json::Value {
        serde_json::to_value(JobBody::new(task, None, (at(seconds), Language::English)).unwrap())
            .unwrap()
    }

    #[test]
    fn a_job_shows_its_status_at_the_moment() {
        let running = shown(task(), 1);
        assert_eq!(
            (&running["status"], &running["cancellable"]),
            (&json!("running"), &json!(true))
        );
        assert_eq!(running["links"]["self"], "/api/v1/jobs/tsk_00000000000000000000000009");
        assert_eq!(running["links"]["subject"], "/api/v1/invoices/inv_00000000000000000000000007");
        assert_eq!(shown(task(), 31)["status"], "queued");
        let ended = shown(task().ended(End::Failed("no such user".to_owned()), at(2)), 31);
        assert_eq!(ended["status"], "failed");
        assert_eq!(ended["lastError"], "no such user");
        let failed = || task().ended(End::Failed(Why::of_import("no rows", "sin filas")), at(2));
        assert_eq!(shown(failed(), 31)["lastError"], "no rows");
        let spanish = JobBody::new(failed(), None, (at(31), Language::Spanish)).unwrap();
        assert_eq!(spanish.last_error.as_deref(), Some("sin filas"));
        assert_eq!((&ended["cancellable"], &ended["nextAttemptAt"]), (&json!(false), &json!(null)));
        let done = shown(task().ended(End::Succeeded("{}".to_owned()), at(2)), 31);
        assert_eq!((&done["lastError"], &done["result"]), (&json!(null), &json!(null)));
    }
}
