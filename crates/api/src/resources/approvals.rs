//! `/approvals`: requests for approval, and what they have led to.

mod asking;
mod body;
mod examples;
mod forms;

use actix_web::http::{StatusCode, header::CONTENT_LANGUAGE};
use approvals::{
    AdHoc, Approval, ApprovalId, ApprovalQuery, Decide, KeyId, Person, TakeBack, Verdict,
};
use kernel::{Done, Page};

use super::{
    approval_rules::{authorize, authorize_approver, covered, may_approve},
    invoices::InvoiceBody,
    payments::refund_in,
    returns::ReturnBody,
};
use crate::{
    answer::{Answer, Resource},
    call::Call,
    endpoint::{ANY_KEY, Endpoint, Segment, id, json, query, taking},
    error::{ApiError, Code},
    page::PageOf,
    reply::{answered, found, written},
};
pub(super) use asking::{Passage, passage};
pub(super) use body::TicketBody;
use body::{ApprovalBody, MadeBody, SentQuoteBody};
pub(super) use examples::TICKET as TICKET_EXAMPLE;

const ALL: &str = ApprovalBody::PATH;
const ONE: &str = "/approvals/{id}";
const APPROVE: &str = "/approvals/{id}/approve";
const REJECT: &str = "/approvals/{id}/reject";
const CANCEL: &str = "/approvals/{id}/cancel";
const ID: Segment<ApprovalId> = id(ApprovalId::PREFIX, ApprovalId::parse);

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(ALL, ANY_KEY, taking(query(forms::LIST), list))
            .translated()
            .summary("List approvals")
            .describes("Newest first; those of what the key's scopes cover.")
            .pages::<ApprovalBody>("A page of approvals.", examples::PAGE),
        Endpoint::post(ALL, ANY_KEY, taking(json(forms::ASK), ask))
            .translated()
            .summary("Ask for an approval")
            .describes(
                "Asks the approvers that it names about an order, an invoice, a payment or a transfer. Nothing follows from the approval by \
                 itself: it is for what happens outside of the service. Takes the scope of `entityType`. Emits \
                 `approval.requested`.",
            )
            .answers::<ApprovalBody>(201, "The approval.", examples::AD_HOC)
            .refuses(&[Code::InsufficientScope]),
        Endpoint::get(ONE, ANY_KEY, taking(ID, show))
            .translated()
            .summary("Get an approval")
            .describes(
                "`effect` says what has become of the call that waits for it, `result` what that would have been answered \
                 with.",
            )
            .answers::<ApprovalBody>(200, "The approval.", examples::APPLIED)
            .refuses(&[Code::InsufficientScope]),
        Endpoint::post(APPROVE, ANY_KEY, taking((ID, json(forms::APPROVE)), approve))
            .translated()
            .conditional()
            .summary("Approve")
            .describes(
                "Counts for every rule that names the key at the level that is to be decided. The last approval that is \
                 needed carries the call out in the same transaction, or begins to, and emits `approval.decided`. If what \
                 the call is about has changed, the approval becomes `superseded` instead. Repeating a decision \
                 returns the approval as it is. With `If-Match`, a decision counts only if nobody has decided since.",
            )
            .answers::<ApprovalBody>(200, "The approval.", examples::APPLIED)
            .refuses(DECISION_REFUSALS),
        Endpoint::post(REJECT, ANY_KEY, taking((ID, json(forms::REJECT)), reject))
            .translated()
            .conditional()
            .summary("Reject")
            .describes("Ends the approval, whatever others have decided. Emits `approval.decided`.")
            .answers::<ApprovalBody>(200, "The approval.", examples::REJECTED)
            .refuses(DECISION_REFUSALS),
        Endpoint::post(CANCEL, ANY_KEY, taking(ID, cancel))
            .translated()
            .conditional()
            .summary("Take an approval back")
            .describes(
                "For the key that has asked for it, and keys that may approve. If it is approved at the same time, one of \
                 both counts, and the other is refused with `approval_closed`. With `If-Match`, it is not taken back if \
                 somebody has decided since.",
            )
            .answers::<ApprovalBody>(200, "The approval.", examples::CANCELED)
            .refuses(&[Code::InsufficientScope, Code::NotAnApprover, Code::ApprovalClosed]),
    ]
}

const DECISION_REFUSALS: &[Code] =
    &[Code::InsufficientScope, Code::NotAnApprover, Code::ApprovalClosed, Code::Conflict];

/// Who is calling.
fn person(call: &Call) -> Result<Person, ApiError> {
    let key = call.key.as_ref().ok_or_else(|| ApiError::internal("a call without its key"))?;
    Ok(Person::Key(KeyId::from_u128(key.id.to_u128())))
}

