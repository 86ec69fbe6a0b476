//! Examples of providers for the documentation.

/// A body that chooses a provider.
pub(super) const CHOOSE: &str =
    r#"{"provider": "sw", "user": "ana@example.com", "password": "hunter2"}"#;

/// A provider.
pub(super) const PROVIDER: &str = r#"{
    "provider": "sw",
    "user": "ana@example.com",
    "simulate": {"stamping": "normal", "cancellation": "accept"},
    "updatedAt": "2026-01-31T17:40:11.208Z"
}"#;
