//! What a message says: unknown fields with what was meant, all faults at once, callers' text unharmed.

use serde_json::json;
use testkit::{App, DatabaseKind};

testkit::on_both!(
    unknown_fields_are_named_with_what_was_meant,
    all_faults_are_named_at_once,
    text_of_the_database_s_own_language_is_only_text,
);

fn unknown_fields_are_named_with_what_was_meant(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let many: Vec<_> = (0..101).map(|i| format!("\"f{i}\":0")).collect();
    let cases = [
        ("/products", "pirce", "\"pirce\" is not a field of a product (did you mean \"price\"?)"),
        ("/products", "tax_included", "(did you mean \"taxIncluded\"?)"),
        ("/products", "Sku", "(did you mean \"sku\"?)"),
        ("/products", "colour", "\"colour\" is not a field of a product"),
        ("/products", "__proto__", "\"__proto__\" is not a field"),
        ("/products", "accountId", "\"accountId\" is not a field"),
        ("/products", "version", "\"version\" is not a field"),
        ("/products", "deletedAt", "\"deletedAt\" is not a field"),
        ("/customers", "mail", "(did you mean \"email\"?)"),
        ("/crm/leads", "estimated_value", "(did you mean \"estimatedValue\"?)"),
        ("/crm/leads", "\\u0000", "\"\u{fffd}\" is not a field of a lead"),
        ("/orders", "customer_id", "(did you mean \"customerId\"?)"),
    ];
    for (path, field, problem) in cases {
        let reply = client.send_raw("POST", path, format!("{{\"{field}\":1}}").into_bytes());
        let message = reply.refused(400, "validation_failed");
        assert!(message.contains(problem), "{path} {field}: {message}");
    }
    let body = format!("{{\"name\":\"x\",\"{}\":1}}", "y".repeat(100_000));
    let message = client.send_raw("POST", "/crm/leads", body.into_bytes());
    assert!(message.refused(400, "validation_failed").len() < 200);
    let reply =
        client.send_raw("POST", "/products", format!("{{{}}}", many.join(",")).into_bytes());
    let message = reply.refused(400, "malformed_request");
    assert_eq!(message, "the body must have at most 100 fields");
    for repeated in [
        "{\"name\":\"a\",\"price\":1,\"price\":2}",
        "{\"name\":\"a\",\"pr\\u0069ce\":1,\"price\":1}",
    ] {
        let reply = client.send_raw("POST", "/products", repeated.as_bytes().to_vec());
        assert_eq!(reply.refused(400, "validation_failed"), "price is given more than once");
    }
}

fn all_faults_are_named_at_once(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    let body = json!({"price": "19.99", "currency": "pesos", "inventory": 1.5, "status": "gone",
        "ean": "123", "taxes": [{"tax": "VAT", "factor": "Tasa", "rate": -1}],
        "variants": [{"sku": ""}, {"name": "a", "inventroy": 1}], "metadata": {"a": null},
        "colour": "red"});
    let message = client.post("/products", &body).refused(400, "validation_failed");
    for fault in [
        "name is required",
        "price must be a number",
        "currency must be",
        "inventory must be",
        "status must be one of",
        "ean must be",
        "taxes[0].tax must be one of",
        "variants[0].name is required",
        "variants[0].sku must not be empty",
        "variants[1].\"inventroy\" is not a field of a variant (did you mean \"inventory\"?)",
        "metadata[\"a\"] must be",
        "\"colour\" is not a field of a product",
    ] {
        assert!(message.contains(fault), "{fault}: {message}");
    }
    let nothing = client.post("/orders", &json!({})).refused(400, "validation_failed");
    assert_eq!(nothing, "customerId is required; items is required");
    let many: Vec<_> = (0..30).map(|i| json!({"productId": i})).collect();
    let body = json!({"customerId": 1, "items": many});
    let message = client.post("/orders", &body).refused(400, "validation_failed");
    assert!(message.ends_with("; and 41 more"), "{message}");
}

fn text_of_the_database_s_own_language_is_only_text(kind: DatabaseKind) {
    let app = App::start(kind);
    let client = app.client();
    for text in [
        "'; DROP TABLE products; --",
        "\" OR 1=1 --",
        "%_\\",
        "$1",
        "?",
        ":name",
        "{{7*7}}",
        "<script>alert(1)</script>",
        "\u{202e}derecho",
        "😀 𝒳 \u{10ffff}",
        "İstanbul",
        "ﬁ ß ſ",
        "e\u{301}e\u{301}",
        "NULL",
        "0x41",
        "\u{feff}marked",
    ] {
        let made = client.post("/products", &json!({"name": text, "price": 1, "sku": text}));
        let made = made.expect(201);
        let sku = kernel::text::composed(text);
        assert_eq!((&made["name"], &made["sku"]), (&json!(text), &json!(sku)));
        let shown = client.get(&format!("/products/{}", made["id"].as_str().unwrap())).expect(200);
        assert_eq!(shown, made, "{text}");
    }
    assert_eq!(client.get("/products").expect(200)["total"], 16);
}
