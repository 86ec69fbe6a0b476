//! What the jobs' endpoints read.

use intake::{
    Check, Fields, Form,
    checks::{line, one_of},
};
use kernel::PageRequest;
use tasks::{KINDS, Status, TaskId, TaskKind};

use crate::page::page_request_of;

pub(super) const LIST: Form<WantedJobs> = Form::query(read_query);

/// The most characters of an identifier.
const ID_CHARS_MAX: usize = 40;

/// Which jobs are wanted.
#[derive(Debug)]
pub(super) struct WantedJobs {
    pub(super) kind: Option<TaskKind>,
    pub(super) status: Option<Status>,
    pub(super) subject: Option<String>,
    pub(super) page: PageRequest,
}

fn read_query(fields: &mut Fields<'_>) -> Option<WantedJobs> {
    let kind = one_of(KINDS, |kind: TaskKind| kind.name);
    let status = one_of(Status::EVERY, Status::name);
    let subject = line(ID_CHARS_MAX);
    Some(WantedJobs {
        kind: fields.change("kind", kind.about("Filter by kind.")),
        status: fields.change("status", status.about("Filter by status.")),
        subject: fields
            .change("subject", subject.about("Filter by the identifier of what a job is about.")),
        page: page_request_of(fields, "-createdAt", TaskId::PREFIX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_narrowed() {
        let wanted = LIST.read_query("kind=invoices.email&status=failed&subject=inv_1").unwrap();
        assert_eq!(wanted.kind, Some(tasks::kind::EMAIL));
        assert_eq!(wanted.status.map(Status::name), Some("failed"));
        assert_eq!(wanted.subject.as_deref(), Some("inv_1"));
        let refused = LIST.read_query("status=open").unwrap_err().to_string();
        assert_eq!(refused, "status must be one of queued, running, succeeded, failed, cancelled");
    }
}
