//! Examples of transfers for the documentation.

/// A body that plans a transfer.
pub(super) const PLAN: &str = r#"{
    "fromWarehouseId": "whs_01KG8VXA1B2C3D4E5F6G7H8J9K",
    "toWarehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
    "quarantineId": "whs_01KG9D3G5J7M9P1R3T5V7X9Z1B",
    "reference": "Camioneta del jueves",
    "items": [{"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "quantity": 10}]
}"#;

/// A body that says what has arrived.
pub(super) const RECEIVE: &str = r#"{
    "items": [{"line": 1, "received": 8, "damaged": 1, "lost": 1, "reason": "Se mojó una caja"}],
    "final": true
}"#;

macro_rules! transfer {
    ($status:literal, $counts:literal, $moments:literal) => {
        concat!(
            r#"{
    "id": "trf_01KG9D7N9Q1S3V5X7Z9B1D3F5H",
    "status": ""#,
            $status,
            r#"",
    "fromWarehouseId": "whs_01KG8VXA1B2C3D4E5F6G7H8J9K",
    "toWarehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
    "quarantineId": "whs_01KG9D3G5J7M9P1R3T5V7X9Z1B",
    "reference": "Camioneta del jueves",
    "note": null,
    "items": [{
        "productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V",
        "variantId": null,
        "quantity": 10,
        "#,
            $counts,
            r#"
    }],
    "createdAt": "2026-01-31T18:20:00.000Z",
    "updatedAt": "2026-01-31T19:20:00.000Z",
    "#,
            $moments,
            "}"
        )
    };
}

/// A transfer that was planned.
pub(super) const DRAFT: &str = transfer!(
    "draft",
    r#""received": 0, "damaged": 0, "lost": 0, "found": 0, "returned": 0, "inTransit": 0"#,
    r#""dispatchedAt": null, "receivedAt": null, "cancelledAt": null"#
);

/// A transfer that is on its way.
pub(super) const SENT: &str = transfer!(
    "in_transit",
    r#""received": 0, "damaged": 0, "lost": 0, "found": 0, "returned": 0, "inTransit": 10"#,
    r#""dispatchedAt": "2026-01-31T19:20:00.000Z", "receivedAt": null, "cancelledAt": null"#
);

macro_rules! received {
    () => {
        transfer!(
            "received",
            r#""received": 8, "damaged": 1, "lost": 1, "found": 0, "returned": 0, "inTransit": 0"#,
            r#""dispatchedAt": "2026-01-31T19:00:00.000Z", "receivedAt": "2026-01-31T19:20:00.000Z", "cancelledAt": null"#
        )
    };
}

/// A transfer that has arrived.
pub(super) const RECEIVED: &str = received!();

/// A transfer that was called off.
pub(super) const CANCELLED: &str = transfer!(
    "cancelled",
    r#""received": 0, "damaged": 0, "lost": 0, "found": 0, "returned": 10, "inTransit": 0"#,
    r#""dispatchedAt": "2026-01-31T19:00:00.000Z", "receivedAt": null, "cancelledAt": "2026-01-31T19:20:00.000Z""#
);

/// A page with that transfer.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    received!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// What was received of it.
pub(super) const ARRIVALS: &str = r#"{"data": [{
    "id": "tar_01KG9D8P0R2T4W6Y8A0C2E4G6J",
    "final": true,
    "items": [{"line": 1, "received": 8, "damaged": 1, "lost": 1, "found": 0, "reason": "Se mojó una caja"}],
    "createdAt": "2026-01-31T19:20:00.000Z"
}]}"#;
