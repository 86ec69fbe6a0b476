//! Examples of customer groups for the documentation.

/// A body that creates a group.
pub(super) const CREATE: &str = r#"{"name": "Mayoreo"}"#;

/// A body that changes a group.
pub(super) const UPDATE: &str = r#"{"name": "Mayoreo y distribuidores"}"#;

macro_rules! group {
    () => {
        r#"{
    "id": "cgr_01KGC6B2D4F6H8K0M2P4R6T8V0",
    "name": "Mayoreo",
    "createdAt": "2026-01-31T18:05:00.000Z",
    "updatedAt": "2026-01-31T18:05:00.000Z"
}"#
    };
}

/// A group.
pub(super) const GROUP: &str = group!();

/// A page with that group.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    group!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to the deletion of a group.
pub(super) const DELETED: &str = r#"{"id": "cgr_01KGC6B2D4F6H8K0M2P4R6T8V0", "deleted": true}"#;
