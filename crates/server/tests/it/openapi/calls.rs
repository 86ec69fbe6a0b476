//! One valid call of every operation. A test that walks the document fails at an operation without one.

use serde_json::{Value, json};
use testkit::{Client, Reply};

use super::{Operation, Shop};

/// What an operation takes besides the path.
#[derive(Clone, Copy)]
enum Takes {
    Nothing,
    Body(fn(&Shop) -> Value),
}

use Takes::{Body, Nothing};

/// Every operation. A new one needs an entry here, and with it all that the tests ask of every operation.
const CALLS: &[(&str, &str, Takes)] = &[
    ("GET", "/products", Nothing),
    ("POST", "/products", Body(|_| json!({"name": "Taza", "price": 19.99, "inventory": 3}))),
    ("GET", "/products/{id}", Nothing),
    ("PATCH", "/products/{id}", Body(|_| json!({"price": 21.5}))),
    ("DELETE", "/products/{id}", Nothing),
    ("GET", "/orders", Nothing),
    ("POST", "/orders", Body(order)),
    ("GET", "/orders/{id}", Nothing),
    ("PATCH", "/orders/{id}", Body(|_| json!({"status": "paid"}))),
    ("GET", "/customers", Nothing),
    ("POST", "/customers", Body(|_| json!({"name": "Ana", "email": "ana@new.example"}))),
    ("GET", "/customers/{id}", Nothing),
    ("PATCH", "/customers/{id}", Body(|_| json!({"addresses": [{"street": "Juárez 10"}]}))),
    ("DELETE", "/customers/{id}", Nothing),
    ("GET", "/crm/leads", Nothing),
    ("POST", "/crm/leads", Body(|_| json!({"name": "Beto", "tags": ["mayoreo"]}))),
    ("GET", "/crm/leads/{id}", Nothing),
    ("PATCH", "/crm/leads/{id}", Body(|_| json!({"status": "qualified"}))),
    ("DELETE", "/crm/leads/{id}", Nothing),
    ("POST", "/crm/leads/{id}/convert", Body(|_| json!({"title": "Tazas", "value": 18500.5}))),
    ("GET", "/webhooks", Nothing),
    (
        "POST",
        "/webhooks",
        Body(|_| json!({"url": "https://hooks.example.com/new", "events": ["*"]})),
    ),
    ("GET", "/webhooks/{id}", Nothing),
    ("PATCH", "/webhooks/{id}", Body(|_| json!({"events": ["order.paid"], "description": null}))),
    ("DELETE", "/webhooks/{id}", Nothing),
    ("POST", "/webhooks/{id}/rotate-secret", Nothing),
    ("POST", "/webhooks/{id}/enable", Nothing),
    ("POST", "/webhooks/{id}/disable", Nothing),
    ("POST", "/webhooks/{id}/test", Nothing),
    ("POST", "/webhooks/{id}/replay", Body(|_| json!({"since": "2020-01-01T00:00:00Z"}))),
    ("GET", "/webhooks/{id}/deliveries", Nothing),
    ("GET", "/webhooks/deliveries/{id}", Nothing),
    ("POST", "/webhooks/deliveries/{id}/retry", Nothing),
    ("GET", "/webhooks/events", Nothing),
    ("GET", "/events", Nothing),
];

fn order(shop: &Shop) -> Value {
    json!({"customerId": shop.buyer, "items": [
        {"productId": shop.product, "quantity": 2},
        {"productId": shop.product, "variantId": shop.variant, "quantity": 1},
    ]})
}

/// The names of all operations that there is a call for.
pub(crate) fn names() -> Vec<String> {
    CALLS.iter().map(|(method, path, _)| format!("{method} {path}")).collect()
}

/// A call of one operation.
pub(crate) struct Call<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
}

/// A valid call of the operation in this shop.
pub(crate) fn call<'a>(operation: &'a Operation<'_>, shop: &Shop) -> Call<'a> {
    let id = if operation.names_one() { shop.id_in(operation.path) } else { "" };
    call_on(operation, shop, id)
}

/// The same on the resource with this identifier.
pub(crate) fn call_on<'a>(operation: &'a Operation<'_>, shop: &Shop, id: &str) -> Call<'a> {
    let known = CALLS
        .iter()
        .find(|(method, path, _)| *method == operation.method && *path == operation.path);
    let Some((_, _, takes)) = known else {
        panic!("{} has no entry in the table of calls: add one", operation.name());
    };
    let body = match takes {
        Nothing => None,
        Body(make) => Some(make(shop)),
    };
    Call { method: &operation.method, path: operation.path.replace("{id}", id), body }
}

impl Call<'_> {
    pub(crate) fn send(&self, client: &Client) -> Reply {
        match &self.body {
            Some(body) => client.send(self.method, &self.path, body),
            None => Reply::to(client.request(self.method, &self.path)),
        }
    }
}
