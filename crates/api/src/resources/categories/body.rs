//! How the API shows a category.

use std::fmt::Display;

use catalog::{Category, CategoryId};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A category of products.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Category)]
pub(super) struct CategoryBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "cat_01KGC4D6F8H0K2N4Q6S8V0X2Z4")]
    id: CategoryId,
    /// Name, unlike those of the others directly in the same category.
    name: String,
    /// Category that it is directly in; `null` at the top.
    #[schema(value_type = Option<String>, example = "cat_01KGC4D6F8H0K2N4Q6S8V0X2Z3")]
    parent_id: Option<CategoryId>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

impl Resource for CategoryBody {
    type Thing = Category;

    const PATH: &'static str = "/categories";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Category> for CategoryBody {
    fn from(category: Category) -> Self {
        let Category { id, name, parent, created_at, updated_at, version } = category;
        Self { id, name, parent_id: parent, created_at, updated_at, version }
    }
}
