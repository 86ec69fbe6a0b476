//! Activities.

use crm::{Activity, ActivityId, ActivityKind, CustomerId, DealId, LeadId};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};

use super::forms::forms;

forms!(ActivityForm of Activity);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Activity")]
pub(super) struct ActivityForm {
    id: ActivityId,
    #[serde(with = "ActivityKindForm")]
    kind: ActivityKind,
    subject: String,
    notes: Option<String>,
    due_at: Option<Timestamp>,
    done_at: Option<Timestamp>,
    assignee: Option<String>,
    deal: Option<DealId>,
    lead: Option<LeadId>,
    customer: Option<CustomerId>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ActivityKind", rename_all = "lowercase")]
enum ActivityKindForm {
    Call,
    Meeting,
    Task,
    Note,
}
