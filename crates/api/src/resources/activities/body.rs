//! How the API shows an activity.

use std::fmt::Display;

use crm::{Activity, ActivityId, ActivityKind, CustomerId, DealId, LeadId};
use kernel::Timestamp;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A call, a meeting, a task or a note.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Activity)]
pub(super) struct ActivityBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "act_01KGB4D6F8H0K2M4P6R8T0V2X4")]
    id: ActivityId,
    /// What kind of activity it is.
    #[serde(serialize_with = "named")]
    #[schema(value_type = shapes::ActivityKind)]
    kind: ActivityKind,
    /// What it is about, in a few words.
    subject: String,
    /// Free-text notes.
    notes: Option<String>,
    /// When it is to be done.
    #[schema(value_type = Option<shapes::Timestamp>)]
    due_at: Option<Timestamp>,
    /// Whether it is done; never of a note.
    done: bool,
    /// When it was done.
    #[schema(value_type = Option<shapes::Timestamp>)]
    done_at: Option<Timestamp>,
    /// Who is to do it, by your own identifier of that person.
    assignee_id: Option<String>,
    /// Deal that it is about.
    #[schema(value_type = Option<String>, example = "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7")]
    deal_id: Option<DealId>,
    /// Lead that it is about.
    #[schema(value_type = Option<String>, example = "lead_01KG8W7V0B4D6F8H1J3K5M7N9P")]
    lead_id: Option<LeadId>,
    /// Customer that it is about.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn named<S: Serializer>(kind: &ActivityKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

impl Resource for ActivityBody {
    type Thing = Activity;

    const PATH: &'static str = "/crm/activities";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Activity> for ActivityBody {
    fn from(activity: Activity) -> Self {
        Self {
            id: activity.id,
            kind: activity.kind,
            subject: activity.subject,
            notes: activity.notes,
            due_at: activity.due_at,
            done: activity.done_at.is_some(),
            done_at: activity.done_at,
            assignee_id: activity.assignee,
            deal_id: activity.deal,
            lead_id: activity.lead,
            customer_id: activity.customer,
            created_at: activity.created_at,
            updated_at: activity.updated_at,
            version: activity.version,
        }
    }
}
