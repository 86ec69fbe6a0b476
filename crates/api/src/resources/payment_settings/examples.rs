//! Examples of payment settings for the documentation.

/// A body that sets them.
pub(super) const SET: &str = r#"{
    "satPaymentForms": {"wallet": "05"},
    "refundLatePayments": "auto"
}"#;

/// The settings.
pub(super) const SETTINGS: &str = r#"{
    "satPaymentForms": {"wallet": "05"},
    "refundLatePayments": "auto",
    "updatedAt": "2026-01-31T18:00:00.000Z"
}"#;
