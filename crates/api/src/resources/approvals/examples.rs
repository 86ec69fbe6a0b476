//! Examples of approvals for the documentation.

/// A body that asks for an approval.
pub(super) const ASK: &str = r#"{
    "entityType": "order_cancellation",
    "entityId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "reason": "The customer changed their mind",
    "levels": [
        {"approvers": [{"type": "key", "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF"}], "minApprovals": 1}
    ]
}"#;

/// A body that approves.
pub(super) const APPROVE: &str = r#"{"comment": "A good customer"}"#;

/// A body that rejects.
pub(super) const REJECT: &str = r#"{"comment": "Too much this month"}"#;

/// The answer to a call that waits.
pub(in crate::resources) const TICKET: &str =
    r#"{"approvalId": "apr_01KG8W2X4N7QZ5T3R9B6C1D0EF", "status": "pending"}"#;

macro_rules! approval {
    (
        $entity:literal, $rule:literal, $facts:literal, $status:literal, $level:literal, $decisions:expr,
        $effect:literal, $result:literal, $updated_at:literal, $ended_at:literal
    ) => {
        concat!(
            r#"{
    "id": "apr_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "entityType": ""#,
            $entity,
            r#"",
    "entityId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "status": ""#,
            $status,
            r#"",
    "level": "#,
            $level,
            r#",
    "requirements": [
        {
            "ruleId": "#,
            $rule,
            r#",
            "levels": [
                {
                    "approvers": [{"type": "key", "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF"}],
                    "minApprovals": 1
                }
            ],
            "allowSelfApproval": false
        }
    ],
    "facts": "#,
            $facts,
            r#",
    "currency": "MXN",
    "reason": "The customer changed their mind",
    "requestedBy": {"type": "key", "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EG"},
    "decisions": ["#,
            $decisions,
            r#"],
    "effect": ""#,
            $effect,
            r#"",
    "result": "#,
            $result,
            r#",
    "createdAt": "2026-01-31T18:05:07.123Z",
    "updatedAt": ""#,
            $updated_at,
            r#"",
    "expiresAt": "2026-02-03T18:05:07.123Z",
    "endedAt": "#,
            $ended_at,
            r#"
}"#
        )
    };
}

macro_rules! decision {
    ($decision:literal, $comment:literal) => {
        concat!(
            r#"{
            "by": {"type": "key", "id": "key_01KG8W2X4N7QZ5T3R9B6C1D0EF"},
            "decision": ""#,
            $decision,
            r#"",
            "level": 1,
            "comment": ""#,
            $comment,
            r#"",
            "at": "2026-01-31T18:07:41.902Z"
        }"#
        )
    };
}

macro_rules! cancellation {
    ($status:literal, $level:literal, $decisions:expr, $updated_at:literal, $ended_at:literal) => {
        approval!(
            "order_cancellation",
            "null",
            r#"{"total": 134.98, "status": "paid"}"#,
            $status,
            $level,
            $decisions,
            "none",
            "null",
            $updated_at,
            $ended_at
        )
    };
}

/// One that was asked for by hand.
pub(super) const AD_HOC: &str =
    cancellation!("pending", "1", "", "2026-01-31T18:05:07.123Z", "null");

/// The same, rejected.
pub(super) const REJECTED: &str = cancellation!(
    "rejected",
    "1",
    decision!("reject", "Too much this month"),
    "2026-01-31T18:07:41.902Z",
    r#""2026-01-31T18:07:41.902Z""#
);

/// The same, taken back.
pub(super) const CANCELED: &str =
    cancellation!("canceled", "1", "", "2026-01-31T18:07:41.902Z", r#""2026-01-31T18:07:41.902Z""#);

/// A discount that was approved when there was not enough in stock any more.
pub(super) const APPLIED: &str = approval!(
    "order_discount",
    r#""arl_01KG8W2X4N7QZ5T3R9B6C1D0EF""#,
    r#"{"discountPct": 20, "discountTotal": 39.98, "belowPricePct": 0, "total": 159.92}"#,
    "approved",
    "2",
    decision!("approve", "A good customer"),
    "failed",
    r#"{
        "status": 409,
        "body": {
            "statusCode": 409,
            "message": "SKU \"TAZA-01\" has 1 in stock, 2 were asked for (product prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8)",
            "error": "insufficient_stock"
        }
    }"#,
    "2026-01-31T18:07:41.902Z",
    r#""2026-01-31T18:07:41.902Z""#
);

/// A page with one.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    cancellation!("pending", "1", "", "2026-01-31T18:05:07.123Z", "null"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
