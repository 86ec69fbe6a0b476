//! Paths to nowhere, identifiers that are none, methods that a path does not take.

use std::collections::BTreeSet;

use testkit::{App, DatabaseKind};

use super::Wire;
use crate::openapi::{Document, Shop, call_on};

testkit::on_both!(
    what_is_no_identifier_names_nothing,
    unknown_paths_are_refused_in_the_documented_shape,
    what_was_probably_meant_is_named,
    every_path_names_the_methods_that_it_takes,
);

fn what_is_no_identifier_names_nothing(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let before = shop.snapshot(&app);
    let key = app.key(shop.account, "*").0;
    let own = [&shop.product, &shop.order, &shop.customer, &shop.lead, &shop.variant];
    for operation in document.operations() {
        if !operation.names_one() {
            continue;
        }
        let right = shop.id_in(operation.path);
        let (kind, number) = right.split_once('_').unwrap();
        let mut wrong: Vec<String> = [
            "x",
            "0",
            "-1",
            "null",
            "undefined",
            "%00",
            "%FF",
            "%C3%28",
            "%2e%2e",
            "%2e",
            "..%2F..",
            "%2F",
            "%5C",
            "%0d%0aX-Injected:%201",
            "%25",
            "%zz",
            "%",
            "'%20OR%20'1'='1",
            "%22",
            "1;SELECT%20pg_sleep(9)--",
            "$%7Bjndi%7D",
            "%F0%9F%98%80",
            "*",
            "{id}",
            "%7Bid%7D",
            "00000000-0000-0000-0000-000000000000",
            "9223372036854775808",
        ]
        .map(str::to_owned)
        .to_vec();
        wrong.extend([
            right.to_lowercase(),
            number.to_owned(),
            format!("{right}%00"),
            format!("{right}%20"),
            format!("%20{right}"),
            format!("{right}0"),
            right[..right.len() - 1].to_owned(),
            format!("{kind}_{}", "Z".repeat(26)),
            format!("{kind}_{}", "a".repeat(10_000)),
            format!("{kind}-{number}"),
        ]);
        let of_others = own.iter().filter(|id| !id.starts_with(&format!("{kind}_")));
        wrong.extend(of_others.map(|id| (*id).clone()));
        let mut wire = Wire::anonymous(&app).keyed(&key);
        for id in wrong {
            let call = call_on(&operation, &shop, &id);
            let body = call.body.map(|body| body.to_string()).unwrap_or_default();
            let lines = ["Content-Type: application/json"];
            let path = format!("/api/v1{}", call.path);
            let answer = wire.send(call.method, &path, &lines, body.as_bytes());
            let (status, code, message) = answer.refusal();
            assert_eq!((status, code.as_str()), (404, "not_found"), "{} {id}", call.method);
            assert!(!message.contains(&id) || id.len() < 3, "{message}");
            assert!(answer.header("x-injected").is_none() && !answer.closes(), "{id}");
        }
    }
    assert_eq!(shop.snapshot(&app), before);
}

fn unknown_paths_are_refused_in_the_documented_shape(kind: DatabaseKind) {
    let app = App::start(kind);
    let mut wire = Wire::with_key(&app);
    for path in [
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/",
        "/api/v2/products",
        "/api/v1/product",
        "/api/v1/products/",
        "/api/v1//products",
        "//api/v1/products",
        "/api/v1/Products",
        "/api/v1/products/x/y",
        "/api/v1/orders/x/cancel",
        "/api/v1/%70roducts/",
        "/%00",
        "/api/v1/%2e%2e/%2e%2e/etc/passwd",
        "/../../etc/passwd",
        "/docs/../../etc/passwd",
        "/docs/",
        "/metrics",
        "/favicon.ico",
        "/.env",
        "/api/v1/products;x=1",
        "/api/v1/products%20",
        "/api/v1/products%3Fpage=1",
        "/api/v1/crm",
        "/api/v1/crm/leads/",
    ] {
        for method in ["GET", "POST", "DELETE", "OPTIONS", "FROBNICATE"] {
            let answer = wire.send(method, path, &[], b"");
            let (status, code, _) = answer.refusal();
            assert_eq!((status, code.as_str()), (404, "not_found"), "{method} {path}");
        }
    }
    let star = wire.send("OPTIONS", "*", &[], b"");
    assert_eq!(star.refusal().0, 404);
}

fn what_was_probably_meant_is_named(kind: DatabaseKind) {
    let app = App::start(kind);
    let mut wire = Wire::with_key(&app);
    let mut told = |path: &str| wire.send("GET", path, &[], b"").refusal().2;
    for (path, meant) in [
        ("/api/v1/products/", "/api/v1/products"),
        ("/v1/products", "/api/v1/products"),
        ("/products", "/api/v1/products"),
        ("/docs/", "/docs"),
    ] {
        let message = told(path);
        assert!(message.contains(&format!("did you mean {meant}?")), "{path}: {message}");
    }
    assert!(!told("/api/v1/produce").contains("did you mean"));
    let customer = "cus_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let message = told(&format!("/api/v1/products/{customer}"));
    let expected =
        "this path takes an id that begins with \"prd_\", and this one begins with \"cus_\"";
    assert_eq!(message, expected);
    let message = told("/api/v1/products/TAZA-01");
    assert_eq!(message, "nothing has this id; ids here are \"prd_\" and 26 more characters");
    let message = told("/api/v1/products/prd_01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assert_eq!(message, "nothing in this account has this id");
}

fn every_path_names_the_methods_that_it_takes(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let before = shop.snapshot(&app);
    let mut wire = Wire::anonymous(&app).keyed(&app.key(shop.account, "*").0);
    let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "LOCK"];
    let operations = document.operations();
    let paths: BTreeSet<_> = operations.iter().map(|operation| operation.path).collect();
    for path in paths {
        let taken = operations.iter().filter(|operation| operation.path == path);
        let mut taken: BTreeSet<_> = taken.map(|operation| operation.method.as_str()).collect();
        if taken.contains("GET") {
            taken.insert("HEAD");
        }
        let id = if path.contains("{id}") { shop.id_in(path) } else { "" };
        for method in methods.iter().filter(|method| !taken.contains(*method)) {
            let place = format!("/api/v1{}", path.replace("{id}", id));
            let answer = wire.send(method, &place, &[], b"");
            assert_eq!(answer.status, 405, "{method} {path}");
            let allow = answer.header("allow").unwrap_or_default();
            let allowed: BTreeSet<_> = allow.split(", ").collect();
            assert_eq!(allowed, taken, "{method} {path}");
            if *method != "HEAD" {
                assert_eq!(answer.refusal().1, "method_not_allowed");
            }
        }
    }
    for path in ["/healthz", "/readyz", "/docs", "/api/v1/openapi.json"] {
        let answer = wire.send("POST", path, &[], b"");
        assert_eq!(answer.refusal().1, "method_not_allowed");
        assert_eq!(answer.header("allow"), Some("GET, HEAD"), "{path}");
    }
    assert_eq!(shop.snapshot(&app), before);
}
