//! What approvals tell subscribers, with exactly the payload fields of the event catalog.

use kernel::NewEvent;
use serde::Serialize;

use crate::{Approval, ApprovalId, Verdict};

/// `approval.requested`.
#[must_use]
pub fn requested(approval: &Approval) -> NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data<'a> {
        request_id: ApprovalId,
        entity_type: &'static str,
        entity_id: &'a str,
    }
    let data = Data {
        request_id: approval.id,
        entity_type: approval.entity.name(),
        entity_id: &approval.entity_id,
    };
    NewEvent::new("approval.requested", approval.id, &data)
}

/// `approval.decided`.
#[must_use]
pub fn decided(id: ApprovalId, verdict: Verdict) -> NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        request_id: ApprovalId,
        decision: &'static str,
    }
    let data = Data { request_id: id, decision: verdict.ended() };
    NewEvent::new("approval.decided", id, &data)
}
