//! A request sent twice with one `Idempotency-Key` happens once, whatever became of the first answer.

use std::{
    io::Write,
    net::{Shutdown, TcpStream},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{Client, DatabaseKind, Reply, on_both};

use crate::orders::shop::{Shop, id};

on_both!(
    in_spanish:
    a_repeat_gets_the_first_answer_whatever_happened_since,
    another_body_under_the_key_is_refused,
    quoted_and_bare_are_one_key,
    a_key_belongs_to_its_account_method_and_path,
    a_key_is_free_again_after_a_day,
    malformed_keys_are_refused,
    what_was_refused_is_not_kept,
    every_creation_can_be_repeated,
    a_change_of_stock_can_be_repeated,
    a_change_with_what_was_read_can_be_repeated,
    a_conversion_can_be_repeated,
    a_client_that_vanishes_gets_its_one_order,
);

const REPLAYED: &str = "idempotent-replayed";

/// Asserts that an answer is the repetition of another.
#[track_caller]
fn assert_repeats(first: &Reply, again: &Reply) {
    assert_eq!(first.header(REPLAYED), None);
    assert_eq!(again.header(REPLAYED), Some("true"), "{}", again.text);
    assert_eq!((again.status, &again.text), (first.status, &first.text));
    for header in ["location", "etag", "content-type"] {
        assert_eq!(again.header(header), first.header(header), "{header}");
    }
}

/// POST with a key in any form.
fn post_with_key(client: &Client, path: &str, key: &[u8], body: &Value) -> Reply {
    let request = client.request("POST", path).header("Idempotency-Key", key);
    Reply::to(request.header("Content-Type", "application/json").body(body.to_string()))
}

fn a_repeat_gets_the_first_answer_whatever_happened_since(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 5);
    let cart = shop.cart(&[(&mug, 4)]);
    let first = shop.client.post_once("/orders", "k", &cart);
    assert_eq!(first.status, 201, "{}", first.text);
    assert_repeats(&first, &shop.client.post_once("/orders", "k", &cart));

    let order = id(&first.json());
    let _ = shop.step(&order, "paid").expect(200);
    let _ = shop
        .client
        .patch(&format!("/products/{mug}"), &json!({"price": 30, "inventory": 0}))
        .expect(200);
    assert_repeats(&first, &shop.client.post_once("/orders", "k", &cart));
    let _ = shop.step(&order, "cancelled").expect(200);
    let _ = shop.client.delete(&format!("/products/{mug}")).expect(200);
    assert_repeats(&first, &shop.client.post_once("/orders", "k", &cart));

    assert_eq!(shop.orders(), 1);
    assert_eq!(shop.told("order.created").len(), 1);
}

fn another_body_under_the_key_is_refused(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let cart = shop.cart(&[(&mug, 1)]);
    let first = shop.client.post_once("/orders", "k", &cart);
    let other = shop.client.post_once("/orders", "k", &shop.cart(&[(&mug, 2)]));
    let _ = other.refused(422, "idempotency_key_reused");
    assert_eq!((shop.orders(), shop.stock(&mug)), (1, 9));
    assert_repeats(&first, &shop.client.post_once("/orders", "k", &cart));
    assert_eq!(shop.client.post("/orders", &cart).status, 201, "without a key it is another order");
}

