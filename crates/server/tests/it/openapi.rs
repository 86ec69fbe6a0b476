//! The OpenAPI document says what the service does, and the service does what it says.

mod calls;
mod choices;
mod document;
mod invoices;
mod payments;
mod sales;
mod schema;
mod shop;
mod snapshot;
mod spares;

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use testkit::{App, DatabaseKind, FakeSmtp};

pub(crate) use calls::{Call, call, call_on, certificate};
pub(crate) use document::{Document, Operation};
pub(crate) use invoices::receipt_of;
pub(crate) use sales::pipeline;
pub(crate) use schema::faults;
pub(crate) use shop::{EXTERNAL_ID, Shop, Wares};
pub(crate) use spares::Spares;

use crate::input::Wire;

testkit::on_both!(
    the_document_is_complete,
    errors_are_the_documented_ones,
    every_route_answers_as_described,
    bodies_that_are_accepted_fit_their_schema,
    what_the_caller_has_is_not_sent_again,
    documented_examples_are_accepted,
    documented_commands_ask_nothing_wrong,
    the_documentation_needs_no_other_host,
    the_documentation_shows_its_reader_what_to_type,
    health_is_open_to_anybody,
);

/// The codes of the contract, one for each way in which this part of the service refuses.
const CODES: &[&str] = &[
    "malformed_request",
    "validation_failed",
    "invalid_cancellation_reason",
    "unsupported_file",
    "empty_file",
    "unknown_encoding",
    "invalid_file",
    "unauthorized",
    "insufficient_credits",
    "insufficient_scope",
    "not_found",
    "not_an_approver",
    "forbidden",
    "approval_closed",
    "method_not_allowed",
    "request_timeout",
    "conflict",
    "has_shipments",
    "insufficient_stock",
    "decimals_fixed",
    "stock_moved",
    "invalid_transition",
    "invoice_cancelled",
    "duplicate_sku",
    "duplicate_email",
    "duplicate_external_id",
    "webhook_disabled",
    "event_gone",
    "issuer_missing",
    "certificate_missing",
    "provider_missing",
    "order_already_invoiced",
    "invoice_invalid",
    "in_progress",
    "rejected_by_provider",
    "related_documents",
    "idempotency_answer_unreadable",
    "idempotency_key_in_use",
    "precondition_failed",
    "payload_too_large",
    "unsupported_media_type",
    "idempotency_key_reused",
    "rate_limited",
    "internal_error",
    "provider_error",
    "unavailable",
    "provider_timeout",
    "withholding_invalid",
    "card_data_refused",
    "order_cancelled",
    "amount_exceeds_due",
    "provider_not_configured",
    "call_in_progress",
    "amount_exceeds_authorized",
    "refund_exceeds_refundable",
    "method_not_refundable",
];

/// A service that sends mail, with the server that takes it.
pub(crate) fn posting(kind: DatabaseKind) -> (App, FakeSmtp) {
    let smtp = FakeSmtp::start();
    let settings = outbound::mail::Settings {
        smtp_url: smtp.url(),
        from: "ventas@tienda.example".to_owned(),
        timeout: Duration::from_secs(10),
        ca_file: None,
    };
    (App::with(kind).mail(settings).start(), smtp)
}

