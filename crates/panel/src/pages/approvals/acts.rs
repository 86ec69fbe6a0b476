//! What is done about an approval: it is given, refused, or taken back by who has asked.

use approvals::{Approval, ApprovalError, COMMENT_CHARS_MAX, Decide, Status, TakeBack, Verdict};
use intake::{
    Fields, Form,
    checks::{line, whole_from},
    noun,
};
use kernel::{FieldFault, message};

use super::{PATH, READ, approval, decides, entity_name, myself};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    pages::money::{asking, refused},
    parts::{Field, Link},
    reply::{carried_out, whole},
};

const APPROVAL: Form<Option<String>> = Form::body(
    "Approval",
    noun("this form", "este formulario"),
    |fields| {
        seen(fields);
        Some(fields.optional("comment", line(COMMENT_CHARS_MAX)))
    },
    "",
);
const REJECTION: Form<String> = Form::body(
    "Rejection",
    noun("this form", "este formulario"),
    |fields| {
        seen(fields);
        fields.required("comment", line(COMMENT_CHARS_MAX))
    },
    "",
);

/// The version that was seen, which is looked at by who carries it out.
fn seen(fields: &mut Fields<'_>) {
    let _: Option<i64> = fields.optional("version", whole_from(1));
}

/// The pages. Who may look may come; what they may is judged by what the approval is about and by who is named.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("approvals/{id}/approve", READ, ask_approve),
        Page::post("approvals/{id}/approve", READ, approve),
        Page::get("approvals/{id}/reject", READ, ask_reject),
        Page::post("approvals/{id}/reject", READ, reject),
        Page::post("approvals/{id}/cancel", READ, cancel),
    ]
}

/// Whether the member is asked to decide.
pub(super) fn may_decide(call: &Call<Member>, approval: &Approval) -> bool {
    approval.status == Status::Pending
        && approval.names(myself(call))
        && decides(call, approval.entity)
}

/// Whether the member has asked and may think better of it.
pub(super) fn may_take_back(call: &Call<Member>, approval: &Approval) -> bool {
    approval.status == Status::Pending && approval.requested_by == myself(call)
}

/// What the member may do about an approval as it stands.
pub(super) fn offered(
    call: &Call<Member>,
    approval: &Approval,
) -> Vec<(&'static str, &'static str)> {
    let say = call.say();
    match may_decide(call, approval) {
        true => vec![(say.approve(), "approve"), (say.reject(), "reject")],
        false => Vec::new(),
    }
}

fn deciding(
    call: &Call<Member>,
    approval: &Approval,
    verdict: Verdict,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let (label, path, text) = match verdict {
        Verdict::Approve => (say.approve(), "approve", say.approve_intro()),
        Verdict::Reject => (say.reject(), "reject", say.reject_intro()),
    };
    let place = format!("{}/{}", call.href(PATH), approval.id);
    let comment = Field::text("comment", say.comment(), values);
    let form = call.form(format!("{place}/{path}"), vec![comment], label, faults);
    let form = form.hidden("version", approval.version.to_string());
    let back = Link::new(entity_name(say, approval.entity), place);
    asking(call, (label.to_owned(), text.to_owned()), &form, faults, back)
}

async fn ask_approve(call: Call<Member>) -> Result<Answer, Failure> {
    let approval = approval(&call).await?;
    Ok(deciding(&call, &approval, Verdict::Approve, &Values::default(), &[]))
}

async fn ask_reject(call: Call<Member>) -> Result<Answer, Failure> {
    let approval = approval(&call).await?;
    Ok(deciding(&call, &approval, Verdict::Reject, &Values::default(), &[]))
}

async fn approve(call: Call<Member>) -> Result<Answer, Failure> {
    let approval = approval(&call).await?;
    match call.read(&APPROVAL)? {
        Ok(comment) => decide(&call, &approval, Verdict::Approve, comment).await,
        Err(faults) => {
            Ok(deciding(&call, &approval, Verdict::Approve, call.sent.values(), &faults))
        }
    }
}

async fn reject(call: Call<Member>) -> Result<Answer, Failure> {
    let approval = approval(&call).await?;
    match call.read(&REJECTION)? {
        Ok(comment) => decide(&call, &approval, Verdict::Reject, Some(comment)).await,
        Err(faults) => Ok(deciding(&call, &approval, Verdict::Reject, call.sent.values(), &faults)),
    }
}

async fn decide(
    call: &Call<Member>,
    approval: &Approval,
    verdict: Verdict,
    comment: Option<String>,
) -> Result<Answer, Failure> {
    if !decides(call, approval.entity) {
        return Err(Failure::NotAllowed);
    }
    let (by, version) = (myself(call), call.seen_version());
    let command = Decide { id: approval.id, by, verdict, comment, version };
    let deciding_it = call.services().approvals.decide(call.ctx(), command);
    Ok(match carried_out(deciding_it, told).await? {
        Ok(decided) => call.done_at(&format!("{PATH}/{}", decided.id), "approval.decided"),
        Err(faults) => deciding(call, approval, verdict, call.sent.values(), &faults),
    })
}

async fn cancel(call: Call<Member>) -> Result<Answer, Failure> {
    let approval = approval(&call).await?;
    let (by, version) = (myself(&call), call.seen_version());
    let command = TakeBack { id: approval.id, by, may_approve: false, version };
    let taking_back = call.services().approvals.take_back(call.ctx(), command);
    match carried_out(taking_back, told).await? {
        Ok(_) => Ok(call.done_at(&format!("{PATH}/{}", approval.id), "approval.cancelled")),
        Err(faults) => Err(refused(&faults)),
    }
}

/// Why nothing was decided.
pub(super) fn told(error: ApprovalError) -> FieldFault {
    whole(match error {
        ApprovalError::Closed(_) => {
            message!("There is nothing left to decide.", "Ya no hay nada que decidir.")
        }
        ApprovalError::DecidedOtherwise => {
            message!("You already decided the opposite.", "Antes decidiste lo contrario.")
        }
        ApprovalError::Requester => {
            message!("Whoever asks cannot approve.", "Quien solicita no puede aprobar.")
        }
        ApprovalError::NotNamed => {
            message!("This is for others to decide.", "La decisión corresponde a otros.")
        }
        ApprovalError::NotRequester => {
            message!(
                "Only whoever asked can withdraw it.",
                "Solo la puede retirar quien la solicitó."
            )
        }
        ApprovalError::TooManyRules => message!(
            "The account already has the maximum of rules.",
            "La cuenta ya tiene el máximo de reglas."
        ),
    })
}
