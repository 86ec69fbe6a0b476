//! How the API shows a payment provider of an account.

use std::fmt::Display;

use kernel::Timestamp;
use payments::{ProviderAccount, ProviderKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A payment provider of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaymentProviderAccount)]
pub(super) struct ProviderAccountBody {
    /// Which provider.
    #[schema(value_type = shapes::PaymentProvider)]
    provider: ProviderKind,
    /// Whether payments that name no provider are made through it.
    default: bool,
    /// The last four characters of its key.
    #[schema(example = "x7Qd")]
    key_end: Option<String>,
    /// When it was set up.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

impl Resource for ProviderAccountBody {
    type Thing = ProviderAccount;

    const PATH: &'static str = "/payments/providers";

    fn id(&self) -> impl Display {
        self.provider.name()
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<ProviderAccount> for ProviderAccountBody {
    fn from(account: ProviderAccount) -> Self {
        let ProviderAccount { kind, is_default, key_end, created_at, updated_at, version } =
            account;
        Self { provider: kind, default: is_default, key_end, created_at, updated_at, version }
    }
}
