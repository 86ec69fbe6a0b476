//! Examples of receipts and costs for the documentation.

/// A body that receives goods.
pub(in crate::resources::stock) const RECEIVE: &str = r#"{
    "supplier": "Barro y Fuego SA",
    "reference": "F-881",
    "receivedAt": "2026-01-31T17:00:00.000Z",
    "items": [
        {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "quantity": 10, "unitCost": 85.5, "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A"},
        {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "variantId": "var_01KG8VZW3K4M9N2P7Q5R6S8T0W", "quantity": 4}
    ]
}"#;

macro_rules! receipt {
    ($status:literal, $cancelled:literal) => {
        concat!(
            r#"{
    "id": "rcp_01KG9D5J7M9P1R3T5V7X9Z1B3D",
    "status": ""#,
            $status,
            r#"",
    "supplier": "Barro y Fuego SA",
    "reference": "F-881",
    "note": null,
    "receivedAt": "2026-01-31T17:00:00.000Z",
    "items": [{
        "productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V",
        "variantId": null,
        "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
        "quantity": 10,
        "unitCost": 85.5,
        "currency": "MXN",
        "averageCost": 83.25,
        "available": 14,
        "onHand": 14
    }],
    "createdAt": "2026-01-31T18:15:00.000Z",
    "cancelledAt": "#,
            $cancelled,
            "}"
        )
    };
}

/// A receipt.
pub(in crate::resources::stock) const RECEIPT: &str = receipt!("received", "null");

/// A cancelled receipt.
pub(in crate::resources::stock) const CANCELLED: &str =
    receipt!("cancelled", r#""2026-01-31T19:00:00.000Z""#);

/// A page with that receipt.
pub(in crate::resources::stock) const RECEIPTS: &str = concat!(
    r#"{"data": ["#,
    receipt!("received", "null"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// A body that sets costs.
pub(in crate::resources::stock) const REVALUE: &str = r#"{
    "note": "Inventario anual",
    "items": [{"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "averageCost": 80, "currency": "MXN"}]
}"#;

macro_rules! change {
    () => {
        r#"{
    "id": "cst_01KG9D6M8P0R2T4V6X8Z0B2D4F",
    "productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V",
    "variantId": null,
    "reason": "revaluation",
    "reference": null,
    "onHand": 14,
    "costBefore": 83.25,
    "averageCost": 80,
    "currency": "MXN",
    "note": "Inventario anual",
    "createdAt": "2026-01-31T18:20:00.000Z"
}"#
    };
}

/// Costs that were set.
pub(in crate::resources::stock) const COSTS: &str = concat!(r#"{"data": ["#, change!(), "]}");

/// A page of changes.
pub(in crate::resources::stock) const CHANGES: &str = concat!(
    r#"{"data": ["#,
    change!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// What stock is worth.
pub(in crate::resources::stock) const VALUATION: &str = r#"{
    "at": "2026-01-31T18:30:00.000Z",
    "totals": [{"currency": "MXN", "onHand": 14, "value": 1120, "unvalued": 3}],
    "warehouses": [
        {"warehouseId": "whs_01KG8VXA1B2C3D4E5F6G7H8J9K", "currency": "MXN", "onHand": 4, "value": 320, "unvalued": 3},
        {"warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A", "currency": "MXN", "onHand": 10, "value": 800, "unvalued": 0}
    ]
}"#;
