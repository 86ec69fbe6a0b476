//! Examples of approval rules for the documentation.

/// A body that creates a rule.
pub(super) const CREATE: &str = r#"{
    "entityType": "order_discount",
    "name": "High discounts",
    "conditions": [{"field": "discountPct", "op": "gt", "value": 15}],
    "levels": [
        {"approvers": [{"type": "key", "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF"}], "minApprovals": 1}
    ]
}"#;

/// A body that changes a rule.
pub(super) const UPDATE: &str = r#"{"expiresAfterHours": 24}"#;

/// A body that tries the rules.
pub(super) const EVALUATE: &str = r#"{
    "entityType": "order_discount",
    "currency": "MXN",
    "facts": {"discountPct": 20, "total": 1600, "channel": "web"}
}"#;

macro_rules! rule {
    () => {
        r#"{
    "id": "arl_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "entityType": "order_discount",
    "name": "High discounts",
    "currency": null,
    "conditions": [{"field": "discountPct", "op": "gt", "value": 15}],
    "levels": [
        {"approvers": [{"type": "key", "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF"}], "minApprovals": 1}
    ],
    "allowSelfApproval": false,
    "expiresAfterHours": 72,
    "createdAt": "2026-01-31T18:05:07.123Z",
    "updatedAt": "2026-01-31T18:05:07.123Z"
}"#
    };
}

/// A rule.
pub(super) const RULE: &str = rule!();

/// A page with that rule.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    rule!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// What the rules would ask for.
pub(super) const VERDICT: &str = r#"{
    "required": true,
    "rules": [{"id": "arl_01KG8W2X4N7QZ5T3R9B6C1D0EF", "name": "High discounts"}]
}"#;

/// The answer to the deletion of a rule.
pub(super) const DELETED: &str = r#"{"id": "arl_01KG8W2X4N7QZ5T3R9B6C1D0EF", "deleted": true}"#;
