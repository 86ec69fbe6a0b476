//! Examples of refunds for the documentation.

macro_rules! refund {
    () => {
        r#"{
    "id": "rfd_01KG9B5E7G9J1M3P5R7T9V1X3Z",
    "paymentId": "pay_01KG9A4D6F8H0J2M4P6R8T0V2X",
    "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "amount": 34.98,
    "currency": "MXN",
    "status": "succeeded",
    "origin": "api",
    "manual": false,
    "reason": "One cup arrived broken",
    "note": "Ticket 512",
    "failure": null,
    "creditNoteId": null,
    "creditNoteProblem": null,
    "createdAt": "2026-02-03T16:20:11.004Z",
    "updatedAt": "2026-02-03T16:20:12.377Z",
    "succeededAt": "2026-02-03T16:20:12.377Z"
}"#
    };
}

/// A refund.
pub(in crate::resources) const REFUND: &str = refund!();

/// A page with it.
pub(in crate::resources) const PAGE: &str = concat!(
    r#"{"data": ["#,
    refund!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
