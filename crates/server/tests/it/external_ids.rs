//! `externalId`: what a resource is called in the system that it comes from.

use std::thread;

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, on_both};

on_both!(
    an_external_id_names_one_resource_of_its_kind,
    a_product_is_saved_under_its_external_id,
    an_external_id_is_free_again_when_its_product_is_gone,
    one_of_many_orders_takes_an_external_id,
    saving_at_once_makes_one_product,
);

const PLACE: &str = "/products/by-external-id/SAE%2F0042";

struct Shop {
    app: App,
    client: Client,
    product: String,
    customer: String,
}

impl Shop {
    fn open(kind: DatabaseKind) -> Self {
        let app = App::start(kind);
        let client = app.client();
        let id = |made: Value| made["id"].as_str().unwrap().to_owned();
        let product = json!({"name": "Taza", "price": 5, "inventory": 1_000});
        let product = id(client.post("/products", &product).expect(201));
        let customer = id(client.post("/customers", &json!({"name": "Ana"})).expect(201));
        Self { app, client, product, customer }
    }

    /// Bodies that make one of each kind, without an external identifier.
    fn bodies(&self) -> [(&'static str, Value); 4] {
        let items = json!([{"productId": self.product, "quantity": 1}]);
        [
            ("/products", json!({"name": "Plato", "price": 7})),
            ("/customers", json!({"name": "Eva"})),
            ("/crm/leads", json!({"name": "Luis"})),
            ("/orders", json!({"customerId": self.customer, "items": items})),
        ]
    }
}

fn an_external_id_names_one_resource_of_its_kind(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    for (path, body) in shop.bodies() {
        let plain = shop.client.post(path, &body).expect(201);
        assert_eq!(plain["externalId"], Value::Null, "{path}");
        let mut named = body.clone();
        named["externalId"] = json!("  SAE-0042 ");
        let first = shop.client.post(path, &named).expect(201);
        assert_eq!(first["externalId"], "SAE-0042", "{path}");
        let (first_id, plain_id) = (first["id"].as_str().unwrap(), plain["id"].as_str().unwrap());
        let taken = shop.client.post(path, &named).refused(409, "duplicate_external_id");
        assert!(taken.contains(first_id), "{taken}");
        let place = format!("{path}/{plain_id}");
        let taken = shop.client.patch(&place, &json!({"externalId": "SAE-0042"}));
        assert!(taken.refused(409, "duplicate_external_id").contains(first_id), "{path}");
        let found = |query: &str| -> Vec<String> {
            let page = shop.client.get(&format!("{path}?{query}")).expect(200);
            let rows = page["data"].as_array().unwrap().iter();
            rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(found("externalId=SAE-0042"), [first_id], "{path}");
        assert_eq!(found("search=sae-0042"), [first_id], "{path}");
        assert_eq!(found("externalId=sae-0042"), [""; 0], "{path}");
        // Sending back what was read changes nothing; clearing it frees it.
        let own = format!("{path}/{first_id}");
        let _ = shop.client.patch(&own, &json!({"externalId": "SAE-0042"})).expect(200);
        let _ = shop.client.patch(&own, &json!({"externalId": null})).expect(200);
        let other = shop.client.patch(&place, &json!({"externalId": "SAE-0042"})).expect(200);
        assert_eq!(found("externalId=SAE-0042"), [plain_id], "{path}");
        assert_eq!(other["externalId"], "SAE-0042");
        let stranger = shop.app.client();
        let theirs = stranger.get(&format!("{path}?externalId=SAE-0042")).expect(200);
        assert_eq!(theirs["total"], 0, "{path}");
    }
    let long = json!({"name": "x", "price": 1, "externalId": "x".repeat(101)});
    let message = shop.client.post("/products", &long).refused(400, "validation_failed");
    assert!(message.contains("externalId must have at most 100 characters"), "{message}");
}

fn a_product_is_saved_under_its_external_id(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let put = |body: Value| shop.client.send("PUT", PLACE, &body);
    let message = put(json!({"price": 5})).refused(400, "validation_failed");
    assert!(message.contains("name is required"), "{message}");
    let made = put(json!({"name": "Jarra", "price": 90, "inventory": 4, "sku": "JAR"}));
    let location = made.header("location").unwrap().to_owned();
    let made = made.expect(201);
    assert_eq!((&made["externalId"], &made["inventory"]), (&json!("SAE/0042"), &json!(4)));
    assert!(location.ends_with(made["id"].as_str().unwrap()), "{location}");
    // The same again is no change; something else changes what is named only.
    let again =
        put(json!({"name": "Jarra", "price": 90, "inventory": 4, "sku": "JAR"})).expect(200);
    assert_eq!(again, made);
    let dearer = put(json!({"price": 95.50, "externalId": "SAE/0042"}));
    let tag = dearer.header("etag").unwrap().to_owned();
    let dearer = dearer.expect(200);
    assert_eq!((&dearer["price"], &dearer["name"]), (&json!(95.5), &json!("Jarra")));
    assert_eq!(dearer["id"], made["id"]);
    // What was read can be saved, unless it has changed since.
    let conditional = |tag: &str, body: &Value| {
        let request = shop.client.request("PUT", PLACE).header("If-Match", tag);
        let request = request.header("Content-Type", "application/json");
        testkit::Reply::to(request.body(body.to_string()))
    };
    let _ = conditional(&tag, &dearer).expect(200);
    let _ = put(json!({"price": 99})).expect(200);
    assert_eq!(conditional(&tag, &json!({"price": 1})).status, 412);
    only_where_it_is_expected(&shop.client);
    let message = put(json!({"id": "prd_x", "price": 1})).refused(400, "validation_failed");
    assert!(message.contains("id"), "{message}");
    let message = put(json!({"externalId": "other"})).refused(400, "validation_failed");
    assert!(message.contains("externalId must be the one in the path"), "{message}");
    let message = put(json!({"sku": "JAR", "name": null})).refused(400, "validation_failed");
    assert!(message.contains("name must not be null"), "{message}");
    // Latin-1 is no UTF-8: `café` and `cafñ` of it must not be one product.
    for impossible in ["%20", "a%0Ab", "caf%E9", "caf%F1", &"x".repeat(101)] {
        let place = format!("/products/by-external-id/{impossible}");
        let body = json!({"name": "x", "price": 1});
        let message = shop.client.send("PUT", &place, &body).refused(400, "validation_failed");
        assert!(message.contains("externalId"), "{message}");
    }
    let other = "/products/by-external-id/other";
    let taken = shop.client.send("PUT", other, &json!({"name": "x", "price": 1, "sku": "JAR"}));
    let _ = taken.refused(409, "duplicate_sku");
    let variants = json!([{"id": "var_01KG8VZ3D1F5H7K9M0N2P4Q6R9", "price": 2}]);
    let body = json!({"name": "x", "price": 1, "variants": variants, "inventoryDelta": -1});
    let message = shop.client.send("PUT", other, &body).refused(400, "validation_failed");
    assert!(message.contains("variants[0].id") && message.contains("inventoryDelta"), "{message}");
}

/// Only to change the product of [`PLACE`], or only to create another one.
fn only_where_it_is_expected(client: &Client) {
    let body = json!({"name": "Jarra", "price": 99});
    let put = |place: &str, header: &str| {
        let request = client.request("PUT", place).header(header, "*");
        let request = request.header("Content-Type", "application/json");
        testkit::Reply::to(request.body(body.to_string()))
    };
    let none_yet = "/products/by-external-id/none-yet";
    let _ = put(none_yet, "If-Match").refused(412, "precondition_failed");
    let _ = put(PLACE, "If-None-Match").refused(412, "precondition_failed");
    let _ = put(none_yet, "If-None-Match").expect(201);
    let _ = put(PLACE, "If-Match").expect(200);
}

fn an_external_id_is_free_again_when_its_product_is_gone(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let body = json!({"name": "Jarra", "price": 90});
    let first = shop.client.send("PUT", PLACE, &body).expect(201);
    let _ = shop.client.delete(&format!("/products/{}", first["id"].as_str().unwrap())).expect(200);
    let second = shop.client.send("PUT", PLACE, &body).expect(201);
    assert_ne!(first["id"], second["id"]);
}

/// Orders that arrive together are recorded together: one of them has the identifier, the others are told which.
fn one_of_many_orders_takes_an_external_id(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let items = json!([{"productId": shop.product, "quantity": 1}]);
    let body = json!({"customerId": shop.customer, "items": items, "externalId": "WEB-1"});
    let statuses: Vec<u16> = thread::scope(|scope| {
        let order = || shop.client.post("/orders", &body).status;
        let threads: Vec<_> = (0..12).map(|_| scope.spawn(order)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 11, "{statuses:?}");
    let left = shop.client.get(&format!("/products/{}", shop.product)).expect(200);
    assert_eq!(left["inventory"], 999, "nothing was reserved for the others");
}

fn saving_at_once_makes_one_product(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let body = json!({"name": "Jarra", "price": 90});
    let statuses: Vec<u16> = thread::scope(|scope| {
        let put = || shop.client.send("PUT", PLACE, &body).status;
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(put)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 7, "{statuses:?}");
}
