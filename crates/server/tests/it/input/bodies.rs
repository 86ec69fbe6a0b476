//! Bodies that are no JSON object, sent to every operation that takes a body.

use serde_json::json;
use testkit::{App, DatabaseKind};

use super::Wire;
use crate::openapi::{Document, Shop, call};

testkit::on_both!(
    malformed_bodies_are_refused_everywhere,
    bodies_that_nobody_reads_are_refused_by_name,
    bodies_end_where_the_limit_is,
    only_plain_json_in_utf8_is_taken,
    the_body_may_be_as_large_as_allowed,
    large_bodies_are_refused_as_small_ones_are,
);

const JSON: &str = "Content-Type: application/json";

/// What is no JSON object in UTF-8.
fn malformed() -> Vec<(&'static str, Vec<u8>)> {
    let text = |name, text: &str| (name, text.as_bytes().to_vec());
    let utf16 = |order: fn(u16) -> [u8; 2], mark: &[u8]| {
        let units = "{\"name\":\"x\"}".encode_utf16().flat_map(order);
        [mark, &units.collect::<Vec<u8>>()].concat()
    };
    vec![
        text("blank", " \r\n\t "),
        text("null", "null"),
        text("true", "true"),
        text("a number", "42"),
        text("a huge number", &"9".repeat(100_000)),
        text("a text", "\"name\""),
        text("an array", "[]"),
        text("an array of objects", "[{\"name\":\"x\",\"price\":1}]"),
        text("an open brace", "{"),
        text("a name cut off", "{\"na"),
        text("no value", "{\"name\""),
        text("a colon only", "{\"name\":"),
        text("a text cut off", "{\"name\":\"x"),
        text("cut off at the end", "{\"name\":\"x\",\"price\":1"),
        text("a number cut off", "{\"price\":1."),
        text("an exponent cut off", "{\"price\":1e"),
        text("an escape cut off", "{\"name\":\"\\u00"),
        text("trailing words", "{\"name\":\"x\"} trailing"),
        text("two objects", "{\"name\":\"x\"}{\"name\":\"x\"}"),
        text("a trailing comma", "{\"name\":\"x\",}"),
        text("a trailing NUL", "{\"name\":\"x\"}\0"),
        text("bare names", "{name:1}"),
        text("single quotes", "{'name':'x'}"),
        text("comments", "{/* name */\"name\":\"x\"}"),
        text("NaN", "{\"price\":NaN}"),
        text("Infinity", "{\"price\":-Infinity}"),
        text("hexadecimal", "{\"price\":0x10}"),
        text("a leading zero", "{\"price\":01}"),
        text("a leading plus", "{\"price\":+1}"),
        text("a leading point", "{\"price\":.5}"),
        text("a raw line break", "{\"name\":\"a\nb\"}"),
        text("a raw NUL", "{\"name\":\"a\0b\"}"),
        text("an unknown escape", "{\"name\":\"\\x41\"}"),
        text("half a surrogate pair as a name", "{\"\\ud800\":1}"),
        text("a form", "name=x&price=1"),
        text("XML", "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>"),
        text("100,000 open brackets", &"[".repeat(100_000)),
        text("100,000 open objects", &"{\"a\":".repeat(100_000)),
        text("a byte order mark", "\u{feff}{\"name\":\"x\"}"),
        ("invalid UTF-8", b"{\"name\":\"\xff\xfe\"}".to_vec()),
        ("an overlong NUL", b"{\"name\":\"\xc0\x80\"}".to_vec()),
        ("a surrogate in UTF-8", b"{\"name\":\"\xed\xa0\x80\"}".to_vec()),
        ("UTF-16, little end first", utf16(u16::to_le_bytes, b"")),
        ("UTF-16, marked", utf16(u16::to_be_bytes, b"\xfe\xff")),
        ("zeros", vec![0; 1_000]),
        ("gzip", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00".to_vec()),
    ]
}

fn malformed_bodies_are_refused_everywhere(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let before = shop.snapshot(&app);
    let key = app.key(shop.account, "*").0;
    for operation in document.operations_with_body() {
        // All on one connection: each answer proves that it survived the one before.
        let mut wire = Wire::anonymous(&app).keyed(&key);
        let path = format!("/api/v1{}", call(&operation, &shop).path);
        let mut bodies = malformed();
        if operation.spec["requestBody"]["required"] == true {
            bodies.push(("nothing", Vec::new()));
        } else {
            bodies.retain(|(name, _)| *name != "blank");
        }
        for (what, body) in bodies {
            let answer = wire.send(&operation.method, &path, &[JSON], &body);
            let (status, code, message) = answer.refusal();
            let case = format!("{} with {what}: {message}", operation.name());
            assert_eq!((status, code.as_str()), (400, "malformed_request"), "{case}");
            assert!(message.len() < 200 && message.contains("body"), "{case}");
            assert!(!answer.closes(), "{case}");
        }
        assert_eq!(wire.get("/healthz").status, 200);
    }
    assert_eq!(shop.snapshot(&app), before, "what was refused changed something");
}

fn bodies_that_nobody_reads_are_refused_by_name(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let before = shop.snapshot(&app);
    for operation in document.operations() {
        if !operation.changes() || !operation.spec["requestBody"].is_null() {
            continue;
        }
        let path = call(&operation, &shop).path;
        let sent = |body: &str| shop.client.send_raw(&operation.method, &path, body.into());
        let named = sent("{\"colour\": 1}").refused(400, "validation_failed");
        assert!(named.contains("colour"), "{}: {named}", operation.name());
        for body in ["[]", "colour=1", &" ".repeat(5_000)] {
            let _ = sent(body).refused(400, "validation_failed");
        }
    }
    assert_eq!(shop.snapshot(&app), before, "what was refused changed something");
    // Some programs send it with every request.
    let product = shop.client.post("/products", &json!({"name": "Taza", "price": 1})).expect(201);
    let path = format!("/products/{}", product["id"].as_str().unwrap());
    let _ = shop.client.send("DELETE", &path, &json!({})).expect(200);
}

/// A body that creates a product, of so many bytes.
fn product_of(bytes: usize) -> Vec<u8> {
    let mut body = b"{\"name\":\"Taza\",\"price\":1".to_vec();
    body.resize(bytes - 1, b' ');
    body.push(b'}');
    body
}

/// The same in chunks.
fn chunked(body: &[u8]) -> Vec<u8> {
    let chunks = body.chunks(60_000);
    let chunks =
        chunks.map(|chunk| [format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
    [chunks.collect::<Vec<_>>().concat(), b"0\r\n\r\n".to_vec()].concat()
}

fn bodies_end_where_the_limit_is(kind: DatabaseKind) {
    let app = App::start(kind);
    let limit = api::Settings::default().body_bytes_max;
    for bytes in [limit + 1, 2 * limit, 9 * limit] {
        let body = product_of(bytes);
        let sized = Wire::with_key(&app).send("POST", "/api/v1/products", &[JSON], &body);
        let lines = [JSON, "Transfer-Encoding: chunked"];
        let streamed =
            Wire::with_key(&app).send("POST", "/api/v1/products", &lines, &chunked(&body));
        for answer in [sized, streamed] {
            let (status, code, message) = answer.refusal();
            assert_eq!((status, code.as_str()), (413, "payload_too_large"), "{bytes} bytes");
            assert!(message.contains(&limit.to_string()), "{message}");
        }
    }
    // A length that is only announced is refused without waiting for the rest.
    let lines = [JSON, "Content-Length: 99999999999"];
    let announced = Wire::with_key(&app).send("POST", "/api/v1/products", &lines, b"{");
    assert_eq!(announced.refusal().0, 413);
}

fn the_body_may_be_as_large_as_allowed(kind: DatabaseKind) {
    let app = App::start(kind);
    let body = product_of(api::Settings::default().body_bytes_max);
    let mut wire = Wire::with_key(&app);
    let sized = wire.send("POST", "/api/v1/products", &[JSON], &body);
    assert_eq!(sized.status, 201);
    let lines = [JSON, "Transfer-Encoding: chunked"];
    let streamed = wire.send("POST", "/api/v1/products", &lines, &chunked(&body));
    assert_eq!(streamed.status, 201);
    let broken = wire.send("POST", "/api/v1/products", &lines, b"zz\r\n{}\r\n0\r\n\r\n");
    assert_eq!(broken.refusal().1, "malformed_request");
}

/// They are read elsewhere.
fn large_bodies_are_refused_as_small_ones_are(kind: DatabaseKind) {
    let app = App::start(kind);
    let mut wire = Wire::with_key(&app);
    let made = wire.send("POST", "/api/v1/products", &[JSON], &product_of(100));
    let product = made.header("location").unwrap().to_owned();
    for (method, path, body) in [
        ("POST", "/api/v1/products", r#"{"name":"","price":-1,"colour":"blue"}"#),
        (
            "POST",
            "/api/v1/products",
            r#"{"name":"Taza","price":1,"createdAt":"2020-01-01T00:00:00.000Z"}"#,
        ),
        ("POST", "/api/v1/products", r#"{"name":"Taza","name":"Vaso","price":1}"#),
        ("POST", "/api/v1/orders", r#"{"customerId":"cus_1","items":[]}"#),
        ("POST", "/api/v1/payments", r#"{"note":"4242 4242 4242 4242"}"#),
        ("PATCH", product.as_str(), r#"{"price":"free"}"#),
        ("PATCH", product.as_str(), r#"{"createdAt":"2020-01-01T00:00:00.000Z"}"#),
    ] {
        let small = wire.send(method, path, &[JSON], body.as_bytes()).refusal();
        let large = format!("{{{}{}", " ".repeat(100_000), body.trim_start_matches('{'));
        let large = wire.send(method, path, &[JSON], large.as_bytes()).refusal();
        assert!(small.0 >= 400 && small == large, "{body}: {small:?} {large:?}");
    }
}

fn only_plain_json_in_utf8_is_taken(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let key = app.key(shop.account, "*").0;
    let refused: &[&[&str]] = &[
        &[],
        &["Content-Type:"],
        &["Content-Type: text/plain"],
        &["Content-Type: text/json"],
        &["Content-Type: application/x-www-form-urlencoded"],
        &["Content-Type: multipart/form-data; boundary=x"],
        &["Content-Type: application/xml"],
        &["Content-Type: application/jsonx"],
        &["Content-Type: application/json; charset=latin1"],
        &["Content-Type: application/json; charset=utf-16"],
        &[JSON, "Content-Encoding: gzip"],
        &[JSON, "Content-Encoding: br"],
        &[JSON, "Content-Encoding: gzip, identity"],
        &[JSON, "Content-Encoding: identity", "Content-Encoding: deflate"],
    ];
    for operation in document.operations_with_body() {
        let call = call(&operation, &shop);
        let (path, body) = (format!("/api/v1{}", call.path), call.body.unwrap().to_string());
        for lines in refused {
            let mut wire = Wire::anonymous(&app).keyed(&key);
            let answer = wire.send(&operation.method, &path, lines, body.as_bytes());
            let (status, code, _) = answer.refusal();
            let case = format!("{} {lines:?}", operation.name());
            assert_eq!((status, code.as_str()), (415, "unsupported_media_type"), "{case}");
        }
    }
    let taken: &[&[&str]] = &[
        &["Content-Type: application/json; charset=utf-8"],
        &["Content-Type: Application/JSON;charset=\"UTF-8\""],
        &["Content-Type: application/json; profile=x"],
        &[JSON, "Content-Encoding: identity"],
    ];
    for lines in taken {
        let mut wire = Wire::anonymous(&app).keyed(&key);
        let answer = wire.send("POST", "/api/v1/products", lines, &product_of(100));
        assert_eq!(answer.status, 201, "{lines:?}");
    }
}
