//! Examples of payment links for the documentation.

/// A body that asks for a link.
pub(super) const CREATE: &str = r#"{
    "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "allowedMethods": ["card", "spei"],
    "successUrl": "https://shop.example.com/thanks"
}"#;

/// A body that gives a link more time.
pub(super) const UPDATE: &str = r#"{"expiresAt": "2027-01-31T18:00:00Z"}"#;

macro_rules! link {
    ($status:literal) => {
        concat!(
            r#"{
    "id": "plk_01KG9C7H9K1M3P5R7T9V1X3Z5B",
    "status": ""#,
            $status,
            r#"",
    "url": "https://shop.example.com/pay/kJ3xQ0b9ZfVtW7mYcR2sLh5N",
    "title": "ORD-000123",
    "description": null,
    "amount": null,
    "amountMin": null,
    "amountMax": null,
    "currency": "MXN",
    "orderId": "ord_01KG8W2X4N7QZ5T3R9B6C1D0EF",
    "invoiceId": null,
    "customerId": "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C",
    "provider": null,
    "allowedMethods": ["card", "spei"],
    "installments": [],
    "maxPayments": 1,
    "paymentsOpen": 0,
    "paymentsPaid": 0,
    "successUrl": "https://shop.example.com/thanks",
    "metadata": {},
    "expiresAt": "2026-02-07T18:00:00.000Z",
    "createdAt": "2026-01-31T18:00:00.000Z",
    "updatedAt": "2026-01-31T18:00:00.000Z"
}"#
        )
    };
}

/// A link that can be paid.
pub(super) const LINK: &str = link!("active");

/// A link that was switched off.
pub(super) const INACTIVE: &str = link!("inactive");

/// A page of links.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    link!("active"),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
