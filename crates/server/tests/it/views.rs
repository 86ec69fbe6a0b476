//! What an answer shows: `fields` picks of a resource, `expand` adds what it names.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, Reply, on_both};

on_both!(
    fields_pick_what_is_shown,
    orders_are_shown_with_what_they_name,
    long_answers_are_compressed_for_who_takes_them_so,
    answers_are_bounded,
);

fn id(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

fn names(shown: &Value) -> Vec<&str> {
    shown.as_object().unwrap().keys().map(String::as_str).collect()
}

fn fields_pick_what_is_shown(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let product = json!({"name": "Taza", "price": 19.90, "metadata": {"peso": 1.50}});
    let product = id(&client.post("/products", &product).expect(201));
    let _ = client.post("/customers", &json!({"name": "Ana"})).expect(201);
    let _ = client.post("/crm/leads", &json!({"name": "Eva"})).expect(201);
    let place = format!("/products/{product}");
    let whole = client.get(&place);
    let some = client.get(&format!("{place}?fields=price,id,metadata"));
    assert_eq!(some.header("etag"), whole.header("etag"));
    let digits = format!(r#"{{"id":"{product}","price":19.9,"metadata":{{"peso":1.5}}}}"#);
    assert_eq!(some.text, digits, "numbers as they are");
    let tag = whole.header("etag").unwrap();
    let again = client.request("GET", &format!("{place}?fields=id")).header("If-None-Match", tag);
    assert_eq!(Reply::to(again).status, 304);
    for path in ["/products", "/customers", "/crm/leads"] {
        let page = client.get(&format!("{path}?fields=name&limit=1")).expect(200);
        assert_eq!(names(&page["data"][0]), ["name"], "{path}");
        assert_eq!(page["total"], 1, "{path}");
    }
    let unknown =
        client.get(&format!("{place}?fields=id,colour")).refused(400, "validation_failed");
    assert!(unknown.contains("fields names") && unknown.contains("price"), "{unknown}");
    let unknown = client.get(&format!("{place}?feilds=id")).refused(400, "validation_failed");
    assert!(unknown.contains("did you mean \"fields\"?"), "{unknown}");
    let no_expansions = client.get("/products?expand=customer").refused(400, "validation_failed");
    assert!(no_expansions.contains("\"expand\" is not a parameter"), "{no_expansions}");
}

fn orders_are_shown_with_what_they_name(kind: DatabaseKind) {
    let app = App::start(kind);
    let account = app.account();
    let client = app.client_of(account, "*");
    let product = |name: &str| {
        let body = json!({"name": name, "price": 5, "inventory": 10});
        client.post("/products", &body).expect(201)
    };
    let (mug, plate) = (product("Taza"), product("Plato"));
    let ana = client.post("/customers", &json!({"name": "Ana"})).expect(201);
    let order = |of: &[&Value]| {
        let items = of.iter().map(|product| json!({"productId": product["id"], "quantity": 1}));
        let items: Vec<Value> = items.collect();
        let body = json!({"customerId": ana["id"], "items": items});
        id(&client.post("/orders", &body).expect(201))
    };
    let (first, second) = (order(&[&mug, &plate]), order(&[&mug]));
    let plain = client.get(&format!("/orders/{first}"));
    assert!(
        plain.json().get("customer").is_none() && plain.json()["items"][0].get("product").is_none()
    );
    let path = format!("/orders/{first}?expand=customer,items.product");
    let shown = client.get(&path);
    assert_eq!(shown.header("etag"), plain.header("etag"));
    let shown = shown.expect(200);
    assert_eq!(shown["customer"], ana);
    assert_eq!(shown["items"][0]["product"]["inventory"], 8, "as it is now");
    assert_eq!(shown["items"][1]["product"]["name"], "Plato");
    // What is shown with an order may have changed although the order has not.
    let tag = plain.header("etag").unwrap();
    let known = client.request("GET", &path).header("If-None-Match", tag);
    assert_eq!(Reply::to(known).status, 200);
    let page = client.get("/orders?expand=customer&fields=id,customer").expect(200);
    let rows: Vec<_> = page["data"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(rows, [second, first]);
    assert!(page["data"].as_array().unwrap().iter().all(|order| order["customer"] == ana));
    assert_eq!(names(&page["data"][0]), ["customer", "id"], "the order of serde_json");
    // A product that is gone is not shown; the order is.
    let _ = client.delete(&format!("/products/{}", id(&plate))).expect(200);
    let shown = client.get(&path).expect(200);
    assert!(shown["items"][1].get("product").is_none() && shown["items"][1]["name"] == "Plato");
    let orders_only = app.client_of(account, "orders");
    let refused = orders_only.get("/orders?expand=customer").refused(403, "insufficient_scope");
    assert!(refused.contains("customers"), "{refused}");
    let _ = orders_only.get("/orders?expand=items.product").refused(403, "insufficient_scope");
    let unknown = client.get("/orders?expand=product").refused(400, "validation_failed");
    assert!(unknown.contains("expand must be one of customer, items.product"), "{unknown}");
}

fn long_answers_are_compressed_for_who_takes_them_so(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    for number in 0..30 {
        let body = json!({"name": format!("Taza {number}"), "price": number});
        let _ = client.post("/products", &body).expect(201);
    }
    let plain = client.get("/products?limit=30");
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
    for encoding in ["gzip", "br", "zstd"] {
        let asked = client.request("GET", "/products?limit=30").header("Accept-Encoding", encoding);
        let shorter = Reply::to(asked);
        assert_eq!(shorter.header("content-encoding"), Some(encoding));
        let length: usize = shorter.header("content-length").unwrap().parse().unwrap();
        assert!(length < plain.text.len() / 4, "{encoding}: {length} of {}", plain.text.len());
    }
    let short = client.request("GET", "/products?limit=1").header("Accept-Encoding", "gzip");
    assert_eq!(Reply::to(short).header("content-encoding"), None);
}

fn answers_are_bounded(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let long = json!({"name": "Cactus", "price": 1, "inventory": 1_000, "description": "🌵".repeat(10_000)});
    let product = client.post("/products", &long).expect(201);
    let ana = client.post("/customers", &json!({"name": "Ana"})).expect(201);
    let items = vec![json!({"productId": product["id"], "quantity": 1}); 500];
    let order = json!({"customerId": ana["id"], "items": items});
    (0..2).for_each(|_| drop(client.post("/orders", &order).expect(201)));
    // 500 times 40 kB are one order.
    let path = "/orders?expand=items.product";
    let message = client.get(path).refused(400, "validation_failed");
    assert!(message.contains("limit gives an answer of more than 32 MiB"), "{message}");
    let page = client.get(&format!("{path}&limit=1")).expect(200);
    assert_eq!(page["data"][0]["items"][499]["product"]["name"], "Cactus");
    assert_eq!((&page["total"], &page["nextCursor"].is_null()), (&json!(2), &false));
    let page = client.get("/orders").expect(200);
    assert_eq!(page["data"].as_array().unwrap().len(), 2);
}
