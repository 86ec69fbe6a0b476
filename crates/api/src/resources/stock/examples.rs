//! Examples of stock for the documentation.

pub(super) mod receipts;

/// A page of stock.
pub(super) const PAGE: &str = r#"{"data": [{
    "productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V",
    "variantId": null,
    "sku": "CAFE-250",
    "name": "Café de olla 250 g",
    "available": 12,
    "committed": 3,
    "onHand": 15,
    "incoming": 6,
    "lowStockThreshold": 5,
    "averageCost": null,
    "currency": "MXN",
    "warehouses": [
        {"warehouseId": "whs_01KG8VXA1B2C3D4E5F6G7H8J9K", "available": 8, "committed": 3, "onHand": 11},
        {"warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A", "available": 4, "committed": 0, "onHand": 4}
    ]
}], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#;

/// A page of the stock of one warehouse.
pub(in crate::resources) const PLACED_PAGE: &str = r#"{"data": [{
    "productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V",
    "variantId": null,
    "sku": "CAFE-250",
    "name": "Café de olla 250 g",
    "available": 4,
    "committed": 0,
    "onHand": 4,
    "incoming": 6,
    "averageCost": null,
    "currency": "MXN"
}], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#;

/// A page of the ledger.
pub(super) const MOVEMENTS: &str = r#"{"data": [{
    "id": "mov_01KG9D3G5J7M9P1R3T5V7X9Z1B",
    "productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V",
    "variantId": null,
    "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
    "delta": -2,
    "committedDelta": 2,
    "availableAfter": 4,
    "reason": "order",
    "reference": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "unitCost": null,
    "note": null,
    "createdAt": "2026-01-31T18:10:00.000Z"
}], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#;

/// A body that sets the stock settings.
pub(super) const SET: &str = r#"{"allocation": "anyAvailable", "defaultWarehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A", "scaleCodes": ["20PPPPPWWWWWC"]}"#;

/// The stock settings.
pub(super) const SETTINGS: &str = r#"{"allocation": "anyAvailable", "defaultWarehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A", "scaleCodes": ["20PPPPPWWWWWC"]}"#;

/// A body that corrects stock.
pub(super) const ADJUST: &str = r#"{
    "reason": "damage",
    "note": "Se mojó en la bodega",
    "items": [
        {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "delta": -2, "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A"},
        {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "variantId": "var_01KG8VZW3K4M9N2P7Q5R6S8T0W", "countedQuantity": 11}
    ]
}"#;

macro_rules! adjustment {
    () => {
        r#"{
    "id": "adj_01KG9D4H6K8N0Q2S4V6W8Y0A2C",
    "reason": "damage",
    "note": "Se mojó en la bodega",
    "reference": null,
    "items": [{
        "productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V",
        "variantId": null,
        "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
        "delta": -2,
        "available": 2,
        "onHand": 2
    }],
    "createdAt": "2026-01-31T18:15:00.000Z"
}"#
    };
}

/// An adjustment.
pub(super) const ADJUSTMENT: &str = adjustment!();

/// A page with that adjustment.
pub(super) const ADJUSTMENTS: &str = concat!(
    r#"{"data": ["#,
    adjustment!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
