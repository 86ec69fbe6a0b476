//! The log of requests.

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, on_both};

on_both!(the_log_says_what_keys_asked_for, a_key_over_its_limit_is_counted);

fn the_log_says_what_keys_asked_for(kind: DatabaseKind) {
    let app = App::start(kind);
    app.hold_clock();
    let account = app.account();
    let (text, own) = app.key(account, "*");
    let client = app.anonymous().with_key(&text);
    let mug = json!({"name": "Secret mug", "price": 5, "inventory": 3});
    let product = client.post("/products", &mug).expect(201);
    let id = product["id"].as_str().unwrap();
    let place = format!("/products/{id}");
    let request = client.request("PATCH", &place).header("X-Request-ID", "made-1");
    let request = request.header("Content-Type", "application/json");
    let body = json!({"price": "secret"}).to_string();
    let _ = testkit::Reply::to(request.body(body)).refused(400, "validation_failed");
    let _ = client.get("/orders/secret").refused(404, "not_found");
    for _ in 0..3 {
        let _ = client.get(&format!("{place}?fields=id")).expect(200);
    }
    let lines = |query: &str| {
        let page = client.get(&format!("/requests?{query}")).expect(200);
        page["data"].as_array().unwrap().clone()
    };
    let told = |line: &Value| (line["method"].to_string(), line["status"].as_u64().unwrap());
    let known = lines("");
    let methods: Vec<_> = known.iter().map(told).collect();
    let expected = [("\"GET\"", 404), ("\"PATCH\"", 400), ("\"POST\"", 201)];
    assert_eq!(methods, expected.map(|(method, status)| (method.to_owned(), status)));
    let patched = &known[1];
    assert_eq!((&patched["route"], &patched["ids"]), (&json!("/products/{id}"), &json!([id])));
    assert_eq!(
        (&patched["code"], &patched["requestId"]),
        (&json!("validation_failed"), &json!("made-1"))
    );
    assert_eq!(
        (&patched["keyId"], &patched["network"]),
        (&json!(own.to_string()), &json!("127.0.0.0/24"))
    );
    assert_eq!((&known[0]["ids"], &known[2]["code"]), (&json!([]), &Value::Null));

    for (query, count) in [
        ("method=PATCH", 1),
        ("route=%2Fproducts", 1),
        ("status=404", 1),
        ("createdFrom=2999-01-01T00:00:00Z", 0),
        ("createdTo=2020-01-01T00:00:00Z", 0),
        ("limit=1", 1),
    ] {
        assert_eq!(lines(query).len(), count, "{query}");
    }
    // Reads are counted, and shown when their minute is over.
    app.advance_seconds(61);
    let _ = client.get(&place).expect(200);
    let of_route = lines("method=GET&route=%2Fproducts%2F%7Bid%7D");
    let [counted] = &of_route[..] else { panic!("{of_route:?}") };
    assert_eq!((&counted["count"], &counted["status"]), (&json!(3), &json!(200)));
    assert_eq!((&counted["requestId"], &counted["network"]), (&Value::Null, &Value::Null));

    let other = app.client();
    assert_eq!(other.get("/requests").expect(200)["total"], 0);
    let query = "SELECT method || route || COALESCE(ids, '') || COALESCE(code, '') || COALESCE(request_id, '') AS line \
         FROM api_requests";
    let kept = app.database.lines(query);
    let is_silent = |line: &String| !line.contains("ecret") && !line.contains(&text);
    assert!(!kept.is_empty() && kept.iter().all(is_silent), "{kept:?}");
    for (days, is_there) in [(29, true), (2, false)] {
        app.advance_seconds(days * 86_400);
        app.housekeep();
        let patched =
            app.database.lines("SELECT route AS line FROM api_requests WHERE method = 'PATCH'");
        assert_eq!(!patched.is_empty(), is_there, "{patched:?}");
    }
}

fn a_key_over_its_limit_is_counted(kind: DatabaseKind) {
    let app = App::start(kind);
    app.hold_clock();
    let account = app.account();
    let client = app.client_of(account, "*");
    let wanted = json!({"name": "Web", "scopes": ["products"], "ratePerHour": 1});
    let key = client.post("/api-keys", &wanted).expect(201);
    let limited = client.with_key(key["key"].as_str().unwrap());
    let _ = limited.get("/products").expect(200);
    for _ in 0..4 {
        let refused = limited.post("/products", &json!({"name": "Taza", "price": 1}));
        let _ = refused.refused(429, "rate_limited");
    }
    assert_eq!(client.get("/requests?status=429").expect(200)["total"], 0, "its minute goes on");
    app.advance_seconds(61);
    let _ = client.get("/products").expect(200);
    let page = client.get("/requests?status=429").expect(200);
    assert_eq!((&page["total"], &page["data"][0]["count"]), (&json!(1), &json!(4)), "{page}");
    assert_eq!(page["data"][0]["code"], "rate_limited");
}
