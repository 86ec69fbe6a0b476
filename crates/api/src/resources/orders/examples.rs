//! Examples of orders for the documentation.

/// A body that places an order.
pub(super) const PLACE: &str = r#"{
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "items": [
        {"productId": "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8", "quantity": 2, "discount": {"percent": 10}}
    ],
    "shipping": {"name": "Estafeta Express", "amount": 99},
    "notes": "Ring twice"
}"#;

/// A body that marks an order paid.
pub(super) const UPDATE: &str = r#"{"status": "paid"}"#;

/// A body that has an item promised from another warehouse.
pub(super) const REALLOCATE: &str = r#"{
    "items": [{
        "line": 1,
        "quantity": 2,
        "from": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
        "to": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0B"
    }]
}"#;

macro_rules! order {
    ($status:literal, $paid_at:literal, $updated_at:literal, $payment_status:literal, $amount_paid:literal, $amount_due:literal) => {
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
            "priceListId": null,
            "taxIncluded": true,
            "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false}],
            "discount": {"amount": null, "percent": 10},
            "discountAmount": 4,
            "orderDiscount": 0,
            "note": null,
            "lineTotal": 39.98,
            "total": 35.98,
            "returnedQuantity": 0
        }
    ],
    "subtotal": 39.98,
    "discount": null,
    "discountTotal": 4,
    "shipping": {
        "name": "Estafeta Express",
        "amount": 99,
        "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false}]
    },
    "shippingTotal": 99,
    "taxTotal": 18.62,
    "withheldTotal": 0,
    "totalAmount": 134.98,
    "amountPaid": "#,
            $amount_paid,
            r#",
    "amountRefunded": 0,
    "returnedTotal": 0,
    "amountDue": "#,
            $amount_due,
            r#",
    "paymentStatus": ""#,
            $payment_status,
            r#"",
    "currency": "MXN",
    "refundDue": 0,
    "carrier": null,
    "trackingNumber": null,
    "cancelReason": null,
    "creditNoteId": null,
    "shippingAddress": null,
    "channel": null,
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
pub(super) const ORDER: &str =
    order!("pending", "null", "2026-01-31T18:05:07.123Z", "unpaid", "0", "134.98");

/// The same, paid.
pub(super) const PAID_ORDER: &str = order!(
    "paid",
    r#""2026-01-31T18:07:41.902Z""#,
    "2026-01-31T18:07:41.902Z",
    "paid",
    "134.98",
    "0"
);

/// A page with that order.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    order!("pending", "null", "2026-01-31T18:05:07.123Z", "unpaid", "0", "134.98"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
