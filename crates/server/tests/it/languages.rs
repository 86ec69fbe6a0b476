//! Every refusal is told in the language that its caller prefers.

use serde_json::{Value, json};
use testkit::{App, Client, DatabaseKind, Reply, on_both};

on_both!(
    every_refusal_is_told_in_english_and_spanish,
    what_the_state_forbids_is_told_in_spanish,
    spanish_only_where_it_is_preferred,
);

const SPANISH: &str = "es-MX, es;q=0.9, en;q=0.5";
const NOBODY: &str = "cus_00000000000000000000000001";
const NO_PRODUCT: &str = "prd_00000000000000000000000001";

/// The same request in Spanish; the answer must say so, and be another sentence of the same code.
#[track_caller]
fn told(client: &Client, method: &str, path: &str, body: &str) -> (String, String) {
    let ask = |language: &str| {
        let request = client.request(method, path).header("Accept-Language", language);
        let request = match body {
            "" => request,
            _ => request.header("Content-Type", "application/json").body(body.to_owned()),
        };
        Reply::to(request)
    };
    let (english, spanish) = (ask("en"), ask(SPANISH));
    assert_eq!(english.header("content-language"), Some("en"), "{path} {}", english.text);
    assert_eq!(spanish.header("content-language"), Some("es"), "{path} {}", spanish.text);
    let code = |reply: &Reply| reply.json()["error"].as_str().unwrap_or_default().to_owned();
    assert_eq!(code(&english), code(&spanish), "{path} {body}");
    let message = |reply: Reply| reply.refused(reply.status, &code(&reply));
    (message(english), message(spanish))
}

/// What is told at a path says in which language it is, and has a tag in each that readers of the other do not have; the
/// English one and the Spanish one.
#[track_caller]
pub(crate) fn told_apart(client: &Client, path: &str) -> [String; 2] {
    let read = |language: &str, known: &str| {
        let request = client.request("GET", path).header("Accept-Language", language);
        Reply::to(request.header("If-None-Match", known))
    };
    let tags = ["en", "es"].map(|language| {
        let reply = read(language, "\"none\"");
        assert_eq!(reply.header("content-language"), Some(language), "{path}");
        assert!(reply.header("vary").unwrap().contains("Accept-Language"), "{path}");
        reply.header("etag").unwrap().to_owned()
    });
    for (language, expected) in [("en", [304, 200]), ("es", [200, 304])] {
        let statuses = [0, 1].map(|known: usize| read(language, &tags[known]).status);
        assert_eq!(statuses, expected, "{path} {language}");
    }
    tags
}

