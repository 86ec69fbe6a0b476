//! Examples of categories for the documentation.

/// A body that creates a category.
pub(super) const CREATE: &str =
    r#"{"name": "Tazas", "parentId": "cat_01KGC4D6F8H0K2N4Q6S8V0X2Z3"}"#;

/// A body that changes a category.
pub(super) const UPDATE: &str = r#"{"name": "Tazas y jarros", "parentId": null}"#;

macro_rules! category {
    () => {
        r#"{
    "id": "cat_01KGC4D6F8H0K2N4Q6S8V0X2Z4",
    "name": "Tazas",
    "parentId": "cat_01KGC4D6F8H0K2N4Q6S8V0X2Z3",
    "createdAt": "2026-01-31T18:05:00.000Z",
    "updatedAt": "2026-01-31T18:05:00.000Z"
}"#
    };
}

/// A category.
pub(super) const CATEGORY: &str = category!();

/// A page with that category.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    category!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to the deletion of a category.
pub(super) const DELETED: &str = r#"{"id": "cat_01KGC4D6F8H0K2N4Q6S8V0X2Z4", "deleted": true}"#;
