//! Examples of webhooks for the documentation.

use crate::resources::deliveries::delivery;

/// A body that creates a webhook.
pub(super) const CREATE: &str = r#"{
    "url": "https://shop.example.com/webhooks",
    "events": ["order.created", "order.paid"],
    "description": "Warehouse"
}"#;

/// A body that widens a webhook.
pub(super) const UPDATE: &str = r#"{"events": ["*"]}"#;

/// A body that has events delivered again.
pub(super) const REPLAY: &str = r#"{
    "since": "2026-01-31T00:00:00Z",
    "until": "2026-02-01T00:00:00Z",
    "events": ["order.created"]
}"#;

macro_rules! webhook {
    ($secret:literal, $status:literal, $previous:literal) => {
        concat!(
            r#"{
    "id": "whk_01KG8X0M2N4P6R8T0V1W3X5Y7Z",
    "#,
            $secret,
            r#""url": "https://shop.example.com/webhooks",
    "events": ["order.created", "order.paid"],
    "description": "Warehouse",
    "#,
            $status,
            r#",
    "consecutiveFailures": 0,
    "previousSecretExpiresAt": "#,
            $previous,
            r#",
    "createdAt": "2026-01-31T18:20:00.512Z",
    "updatedAt": "2026-01-31T18:20:00.512Z"
}"#
        )
    };
    ($secret:literal, $previous:literal) => {
        webhook!(
            $secret,
            r#""status": "enabled",
    "disabledReason": null,
    "disabledAt": null"#,
            $previous
        )
    };
}

/// A webhook.
pub(super) const WEBHOOK: &str = webhook!("", "null");

/// A disabled one.
pub(super) const DISABLED: &str = webhook!(
    "",
    r#""status": "disabled",
    "disabledReason": "manual",
    "disabledAt": "2026-01-31T18:20:00.512Z""#,
    "null"
);

/// A new one with its secret.
pub(super) const ISSUED: &str = webhook!(
    r#""secret": "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
    "#,
    "null"
);

/// One with another secret.
pub(super) const ROTATED: &str = webhook!(
    r#""secret": "whsec_CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=",
    "#,
    r#""2026-02-01T18:20:00.512Z""#
);

/// A page with a webhook.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    webhook!("", "null"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// The delivery of a test.
pub(super) const TEST: &str = concat!(
    "{",
    delivery!("webhook.test", "attempting", "0", r#""2026-01-31T18:20:07.123Z""#, "null"),
    "}"
);

/// A replay.
pub(super) const REPLAY_UNDER_WAY: &str = r#"{
    "id": "rpl_01KG8X7D1F3H5K7M9N0P2Q4R6S",
    "webhookId": "whk_01KG8X0M2N4P6R8T0V1W3X5Y7Z",
    "since": "2026-01-31T00:00:00.000Z",
    "until": "2026-02-01T00:00:00.000Z",
    "events": ["order.created"],
    "createdAt": "2026-02-02T09:00:00.000Z"
}"#;

/// The answer to its deletion.
pub(super) const DELETED: &str = r#"{"id": "whk_01KG8X0M2N4P6R8T0V1W3X5Y7Z", "deleted": true}"#;
