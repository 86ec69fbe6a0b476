//! What invoices, withholdings and credits name.

use serde_json::{Value, json};

use super::Reference;
use crate::openapi::receipt_of;

pub(super) const REFERENCES: &[Reference] = &[
    Reference {
        operation: "POST /invoices",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |own, id| json!({"customerId": id, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /invoices",
        field: "orderId",
        named: |shop| &shop.invoices().order,
        body: |_, id| json!({"orderId": id}),
    },
    Reference {
        operation: "POST /invoices",
        field: "orderIds[]",
        named: |shop| &shop.invoices().order,
        body: |_, id| json!({"orderIds": [id]}),
    },
    Reference {
        operation: "POST /invoices",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |own, id| json!({"customerId": own.buyer, "items": [{"productId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /invoices",
        field: "payments[].documents[].invoiceId",
        named: |shop| &shop.invoices().stamped,
        body: |_, id| receipt_of(id),
    },
    Reference {
        operation: "PATCH /invoices/{id}",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |_, id| json!({"customerId": id}),
    },
    Reference {
        operation: "PATCH /invoices/{id}",
        field: "orderId",
        named: |shop| &shop.invoices().order,
        body: |_, id| json!({"orderId": id}),
    },
    Reference {
        operation: "PATCH /invoices/{id}",
        field: "orderIds[]",
        named: |shop| &shop.invoices().order,
        body: |_, id| json!({"orderIds": [id]}),
    },
    Reference {
        operation: "PATCH /invoices/{id}",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |_, id| json!({"items": [{"productId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "PATCH /invoices/{id}",
        field: "payments[].documents[].invoiceId",
        named: |shop| &shop.invoices().stamped,
        body: |_, id| json!({"payments": receipt_of(id)["payments"]}),
    },
    Reference {
        operation: "GET /invoices",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /invoices",
        field: "?orderId",
        named: |shop| &shop.order,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /invoices",
        field: "issuerId",
        named: |shop| &shop.invoices().issuer,
        body: |own, id| json!({"issuerId": id, "customerId": own.buyer, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /invoices",
        field: "branchId",
        named: |shop| &shop.invoices().branch,
        body: |own, id| json!({"branchId": id, "customerId": own.buyer, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "PATCH /invoices/{id}",
        field: "issuerId",
        named: |shop| &shop.invoices().issuer,
        body: |_, id| json!({"issuerId": id}),
    },
    Reference {
        operation: "PATCH /invoices/{id}",
        field: "branchId",
        named: |shop| &shop.invoices().branch,
        body: |_, id| json!({"branchId": id}),
    },
    Reference {
        operation: "POST /invoices/cfdi/branches",
        field: "issuerId",
        named: |shop| &shop.invoices().issuer,
        body: |_, id| json!({"issuerId": id, "name": "Norte", "placeOfIssue": "64000"}),
    },
    Reference {
        operation: "PATCH /invoices/cfdi/branches/{id}",
        field: "issuerId",
        named: |shop| &shop.invoices().issuer,
        body: |_, id| json!({"issuerId": id}),
    },
    Reference {
        operation: "PUT /invoices/cfdi/series/{series}",
        field: "?issuerId",
        named: |shop| &shop.invoices().issuer,
        body: |_, _| json!({"nextFolio": 7}),
    },
    Reference {
        operation: "GET /invoices",
        field: "?issuerId",
        named: |shop| &shop.invoices().default_issuer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /invoices",
        field: "?branchId",
        named: |shop| &shop.invoices().branch,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /invoices/cfdi/series",
        field: "?issuerId",
        named: |shop| &shop.invoices().default_issuer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /invoices/exports",
        field: "issuerId",
        named: |shop| &shop.invoices().default_issuer,
        body: |_, id| json!({"issuerId": id, "from": "2026-01-01", "to": "2026-01-31"}),
    },
    Reference {
        operation: "POST /invoices/exports",
        field: "branchId",
        named: |shop| &shop.invoices().branch,
        body: |_, id| json!({"branchId": id, "from": "2026-01-01", "to": "2026-01-31"}),
    },
    Reference {
        operation: "POST /invoices/exports",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |_, id| json!({"customerId": id, "from": "2026-01-01", "to": "2026-01-31"}),
    },
    Reference {
        operation: "GET /invoices/sums",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /invoices/sums",
        field: "?orderId",
        named: |shop| &shop.order,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /invoices/sums",
        field: "?issuerId",
        named: |shop| &shop.invoices().default_issuer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /invoices/sums",
        field: "?branchId",
        named: |shop| &shop.invoices().branch,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /invoices/global",
        field: "issuerId",
        named: |shop| &shop.invoices().default_issuer,
        body: |_, id| json!({"issuerId": id, "paymentForm": "01"}),
    },
    Reference {
        operation: "POST /invoices/global",
        field: "branchId",
        named: |shop| &shop.invoices().branch,
        body: |_, id| json!({"branchId": id, "paymentForm": "01"}),
    },
    Reference {
        operation: "GET /invoices/global/preview",
        field: "?issuerId",
        named: |shop| &shop.invoices().default_issuer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /invoices/global/preview",
        field: "?branchId",
        named: |shop| &shop.invoices().branch,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "PUT /invoices/cfdi/global",
        field: "issuerId",
        named: |shop| &shop.invoices().default_issuer,
        body: |_, id| global_settings("issuerId", id),
    },
    Reference {
        operation: "PUT /invoices/cfdi/global",
        field: "branchId",
        named: |shop| &shop.invoices().branch,
        body: |_, id| global_settings("branchId", id),
    },
    Reference {
        operation: "POST /withholdings",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |_, id| withholding(&json!({"customerId": id})),
    },
    Reference {
        operation: "POST /withholdings",
        field: "issuerId",
        named: |shop| &shop.invoices().issuer,
        body: |own, id| withholding(&json!({"customerId": own.buyer, "issuerId": id})),
    },
    Reference {
        operation: "PATCH /withholdings/{id}",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |_, id| json!({"customerId": id}),
    },
    Reference {
        operation: "PATCH /withholdings/{id}",
        field: "issuerId",
        named: |shop| &shop.invoices().issuer,
        body: |_, id| json!({"issuerId": id}),
    },
    Reference {
        operation: "GET /withholdings",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /withholdings",
        field: "?issuerId",
        named: |shop| &shop.invoices().default_issuer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /credits/ledger",
        field: "?withholdingId",
        named: |shop| &shop.invoices().stamped_withholding,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /credits/ledger",
        field: "?invoiceId",
        named: |shop| &shop.invoices().stamped,
        body: |_, _| Value::Null,
    },
];

/// Settings of global invoices that name something.
fn global_settings(field: &str, id: &str) -> Value {
    json!({"automatic": true, "periodicity": "01", "paymentForm": "01", field: id})
}

/// The body of a withholding with these fields.
fn withholding(more: &Value) -> Value {
    let mut body = json!({"code": "14", "totals": {"taxed": 100},
        "period": {"firstMonth": 1, "lastMonth": 3, "year": 2026}});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}
