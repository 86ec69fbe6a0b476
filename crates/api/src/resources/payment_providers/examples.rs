//! Examples of payment providers for the documentation.

/// A body that sets one up.
pub(super) const SET: &str = r#"{
    "key": "the secret key of the provider, which ends in x7Qd",
    "notificationSecret": "the secret that it signs with",
    "default": true,
    "installments": [{"months": 3, "minAmount": 300}, {"months": 6, "minAmount": 600}]
}"#;

macro_rules! provider {
    () => {
        r#"{
    "provider": "stripe",
    "default": true,
    "keyEnd": "x7Qd",
    "installments": [{"months": 3, "minAmount": 300}, {"months": 6, "minAmount": 600}],
    "createdAt": "2026-01-20T16:00:00.000Z",
    "updatedAt": "2026-01-20T16:00:00.000Z"
}"#
    };
}

/// A provider.
pub(super) const PROVIDER: &str = provider!();

/// A page with it.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    provider!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
