//! Examples of API keys for the documentation.

/// A body that makes a key.
pub(super) const CREATE: &str = r#"{
    "name": "Web shop",
    "scopes": ["orders", "products"],
    "ratePerHour": 2000
}"#;

/// A body that gives a key another text.
pub(super) const ROTATE: &str = r#"{"overlap": "24h"}"#;

macro_rules! key {
    ($text:literal, $previous:literal, $revoked:literal) => {
        concat!(
            r#"{
    "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "name": "Web shop",
    "#,
            $text,
            r#""last4": "x9Qd",
    "mode": "live",
    "scopes": ["products", "orders"],
    "mayApprove": false,
    "ratePerHour": 2000,
    "expiresAt": null,
    "previousExpiresAt": "#,
            $previous,
            r#",
    "revokedAt": "#,
            $revoked,
            r#",
    "lastUsedAt": null,
    "createdAt": "2026-01-31T18:20:00.512Z"
}"#
        )
    };
}

/// A key.
pub(super) const KEY: &str = key!("", "null", "null");

/// A key that opens nothing any more.
pub(super) const REVOKED: &str = key!("", "null", r#""2026-02-01T09:00:00.000Z""#);

/// A new key with its text.
pub(super) const ISSUED: &str = key!(
    r#""key": "service_4pX1vQ8mN2kR7tY5wB3cD6fG9hJ0zLaSx9Qd",
    "#,
    "null",
    "null"
);

/// A key with another text.
pub(super) const ROTATED: &str = key!(
    r#""key": "service_4pX1vQ8mN2kR7tY5wB3cD6fG9hJ0zLaSx9Qd",
    "#,
    r#""2026-02-01T18:20:00.512Z""#,
    "null"
);

/// A page of keys.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    key!("", "null", "null"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
