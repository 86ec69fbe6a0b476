//! How the API shows an entry of the audit log.

use std::{collections::BTreeMap, fmt::Display};

use accounts::{AuditEntry, AuditEntryId};
use kernel::{Actor, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// Something that was done.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEntry)]
pub(super) struct EntryBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "aud_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    id: AuditEntryId,
    /// Who did it.
    actor: ActorBody,
    /// What was done.
    #[schema(example = "api_key.created")]
    action: String,
    /// Id of what it was done to.
    #[schema(example = "key_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    resource: String,
    /// What whoever did it said about it, such as an operator.
    note: Option<String>,
    /// The fields that were changed, as they were.
    before: BTreeMap<String, String>,
    /// The fields that were changed, as they are since.
    after: BTreeMap<String, String>,
    /// Address that the request came from.
    #[schema(example = "203.0.113.7")]
    address: Option<String>,
    /// Identifier of the request, as in its `X-Request-ID`.
    request_id: Option<String>,
    /// When it was done.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

/// Who did something.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditActor)]
struct ActorBody {
    /// `key` for the holder of an API key, `user` for a user of the panel, `operator` for the command line, `public`
    /// for the holder of a link, `system` for the service itself.
    #[schema(value_type = shapes::ActorType)]
    r#type: &'static str,
    /// Id of the key or user.
    #[schema(example = "key_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    id: Option<String>,
    /// What it was called at the time: the name of a key, the address of a user.
    name: Option<String>,
}

impl Resource for EntryBody {
    type Thing = AuditEntry;

    const PATH: &'static str = "/audit";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<AuditEntry> for EntryBody {
    fn from(entry: AuditEntry) -> Self {
        let (id, name) = match &entry.actor {
            Actor::Key(id) => (Some(id.to_string()), entry.actor_name),
            Actor::User(id) => (Some(id.to_string()), entry.actor_name),
            Actor::Operator(name) => (None, Some(name.to_string()).filter(|name| !name.is_empty())),
            Actor::System | Actor::Public => (None, None),
        };
        Self {
            id: entry.id,
            actor: ActorBody { r#type: entry.actor.kind(), id, name },
            action: entry.action,
            resource: entry.resource,
            note: entry.note,
            before: entry.before,
            after: entry.after,
            address: entry.address.map(|address| address.to_string()),
            request_id: entry.request_id,
            created_at: entry.created_at,
        }
    }
}
