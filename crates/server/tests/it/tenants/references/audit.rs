//! What the audit log is asked for.

use serde_json::Value;

use super::Reference;

pub(super) const REFERENCES: &[Reference] = &[Reference {
    operation: "GET /audit",
    field: "?actor",
    named: |shop| &shop.api_key,
    body: |_, _| Value::Null,
}];