fn every_refusal_is_told_in_english_and_spanish(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let product = format!(r#"{{"items": [{{"productId": "{NO_PRODUCT}", "quantity": 1}}]"#);
    let order = format!(r#"{product}, "customerId": "{NOBODY}"}}"#);
    let draft = r#"{"items": [], "receiver": {}}"#;
    for (method, path, body, words) in [
        ("GET", "/nothing", "", "no hay nada en esta ruta"),
        ("PUT", "/products", "{}", "esta ruta solo admite GET, HEAD, POST"),
        ("GET", "/products/prd_x", "", "no hay nada con este id; aquí los id son \"prd_\""),
        ("GET", "/products?page=0", "", "page debe ser un número entero de 1 a"),
        (
            "GET",
            "/products?pgae=1",
            "",
            "no es un parámetro de esta solicitud (¿quiso decir \"page\"?)",
        ),
        ("GET", "/products?cursor=x", "", "cursor debe ser el nextCursor de una página anterior"),
        ("GET", "/products?sort=size", "", "sort debe ser uno de -createdAt, createdAt"),
        ("POST", "/products", "", "se requiere un cuerpo JSON"),
        ("POST", "/products", "[]", "el cuerpo debe ser un objeto JSON"),
        ("POST", "/products", "{\"a\"", "el cuerpo está incompleto: su JSON no termina"),
        ("POST", "/products", "{}", "name es obligatorio; price es obligatorio"),
        (
            "POST",
            "/products",
            r#"{"name": 1, "price": "1"}"#,
            "name debe ser un texto; price debe ser un número",
        ),
        ("POST", "/products", r#"{"name": "a", "price": -1}"#, "price no debe ser negativo"),
        (
            "POST",
            "/products",
            r#"{"name": "a", "price": 1, "ean": "7501031311308"}"#,
            "dígito verificador 8 y debe ser 9",
        ),
        (
            "POST",
            "/products",
            r#"{"name": "a", "price": 1, "nme": 1}"#,
            "\"nme\" no es un campo de un producto",
        ),
        (
            "POST",
            "/orders",
            r#"{"shipping": {"precio": 1}}"#,
            "shipping.\"precio\" no es un campo del envío",
        ),
        (
            "POST",
            "/customers",
            r#"{"name": "a", "email": "b"}"#,
            "email debe ser una dirección de correo",
        ),
        ("POST", "/customers", r#"{"name": "a", "rfc": "b"}"#, "rfc debe ser un RFC como"),
        ("POST", "/orders", &order, "customerId no corresponde a ningún cliente de esta cuenta"),
        (
            "POST",
            "/webhooks",
            r#"{"url": "ftp://x", "events": ["x"]}"#,
            "url debe comenzar con https://",
        ),
        ("POST", "/invoices", draft, "receiver.rfc es obligatorio"),
        (
            "GET",
            "/invoices/cfdi/issuer/certificates/csd_x",
            "",
            "no hay nada con este id; aquí los id son \"csd_\"",
        ),
        (
            "GET",
            "/invoices/cfdi/claves-unidad/XYZ9",
            "",
            "el catálogo c_ClaveUnidad del SAT no tiene",
        ),
        (
            "POST",
            "/invoices/inv_00000000000000000000000001/cancel",
            "{}",
            "reason es obligatorio: uno de",
        ),
        (
            "PUT",
            "/invoices/cfdi/provider",
            r#"{"provider": "sw"}"#,
            "user y password son obligatorios",
        ),
    ] {
        let (english, spanish) = told(&client, method, path, body);
        assert!(spanish.contains(words), "{method} {path} {body}: {spanish}");
        assert_ne!(english, spanish, "{method} {path}");
    }
    let (_, spanish) = told(&app.anonymous(), "GET", "/products", "");
    assert!(spanish.starts_with("se requiere una clave de API"), "{spanish}");
    let (_, spanish) = told(&app.anonymous().with_key("x"), "GET", "/products", "");
    assert!(spanish.contains("no es una clave de API de este servicio"), "{spanish}");
    let (_, spanish) = told(&app.client_of(app.account(), "orders"), "GET", "/products", "");
    assert!(spanish.contains("no tiene el permiso (scope) \"products\""), "{spanish}");
}

fn what_the_state_forbids_is_told_in_spanish(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let product = json!({"name": "Taza", "price": 10, "sku": "TAZA", "inventory": 1});
    let product = client.post("/products", &product).expect(201);
    let customer = json!({"name": "Ana", "email": "ana@example.com"});
    let customer = client.post("/customers", &customer).expect(201);
    let order = |quantity: i64| {
        let items = json!([{"productId": product["id"], "quantity": quantity}]);
        json!({"customerId": customer["id"], "items": items})
    };
    let placed = client.post("/orders", &order(1)).expect(201);
    let of = |path: &str, thing: &Value| format!("{path}/{}", thing["id"].as_str().unwrap());
    let (orders, one_order) = ("/orders", of("/orders", &placed));
    for (method, path, body, words) in [
        (
            "POST",
            "/products",
            json!({"name": "b", "price": 1, "sku": "TAZA"}),
            "el SKU \"TAZA\" pertenece al producto",
        ),
        (
            "POST",
            "/customers",
            json!({"name": "b", "email": "ana@example.com"}),
            "pertenece al cliente",
        ),
        ("POST", orders, order(2), "tiene 0 en existencia y se pidieron 2"),
        (
            "PATCH",
            &one_order,
            json!({"status": "delivered"}),
            "no puede pasar a delivered; permitidos: paid",
        ),
        ("PATCH", &one_order, json!({"status": "cancelled"}), "reason es obligatorio al cancelar"),
        ("DELETE", &of("/customers", &customer), Value::Null, "no se puede eliminar"),
    ] {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (_, spanish) = told(&client, method, path, &body);
        assert!(spanish.contains(words), "{method} {path} {body}: {spanish}");
    }
    let stale = client.request("DELETE", &of("/products", &product)).header("If-Match", "\"99\"");
    let stale =
        Reply::to(stale.header("Accept-Language", "es")).refused(412, "precondition_failed");
    assert!(stale.contains("vuelva a leerlo"), "{stale}");
}

fn spanish_only_where_it_is_preferred(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let language = |accepted: Option<&str>| {
        let request = client.request("GET", "/products?page=0");
        let reply = Reply::to(match accepted {
            Some(accepted) => request.header("Accept-Language", accepted),
            None => request,
        });
        reply.header("content-language").unwrap().to_owned()
    };
    for (accepted, told) in [
        (None, "en"),
        (Some("en, es"), "en"),
        (Some("fr"), "en"),
        (Some("es;q=0.9, en;q=0.8"), "es"),
    ] {
        assert_eq!(language(accepted), told, "{accepted:?}");
    }
    assert_eq!(client.get("/products").header("content-language"), None, "nothing is told");
}