fn quoted_and_bare_are_one_key(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let cart = shop.cart(&[(&mug, 1)]);
    let first = post_with_key(&shop.client, "/orders", br#""8e03978e-40d5""#, &cart);
    for same in ["8e03978e-40d5", r#""8e03978e-40d5""#, "  8e03978e-40d5 "] {
        assert_repeats(&first, &post_with_key(&shop.client, "/orders", same.as_bytes(), &cart));
    }
    assert_eq!(
        post_with_key(&shop.client, "/orders", b"8E03978E-40D5", &cart).header(REPLAYED),
        None
    );
    assert_eq!(shop.orders(), 2);
}

fn a_key_belongs_to_its_account_method_and_path(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let stranger = shop.app.client();
    let ana = json!({"name": "Ana"});
    let places = [
        (&shop.client, "/customers"),
        (&shop.client, "/crm/leads"),
        (&stranger, "/customers"),
        (&stranger, "/crm/leads"),
    ];
    let made: Vec<Reply> = places
        .iter()
        .map(|(client, path)| {
            let reply = client.post_once(path, "k", &ana);
            assert_eq!((reply.status, reply.header(REPLAYED)), (201, None), "{}", reply.text);
            reply
        })
        .collect();
    for ((client, path), first) in places.iter().zip(&made) {
        assert_repeats(first, &client.post_once(path, "k", &ana));
    }
    assert_eq!(stranger.get("/customers").expect(200)["total"], 1);

    // Another key of the same account is the same caller.
    let colleague = shop.app.client_of(shop.account, "customers");
    assert_repeats(&made[0], &colleague.post_once("/customers", "k", &ana));
}

fn a_key_is_free_again_after_a_day(kind: DatabaseKind) {
    const DAY_SECONDS: i64 = 86_400;
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let cart = shop.cart(&[(&mug, 1)]);
    let first = shop.client.post_once("/orders", "k", &cart);
    shop.app.advance_seconds(DAY_SECONDS - 60);
    assert_repeats(&first, &shop.client.post_once("/orders", "k", &cart));

    shop.app.advance_seconds(120);
    let second = shop.client.post_once("/orders", "k", &shop.cart(&[(&mug, 2)]));
    assert_eq!((second.status, second.header(REPLAYED)), (201, None), "{}", second.text);
    let again = shop.client.post_once("/orders", "k", &shop.cart(&[(&mug, 2)]));
    assert_repeats(&second, &again);
    assert_eq!(shop.orders(), 2);

    let ana = json!({"name": "Ana"});
    let first = shop.client.post_once("/customers", "k", &ana);
    shop.app.advance_seconds(DAY_SECONDS + 1);
    let second = shop.client.post_once("/customers", "k", &ana).expect(201);
    assert_ne!(second["id"], first.json()["id"]);
}

fn malformed_keys_are_refused(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let cart = shop.cart(&[(&mug, 1)]);
    let long = [b'k'; 256];
    let malformed: [&[u8]; 7] =
        [b"", b"  ", br#""""#, br#""open"#, br#""a"b"#, "contraseña".as_bytes(), &long];
    for key in malformed {
        let reply = post_with_key(&shop.client, "/orders", key, &cart);
        assert!(reply.refused(400, "malformed_request").contains("Idempotency-Key"), "{key:?}");
    }
    let twice = shop.client.request("POST", "/orders").header("Idempotency-Key", "a");
    let twice = twice.header("Idempotency-Key", "b").header("Content-Type", "application/json");
    let _ = Reply::to(twice.body(cart.to_string())).refused(400, "malformed_request");
    assert_eq!(shop.orders(), 0);

    let longest = [b'k'; 255];
    for key in [&b"!"[..], b"a b~", &longest] {
        let first = post_with_key(&shop.client, "/orders", key, &cart);
        assert_eq!(first.status, 201, "{key:?}");
        assert_repeats(&first, &post_with_key(&shop.client, "/orders", key, &cart));
    }
}

fn what_was_refused_is_not_kept(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 1);
    let cart = shop.cart(&[(&mug, 3)]);
    let order = |body: &Value| shop.client.post_once("/orders", "k", body);
    let _ = order(&json!({"items": []})).refused(400, "validation_failed");
    let _ = order(&json!([])).refused(400, "malformed_request");
    let unknown = json!({"customerId": "cus_01JD3V9QK4W8N2RZ6T5B7C0XEA", "items": cart["items"]});
    let _ = order(&unknown).refused(400, "validation_failed");
    let _ = order(&cart).refused(409, "insufficient_stock");
    let weak = shop.app.client_of(shop.account, "products");
    let _ = weak.post_once("/orders", "k", &cart).refused(403, "insufficient_scope");

    let _ = shop.client.patch(&format!("/products/{mug}"), &json!({"inventory": 3})).expect(200);
    let placed = order(&cart);
    assert_eq!(
        placed.status, 201,
        "the same request succeeds once there is stock: {}",
        placed.text
    );
    assert_repeats(&placed, &order(&cart));
    assert_eq!((shop.orders(), shop.stock(&mug)), (1, 0));

    let taken = json!({"name": "Otra", "sku": "TAZA", "price": 1});
    let product = |body: &Value| shop.client.post_once("/products", "p", body);
    let _ = product(&taken).refused(409, "duplicate_sku");
    assert_eq!(product(&json!({"name": "Otra", "sku": "OTRA", "price": 1})).status, 201);
}

fn every_creation_can_be_repeated(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 10);
    let cases = [
        (
            "/products",
            json!({"name": "Olla", "sku": "OLLA", "price": 9, "inventory": 3}),
            "product.created",
        ),
        ("/customers", json!({"name": "Eva", "email": "eva@example.com"}), "contact.created"),
        ("/crm/leads", json!({"name": "Leo", "email": "leo@example.com"}), "lead.created"),
        ("/orders", shop.cart(&[(&mug, 1)]), "order.created"),
    ];
    for (path, body, event) in cases {
        let told = shop.told(event).len();
        let first = shop.client.post_once(path, "k", &body);
        assert_eq!(first.status, 201, "{path}: {}", first.text);
        let place = first.header("location").unwrap().to_owned();
        if path != "/orders" {
            let _ = shop.client.patch(&place, &json!({"name": "Cambiado"})).expect(200);
            assert_repeats(&first, &shop.client.post_once(path, "k", &body));
            let _ = shop.client.delete(&place).expect(200);
        }
        assert_repeats(&first, &shop.client.post_once(path, "k", &body));
        assert_eq!(shop.told(event).len(), told + 1, "{event}");
    }
}