fn the_document_is_complete(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    assert!(document.json()["openapi"].as_str().unwrap().starts_with("3.1."));
    assert_eq!(document.json()["servers"][0]["url"], "/api/v1");
    let scheme = &document.json()["components"]["securitySchemes"]["apiKey"];
    assert_eq!((&scheme["type"], &scheme["scheme"]), (&json!("http"), &json!("bearer")));
    let tags = document.json()["tags"].as_array().unwrap().iter();
    let tags: BTreeSet<_> = tags.map(|tag| tag["name"].as_str().unwrap()).collect();

    let mut ids = BTreeSet::new();
    for operation in document.operations() {
        let (name, spec) = (operation.name(), operation.spec);
        assert!(spec["summary"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
        assert!(ids.insert(spec["operationId"].as_str().unwrap().to_owned()), "{name}");
        // Jobs and approvals are shown to any key, as far as its scopes reach.
        let is_of_any_key =
            ["/jobs", "/approval"].iter().any(|root| operation.path.starts_with(root));
        assert_eq!(operation.scope().is_empty(), is_of_any_key, "{name}");
        let chapters = spec["tags"].as_array().unwrap();
        assert_eq!(chapters.len(), 1, "{name}");
        assert!(tags.contains(chapters[0].as_str().unwrap()), "{name}");
        assert_eq!(spec["security"], json!([{"apiKey": []}]), "{name}");
        for status in ["401", "403", "429", "500", "503"] {
            assert!(!spec["responses"][status].is_null(), "{name} {status}");
        }
    }
    let described: BTreeSet<_> = document.operations().iter().map(Operation::name).collect();
    assert_eq!(described, calls::names().into_iter().collect(), "the table of calls is another");
    assert_eq!(choices::overlaps(&document), [""; 0]);
}

fn errors_are_the_documented_ones(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let error = document.resolved(&json!({"$ref": "#/components/schemas/Error"})).clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let names = |list: &Value| list.as_array().unwrap().iter().map(text).collect::<BTreeSet<_>>();
    let codes = CODES.iter().map(|code| (*code).to_owned()).collect();
    assert_eq!(names(&error["properties"]["error"]["enum"]), codes);
    let fields = ["error", "message", "statusCode"].map(str::to_owned);
    assert_eq!(names(&error["required"]), BTreeSet::from(fields));

    for operation in document.operations() {
        let responses = operation.spec["responses"].as_object().unwrap().iter();
        for (status, response) in responses.filter(|(status, _)| status.as_str() >= "400") {
            let response = document.resolved(response);
            let content = &response["content"]["application/json"];
            for (code, example) in content["examples"].as_object().into_iter().flatten() {
                let name = format!("{} {status} {code}", operation.name());
                assert!(CODES.contains(&code.as_str()), "{name}");
                assert_eq!(example["value"]["statusCode"].to_string(), *status, "{name}");
                assert_eq!(example["value"]["error"], **code, "{name}");
                let faults = schema::faults(&document, &error, &example["value"], true);
                assert_eq!(faults, [""; 0], "{name}");
            }
        }
    }
}

fn every_route_answers_as_described(kind: DatabaseKind) {
    let (app, _smtp) = posting(kind);
    let document = Document::of(&app);
    let standing = Shop::open(&app);
    let mut spares = Spares::of(&app);
    for operation in document.operations_in_turn() {
        let name = operation.name();
        let (status, response) = operation.success();
        let ask = |shop: &Shop| call(&operation, shop).send(&shop.client);
        let reply = match operation.changes() {
            true => spares.answer(Wares::of(operation.path), ask, |reply| reply.status == status),
            false => ask(&standing),
        };
        assert_eq!(reply.status, status, "{name}: {}", reply.text);
        let content = response["content"].as_object().unwrap();
        let media_type = reply.header("content-type").unwrap_or_default();
        let described = content.get(media_type);
        let described = described.unwrap_or_else(|| panic!("{name} answers {media_type:?}"));
        if media_type == "application/json" {
            for body in [&reply.json(), example(described)] {
                let faults = schema::faults(&document, &described["schema"], body, true);
                assert_eq!(faults, [""; 0], "{name}");
            }
        }
        for header in response["headers"].as_object().unwrap().keys() {
            let there = reply.header(&header.to_lowercase()).is_some();
            assert!(there || header == "Idempotent-Replayed", "{name} without {header}");
        }
        if operation.method == "GET" {
            let place = call(&operation, &standing).path;
            let head = testkit::Reply::to(standing.client.request("HEAD", &place));
            assert_eq!((head.status, head.text.as_str()), (status, ""), "HEAD instead of {name}");
        }
    }
}

fn bodies_that_are_accepted_fit_their_schema(kind: DatabaseKind) {
    let app = App::start(kind);
    let document = Document::of(&app);
    let shop = Shop::open(&app);
    let mut accepted: Vec<_> = document
        .operations_with_body()
        .iter()
        .map(|operation| (operation.name(), call(operation, &shop).body.unwrap()))
        .collect();
    let by_id_alone = json!({"variants": [{"id": shop.variant}]});
    let place = format!("/products/{}", shop.product);
    assert_eq!(shop.client.patch(&place, &by_id_alone).status, 200);
    accepted.push(("PATCH /products/{id}".to_owned(), by_id_alone));
    for operation in document.operations_with_body() {
        let schema = &operation.body().unwrap()["schema"];
        for (_, body) in accepted.iter().filter(|(name, _)| *name == operation.name()) {
            let faults = schema::faults(&document, schema, body, false);
            assert_eq!(faults, [""; 0], "{} {body}", operation.name());
        }
    }
}

fn what_the_caller_has_is_not_sent_again(kind: DatabaseKind) {
    let app = App::start(kind);
    let (document, shop) = (Document::of(&app), Shop::open(&app));
    let may_be_known = |operation: &&Operation<'_>| !operation.spec["responses"]["304"].is_null();
    let operations = document.operations();
    let operations: Vec<_> = operations.iter().filter(may_be_known).collect();
    assert_eq!(operations.len(), 45, "one for each resource");
    for operation in operations {
        let known = call(operation, &shop);
        let forms: [fn(&str) -> String; 3] =
            [str::to_owned, |tag| format!("W/{tag}"), |tag| format!("\"x\", {tag}")];
        for if_none_match in forms {
            // An attempt may end between two requests; several in a row do not.
            let unchanged = (0..5).any(|_| {
                let tag = known.send(&shop.client).header("etag").unwrap().to_owned();
                let request = shop.client.request("GET", &known.path);
                let request = request.header("If-None-Match", if_none_match(&tag));
                let reply = testkit::Reply::to(request);
                let same = reply.header("etag") == Some(tag.as_str());
                assert_eq!(same, reply.status == 304, "{}", operation.name());
                assert_eq!(same, reply.text.is_empty(), "{}", operation.name());
                same
            });
            assert!(unchanged, "{}", operation.name());
        }
        let request = shop.client.request("GET", &known.path).header("If-None-Match", "\"other\"");
        assert_eq!(testkit::Reply::to(request).status, 200);
    }
}

fn documented_examples_are_accepted(kind: DatabaseKind) {
    let (app, _smtp) = posting(kind);
    let document = Document::of(&app);
    let operations = document.operations_with_body();
    assert_eq!(operations.len(), 95);
    let mut spares = Spares::of(&app);
    for operation in operations {
        let name = operation.name();
        let media = operation.body().unwrap();
        let faults = schema::faults(&document, &media["schema"], example(media), false);
        assert_eq!(faults, [""; 0], "{name}");
        let ask = |shop: &Shop| {
            let mut documented = call(&operation, shop);
            // The example of a certificate is cut short.
            if !operation.path.ends_with("/certificates") {
                documented.body = Some(with_ids_of(shop, example(media)));
            }
            // The sandbox takes no key.
            documented.path = documented.path.replace("/providers/sandbox", "/providers/stripe");
            // Another provider than the sandbox is chosen by live accounts.
            match operation.path.ends_with("/provider") {
                true => documented.send(&app.client_of(app.live_account(), "*")),
                false => documented.send(&shop.client),
            }
        };
        let status = operation.success().0;
        let is_taken = |reply: &testkit::Reply| reply.status == status;
        let reply = spares.answer(Wares::of(operation.path), ask, is_taken);
        assert_eq!(reply.status, status, "{name}: {}", reply.text);
    }
}

/// The example of a body, of which there is one.
fn example(media: &Value) -> &Value {
    let examples = media["examples"].as_object().expect("an example");
    assert_eq!(examples.len(), 1, "{media}");
    &examples.values().next().unwrap()["value"]
}

/// The example with identifiers that there are.
fn with_ids_of(shop: &Shop, example: &Value) -> Value {
    match example {
        Value::String(text) => {
            json!(match text.get(..4) {
                Some("cus_") => &shop.customer,
                Some("prd_") => &shop.product,
                Some("var_") => &shop.variant,
                Some("whs_") => &shop.shelf,
                Some("cat_") => &shop.category,
                Some("cgr_") => &shop.group,
                Some("pls_") => &shop.price_list,
                Some("key_") => &shop.approver,
                Some("deal") => &shop.sales.second,
                Some("lead") => &shop.sales.twin,
                Some("stag") => &shop.sales.stage,
                Some("ord_") if shop.has_invoices() => &shop.invoices().order,
                Some("ord_") => &shop.order,
                _ => text,
            })
        }
        Value::Array(elements) => elements.iter().map(|e| with_ids_of(shop, e)).collect(),
        Value::Object(fields) => {
            let is_place = |field: &Value| field.as_str().is_some_and(|id| id.starts_with("whs_"));
            let known = |name: &str, field: &Value| match name {
                // What goes from one place to another.
                "toWarehouseId" => json!(shop.outlet),
                "to" if is_place(field) => json!(shop.outlet),
                "quarantineId" => json!(shop.quarantine),
                _ => with_ids_of(shop, field),
            };
            fields.iter().map(|(name, field)| (name.clone(), known(name, field))).collect()
        }
        other => other.clone(),
    }
}

fn the_documentation_needs_no_other_host(kind: DatabaseKind) {
    let app = App::start(kind);
    let (mut open, mut seen) = (vec!["/docs".to_owned()], BTreeSet::new());
    while let Some(place) = open.pop() {
        let answer = app.anonymous().get(&place);
        assert_eq!(answer.status, 200, "{place}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{place}");
        let tag = answer.header("etag").unwrap();
        let known = app.anonymous().request("GET", &place).header("If-None-Match", tag);
        assert_eq!(testkit::Reply::to(known).status, 304, "{place}");
        if answer.header("content-type") == Some("text/html; charset=utf-8") {
            let policy = answer.header("content-security-policy").unwrap();
            assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
            open.extend(
                places_named_in(&answer.text).into_iter().filter(|it| seen.insert(it.clone())),
            );
        }
    }
    for part in ["/docs/orders", "/docs/reference.css", "/docs/reference.js"] {
        assert!(seen.contains(part), "{seen:?}");
    }
    let front = app.anonymous().get("/");
    assert_eq!((front.status, front.header("location")), (307, Some("/docs")));
    let nothing = app.anonymous().get("/docs/nothing");
    assert_eq!((nothing.status, nothing.text.contains("There is no such page")), (404, true));
}

/// The commands that only read, as they are shown: what they name need not be there, but can be asked for.
fn documented_commands_ask_nothing_wrong(kind: DatabaseKind) {
    let app = App::start(kind);
    let shop = Shop::open(&app);
    let front = app.anonymous().get("/docs").text;
    let chapters: BTreeSet<_> =
        places_named_in(&front).into_iter().filter(|place| place.starts_with("/docs/")).collect();
    let mut asked = BTreeSet::new();
    for chapter in chapters {
        let page = app.anonymous().get(&chapter).text;
        for command in page.split("curl '<span class=\"origin\">").skip(1) {
            let place = command.split_once("</span>/api/v1").expect("the origin").1;
            let place = place.split('\'').next().unwrap_or_default();
            // However the page escapes it.
            let place = place.replace("&amp;", "&").replace("&#38;", "&");
            if asked.insert(place.clone()) {
                let reply = shop.client.get(&place);
                assert!(matches!(reply.status, 200 | 404), "{place}: {}", reply.text);
            }
        }
    }
    let sums = asked.iter().find(|place| place.starts_with("/invoices/sums"));
    assert_eq!(shop.client.get(sums.expect("sums")).status, 200);
    let document = Document::of(&app);
    let reads = document.operations().iter().filter(|it| !it.changes()).count();
    assert_eq!(asked.len(), reads);
}

/// What a page links to and loads, without the anchors.
fn places_named_in(page: &str) -> Vec<String> {
    let named = ["src=\"", "href=\""].into_iter().flat_map(|attribute| {
        page.split(attribute).skip(1).filter_map(|rest| rest.split(['"', '#']).next())
    });
    let places = named.filter(|place| !place.is_empty() && !place.starts_with("data:"));
    let places = places.inspect(|place| {
        assert!(place.starts_with('/') && !place.starts_with("//"), "elsewhere: {place}");
    });
    places.map(str::to_owned).collect()
}

fn the_documentation_shows_its_reader_what_to_type(kind: DatabaseKind) {
    let app = App::start(kind);
    let asked = |host: &str| {
        let head = format!("GET /docs/orders HTTP/1.1\r\nHost: {host}\r\n\r\n");
        let answer = Wire::anonymous(&app).raw(head.as_bytes(), false);
        String::from_utf8(answer.body).unwrap()
    };
    let shown =
        |origin: &str| format!("curl '<span class=\"origin\">{origin}</span>/api/v1/orders'");
    for (host, origin) in [
        ("shop.example:8443", "http://shop.example:8443"),
        ("[::1]:80", "http://[::1]:80"),
        ("x'$(reboot)", "http://localhost:8080"),
        ("<b>", "http://localhost:8080"),
    ] {
        assert!(asked(host).contains(&shown(origin)), "{host}");
    }
    let found = Wire::anonymous(&app).get("/docs/search?q=rotate%20secret");
    let found = String::from_utf8(found.body).unwrap();
    assert!(found.contains("/docs/webhooks#rotateWebhookSecret"), "{found}");
    let long = Wire::anonymous(&app).get(&format!("/docs/search?q={}", "x".repeat(101)));
    assert_eq!(long.status, 400);
}

fn health_is_open_to_anybody(kind: DatabaseKind) {
    let app = App::start(kind);
    for path in ["/healthz", "/readyz"] {
        let reply = app.anonymous().get(path);
        assert_eq!(reply.header("ratelimit-limit"), None, "{path} is not limited");
        assert_eq!(reply.expect(200), json!({"status": "ok"}), "{path}");
    }
    let document = app.anonymous().get("/api/v1/openapi.json");
    let known = app.anonymous().request("GET", "/api/v1/openapi.json");
    let tag = document.header("etag").unwrap();
    assert_eq!(testkit::Reply::to(known.header("If-None-Match", tag)).status, 304);
}
