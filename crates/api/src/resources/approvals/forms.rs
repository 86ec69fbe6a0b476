//! What the endpoints of approvals read.

use approvals::{ApprovalId, COMMENT_CHARS_MAX, EntityType, HOURS_DEFAULT, Level, Status};
use intake::{
    Check, Fields, Form,
    checks::{line, one_of},
    noun,
};
use kernel::PageRequest;

use super::examples;
use crate::{
    page::page_request_of,
    resources::approval_rules::{entity_type, expires_after_hours, levels},
};

pub(super) const LIST: Form<WantedApprovals> = Form::query(read_query);
pub(super) const ASK: Form<WantedApproval> =
    Form::body("AskForApproval", noun("an approval", "una aprobación"), read_ask, examples::ASK);
pub(super) const APPROVE: Form<Option<String>> =
    Form::body("Approve", noun("a decision", "una decisión"), read_approval, examples::APPROVE)
        .or_absent();
/// An absent body is read as an empty object, so that the answer names the missing comment.
pub(super) const REJECT: Form<String> =
    Form::body("Reject", noun("a decision", "una decisión"), read_rejection, examples::REJECT)
        .or_absent();

/// The most characters of an identifier.
const ID_CHARS_MAX: usize = 40;
/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &[
    "id",
    "status",
    "level",
    "requirements",
    "facts",
    "currency",
    "requestedBy",
    "decisions",
    "effect",
    "result",
    "createdAt",
    "updatedAt",
    "expiresAt",
    "endedAt",
];

/// Which approvals are wanted.
#[derive(Debug)]
pub(super) struct WantedApprovals {
    pub(super) entity: Option<EntityType>,
    pub(super) status: Option<Status>,
    pub(super) entity_id: Option<String>,
    pub(super) page: PageRequest,
}

/// An approval that is asked for by hand.
#[derive(Debug)]
pub(super) struct WantedApproval {
    pub(super) entity: EntityType,
    pub(super) entity_id: String,
    pub(super) reason: Option<String>,
    pub(super) levels: Vec<Level>,
    pub(super) expires_after_hours: u32,
}

fn read_query(fields: &mut Fields<'_>) -> Option<WantedApprovals> {
    let status = one_of(Status::EVERY, Status::name).about("Filter by status.");
    Some(WantedApprovals {
        entity: fields
            .change("entityType", entity_type().about("Filter by what is to be approved.")),
        status: fields.change("status", status),
        entity_id: fields.change(
            "entityId",
            line(ID_CHARS_MAX).about("Filter by the identifier of what is to be approved."),
        ),
        page: page_request_of(fields, "-createdAt", ApprovalId::PREFIX),
    })
}

fn read_ask(fields: &mut Fields<'_>) -> Option<WantedApproval> {
    let entity = fields.required("entityType", entity_type());
    let entity_id = fields.required(
        "entityId",
        line(ID_CHARS_MAX)
            .about(
                "Identifier of an order; of an invoice for `invoice_cancellation`, of a payment for `refund`.",
            ),
    );
    let reason = fields.optional("reason", comment().about("Why the approval is asked for."));
    let levels = fields.required(
        "levels",
        levels().about("Who must agree, one level after the other: keys that may approve, and users whose role does."),
    );
    let hours = fields.optional(
        "expiresAfterHours",
        expires_after_hours()
            .about("Hours after which it expires if it was not decided; 72 by default."),
    );
    fields.read_only(READ_ONLY);
    Some(WantedApproval {
        entity: entity?,
        entity_id: entity_id?,
        reason,
        levels: levels?,
        expires_after_hours: hours.unwrap_or(HOURS_DEFAULT),
    })
}

fn read_approval(fields: &mut Fields<'_>) -> Option<Option<String>> {
    Some(fields.optional("comment", comment().about("What is said with it.")))
}

fn read_rejection(fields: &mut Fields<'_>) -> Option<String> {
    fields.required("comment", comment().about("Why it is rejected."))
}

fn comment() -> impl Check<Value = String> {
    line(COMMENT_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read() {
        assert!(ASK.read_body(examples::ASK.as_bytes()).is_ok());
        assert!(APPROVE.read_body(examples::APPROVE.as_bytes()).is_ok());
        assert!(APPROVE.read_body(b"").is_ok());
        assert!(REJECT.read_body(examples::REJECT.as_bytes()).is_ok());
        let refused = REJECT.read_body(b"").unwrap_err().to_string();
        assert_eq!(refused, "comment is required");
    }
}
