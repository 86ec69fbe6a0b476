//! Identifiers inside bodies and queries: another account's name nothing.

use std::collections::BTreeSet;

use kernel::Timestamp;
use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply};

use super::id_of_nothing;
use crate::openapi::{Document, EXTERNAL_ID, Shop, pipeline, receipt_of};

testkit::on_both!(foreign_references_are_like_references_to_nothing);

/// A place where a caller can name something, whose identifier goes there, and a body that does.
struct Reference {
    operation: &'static str,
    field: &'static str,
    named: fn(&Shop) -> &str,
    body: fn(&Shop, &str) -> Value,
}

const REFERENCES: &[Reference] = &[
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
    Reference {
        operation: "POST /orders",
        field: "priceListId",
        named: |shop| &shop.price_list,
        body: |own, id| json!({"customerId": own.buyer, "priceListId": id, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "GET /products",
        field: "?priceListId",
        named: |shop| &shop.price_list,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /customers",
        field: "?groupId",
        named: |shop| &shop.group,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /customers",
        field: "groupId",
        named: |shop| &shop.group,
        body: |_, id| json!({"name": "Mía", "groupId": id}),
    },
    Reference {
        operation: "PATCH /customers/{id}",
        field: "groupId",
        named: |shop| &shop.group,
        body: |_, id| json!({"groupId": id}),
    },
    Reference {
        operation: "POST /price-lists",
        field: "customerGroupId",
        named: |shop| &shop.group,
        body: |_, id| json!({"name": "Mía", "customerGroupId": id}),
    },
    Reference {
        operation: "PATCH /price-lists/{id}",
        field: "customerGroupId",
        named: |shop| &shop.group,
        body: |_, id| json!({"customerGroupId": id}),
    },
    Reference {
        operation: "GET /price-lists/{id}/items",
        field: "?productId",
        named: |shop| &shop.product,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "PUT /price-lists/{id}/items",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |_, id| json!({"items": [{"productId": id, "price": 1}]}),
    },
    Reference {
        operation: "PUT /price-lists/{id}/items",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| json!({"items": [{"productId": own.product, "variantId": id, "price": 1}]}),
    },
    Reference {
        operation: "POST /categories",
        field: "parentId",
        named: |shop| &shop.category,
        body: |_, id| json!({"name": "Mía", "parentId": id}),
    },
    Reference {
        operation: "PATCH /categories/{id}",
        field: "parentId",
        named: |shop| &shop.category,
        body: |_, id| json!({"parentId": id}),
    },
    Reference {
        operation: "GET /categories",
        field: "?parentId",
        named: |shop| &shop.category,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /products",
        field: "?categoryId",
        named: |shop| &shop.category,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /products",
        field: "categoryIds[]",
        named: |shop| &shop.category,
        body: |_, id| json!({"name": "Mía", "price": 1, "categoryIds": [id]}),
    },
    Reference {
        operation: "PATCH /products/{id}",
        field: "categoryIds[]",
        named: |shop| &shop.category,
        body: |_, id| json!({"categoryIds": [id]}),
    },
    Reference {
        operation: "PUT /products/by-external-id/{externalId}",
        field: "categoryIds[]",
        named: |shop| &shop.category,
        body: |_, id| json!({"name": "Mía", "price": 1, "categoryIds": [id]}),
    },
    Reference {
        operation: "PATCH /products/{id}",
        field: "variants[].id",
        named: |shop| &shop.variant,
        body: |_, id| json!({"variants": [{"id": id, "name": "Mía"}]}),
    },
    Reference {
        operation: "PATCH /products/{id}",
        field: "removeVariants[]",
        named: |shop| &shop.variant,
        body: |_, id| json!({"removeVariants": [id], "force": true}),
    },
    Reference {
        operation: "PUT /products/by-external-id/{externalId}",
        field: "variants[].id",
        named: |shop| &shop.variant,
        body: |_, id| json!({"variants": [{"id": id, "price": 1}]}),
    },
    Reference {
        operation: "PUT /products/by-external-id/{externalId}",
        field: "removeVariants[]",
        named: |shop| &shop.variant,
        body: |_, id| json!({"removeVariants": [id], "force": true}),
    },
    Reference {
        operation: "POST /crm/leads/{id}/convert",
        field: "customerId",
        named: |shop| &shop.customer,
        body: |_, id| json!({"customerId": id}),
    },
    Reference {
        operation: "POST /crm/quotes",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |own, id| json!({"customerId": id, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /crm/quotes",
        field: "dealId",
        named: |shop| &shop.sales.deal,
        body: |own, id| json!({"customerId": own.buyer, "dealId": id, "items": [{"productId": own.product, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /crm/quotes",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |own, id| json!({"customerId": own.buyer, "items": [{"productId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "POST /crm/quotes",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| {
            let item = json!({"productId": own.product, "variantId": id, "quantity": 1});
            json!({"customerId": own.buyer, "items": [item]})
        },
    },
    Reference {
        operation: "PATCH /crm/quotes/{id}",
        field: "customerId",
        named: |shop| &shop.customer,
        body: |_, id| json!({"customerId": id}),
    },
    Reference {
        operation: "PATCH /crm/quotes/{id}",
        field: "dealId",
        named: |shop| &shop.sales.deal,
        body: |_, id| json!({"dealId": id}),
    },
    Reference {
        operation: "PATCH /crm/quotes/{id}",
        field: "items[].productId",
        named: |shop| &shop.product,
        body: |_, id| json!({"items": [{"productId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "PATCH /crm/quotes/{id}",
        field: "items[].variantId",
        named: |shop| &shop.variant,
        body: |own, id| json!({"items": [{"productId": own.product, "variantId": id, "quantity": 1}]}),
    },
    Reference {
        operation: "GET /crm/quotes",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /crm/quotes",
        field: "?dealId",
        named: |shop| &shop.sales.second,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /crm/quotes",
        field: "?orderId",
        named: |shop| &shop.sales.quoted_order,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /crm/leads/{id}/merge",
        field: "from[]",
        named: |shop| &shop.sales.twin,
        body: |_, id| json!({"from": [id]}),
    },
    Reference {
        operation: "POST /crm/activities",
        field: "dealId",
        named: |shop| &shop.sales.deal,
        body: |_, id| json!({"kind": "task", "subject": "Llamar", "dealId": id}),
    },
    Reference {
        operation: "PATCH /crm/activities/{id}",
        field: "dealId",
        named: |shop| &shop.sales.deal,
        body: |_, id| json!({"dealId": id}),
    },
    Reference {
        operation: "GET /crm/activities",
        field: "?dealId",
        named: |shop| &shop.sales.deal,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /crm/activities",
        field: "leadId",
        named: |shop| &shop.lead,
        body: |_, id| json!({"kind": "task", "subject": "Llamar", "leadId": id}),
    },
    Reference {
        operation: "PATCH /crm/activities/{id}",
        field: "leadId",
        named: |shop| &shop.lead,
        body: |_, id| json!({"leadId": id}),
    },
    Reference {
        operation: "GET /crm/activities",
        field: "?leadId",
        named: |shop| &shop.lead,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "POST /crm/activities",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |_, id| json!({"kind": "task", "subject": "Llamar", "customerId": id}),
    },
    Reference {
        operation: "PATCH /crm/activities/{id}",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |_, id| json!({"customerId": id}),
    },
    Reference {
        operation: "GET /crm/activities",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "PATCH /crm/pipelines/{id}",
        field: "stages[].id",
        named: |shop| &shop.sales.idle_stage,
        body: |_, id| {
            let mut body = pipeline();
            body["stages"][0]["id"] = json!(id);
            body
        },
    },
    Reference {
        operation: "POST /crm/deals",
        field: "pipelineId",
        named: |shop| &shop.sales.pipeline,
        body: |_, id| json!({"title": "Jarras", "pipelineId": id}),
    },
    Reference {
        operation: "POST /crm/deals",
        field: "stageId",
        named: |shop| &shop.sales.stage,
        body: |_, id| json!({"title": "Jarras", "stageId": id}),
    },
    Reference {
        operation: "POST /crm/deals",
        field: "customerId",
        named: |shop| &shop.buyer,
        body: |_, id| json!({"title": "Jarras", "customerId": id}),
    },
    Reference {
        operation: "POST /crm/deals",
        field: "leadId",
        named: |shop| &shop.lead,
        body: |_, id| json!({"title": "Jarras", "leadId": id}),
    },
    Reference {
        operation: "PATCH /crm/deals/{id}",
        field: "customerId",
        named: |shop| &shop.customer,
        body: |_, id| json!({"customerId": id}),
    },
    Reference {
        operation: "POST /crm/deals/{id}/win",
        field: "stageId",
        named: |shop| &shop.sales.won_stage,
        body: |_, id| json!({"stageId": id}),
    },
    Reference {
        operation: "POST /crm/deals/{id}/lose",
        field: "stageId",
        named: |shop| &shop.sales.lost_stage,
        body: |_, id| json!({"stageId": id, "reason": "Caro"}),
    },
    Reference {
        operation: "POST /crm/deals/{id}/move",
        field: "stageId",
        named: |shop| &shop.sales.stage,
        body: |_, id| json!({"stageId": id}),
    },
    Reference {
        operation: "POST /crm/deals/{id}/move",
        field: "before",
        named: |shop| &shop.sales.second,
        body: |own, id| json!({"stageId": own.sales.stage, "before": id}),
    },
    Reference {
        operation: "POST /crm/deals/{id}/move",
        field: "after",
        named: |shop| &shop.sales.second,
        body: |own, id| json!({"stageId": own.sales.stage, "after": id}),
    },
    Reference {
        operation: "GET /crm/deals",
        field: "?pipelineId",
        named: |shop| &shop.sales.default_pipeline,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /crm/deals",
        field: "?stageId",
        named: |shop| &shop.sales.stage,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /crm/deals",
        field: "?customerId",
        named: |shop| &shop.buyer,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /crm/deals",
        field: "?leadId",
        named: |shop| &shop.lead,
        body: |_, _| Value::Null,
    },
    Reference {
        operation: "GET /crm/deals/board",
        field: "?pipelineId",
        named: |shop| &shop.sales.pipeline,
        body: |_, _| Value::Null,
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
    Reference {
        operation: "GET /webhooks/{id}/deliveries",
        field: "?eventId",
        named: |shop| &shop.event,
        body: |_, _| Value::Null,
    },
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

/// A level of one approver.
fn levels(approver: &str) -> Value {
    json!([{"approvers": [{"type": "key", "id": approver}]}])
}

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

fn foreign_references_are_like_references_to_nothing(kind: DatabaseKind) {
    let app = App::start(kind);
    let known: BTreeSet<_> = REFERENCES
        .iter()
        .map(|reference| format!("{} {}", reference.operation, reference.field))
        .collect();
    assert_eq!(documented(&Document::of(&app)), known, "add the missing ones to the table");

    let (theirs, own) = (Shop::open(&app), Shop::open(&app));
    let before = (theirs.snapshot(&app), own.snapshot(&app));
    let days = [-30, 30].map(|days| app.now().plus_seconds(days * 24 * 60 * 60));
    for reference in REFERENCES {
        let foreign = (reference.named)(&theirs);
        let nothing = id_of_nothing(foreign);
        let outcomes = [foreign, &nothing].map(|id| {
            let reply = send(reference, &own, id, days);
            (reply.status, reply.text.replace(id, "ID"))
        });
        let (status, text) = &outcomes[0];
        assert_eq!(outcomes[0], outcomes[1], "{} {}", reference.operation, reference.field);
        // A preview is of what would be made.
        let lists = reference.operation.starts_with("GET ") && !is_of_one(reference.operation);
        match lists {
            true => {
                // A table of nothing has its heading.
                let is_table = reference.operation.ends_with("/export");
                let is_empty = ["\"total\":0", "\"sums\":[]", "\"totals\":[]"]
                    .iter()
                    .any(|none| text.contains(none))
                    || is_table && text.lines().count() == 1;
                assert!(is_empty, "{text}");
            }
            false => assert!(*status == 400 && text.contains("validation_failed"), "{text}"),
        }
        // The same with its own identifier is accepted, so it is the identifier that is refused; a fresh
        // shop takes the change.
        let fresh = (!reference.operation.starts_with("GET ")).then(|| Shop::open(&app));
        let shop = fresh.as_ref().unwrap_or(&own);
        let accepted = send(reference, shop, (reference.named)(shop), days);
        assert!(accepted.status < 300, "{}", accepted.text);
    }
    assert_eq!((theirs.snapshot(&app), own.snapshot(&app)), before);
}

/// Whether what is named decides about the whole answer.
fn is_of_one(operation: &str) -> bool {
    ["/preview", "/board"].iter().any(|end| operation.ends_with(end))
}

fn send(reference: &Reference, own: &Shop, id: &str, days: [Timestamp; 2]) -> Reply {
    let (method, path) = reference.operation.split_once(' ').unwrap();
    let path = match reference.field.starts_with("payments") {
        _ if !path.contains("{id}") => path.to_owned(),
        true => path.replace("{id}", &own.invoices().receipt),
        false => path.replace("{id}", own.id_in(path)),
    };
    let path = path.replace("{externalId}", EXTERNAL_ID);
    if method == "GET" {
        let name = reference.field.trim_start_matches('?');
        let range = match path.rsplit('/').next() {
            Some("sums") => format!("&createdFrom={}&createdTo={}", days[0], days[1]),
            // Says which moment it is of.
            Some("valuation") => format!("&at={}", days[0]),
            _ => String::new(),
        };
        return own.client.get(&format!("{path}?{name}={id}{range}"));
    }
    let query = reference.field.strip_prefix('?').map(|name| format!("?{name}={id}"));
    let path = path + &query.unwrap_or_default();
    own.client.send(method, &path, &(reference.body)(own, id))
}

/// Every place in the document that takes an identifier, besides paths.
fn documented(document: &Document) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for operation in document.operations() {
        for (name, parameter) in operation.query_parameters() {
            if is_id(&parameter["schema"]) {
                found.insert(format!("{} ?{name}", operation.name()));
            }
        }
        if let Some(media) = operation.body() {
            let mut fields = Vec::new();
            collect(document, &media["schema"], "", &mut fields);
            found.extend(fields.iter().map(|field| format!("{} {field}", operation.name())));
        }
    }
    found
}

fn collect(document: &Document, schema: &Value, path: &str, found: &mut Vec<String>) {
    let schema = document.resolved(schema);
    if is_id(schema) {
        found.push(path.trim_start_matches('.').to_owned());
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        collect(document, field, &format!("{path}.{name}"), found);
    }
    if schema["items"].is_object() {
        collect(document, &schema["items"], &format!("{path}[]"), found);
    }
    for choice in schema["oneOf"].as_array().into_iter().flatten() {
        collect(document, choice, path, found);
    }
}

fn is_id(schema: &Value) -> bool {
    schema["pattern"]
        .as_str()
        .is_some_and(|pattern| pattern.contains("_[0-7][0-9A-HJKMNP-TV-Z]{25}"))
}

/// An adjustment of this item.
fn adjustment(item: &Value) -> Value {
    json!({"reason": "found", "items": [item]})
}
