//! Examples of quotes for the documentation.

/// A body that creates a quote.
pub(super) const CREATE: &str = r#"{
    "dealId": "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7",
    "title": "Tazas para la tienda",
    "items": [{"productId": "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8", "quantity": 50, "discount": {"percent": 10}}],
    "notes": "Entrega en 5 días hábiles",
    "paymentLink": true
}"#;

/// A body that changes a draft.
pub(super) const UPDATE: &str = r#"{"notes": "Entrega en 8 días hábiles", "discount": {"percent": 5, "reason": "Cliente frecuente"}}"#;

/// A body that accepts a quote.
pub(super) const ACCEPT: &str = r#"{"revision": 1, "name": "Ana Flores"}"#;

/// A body that rejects a quote.
pub(super) const REJECT: &str = r#"{"reason": "Compró con otro proveedor"}"#;

macro_rules! quote {
    ($status:literal, $sent:literal, $accepted:literal, $order:literal, $link:literal, $rejected:literal) => {
        concat!(
            r#"{
    "id": "quo_01KGB5F7H9K1M3P5R7T9V1X3Z5",
    "quoteNumber": "COT-000123",
    "revision": 1,
    "status": ""#,
            $status,
            r#"",
    "url": "https://shop.example.com/quotes/kJ3xQ0b9ZfVtW7mYcR2sLh5N",
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "dealId": "deal_01KG8WB9Q2R4S6T8V0W1X3Y5Z7",
    "title": "Tazas para la tienda",
    "notes": null,
    "items": [
        {
            "productId": "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8",
            "variantId": null,
            "name": "Taza de barro",
            "sku": "TAZA-01",
            "quantity": 50,
            "unitPrice": 100,
            "taxIncluded": true,
            "taxes": [{"tax": "IVA", "factor": "Tasa", "rate": 0.16, "withheld": false}],
            "discount": {"amount": null, "percent": 10},
            "discountAmount": 500,
            "note": null,
            "lineTotal": 5000
        }
    ],
    "subtotal": 5000,
    "discount": null,
    "discountTotal": 500,
    "shipping": null,
    "taxTotal": 620.69,
    "totalAmount": 4500,
    "currency": "MXN",
    "validUntil": "2026-02-28",
    "timeZone": "America/Mexico_City",
    "expiresAt": "2026-03-01T06:00:00.000Z",
    "paymentLink": true,
    "orderId": "#,
            $order,
            r#",
    "paymentLinkId": "#,
            $link,
            r#",
    "problem": null,
    "metadata": {},
    "sentAt": "#,
            $sent,
            r#",
    "#,
            $accepted,
            r#",
    "#,
            $rejected,
            r#",
    "createdAt": "2026-01-31T18:01:55.310Z",
    "updatedAt": "2026-01-31T18:01:55.310Z"
}"#
        )
    };
    ($status:literal, $sent:literal) => {
        quote!(
            $status,
            $sent,
            r#""acceptedAt": null, "acceptedBy": null, "acceptedName": null"#,
            "null",
            "null",
            r#""rejectedAt": null, "rejectReason": null"#
        )
    };
}

/// A draft.
pub(super) const QUOTE: &str = quote!("draft", "null");

/// A quote that its customer can accept.
pub(super) const SENT: &str = quote!("sent", r#""2026-01-31T18:05:00.000Z""#);

/// A quote that has become an order.
pub(super) const ORDERED: &str = quote!(
    "ordered",
    r#""2026-01-31T18:05:00.000Z""#,
    r#""acceptedAt": "2026-02-01T16:00:00.000Z", "acceptedBy": "merchant", "acceptedName": "Ana Flores""#,
    r#""ord_01KG8W2X4N7QZ5T3R9B6C1D0EF""#,
    r#""plk_01KG9C7H9K1M3P5R7T9V1X3Z5B""#,
    r#""rejectedAt": null, "rejectReason": null"#
);

/// A quote that was rejected.
pub(super) const REJECTED: &str = quote!(
    "rejected",
    r#""2026-01-31T18:05:00.000Z""#,
    r#""acceptedAt": null, "acceptedBy": null, "acceptedName": null"#,
    "null",
    "null",
    r#""rejectedAt": "2026-02-01T16:00:00.000Z", "rejectReason": "Compró con otro proveedor""#
);

/// A page of quotes.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    quote!("draft", "null"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

/// A page of questions.
pub(super) const QUESTIONS: &str = r#"{
    "data": [
        {
            "id": "qst_01KGB6H8K0M2P4R6T8V0X2Z4B6",
            "quoteId": "quo_01KGB5F7H9K1M3P5R7T9V1X3Z5",
            "name": "Ana Flores",
            "email": "ana@example.com",
            "question": "¿Incluye el envío a Puebla?",
            "askedAt": "2026-02-01T15:30:00.000Z"
        }
    ],
    "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null
}"#;

/// The answer to a deletion.
pub(super) const DELETED: &str = r#"{"id": "quo_01KGB5F7H9K1M3P5R7T9V1X3Z5", "deleted": true}"#;
