//! What payments, payment links and refunds name.

use serde_json::{Value, json};

use super::Reference;

pub(super) const REFERENCES: &[Reference] = &[
    Reference {
        operation: "POST /payments",
        field: "orderId",
        named: |shop| &shop.order,
        body: |_, id| json!({"orderId": id, "method": "cash", "amount": 1}),
    },
    Reference {
        operation: "POST /payments",
        field: "invoiceId",
        named: |shop| &shop.invoices().stamped,
        body: |_, id| json!({"invoiceId": id, "method": "cash", "amount": 1}),
    },
    Reference {
        operation: "GET /payments",
        field: "?invoiceId",
        named: |shop| &shop.invoices().stamped,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /payments",
        field: "?orderId",
        named: |shop| &shop.order,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /payments",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /payments",
        field: "?paymentLinkId",
        named: |shop| &shop.payments().link,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /payment-links",
        field: "orderId",
        named: |shop| &shop.order,
        body: |_, id| json!({"orderId": id}),
    },
    Reference {
        operation: "POST /payment-links",
        field: "invoiceId",
        named: |shop| &shop.invoices().stamped,
        body: |_, id| json!({"invoiceId": id}),
    },
    Reference {
        operation: "GET /payment-links",
        field: "?invoiceId",
        named: |shop| &shop.invoices().stamped,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /payment-links",
        field: "?orderId",
        named: |shop| &shop.order,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /refunds",
        field: "?paymentId",
        named: |shop| &shop.payments().paid,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /refunds",
        field: "?orderId",
        named: |shop| &shop.order,
        body: |_, _| Value::Null,
    },
];
