//! What orders, approvals and webhooks name.

use serde_json::{Value, json};

use super::Reference;

pub(super) const REFERENCES: &[Reference] = &[
    Reference {
        operation: "POST /orders",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |own, id| json!({"customerId": id, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /orders",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |own, id| json!({"customerId": own.buyer, "items": [{"productId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /orders",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| {
            let item = json!({"productId": own.product, "variantId": id, "quantity": 1});
            json!({"customerId": own.buyer, "items": [item]})
        },
    },
    Reference {
        operation: "POST /orders",
        field: "warehouseId",
        named: |shop| &shop.shelf,
        body: |own, id| json!({"customerId": own.buyer, "warehouseId": id, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /orders/{id}/returns",
        field: "items[].warehouseId",
        named: |shop| &shop.shelf,
        body: |_, id| json!({"items": [{"line": 1, "quantity": 1, "warehouseId": id}], "reason": "Rota"}),
    },
    Reference {
        operation: "POST /orders/{id}/reallocate",
        field: "items[].from",
        named: |shop| &shop.shelf,
        body: |own, id| json!({"items": [{"line": 1, "quantity": 1, "from": id, "to": own.outlet}]}),
    },
    Reference {
        operation: "POST /orders/{id}/reallocate",
        field: "items[].to",
        named: |shop| &shop.outlet,
        body: |own, id| json!({"items": [{"line": 1, "quantity": 1, "from": own.shelf, "to": id}]}),
    },
    Reference {
        operation: "POST /orders/{id}/shipments",
        field: "warehouseId",
        named: |shop| &shop.shelf,
        body: |_, id| json!({"warehouseId": id}),
    },
    Reference {
        operation: "POST /orders",
        field: "priceListId",
        named: |shop| &shop.price_list,
        body: |own, id| json!({"customerId": own.buyer, "priceListId": id, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /approval-rules",
        field: "levels[].approvers[].id",
        named: |shop| &shop.approver,
        body: |_, id| json!({"entityType": "order_discount", "levels": levels(id)}),
    },
    Reference {
        operation: "PATCH /approval-rules/{id}",
        field: "levels[].approvers[].id",
        named: |shop| &shop.approver,
        body: |_, id| json!({"levels": levels(id)}),
    },
    Reference {
        operation: "POST /approvals",
        field: "levels[].approvers[].id",
        named: |shop| &shop.approver,
        body: |own, id| json!({"entityType": "order_discount", "entityId": own.order, "levels": levels(id)}),
    },
    Reference {
        operation: "GET /orders",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /orders/export",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /webhooks/{id}/deliveries",
        field: "?eventId",
        named: |shop| &shop.event,
        body: |_, _| Value::Null,
    },
];

/// A level of one approver.
fn levels(approver: &str) -> Value {
    json!([{"approvers": [{"type": "key", "id": approver}]}])
}
