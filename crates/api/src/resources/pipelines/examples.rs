//! Examples of pipelines for the documentation.

/// A body that creates a pipeline.
pub(super) const CREATE: &str = r#"{
    "name": "Mayoreo",
    "stages": [
        {"name": "Cotizado", "probability": 40},
        {"name": "Ganado", "kind": "won"},
        {"name": "Perdido", "kind": "lost"}
    ]
}"#;

/// A body that renames a pipeline.
pub(super) const UPDATE: &str = r#"{"name": "Mayoreo y proyectos", "isDefault": true}"#;

macro_rules! pipeline {
    () => {
        r#"{
    "id": "pipe_01KGB2N4Q6S8V0X2Z4B6D8F0H2",
    "name": "Mayoreo",
    "isDefault": false,
    "stages": [
        {"id": "stage_01KGB2N4Q7T9W1Y3A5C7E9G1J3", "name": "Cotizado", "kind": "open", "probability": 40},
        {"id": "stage_01KGB2N4Q8V0X2Z4B6D8F0H2K4", "name": "Ganado", "kind": "won", "probability": 100},
        {"id": "stage_01KGB2N4Q9W1Y3A5C7E9G1J3M5", "name": "Perdido", "kind": "lost", "probability": 0}
    ],
    "createdAt": "2026-01-31T18:01:55.310Z",
    "updatedAt": "2026-01-31T18:01:55.310Z"
}"#
    };
}

/// A pipeline.
pub(super) const PIPELINE: &str = pipeline!();

/// A page of pipelines.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    pipeline!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The answer to a deletion.
pub(super) const DELETED: &str = r#"{"id": "pipe_01KGB2N4Q6S8V0X2Z4B6D8F0H2", "deleted": true}"#;
