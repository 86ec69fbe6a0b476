//! Examples of payments for the documentation.

/// A body that asks for a payment.
pub(super) const CREATE: &str = r#"{
    "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "method": "card",
    "payer": {"name": "Ana Torres", "email": "ana@example.com", "phone": "+525512345678"},
    "description": "Pedido ORD-000123",
    "returnUrl": "https://shop.example.com/thanks"
}"#;

/// A body that captures a part.
pub(super) const CAPTURE: &str = r#"{"amount": 100}"#;

/// A body that decides about a conflict.
pub(super) const RESOLVE: &str =
    r#"{"resolution": "accept", "note": "The bank has confirmed the amount"}"#;

/// A body that has a payer pay.
pub(super) const SIMULATE: &str = r#"{"event": "pay"}"#;

/// A body that gives back a part.
pub(super) const REFUND: &str =
    r#"{"amount": 34.98, "reason": "One cup arrived broken", "note": "Ticket 512"}"#;

macro_rules! payment {
    ($status:literal, $paid:literal, $paid_at:literal) => {
        concat!(
            r#"{
    "id": "pay_01KG9A4D6F8H0J2M4P6R8T0V2X",
    "status": ""#,
            $status,
            r#"",
    "method": "card",
    "provider": "sandbox",
    "amount": 134.98,
    "currency": "MXN",
    "amountReceived": "#,
            $paid,
            r#",
    "amountAuthorized": 134.98,
    "amountCaptured": "#,
            $paid,
            r#",
    "amountRefunded": 0,
    "amountRefundable": "#,
            $paid,
            r#",
    "refundStatus": "none",
    "instructions": null,
    "failure": null,
    "outcome": "known",
    "flags": [],
    "conflict": null,
    "card": {"brand": "visa", "last4": "4242", "funding": "credit"},
    "installments": [3, 6],
    "installmentsChosen": 3,
    "trackingKey": null,
    "fee": null,
    "net": null,
    "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "invoiceId": null,
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "paymentLinkId": null,
    "payer": {"name": "Ana Torres", "email": "ana@example.com", "phone": "+525512345678"},
    "description": "Pedido ORD-000123",
    "reference": null,
    "returnUrl": "https://shop.example.com/thanks",
    "satPaymentForm": "04",
    "exchangeRate": null,
    "receiptId": null,
    "receiptProblem": null,
    "metadata": {},
    "paidAt": "#,
            $paid_at,
            r#",
    "expiresAt": null,
    "createdAt": "2026-01-31T18:06:40.512Z",
    "updatedAt": "2026-01-31T18:07:41.902Z"
}"#
        )
    };
}

/// A payment that was made.
pub(super) const PAID: &str = payment!("paid", "134.98", r#""2026-01-31T18:07:41.902Z""#);

/// A payment that was called off.
pub(super) const CANCELED: &str = payment!("canceled", "0", "null");

/// A page with one.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    payment!("paid", "134.98", r#""2026-01-31T18:07:41.902Z""#),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
