//! What is hardly HTTP at all.

use testkit::{App, DatabaseKind};

use super::Wire;

testkit::on_both!(what_is_not_http_is_refused_without_harm, odd_but_legal_requests_are_answered,);

/// Heads that no server should take.
fn broken() -> Vec<(&'static str, Vec<u8>)> {
    let head = |line: &str, more: &str| format!("{line}\r\nHost: x\r\n{more}\r\n").into_bytes();
    let post = "POST /api/v1/products HTTP/1.1";
    let get = "GET /api/v1/products HTTP/1.1";
    let many: String = (0..200).map(|i| format!("X-{i}: a\r\n")).collect();
    vec![
        ("no request line", b"GARBAGE\r\n\r\n".to_vec()),
        ("no version", head("GET /healthz", "")),
        ("a blank in a header's name", head(get, "Bad Name: x\r\n")),
        ("a NUL in a header", head(get, "X: a\0b\r\n")),
        ("two lengths", head(post, "Content-Length: 2\r\nContent-Length: 3\r\n")),
        ("a signed length", head(post, "Content-Length: +2\r\n")),
        ("a length and chunks", head(post, "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n")),
        ("a blank in the path", head("GET /api/v1/products/ a HTTP/1.1", "")),
        ("raw UTF-8 in the path", head("GET /api/v1/products/ñ HTTP/1.1", "")),
        ("a raw byte in the path", b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n".to_vec()),
        ("200 headers", head(get, &many)),
        ("a header of 300 KB", head(get, &format!("X: {}\r\n", "a".repeat(300_000)))),
        (
            "a path of 70 KB",
            head(&format!("GET /api/v1/products?search={} HTTP/1.1", "a".repeat(70_000)), ""),
        ),
    ]
}

fn what_is_not_http_is_refused_without_harm(kind: DatabaseKind) {
    let app = App::start(kind);
    for (what, bytes) in broken() {
        let answer = Wire::anonymous(&app).raw(&bytes, false);
        assert!(matches!(answer.status, 400 | 414 | 431), "{what}: {answer:?}");
        assert_eq!(Wire::anonymous(&app).get("/healthz").status, 200, "after {what}");
    }
}

fn odd_but_legal_requests_are_answered(kind: DatabaseKind) {
    let app = App::start(kind);
    let get = |path: &str, lines: &[&str]| Wire::with_key(&app).send("GET", path, lines, b"");
    let list = "/api/v1/products";
    for lines in [
        &["Accept: application/xml"][..],
        &["Accept-Encoding: identity;q=0, *;q=0"],
        &["Range: bytes=0-1"],
        &["If-Match: *"],
        &["Upgrade: websocket", "Connection: upgrade"],
        &["X-Request-Id: \"><script>"],
        &["Cookie: a=b"],
        &["X-HTTP-Method-Override: DELETE"],
        &["Origin: null"],
    ] {
        assert_eq!(get(list, lines).status, 200, "{lines:?}");
    }
    assert_eq!(get("http://elsewhere.example/api/v1/products", &[]).status, 200, "absolute form");
    let body = Wire::with_key(&app).send("GET", list, &["Content-Type: text/plain"], b"hello");
    assert_eq!(body.status, 200, "a GET with a body");
    let expecting = ["Expect: 100-continue", "Content-Type: application/json"];
    let answer =
        Wire::with_key(&app).send("POST", list, &expecting, b"{\"name\":\"x\",\"price\":1}");
    assert_eq!(answer.status, 201);
    for (id, kept) in [("order-17", true), ("a b", false), (&"x".repeat(1_000), false)] {
        let answer = get(list, &[&format!("X-Request-Id: {id}")]);
        let shown = answer.header("x-request-id").unwrap();
        assert_eq!(shown == id, kept, "{id}: {shown}");
        assert!(shown.len() <= 255);
    }
}
