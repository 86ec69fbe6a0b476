//! Examples of jobs for the documentation.

/// A job that writes invoices into a file.
pub(in crate::resources) const EXPORTING: &str = r#"{
    "id": "tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H",
    "kind": "invoices.export",
    "subject": "2026-01-01/2026-01-31",
    "progress": {"done": 0, "total": null, "message": null},
    "links": {"self": "/api/v1/jobs/tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H", "subject": null, "file": null},
    "createdAt": "2026-02-01T15:31:00.000Z",
    "status": "queued",
    "attempts": 0,
    "result": null,
    "lastError": null,
    "cancellable": true,
    "cancelRequested": false,
    "updatedAt": "2026-02-01T15:31:00.000Z",
    "nextAttemptAt": "2026-02-01T15:31:00.000Z",
    "endedAt": null
}"#;

/// A job that makes global invoices.
pub(in crate::resources) const GLOBAL: &str = r#"{
    "id": "tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H",
    "kind": "invoices.global",
    "subject": "2026-01-31/2026-01-31",
    "progress": {"done": 0, "total": null, "message": null},
    "links": {"self": "/api/v1/jobs/tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H", "subject": null, "file": null},
    "createdAt": "2026-02-01T15:31:00.000Z",
    "status": "queued",
    "attempts": 0,
    "result": null,
    "lastError": null,
    "cancellable": false,
    "cancelRequested": false,
    "updatedAt": "2026-02-01T15:31:00.000Z",
    "nextAttemptAt": "2026-02-01T15:31:00.000Z",
    "endedAt": null
}"#;

macro_rules! job {
    ($rest:literal) => {
        concat!(
            r#"{
    "id": "tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H",
    "kind": "invoices.email",
    "subject": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T",
    "progress": {"done": 0, "total": null, "message": null},
    "links": {
        "self": "/api/v1/jobs/tsk_01KG8Y7N2Q4S6V8X0Z2B4D6F8H",
        "subject": "/api/v1/invoices/inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T",
        "file": null
    },
    "createdAt": "2026-01-31T18:31:00.000Z","#,
            $rest,
            "}"
        )
    };
}

macro_rules! queued {
    () => {
        job!(
            r#"
    "status": "queued",
    "attempts": 1,
    "result": null,
    "lastError": "connection refused",
    "cancellable": true,
    "cancelRequested": false,
    "updatedAt": "2026-01-31T18:31:00.120Z",
    "nextAttemptAt": "2026-01-31T18:31:10.120Z",
    "endedAt": null"#
        )
    };
}

/// A job that waits for another attempt.
pub(in crate::resources) const QUEUED: &str = queued!();

/// A job that has succeeded.
pub(super) const SUCCEEDED: &str = job!(
    r#"
    "status": "succeeded",
    "attempts": 2,
    "result": {
        "id": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T",
        "to": ["ana@example.com"],
        "subject": "Factura F-123 de ESCUELA KEMPER URGATE",
        "attachments": [
            "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60.xml",
            "6E1CE7A8-7E2F-4F5E-9B4E-1D2C3B4A5F60.pdf"
        ],
        "sentAt": "2026-01-31T18:31:10.480Z"
    },
    "lastError": null,
    "cancellable": false,
    "cancelRequested": false,
    "updatedAt": "2026-01-31T18:31:10.480Z",
    "nextAttemptAt": null,
    "endedAt": "2026-01-31T18:31:10.480Z""#
);

/// A job that was cancelled while it waited.
pub(super) const CANCELLED: &str = job!(
    r#"
    "status": "cancelled",
    "attempts": 2,
    "result": null,
    "lastError": "cancelled before it began",
    "cancellable": false,
    "cancelRequested": false,
    "updatedAt": "2026-01-31T18:31:05.000Z",
    "nextAttemptAt": null,
    "endedAt": "2026-01-31T18:31:05.000Z""#
);

/// A page of jobs.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    queued!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
