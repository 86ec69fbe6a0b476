//! Examples of shipments for the documentation.

/// A body that ships items.
pub(super) const SHIP: &str = r#"{
    "items": [{"line": 1, "quantity": 2}],
    "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
    "carrier": "DHL",
    "trackingNumber": "1Z999AA10123456784",
    "trackingUrl": "https://dhl.example/1Z999AA10123456784"
}"#;

/// A body that changes a shipment.
pub(super) const REVISE: &str =
    r#"{"trackingNumber": "1Z999AA10123456784", "status": "delivered"}"#;

macro_rules! shipment {
    ($status:literal, $cancelled:literal) => {
        concat!(
            r#"{
    "id": "shp_01KG9DBS3V5X7Z9B1D3F5H7K9M",
    "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "status": ""#,
            $status,
            r#"",
    "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
    "items": [{"line": 1, "quantity": 2}],
    "carrier": "DHL",
    "trackingNumber": "1Z999AA10123456784",
    "trackingUrl": "https://dhl.example/1Z999AA10123456784",
    "createdAt": "2026-01-31T18:20:00.000Z",
    "updatedAt": "2026-01-31T19:20:00.000Z",
    "deliveredAt": null,
    "cancelledAt": "#,
            $cancelled,
            "}"
        )
    };
}

/// A shipment.
pub(super) const SHIPMENT: &str = shipment!("shipped", "null");

/// A shipment that did not leave.
pub(super) const CANCELLED: &str = shipment!("cancelled", r#""2026-01-31T19:20:00.000Z""#);

/// A page with it.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    shipment!("shipped", "null"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
