//! A shop to measure: products and a customer, made through the API.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Context;
use tokio::task::JoinSet;

use crate::limits::ORDERED_PRODUCTS;
use crate::service::ApiClient;

const CONNECTIONS: u32 = 32;
/// More than any run sells, less than the service's largest quantity.
const INVENTORY: u32 = 900_000_000;

/// Who buys what, with which key.
#[derive(Debug)]
pub(crate) struct Shop {
    pub(crate) api_key: String,
    pub(crate) customer_id: String,
    pub(crate) product_ids: Vec<String>,
}

impl Shop {
    /// The products that orders are placed on.
    pub(crate) fn ordered_products(&self) -> &[String] {
        let count = self.product_ids.len().min(ORDERED_PRODUCTS as usize);
        self.product_ids.get(..count).unwrap_or_default()
    }
}

/// Fills an empty shop.
pub(crate) async fn fill(
    address: SocketAddr,
    api_key: &str,
    products: u32,
) -> anyhow::Result<Shop> {
    let next = Arc::new(AtomicU32::new(0));
    let mut connections = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let client = ApiClient::new(address, api_key);
        connections.spawn(create_products(client, Arc::clone(&next), products));
    }
    let mut product_ids = Vec::new();
    while let Some(created) = connections.join_next().await {
        product_ids.extend(created??);
    }
    let customer = r#"{"name":"Compras","email":"compras@example.com","phone":"+525512345678"}"#;
    let mut client = ApiClient::new(address, api_key);
    let customer_id = client.create("/api/v1/customers", customer).await?;
    Ok(Shop { api_key: api_key.to_owned(), customer_id, product_ids })
}

async fn create_products(
    mut client: ApiClient,
    next: Arc<AtomicU32>,
    products: u32,
) -> anyhow::Result<Vec<String>> {
    let mut created = Vec::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= products {
            return Ok(created);
        }
        let body = product(number);
        let id = client.create("/api/v1/products", &body).await;
        created.push(id.with_context(|| format!("product {number}"))?);
    }
}

fn product(number: u32) -> String {
    let pesos = 10 + number % 90;
    format!(
        r#"{{"name":"Producto {number:06}","sku":"SKU-{number:06}","price":{pesos}.99,"currency":"MXN","inventory":{INVENTORY}}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::product;

    #[test]
    fn a_product_is_json() {
        let product: serde_json::Value = serde_json::from_str(&product(12)).unwrap();
        assert_eq!(product["sku"], "SKU-000012");
        assert_eq!(product["price"], 22.99);
    }
}
