//! Which pages of other origins browsers let call the API.

use testkit::{App, DatabaseKind, Reply};

const ORIGIN: &str = "https://admin.example";

fn app(origins: &[&str]) -> App {
    let origins = origins.iter().map(|one| api::AllowedOrigin::parse(one).unwrap());
    let origins: Vec<_> = origins.collect();
    App::with(DatabaseKind::Sqlite).api(|api| api.allowed_origins = origins).start()
}

fn ask(app: &App, method: &str, path: &str, origin: &str) -> Reply {
    let request = app.client().request(method, path).header("origin", origin);
    match method {
        "OPTIONS" => Reply::to(request.header("access-control-request-method", "PATCH")),
        _ => Reply::to(request),
    }
}

#[test]
fn the_documentation_is_anybodys_and_the_api_nobodys() {
    let app = app(&[]);
    for path in ["/docs", "/openapi.json"] {
        let reply = ask(&app, "GET", path, ORIGIN);
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
        assert_eq!(ask(&app, "OPTIONS", path, ORIGIN).status, 204, "{path}");
    }
    let reply = ask(&app, "GET", "/products", ORIGIN);
    assert_eq!((reply.status, reply.header("access-control-allow-origin")), (200, None));
    assert_eq!(ask(&app, "OPTIONS", "/products", ORIGIN).status, 405);
}

#[test]
fn pages_of_allowed_origins_may_call_the_api() {
    let app = app(&[ORIGIN, "http://localhost:5173"]);
    let asked = ask(&app, "OPTIONS", "/products/prd_1", ORIGIN);
    assert_eq!((asked.status, asked.text.as_str()), (204, ""));
    assert_eq!(asked.header("access-control-allow-origin"), Some(ORIGIN));
    let methods = asked.header("access-control-allow-methods").unwrap();
    assert!(methods.contains("PATCH") && methods.contains("DELETE"), "{methods}");
    assert!(asked.header("access-control-allow-headers").unwrap().contains("Idempotency-Key"));
    for (method, path, status) in [("GET", "/products", 200), ("GET", "/products/prd_1", 404)] {
        let reply = ask(&app, method, path, ORIGIN);
        assert_eq!(reply.status, status);
        assert_eq!(reply.header("access-control-allow-origin"), Some(ORIGIN));
        assert!(reply.header("access-control-expose-headers").unwrap().contains("ETag"));
        assert!(reply.header("vary").unwrap().contains("Origin"));
    }
    let stranger = ask(&app, "GET", "/products", "https://admin.example.evil");
    assert_eq!((stranger.status, stranger.header("access-control-allow-origin")), (200, None));
    assert!(stranger.header("vary").unwrap().contains("Origin"));
    let stranger = ask(&app, "OPTIONS", "/products", "https://admin.example.evil");
    assert_eq!(stranger.status, 405);
    assert_eq!(ask(&app, "OPTIONS", "/nothing", ORIGIN).status, 404);
}
