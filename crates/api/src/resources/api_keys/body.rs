//! How the API shows a key, and a new one with its text.

use std::{borrow::Cow, fmt::Display};

use accounts::{ApiKey, ApiKeyId, IssuedApiKey};
use kernel::{Mode, Timestamp};
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// An API key, without its text.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApiKey)]
pub(super) struct ApiKeyBody {
    /// Unique identifier, which is no secret.
    #[schema(value_type = String, example = "key_01KG8W2X4N7QZ5T3R9B6C1D0EF")]
    id: ApiKeyId,
    /// Display name, e.g. what the key is used for.
    name: String,
    /// Last four characters of the key, by which people tell keys apart.
    #[schema(example = "x9Qd")]
    last4: String,
    /// `live`, or `test` for a key of the test account.
    #[schema(value_type = shapes::AccountMode)]
    mode: &'static str,
    /// What the key may call; `*` is everything, present and future.
    #[schema(value_type = Vec<shapes::ApiKeyScope>)]
    scopes: Vec<&'static str>,
    /// Whether its holder may approve what others ask for, within its scopes.
    may_approve: bool,
    /// Requests per hour; `null` where the service's setting applies.
    rate_per_hour: Option<u32>,
    /// When the key expires.
    #[schema(value_type = Option<shapes::Timestamp>)]
    expires_at: Option<Timestamp>,
    /// Until when the text that it had before its last rotation opens what it did.
    #[schema(value_type = Option<shapes::Timestamp>)]
    previous_expires_at: Option<Timestamp>,
    /// When the key was revoked.
    #[schema(value_type = Option<shapes::Timestamp>)]
    revoked_at: Option<Timestamp>,
    /// When a request last came with it, to the hour, and not before `createdAt`; `null` if that is not known.
    #[schema(value_type = Option<shapes::Timestamp>)]
    last_used_at: Option<Timestamp>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A key with its text, which is shown only once.
#[derive(Serialize)]
pub(super) struct IssuedBody {
    #[serde(flatten)]
    api_key: ApiKeyBody,
    #[serde(flatten)]
    text: TextBody,
}

/// An API key with its text, which is shown only once.
#[derive(Serialize, ToSchema)]
struct TextBody {
    /// The key itself. Shown only once: store it.
    #[schema(example = "service_4pX1vQ8mN2kR7tY5wB3cD6fG9hJ0zLaSx9Qd")]
    key: String,
}

impl Resource for ApiKeyBody {
    type Thing = (ApiKey, Mode);

    const PATH: &'static str = "/api-keys";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version_and(self.version, self.last_used_at.map(Timestamp::micros).into_iter())
    }
}

impl Resource for IssuedBody {
    type Thing = (IssuedApiKey, Mode);

    const PATH: &'static str = ApiKeyBody::PATH;

    fn id(&self) -> impl Display {
        self.api_key.id
    }

    fn etag(&self) -> ETag {
        self.api_key.etag()
    }
}

impl PartialSchema for IssuedBody {
    fn schema() -> RefOr<Schema> {
        shapes::both(ApiKeyBody::schema(), TextBody::schema())
    }
}

impl ToSchema for IssuedBody {
    fn name() -> Cow<'static, str> {
        "IssuedApiKey".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ApiKeyBody::schemas(schemas);
    }
}

impl From<(ApiKey, Mode)> for ApiKeyBody {
    fn from((key, mode): (ApiKey, Mode)) -> Self {
        Self {
            id: key.id,
            scopes: key.scopes.list(),
            name: key.name,
            last4: key.last4,
            mode: mode.name(),
            may_approve: key.may_approve,
            rate_per_hour: key.rate_per_hour,
            expires_at: key.expires_at,
            previous_expires_at: key.previous_until,
            revoked_at: key.revoked_at,
            last_used_at: key.last_used_at,
            created_at: key.created_at,
            version: key.version,
        }
    }
}

impl From<(IssuedApiKey, Mode)> for IssuedBody {
    fn from((issued, mode): (IssuedApiKey, Mode)) -> Self {
        Self { api_key: (issued.key, mode).into(), text: TextBody { key: issued.text } }
    }
}