/// What is taken out of stock is taken out once; under another key it is another change.
fn a_change_of_stock_can_be_repeated(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let variants = json!([{"name": "Azul", "inventory": 10}]);
    let body = json!({"name": "Taza", "price": 1, "inventory": 10, "externalId": "T",
        "variants": variants});
    let product = shop.client.post("/products", &body).expect(201);
    let (mug, blue) = (id(&product), id(&product["variants"][0]));
    let change = |method: &str, path: &str, key: &str, delta: i64| {
        let request = shop.client.request(method, path).header("Idempotency-Key", key);
        let request = request.header("Content-Type", "application/json");
        Reply::to(request.body(json!({"inventoryDelta": delta}).to_string()))
    };
    let mut left = 10;
    for (method, path) in [
        ("PATCH", format!("/products/{mug}")),
        ("PUT", "/products/by-external-id/T".to_owned()),
        ("PATCH", format!("/products/{mug}/variants/{blue}")),
    ] {
        let first = change(method, &path, "k", -1);
        left = if path.contains("variants") { 9 } else { left - 1 };
        assert_eq!((first.status, &first.json()["inventory"]), (200, &json!(left)), "{path}");
        assert_repeats(&first, &change(method, &path, "k", -1));
        let _ = change(method, &path, "k", -2).refused(422, "idempotency_key_reused");
        left -= 1;
        assert_eq!(change(method, &path, "l", -1).expect(200)["inventory"], left, "{path}");
    }
}

