//! Examples of notifications for the documentation.

macro_rules! notice {
    ($status:literal, $attempts:literal) => {
        concat!(
            r#"{
    "id": "ntf_01KG9C6F8H0J2M4P6R8T0V2X4Z",
    "provider": "sandbox",
    "eventKey": "evt_7f1c2a9e5b3d4860",
    "signed": true,
    "providerRef": "sbx_01KG9A4D6F8H0J2M4P6R8T0V2Y",
    "paymentId": "pay_01KG9A4D6F8H0J2M4P6R8T0V2X",
    "status": ""#,
            $status,
            r#"",
    "attempts": "#,
            $attempts,
            r#",
    "problem": null,
    "receivedAt": "2026-01-31T18:07:41.655Z",
    "updatedAt": "2026-01-31T18:07:41.902Z"
}"#
        )
    };
}

/// A notification that is to be looked into again.
pub(super) const RETRIED: &str = notice!("received", "0");

/// A page with one.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    notice!("processed", "1"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
