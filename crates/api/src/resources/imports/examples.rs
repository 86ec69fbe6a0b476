//! Examples of imports for the documentation.

macro_rules! import {
    ($rest:literal) => {
        concat!(
            r#"{
    "id": "imp_01KG8Y7N2Q4S6V8X0Z2B4D6F8H",
    "kind": "products",
    "options": {
        "mode": "upsert",
        "onError": "skip",
        "dryRun": false,
        "emptyCells": "keep",
        "decimal": null,
        "encoding": null,
        "sheet": null,
        "mapping": {}
    },
    "file": {"size": 84213, "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
    "preview": [],
    "failure": null,
    "links": {
        "errors": "/api/v1/products/imports/imp_01KG8Y7N2Q4S6V8X0Z2B4D6F8H/errors",
        "errorsFile": "/api/v1/products/imports/imp_01KG8Y7N2Q4S6V8X0Z2B4D6F8H/errors.csv"
    },
    "createdAt": "2026-01-31T18:31:00.000Z","#,
            $rest,
            "}"
        )
    };
}

/// An import that waits for its turn.
pub(super) const QUEUED: &str = import!(
    r#"
    "status": "queued",
    "understood": null,
    "total": null,
    "processed": 0,
    "created": 0,
    "updated": 0,
    "unchanged": 0,
    "failed": 0,
    "warnings": 0,
    "progress": null,
    "updatedAt": "2026-01-31T18:31:00.000Z",
    "endedAt": null"#
);

macro_rules! ended {
    () => {
        import!(
            r#"
    "status": "completed_with_errors",
    "understood": {
        "columns": [
            {"name": "Clave", "field": "sku", "decimal": null},
            {"name": "P. Venta", "field": "price", "decimal": ","}
        ],
        "unusedColumns": ["Notas"],
        "encoding": "windows-1252",
        "separator": ";"
    },
    "total": 1200,
    "processed": 1200,
    "created": 40,
    "updated": 310,
    "unchanged": 848,
    "failed": 2,
    "warnings": 0,
    "progress": 100,
    "updatedAt": "2026-01-31T18:31:02.310Z",
    "endedAt": "2026-01-31T18:31:02.310Z""#
        )
    };
}

/// An import that has ended.
pub(super) const ENDED: &str = ended!();

/// An import that was canceled while it waited.
pub(super) const CANCELED: &str = import!(
    r#"
    "status": "canceled",
    "understood": null,
    "total": null,
    "processed": 0,
    "created": 0,
    "updated": 0,
    "unchanged": 0,
    "failed": 0,
    "warnings": 0,
    "progress": null,
    "updatedAt": "2026-01-31T18:31:01.000Z",
    "endedAt": "2026-01-31T18:31:01.000Z""#
);

/// A page of imports.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    ended!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// A page of errors.
pub(super) const ERRORS: &str = r#"{
    "data": [
        {
            "row": 17,
            "column": "P. Venta",
            "code": "bad_number",
            "message": "this is not a number such as 1234.50",
            "value": "gratis",
            "severity": "error"
        }
    ],
    "total": 1,
    "totalIsExact": true,
    "page": 1,
    "limit": 20,
    "nextCursor": null
}"#;
