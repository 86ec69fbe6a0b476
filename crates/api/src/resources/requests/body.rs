//! How the API shows a line of the log of requests.

use std::fmt::Display;

use accounts::{LoggedRequest, RequestLineId};
use kernel::{ApiKeyId, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A request, or several of a minute.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LoggedRequest)]
pub(super) struct RequestBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "req_01KG8Y5C2E4G6J8M0P2R4T6V8X")]
    id: RequestLineId,
    /// Id of the key.
    #[schema(value_type = String, example = "key_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    key_id: ApiKeyId,
    /// Its method.
    #[schema(example = "POST")]
    method: String,
    /// Its path, with names in the place of identifiers.
    #[schema(example = "/orders/{id}")]
    route: String,
    /// The identifiers in its path.
    ids: Vec<String>,
    /// The status that it was answered with.
    #[schema(example = 409)]
    status: u16,
    /// The code of the error, if it was refused.
    #[schema(example = "conflict")]
    code: Option<String>,
    /// How many requests the line stands for.
    #[schema(example = 1)]
    count: u64,
    /// Microseconds until it was answered; of several the mean.
    #[schema(example = 1840)]
    micros: u64,
    /// Its identifier, as in its `X-Request-ID`; `null` of several.
    request_id: Option<String>,
    /// The network that it came from; `null` of several.
    #[schema(example = "203.0.113.0/24")]
    network: Option<String>,
    /// When it was answered; of several the beginning of the minute.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
}

impl Resource for RequestBody {
    type Thing = LoggedRequest;

    const PATH: &'static str = "/requests";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(1)
    }
}

impl From<LoggedRequest> for RequestBody {
    fn from(LoggedRequest { id, line }: LoggedRequest) -> Self {
        let ids = line.ids.as_deref().unwrap_or_default();
        Self {
            id,
            key_id: line.key,
            method: line.method,
            route: line.route,
            ids: ids.split(' ').filter(|id| !id.is_empty()).map(str::to_owned).collect(),
            status: line.status,
            code: line.code,
            count: line.count,
            micros: line.micros,
            request_id: line.request_id,
            network: line.network,
            created_at: line.created_at,
        }
    }
}
