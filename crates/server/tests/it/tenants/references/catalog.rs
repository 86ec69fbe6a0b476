//! What products, categories, price lists and customers name.

use serde_json::{Value, json};

use super::Reference;

pub(super) const REFERENCES: &[Reference] = &[
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
];
