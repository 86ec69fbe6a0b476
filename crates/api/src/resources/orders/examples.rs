//! Examples of orders for the documentation.

/// A body that places an order.
pub(super) const PLACE: &str = r#"{
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "items": [
        {"productId": "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8", "quantity": 2}
    ],
    "notes": "Ring twice"
}"#;

/// A body that marks an order paid.
pub(super) const UPDATE: &str = r#"{"status": "paid"}"#;

macro_rules! order {
    ($status:literal, $paid_at:literal, $updated_at:literal) => {
        concat!(
            r#"{
    "id": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "externalId": null,
    "orderNumber": "ORD-000123",
    "status": ""#,
            $status,
            r#"",
    "fulfillmentStatus": "unfulfilled",
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "items": [
        {
            "productId": "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8",
            "variantId": null,
            "name": "Taza de barro",
            "sku": "TAZA-01",
            "quantity": 2,
            "unitPrice": 19.99,
            "lineTotal": 39.98
        }
    ],
    "totalAmount": 39.98,
    "currency": "MXN",
    "refundDue": 0,
    "carrier": null,
    "trackingNumber": null,
    "cancelReason": null,
    "notes": "Ring twice",
    "metadata": {},
    "paidAt": "#,
            $paid_at,
            r#",
    "shippedAt": null,
    "deliveredAt": null,
    "cancelledAt": null,
    "createdAt": "2026-01-31T18:05:07.123Z",
    "updatedAt": ""#,
            $updated_at,
            r#""
}"#
        )
    };
}

/// An order just placed.
pub(super) const ORDER: &str = order!("pending", "null", "2026-01-31T18:05:07.123Z");

/// The same, paid.
pub(super) const PAID_ORDER: &str =
    order!("paid", r#""2026-01-31T18:07:41.902Z""#, "2026-01-31T18:07:41.902Z");

/// A page with that order.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    order!("pending", "null", "2026-01-31T18:05:07.123Z"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
