//! Examples of branches for the documentation.

/// A body that creates a branch.
pub(super) const CREATE: &str = r#"{
    "name": "Monterrey Centro",
    "placeOfIssue": "64000",
    "series": {"income": "MTY"},
    "address": ["Padre Mier 100, Centro", "64000 Monterrey, N. L."],
    "phone": "+528112345678"
}"#;

/// A body that changes a branch.
pub(super) const UPDATE: &str = r#"{"phone": "+528187654321"}"#;

macro_rules! branch {
    () => {
        r#"{
    "id": "brn_01KG90B1C2D3E4F5G6H7J8K9M0",
    "name": "Monterrey Centro",
    "issuerId": null,
    "placeOfIssue": "64000",
    "series": {"income": "MTY", "credit": null, "payment": null, "transfer": null},
    "address": ["Padre Mier 100, Centro", "64000 Monterrey, N. L."],
    "phone": "+528112345678",
    "createdAt": "2026-01-31T18:05:00.000Z",
    "updatedAt": "2026-01-31T18:05:00.000Z"
}"#
    };
}

/// A branch.
pub(super) const BRANCH: &str = branch!();

/// A page with that branch.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    branch!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to the deletion of a branch.
pub(super) const DELETED: &str = r#"{"id": "brn_01KG90B1C2D3E4F5G6H7J8K9M0", "deleted": true}"#;