/// What the service sets is compared with what there is by the first request alone.
fn a_change_with_what_was_read_can_be_repeated(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let body = json!({"name": "Taza", "price": 1, "inventory": 10, "externalId": "T",
        "variants": [{"name": "Azul", "inventory": 10}]});
    let product = shop.client.post("/products", &body).expect(201);
    let (mug, blue) = (id(&product), id(&product["variants"][0]));
    let places = [
        ("PATCH", format!("/products/{mug}")),
        ("PUT", "/products/by-external-id/T".to_owned()),
        ("PATCH", format!("/products/{mug}/variants/{blue}")),
    ];
    for (number, (method, path)) in places.iter().enumerate() {
        let is_variant = path.contains("variants");
        let read = shop.client.get(&format!("/products/{mug}"));
        let change = |name: &str| {
            let mut body = match is_variant {
                true => json!({"id": blue}),
                false => json!({"id": mug, "updatedAt": read.json()["updatedAt"]}),
            };
            body["name"] = json!(name);
            body["inventoryDelta"] = json!(-1);
            let request = shop.client.request(method, path).header("Idempotency-Key", "k");
            let request = request.header("If-Match", read.header("etag").unwrap());
            Reply::to(request.header("Content-Type", "application/json").body(body.to_string()))
        };
        shop.app.advance_seconds(1);
        let first = change(&format!("Jarra {number}"));
        assert_eq!(first.status, 200, "{path}: {}", first.text);
        assert_repeats(&first, &change(&format!("Jarra {number}")));
        let _ = change("Otra").refused(422, "idempotency_key_reused");
        let other_key = shop.client.request(method, path).header("Idempotency-Key", "l");
        let other_key = other_key.header("If-Match", read.header("etag").unwrap());
        let other_key = other_key.header("Content-Type", "application/json");
        let body = json!({"id": if is_variant { &blue } else { &mug }});
        let _ = Reply::to(other_key.body(body.to_string())).refused(412, "precondition_failed");
    }
    assert_eq!(shop.stock(&mug), 8);
}

fn a_conversion_can_be_repeated(kind: DatabaseKind) {
    let shop = Shop::open(kind);
    let lead = json!({"name": "Leo", "email": "leo@example.com", "status": "qualified"});
    let lead = id(&shop.make("/crm/leads", &lead));
    let convert = format!("/crm/leads/{lead}/convert");
    let deal = json!({"title": "Cien tazas", "value": 1999});
    let first = shop.client.post_once(&convert, "k", &deal);
    assert_eq!(first.status, 200, "{}", first.text);
    assert_repeats(&first, &shop.client.post_once(&convert, "k", &deal));
    let other = shop.client.post_once(&convert, "k", &json!({"title": "Otra"}));
    let _ = other.refused(422, "idempotency_key_reused");
    assert_eq!(shop.told("lead.converted").len(), 1);
    assert_eq!(shop.told("contact.created").len(), 2, "the shop's customer and the lead's");
}

fn a_client_that_vanishes_gets_its_one_order(kind: DatabaseKind) {
    const CLIENTS: usize = 24;
    let shop = Shop::open(kind);
    let mug = shop.product("TAZA", 19.99, 100);
    let (key, _) = shop.app.key(shop.account, "orders");
    let cart = shop.cart(&[(&mug, 1)]);
    for client in 0..CLIENTS {
        vanish(&shop.app.origin(), &key, &format!("k{client}"), &cart.to_string(), client);
    }
    for client in 0..CLIENTS {
        let order = answered(|| shop.client.post_once("/orders", &format!("k{client}"), &cart));
        assert_eq!(order.status, 201, "{}", order.text);
    }
    assert_eq!(shop.orders(), CLIENTS as u64);
    assert_eq!(shop.stock(&mug), 100 - CLIENTS as i64);
    assert_eq!(shop.told("order.created").len(), CLIENTS);
}

/// Sends an order and goes away without reading the answer; some leave without closing properly, some
/// before the last byte is sent.
fn vanish(origin: &str, key: &str, idempotency_key: &str, body: &str, manner: usize) {
    let host = origin.strip_prefix("http://").unwrap();
    let request = format!(
        "POST /api/v1/orders HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\
         Idempotency-Key: {idempotency_key}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(host).unwrap();
    let sent = if manner % 4 == 3 { request.len() - 1 } else { request.len() };
    stream.write_all(&request.as_bytes()[..sent]).unwrap();
    match manner % 4 {
        0 => drop(stream),
        1 => stream.shutdown(Shutdown::Both).unwrap(),
        2 => {
            stream.shutdown(Shutdown::Write).unwrap();
            // Data that nobody has read makes the system reset the connection.
            stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
            drop(stream.peek(&mut [0]));
        }
        _ => drop(stream),
    }
}

/// The answer once the first request of this key is no longer under way.
fn answered(ask: impl Fn() -> Reply) -> Reply {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let reply = ask();
        if reply.status != 409 || Instant::now() > deadline {
            return reply;
        }
        thread::sleep(Duration::from_millis(5));
    }
}
