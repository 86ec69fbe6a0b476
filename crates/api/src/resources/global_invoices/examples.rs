//! Examples of global invoices for the documentation.

/// A body that sets how they are made.
pub(super) const SET: &str = r#"{
    "automatic": true, "periodicity": "01", "paymentForm": "01", "stamp": true, "ticketsPerInvoice": 1000, "delayHours": 2
}"#;

/// How they are made.
pub(super) const SETTINGS: &str = r#"{
    "automatic": true,
    "periodicity": "01",
    "paymentForm": "01",
    "stamp": true,
    "ticketsPerInvoice": 1000,
    "delayHours": 2,
    "issuerId": null,
    "branchId": null,
    "coveredUntil": "2026-01-31T06:00:00.000Z",
    "updatedAt": "2026-01-15T17:40:11.208Z"
}"#;

/// A body that has those of a day made.
pub(super) const RUN: &str =
    r#"{"periodicity": "01", "date": "2026-01-31", "paymentForm": "01", "stamp": true}"#;

/// What would be invoiced.
pub(super) const PREVIEW: &str = r#"{
    "period": {"periodicity": "01", "months": "01", "year": 2026, "from": "2026-01-31", "to": "2026-01-31"},
    "invoices": 1,
    "ticketCount": 1,
    "total": 39.98,
    "tickets": [{
        "orderId": "ord_01KG8W2H6K1M3P5R7T9V0X2Z4B", "number": "ORD-000123", "paidAt": "2026-01-31T18:12:40.310Z",
        "total": 39.98
    }],
    "leftOutCounts": [{"reason": "invoiced", "count": 1}],
    "leftOut": [{
        "orderId": "ord_01KG8W2H6K1M3P5R7T9V0X2Z4C", "number": "ORD-000124", "paidAt": "2026-01-31T18:15:02.774Z",
        "total": 1160, "currency": "MXN", "reason": "invoiced", "invoiceId": "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T"
    }]
}"#;
