//! How the API shows a customer group.

use std::fmt::Display;

use crm::{CustomerGroup, CustomerGroupId};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A group of customers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CustomerGroup)]
pub(super) struct CustomerGroupBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "cgr_01KGC6B2D4F6H8K0M2P4R6T8V0")]
    id: CustomerGroupId,
    /// Name, unlike those of the other groups.
    name: String,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

impl Resource for CustomerGroupBody {
    type Thing = CustomerGroup;

    const PATH: &'static str = "/customer-groups";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<CustomerGroup> for CustomerGroupBody {
    fn from(group: CustomerGroup) -> Self {
        let CustomerGroup { id, name, created_at, updated_at, version } = group;
        Self { id, name, created_at, updated_at, version }
    }
}
