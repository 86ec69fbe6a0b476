//! What leads, deals, activities and quotes name.

use serde_json::{Value, json};

use super::Reference;
use crate::openapi::pipeline;

pub(super) const REFERENCES: &[Reference] = &[
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
];
