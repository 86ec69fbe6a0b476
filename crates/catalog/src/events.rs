//! What the catalog tells subscribers, with exactly the payload fields of the event catalog.

use std::collections::BTreeMap;

use kernel::{Measure, NewEvent};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{Product, ProductId};

/// `product.created`.
#[must_use]
pub fn created(product: &Product) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: ProductId,
        name: &'a str,
        sku: &'a str,
    }
    NewEvent::new(
        "product.created",
        product.id,
        &Data { id: product.id, name: &product.name, sku: &product.sku },
    )
}

/// `product.updated`; `changes` maps each changed field to its new value.
#[must_use]
pub fn updated(id: ProductId, changes: &BTreeMap<String, Box<RawValue>>) -> NewEvent {
    #[derive(Serialize)]
    struct Data<'a> {
        id: ProductId,
        changes: &'a BTreeMap<String, Box<RawValue>>,
    }
    NewEvent::new("product.updated", id, &Data { id, changes })
}

/// `product.deleted`.
#[must_use]
pub fn deleted(id: ProductId) -> NewEvent {
    #[derive(Serialize)]
    struct Data {
        id: ProductId,
    }
    NewEvent::new("product.deleted", id, &Data { id })
}

/// `inventory.low`.
#[must_use]
pub fn inventory_low(product: ProductId, current_stock: Measure, threshold: Measure) -> NewEvent {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        product_id: ProductId,
        current_stock: Measure,
        threshold: Measure,
    }
    NewEvent::new("inventory.low", product, &Data { product_id: product, current_stock, threshold })
}