async fn list(call: Call, wanted: forms::WantedApprovals) -> Result<Answer, ApiError> {
    let forms::WantedApprovals { entity, status, entity_id, page: asked } = wanted;
    let entities = covered(&call).into_iter().filter(|known| entity.is_none_or(|it| it == *known));
    let entities = entities.collect();
    let query = ApprovalQuery { entities, status, now: call.now, entity_id, page: asked.clone() };
    let page = answered(call.services().approvals.list(call.account, query)).await?;
    let items = page.items.into_iter().map(|approval| body(&call, approval));
    let items: Result<Vec<ApprovalBody>, ApiError> = items.collect();
    let page = Page { items: items?, total: page.total, next: page.next };
    Answer::json(StatusCode::OK, &PageOf::<ApprovalBody>::new(page, &asked))?
        .with(CONTENT_LANGUAGE, call.language().tag())
}

async fn ask(call: Call, wanted: forms::WantedApproval) -> Result<Answer, ApiError> {
    authorize(&call, wanted.entity)?;
    let command = AdHoc {
        entity: wanted.entity,
        entity_id: wanted.entity_id,
        reason: wanted.reason,
        levels: wanted.levels,
        expires_after_hours: wanted.expires_after_hours,
        by: person(&call)?,
    };
    let Done { value, replayed } =
        written(call.services().approvals.ask(call.ctx()?, command)).await?;
    let value = body(&call, value)?;
    Answer::created::<ApprovalBody>(Done { value, replayed })?.told(call.language())
}

/// A request of the account, if the key covers what it is about, has asked for it or is asked to decide: a rule for refunds
/// may be met by the cancellation of an order.
async fn visible(call: &Call, id: ApprovalId) -> Result<Approval, ApiError> {
    let approval = found(call.services().approvals.get(call.account, id)).await?;
    let by = person(call)?;
    if approval.requested_by != by && !approval.names(by) {
        authorize(call, approval.entity)?;
    }
    Ok(approval)
}

async fn show(call: Call, id: ApprovalId) -> Result<Answer, ApiError> {
    let shown = body(&call, visible(&call, id).await?)?;
    let tag = shown.etag().in_language(call.language());
    Answer::tagged(call.headers(), &shown, tag)?.told(call.language())
}

async fn approve(
    call: Call,
    (id, comment): (ApprovalId, Option<String>),
) -> Result<Answer, ApiError> {
    decide(call, id, Verdict::Approve, comment).await
}

async fn reject(call: Call, (id, comment): (ApprovalId, String)) -> Result<Answer, ApiError> {
    decide(call, id, Verdict::Reject, Some(comment)).await
}

async fn decide(
    call: Call,
    id: ApprovalId,
    verdict: Verdict,
    comment: Option<String>,
) -> Result<Answer, ApiError> {
    let approval = visible(&call, id).await?;
    match approval.names(person(&call)?) {
        true => may_approve(&call)?,
        false => authorize_approver(&call, approval.entity)?,
    }
    let (by, version) = (person(&call)?, call.expected_version());
    let command = Decide { id, by, verdict, comment, version };
    let done = written(call.services().approvals.decide(call.ctx()?, command)).await?;
    acted(&call, done)
}

async fn cancel(call: Call, id: ApprovalId) -> Result<Answer, ApiError> {
    let entity = visible(&call, id).await?.entity;
    let may_approve = authorize_approver(&call, entity).is_ok();
    let version = call.expected_version();
    let command = TakeBack { id, by: person(&call)?, may_approve, version };
    let done = written(call.services().approvals.take_back(call.ctx()?, command)).await?;
    acted(&call, done)
}

fn acted(call: &Call, Done { value, replayed }: Done<Approval>) -> Result<Answer, ApiError> {
    Answer::acted::<ApprovalBody, _>(Done { value: body(call, value)?, replayed })?
        .with(CONTENT_LANGUAGE, call.language().tag())
}

/// A request as it is now, with what its call has made.
fn body(call: &Call, approval: Approval) -> Result<ApprovalBody, ApiError> {
    let made = made(call, &approval)?;
    Ok(ApprovalBody::new(approval.at(call.now), made, call.language()))
}

fn made(call: &Call, approval: &Approval) -> Result<Option<MadeBody>, ApiError> {
    let language = call.language();
    // What the first gate says that knows what was made.
    macro_rules! first {
        ($($gate:ident, $made:ident => $body:expr;)+) => {
            $(if let Some($made) = call.services().$gate.made(approval)? {
                return Ok(Some($body));
            })+
        };
    }
    first! {
        placing_gate, order => MadeBody::Order(Box::new(order.into()));
        cancelling_gate, invoice => {
            MadeBody::Invoice(Box::new(InvoiceBody::in_language(invoice, language).into()))
        };
        refunding_gate, refund => MadeBody::Refund(Box::new(refund_in(refund, language).into()));
        returning_gate, returned => {
            MadeBody::Return(Box::new(ReturnBody::in_language(returned, language).into()))
        };
        quoting_gate, id => MadeBody::Quote(SentQuoteBody { id });
        adjusting_gate, adjustment => MadeBody::Adjustment(Box::new(adjustment.into()));
        counting_gate, count => MadeBody::Count(Box::new(count.into()));
        dispatching_gate, transfer => MadeBody::Transfer(Box::new(transfer.into()));
    }
    Ok(None)
}
