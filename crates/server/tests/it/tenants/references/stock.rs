//! What stock, transfers and counts name.

use serde_json::{Value, json};

use super::Reference;

pub(super) const REFERENCES: &[Reference] = &[
    Reference {
        operation: "PUT /stock/settings",
        field: "defaultWarehouseId",
        named: |shop| &shop.warehouse,
        body: |_, id| json!({"defaultWarehouseId": id}),
    },
    Reference {
        operation: "POST /stock/adjustments",
        field: "items[].warehouseId",
        named: |shop| &shop.warehouse,
        body: |_, id| adjustment(&json!({"sku": "PIN-1", "delta": 1, "warehouseId": id})),
    },
    Reference {
        operation: "POST /stock/adjustments",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |_, id| adjustment(&json!({"productId": id, "delta": 1})),
    },
    Reference {
        operation: "POST /stock/adjustments",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| adjustment(&json!({"productId": own.product, "variantId": id, "delta": 1})),
    },
    Reference {
        operation: "POST /stock/receipts",
        field: "items[].warehouseId",
        named: |shop| &shop.warehouse,
        body: |_, id| json!({"items": [{"sku": "PIN-1", "quantity": 1, "warehouseId": id}]}),
    },
    Reference {
        operation: "POST /stock/receipts",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |_, id| json!({"items": [{"productId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /stock/receipts",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| json!({"items": [{"productId": own.product, "variantId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /stock/costs",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |_, id| json!({"items": [{"productId": id, "averageCost": 1}]}),
    },
    Reference {
        operation: "POST /stock/costs",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| json!({"items": [{"productId": own.product, "variantId": id, "averageCost": 1}]}),
    },
    Reference {
        operation: "GET /stock/costs",
        field: "?productId",
        named: |shop| &shop.product,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /stock/costs",
        field: "?variantId",
        named: |shop| &shop.variant,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /stock/valuation",
        field: "?warehouseId",
        named: |shop| &shop.warehouse,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /transfers",
        field: "fromWarehouseId",
        named: |shop| &shop.shelf,
        body: |own, id| json!({"fromWarehouseId": id, "toWarehouseId": own.outlet, "items": [{"sku": "PIN-1", "quantity": 1}]}),
    },
    Reference {
        operation: "POST /transfers",
        field: "toWarehouseId",
        named: |shop| &shop.outlet,
        body: |own, id| json!({"fromWarehouseId": own.shelf, "toWarehouseId": id, "items": [{"sku": "PIN-1", "quantity": 1}]}),
    },
    Reference {
        operation: "POST /transfers",
        field: "quarantineId",
        named: |shop| &shop.quarantine,
        body: |own, id| json!({"fromWarehouseId": own.shelf, "toWarehouseId": own.outlet, "quarantineId": id, "items": [{"sku": "PIN-1", "quantity": 1}]}),
    },
    Reference {
        operation: "POST /transfers",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |own, id| json!({"fromWarehouseId": own.shelf, "toWarehouseId": own.outlet, "items": [{"productId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /transfers",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| json!({"fromWarehouseId": own.shelf, "toWarehouseId": own.outlet, "items": [{"productId": own.product, "variantId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "GET /transfers",
        field: "?warehouseId",
        named: |shop| &shop.shelf,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /stock/counts",
        field: "warehouseId",
        named: |shop| &shop.warehouse,
        body: |_, id| json!({"warehouseId": id}),
    },
    Reference {
        operation: "POST /stock/counts",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |_, id| json!({"items": [{"productId": id}]}),
    },
    Reference {
        operation: "POST /stock/counts",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| json!({"items": [{"productId": own.product, "variantId": id}]}),
    },
    Reference {
        operation: "PUT /stock/counts/{id}/lines",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |_, id| json!({"items": [{"productId": id, "countedQuantity": 1}]}),
    },
    Reference {
        operation: "PUT /stock/counts/{id}/lines",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| json!({"items": [{"productId": own.product, "variantId": id, "countedQuantity": 1}]}),
    },
    Reference {
        operation: "POST /stock/counts/{id}/post",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |own, id| {
            let of_product = json!({"items": [{"productId": own.product, "countedQuantity": 9}]});
            let path = format!("/stock/counts/{}/lines", own.stock_count);
            let _ = own.client.send("PUT", &path, &of_product).expect(200);
            json!({"items": [{"productId": id}]})
        },
    },
    Reference {
        operation: "POST /stock/counts/{id}/post",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| json!({"items": [{"productId": own.product, "variantId": id}]}),
    },
    Reference {
        operation: "GET /stock/counts",
        field: "?warehouseId",
        named: |shop| &shop.shelf,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /stock",
        field: "?productId",
        named: |shop| &shop.product,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /stock",
        field: "?variantId",
        named: |shop| &shop.variant,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /stock",
        field: "?warehouseId",
        named: |shop| &shop.shelf,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /stock/movements",
        field: "?productId",
        named: |shop| &shop.product,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /stock/movements",
        field: "?variantId",
        named: |shop| &shop.variant,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /stock/movements",
        field: "?warehouseId",
        named: |shop| &shop.shelf,
        body: |_, _| Value::Null,
    },
];

/// An adjustment of this item.
fn adjustment(item: &Value) -> Value {
    json!({"reason": "found", "items": [item]})
}
