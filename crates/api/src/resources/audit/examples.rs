//! Examples of the audit log for the documentation.

/// A page of entries.
pub(super) const PAGE: &str = r#"{
    "data": [{
        "id": "aud_01KG8Y5C2E4G6J8M0P2R4T6V8X",
        "actor": {"type": "key", "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF", "name": "Deployment"},
        "action": "api_key.created",
        "resource": "key_01KG8Y5C2E4G6J8M0P2R4T6V8X",
        "note": null,
        "before": {},
        "after": {"name": "Web shop", "scopes": "products,orders"},
        "address": "203.0.113.7",
        "requestId": "01KG8Y5C2E4G6J8M0P2R4T6V8X",
        "createdAt": "2026-01-31T18:30:02.417Z"
    }],
    "total": 1,
    "totalIsExact": true,
    "page": 1,
    "limit": 20,
    "nextCursor": null
}"#;
