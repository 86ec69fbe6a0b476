//! Examples of returns for the documentation.

/// What is sent.
pub(super) const TAKE_BACK: &str = r#"{
    "items": [{"line": 1, "quantity": 1, "restock": true}],
    "reason": "Arrived in the wrong color",
    "refund": true
}"#;

macro_rules! made {
    () => {
        r#"{
    "id": "ret_01KG9C6F8H0K2N4Q6S8V0X2Z4B",
    "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "items": [{"line": 1, "quantity": 1, "restock": true, "amount": 17.99}],
    "unshipped": false,
    "shipping": 0,
    "amount": 17.99,
    "refundAmount": 17.99,
    "reason": "Arrived in the wrong color",
    "creditNoteId": null,
    "creditNoteProblem": null,
    "createdAt": "2026-02-05T17:03:22.518Z"
}"#
    };
}

/// A return.
pub(super) const RETURN: &str = made!();

/// A page with it.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    made!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
